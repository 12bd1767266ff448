//! Every flipped byte, every truncation, and appended changes, with and without a time stamp on top. The published
//! attacks are in [`super::corpus`].

use std::fmt::Write as _;

use super::*;
use crate::pdf::file::File;

fn assert_not_valid(pdf: &[u8], what: &str) {
    let report = verify(pdf);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs, "{what}: {:?}", report.findings);
}

/// All positions from `from` on, on as many threads as there are cores. Two bits in hexadecimal digits: 0x20 turns an
/// uppercase digit into a lowercase one, which would be the same signature.
fn flip_every_byte(pdf: &[u8], from: usize) {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut changed = pdf.to_vec();
                loop {
                    let position = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if position >= pdf.len() {
                        return;
                    }
                    let is_letter = changed[position].is_ascii_uppercase();
                    for bit in [0x01, 0x20].into_iter().take(1 + usize::from(is_letter)) {
                        changed[position] ^= bit;
                        assert_not_valid(&changed, &format!("byte {position}, bit {bit:x}"));
                        changed[position] ^= bit;
                    }
                }
            });
        }
    });
}

#[test]
fn decisions_14_every_flipped_byte_of_a_certificate_is_detected() {
    flip_every_byte(&parts("Example").b_t(), 0);
}

#[test]
fn decisions_14_every_flipped_byte_of_an_archive_time_stamp_is_detected() {
    let parts = parts("Example");
    flip_every_byte(&parts.b_lta(), parts.b_t().len());
}

#[test]
fn a_truncated_certificate_is_detected_unless_it_is_an_earlier_revision() {
    let parts = parts("Example");
    let (b_t, b_lta) = (parts.b_t(), parts.b_lta());
    assert!(b_lta.starts_with(&b_t));
    for length in (0..b_lta.len()).step_by(37).chain(b_t.len() - 40..b_t.len()).chain(b_lta.len() - 40..b_lta.len()) {
        assert_not_valid(&b_lta[..length], &format!("{length} bytes"));
    }
    assert_eq!(verify(&b_t).outcome, Outcome::Valid);
    assert_not_valid(&parts.base(), "the file before it was signed");
}

#[test]
fn bytes_around_a_certificate_are_detected() {
    let pdf = parts("Example").b_lta();
    for added in [&b"\n"[..], b" ", b"\0", b"%", b"%%EOF\n", b"startxref\n0\n%%EOF\n"] {
        assert_not_valid(&[&pdf, added].concat(), "behind");
        assert_not_valid(&[added, &pdf].concat(), "before");
    }
    assert_not_valid(&[pdf.clone(), pdf.clone()].concat(), "twice");
}

/// An update as any program would append it.
fn append(pdf: &[u8], objects: &[(u32, String)], trailer: &str) -> Vec<u8> {
    let file = File::read(pdf).unwrap();
    let mut out = pdf.to_vec();
    let mut table = "xref\n".to_owned();
    for (number, value) in objects {
        let _ = write!(table, "{number} 1\n{:010} 00000 n \n", out.len());
        out.extend_from_slice(format!("{number} 0 obj\n{value}\nendobj\n").as_bytes());
    }
    let at = out.len();
    let (size, previous) = (file.newest().trailer.integer("Size").unwrap() + 9, file.newest().table);
    let identifier = "/ID [<00112233445566778899AABBCCDDEEFF> <00112233445566778899AABBCCDDEEFF>]";
    let trailer = format!("trailer\n<< /Size {size} /Root 1 0 R /Prev {previous} {identifier} {trailer} >>\n");
    out.extend_from_slice(format!("{table}{trailer}startxref\n{at}\n%%EOF\n").as_bytes());
    out
}

/// The text of an object as of the newest revision.
fn object(pdf: &[u8], number: u32) -> String {
    let file = File::read(pdf).unwrap();
    let span = file.object(number).unwrap().node.span;
    String::from_utf8_lossy(&pdf[span]).into_owned()
}

/// Object numbers in the tests' file: the catalog, the page and its content; then the attachments.
const CATALOG: u32 = 1;
const PAGE: u32 = 3;
const CONTENT: u32 = 4;

/// What attackers append, by name.
fn additions(pdf: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let catalog = object(pdf, CATALOG);
    let page = object(pdf, PAGE);
    let free = u32::try_from(File::read(pdf).unwrap().newest().trailer.integer("Size").unwrap()).unwrap();
    let evil = "<< /Length 40 >>\nstream\nBT /F1 24 Tf 72 720 Td (Counterfeit) Tj ET \nendstream".to_owned();
    let with = |dictionary: &str, entry: &str| format!("{} {entry} >>", dictionary.trim_end().trim_end_matches(">>"));
    let annotation =
        |kind: &str| format!("<< /Type /Annot /Subtype /{kind} /Rect [0 0 595 842] /F 4 /Contents (Evil) >>");
    let annotated = |number: u32| page.replace("/Annots [", &format!("/Annots [{number} 0 R "));
    let one = |number: u32, value: String| append(pdf, &[(number, value)], "");
    let field = format!("<< /FT /Tx /T (Evil) /V (Evil) /Subtype /Widget /Rect [0 0 99 99] /P {PAGE} 0 R >>");
    let new_fields = catalog.replace("/Fields [", &format!("/Fields [{free} 0 R "));
    vec![
        ("the page's content is replaced", one(CONTENT, evil.clone())),
        (
            "the page shows new content",
            append(pdf, &[(PAGE, page.replace("4 0 R", &format!("{free} 0 R"))), (free, evil.clone())], ""),
        ),
        ("the page is turned", one(PAGE, with(&page, "/Rotate 180"))),
        ("the page is cropped", one(PAGE, with(&page, "/CropBox [0 0 99 99]"))),
        ("the page tree is replaced", one(2, "<< /Type /Pages /Kids [] /Count 0 >>".into())),
        (
            "the catalog has an action",
            one(CATALOG, with(&catalog, "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>")),
        ),
        ("the catalog has layers", one(CATALOG, with(&catalog, "/OCProperties << /OCGs [] /D << >> >>"))),
        ("the catalog is the same again", one(CATALOG, catalog.clone())),
        ("an unreferenced object", one(free, evil.clone())),
        ("nothing at all", append(pdf, &[], "")),
        ("a font is replaced", one(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>".into())),
        ("the attached manifest is replaced", one(7, evil.clone())),
        ("the seal manifest's name", one(CATALOG, catalog.replace("/EmbeddedFiles", "/EmbeddedFilez"))),
        ("another catalog", append(pdf, &[(free, catalog.clone())], "")),
        ("a text note", append(pdf, &[(PAGE, annotated(free)), (free, annotation("FreeText"))], "")),
        ("a stamp", append(pdf, &[(PAGE, annotated(free)), (free, annotation("Stamp"))], "")),
        ("a redaction", append(pdf, &[(PAGE, annotated(free)), (free, annotation("Redact"))], "")),
        ("a form field", append(pdf, &[(CATALOG, new_fields.clone()), (free, field)], "")),
        (
            "a second signature field",
            append(pdf, &[(CATALOG, new_fields), (free, "<< /FT /Sig /T (Evil) >>".into())], ""),
        ),
        ("the permissions are taken away", one(CATALOG, catalog.replace("/Perms", "/Permz"))),
        ("the form is taken away", one(CATALOG, catalog.replace("/AcroForm", "/AcroFurm"))),
        (
            "a store of certificates without a time stamp",
            append(
                pdf,
                &[
                    (free, "<< /Type /DSS >>".into()),
                    (CATALOG, with(&catalog.replace("/DSS", "/OLD"), &format!("/DSS {free} 0 R"))),
                ],
                "",
            ),
        ),
        (
            "a time stamp that is not one",
            append(
                pdf,
                &[(
                    free,
                    "<< /Type /DocTimeStamp /SubFilter /ETSI.RFC3161 /ByteRange [0 0 0 0] /Contents <00> >>".into(),
                )],
                "",
            ),
        ),
        ("an encrypted file", append(pdf, &[], "/Encrypt << /Filter /Standard >>")),
        ("a hybrid file", append(pdf, &[], "/XRefStm 0")),
        (
            "an update without a table",
            [pdf, b"4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n%%EOF\n"].concat(),
        ),
        (
            "an update without a trailer",
            [
                pdf,
                format!(
                    "4 0 obj\n{evil}\nendobj\nxref\n4 1\n{:010} 00000 n \nstartxref\n{}\n%%EOF\n",
                    pdf.len(),
                    pdf.len() + 90
                )
                .as_bytes(),
            ]
            .concat(),
        ),
        (
            "a trailer without a table",
            [
                pdf,
                format!("4 0 obj\n{evil}\nendobj\ntrailer\n<< /Root 1 0 R /Size 4 >>\nstartxref\n0\n%%EOF\n")
                    .as_bytes(),
            ]
            .concat(),
        ),
        ("a comment", [pdf, b"% nothing to see here\nstartxref\n0\n%%EOF\n"].concat()),
    ]
}

#[test]
fn anything_appended_to_a_certificate_is_detected() {
    let parts = parts("Example");
    for (level, pdf) in [("B-B", parts.b_b()), ("B-T", parts.b_t()), ("B-LTA", parts.b_lta())] {
        for (what, changed) in additions(&pdf) {
            assert!(changed.starts_with(&pdf) && changed.len() > pdf.len(), "{what}");
            assert_not_valid(&changed, &format!("{level}: {what}"));
        }
    }
}

/// A time stamp on top does not make an addition valid, not even one of ours.
#[test]
fn anything_appended_is_still_detected_under_a_time_stamp() {
    for (what, changed) in additions(&parts("Example").b_t()) {
        let Ok(prepared) = prepare_time_stamp(&changed, None, None) else { continue };
        let token = stamp("Example", &prepared.digest(), now());
        assert_not_valid(&prepared.finish(&token).unwrap(), what);
    }
}

/// The attacker's own signature over the attacker's own document.
#[test]
fn a_certificate_by_another_signer_is_not_trusted() {
    let (ours, theirs) = (parts("Example"), parts("Other"));
    assert_eq!(verify(&theirs.b_t()).outcome, Outcome::IntactButUntrusted);
    // Their document with our signature in its place.
    let (our_pdf, mut forged) = (ours.b_t(), theirs.b_t());
    let hole = |pdf: &[u8]| {
        let start = pdf.windows(11).rposition(|window| window == b"/Contents <").unwrap() + 10;
        start..start + pdf[start..].iter().position(|byte| *byte == b'>').unwrap() + 1
    };
    let place = hole(&forged);
    forged[place].copy_from_slice(&our_pdf[hole(&our_pdf)]);
    assert_not_valid(&forged, "our signature on their document");
}

#[test]
fn files_that_are_not_certificates_are_not_ours() {
    for pdf in [&b""[..], b"%PDF-1.7", b"%PDF-1.7\nstartxref\n9\n%%EOF", b"startxref", b"\x89PNG\r\n\x1a\n"] {
        assert_not_valid(pdf, "no certificate");
    }
}
