//! What a file declares about its origin: gathers the texts that can be declarations, and reads content credentials
//! (`sealwright-provenance`).

use sealwright_provenance::{
    Container, Credentials, ManifestRelation, Mark, MarkKind, Metadata, Provenance, Texts, TrustList, credentials,
    marks,
};

use crate::xmp::Xmp;

/// What a picture's EXIF has for this.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExifDeclarations {
    /// Texts in which programs declare that they made the picture: their names, and what they say.
    pub(crate) texts: Vec<(&'static str, String)>,
    /// Whether there is a position whose numbers are all zero: telephones erase it in place before they share a photo.
    pub(crate) position_erased: bool,
}

/// What a file's metadata says: place, name and text of each declaration.
pub(crate) struct Declared<'t> {
    pub(crate) texts: Vec<(&'static str, &'t str, &'t str)>,
    metadata: Metadata,
}

impl<'t> Declared<'t> {
    pub(crate) fn of(exif: Option<&'t ExifDeclarations>, xmp: Option<&'t Xmp>) -> Self {
        let metadata = match exif {
            Some(exif) if exif.position_erased => Metadata::Erased,
            Some(_) => Metadata::Present,
            None if xmp.is_some() => Metadata::Present,
            None => Metadata::Absent,
        };
        let of_exif = exif.iter().flat_map(|exif| &exif.texts);
        let mut texts: Vec<_> = of_exif.map(|(name, text)| ("exif", *name, text.as_str())).collect();
        if let Some(xmp) = xmp {
            let fields = [
                ("DigitalSourceType", &xmp.digital_source_type),
                ("Credit", &xmp.credit),
                ("AISystemUsed", &xmp.model_used),
                ("AIGC", &xmp.chinese_label),
                ("CreatorTool", &xmp.creator_tool),
            ];
            texts.extend(fields.into_iter().filter_map(|(name, text)| Some(("xmp", name, text.as_deref()?))));
        }
        Self { texts, metadata }
    }
}

/// The provenance of a picture's file; `None` if it declares nothing.
pub(crate) fn of_file(file: &[u8], container: Container, declared: &Declared, trust: &TrustList) -> Option<Provenance> {
    let store = container.store(file);
    let credentials = store.map(|store| credentials(file, container, &store, declared.metadata, trust));
    with_marks(credentials, declared)
}

/// Adds the marks to the credentials.
pub(crate) fn with_marks(credentials: Option<Credentials>, declared: &Declared) -> Option<Provenance> {
    let mut texts = Texts::default();
    for (place, name, text) in &declared.texts {
        texts.add(place, name, text);
    }
    let mut all: Vec<Mark> = credentials.iter().flat_map(of_credentials).collect();
    all.extend(marks(&texts));
    let provenance = Provenance { credentials, marks: all };
    (!provenance.is_empty()).then_some(provenance)
}

/// What the actions in content credentials say about how the file was made, each statement once.
fn of_credentials(credentials: &Credentials) -> Vec<Mark> {
    let mut found: Vec<Mark> = Vec::new();
    for action in &credentials.actions {
        let Some(source) = &action.source_type else { continue };
        let is_component = action.manifest == ManifestRelation::Component;
        let is_origin = matches!(action.name.as_str(), "c2pa.created" | "c2pa.opened" | "c2pa.published");
        let kind = match MarkKind::of_source_type(source) {
            MarkKind::Other => continue,
            // Made by a model, but only a part of this file: a placed ingredient, or a step after its creation.
            MarkKind::Generated if is_component || !is_origin => MarkKind::PartlyGenerated,
            // How a part was made says nothing about the whole.
            _ if is_component => continue,
            kind => kind,
        };
        let origin = if is_component { "content credentials of an ingredient" } else { "content credentials" };
        let program = action.agent.clone().or_else(|| credentials.generator.clone());
        let text = format!("{}: {source}", action.name);
        let mark = Mark { kind, origin: origin.to_owned(), program, text };
        if !found.contains(&mark) {
            found.push(mark);
        }
    }
    found.truncate(16);
    found
}
