// The machine-readable content of a certificate (the attached manifest and the tokens), replaced in updates; and its
// human-readable content, changed in place.

use super::{
    Attack, CONTENT_SWAP, IN_PLACE, Victim,
    pdf::{CATALOG, MANIFEST, first, free, object, update, with},
};

#[expect(clippy::too_many_lines, reason = "a list")]
pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.stamped;
    let mut attack = |variant: &str, pdf| attacks.push(Attack::new(CONTENT_SWAP, variant, pdf));
    let (catalog, number) = (object(pdf, CATALOG), free(pdf));
    let (manifest, stream) = (MANIFEST, MANIFEST + 1);
    let (token, token_stream) = (MANIFEST + 2, MANIFEST + 3);
    let (other_token, other_stream) = (MANIFEST + 4, MANIFEST + 5);
    let specification = object(pdf, manifest);
    let plain = |text: &str| format!("<< /Type /EmbeddedFile /Length {} >>\nstream\n{text}\nendstream", text.len());
    let names = |entries: &str| {
        catalog
            .replace("/Names << /EmbeddedFiles << /Names [", &format!("/Names << /EmbeddedFiles << /Names [{entries} "))
    };
    let theirs = |number: u32| object(&victim.other, number);
    for (what, objects) in [
        ("the manifest is empty", vec![(stream, plain(""))]),
        (
            "the manifest is the attacker's",
            vec![(stream, plain("{\"format\":\"sealwright-seal-manifest\",\"version\":1}"))],
        ),
        ("the manifest is another certificate's", vec![(stream, theirs(stream))]),
        (
            "the manifest and its tokens are another certificate's",
            (0..8).map(|it| (MANIFEST + it, theirs(MANIFEST + it))).collect(),
        ),
        ("the manifest is renamed", vec![(manifest, specification.replace("seal-manifest", "sael-manifest"))]),
        (
            "the manifest has two names",
            vec![(manifest, specification.replacen("(seal-manifest.json)", "(evil.json)", 1))],
        ),
        (
            "the manifest's file is a token",
            vec![(manifest, specification.replace(&format!("{stream} 0 R"), &format!("{token_stream} 0 R")))],
        ),
        (
            "the manifest has another file for others",
            vec![(manifest, specification.replacen(&format!("/F {stream} 0 R"), &format!("/F {token_stream} 0 R"), 1))],
        ),
        ("the manifest is deleted", vec![(stream, "null".to_owned())]),
        (
            "the manifest is encoded twice",
            vec![(stream, object(pdf, stream).replace("/FlateDecode", "[/ASCIIHexDecode /FlateDecode]"))],
        ),
        (
            "a second manifest",
            vec![(CATALOG, names(&format!("(seal-manifest.json) {number} 0 R"))), (number, specification.clone())],
        ),
        (
            "a second manifest of the attacker's",
            vec![
                (CATALOG, names(&format!("(a.json) {number} 0 R"))),
                (number, specification.replace(&format!("{stream} 0 R"), &format!("{} 0 R", number + 1))),
                (number + 1, plain("{}")),
            ],
        ),
        (
            "another attachment",
            vec![
                (CATALOG, names(&format!("(evil.exe) {number} 0 R"))),
                (number, format!("<< /Type /Filespec /F (evil.exe) /UF (evil.exe) /EF << /F {} 0 R >> >>", number + 1)),
                (number + 1, plain("MZ")),
            ],
        ),
        ("a token is the other one", vec![(token_stream, object(pdf, other_stream))]),
        (
            "two tokens are exchanged",
            vec![(token_stream, object(pdf, other_stream)), (other_stream, object(pdf, token_stream))],
        ),
        ("two tokens' names are exchanged", vec![(token, object(pdf, other_token)), (other_token, object(pdf, token))]),
        ("a token is another certificate's", vec![(token_stream, theirs(token_stream))]),
        ("a token is deleted", vec![(token_stream, "null".to_owned())]),
        ("a token is empty", vec![(token_stream, plain(""))]),
        ("the attachments are unnamed", vec![(CATALOG, catalog.replace("/EmbeddedFiles", "/EmbeddedFilez"))]),
        (
            "the attachments' tree is another",
            vec![(CATALOG, catalog.replace("/EmbeddedFiles <<", "/EmbeddedFiles << /Kids [4 0 R]"))],
        ),
        ("the associated files are others", vec![(CATALOG, catalog.replace("/AF [", "/AF [4 0 R "))]),
        ("the associated files are gone", vec![(CATALOG, catalog.replace("/AF [", "/AF [] /Ag ["))]),
        (
            "scripts by name",
            vec![(
                CATALOG,
                catalog.replace(
                    "/Names <<",
                    "/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.alert\\(1\\)) >>] >>",
                ),
            )],
        ),
        (
            "templates by name",
            vec![(CATALOG, catalog.replace("/Names <<", "/Names << /Templates << /Names [(a) 3 0 R] >>"))],
        ),
        (
            "addresses by name",
            vec![(CATALOG, catalog.replace("/Names <<", "/Names << /URLS << /Names [(a) << /S /URI >>] >>"))],
        ),
        ("destinations by name", vec![(CATALOG, with(&catalog, "/Dests << /A [3 0 R /Fit] >>"))]),
    ] {
        attack(what, update(pdf, &objects));
    }
    let mut attack = |variant: &str, pdf| attacks.push(Attack::new(IN_PLACE, variant, pdf));
    for (what, from, to) in [
        ("the page's text", "/Filter /FlateDecode", "/Filter /FlateDecodf"),
        ("the font", "/Helvetica", "/Helvetics"),
        ("the page's size", "[0 0 595 842]", "[0 0 595 841]"),
        ("the manifest's name", "(seal-manifest.json)", "(seal-manifesu.json)"),
        ("the signer's claimed time", "/M (D:2", "/M (D:1"),
        ("the reason", "/Reason <FEFF", "/Reason <FFFE"),
        ("the signature's field", "/T (Seal)", "/T (Saal)"),
        ("the identifier", "/ID [<00", "/ID [<01"),
        ("a relation", "/AFRelationship /Data", "/AFRelationship /Dato"),
        ("a size", "/Params << /Size ", "/Params << /Sizf "),
        ("the binary mark", "%\u{e2}", "%\u{e3}"),
        ("a line's end in a table", " 00000 n \n", " 00000 n  "),
    ] {
        let needle: Vec<u8> = from.chars().map(|it| u8::try_from(u32::from(it)).unwrap()).collect();
        let into: Vec<u8> = to.chars().map(|it| u8::try_from(u32::from(it)).unwrap()).collect();
        let found = pdf.windows(needle.len()).position(|window| window == needle);
        let at = found.unwrap_or_else(|| panic!("no {from}"));
        let mut changed = pdf.clone();
        changed[at..at + into.len()].copy_from_slice(&into);
        attack(what, changed);
    }
    let mut changed = pdf.clone();
    let stream_at = first(pdf, "stream\n") + "stream\n".len();
    changed[stream_at..stream_at + 4].rotate_left(1);
    attack("the order of four bytes of the content", changed);
}
