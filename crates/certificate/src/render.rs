//! Renders a certificate: data, photos and attachments in, the bytes of an unsigned PDF/A-3a and PDF/UA-1 out, or
//! PDF/A-3b from a template that is not accessible.
//!
//! The same input gives the same bytes. Signing and time-stamping take these bytes and append to them; nothing here
//! knows about either.

use std::{collections::HashMap, io, sync::Arc};

use bytes::Bytes;
use schemars::JsonSchema;
use sealwright_base::clock::Timestamp;
use sealwright_child_process::failure::Retry;
use serde::Serialize;
use serde_json::Value;
use typst::{diag::Warned, foundations::Bytes as TypstBytes, syntax::FileId};

use super::{
    attachment::{Attachment, MAX_ATTACHMENTS},
    data::CertificateData,
    export::{pictured, written},
    finding::Finding,
    layout::{Layouts, Shape, is_light},
    parts,
    picture::{self, Picture},
    share_code::share_code,
    template::Template,
    text::Repertoire,
    visible,
    world::{CertificateWorld, Fonts, LoadedTemplate, file_id},
};

/// How many photos one certificate can hold. Each has its own path in Typst's world, and Typst keeps 65,535 paths in all.
pub const MAX_PHOTOS: usize = 2000;

/// After how many renderings an unused result leaves Typst's cache. 1 keeps what all certificates share (mainly the
/// template) and drops the previous one's photos. Measured with 12 new photos each time: memory stays flat from the
/// third rendering on; with 0 it stays 90 MB lower, and a rendering takes nearly twice as long.
const CACHE_AGE: usize = 1;

/// Renders certificates from one template. Creating it takes a few milliseconds and megabytes: reuse it.
pub struct CertificateRenderer {
    template: LoadedTemplate,
    layouts: Layouts,
}

/// A certificate before it is signed.
#[derive(Debug)]
pub struct RenderedCertificate {
    /// PDF/A-3a or 3b with the attachments; or the pages as a PNG, from [`picture`](CertificateRenderer::picture).
    pub pdf: Vec<u8>,
    pub pages: usize,
    /// The photos (by their place in the input) that could not be decoded; the certificate says so at their items.
    pub unshown_photos: Vec<usize>,
    /// Typst's warnings about the template, for its designer.
    pub warnings: Vec<Finding>,
    /// Required parts that the certificate does not show ([`super::parts`]).
    pub missing: Vec<Finding>,
}

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("a certificate holds at most {MAX_PHOTOS} photos, not {0}")]
    TooManyPhotos(usize),
    #[error("a certificate holds at most {MAX_ATTACHMENTS} attachments, not {0}")]
    TooManyAttachments(usize),
    /// The template does not compile with this data.
    #[error("the certificate template cannot be compiled: {}", on_one_line(.0))]
    Template(Vec<Finding>),
    /// The document cannot be written as PDF/A-3b.
    #[error("the certificate cannot be written as PDF/A-3b: {}", on_one_line(.0))]
    Export(Vec<Finding>),
    /// The template exceeded its limit of time or memory ([`super::worker`]).
    #[error("the certificate template {0}")]
    Limit(String),
    /// Something outside ended the rendering process: a system short of memory, or a shutdown. The template is not the
    /// cause.
    #[error("the rendering process was killed from outside")]
    Killed(#[source] Retry),
    /// The machine has no process, descriptors or memory to spare.
    #[error("the rendering process cannot be started")]
    NotStarted(#[source] io::Error),
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

impl RenderError {
    /// Whether the machine failed, not the template or the data: a retry may succeed later.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Killed(_) | Self::NotStarted(_))
    }

    /// Whether a retry in another process may succeed at once.
    pub fn is_worth_another_process(&self) -> bool {
        matches!(self, Self::Killed(retry) if retry.cause().is_worth_another_child())
    }
}

fn on_one_line(findings: &[Finding]) -> String {
    findings.iter().map(Finding::on_one_line).collect::<Vec<_>>().join("; ")
}

impl CertificateRenderer {
    /// Loads a template. Errors in its Typst code are reported by the first rendering.
    pub fn new(template: Template) -> anyhow::Result<Self> {
        let fonts = Arc::new(Fonts::new(&template.fonts)?);
        Self::with_fonts(template, fonts)
    }

    /// Like [`new`](Self::new), with fonts that are already loaded.
    pub(super) fn with_fonts(template: Template, fonts: Arc<Fonts>) -> anyhow::Result<Self> {
        Ok(Self { template: LoadedTemplate::new(template, fonts)?, layouts: Layouts::default() })
    }

    /// Renders one certificate. Takes tens to hundreds of milliseconds of one processor: call it on a blocking thread,
    /// and on one at a time, because Typst's cache is global and a second thread only costs memory.
    ///
    /// `photos` are encoded by this program (`media::image::for_certificate`): JPEG or PNG, upright and scaled for a
    /// page. `ItemContent::Picture::photo` is an index into them. `attachments` are attached unchanged and include the
    /// seal manifest. `now` becomes the PDF's creation date.
    ///
    /// No text and no photo makes it fail. What the fonts cannot show is written as `[U+…]` ([`super::text`]); what is
    /// not a picture, and a PNG that cannot be decoded, is left out and listed in
    /// [`RenderedCertificate::unshown_photos`]. Pixels of a JPEG are copied without being checked.
    pub fn render(
        &self,
        data: &CertificateData,
        photos: Vec<Bytes>,
        attachments: &[Attachment],
        now: Timestamp,
    ) -> Result<RenderedCertificate, RenderError> {
        self.make(data, photos, attachments, now, Form::Certificate)
    }

    /// Like [`render`](Self::render), but returns a PNG for a designer: the first pages below each other, or one page by
    /// its number from 1 on.
    pub fn picture(
        &self,
        data: &CertificateData,
        photos: Vec<Bytes>,
        now: Timestamp,
        page: Option<usize>,
    ) -> Result<RenderedCertificate, RenderError> {
        self.make(data, photos, &[], now, Form::Picture(page))
    }

    /// The files that Typst reads for a certificate, by their paths, and its fonts below `fonts/`: in a folder with
    /// these, `typst compile --root . --font-path fonts certificate-entry.typ` makes the same pages. Photos are assumed
    /// to be intact.
    pub fn typst_files(
        &self,
        data: &CertificateData,
        photos: Vec<Bytes>,
        attachments: &[Attachment],
        now: Timestamp,
    ) -> anyhow::Result<Vec<(String, Bytes)>> {
        let pictures = photos.iter().map(|photo| picture::inspect(photo)).collect();
        let input = Input { data, photos, pictures, attachments, now, form: Form::Certificate };
        let mut files = self.template.files();
        files.extend(self.files(&input, self.template.fonts.repertoire())?);
        let fonts = self.template.fonts.files().into_iter().enumerate();
        let fonts = fonts.map(|(number, font)| (format!("fonts/{number}.otf"), font));
        let paths = files.into_iter().map(|(id, file)| (id.get().vpath().get_without_slash().to_owned(), file));
        Ok(paths.chain(fonts).map(|(path, file)| (path, Bytes::from_owner(file))).collect())
    }

    pub(super) fn make(
        &self,
        data: &CertificateData,
        photos: Vec<Bytes>,
        attachments: &[Attachment],
        now: Timestamp,
        form: Form,
    ) -> Result<RenderedCertificate, RenderError> {
        if photos.len() > MAX_PHOTOS {
            return Err(RenderError::TooManyPhotos(photos.len()));
        }
        if attachments.len() > MAX_ATTACHMENTS {
            return Err(RenderError::TooManyAttachments(attachments.len()));
        }
        let pictures = photos.iter().map(|photo| picture::inspect(photo)).collect();
        let mut input = Input { data, photos, pictures, attachments, now, form };
        let rendered = self.render_with_fallback(&mut input);
        comemo::evict(CACHE_AGE);
        rendered
    }

    /// Renders, and on failure retries without the part of the input that may be the reason. Photos are decoded only
    /// then, because that takes as long as all the rest.
    fn render_with_fallback(&self, input: &mut Input<'_>) -> Result<RenderedCertificate, RenderError> {
        let first = self.attempt(input, self.template.fonts.repertoire());
        let Err(error) = first else { return first };
        if input.leave_out_broken_photos() {
            return self.attempt(input, self.template.fonts.repertoire());
        }
        if matches!(error, RenderError::Export(_)) {
            // The fonts' tables list a combination of characters for which they have no glyph.
            tracing::warn!(%error, reference = input.data.reference, "certificate written with Latin characters only");
            return self.attempt(input, &Repertoire::latin());
        }
        Err(error)
    }

    fn attempt(&self, input: &Input<'_>, repertoire: &Repertoire) -> Result<RenderedCertificate, RenderError> {
        let world = CertificateWorld { template: &self.template, files: self.files(input, repertoire)? };
        let is_remembered = is_light(&input.photos, &input.pictures, input.attachments);
        let Warned { output, warnings } = self.layouts.compile(&world, Shape::of(input.data), is_remembered);
        let document = output.map_err(|errors| RenderError::Template(world.findings(&errors)))?;
        let (pdf, inaccessible) = match input.form {
            Form::Certificate => written(&document, &world, input.data, input.now)?,
            Form::Picture(page) => (pictured(&document, page)?, None),
        };
        let mut warnings = world.findings(&warnings);
        warnings.extend(inaccessible);
        Ok(RenderedCertificate {
            pdf,
            pages: document.pages().len(),
            unshown_photos: input.unshown_photos(),
            warnings,
            missing: parts::missing_parts(input.data, &visible::visible_text(&document)),
        })
    }

    /// The files of this certificate, at the paths that `templates/certificate/` documents.
    fn files(&self, input: &Input<'_>, repertoire: &Repertoire) -> anyhow::Result<HashMap<FileId, TypstBytes>> {
        let qr_code = share_code(&input.data.share_url);
        let mut files = HashMap::new();
        for (number, (photo, picture)) in input.photos.iter().zip(&input.pictures).enumerate() {
            for file in picture.iter().flat_map(|picture| picture.files(number, photo)) {
                files.insert(file_id(&file.path)?, TypstBytes::new(file.bytes));
            }
        }
        let mut data = serde_json::to_value(input.data)?;
        input.data.localise(&mut data)?;
        let has_notation = make_printable(&mut data, repertoire);
        let json = serde_json::to_vec(&TemplateInput {
            data,
            added: Added {
                pictures: input.template_pictures(),
                has_qr_code: qr_code.is_some(),
                has_notation,
                font_families: self.template.fonts.families().into_iter().map(str::to_owned).collect(),
            },
        })?;
        files.insert(file_id("certificate.json")?, TypstBytes::new(json));
        let mut described = Vec::with_capacity(input.attachments.len());
        for (number, attachment) in input.attachments.iter().enumerate() {
            // The same few paths for every certificate: Typst keeps every path, so the names do not become paths.
            let source = format!("attachments/{number}");
            files.insert(file_id(&source)?, TypstBytes::new(attachment.bytes.clone()));
            described.push(attachment.described(format!("/{source}")));
        }
        files.insert(file_id("attachments.json")?, TypstBytes::new(serde_json::to_vec(&described)?));
        if let Some(svg) = qr_code {
            files.insert(file_id("share.svg")?, TypstBytes::from_string(svg));
        }
        Ok(files)
    }
}

/// The input of one rendering.
struct Input<'a> {
    data: &'a CertificateData,
    photos: Vec<Bytes>,
    /// For each photo, what it is, or `None` if it cannot be shown.
    pictures: Vec<Option<Picture>>,
    attachments: &'a [Attachment],
    now: Timestamp,
    form: Form,
}

/// The output format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum Form {
    Certificate,
    /// One page by its number from 1 on, or the first ones.
    Picture(Option<usize>),
}

impl Input<'_> {
    /// Decodes every photo and leaves out those that fail. Returns whether one failed.
    fn leave_out_broken_photos(&mut self) -> bool {
        let mut found = false;
        for (photo, picture) in self.photos.iter().zip(&mut self.pictures) {
            if picture.is_some() && !picture::is_intact(photo) {
                *picture = None;
                found = true;
            }
        }
        found
    }

    fn unshown_photos(&self) -> Vec<usize> {
        self.pictures.iter().enumerate().filter(|(_, picture)| picture.is_none()).map(|(number, _)| number).collect()
    }

    fn template_pictures(&self) -> Vec<Option<TemplatePicture>> {
        let describe = |number, picture: Picture| TemplatePicture {
            path: format!("/{}", picture.path(number)),
            width: picture.width,
            height: picture.height,
        };
        self.pictures
            .iter()
            .enumerate()
            .map(|(number, picture)| picture.map(|picture| describe(number, picture)))
            .collect()
    }
}

/// `/certificate.json`: the data, and what only the renderer knows.
#[derive(Serialize)]
struct TemplateInput {
    /// [`CertificateData`] with every text made printable.
    #[serde(flatten)]
    data: Value,
    #[serde(flatten)]
    added: Added,
}

/// What the renderer adds to the data.
#[derive(Serialize, JsonSchema)]
pub(super) struct Added {
    /// For each photo, where it is and its size in pixels, or null if it cannot be shown. `picture-of(item)` finds an
    /// item's.
    pictures: Vec<Option<TemplatePicture>>,
    /// Whether there is a `/share.svg`, the QR code of the share URL. A very long URL has none.
    has_qr_code: bool,
    /// Whether a character is written as `[U+…]` somewhere, which the certificate then explains.
    has_notation: bool,
    /// All available font families, the template's own first. `fonts(…)` makes the list for `set text(font: …)`.
    font_families: Vec<String>,
}

/// A picture that can be placed.
#[derive(Serialize, JsonSchema)]
struct TemplatePicture {
    /// For `image(…)`.
    path: String,
    /// In pixels.
    width: u32,
    /// In pixels.
    height: u32,
}

/// Makes every text in `json` printable. Returns whether any needed the `[U+…]` notation.
fn make_printable(json: &mut Value, repertoire: &Repertoire) -> bool {
    match json {
        Value::String(text) => {
            let printable = repertoire.printable(text);
            *text = printable.text;
            printable.noted
        }
        Value::Array(elements) => {
            elements.iter_mut().fold(false, |noted, value| make_printable(value, repertoire) | noted)
        }
        Value::Object(members) => {
            members.values_mut().fold(false, |noted, value| make_printable(value, repertoire) | noted)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

#[cfg(test)]
#[path = "document_tests.rs"]
mod document_tests;

#[cfg(test)]
#[path = "layout_tests.rs"]
mod layout_tests;

#[cfg(test)]
#[path = "theme_tests.rs"]
mod theme_tests;
