//! Forgeries of the file: its metadata, its revisions, its signature.

use std::sync::LazyLock;

use jiff::civil::DateTime;
use sealwright_seal::{
    UnixTime,
    pades::{SignatureText, prepare_signature},
    pki::{DevelopmentAuthority, Identity, RandomBytes},
};

use super::{Forgery, page};
use crate::{
    paper::{
        pdf::{self, Information},
        sheet::{Area, Mark, Sheet},
        typeface::Face,
    },
    random::Random,
};

/// Programs that edit PDF pages.
const EDITORS: [&str; 7] = [
    "PDFescape Online - https://www.pdfescape.com",
    "Sejda 5.3.7 (sejda.com)",
    "Foxit PhantomPDF Printer Version 10.1.1.3451",
    "PDF-XChange Editor 9.5.366.0",
    "Adobe Photoshop 24.1 (Windows)",
    "GIMP 2.10.34",
    "Wondershare PDFelement 9.4",
];

/// Changes a file's metadata.
pub(in crate::paper) fn change_information(forgery: Forgery, information: &mut Information, random: &mut Random) {
    let later = |days: i64| information.created.saturating_add(jiff::Span::new().days(days).minutes(17));
    match forgery {
        Forgery::EditedMetadata => match random.whole(0, 3) {
            0 | 1 => {
                information.modified = Some(later(2));
                information.rewritten_by = Some(random.pick(&EDITORS));
            }
            2 => information.modified = Some(later(-40)),
            _ => {
                information.modified = Some(later(1));
                information.xmp_disagrees = true;
            }
        },
        // Not every editor names itself, and some keep the dates.
        Forgery::Mask | Forgery::OtherFont if random.whole(0, 2) == 0 => {
            information.modified = Some(later(3));
            information.rewritten_by = Some(random.pick(&EDITORS));
        }
        _ => {}
    }
}

/// Changes a finished file.
pub(in crate::paper) fn change_file(
    forgery: Forgery,
    file: Vec<u8>,
    sheets: &[Sheet],
    random: &mut Random,
) -> anyhow::Result<Vec<u8>> {
    match forgery {
        Forgery::BrokenSignature if random.whole(0, 1) == 0 => changed_title(file),
        Forgery::AppendedRevision | Forgery::BrokenSignature => appended(&file, sheets, false, random),
        Forgery::AppendedAnnotation => appended(&file, sheets, true, random),
        _ => Ok(file),
    }
}

/// Appends a revision that covers a value and writes another one, on the page or as an annotation over it.
fn appended(file: &[u8], sheets: &[Sheet], as_annotation: bool, random: &mut Random) -> anyhow::Result<Vec<u8>> {
    let (page, mark) = page::target(sheets, random)?;
    let sheet = &sheets[page];
    let Mark::Text(run) = &sheet.marks[mark] else { anyhow::bail!("the target is a text") };
    let retyped = page::retyped(run, Face::Helvetica, random);
    let (number, body) = page_object(file, page)?;
    let first = pdf::next_number(file);
    let mut objects =
        vec![(first, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec())];
    let area = run.area();
    let mut drawn = Sheet::new((sheet.width, sheet.height));
    drawn.marks.push(Mark::Fill(
        Area { x: area.x - 1.0, y: area.y - 1.0, width: area.width + 3.0, height: area.height + 2.0 },
        [255; 3],
    ));
    drawn.marks.push(Mark::Text(retyped));
    let content = pdf::page_content(&drawn, &pdf::PRODUCERS[1], &AppendedFont);
    let body = if as_annotation {
        let (left, right) = (area.x - 2.0, area.x + area.width + 40.0);
        let (bottom, top) = (sheet.height - area.y - area.height - 2.0, sheet.height - area.y + 2.0);
        let form = format!(
            "/Type /XObject /Subtype /Form /BBox [{left} {bottom} {right} {top}] /Resources << /Font << /Fz {first} 0 R >> >>"
        );
        objects.push((first + 1, pdf_stream(&form, &content)));
        objects.push((
            first + 2,
            format!(
                "<< /Type /Annot /Subtype /FreeText /Rect [{left} {bottom} {right} {top}] /F 4 /DA (/Helv 10 Tf) /Contents \
                 (x) /AP << /N {} 0 R >> >>",
                first + 1
            )
            .into_bytes(),
        ));
        body.replacen("<< /Type /Page ", &format!("<< /Type /Page /Annots [{} 0 R] ", first + 2), 1)
    } else {
        objects.push((first + 1, pdf_stream("", &content)));
        let body = body.replacen("/Font << ", &format!("/Font << /Fz {first} 0 R "), 1);
        let at =
            body.find("/Contents ").ok_or_else(|| anyhow::anyhow!("the page has no content"))? + "/Contents ".len();
        let end = body[at..].find(" R").map_or(body.len(), |length| at + length + 2);
        format!("{}[{} {} 0 R]{}", &body[..at], &body[at..end], first + 1, &body[end..])
    };
    objects.push((number, body.into_bytes()));
    pdf::append(file, &objects)
}

fn pdf_stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(content, 6);
    pdf::stream_object(&format!("{entries} /Filter /FlateDecode"), &packed)
}

/// The font of appended text.
struct AppendedFont;

impl pdf::Strings for AppendedFont {
    fn name(&self, _face: Face) -> String {
        "Fz".into()
    }

    fn string(&self, _face: Face, text: &str) -> Vec<u8> {
        text.chars().map(pdf::windows_code).collect()
    }
}

/// Number and dictionary of a page as our writer, or a signature, wrote it last.
fn page_object(file: &[u8], page: usize) -> anyhow::Result<(usize, String)> {
    // One character per byte, so that offsets are the same in both.
    let text: String = file.iter().map(|byte| char::from(*byte)).collect();
    let mut pages: Vec<(usize, String)> = Vec::new();
    for (at, _) in text.match_indices(" 0 obj\n<< /Type /Page /Parent ") {
        let number = text[..at].rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
        let body = &text[at + " 0 obj\n".len()..];
        let body = &body[..body.find("\nendobj").unwrap_or(body.len())];
        pages.push((number.parse()?, body.to_owned()));
    }
    pages.into_iter().nth(page).ok_or_else(|| anyhow::anyhow!("the file has no page {page} in the form expected"))
}

/// Signs a file with the lab's own key.
pub(in crate::paper) fn sign(file: &[u8], made: DateTime) -> anyhow::Result<Vec<u8>> {
    static SIGNER: LazyLock<Result<Identity, String>> = LazyLock::new(|| {
        let random = RandomBytes { keys: [[1; 32], [2; 32], [3; 32]], serial_numbers: [[4; 16], [5; 16], [6; 16]] };
        let now = UnixTime::from_millis(1_750_000_000_000).map_err(|error| error.to_string())?;
        let authority = DevelopmentAuthority::new("Sealwright lab", &random, now).map_err(|error| error.to_string())?;
        Ok(authority.into_identities().map_err(|error| error.to_string())?.0)
    });
    let signer = SIGNER.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
    let millis = made.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp().as_millisecond();
    let text = SignatureText { name: "Sealwright lab", reason: "Issued", time: UnixTime::from_millis(millis)? };
    Ok(prepare_signature(file, &text)?.sign(signer)?.finish(None)?)
}

/// Changes one letter in the signed part.
fn changed_title(mut file: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let place = b"/CreationDate (D:";
    let at = file.windows(place.len()).position(|bytes| bytes == place);
    let at = at.ok_or_else(|| anyhow::anyhow!("the file has no creation date"))? + place.len() + 13;
    file[at] = if file[at] == b'0' { b'1' } else { b'0' };
    Ok(file)
}
