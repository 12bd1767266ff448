//! The rules of PDF/A-3b that a signature or a time stamp could break: those of ISO 19005-3 about updates, tables,
//! strings, annotations, forms and signatures, by the numbers of the veraPDF profile. It is not a validator: the
//! renderer has to produce PDF/A in the first place.

use super::*;
use crate::pdf::{
    file::File,
    syntax::{Dictionary, Node, Value},
};

/// The broken rules.
fn broken_rules(pdf: &[u8]) -> Vec<String> {
    let file = File::read(pdf).unwrap();
    let mut broken = Vec::new();
    let mut rule = |number: &str, holds: bool, what: String| {
        if !holds {
            broken.push(format!("{number}: {what}"));
        }
    };
    let header_end = pdf.iter().position(|byte| *byte == b'\n').unwrap();
    rule("6.1.2-1", pdf.starts_with(b"%PDF-1.") && header_end == 8, "header".into());
    let mark = &pdf[header_end + 1..header_end + 6];
    rule("6.1.2-2", mark[0] == b'%' && mark[1..].iter().all(|byte| *byte > 127), format!("{mark:?}"));
    let trimmed = pdf.strip_suffix(b"\n").unwrap_or(pdf);
    rule("6.1.3-3", trimmed.ends_with(b"%%EOF"), "after the end".into());
    for revision in &file.revisions {
        rule("6.1.3-1", revision.trailer.array("ID").is_some_and(|id| id.len() == 2), "no identifier".into());
        rule("6.1.3-2", revision.trailer.get("Encrypt").is_none(), "encrypted".into());
        // The reader only accepts entries of 20 bytes (6.1.4); it remains to check that an object starts a line
        // (6.1.9).
        rule("6.1.4", pdf[revision.table..].starts_with(b"xref\n"), "table".into());
        for (number, at) in &revision.objects {
            let Some(at) = at else { continue };
            rule("6.1.9-1", matches!(pdf[at - 1], b'\n' | b'\r'), format!("object {number} does not start a line"));
            let node = file.object(*number).map(|object| object.node);
            let Ok(node) = node else { continue };
            check_value(&node, pdf, &mut rule);
        }
    }
    let (_, catalog) = file.catalog().unwrap();
    let form = catalog.dictionary("AcroForm").unwrap();
    rule("6.4.1-3", form.get("NeedAppearances").is_none(), "NeedAppearances".into());
    rule("6.4.2-1", form.get("XFA").is_none(), "XFA".into());
    rule("6.1.12-1", catalog.dictionary("Perms").unwrap().iter().all(|(key, _)| key == b"DocMDP"), "Perms".into());
    rule("6.1.12", catalog.get("AA").is_none() && catalog.get("OpenAction").is_none(), "actions".into());
    for field in form.array("Fields").unwrap() {
        let Value::Reference(number) = field.value else { panic!("{field:?}") };
        check_field(&file, file.object(number).unwrap().dictionary().unwrap(), &mut rule);
    }
    broken
}

fn check_value(node: &Node, pdf: &[u8], rule: &mut impl FnMut(&str, bool, String)) {
    match &node.value {
        Value::String(bytes) => {
            rule("6.1.13-3", bytes.len() < 32_768, format!("a string of {} bytes", bytes.len()));
            let text = &pdf[node.span.clone()];
            let digits = text.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
            rule("6.1.6-1", text[0] != b'<' || digits % 2 == 0, "half a byte".into());
        }
        Value::Name(name) => rule("6.1.13-4", name.len() <= 127, "a long name".into()),
        Value::Integer(number) => rule("6.1.13-1", i32::try_from(*number).is_ok(), format!("{number}")),
        Value::Array(nodes) => nodes.iter().for_each(|inner| check_value(inner, pdf, rule)),
        Value::Dictionary(dictionary) => dictionary.iter().for_each(|(_, inner)| check_value(inner, pdf, rule)),
        _ => {}
    }
}

/// A signature field, which is its own annotation, and its value.
fn check_field(file: &File<'_>, field: &Dictionary, rule: &mut impl FnMut(&str, bool, String)) {
    let flags = field.integer("F").unwrap_or(0);
    rule("6.3.2-1", flags & 4 != 0 && flags & (1 | 2 | 32 | 256) == 0, format!("flags {flags}"));
    let rectangle: Vec<i64> = field
        .array("Rect")
        .unwrap()
        .iter()
        .map(|node| match node.value {
            Value::Integer(number) => number,
            _ => panic!("{node:?}"),
        })
        .collect();
    rule("6.3.3-1", rectangle == [0, 0, 0, 0] || field.get("AP").is_some(), "no appearance".into());
    rule("6.4.1-1", field.get("A").is_none() && field.get("AA").is_none(), "an action".into());
    let signature = file.follow(field, "V").unwrap().unwrap();
    let range: Vec<usize> = signature
        .array("ByteRange")
        .unwrap()
        .iter()
        .map(|node| match node.value {
            Value::Integer(number) => usize::try_from(number).unwrap(),
            _ => panic!("{node:?}"),
        })
        .collect();
    let ends: Vec<usize> = file.revisions.iter().map(|revision| revision.span.end).collect();
    let place = &file.bytes[range[1]..range[2]];
    let covers = range[0] == 0 && ends.contains(&(range[2] + range[3]));
    rule("6.4.3-1", covers && place.starts_with(b"<") && place.ends_with(b">"), format!("{range:?}"));
    let message = crate::cms::SignedMessage::from_foreign_der(&signed_message(place)).unwrap();
    rule("6.4.3-2", !message.certificates().is_empty(), "no certificate".into());
    for reference in signature.array("Reference").unwrap_or_default() {
        let Value::Dictionary(reference) = &reference.value else { panic!("{reference:?}") };
        let digests = ["DigestLocation", "DigestMethod", "DigestValue"];
        rule("6.1.12-2", digests.iter().all(|key| reference.get(key).is_none()), "a digest".into());
    }
}

/// Without the padding: its length is in its first bytes.
fn signed_message(place: &[u8]) -> Vec<u8> {
    let bytes = hex::decode(&place[1..place.len() - 1]).unwrap();
    bytes[..4 + usize::from(bytes[2]) * 256 + usize::from(bytes[3])].to_vec()
}

#[test]
fn iso_19005_3_nothing_that_is_appended_breaks_pdf_a() {
    let parts = parts("Example");
    let archived = parts.b_lta();
    let renewed = add_time_stamp(&archived, "Example", None, now());
    let mut with_original = self::parts("Example");
    with_original.attachments.push(("ITM-0_CAS-12.jpg".to_owned(), PHOTOS[0].to_vec()));
    for (level, pdf) in [
        ("B-B", parts.b_b()),
        ("B-T", parts.b_t()),
        ("B-LTA", archived),
        ("renewed", renewed),
        ("with an original", with_original.b_lta()),
    ] {
        assert_eq!(broken_rules(&pdf), Vec::<String>::new(), "{level}");
    }
    // The check can fail.
    let mut spoilt = parts.b_t();
    let at = spoilt.windows(6).position(|window| window == b"/F 132").unwrap();
    spoilt[at + 5] = b'0';
    assert_eq!(broken_rules(&spoilt), ["6.3.2-1: flags 130"]);
}
