//! Renders a certificate: data, photos and seal manifest in, the bytes of an unsigned PDF/A-3b out.
//!
//! The same input gives the same bytes. Signing and time-stamping take these bytes and append to them; nothing here
//! knows about either.

use std::collections::HashMap;

use bytes::Bytes;
use qrcode::{EcLevel, QrCode, render::svg};
use serde::Serialize;
use serde_json::Value;
use typst::{
    diag::{SourceDiagnostic, Warned},
    foundations::{Bytes as TypstBytes, Datetime, Smart},
    syntax::FileId,
};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use super::{
    attachment::{Attachment, MAX_ATTACHMENTS},
    data::CertificateData,
    picture::{self, Picture},
    template::Template,
    text::Repertoire,
    world::{CertificateWorld, LoadedTemplate, file_id},
};
use crate::clock::Timestamp;

/// How many photos one certificate can hold. Each has its own path in Typst's world, and Typst keeps 65,535 paths in all.
pub const MAX_PHOTOS: usize = 2000;

/// After how many renderings a result that was not used again leaves Typst's cache. 1 keeps what every certificate shares
/// (the template above all) and drops the previous one's photos. Measured with 12 new photos each time: memory stays flat
/// from the third rendering on; with 0 it stays 90 MB lower, and a rendering takes nearly twice as long.
const CACHE_AGE: usize = 1;

/// Makes certificates from one template. Costs a few milliseconds and megabytes to make: keep it.
pub struct CertificateRenderer {
    template: LoadedTemplate,
    repertoire: Repertoire,
}

/// A certificate before it is signed.
#[derive(Debug)]
pub struct RenderedCertificate {
    /// PDF/A-3b with the attachments.
    pub pdf: Vec<u8>,
    pub pages: usize,
    /// The photos (by their place in the input) that could not be decoded; the certificate says so at their items.
    pub unshown_photos: Vec<usize>,
    /// What Typst has to say about the template, for the template's designer.
    pub warnings: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("a certificate holds at most {MAX_PHOTOS} photos, not {0}")]
    TooManyPhotos(usize),
    #[error("a certificate holds at most {MAX_ATTACHMENTS} attachments, not {0}")]
    TooManyAttachments(usize),
    /// The template does not compile with this data. Each line names file, line and what is wrong.
    #[error("the certificate template cannot be compiled: {}", .0.join("; "))]
    Template(Vec<String>),
    /// The document cannot be written as PDF/A-3b.
    #[error("the certificate cannot be written as PDF/A-3b: {}", .0.join("; "))]
    Export(Vec<String>),
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

impl CertificateRenderer {
    /// Loads a template. Errors in its Typst code show at the first rendering.
    pub fn new(template: Template) -> anyhow::Result<Self> {
        let template = LoadedTemplate::new(template)?;
        let repertoire = Repertoire::of(template.fonts());
        anyhow::ensure!(repertoire.covers_ascii(), "none of the certificate template's fonts has all of ASCII");
        Ok(Self { template, repertoire })
    }

    /// Renders one certificate. Takes tens to hundreds of milliseconds of one processor: call it on a blocking thread,
    /// and on one at a time, because Typst's cache is global and a second thread gains nothing but memory.
    ///
    /// `photos` are JPEG or PNG, upright and scaled for a page; `ItemContent::Picture::photo` counts from 0 in them.
    /// `attachments` are attached as they are, the seal manifest among them. `now` becomes the PDF's creation date.
    ///
    /// No text and no photo makes it fail. What the fonts cannot show is written as `[U+…]` ([`super::text`]); a photo that
    /// cannot be decoded is left out and named in [`RenderedCertificate::unshown_photos`].
    pub fn render(
        &self,
        data: &CertificateData,
        photos: Vec<Bytes>,
        attachments: &[Attachment],
        now: Timestamp,
    ) -> Result<RenderedCertificate, RenderError> {
        if photos.len() > MAX_PHOTOS {
            return Err(RenderError::TooManyPhotos(photos.len()));
        }
        if attachments.len() > MAX_ATTACHMENTS {
            return Err(RenderError::TooManyAttachments(attachments.len()));
        }
        let pictures = photos.iter().map(|photo| picture::inspect(photo)).collect();
        let mut input = Input { data, photos, pictures, attachments, now };
        let rendered = self.render_with_care(&mut input);
        comemo::evict(CACHE_AGE);
        rendered
    }

    /// Renders, and when that fails looks for what in the input may be the reason. Photos are decoded here only then,
    /// because it takes as long as all the rest.
    fn render_with_care(&self, input: &mut Input<'_>) -> Result<RenderedCertificate, RenderError> {
        let first = self.attempt(input, &self.repertoire);
        let Err(error) = first else { return first };
        if input.leave_out_broken_photos() {
            return self.attempt(input, &self.repertoire);
        }
        if matches!(error, RenderError::Export(_)) {
            // A combination of characters that the fonts' tables promise and their glyphs do not keep.
            tracing::warn!(%error, reference = input.data.reference, "certificate written with ASCII characters alone");
            return self.attempt(input, &Repertoire::ascii());
        }
        Err(error)
    }

    fn attempt(&self, input: &Input<'_>, repertoire: &Repertoire) -> Result<RenderedCertificate, RenderError> {
        let world = CertificateWorld { template: &self.template, files: self.files(input, repertoire)? };
        let describe = |diagnostics: &[SourceDiagnostic]| {
            diagnostics.iter().map(|diagnostic| world.describe(diagnostic)).collect()
        };

        let Warned { output, warnings } = typst::compile::<PagedDocument>(&world);
        let document = output.map_err(|errors| RenderError::Template(describe(&errors)))?;
        let pdf =
            typst_pdf::pdf(&document, &pdf_options(input)?).map_err(|errors| RenderError::Export(describe(&errors)))?;
        Ok(RenderedCertificate {
            pdf,
            pages: document.pages().len(),
            unshown_photos: input.unshown_photos(),
            warnings: describe(&warnings),
        })
    }

    /// The files of this certificate, at the paths that `templates/certificate/` documents.
    fn files(&self, input: &Input<'_>, repertoire: &Repertoire) -> anyhow::Result<HashMap<FileId, TypstBytes>> {
        let qr_code = share_qr_code(&input.data.share_url);
        let mut files = HashMap::new();
        for (number, (photo, picture)) in input.photos.iter().zip(&input.pictures).enumerate() {
            if let Some(picture) = picture {
                files.insert(file_id(&picture_path(number, *picture))?, TypstBytes::new(photo.clone()));
            }
        }
        let mut data = serde_json::to_value(input.data)?;
        let has_notation = make_printable(&mut data, repertoire);
        let json = serde_json::to_vec(&TemplateInput {
            data,
            pictures: input.template_pictures(),
            has_qr_code: qr_code.is_some(),
            has_notation,
            font_families: self.template.font_families(),
        })?;
        files.insert(file_id("certificate.json")?, TypstBytes::new(json));
        let mut described = Vec::with_capacity(input.attachments.len());
        for (number, attachment) in input.attachments.iter().enumerate() {
            // The same few paths for every certificate: their names, which differ, are never made into paths.
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

/// What one rendering is made from.
struct Input<'a> {
    data: &'a CertificateData,
    photos: Vec<Bytes>,
    /// For each photo, what it is, or `None` if it cannot be shown.
    pictures: Vec<Option<Picture>>,
    attachments: &'a [Attachment],
    now: Timestamp,
}

impl Input<'_> {
    /// Decodes every photo and leaves out those that fail. Returns whether there was one.
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
            path: format!("/{}", picture_path(number, picture)),
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
struct TemplateInput<'a> {
    /// [`CertificateData`] with every text made printable.
    #[serde(flatten)]
    data: Value,
    /// For each photo, where it is and its size in pixels, or null if it cannot be shown.
    pictures: Vec<Option<TemplatePicture>>,
    /// Whether there is a `/share.svg`.
    has_qr_code: bool,
    /// Whether a character is written as `[U+…]` somewhere, which the certificate then explains.
    has_notation: bool,
    /// All font families of the template. Listing them all in `set text(font: …)` lets every character find its font.
    font_families: Vec<&'a str>,
}

#[derive(Serialize)]
struct TemplatePicture {
    path: String,
    width: u32,
    height: u32,
}

fn picture_path(number: usize, picture: Picture) -> String {
    format!("evidence/{number}.{}", picture.format.extension())
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

/// The QR code of the share URL as SVG, or `None` for a URL that is too long for any (about 2,300 bytes).
fn share_qr_code(url: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(url, EcLevel::M).ok()?;
    Some(code.render::<svg::Color<'_>>().quiet_zone(false).build())
}

fn pdf_options(input: &Input<'_>) -> Result<PdfOptions, RenderError> {
    let standards = PdfStandards::new(&[PdfStandard::A_3b])
        .map_err(|error| RenderError::Export(vec![error.message().to_string()]))?;
    Ok(PdfOptions {
        ident: Smart::Custom(input.data.reference.clone()),
        creator: Smart::Custom(Some(input.data.product.clone())),
        timestamp: pdf_time(input.now).map(typst_pdf::Timestamp::new_utc),
        standards,
        ..PdfOptions::default()
    })
}

/// `None` for a year that PDF cannot write; the export then refuses, because PDF/A wants a date.
fn pdf_time(moment: Timestamp) -> Option<Datetime> {
    let civil = moment.to_jiff().to_zoned(jiff::tz::TimeZone::UTC).datetime();
    let [month, day, hour, minute, second] =
        [civil.month(), civil.day(), civil.hour(), civil.minute(), civil.second()].map(i8::unsigned_abs);
    (civil.year() >= 0)
        .then(|| Datetime::from_ymd_hms(i32::from(civil.year()), month, day, hour, minute, second))
        .flatten()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
