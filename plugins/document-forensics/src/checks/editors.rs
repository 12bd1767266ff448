//! Picture editors that wrote their names into pictures. Inside a document the host checks only pictures that cover
//! much of a page: a logo from a drawing program means nothing.

use sealwright_plugin_sdk::findings::{Place, found};

use crate::{
    report::{Report, sign},
    subject::Subject,
};

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
            // A page or a card is more than a small picture on it.
            let small =
                place.and_then(|place| place.area).is_some_and(|area| area.width < 15_000 && area.height < 15_000);
            let finding = match place {
                Some(place) => finding.at(place.page, place.area),
                None => finding,
            };
            signs.push(sign(if small { 6.0 } else { 23.5 }, finding));
        }
    }
    Report::of(signs, CODE, "No picture names an editor.")
}
