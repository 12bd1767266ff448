//! What the facts of all kinds of files share: the file, its pages, the text on them.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::image::{ImageFacts, JpegFacts};

/// The file as bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileFacts {
    pub kind: Kind,
    /// In bytes.
    pub size: u64,
    /// Lowercase hexadecimal.
    pub sha256: String,
    /// Signatures of other kinds of files inside this one, after its start and outside of what its own format allows:
    /// after a PNG's `IEND`, a JPEG's end of image or a PDF's last `%%EOF`. In the order in which they were found.
    pub foreign_content: Vec<ForeignContent>,
}

impl FileFacts {
    /// The facts that do not depend on the content.
    pub fn of(file: &[u8]) -> Self {
        let sha256 = hex::encode(Sha256::digest(file));
        Self { kind: Kind::of(file), size: file.len() as u64, sha256, foreign_content: Vec::new() }
    }
}

/// A file that starts inside another (a polyglot, or something hidden after the end).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForeignContent {
    /// `pdf`, `jpeg`, `png`, `zip`, `html` or `unknown`.
    pub kind: String,
    /// Where it starts, in bytes from the file's start.
    pub offset: u64,
    /// From there to the file's end, in bytes.
    pub length: u64,
}

/// Detected by the file's first bytes alone. A PDF's header may be a little after the start, since viewers accept that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    Pdf,
    Jpeg,
    Png,
    Other,
}

/// Viewers look for a PDF's header this far into a file.
pub(crate) const PDF_HEADER_REACH: usize = 1024;

impl Kind {
    pub fn of(file: &[u8]) -> Self {
        let start = &file[..file.len().min(PDF_HEADER_REACH)];
        if start.starts_with(b"\xFF\xD8\xFF") {
            Self::Jpeg
        } else if start.starts_with(b"\x89PNG\r\n\x1A\n") {
            Self::Png
        } else if start.windows(5).any(|window| window == b"%PDF-") {
            Self::Pdf
        } else {
            Self::Other
        }
    }
}

/// How far the file could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum Reading {
    Complete,
    /// Read, but content beyond these bounds is not in the facts.
    Partial {
        limits: Vec<Limited>,
    },
    /// The facts contain none of its content.
    Unreadable {
        reason: UnreadableReason,
    },
}

/// A bound that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Limited {
    Pages,
    TextRuns,
    Shapes,
    Images,
    Objects,
    Revisions,
    Annotations,
    /// Pixels of an image or of a page to be drawn.
    Pixels,
    /// Pages with text recognition.
    OcrPages,
    /// An error in the library stopped the drawing of a page: its facts may be incomplete.
    Drawing,
}

/// Why nothing could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum UnreadableReason {
    /// Neither PDF, JPEG nor PNG.
    UnknownKind,
    /// The format's own rules are broken beyond repair.
    Malformed,
    /// A password is needed.
    Encrypted,
    /// Larger than [`max_file_bytes`](crate::Limits::max_file_bytes).
    FileTooLarge,
    /// Its streams unpack to more than [`max_unpacked_bytes`](crate::Limits::max_unpacked_bytes).
    UnpacksTooLarge,
    /// More objects than [`max_objects`](crate::Limits::max_objects).
    TooManyObjects,
    /// More pixels than [`max_pixels`](crate::Limits::max_pixels).
    TooManyPixels,
    /// The child process ran out of time.
    OutOfTime,
    /// The child process ran out of memory.
    OutOfMemory,
    /// The reader failed: a bug in our code or in a library, contained in the child process.
    ReaderFailed,
}

/// A rectangle on a page: hundredths of a point (1/7200 inch) from the upper left corner of the page as it is shown
/// (crop box, rotation applied), y growing downwards. In an image file one pixel counts as one point, and the page is
/// the picture turned upright by its EXIF orientation. It can be outside the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Area {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Area {
    /// From points (or pixels of an image file), clamped to the range.
    pub fn from_points(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self { left: hundredths(left), top: hundredths(top), right: hundredths(right), bottom: hundredths(bottom) }
    }

    pub fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// In square hundredths of a point.
    pub fn size(self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        u64::from(self.right.abs_diff(self.left)) * u64::from(self.bottom.abs_diff(self.top))
    }

    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest area that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// How much of this area the other one covers, in percent, rounded down. An empty area is never covered.
    pub fn covered_by(self, other: Self) -> u8 {
        let (whole, common) = (self.size(), self.intersection(other).size());
        if whole == 0 {
            return 0;
        }
        u8::try_from(u128::from(common) * 100 / u128::from(whole)).unwrap_or(100)
    }
}

/// Hundredths of a point, clamped to the range; NaN is 0.
pub(crate) fn hundredths(points: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates, which is what is wanted here")]
    let rounded = (points * 100.0).round() as i32;
    rounded
}

/// One page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// From 1.
    pub number: u32,
    /// As shown, in hundredths of a point; in an image file, hundredths of a pixel.
    pub width: u32,
    pub height: u32,
    /// Clockwise, in degrees: 0, 90, 180 or 270. Coordinates are those of the turned page.
    pub rotation: u16,
    /// Where the text comes from.
    pub text_source: TextSource,
    /// In painting order; with text recognition in reading order.
    pub text: Vec<TextRun>,
    /// Pictures drawn on a page of a PDF file, in painting order. Empty for an image file.
    pub images: Vec<PlacedImage>,
    /// Opaque or nearly opaque surfaces that were painted, in painting order: rectangles, and other shapes that fill
    /// nearly all of their box. Strokes, patterns and shapes full of holes are left out.
    pub shapes: Vec<Shape>,
    /// How much of the page pictures cover, in percent (overlaps counted once, in steps of about 2 %).
    pub image_cover: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TextSource {
    /// There is no text, or text was not looked for.
    None,
    /// The PDF's own text.
    Layer,
    /// Text recognition of an image or a scanned page. If such a page has a layer of its own (for example invisible
    /// text behind a scan), it comes before the recognised text.
    Ocr,
}

/// A piece of text on one line, in one font, size and colour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextRun {
    pub text: String,
    /// Approximately from the ascent to the descent of its characters; for recognised text, the box around its ink.
    pub area: Area,
    /// The direction of its baseline, clockwise, in degrees, 0 to 359.
    pub direction: u16,
    /// In hundredths of a point, all scaling applied. 0 for recognised text.
    pub size: u32,
    /// The index of its font in [`PdfFacts::fonts`](crate::pdf::PdfFacts::fonts); `None` for recognised text, and for a
    /// font that the document's page resources do not name.
    pub font: Option<u32>,
    /// The fill's (or, for outlined text, the stroke's) colour as `0xRRGGBB`; `None` for a pattern, and for recognised
    /// text.
    pub colour: Option<u32>,
    /// In percent, 100 is opaque.
    pub opacity: u8,
    pub rendering: TextRendering,
    /// The painting order on the page, from 0, shared by text, images and shapes: a shape with a greater number was
    /// painted over this text. For recognised text, the position in reading order.
    pub order: u32,
    /// The colour (`0xRRGGBB`) that was painted below its middle before it: white for an empty background, `None` for a
    /// picture, and for recognised text. Shapes that are not listed do not count.
    pub background: Option<u32>,
    /// What was painted over it later and covers at least half of it, if anything: the one that covers most, the last
    /// of equals.
    pub cover: Option<Cover>,
    /// Whether more than half of it is outside the crop box or clipped away.
    pub outside_page: bool,
    /// The confidence of text recognition, 0 to 100; `None` for the PDF's own text.
    pub confidence: Option<u8>,
    /// The number of characters without a known Unicode value; they are U+FFFD in `text`.
    pub unmapped: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TextRendering {
    Filled,
    /// Outlined only.
    Stroked,
    /// Text for search and copying that is not visible (rendering mode 3).
    Invisible,
    /// Recognised in a picture.
    Recognised,
}

/// What covers a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cover {
    /// The `order` of what covers it.
    pub order: u32,
    pub kind: CoverKind,
    /// In percent of the text's area, 50 to 100.
    pub percent: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CoverKind {
    Shape,
    Image,
}

/// A painted surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    pub area: Area,
    /// `0xRRGGBB`.
    pub colour: u32,
    /// In percent, 90 to 100.
    pub opacity: u8,
    pub order: u32,
}

/// A picture and its place on the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlacedImage {
    pub area: Area,
    /// The PDF object that contains it, 0 for an inline image in the page's content.
    pub object: u32,
    /// In pixels.
    pub width: u32,
    pub height: u32,
    pub compression: Compression,
    /// Whether it is a mask that paints one colour.
    pub stencil: bool,
    pub order: u32,
    /// Of the bytes as stored in the file, lowercase hexadecimal.
    pub sha256: String,
    /// For a JPEG.
    pub jpeg: Option<JpegFacts>,
    /// For a JPEG that covers much of its page: all facts of such a file. For the first
    /// [`max_pictures`](crate::Limits::max_pictures) of a document.
    pub picture: Option<Box<ImageFacts>>,
}

/// The last of an image's filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Compression {
    None,
    /// Flate or LZW.
    Lossless,
    RunLength,
    CcittFax,
    Jbig2,
    Jpeg,
    Jpeg2000,
}
