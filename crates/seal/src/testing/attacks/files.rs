// The file as a whole: truncated, combined with others, or of two kinds at once.

use super::{Attack, POLYGLOT, TRUNCATION, Victim, pdf::last};

pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let (pdf, archived) = (&victim.stamped, &victim.archived);
    let mut attack = |variant: String, pdf| attacks.push(Attack::new(TRUNCATION, variant, pdf));
    let end = pdf.len();
    for (what, length) in [
        ("to nothing", 0),
        ("to its header", 9),
        ("to half", end / 2),
        ("to the signature's hole", last(pdf, "/Contents <") + 200),
        ("before the table", last(pdf, "xref\n")),
        ("before the trailer", last(pdf, "trailer\n")),
        ("before the start", last(pdf, "startxref")),
        ("before the end's mark", end - 6),
        ("by one byte", end - 1),
        ("by two bytes", end - 2),
        ("by ten bytes", end - 10),
        ("to what was not signed", victim.base.len()),
        ("to one byte more than that", victim.base.len() + 1),
    ] {
        attack(format!("cut {what}"), pdf[..length].to_vec());
    }
    for (what, length) in [
        ("in the middle of the archive stamp", usize::midpoint(end, archived.len())),
        ("before the archive stamp's end", archived.len() - 6),
        ("one byte after the signature", end + 1),
    ] {
        attack(format!("an archived one, cut {what}"), archived[..length].to_vec());
    }
    attack("the start is missing".to_owned(), pdf[1..].to_vec());
    attack("the header is missing".to_owned(), pdf[9..].to_vec());
    attack("a byte in the middle is missing".to_owned(), [&pdf[..end / 2], &pdf[end / 2 + 1..]].concat());

    let mut attack = |variant: String, pdf| attacks.push(Attack::new(POLYGLOT, variant, pdf));
    let beginnings: [(&str, &[u8]); 14] = [
        ("an archive", b"PK\x03\x04\x14\0\0\0\0\0"),
        ("a page", b"<!DOCTYPE html><script>alert(1)</script><!--"),
        ("a photo", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"),
        ("a picture", b"\x89PNG\r\n\x1a\n"),
        ("an animation", b"GIF89a"),
        ("a program", b"MZ\x90\0"),
        ("another program", b"\x7FELF"),
        ("a script", b"#!/bin/sh\nexit 0\n"),
        ("a byte-order mark", b"\xEF\xBB\xBF"),
        ("a line", b"\n"),
        ("blanks", b"    "),
        ("zeros", b"\0\0\0\0"),
        ("another header", b"%PDF-1.4\n"),
        ("PostScript", b"%!PS-Adobe-3.0\n"),
    ];
    for (what, bytes) in beginnings {
        attack(format!("{what} in front"), [bytes, pdf].concat());
    }
    let ends: [(&str, &[u8]); 12] = [
        ("an archive's end", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
        ("a page", b"--><script>alert(1)</script>"),
        ("a line", b"\n"),
        ("a blank", b" "),
        ("a zero", b"\0"),
        ("a comment", b"% nothing to see here\n"),
        ("another end", b"%%EOF\n"),
        ("another start", b"startxref\n0\n%%EOF\n"),
        ("an object", b"4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n"),
        ("an object and an end", b"4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n%%EOF\n"),
        ("a kilobyte of blanks", &[b' '; 1024]),
        ("16 kilobytes of zeros", &[0; 16384]),
    ];
    for (what, bytes) in ends {
        attack(format!("{what} at the end"), [pdf, bytes].concat());
        attack(format!("{what} after an archived one"), [archived, bytes].concat());
    }
    for (what, files) in [
        ("twice", [pdf, pdf]),
        ("after another certificate", [&victim.other, pdf]),
        ("before another certificate", [pdf, &victim.other]),
        ("before the attacker's", [pdf, &victim.foreign]),
        ("after the attacker's", [&victim.foreign, pdf]),
        ("after its own base", [&victim.base, pdf]),
        ("before its own base", [pdf, &victim.base]),
        ("after its earlier level", [&victim.signed, archived]),
    ] {
        attack(what.to_owned(), files.map(Vec::as_slice).concat());
    }
}
