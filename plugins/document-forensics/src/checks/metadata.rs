//! A file's metadata about its creation: the programs and the times.

use sealwright_plugin_sdk::{
    facts::{Property, PropertySource},
    findings::found,
};

use crate::{
    checks::lateness::late,
    report::{Report, Sign, sign},
    subject::Subject,
};

const CODE: &str = "METADATA";
const DAY: i64 = 86_400_000;

/// Programs that change the content of a finished PDF. Programs that only join, compress or sign are not listed:
/// everyone uses those.
const EDITORS: [&str; 15] = [
    "pdfescape",
    "sejda",
    "phantompdf",
    "foxit pdf editor",
    "pdf-xchange editor",
    "pdfelement",
    "infix",
    "pdffiller",
    "dochub",
    "nitro",
    "master pdf editor",
    "libreoffice draw",
    "pdf candy",
    "smallpdf editor",
    "xodo",
];
/// Programs for designing pages and pictures. Papers are designed with them, so they mean something only if another
/// program says that it made the document.
const DESIGN: [&str; 12] = [
    "photoshop",
    "gimp",
    "illustrator",
    "inkscape",
    "coreldraw",
    "corel pdf",
    "affinity",
    "canva",
    "paint.net",
    "indesign",
    "scribus",
    "figma",
];

pub(crate) fn check(subject: &Subject<'_>) -> Report {
    let properties = subject.document.all_properties();
    if subject.document.structure().is_none() {
        return Report::not_applicable(CODE, "Only a PDF says how it was made; pictures are checked for editors.");
    }
    if properties.is_empty() {
        return Report::valid(CODE, "The file does not say how it was made.");
    }
    let received = i64::try_from(subject.document.received_at()).unwrap_or(i64::MAX);
    let mut signs: Vec<Sign> = editor(&properties).into_iter().collect();
    signs.extend(dates(&properties, received));
    signs.extend(contradiction(&properties));
    signs.extend(written_again(&properties));
    signs.extend(painted_later(&properties, &signs));
    signs.extend(late(subject, &properties));
    // Each alone is ordinary. A program for editing and times that contradict each other are not.
    let has = |codes: &[&str]| signs.iter().any(|sign| codes.contains(&sign.finding.code.as_str()));
    if has(&["EDITOR"]) && has(&["MODIFIED_BEFORE_CREATED", "MODIFIED_LATER", "CONTRADICTION", "MADE_IN_FUTURE"])
        || has(&["WRITTEN_AGAIN"]) && has(&["MODIFIED_BEFORE_CREATED", "CONTRADICTION", "MADE_IN_FUTURE"])
    {
        for sign in &mut signs {
            sign.decibans = sign.decibans.max(18.0);
        }
    }
    Report::of(signs, CODE, "Programs and dates are plausible, and agree with each other.")
}

fn last<'p>(properties: &'p [Property], source: PropertySource, names: &[&str]) -> Option<&'p Property> {
    properties.iter().rev().find(|property| {
        // XMP names may have their prefix or not.
        let name = property.name.rsplit(':').next().unwrap_or(&property.name);
        property.source == source && names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name))
    })
}

/// An editor, or a design program in a document that another program says it made.
fn editor(properties: &[Property]) -> Option<Sign> {
    let programs: Vec<(&Property, String)> = properties
        .iter()
        .filter(|property| {
            let name = property.name.to_lowercase();
            ["producer", "creator", "creatortool", "softwareagent", "software"].iter().any(|end| name.ends_with(end))
        })
        .map(|property| (property, property.value.to_lowercase()))
        .filter(|(_, value)| !value.trim().is_empty())
        .collect();
    let named = |list: &[&'static str], value: &str| list.iter().copied().find(|program| value.contains(program));
    let say = |decibans: f64, program: &str, name: &str| {
        sign(decibans, found("EDITOR", format!("The file was written by an editor (\"{program}\" in {name}).")))
    };
    if let Some((editor, property)) =
        programs.iter().find_map(|(property, value)| Some((named(&EDITORS, value)?, property)))
    {
        return Some(say(17.0, editor, &property.name));
    }
    let (design, property) = programs.iter().find_map(|(property, value)| Some((named(&DESIGN, value)?, property)))?;
    // A suite names its parts: "Adobe Illustrator 28.0" and "Adobe PDF library 17.00" are one program.
    let of_suite = |value: &str| {
        named(&DESIGN, value).is_some()
            || ["adobe", "corel", "cairo", "skia", "macos", "mac os", "quartz"].iter().any(|word| value.contains(word))
    };
    let is_producer = property.name.to_lowercase().ends_with("producer");
    let other = programs.iter().any(|(_, value)| !of_suite(value));
    // People open papers in such a program to print or to turn them.
    (is_producer && other).then(|| say(9.0, design, &property.name))
}

/// A file of a business program that a library of design programs wrote again later. Office programs use that library
/// too.
fn written_again(properties: &[Property]) -> Option<Sign> {
    let info = |names: &[&str]| last(properties, PropertySource::PdfInfo, names);
    let creator = info(&["Creator"])?.value.to_lowercase();
    let producer = info(&["Producer"])?.value.to_lowercase();
    let later = info(&["ModDate"])?.time? > info(&["CreationDate"])?.time?.saturating_add(DAY);
    let is_own = ["adobe", "acrobat", "microsoft", "word", "excel", "powerpoint", "quark", "pdfmaker", "publisher"]
        .iter()
        .any(|word| creator.contains(word))
        || DESIGN.iter().any(|word| creator.contains(word));
    let is_library = producer.contains("adobe pdf library") || producer.contains("acrobat");
    let text = "Another program wrote the file again, a day or more after it was made.";
    (later && is_library && !is_own && !creator.trim().is_empty()).then(|| sign(9.0, found("WRITTEN_AGAIN", text)))
}

/// A program for pictures that saved a file again later. Designers use the other programs, and their files grow for days.
fn painted_later(properties: &[Property], signs: &[Sign]) -> Option<Sign> {
    let is_later = signs.iter().any(|sign| sign.finding.code == "MODIFIED_LATER");
    let is_picture_program = |property: &Property| {
        let value = property.value.to_lowercase();
        ["photoshop", "gimp", "paint.net"]
            .iter()
            .any(|program| value.starts_with(program) || value.contains(&format!("adobe {program}")))
    };
    let named = ["Producer", "Creator"].iter().filter_map(|name| last(properties, PropertySource::PdfInfo, &[name]));
    let text = "A program for pictures saved the file again, a day or more after it was made.";
    (is_later && named.into_iter().any(is_picture_program)).then(|| sign(11.0, found("PAINTED_LATER", text)))
}

fn dates(properties: &[Property], received: i64) -> Vec<Sign> {
    let mut signs = Vec::new();
    for source in [PropertySource::PdfInfo, PropertySource::Xmp] {
        let time = |names: &[&str]| last(properties, source, names).and_then(|property| property.time);
        let (created, modified) = (time(&["CreationDate", "CreateDate"]), time(&["ModDate", "ModifyDate"]));
        if let (Some(created), Some(modified)) = (created, modified) {
            // A date without an offset may be 14 hours off.
            if modified < created - DAY {
                let text = "The file says it was changed before it was made.";
                // Programs that compress a file set only one of the two.
                signs.push(sign(10.0, found("MODIFIED_BEFORE_CREATED", text)));
            } else if modified > created + DAY {
                let text = "The file was changed a day or more after it was made.";
                signs.push(sign(2.0, found("MODIFIED_LATER", text)));
            }
        }
        if created.into_iter().chain(modified).any(|time| time > received.saturating_add(2 * DAY)) {
            // The clock of a computer may be wrong.
            signs.push(sign(8.0, found("MADE_IN_FUTURE", "The file says it was made after it was received.")));
        }
    }
    signs
}

/// The information dictionary and XMP are written by one program at one time, unless another one changed only one.
fn contradiction(properties: &[Property]) -> Option<Sign> {
    let info = |names: &[&str]| last(properties, PropertySource::PdfInfo, names);
    let xmp = |names: &[&str]| last(properties, PropertySource::Xmp, names);
    // "; modified using …" is added to a name.
    let same = |left: &str, right: &str| {
        let (left, right) = (left.trim().to_lowercase(), right.trim().to_lowercase());
        left.starts_with(&right) || right.starts_with(&left)
    };
    let differ = |pair: Option<(&Property, &Property)>| pair.is_some_and(|(info, xmp)| !same(&info.value, &xmp.value));
    let producers = differ(info(&["Producer"]).zip(xmp(&["Producer"])));
    let creators = differ(info(&["Creator"]).zip(xmp(&["CreatorTool"])));
    let apart = |info: Option<&Property>, xmp: Option<&Property>| {
        let times = info.and_then(|info| info.time).zip(xmp.and_then(|xmp| xmp.time));
        times.is_some_and(|(info, xmp)| info.abs_diff(xmp) > DAY.unsigned_abs())
    };
    let created = apart(info(&["CreationDate"]), xmp(&["CreateDate"]));
    let modified = apart(info(&["ModDate"]), xmp(&["ModifyDate"]));
    let decibans = [(producers, 6.0), (creators, 7.0), (created, 10.0), (modified, 2.0)]
        .iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, decibans)| decibans)
        .sum::<f64>();
    let what = match (producers || creators, created || modified) {
        (true, true) => "programs and days",
        (true, false) => "programs",
        (false, true) => "days",
        (false, false) => return None,
    };
    let text = format!("The file's two metadata records name different {what}.");
    Some(sign(decibans.min(20.0), found("CONTRADICTION", text)))
}
