//! Picture editors that wrote their names into pictures, and what files declare about their origin. Inside a document the host checks only pictures that cover
//! much of a page: a logo from a drawing program means nothing.

use sealwright_plugin_sdk::{
    facts::{CredentialIntegrity, MarkKind, Provenance},
    findings::{Finding, Place, found},
    reading::origin::{changes, is_camera_original, mark, speaker},
};

use crate::{
    report::{Report, Sign, sign},
    subject::Subject,
};

const CODE: &str = "PICTURE_EDITOR";

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let document = subject.document;
    let own = document.provenance();
    if document.image_count() == 0 && own.is_none() {
        return Report::not_applicable(CODE, "The document contains no picture.");
    }
    let places = document.all_placements();
    let mut signs: Vec<Sign> = own.iter().flat_map(|own| declared(own, "document")).collect();
    for (index, image) in (0..).zip(document.images()) {
        let place: Option<Place> =
            places.iter().find(|placement| placement.image == index).map(|placement| placement.place);
        let at = |finding: Finding| match place {
            Some(place) => finding.at(place.page, place.area),
            None => finding,
        };
        // A page or a card is more than a small picture on it.
        let small = place.and_then(|place| place.area).is_some_and(|area| area.width < 15_000 && area.height < 15_000);
        let origin = image.provenance();
        if origin.as_ref().is_some_and(is_camera_original) {
            continue;
        }
        let declared = origin.iter().flat_map(|origin| declared(origin, "picture"));
        signs.extend(
            declared.map(|Sign { decibans, finding }| {
                sign(if small { decibans.min(SMALL) } else { decibans }, at(finding))
            }),
        );
        for trace in image.editor_traces() {
            let finding =
                found(CODE, format!("A picture was saved by {} (its {} says so).", trace.program, trace.origin));
            signs.push(sign(if small { SMALL } else { 23.5 }, at(finding)));
        }
    }
    Report::of(signs, CODE, "No picture names an editor or declares that a model made it.")
}

/// What a small picture on a page is worth, in decibans: it may be a logo.
const SMALL: f64 = 6.0;

/// What a file declares about its origin. That a program drew it says nothing: programs draw most papers.
fn declared(provenance: &Provenance, what: &str) -> Vec<Sign> {
    let mut signs = Vec::new();
    if let Some(mark) = mark(provenance, MarkKind::Generated) {
        let text = format!("The {what} declares that a trained model made it: {}.", speaker(mark));
        signs.push(sign(35.0, found("GENERATED", text)));
    } else if let Some(mark) = mark(provenance, MarkKind::PartlyGenerated) {
        let text = format!("The {what} declares that a trained model made a part of it: {}.", speaker(mark));
        signs.push(sign(26.0, found("PARTLY_GENERATED", text)));
    }
    if let Some(change) = changes(provenance).first() {
        let by = change.agent.as_deref().map(|agent| format!(" by {agent}")).unwrap_or_default();
        let text = format!("The {what}'s content credentials say that it was changed{by} ({}).", change.name);
        signs.push(sign(12.0, found("DECLARED_EDITED", text)));
    }
    if let Some(credentials) = &provenance.credentials
        && credentials.integrity == CredentialIntegrity::Broken
    {
        let why = credentials.problems.first().map(|problem| format!(" {problem}")).unwrap_or_default();
        let text = format!("The {what}'s content credentials do not hold.{why}");
        signs.push(sign(24.0, found("BROKEN_CREDENTIALS", text)));
    }
    signs
}
