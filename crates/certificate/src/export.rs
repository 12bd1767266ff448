//! What is made of a certificate's pages: the PDF, or one picture.

use std::io::Cursor;

use sealwright_base::clock::Timestamp;
use typst::{
    foundations::{Datetime, Smart},
    utils::Scalar,
};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};
use typst_render::RenderOptions;

use super::{
    data::CertificateData,
    finding::{Finding, Severity},
    render::RenderError,
    world::CertificateWorld,
};

/// The most pages that a picture of a certificate shows.
const MAX_PICTURED_PAGES: usize = 24;

/// One page by its number from 1 on, or the first pages below each other, as a PNG of 108 pixels an inch.
pub(super) fn pictured(document: &PagedDocument, page: Option<usize>) -> anyhow::Result<Vec<u8>> {
    const GAP: u32 = 16;
    const GROUND: image::Rgba<u8> = image::Rgba([0x8a, 0x90, 0x9a, 0xff]);
    let options = RenderOptions { pixel_per_pt: Scalar::new(1.5), ..RenderOptions::default() };
    let (first, most) = page.map_or((0, MAX_PICTURED_PAGES), |page| (page.saturating_sub(1), 1));
    let pages: Vec<_> =
        document.pages().iter().skip(first).take(most).map(|page| typst_render::render(page, &options)).collect();
    anyhow::ensure!(
        !pages.is_empty(),
        "page {} does not exist: the certificate has {} pages",
        first + 1,
        document.pages().len()
    );
    let width = pages.iter().fold(1, |widest, page| page.width().max(widest));
    let height = pages.iter().map(|page| page.height() + GAP).sum::<u32>().saturating_sub(GAP).max(1);
    let mut all = image::RgbaImage::from_pixel(width, height, GROUND);
    let mut top = 0;
    for page in pages {
        let (page_width, page_height) = (page.width(), page.height());
        let page = image::RgbaImage::from_raw(page_width, page_height, page.take())
            .ok_or_else(|| anyhow::anyhow!("a page has fewer pixels than its size states"))?;
        image::imageops::overlay(&mut all, &page, 0, i64::from(top));
        top += page_height + GAP;
    }
    let mut png = Cursor::new(Vec::new());
    let encoder = image::codecs::png::PngEncoder::new_with_quality(
        &mut png,
        image::codecs::png::CompressionType::Fast,
        image::codecs::png::FilterType::Sub,
    );
    all.write_with_encoder(encoder)?;
    Ok(png.into_inner())
}

/// Archived with its structure (PDF/A-3a), and accessible (PDF/UA-1).
const ACCESSIBLE: &[PdfStandard] = &[PdfStandard::A_3a, PdfStandard::Ua_1];
/// Archived as it looks.
const ARCHIVED: &[PdfStandard] = &[PdfStandard::A_3b];

/// The PDF, and a warning if it could not be made accessible: a template may place a picture without a text for those
/// who cannot see it. Such a certificate is PDF/A-3b.
pub(super) fn written(
    document: &PagedDocument,
    world: &CertificateWorld<'_>,
    data: &CertificateData,
    now: Timestamp,
) -> Result<(Vec<u8>, Option<Finding>), RenderError> {
    let errors = match typst_pdf::pdf(document, &pdf_options(data, now, ACCESSIBLE)?) {
        Ok(pdf) => return Ok((pdf, None)),
        Err(errors) => world.findings(&errors),
    };
    let pdf = typst_pdf::pdf(document, &pdf_options(data, now, ARCHIVED)?)
        .map_err(|errors| RenderError::Export(world.findings(&errors)))?;
    let warning = errors.into_iter().next().map(|error| Finding {
        severity: Severity::Warning,
        message: format!("the certificate is not accessible: {}", error.message),
        ..error
    });
    Ok((pdf, warning))
}

fn pdf_options(data: &CertificateData, now: Timestamp, standards: &[PdfStandard]) -> Result<PdfOptions, RenderError> {
    let standards = PdfStandards::new(standards)
        .map_err(|error| RenderError::Export(vec![Finding::error(error.message().as_str())]))?;
    Ok(PdfOptions {
        ident: Smart::Custom(data.reference.clone()),
        creator: Smart::Custom(Some(data.product.clone())),
        timestamp: pdf_time(now).map(typst_pdf::Timestamp::new_utc),
        standards,
        ..PdfOptions::default()
    })
}

/// `None` for a year that PDF cannot write; the export then fails, because PDF/A requires a date.
fn pdf_time(moment: Timestamp) -> Option<Datetime> {
    let civil = moment.to_jiff().to_zoned(jiff::tz::TimeZone::UTC).datetime();
    let [month, day, hour, minute, second] =
        [civil.month(), civil.day(), civil.hour(), civil.minute(), civil.second()].map(i8::unsigned_abs);
    (civil.year() >= 0)
        .then(|| Datetime::from_ymd_hms(i32::from(civil.year()), month, day, hour, minute, second))
        .flatten()
}
