//! What a PDF file's catalog and pages contain in addition to content: annotations, forms, signatures, actions,
//! attachments, layers.

use std::collections::BTreeSet;

use hayro::hayro_syntax::{
    Pdf,
    object::{Array, Dict, Object, Rect, Stream, String as PdfString},
    page::Page,
};

use sealwright_seal::pades::Fit;

use super::{
    embedded::{self, Room},
    geometry,
    model::{Action, Annotation, FormField, Integrity, Layer, PdfFacts, Signature},
    names::{file_name, name},
    value,
};
use crate::{
    Limits,
    model::{Area, Limited},
    text::one_line,
    xmp,
};

const MAX_DEPTH: u32 = 24;
/// The most parts of a signature's byte range; two are usual, and each is hashed.
const MAX_PARTS: usize = 4;
/// The most nodes of a name tree.
const MAX_NODES: u32 = 5_000;

/// Reads into `facts`; returns the limits that were reached.
pub(super) fn read(file: &[u8], pdf: &Pdf, limits: &Limits, facts: &mut PdfFacts) -> BTreeSet<Limited> {
    let mut reader =
        Reader { file, limits, facts, seen: BTreeSet::new(), limited: BTreeSet::new(), nodes: 0, room: Room::new() };
    for (number, page) in (1..).zip(pdf.pages().iter().take(limits.max_pages as usize)) {
        reader.page(number, page);
    }
    if let Some(catalog) = pdf.xref().get::<Dict>(pdf.xref().root_id()) {
        reader.catalog(&catalog);
    }
    reader.limited
}

struct Reader<'r> {
    file: &'r [u8],
    limits: &'r Limits,
    facts: &'r mut PdfFacts,
    /// Objects of trees that were visited.
    seen: BTreeSet<i32>,
    limited: BTreeSet<Limited>,
    nodes: u32,
    /// For the bytes of attached files.
    room: Room,
}

impl Reader<'_> {
    fn text_entry(&self, dictionary: &Dict, key: &str) -> Option<String> {
        let text = dictionary.get::<PdfString>(key)?;
        one_line(&value::text(&text), self.limits.max_text_length as usize)
    }

    fn is_full(&mut self, length: usize) -> bool {
        let is_full = length >= self.limits.max_listed as usize;
        if is_full {
            self.limited.insert(Limited::Annotations);
        }
        is_full
    }

    fn page(&mut self, number: u32, page: &Page) {
        self.additional_actions(page.raw(), &format!("page {number}"));
        let Some(annotations) = page.raw().get::<Array>("Annots") else { return };
        for annotation in annotations.iter::<Dict>() {
            if self.is_full(self.facts.annotations.len()) {
                return;
            }
            self.annotation(number, page, &annotation);
        }
    }

    fn annotation(&mut self, page: u32, on: &Page, annotation: &Dict) {
        let flags = annotation.get::<i32>("F").unwrap_or(0);
        let place = format!("annotation on page {page}");
        if let Some(action) = annotation.get::<Dict>("A") {
            self.action(&action, &place);
        }
        self.additional_actions(annotation, &place);
        if let Some(file) = annotation.get::<Dict>("FS") {
            self.embedded(&file);
        }
        let found = Annotation {
            page,
            kind: name(annotation, "Subtype").unwrap_or_default(),
            area: annotation.get::<Rect>("Rect").map_or_else(Area::default, |rect| geometry::to_page(on, rect)),
            contents: self.text_entry(annotation, "Contents"),
            modified: annotation.get::<PdfString>("M").and_then(|date| value::date(&date)),
            // Invisible, hidden or not to be viewed (ISO 32000-1, table 165).
            hidden: flags & 0b10_0011 != 0,
            has_appearance: annotation.get::<Dict>("AP").is_some_and(|appearance| appearance.contains_key("N")),
            object: annotation.obj_id().and_then(|id| u32::try_from(id.obj_number).ok()).unwrap_or(0),
        };
        self.facts.annotations.push(found);
    }

    fn catalog(&mut self, catalog: &Dict) {
        if let Some(metadata) = catalog.get::<Stream>("Metadata") {
            self.facts.xmp = metadata.decoded().ok().and_then(|packet| xmp::read(&packet));
        }
        if let Some(action) = catalog.get::<Dict>("OpenAction") {
            self.action(&action, "open");
        }
        self.additional_actions(catalog, "document");
        if let Some(names) = catalog.get::<Dict>("Names") {
            if let Some(scripts) = names.get::<Dict>("JavaScript") {
                self.tree(&scripts, 0, &mut |reader, entry| reader.action(&entry, "document"));
            }
            if let Some(files) = names.get::<Dict>("EmbeddedFiles") {
                self.tree(&files, 0, &mut |reader, entry| reader.embedded(&entry));
            }
        }
        if let Some(files) = catalog.get::<Array>("AF") {
            self.associated(&files);
        }
        if let Some(form) = catalog.get::<Dict>("AcroForm")
            && let Some(fields) = form.get::<Array>("Fields")
        {
            self.fields(&fields, "", None, 0);
        }
        if let Some(layers) = catalog.get::<Dict>("OCProperties") {
            self.layers(&layers);
        }
    }

    /// The values of a name tree (ISO 32000-1, 7.9.6).
    fn tree(&mut self, node: &Dict, depth: u32, found: &mut dyn FnMut(&mut Self, Dict)) {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return;
        }
        if let Some(names) = node.get::<Array>("Names") {
            for value in names.iter::<Object>().take(2 * self.limits.max_listed as usize) {
                if let Object::Dict(entry) = value {
                    found(self, entry);
                }
            }
        }
        if let Some(kids) = node.get::<Array>("Kids") {
            for kid in kids.iter::<Dict>() {
                self.tree(&kid, depth + 1, found);
            }
        }
    }

    fn additional_actions(&mut self, holder: &Dict, place: &str) {
        let Some(actions) = holder.get::<Dict>("AA") else { return };
        for key in actions.keys() {
            if let Some(action) = actions.get::<Dict>(&key) {
                self.action(&action, place);
            }
        }
    }

    fn action(&mut self, action: &Dict, place: &str) {
        let Some(kind) = name(action, "S") else { return };
        // Navigation within the document is not reported.
        if matches!(kind.as_str(), "GoTo" | "Named") || self.is_full(self.facts.actions.len()) {
            return;
        }
        let target = match action.get::<Object>("JS") {
            Some(Object::String(script)) => Some(value::text(&script)),
            Some(Object::Stream(script)) => script.decoded().ok().map(|script| value::text(&script)),
            _ => ["URI", "F", "D"].iter().find_map(|key| match action.get::<Object>(key)? {
                Object::String(target) => Some(value::text(&target)),
                Object::Dict(file) => file_name(&file),
                _ => None,
            }),
        };
        let target = target.and_then(|target| one_line(&target, self.limits.max_text_length as usize));
        self.facts.actions.push(Action { kind, place: place.to_owned(), target });
    }

    fn embedded(&mut self, file: &Dict) {
        if self.is_full(self.facts.embedded_files.len()) {
            return;
        }
        let Some(stream) = embedded::stream(file) else { return };
        self.seen.insert(stream.obj_id().obj_number);
        self.facts.embedded_files.push(embedded::read(file, &stream, &mut self.room));
    }

    /// Files that belong to the whole document (ISO 32000-2, 14.13), if they are not in the tree of names as well.
    fn associated(&mut self, files: &Array) {
        for file in files.iter::<Dict>().take(self.limits.max_listed as usize) {
            let is_new = embedded::stream(&file).is_some_and(|stream| !self.seen.contains(&stream.obj_id().obj_number));
            if is_new {
                self.embedded(&file);
            }
        }
    }

    fn fields(&mut self, fields: &Array, parent: &str, inherited: Option<&str>, depth: u32) {
        for field in fields.iter::<Dict>() {
            // A field that is its own child.
            let is_new = field.obj_id().is_none_or(|id| self.seen.insert(id.obj_number));
            if !is_new || depth > MAX_DEPTH || self.is_full(self.facts.form_fields.len()) {
                continue;
            }
            let own = self.text_entry(&field, "T");
            let full = match (&own, parent) {
                (Some(own), "") => own.clone(),
                (Some(own), parent) => format!("{parent}.{own}"),
                (None, parent) => parent.to_owned(),
            };
            let kind = name(&field, "FT").or_else(|| inherited.map(str::to_owned));
            self.additional_actions(&field, &format!("field {full}"));
            if let Some(action) = field.get::<Dict>("A") {
                self.action(&action, &format!("field {full}"));
            }
            // Kids without a name are appearances of the field itself.
            let kids = field.get::<Array>("Kids").filter(|kids| kids.iter::<Dict>().any(|kid| kid.contains_key("T")));
            if let Some(kids) = kids {
                self.fields(&kids, &full, kind.as_deref(), depth + 1);
                continue;
            }
            let kind = kind.unwrap_or_default();
            if kind == "Sig"
                && let Some(signature) = field.get::<Dict>("V")
            {
                self.signature(&full, &signature);
            }
            let value = match field.get::<Object>("V") {
                Some(Object::String(text)) => one_line(&value::text(&text), self.limits.max_text_length as usize),
                Some(Object::Name(name)) => one_line(name.as_str(), self.limits.max_text_length as usize),
                _ => None,
            };
            self.facts.form_fields.push(FormField { name: full, kind, value });
        }
    }

    fn signature(&mut self, field: &str, signature: &Dict) {
        if self.is_full(self.facts.signatures.len()) {
            return;
        }
        let numbers: Vec<u64> = signature
            .get::<Array>("ByteRange")
            .map(|range| {
                range.iter::<f64>().take(64).map(|number| crate::image::plane::scaled(number, 1.0).into()).collect()
            })
            .unwrap_or_default();
        let byte_range: Vec<(u64, u64)> =
            numbers.as_chunks::<2>().0.iter().map(|[offset, length]| (*offset, *length)).collect();
        let covered_until = byte_range.last().map_or(0, |(offset, length)| offset.saturating_add(*length));
        let revision = self.facts.revisions.iter().find(|revision| {
            // Some signers cover the line breaks after the end, others leave them out.
            revision.end.abs_diff(covered_until) <= 2
        });
        let found = Signature {
            field: field.to_owned(),
            sub_filter: name(signature, "SubFilter"),
            integrity: self.integrity(signature, &byte_range),
            covers_whole_file: covers(self.file, &byte_range),
            covered_until,
            revision: revision.map(|revision| revision.number),
            byte_range,
            name: self.text_entry(signature, "Name"),
            reason: self.text_entry(signature, "Reason"),
            signed_at: signature.get::<PdfString>("M").and_then(|date| value::date(&date)),
            permission: permission(signature),
        };
        self.facts.signatures.push(found);
    }

    fn integrity(&self, signature: &Dict, parts: &[(u64, u64)]) -> Integrity {
        let covered: Option<Vec<&[u8]>> = parts.iter().map(|part| part_of(self.file, *part)).collect();
        let (Some(covered), Some(contents)) = (covered, signature.get::<PdfString>("Contents")) else {
            return Integrity::Unknown;
        };
        if covered.is_empty()
            || covered.len() > MAX_PARTS
            || self.facts.signatures.len() >= self.limits.max_signatures as usize
        {
            return Integrity::Unknown;
        }
        match sealwright_seal::pades::fit(&contents, &covered) {
            Fit::Intact => Integrity::Intact,
            Fit::Broken => Integrity::Broken,
            Fit::Unknown => Integrity::Unknown,
        }
    }

    fn layers(&mut self, properties: &Dict) {
        let Some(groups) = properties.get::<Array>("OCGs") else { return };
        let configuration = properties.get::<Dict>("D");
        let named = |key: &str| -> BTreeSet<i32> {
            let list = configuration.as_ref().and_then(|configuration| configuration.get::<Array>(key));
            list.iter().flat_map(Array::raw_iter).filter_map(|entry| Some(entry.as_obj_ref()?.obj_number)).collect()
        };
        let all_off =
            configuration.as_ref().and_then(|configuration| name(configuration, "BaseState")).as_deref() == Some("OFF");
        let (on, off) = (named("ON"), named("OFF"));
        for group in groups.iter::<Dict>() {
            if self.is_full(self.facts.layers.len()) {
                return;
            }
            let number = group.obj_id().map(|id| id.obj_number);
            let is_in = |list: &BTreeSet<i32>| number.is_some_and(|number| list.contains(&number));
            let visible = if all_off { is_in(&on) } else { !is_in(&off) };
            let name = self.text_entry(&group, "Name").unwrap_or_default();
            self.facts.layers.push(Layer { name, visible });
        }
    }
}

/// The bytes from an offset on.
fn part_of(file: &[u8], (offset, length): (u64, u64)) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    file.get(start..start.checked_add(usize::try_from(length).ok()?)?)
}

/// Whether the parts start and end with the file, and leave out only one hexadecimal string.
fn covers(file: &[u8], parts: &[(u64, u64)]) -> bool {
    let [(0, first), (second, length)] = *parts else { return false };
    let gap = usize::try_from(first).ok().zip(usize::try_from(second).ok()).and_then(|(from, to)| file.get(from..to));
    let is_string = gap.is_some_and(|gap| {
        gap.len() >= 2
            && gap.starts_with(b"<")
            && gap.ends_with(b">")
            && gap[1..gap.len() - 1].iter().all(|byte| byte.is_ascii_hexdigit() || value::is_space(*byte))
    });
    is_string && second.saturating_add(length) == file.len() as u64
}

/// What a certification signature allows (ISO 32000-1, table 254).
fn permission(signature: &Dict) -> Option<u8> {
    let references = signature.get::<Array>("Reference")?;
    let certification = references
        .iter::<Dict>()
        .take(8)
        .find(|reference| name(reference, "TransformMethod").as_deref() == Some("DocMDP"))?;
    let level = certification.get::<Dict>("TransformParams").and_then(|parameters| parameters.get::<i32>("P"));
    u8::try_from(level.unwrap_or(2)).ok()
}
