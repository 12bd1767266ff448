use super::*;

const SIGNATURE: &str = "\u{1f}";

/// A code with this data, and a signature of 64 zero bytes.
fn read_data(header: &str, data: &str) -> Option<SignedCode> {
    read(&format!("{header}{data}{SIGNATURE}{}", "A".repeat(103)), 1, Area::default())
}

fn values(code: &SignedCode) -> Vec<(&str, &str)> {
    code.fields.iter().map(|field| (field.id.as_str(), field.value.as_str())).collect()
}

#[test]
fn the_header_of_each_version_is_read() {
    for (header, version, perimeter, country) in [
        ("DC02FR01AB121A2BFFFF06", 2, "01", "FR"),
        ("DC03FR01AB121A2BFFFF0602", 3, "02", "FR"),
        ("DC04FR01AB121A2BFFFF0601CH", 4, "01", "CH"),
    ] {
        let code = read_data(header, "").unwrap();
        assert_eq!((code.version, code.perimeter.as_str(), code.country.as_str()), (version, perimeter, country));
        assert_eq!((code.authority.as_str(), code.certificate.as_str()), ("FR01", "AB12"));
        assert_eq!((code.issued_on.as_deref(), code.signed_on), (Some("2018-05-05"), None));
        assert_eq!(code.signature, "00".repeat(64));
    }
}

const HEADER: &str = "DC04FR01AB121A2B1A2B0601FR";

#[test]
fn values_end_at_a_separator_or_at_their_greatest_length() {
    let code = read_data(HEADER, "2469003\u{1d}25LYON\u{1d}26FR1D1234,5\u{1e}13DE LA TOUR\u{1e}").unwrap();
    let expected = [("24", "69003"), ("25", "LYON"), ("26", "FR"), ("1D", "1234.5"), ("13", "DE LA TOUR")];
    assert_eq!(values(&code), expected);
    assert_eq!(code.fields.iter().map(|field| field.cut).collect::<Vec<_>>(), [false, false, false, true, true]);
    let unknown = read_data(HEADER, "ZZany thing\u{1d}26FR").unwrap();
    assert_eq!((values(&unknown), unknown.fields[0].name.as_str()), (vec![("ZZ", "any thing"), ("26", "FR")], ""));
}

#[test]
fn dates_that_are_none_stay_as_they_are() {
    let code = read_data(HEADER, "6931022020690102198553FFFF54ZZZZ").unwrap();
    assert_eq!(values(&code), [("69", "31022020"), ("69", "1985-02-01"), ("53", "FFFF"), ("54", "ZZZZ")]);
}

#[test]
fn what_is_not_a_signed_code_is_not_read() {
    let signature = "A".repeat(103);
    for text in [
        String::new(),
        "https://example.com".to_owned(),
        format!("DC01FR01AB121A2B1A2B06\u{1f}{signature}"),
        format!("DC04FR01\u{1f}{signature}"),
        format!("{HEADER}1D12"),
        format!("{HEADER}1D12\u{1f}AAAA"),
        format!("{HEADER}1D12\u{1f}{}", "1".repeat(103)),
        format!("{HEADER}1Dé\u{1f}{signature}"),
        format!("{HEADER}{}\u{1f}{signature}", "1".repeat(5_000)),
    ] {
        assert_eq!(read(&text, 1, Area::default()), None, "{text}");
    }
}

#[test]
fn the_number_of_fields_is_bounded() {
    let code = read_data(HEADER, &"26FR".repeat(500)).unwrap();
    assert_eq!(code.fields.len(), MAX_FIELDS);
}
