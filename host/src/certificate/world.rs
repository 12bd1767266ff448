//! The world that Typst sees while it makes a certificate: the template's files and fonts, the data of one certificate,
//! and nothing else. No packages, no file system, no clock.

use std::{collections::HashMap, path::Path};

use anyhow::{Context, ensure};
use typst::{
    Library, LibraryExt, World, WorldExt,
    diag::{FileError, FileResult, SourceDiagnostic},
    foundations::{Bytes, Datetime, Duration},
    syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot},
    text::{Font, FontBook},
    utils::LazyHash,
};

use super::template::{MAIN_FILE, Template};

/// The file that Typst starts from. It is ours rather than the template's, so that no template can leave out the seal
/// manifest or what else is attached.
const ENTRY_FILE: &str = "certificate-entry.typ";
const ENTRY: &str = r#"#include "/main.typ"
#for file in json("/attachments.json") {
  pdf.attach(
    file.name,
    read(file.source, encoding: none),
    relationship: file.relationship,
    mime-type: file.media_type,
    description: file.description,
  )
}
"#;

/// A template that is parsed and ready to be used for many certificates.
pub(super) struct LoadedTemplate {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    sources: HashMap<FileId, Source>,
    files: HashMap<FileId, Bytes>,
    entry: FileId,
}

impl LoadedTemplate {
    /// Parses the template's files and fonts. Errors in its Typst code show when it is first used.
    pub(super) fn new(template: Template) -> anyhow::Result<Self> {
        let fonts: Vec<Font> = template.fonts.into_iter().flat_map(Font::iter).collect();
        ensure!(!fonts.is_empty(), "the certificate template has no usable font");

        let entry = file_id(ENTRY_FILE)?;
        let mut sources = HashMap::from([(entry, Source::new(entry, ENTRY.to_owned()))]);
        let mut files = HashMap::new();
        for (path, content) in template.files {
            let id = file_id(&path)?;
            if Path::new(&path).extension().is_some_and(|extension| extension == "typ") {
                let text = content.as_str().ok().with_context(|| format!("{path} is not UTF-8"))?;
                sources.insert(id, Source::new(id, text.to_owned()));
            }
            files.insert(id, content);
        }
        ensure!(sources.contains_key(&file_id(MAIN_FILE)?), "the certificate template has no {MAIN_FILE}");

        Ok(Self {
            library: LazyHash::new(Library::default()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            sources,
            files,
            entry,
        })
    }

    pub(super) fn fonts(&self) -> &[Font] {
        &self.fonts
    }

    /// The names of the font families, in the order of the files.
    pub(super) fn font_families(&self) -> Vec<&str> {
        let mut families: Vec<&str> = Vec::new();
        for font in &self.fonts {
            let family = font.info().family.as_str();
            if !families.contains(&family) {
                families.push(family);
            }
        }
        families
    }
}

/// The identifier of `path` in a template. Typst keeps every path it ever saw and panics at 65,535 of them, so the paths
/// of a certificate's own files must be the same few for every certificate.
pub(super) fn file_id(path: &str) -> anyhow::Result<FileId> {
    let virtual_path = VirtualPath::new(format!("/{path}")).with_context(|| format!("{path} is no usable path"))?;
    Ok(RootedPath::new(VirtualRoot::Project, virtual_path).intern())
}

/// A template together with one certificate's files.
pub(super) struct CertificateWorld<'a> {
    pub(super) template: &'a LoadedTemplate,
    /// Found before the template's own files.
    pub(super) files: HashMap<FileId, Bytes>,
}

impl World for CertificateWorld<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.template.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.template.book
    }

    fn main(&self) -> FileId {
        self.template.entry
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        self.template.sources.get(&id).cloned().ok_or_else(|| not_found(id))
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        self.files.get(&id).or_else(|| self.template.files.get(&id)).cloned().ok_or_else(|| not_found(id))
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.template.fonts.get(index).cloned()
    }

    /// A certificate has the times it is given. One that asked for today would differ each time it is made.
    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}

impl CertificateWorld<'_> {
    /// A message of Typst's as `items.typ:12: unknown variable`.
    pub(super) fn describe(&self, diagnostic: &SourceDiagnostic) -> String {
        let place = diagnostic.span.id().and_then(|id| {
            let source = self.source(id).ok()?;
            let line = source.lines().byte_to_line(self.range(diagnostic.span)?.start)? + 1;
            Some(format!("{}:{line}: ", id.get().vpath().get_without_slash()))
        });
        let mut description = format!("{}{}", place.unwrap_or_default(), diagnostic.message);
        for hint in &diagnostic.hints {
            description.push_str("; hint: ");
            description.push_str(&hint.v);
        }
        description
    }
}

fn not_found(id: FileId) -> FileError {
    FileError::NotFound(id.get().vpath().get_without_slash().into())
}
