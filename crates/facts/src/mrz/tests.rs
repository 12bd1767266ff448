use super::*;

fn zone(format: Format, lines: &[&str]) -> Zone {
    read(format, lines).unwrap()
}

/// The specimens of ICAO 9303, parts 4 to 6.
#[test]
fn icao_9303_the_published_specimens_have_right_check_digits() {
    let td3 = zone(
        Format::Td3,
        &["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"],
    );
    assert_eq!((td3.1.surname.as_str(), td3.1.given_names.as_str()), ("ERIKSSON", "ANNA MARIA"));
    assert_eq!((td3.1.document_number.as_str(), td3.1.expiry_date.as_str()), ("L898902C3", "120415"));
    let td2 = zone(Format::Td2, &["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"]);
    let td1 = zone(
        Format::Td1,
        &["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"],
    );
    assert_eq!(td1.1.nationality, "UTO");
    for (format, _, digits) in [td3, td2, td1] {
        assert!(digits.iter().all(|digit| digit.matches), "{format:?} {digits:?}");
    }
}

#[test]
fn a_changed_character_breaks_its_check_digit_and_the_composite() {
    let (_, _, digits) = zone(
        Format::Td3,
        &["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7508122F1204159ZE184226B<<<<<10"],
    );
    let wrong: Vec<_> = digits.iter().filter(|digit| !digit.matches).map(|digit| digit.of.as_str()).collect();
    assert_eq!(wrong, ["birthDate", "composite"]);
}

#[test]
fn the_field_order_of_the_french_card_is_supported() {
    let first = format!("{:<<36}", "IDFRABERTHIER");
    let second = "8806923102858CORINNE<<<<<<<6512068F";
    let composite = check_digit(&format!("{first}{second}")).unwrap();
    let second = format!("{second}{composite}");
    let (format, fields, digits) = zone(Format::Td2, &[&first, &second]);
    assert_eq!(format, Format::FrenchIdentityCard);
    assert_eq!(
        (fields.surname.as_str(), fields.given_names.as_str(), fields.sex.as_str()),
        ("BERTHIER", "CORINNE", "F")
    );
    assert!(digits.iter().all(|digit| digit.matches), "{digits:?}");
}

#[test]
fn letters_in_places_for_digits_are_corrected_and_digits_stay() {
    let seen = ["1<UTOD231458907<<<<<<<<<<<<<<<", "74O8122F12O4159UT0<<<<<<<<<<<6", "ER1KSSON<<ANNA<MARIA<<<<<<<<<<"];
    let right: Vec<String> = (0..3).map(|index| as_its_places_say(Format::Td1, index, seen[index])).collect();
    assert_eq!(
        right,
        ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"]
    );
    // A digit that was changed is still a digit; its check digit detects the change.
    let changed = "7508122F1204159UTO<<<<<<<<<<<6";
    assert_eq!(as_its_places_say(Format::Td1, 1, changed), changed);
    let passport = "L8989O2C36UTO74O8122F12O4159ZE184226B<<<<<1O";
    assert_eq!(
        as_its_places_say(Format::Td3, 1, passport),
        "L8989O2C36UTO7408122F1204159ZE184226B<<<<<10",
        "a document's number may have letters"
    );
}

#[test]
fn lines_of_the_right_length_alone_are_not_a_zone() {
    let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJ";
    assert_eq!(read(Format::Td2, &[text, text]), None);
}
