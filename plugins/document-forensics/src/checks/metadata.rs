//! A file's metadata about its creation: the program and the time.

use sealwright_plugin_sdk::{
    facts::{Property, PropertySource},
    findings::{Finding, found},
};

use crate::{Subject, report::Report};

const CODE: &str = "METADATA";
const DAY: i64 = 86_400_000;

/// Programs that change the content of a finished PDF, or draw pictures. Programs that only join, compress or sign are
/// not listed: everyone uses those.
const EDITORS: [&str; 22] = [
    "pdfescape",
    "sejda",
    "phantompdf",
    "foxit pdf editor",
    "pdf-xchange editor",
    "pdfelement",
    "photoshop",
    "gimp",
    "illustrator",
    "inkscape",
    "coreldraw",
    "affinity",
    "canva",
    "infix",
    "pdffiller",
    "dochub",
    "nitro",
    "master pdf editor",
    "libreoffice draw",
    "pdf candy",
    "smallpdf editor",
    "paint.net",
];

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let properties = subject.document.all_properties();
    if subject.document.structure().is_none() {
        return Report::not_applicable(CODE, "Only a PDF says how it was made; pictures are checked for editors.");
    }
    if properties.is_empty() {
        return Report::valid(CODE, "The file says nothing about its making.");
    }
    let received = i64::try_from(subject.document.received_at()).unwrap_or(i64::MAX);
    let mut signs = editors(&properties);
    signs.extend(dates(&properties, received));
    signs.extend(contradictions(&properties));
    Report::of(signs, CODE, "Programs and dates are plausible, and agree with each other.")
}

fn last<'p>(properties: &'p [Property], source: PropertySource, names: &[&str]) -> Option<&'p Property> {
    properties.iter().rev().find(|property| {
        // XMP names may have their prefix or not.
        let name = property.name.rsplit(':').next().unwrap_or(&property.name);
        property.source == source && names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name))
    })
}

fn editors(properties: &[Property]) -> Vec<(u8, Finding)> {
    let programs = properties.iter().filter(|property| {
        let name = property.name.to_lowercase();
        ["producer", "creator", "creatortool", "softwareagent", "software"].iter().any(|end| name.ends_with(end))
    });
    programs
        .filter_map(|property| {
            let value = property.value.to_lowercase();
            let editor = EDITORS.iter().find(|editor| value.contains(*editor))?;
            Some((
                15,
                found("EDITOR", format!("The file was written by an editor (\"{editor}\" in {}).", property.name)),
            ))
        })
        .take(1)
        .collect()
}

fn dates(properties: &[Property], received: i64) -> Vec<(u8, Finding)> {
    let time = |names: &[&str]| last(properties, PropertySource::PdfInfo, names).and_then(|property| property.time);
    let (created, modified) = (time(&["CreationDate"]), time(&["ModDate"]));
    let mut signs = Vec::new();
    if let (Some(created), Some(modified)) = (created, modified) {
        // A date without an offset may be 14 hours off.
        if modified < created - DAY {
            signs.push((20, found("MODIFIED_BEFORE_CREATED", "The file says it was changed before it was made.")));
        } else if modified > created + DAY {
            signs.push((65, found("MODIFIED_LATER", "The file was changed a day or more after it was made.")));
        }
    }
    if created.into_iter().chain(modified).any(|time| time > received.saturating_add(2 * DAY)) {
        signs.push((25, found("MADE_IN_FUTURE", "The file says it was made after it was received.")));
    }
    signs
}

/// The information dictionary and XMP are written by one program at one time, unless another one changed only the first.
fn contradictions(properties: &[Property]) -> Vec<(u8, Finding)> {
    let info = |names: &[&str]| last(properties, PropertySource::PdfInfo, names);
    let xmp = |names: &[&str]| last(properties, PropertySource::Xmp, names);
    let same = |left: &str, right: &str| left.trim().eq_ignore_ascii_case(right.trim());
    let producers =
        info(&["Producer"]).zip(xmp(&["Producer"])).is_some_and(|(info, xmp)| !same(&info.value, &xmp.value));
    let created = info(&["CreationDate"]).and_then(|info| info.time).zip(xmp(&["CreateDate"]).and_then(|xmp| xmp.time));
    let dates = created.is_some_and(|(info, xmp)| info.abs_diff(xmp) > DAY.unsigned_abs());
    let text = "The file's two metadata records name different";
    match (producers, dates) {
        (true, true) => vec![(20, found("CONTRADICTION", format!("{text} programs and days.")))],
        (true, false) => vec![(70, found("CONTRADICTION", format!("{text} programs.")))],
        (false, true) => vec![(50, found("CONTRADICTION", format!("{text} days.")))],
        (false, false) => Vec::new(),
    }
}
