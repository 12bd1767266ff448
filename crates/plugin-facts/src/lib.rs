//! Makes the input of plugins (`wit/`) from the facts of a file (`sealwright-facts`). Nothing is judged here, and the
//! same facts always give the same document, so that the input of a verdict can be reconstructed.
//!
//! The types are those of the plugins' SDK: the server passes them to components, and the judge to the plugins' native
//! code. `C` is how the caller holds a file's bytes.

mod attached;
mod image;
mod measures;
mod pages;
mod parts;
mod provenance;

use std::{collections::HashMap, sync::Arc};

use sealwright_base::clock::Timestamp;
use sealwright_domain::file_kind::FileKind;
use sealwright_facts::{
    Facts, Limited, Reading, UnreadableReason,
    model::{Compression, PlacedImage},
    ocr::{OcrState, PageLanguage},
    pdf::{Integrity as SignatureIntegrity, PdfFacts},
};
use sealwright_plugin_sdk::facts::{
    Action, Annotation, Attachment, Document, Encoding, Font, ForeignContent, FormField, Image, Integrity, Layer,
    MachineCode, Place, Placement, Property, PropertySource, Revision, Signature, Structure,
};

pub use self::image::of_file as image_of_file;
use self::parts::{LISTED, cut, millis, place, property};

/// A document as plugins receive it. `content` is its bytes, and `sha256` is their digest.
pub fn document<C: Clone + From<Vec<u8>>>(
    facts: &Facts,
    kind: FileKind,
    content: C,
    sha256: [u8; 32],
    received_at: Timestamp,
) -> Document<C> {
    let pdf = facts.pdf.as_ref();
    let (placements, images) = match &facts.image {
        Some(image) => whole_page(facts, image::of_file(image, Some(content.clone()))),
        None => pictures(facts),
    };
    Document {
        media_type: kind.media_type().to_owned(),
        content,
        sha256,
        received_at: received_at.as_millis().max(0).cast_unsigned(),
        omissions: omissions(facts),
        pages: facts.pages.iter().map(|page| pages::page(page, facts)).collect(),
        fonts: pdf.map(fonts).unwrap_or_default(),
        placements,
        images,
        machine_codes: machine_codes(facts),
        properties: pdf.map(properties).unwrap_or_default(),
        measures: pdf.map(measures::of_pdf).unwrap_or_default(),
        foreign_contents: facts.file.foreign_content.iter().take(LISTED).map(foreign_content).collect(),
        structure: pdf.map(structure),
        revisions: pdf.map(revisions).unwrap_or_default(),
        signatures: pdf.map(signatures).unwrap_or_default(),
        annotations: pdf.map(annotations).unwrap_or_default(),
        form_fields: pdf.map(form_fields).unwrap_or_default(),
        actions: pdf.map(actions).unwrap_or_default(),
        attachments: pdf.map(attachments).unwrap_or_default(),
        layers: pdf.map(layers).unwrap_or_default(),
        attached: pdf.map(attached::files).unwrap_or_default(),
        signed_codes: attached::codes(facts),
        provenance: pdf.and_then(|pdf| pdf.provenance.as_ref()).map(provenance::provenance),
    }
}

fn omissions(facts: &Facts) -> Vec<String> {
    let mut omissions = Vec::new();
    match &facts.reading {
        Reading::Complete => {}
        Reading::Partial { limits } => omissions.extend(limits.iter().map(|limit| left_out(*limit).to_owned())),
        Reading::Unreadable { reason } => omissions.push(format!("Nothing was read: {}.", unreadable(*reason))),
    }
    let pages = facts.ocr.unread.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let why = match facts.ocr.state {
        OcrState::NotNeeded | OcrState::Ran => "it could not be recognised",
        OcrState::Unavailable => "no text recognition is installed",
        OcrState::TimedOut => "recognising it took too long",
        OcrState::Failed => "text recognition failed",
    };
    if !pages.is_empty() {
        omissions.push(format!("The text in the pictures of these pages was not read, because {why}: {pages}."));
    }
    let foreign = facts.ocr.page_languages.iter().filter(|page| !page.covered);
    omissions.extend(foreign.take(LISTED).map(|PageLanguage { page, language, .. }| {
        format!("Page {page} seems to be in a language that text recognition does not read here: {language}.")
    }));
    omissions
}

const fn left_out(limit: Limited) -> &'static str {
    match limit {
        Limited::Pages => "Pages beyond the limit were not read.",
        Limited::TextRuns => "A page has more text than the limit; the rest was not read.",
        Limited::Shapes => "A page has more shapes than the limit; the rest was not read.",
        Limited::Images => "A page has more pictures than the limit; the rest was not read.",
        Limited::Objects => "There are more objects than the limit; the rest was not read.",
        Limited::Revisions => "There are more revisions than the limit; the rest was not read.",
        Limited::Annotations => "There are more annotations, fields or actions than the limit; the rest was not read.",
        Limited::Pixels => "A picture or page has more pixels than the limit; it was not looked at.",
        Limited::OcrPages => "There are more scanned pages than the limit; the text of the rest was not recognised.",
        Limited::Drawing => "A page could not be drawn whole; what is known of it may be incomplete.",
    }
}

const fn unreadable(reason: UnreadableReason) -> &'static str {
    match reason {
        UnreadableReason::UnknownKind => "the file is of no known kind",
        UnreadableReason::Malformed => "the file is damaged",
        UnreadableReason::Encrypted => "a password is needed",
        UnreadableReason::FileTooLarge => "the file is larger than the limit",
        UnreadableReason::UnpacksTooLarge => "the file unpacks to more than the limit",
        UnreadableReason::TooManyObjects => "the file has more objects than the limit",
        UnreadableReason::TooManyPixels => "the picture has more pixels than the limit",
        UnreadableReason::OutOfTime => "reading it took longer than the limit",
        UnreadableReason::OutOfMemory => "reading it took more memory than the limit",
        UnreadableReason::ReaderFailed => "the reader failed",
    }
}

fn whole_page<C>(facts: &Facts, image: Image<C>) -> (Vec<Placement>, Vec<Arc<Image<C>>>) {
    let placements = facts.pages.iter().take(1).map(|page| Placement {
        place: Place { page: page.number, area: None },
        image: 0,
        order: 0,
    });
    (placements.collect(), vec![Arc::new(image)])
}

/// The pictures of a PDF, each once however often it is shown, in the order of their first use.
fn pictures<C>(facts: &Facts) -> (Vec<Placement>, Vec<Arc<Image<C>>>) {
    let (mut placements, mut images) = (Vec::new(), Vec::new());
    let mut known: HashMap<(&str, u32), u32> = HashMap::new();
    for page in &facts.pages {
        for shown in &page.images {
            let next = u32::try_from(images.len()).unwrap_or(u32::MAX);
            let index = *known.entry((&shown.sha256, shown.object)).or_insert_with(|| {
                images.push(Arc::new(placed(shown)));
                next
            });
            placements.push(Placement { place: place(page.number, shown.area), image: index, order: shown.order });
        }
    }
    (placements, images)
}

/// A picture inside a PDF. Its own bytes stay in the document.
fn placed<C>(shown: &PlacedImage) -> Image<C> {
    let format = match shown.compression {
        Compression::Jpeg => "jpeg",
        Compression::Jpeg2000 => "jpeg2000",
        Compression::Jbig2 => "jbig2",
        Compression::CcittFax => "ccitt",
        Compression::None | Compression::Lossless | Compression::RunLength => "raw",
    };
    let jpeg = shown.jpeg.as_ref();
    let encoding = Encoding {
        format: format.to_owned(),
        width: shown.width,
        height: shown.height,
        channels: jpeg.map_or(0, |jpeg| jpeg.components),
        bits: u8::from(shown.stencil),
    };
    // A picture that was examined like a separate file has all the facts of one.
    if let Some(picture) = &shown.picture {
        return Image { encoding: Some(encoding), ..image::of_file(picture, None) };
    }
    Image {
        encoding: Some(encoding),
        content: None,
        properties: Vec::new(),
        capture: None,
        measures: jpeg.map(image::measures_of_jpeg).unwrap_or_default(),
        editor_traces: Vec::new(),
        segments: jpeg.map(image::segments_of_jpeg).unwrap_or_default(),
        overview: None,
        detail: None,
        provenance: None,
    }
}

fn machine_codes(facts: &Facts) -> Vec<MachineCode> {
    let zones = facts.mrz.iter().map(|zone| MachineCode {
        kind: "mrz".to_owned(),
        text: zone.lines.join("\n"),
        place: place(zone.page, zone.area),
        confidence: zone.confidence.unwrap_or(100),
    });
    let codes = facts.barcodes.iter().map(|code| MachineCode {
        kind: code.kind.clone(),
        text: code.text.clone(),
        place: place(code.page, code.area),
        confidence: 100,
    });
    zones.chain(codes).take(LISTED).collect()
}

fn fonts(pdf: &PdfFacts) -> Vec<Font> {
    let font = |font: &sealwright_facts::pdf::Font| Font {
        name: cut(&font.name),
        subset: font.subset_tag.clone(),
        kind: font.kind.clone(),
        embedded: font.embedded,
        explained: font.to_unicode,
        revision: font.revision,
        pages: font.pages.iter().copied().take(LISTED).collect(),
    };
    pdf.fonts.iter().map(font).collect()
}

/// The properties of older revisions come before those of the last one.
fn properties(pdf: &PdfFacts) -> Vec<Property> {
    let mut properties = Vec::new();
    let mut add = |source, name: &str, value: Option<&String>, revision| {
        if let Some(value) = value {
            properties.push(property(source, name, value, revision));
        }
    };
    let information = &pdf.information;
    let last = pdf.revisions.iter().rev().find(|revision| revision.producer.is_some() || revision.modified.is_some());
    for revision in &pdf.revisions {
        if last.is_some_and(|last| last.number == revision.number) {
            continue;
        }
        let number = Some(revision.number);
        add(PropertySource::PdfInfo, "Producer", revision.producer.as_ref(), number);
        add(PropertySource::PdfInfo, "ModDate", revision.modified.as_ref(), number);
    }
    let number = last.map(|last| last.number);
    for (name, value) in [
        ("Title", &information.title),
        ("Author", &information.author),
        ("Creator", &information.creator),
        ("Producer", &information.producer),
        ("CreationDate", &information.created),
        ("ModDate", &information.modified),
    ] {
        add(PropertySource::PdfInfo, name, value.as_ref(), number);
    }
    if let Some(xmp) = &pdf.xmp {
        properties.extend(image::properties_of_xmp(xmp));
    }
    properties
}

fn foreign_content(foreign: &sealwright_facts::model::ForeignContent) -> ForeignContent {
    ForeignContent { kind: foreign.kind.clone(), offset: foreign.offset, length: foreign.length }
}

fn structure(pdf: &PdfFacts) -> Structure {
    Structure {
        version: pdf.version.clone(),
        objects: pdf.object_count,
        encrypted: pdf.encrypted,
        linearised: pdf.linearized,
        bytes_before: pdf.bytes_before_start,
        bytes_behind: pdf.bytes_behind_end,
        identifier: pdf.identifier.clone(),
    }
}

fn revisions(pdf: &PdfFacts) -> Vec<Revision> {
    let revision = |revision: &sealwright_facts::pdf::Revision| {
        let is_oldest = revision.number <= 1;
        let pages = revision.changed_pages.iter().copied().take(LISTED);
        Revision {
            start: revision.start,
            end: revision.end,
            objects: revision.object_count,
            replaced: u32::try_from(revision.changed_objects.len()).unwrap_or(u32::MAX),
            kinds: revision.kinds.clone(),
            pages: if is_oldest { Vec::new() } else { pages.collect() },
        }
    };
    pdf.revisions.iter().map(revision).collect()
}

/// Whether a signature matches the bytes, not whose it is.
fn signatures(pdf: &PdfFacts) -> Vec<Signature> {
    let signature = |signature: &sealwright_facts::pdf::Signature| Signature {
        field: cut(&signature.field),
        signer: signature.name.as_deref().map(cut),
        sub_filter: signature.sub_filter.clone().unwrap_or_default(),
        time: signature.signed_at.as_deref().and_then(millis),
        integrity: match signature.integrity {
            SignatureIntegrity::Intact => Integrity::Intact,
            SignatureIntegrity::Broken => Integrity::Broken,
            SignatureIntegrity::Unknown => Integrity::Unknown,
        },
        covers_file: signature.covers_whole_file,
        covered_until: signature.covered_until,
        revision: signature.revision,
        permission: signature.permission,
    };
    pdf.signatures.iter().take(LISTED).map(signature).collect()
}

fn annotations(pdf: &PdfFacts) -> Vec<Annotation> {
    let annotation = |annotation: &sealwright_facts::pdf::Annotation| Annotation {
        place: place(annotation.page, annotation.area),
        kind: annotation.kind.clone(),
        text: annotation.contents.as_deref().map(cut).unwrap_or_default(),
        modified: annotation.modified.as_deref().and_then(millis),
        hidden: annotation.hidden,
        has_appearance: annotation.has_appearance,
    };
    pdf.annotations.iter().map(annotation).collect()
}

fn form_fields(pdf: &PdfFacts) -> Vec<FormField> {
    let field = |field: &sealwright_facts::pdf::FormField| FormField {
        name: cut(&field.name),
        kind: field.kind.clone(),
        value: field.value.as_deref().map(cut),
    };
    pdf.form_fields.iter().map(field).collect()
}

fn actions(pdf: &PdfFacts) -> Vec<Action> {
    let action = |action: &sealwright_facts::pdf::Action| Action {
        kind: action.kind.clone(),
        origin: cut(&action.place),
        target: action.target.as_deref().map(cut),
    };
    pdf.actions.iter().map(action).collect()
}

fn attachments(pdf: &PdfFacts) -> Vec<Attachment> {
    let attachment =
        |file: &sealwright_facts::pdf::EmbeddedFile| Attachment { name: cut(&file.name), size: file.stored_size };
    pdf.embedded_files.iter().map(attachment).collect()
}

fn layers(pdf: &PdfFacts) -> Vec<Layer> {
    let layer = |layer: &sealwright_facts::pdf::Layer| Layer { name: cut(&layer.name), visible: layer.visible };
    pdf.layers.iter().map(layer).collect()
}

#[cfg(test)]
mod tests;
