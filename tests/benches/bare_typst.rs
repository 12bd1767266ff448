//! Typst's compiler on a certificate's files with nothing around it: the minimal cost of rendering.

use std::{collections::HashMap, fs, path::Path, time::Instant};

use anyhow::{Context as _, anyhow, ensure};
use bytes::Bytes;
use typst::{
    Library, LibraryExt, World,
    diag::{FileError, FileResult},
    foundations::{Bytes as TypstBytes, Datetime, Duration, Smart},
    syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot},
    text::{Font, FontBook},
    utils::LazyHash,
};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use crate::load::milliseconds;

/// The entry file (`CertificateRenderer::typst_files`).
pub(crate) const MAIN: &str = "certificate-entry.typ";

/// One certificate's files.
pub(crate) struct OneCertificate {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    main: FileId,
    sources: HashMap<FileId, Source>,
    files: HashMap<FileId, TypstBytes>,
}

impl OneCertificate {
    pub(crate) fn new(files: Vec<(String, Bytes)>) -> anyhow::Result<Self> {
        let (fonts, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|(path, _)| path.starts_with("fonts/"));
        let fonts: Vec<Font> =
            fonts.into_iter().flat_map(|(_, font)| Font::iter(TypstBytes::new(font)).collect::<Vec<_>>()).collect();
        let mut world = Self {
            library: LazyHash::new(Library::default()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            main: identifier(MAIN)?,
            sources: HashMap::new(),
            files: HashMap::new(),
        };
        for (path, file) in files {
            let id = identifier(&path)?;
            if Path::new(&path).extension().is_some_and(|extension| extension == "typ") {
                world.sources.insert(id, Source::new(id, String::from_utf8(file.to_vec())?));
            }
            world.files.insert(id, TypstBytes::new(file));
        }
        Ok(world)
    }

    /// Replaces the files that differ from one certificate to the next.
    pub(crate) fn replace(&mut self, files: Vec<(String, Bytes)>) -> anyhow::Result<()> {
        for (path, file) in files {
            if !path.starts_with("fonts/") {
                self.files.insert(identifier(&path)?, TypstBytes::new(file));
            }
        }
        Ok(())
    }

    /// Makes the PDF and returns how long it took, in milliseconds.
    pub(crate) fn compile(&self) -> anyhow::Result<f64> {
        let start = Instant::now();
        let document = typst::compile::<PagedDocument>(self).output;
        let document = document.map_err(|errors| anyhow!("Typst does not compile it: {errors:?}"))?;
        let options = PdfOptions {
            timestamp: Datetime::from_ymd_hms(2026, 11, 20, 12, 0, 0).map(typst_pdf::Timestamp::new_utc),
            ident: Smart::Custom("bare".to_owned()),
            standards: PdfStandards::new(&[PdfStandard::A_3b]).map_err(|error| anyhow!("{}", error.message()))?,
            ..PdfOptions::default()
        };
        let pdf = typst_pdf::pdf(&document, &options).map_err(|errors| anyhow!("no PDF/A: {errors:?}"))?;
        ensure!(pdf.starts_with(b"%PDF-"), "Typst made no PDF");
        comemo::evict(1);
        Ok(milliseconds(start.elapsed()))
    }
}

/// Writes the files below a folder, so that a program can compile them.
pub(crate) fn lay_out(folder: &Path, files: Vec<(String, Bytes)>) -> anyhow::Result<()> {
    for (path, file) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
        fs::write(path, file)?;
    }
    Ok(())
}

fn identifier(path: &str) -> anyhow::Result<FileId> {
    let path = VirtualPath::new(format!("/{path}")).map_err(|error| anyhow!("{path}: {error:?}"))?;
    Ok(RootedPath::new(VirtualRoot::Project, path).intern())
}

impl World for OneCertificate {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        self.sources.get(&id).cloned().ok_or_else(|| FileError::NotFound(Path::new("a source").into()))
    }

    fn file(&self, id: FileId) -> FileResult<TypstBytes> {
        self.files.get(&id).cloned().ok_or_else(|| FileError::NotFound(Path::new("a file").into()))
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.get(index).cloned()
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}
