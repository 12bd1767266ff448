//! Programs that edit pictures and wrote their names into them.

use sealwright_plugin_sdk::findings::{Place, found};

use crate::{Subject, report::Report};

const CODE: &str = "PICTURE_EDITOR";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    if document.image_count() == 0 {
        return Report::not_applicable(CODE, "The document contains no picture.");
    }
    let places = document.all_placements();
    let mut signs = Vec::new();
    for (index, image) in (0..).zip(document.images()) {
        let place: Option<Place> =
            places.iter().find(|placement| placement.image == index).map(|placement| placement.place);
        for trace in image.editor_traces() {
            let finding =
                found(CODE, format!("A picture was saved by {} (its {} says so).", trace.program, trace.origin));
            // A logo from a drawing program is nothing; a page or a card is.
            let small =
                place.and_then(|place| place.area).is_some_and(|area| area.width < 15_000 && area.height < 15_000);
            let finding = match place {
                Some(place) => finding.at(place.page, place.area),
                None => finding,
            };
            signs.push((if small { 75 } else { 12 }, finding));
        }
    }
    if signs.is_empty() && document.structure().is_some() {
        signs.extend(named_in_file(subject).map(|program| {
            (12, found(CODE, format!("A picture in the document was saved by {program}: its own metadata say so.")))
        }));
    }
    Report::of(signs, CODE, "No picture names an editor.")
}

/// How far into a JPEG its metadata are looked for.
const REACH: usize = 8_192;
const BEGINNING: [u8; 3] = [0xff, 0xd8, 0xff];
/// Editors' names as JPEG metadata spell them.
const NAMES: [&str; 8] =
    ["Adobe Photoshop", "Photoshop 3.0", "GIMP", "paint.net", "Pixelmator", "Affinity Photo", "PaintShop", "Photopea"];

/// An editor that is named at the beginning of a JPEG inside the document. The host tells of a picture's own file only where
/// it is one.
fn named_in_file(subject: &Subject<'_>) -> Option<&'static str> {
    let content = subject.document.content();
    let mut offset = 0;
    loop {
        // Overlapping parts, so that no name is cut in two.
        let part = content.read(offset, 65_536);
        let beginnings =
            part.windows(BEGINNING.len()).enumerate().filter(|(_, bytes)| **bytes == BEGINNING).map(|(at, _)| at);
        for at in beginnings {
            let head = if at + REACH > part.len() {
                content.read(offset + at as u64, 8_192)
            } else {
                part[at..at + REACH].to_vec()
            };
            let named = |name: &&&str| head.windows(name.len()).any(|bytes| bytes == name.as_bytes());
            if let Some(name) = NAMES.iter().find(named) {
                return Some(name);
            }
        }
        if part.len() < 65_536 || offset > 32 << 20 {
            return None;
        }
        offset += 65_534;
    }
}
