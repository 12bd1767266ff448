//! The world that Typst sees while it renders a certificate: the template's files and fonts, the data of one
//! certificate, and nothing else. No packages, no file system, no clock.

use std::{collections::HashMap, path::Path, sync::Arc};

use anyhow::{Context, ensure};
use typst::{
    Library, LibraryExt, World,
    diag::{FileError, FileResult, PackageError},
    foundations::{Bytes, Datetime, Duration},
    syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot},
    text::{Font, FontBook},
    utils::LazyHash,
};

use super::{
    template::{MAIN_FILE, PATTERNS, PATTERNS_FILE, TOOLKIT, TOOLKIT_FILE, Template, built_in_fonts},
    text::Repertoire,
};

/// The file that Typst starts from. It is ours rather than the template's, so that no template can leave out the
/// attachments, which `attachments.json` lists.
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

/// The fonts of a template, and the characters that they cover. Loading them takes longer than all other files
/// together, so all versions of a template share them.
pub(super) struct Fonts {
    faces: Vec<Font>,
    book: LazyHash<FontBook>,
    repertoire: Repertoire,
}

impl Fonts {
    /// `own` font files, which are preferred, and the built-in ones.
    pub(super) fn new(own: &[Bytes]) -> anyhow::Result<Self> {
        let mut faces = Vec::new();
        for (number, file) in own.iter().enumerate() {
            let before = faces.len();
            faces.extend(Font::iter(file.clone()));
            ensure!(faces.len() > before, "font file no. {} of the template is not a font", number + 1);
        }
        faces.extend(built_in_fonts().flat_map(Font::iter));
        let repertoire = Repertoire::of(&faces);
        ensure!(repertoire.covers_ascii(), "none of the certificate template's fonts has all of ASCII");
        Ok(Self { book: LazyHash::new(FontBook::from_fonts(&faces)), faces, repertoire })
    }

    pub(super) fn repertoire(&self) -> &Repertoire {
        &self.repertoire
    }

    /// The font files, each once: a file can hold several faces.
    pub(super) fn files(&self) -> Vec<Bytes> {
        self.faces.iter().filter(|face| face.index() == 0).map(|face| face.data().clone()).collect()
    }

    /// The names of the font families, in the order of the files.
    pub(super) fn families(&self) -> Vec<&str> {
        let mut families: Vec<&str> = Vec::new();
        for font in &self.faces {
            let family = font.info().family.as_str();
            if !families.contains(&family) {
                families.push(family);
            }
        }
        families
    }
}

/// A template that is parsed and ready to be used for many certificates.
pub(super) struct LoadedTemplate {
    library: LazyHash<Library>,
    pub(super) fonts: Arc<Fonts>,
    sources: HashMap<FileId, Source>,
    files: HashMap<FileId, Bytes>,
    entry: FileId,
}

impl LoadedTemplate {
    /// Parses the template's files. Errors in its Typst code are reported when it is first used.
    pub(super) fn new(template: Template, fonts: Arc<Fonts>) -> anyhow::Result<Self> {
        let entry = file_id(ENTRY_FILE)?;
        let mut sources = HashMap::new();
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
        // Last, so that nothing replaces them.
        for (path, text) in [(ENTRY_FILE, ENTRY), (TOOLKIT_FILE, TOOLKIT), (PATTERNS_FILE, PATTERNS)] {
            let id = file_id(path)?;
            sources.insert(id, Source::new(id, text.to_owned()));
        }
        Ok(Self { library: LazyHash::new(Library::default()), fonts, sources, files, entry })
    }

    /// All files except those of a certificate.
    pub(super) fn files(&self) -> HashMap<FileId, Bytes> {
        let sources = self.sources.iter().map(|(id, source)| (*id, Bytes::from_string(source.clone())));
        self.files.iter().map(|(id, file)| (*id, file.clone())).chain(sources).collect()
    }
}

/// The identifier of `path` in a template. Typst keeps every path it ever saw and panics at 65,535 of them, so the paths
/// of a certificate's own files must be the same few for every certificate.
pub(super) fn file_id(path: &str) -> anyhow::Result<FileId> {
    let virtual_path = VirtualPath::new(format!("/{path}")).with_context(|| format!("{path} is not a usable path"))?;
    Ok(RootedPath::new(VirtualRoot::Project, virtual_path).intern())
}

/// A template together with one certificate's files.
pub(super) struct CertificateWorld<'a> {
    pub(super) template: &'a LoadedTemplate,
    /// They take precedence over the template's own files.
    pub(super) files: HashMap<FileId, Bytes>,
}

impl World for CertificateWorld<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.template.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.template.fonts.book
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
        self.template.fonts.faces.get(index).cloned()
    }

    /// None: a certificate contains only the times it is given, so that it is the same each time it is rendered.
    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn not_found(id: FileId) -> FileError {
    let reason = match id.get().root() {
        VirtualRoot::Project => return FileError::NotFound(id.get().vpath().get_without_slash().into()),
        VirtualRoot::Package(package) => {
            format!("a template cannot use packages; copy what it needs from {package} into its folder")
        }
    };
    FileError::Package(PackageError::Other(Some(reason.into())))
}
