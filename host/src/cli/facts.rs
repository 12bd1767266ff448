//! `sealwright facts`: its arguments, and how facts are printed as text.

use std::{fmt, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Args;
use sealwright_facts::{
    Facts, Reading, child::FactsScope, image::ImageFacts, model::Page, ocr::OcrState, pdf::PdfFacts,
    signed_code::SignedCode,
};
use sealwright_provenance::Provenance;
use serde::Serialize;

use super::output::Output;
use crate::app;

/// Show the facts that are read from a PDF, JPEG or PNG file
///
/// Analyses are based on these facts. The facts contain no judgement. The file is read in a separate process with
/// limited time and memory. With --json everything is printed, otherwise a summary.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sealwright facts invoice.pdf
  sealwright facts --json photo.jpg")]
pub struct FactsArguments {
    /// Skip text recognition in pictures
    #[arg(long)]
    pub pictures_only: bool,

    /// Roots (PEM) of cameras and programs whose content credentials are trusted
    #[arg(long, value_name = "FILE")]
    pub trust: Option<PathBuf>,

    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

pub(super) const fn wanted(pictures_only: bool) -> FactsScope {
    if pictures_only { FactsScope::PicturesOnly } else { FactsScope::Text }
}

/// Prints the facts. The exit code is 0 even if the file cannot be read: that is a fact too.
pub(super) async fn run(arguments: &FactsArguments, output: Output) -> anyhow::Result<ExitCode> {
    let roots = app::facts::provenance_roots(arguments.trust.as_deref())?;
    let facts = app::facts::of_file(&arguments.file, wanted(arguments.pictures_only), roots)
        .await
        .with_context(|| arguments.file.display().to_string())?;
    output.print(&PrintedFacts(facts))?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
#[serde(transparent)]
struct PrintedFacts(Facts);

impl fmt::Display for PrintedFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = &self.0;
        write!(f, "{:?}, {} bytes, SHA-256 {}", facts.file.kind, facts.file.size, facts.file.sha256)?;
        match &facts.reading {
            Reading::Complete => {}
            Reading::Partial { limits } => write!(f, "\npartly read, limits reached: {limits:?}")?,
            Reading::Unreadable { reason } => write!(f, "\nnot readable: {reason:?}")?,
        }
        for foreign in &facts.file.foreign_content {
            write!(f, "\nforeign content ({}) starting at byte {}", foreign.kind, foreign.offset)?;
        }
        if let Some(pdf) = &facts.pdf {
            write_pdf(f, pdf)?;
        }
        if let Some(image) = &facts.image {
            write_image(f, image)?;
        }
        let of_pdf = facts.pdf.as_ref().and_then(|pdf| pdf.provenance.as_ref());
        let of_image = facts.image.as_ref().and_then(|image| image.provenance.as_ref());
        if let Some(provenance) = of_pdf.or(of_image) {
            write_provenance(f, provenance)?;
        }
        if facts.ocr.state != OcrState::NotNeeded {
            let ocr = &facts.ocr;
            write!(
                f,
                "\ntext recognition: {:?}, pages read {:?}, not read {:?}",
                ocr.state, ocr.recognised, ocr.unread
            )?;
        }
        for page in &facts.pages {
            write_page(f, page)?;
        }
        for zone in &facts.mrz {
            let right = zone.check_digits.iter().filter(|digit| digit.matches).count();
            write!(f, "\nmachine-readable zone on page {}: {:?}, ", zone.page, zone.format)?;
            write!(f, "{right} of {} check digits correct", zone.check_digits.len())?;
        }
        for code in &facts.barcodes {
            write!(f, "\n{} code on page {}: {}", code.kind, code.page, code.text)?;
        }
        for code in &facts.signed_codes {
            let SignedCode { kind, authority, certificate, fields, .. } = code;
            write!(f, "\n{kind} on page {}, signed by {authority} {certificate}: {} values", code.page, fields.len())?;
        }
        Ok(())
    }
}

fn write_pdf(f: &mut fmt::Formatter, pdf: &PdfFacts) -> fmt::Result {
    write!(f, "\nPDF {}, {} pages, {} objects, ", pdf.version, pdf.page_count, pdf.object_count)?;
    write!(f, "{} revisions", pdf.revisions.len())?;
    let information = &pdf.information;
    for (name, value) in [
        ("creator", &information.creator),
        ("producer", &information.producer),
        ("created", &information.created),
        ("modified", &information.modified),
    ] {
        if let Some(value) = value {
            write!(f, "\n{name}: {value}")?;
        }
    }
    for revision in pdf.revisions.iter().skip(1) {
        write!(
            f,
            "\nrevision {} changed pages {:?}, wrote {}",
            revision.number,
            revision.changed_pages,
            revision.kinds.join(", ")
        )?;
    }
    for signature in &pdf.signatures {
        let part = if signature.covers_whole_file { "the whole file" } else { "a part of the file" };
        write!(f, "\nsignature {} covers {part}", signature.field)?;
    }
    for font in &pdf.fonts {
        let embedded = if font.embedded { "embedded" } else { "not embedded" };
        write!(f, "\nfont {} ({}, {embedded}) on pages {:?}", font.name, font.kind, font.pages)?;
    }
    for action in &pdf.actions {
        write!(f, "\naction {} at {}", action.kind, action.place)?;
    }
    Ok(())
}

fn write_image(f: &mut fmt::Formatter, image: &ImageFacts) -> fmt::Result {
    write!(f, "\n{} x {} pixels", image.width, image.height)?;
    if let Some(quality) = image.jpeg.as_ref().and_then(|jpeg| jpeg.quality) {
        write!(f, ", JPEG quality about {quality}")?;
    }
    if let Some(exif) = &image.exif {
        let camera = [&exif.camera_make, &exif.camera_model].map(|text| text.as_deref().unwrap_or_default()).join(" ");
        write!(f, "\ncamera: {}", camera.trim())?;
        if let Some(captured) = &exif.captured {
            write!(f, ", captured {} {}", captured.written, captured.offset.as_deref().unwrap_or_default())?;
        }
    }
    for editor in &image.editors {
        write!(f, "\n{} left a mark: {} ({})", editor.program, editor.text, editor.place)?;
    }
    if let Some(pixels) = &image.pixels {
        write!(f, "\nperceptual hash {}", pixels.dct_hash)?;
    }
    Ok(())
}

fn write_provenance(f: &mut fmt::Formatter, provenance: &Provenance) -> fmt::Result {
    if let Some(credentials) = &provenance.credentials {
        write!(f, "\ncontent credentials: {:?}", credentials.integrity)?;
        if let Some(generator) = &credentials.generator {
            write!(f, ", by {generator}")?;
        }
        if let Some(signer) = &credentials.signer {
            let trusted = if signer.trusted { "trusted" } else { "not trusted" };
            write!(f, "\n  signed by {} ({trusted})", signer.subject)?;
            if let Some(stamp) = &signer.time_stamp {
                write!(f, "\n  time stamp {} by {}", stamp.time, stamp.authority)?;
            }
        }
        for problem in &credentials.problems {
            write!(f, "\n  {} ({})", problem.text, problem.code)?;
        }
        for action in &credentials.actions {
            write!(f, "\n  {}", action.name)?;
            for detail in action.source_type.iter().chain(&action.agent) {
                write!(f, ", {detail}")?;
            }
        }
    }
    for mark in &provenance.marks {
        write!(f, "\ndeclared {:?} in {}: {}", mark.kind, mark.origin, mark.text)?;
    }
    Ok(())
}

/// Numbers, and the first lines of text.
fn write_page(f: &mut fmt::Formatter, page: &Page) -> fmt::Result {
    write!(
        f,
        "\npage {}: {} text runs, {} images, {} shapes",
        page.number,
        page.text.len(),
        page.images.len(),
        page.shapes.len()
    )?;
    for run in page.text.iter().take(5) {
        write!(f, "\n  {}", run.text)?;
    }
    Ok(())
}
