//! Pictures that were compressed more than once, or not evenly. What is put into a JPEG brings another history of
//! compression with it.

use sealwright_plugin_sdk::{
    facts::{Image, Measure, Rectangle},
    findings::{Finding, found},
};

use crate::{Subject, report::Report};

const CODE: &str = "COMPRESSION";
/// Pictures with fewer pixels are logos.
const FEW_PIXELS: u64 = 120_000;

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    let places = document.all_placements();
    let mut signs: Vec<(u8, Finding)> = Vec::new();
    let mut looked = false;
    for (index, image) in (0..).zip(document.images()) {
        let encoding = image.encoding();
        if encoding.format != "jpeg" || u64::from(encoding.width) * u64::from(encoding.height) < FEW_PIXELS {
            continue;
        }
        looked = true;
        let place = places.iter().find(|placement| placement.image == index).map(|placement| placement.place);
        for (evaluation, finding) in of_picture(&image) {
            signs
                .push((evaluation, if let Some(place) = place { finding.at(place.page, place.area) } else { finding }));
        }
    }
    if !looked {
        return Report::not_applicable(CODE, "There is no JPEG picture that is large enough to be looked at.");
    }
    Report::of(signs, CODE, "No picture shows traces of several compressions that differ from place to place.")
}

fn of_picture(image: &Image) -> Vec<(u8, Finding)> {
    let measures = image.all_measures();
    let mut signs = Vec::new();
    if let Some(area) = calm_area(&measures) {
        let finding = found("UNEVEN_COMPRESSION", "A part of a picture was compressed otherwise than the rest.");
        signs.push((35, Finding { place: None, ..finding }.at(1, area)));
    }
    if is_shifted(&measures) {
        signs.push((60, found("SHIFTED_GRID", "A picture was cut out of one that had been compressed before.")));
    }
    signs
}

/// Regions that change much less, or more, in another compression than all that look alike around them.
fn calm_area(measures: &[Measure]) -> Option<Rectangle> {
    let median = measures.iter().find(|measure| measure.name == "error-level-median")?.value.max(1);
    let high = measures.iter().find(|measure| measure.name == "error-level-high")?.value.max(1);
    let regions: Vec<&Measure> = measures.iter().filter(|measure| measure.name == "error-level").collect();
    // A page of text is uneven by nature: only what stands far out of everything is looked at.
    let worst = regions.iter().max_by_key(|measure| measure.value)?;
    (worst.value > high * 3 && worst.value > median * 6).then_some(worst.area).flatten()
}

/// A second peak of the block grid beside this file's own.
fn is_shifted(measures: &[Measure]) -> bool {
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
