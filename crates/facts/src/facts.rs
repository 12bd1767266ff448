//! The facts of one file, all together.

use serde::{Deserialize, Serialize};

use crate::{
    barcode::Barcode,
    image::ImageFacts,
    model::{FileFacts, Page, Reading, UnreadableReason},
    mrz::Mrz,
    ocr::OcrFacts,
    pdf::PdfFacts,
    signed_code::SignedCode,
};

/// What was seen in one file, without judgement. Absence means "not seen", never "not there".
///
/// The same bytes, limits and text recognition always give the same facts: all bounds except those on time are counts,
/// and a reader that runs out of time returns no facts at all, or reports it in
/// [`OcrState::TimedOut`](crate::ocr::OcrState).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The version of this shape, [`Facts::VERSION`]. Facts are stored: readers of an older one compute them again.
    pub version: u32,
    pub file: FileFacts,
    pub reading: Reading,
    /// The first [`max_pages`](crate::Limits::max_pages) pages of a PDF file; an image is one page.
    pub pages: Vec<Page>,
    /// `None` for other files, and for an unreadable PDF file.
    pub pdf: Option<PdfFacts>,
    /// The JPEG or PNG file itself, `None` for a PDF file: its pictures are in its pages.
    pub image: Option<ImageFacts>,
    pub ocr: OcrFacts,
    /// Machine-readable zones found in the text, at most 4.
    pub mrz: Vec<Mrz>,
    /// QR codes and Data Matrix codes found in images, on scanned pages and where a page may show one, at most 16.
    pub barcodes: Vec<Barcode>,
    /// Those of them whose content their issuer signed. Facts of earlier versions have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signed_codes: Vec<SignedCode>,
}

impl Facts {
    pub const VERSION: u32 = 3;

    /// The facts of a file that could not be read.
    pub fn of_file_alone(file: &[u8], reason: UnreadableReason) -> Self {
        Self::unreadable(FileFacts::of(file), reason)
    }

    /// The facts of a file with unknown content.
    pub fn unreadable(file: FileFacts, reason: UnreadableReason) -> Self {
        Self {
            version: Self::VERSION,
            file,
            reading: Reading::Unreadable { reason },
            pages: Vec::new(),
            pdf: None,
            image: None,
            ocr: OcrFacts::not_needed(),
            mrz: Vec::new(),
            barcodes: Vec::new(),
            signed_codes: Vec::new(),
        }
    }
}
