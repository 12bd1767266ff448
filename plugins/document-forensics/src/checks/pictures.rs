//! Composite pictures. A part that was inserted into a JPEG lacks the earlier compression of the rest: the host
//! measures where a picture's history differs from the rest.

use sealwright_plugin_sdk::{
    facts::{Document, Encoding, Image, Measure, Placement, Rectangle},
    findings::{Finding, Place, found},
};

use crate::{
    report::{Report, Sign, sign},
    subject::Subject,
};

const CODE: &str = "COMPRESSION";
/// Pictures with fewer pixels are logos.
const FEW_PIXELS: u64 = 120_000;

/// The evidence required for an inserted part. Measured on the lab's tuning scans and photographs: a picture that was
/// compressed once gains up to 34, one with a changed part 205 and more; if the whole picture was saved again, the two
/// parts are mostly alike.
struct Evidence {
    /// For an earlier compression of the whole, in thousandths.
    gain: i64,
    /// For the most prominent part, in tenths, and the required multiple of the next.
    strength: i64,
    times: i64,
    decibans: f64,
}

/// A part that is larger than this fraction of the picture does not count.
const FEWEST_OF_THE_WHOLE: u64 = 4;

const EVIDENCE: [Evidence; 2] = [
    Evidence { gain: 400, strength: 1_000, times: 4, decibans: 24.54 },
    // A weak trace.
    Evidence { gain: 150, strength: 400, times: 4, decibans: 17.69 },
];

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    let placements = document.all_placements();
    let mut signs: Vec<Sign> = Vec::new();
    let mut looked = false;
    for (index, image) in (0..).zip(document.images()) {
        let encoding = image.encoding();
        let measures = image.all_measures();
        let is_measured = measures.iter().any(|measure| measure.name == "earlier-compression");
        if !is_measured || u64::from(encoding.width) * u64::from(encoding.height) < FEW_PIXELS {
            continue;
        }
        looked = true;
        let placement = placements.iter().find(|placement| placement.image == index);
        signs.extend(put_in(&measures, &encoding).map(|(decibans, part)| {
            let text = "A part of a picture was inserted: it lacks the compression history of the rest.";
            let finding = found("PUT_IN", text);
            sign(decibans, at(finding, place_of(document, placement, &encoding, part)))
        }));
        if is_shifted(&image) {
            let finding = found("SHIFTED_GRID", "A picture was cropped from one that had been compressed before.");
            signs.push(sign(10.0, at(finding, placement.map(|placement| placement.place))));
        }
    }
    if !looked {
        return Report::not_applicable(CODE, "There is no JPEG picture that is large enough and could be examined.");
    }
    Report::of(signs, CODE, "No picture has a part with a different compression history from the rest.")
}

fn at(finding: Finding, place: Option<Place>) -> Finding {
    match place {
        Some(place) => finding.at(place.page, place.area),
        None => finding,
    }
}

/// What it is worth, and the part in hundredths of the picture's own pixels.
fn put_in(measures: &[Measure], encoding: &Encoding) -> Option<(f64, Rectangle)> {
    let value = |name: &str, at: u32| {
        measures.iter().find(|measure| measure.name == name && measure.at == at).map_or(0, |measure| measure.value)
    };
    let (gain, first, next) = (value("earlier-compression", 0), value("odd-part", 0), value("odd-part", 1));
    let area = measures.iter().find(|measure| measure.name == "odd-part" && measure.at == 0)?.area?;
    // Its sides are in hundredths of pixels.
    let pixels = u64::from(area.width / 100) * u64::from(area.height / 100);
    if pixels * FEWEST_OF_THE_WHOLE > u64::from(encoding.width) * u64::from(encoding.height) {
        return None;
    }
    EVIDENCE
        .iter()
        .find(|least| gain >= least.gain && first >= least.strength && first >= next.saturating_mul(least.times))
        .map(|least| (least.decibans, area))
}

/// Where on its page a part of a picture is shown. For a rotated picture the whole picture is named.
fn place_of(document: &Document, placement: Option<&Placement>, encoding: &Encoding, part: Rectangle) -> Option<Place> {
    let place = placement?.place;
    let is_upright = document.page(place.page).is_some_and(|page| page.rotation == 0);
    if !is_upright {
        return Some(place);
    }
    // The file is the picture, and its page the picture's pixels.
    let Some(shown) = place.area else { return Some(Place { area: Some(part), ..place }) };
    let scaled = |length: u32, shown: u32, pixels: u32| {
        u32::try_from(u64::from(length) * u64::from(shown) / (u64::from(pixels.max(1)) * 100)).unwrap_or(shown)
    };
    let across = |length: u32| scaled(length, shown.width, encoding.width);
    let down = |length: u32| scaled(length, shown.height, encoding.height);
    let area = Rectangle {
        left: shown.left.saturating_add_unsigned(across(part.left.unsigned_abs())),
        top: shown.top.saturating_add_unsigned(down(part.top.unsigned_abs())),
        width: across(part.width),
        height: down(part.height),
    };
    Some(Place { area: Some(area), ..place })
}

/// A second peak of the block grid in addition to this file's own.
fn is_shifted(image: &Image) -> bool {
    let measures = image.all_measures();
    ["grid-horizontal", "grid-vertical"].iter().all(|name| {
        let grid: Vec<i64> = (0..8)
            .map(|at| {
                measures
                    .iter()
                    .find(|measure| measure.name == *name && measure.at == at)
                    .map_or(0, |measure| measure.value)
            })
            .collect();
        let own = grid[0];
        let other = grid[1..].iter().copied().max().unwrap_or(0);
        let rest: i64 = (grid[1..].iter().sum::<i64>() - other) / 6;
        own > 1_000 && other > rest * 5 / 4 && other > 1_150
    })
}
