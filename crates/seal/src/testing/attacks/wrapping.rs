// Signature wrapping: the signed part stays in the file and keeps its digest, and other content is inserted between or
// around it.

use super::{
    Attack, SIGNATURE_WRAPPING, Victim,
    forgery::byte_range,
    pdf::{COUNTERFEIT, Finish, append, first, free, hole, last, object, signature, table, update},
};

pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.stamped;
    let mut attack = |variant: &str, pdf| attacks.push(Attack::new(SIGNATURE_WRAPPING, variant, pdf));
    let place = hole(pdf);
    let (before, after) = (&pdf[..place.end], &pdf[place.end..]);
    let gap = format!(" >>\nendobj\n4 0 obj\n{COUNTERFEIT}\nendobj\n");
    let at = before.len() + gap.len();
    let range = |text: String| text.into_bytes();

    attack("objects after the hole, the rest moved", [before, gap.as_bytes(), after].concat());
    attack("the rest moved, the range following it", {
        let moved = [before, gap.as_bytes(), after].concat();
        let text = byte_range(pdf);
        let numbers: Vec<usize> =
            text.trim_matches(['[', ']']).split_whitespace().map(|it| it.parse().unwrap()).collect();
        let new = format!("[0 {:<10} {:<10} {:<10}]", numbers[1], at, numbers[3]);
        replace_range(&moved, &text, &new)
    });
    attack("the rest moved, a second range after the hole", {
        let second = format!("\n/ByteRange [0 {} {} {}]\n", place.start, at + 60, after.len());
        [before, second.as_bytes(), &vec![b' '; 60 + gap.len() - second.len()], after].concat()
    });
    attack("the rest moved, with a table of its own in between", {
        let xref = format!(
            "xref\n4 1\n{:010} 00000 n \ntrailer\n<< /Root 1 0 R /Size 9 >>\nstartxref\n{}\n%%EOF\n",
            before.len(),
            at
        );
        [before, gap.as_bytes(), xref.as_bytes(), after].concat()
    });
    attack("the signed part as a stream of a new file", {
        let head = format!("%PDF-1.7\n99 0 obj\n<< /Length {} >>\nstream\n", pdf.len());
        let foot = format!("\nendstream\nendobj\n4 0 obj\n{COUNTERFEIT}\nendobj\nstartxref\n{}\n%%EOF\n", table(pdf));
        [head.as_bytes(), pdf, foot.as_bytes()].concat()
    });
    attack("the signed part as an attachment of an update", {
        let mut stream = format!("<< /Length {} >>\nstream\n", pdf.len());
        stream.extend(pdf.iter().copied().map(char::from));
        stream.push_str("\nendstream");
        update(pdf, &[(free(pdf), stream), (4, COUNTERFEIT.to_owned())])
    });
    let hidden: [(&str, &str); 12] = [
        ("the string's end", ">"),
        ("a second range", "> /ByteRange [0 1 2 3] /Contents <"),
        ("a second content", "> /Contents <00"),
        ("an object", "> >> endobj 4 0 obj << /Length 0 >> stream endstream endobj 99 0 obj << /A <"),
        ("a blank", " "),
        ("a line's end", "\n"),
        ("a comment", "%"),
        ("digits", "01"),
        ("half a byte", "F"),
        ("a text", "(a)"),
        ("a lowercase digit", "a"),
        ("a name", "/A"),
    ];
    for (what, text) in hidden {
        for (where_, at) in [
            ("at its start", place.start + 1),
            ("in its padding", place.end - 300),
            ("at its end", place.end - 1 - text.len()),
        ] {
            let mut changed = pdf.clone();
            changed[at..at + text.len()].copy_from_slice(text.as_bytes());
            attack(&format!("{what} in the hole, {where_}"), changed);
        }
    }
    for (what, text) in [("two zeros", "00"), ("a zero", "0"), ("a blank", " "), ("another entry", "> /Evil <")] {
        let mut changed = pdf.clone();
        changed.splice(place.end - 1..place.end - 1, text.bytes());
        attack(&format!("the hole grows by {what}"), changed);
    }
    attack("the hole shrinks", {
        let mut changed = pdf.clone();
        changed.drain(place.end - 3..place.end - 1);
        changed
    });
    attack("a second signature field with the same signature", {
        let number = free(pdf);
        let field = format!(
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Seal2) /V {} 0 R /P 3 0 R /Rect [0 0 0 0] /F 132 >>",
            signature(pdf)
        );
        let catalog = object(pdf, 1).replace("/Fields [", &format!("/Fields [{number} 0 R "));
        update(pdf, &[(1, catalog), (number, field), (4, COUNTERFEIT.to_owned())])
    });
    attack("a copy of the signature that covers the update too", {
        let copy = object(pdf, signature(pdf)).replace(&byte_range(pdf), "[0 0 0 9999999]");
        update(pdf, &[(signature(pdf), copy), (4, COUNTERFEIT.to_owned())])
    });
    attack("the signed revision put after a new start", {
        let start = first(pdf, "%PDF");
        [b"%PDF-1.7\n4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n", &pdf[start..]].concat()
    });
    attack("the signature of another certificate in its place", exchange(pdf, &victim.other));
    attack("the signature in the place of the attacker's", exchange(&victim.foreign, pdf));
    attack("the attacker's signature in its place", exchange(pdf, &victim.foreign));
    attack("an update whose trailer is the signed one", {
        let trailer = range(pdf[last(pdf, "trailer\n")..].iter().copied().map(char::from).collect());
        [&append(pdf, &[(4, COUNTERFEIT.to_owned())], Finish::Bare, "")[..], &trailer].concat()
    });
}

/// Puts the content of the hole of `from` into the hole of `into`, which has the same size.
fn exchange(into: &[u8], from: &[u8]) -> Vec<u8> {
    let mut changed = into.to_vec();
    changed[hole(into)].copy_from_slice(&from[hole(from)]);
    changed
}

fn replace_range(pdf: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = last(pdf, from);
    [&pdf[..at], to.as_bytes(), &pdf[at + from.len()..]].concat()
}
