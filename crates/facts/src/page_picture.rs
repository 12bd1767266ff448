//! Pages of a document as pictures: one for people who look at what was found on it, and the first ones for a
//! certificate.

use std::io::Cursor;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, codecs::jpeg::JpegEncoder};
use serde::{Deserialize, Serialize};

use crate::{
    Limits, UnreadableReason,
    model::{FileFacts, Kind},
    pdf,
};

/// The most pixels on the longer side of a picture.
const LONGEST_SIDE: u32 = 1_600;
/// A larger PNG is a scan: its picture is a JPEG instead.
const LARGEST_PNG: usize = 768 << 10;
/// High, because the picture is encoded once more for the certificate.
const JPEG_QUALITY: u8 = 92;
/// Of the pictures of all pages, in Base64: well below the most that the process may answer.
const MOST_DRAWN_BYTES: usize = 40 << 20;

/// What is known of the page that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PagePicture {
    /// How many pages the document has.
    pub pages: u32,
    /// None if the document does not have the page, or if it cannot be drawn.
    pub drawing: Option<Drawing>,
}

/// A page, drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Drawing {
    /// The page as it is shown, in hundredths of a point; of an image file, in hundredths of a pixel.
    pub width: u32,
    pub height: u32,
    /// A PNG file in Base64.
    pub png: String,
}

/// The first pages of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FirstPages {
    /// How many pages the document has.
    pub pages: u32,
    /// The first of them in their order, each a PNG or JPEG file in Base64. Ends before the first page that cannot be
    /// drawn.
    pub drawn: Vec<String>,
}

/// Draws the first `most` pages of a PDF file, or an image file upright as its only page. The caller has to contain
/// panics of a library.
///
/// # Errors
/// Why the file cannot be read.
pub fn first_pages(file: Vec<u8>, most: u32, limits: &Limits) -> Result<FirstPages, UnreadableReason> {
    let kind = FileFacts::of(&file).kind;
    if kind != Kind::Pdf {
        let PagePicture { pages, drawing } = page_picture(file, 1, limits)?;
        let drawn = drawing.map(|drawing| drawing.png).into_iter().take(most as usize);
        return Ok(FirstPages { pages, drawn: drawn.collect() });
    }
    if file.len() as u64 > limits.max_file_bytes {
        return Err(UnreadableReason::FileTooLarge);
    }
    let mut bytes = 0;
    let (pages, drawn) = pdf::draw_first(file, most, f64::from(LONGEST_SIDE), limits, |drawn| {
        let encoded = png_or_jpeg(&drawn.picture.into())?;
        bytes += encoded.len();
        (bytes <= MOST_DRAWN_BYTES).then_some(encoded)
    })?;
    Ok(FirstPages { pages, drawn })
}

/// Draws page `number` of a PDF file, from 1, or an image file upright as its only page. The caller has to contain panics
/// of a library.
///
/// # Errors
/// Why the file cannot be read.
pub fn page_picture(file: Vec<u8>, number: u32, limits: &Limits) -> Result<PagePicture, UnreadableReason> {
    if file.len() as u64 > limits.max_file_bytes {
        return Err(UnreadableReason::FileTooLarge);
    }
    match FileFacts::of(&file).kind {
        Kind::Pdf => {
            let (pages, drawn) = pdf::draw(file, number, f64::from(LONGEST_SIDE), limits)?;
            let drawing = drawn.and_then(|drawn| {
                Some(Drawing { width: drawn.width, height: drawn.height, png: png(&drawn.picture.into())? })
            });
            Ok(PagePicture { pages, drawing })
        }
        Kind::Jpeg => of_image(&file, ImageFormat::Jpeg, number, limits),
        Kind::Png => of_image(&file, ImageFormat::Png, number, limits),
        Kind::Other => Err(UnreadableReason::UnknownKind),
    }
}

fn of_image(file: &[u8], format: ImageFormat, number: u32, limits: &Limits) -> Result<PagePicture, UnreadableReason> {
    let malformed = |_| UnreadableReason::Malformed;
    let mut decoder = ImageReader::with_format(Cursor::new(file), format).into_decoder().map_err(malformed)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > limits.max_pixels {
        return Err(UnreadableReason::TooManyPixels);
    }
    if number != 1 {
        return Ok(PagePicture { pages: 1, drawing: None });
    }
    let orientation = decoder.orientation().map_err(malformed)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(malformed)?;
    picture.apply_orientation(orientation);
    let (width, height) = (picture.width().saturating_mul(100), picture.height().saturating_mul(100));
    if picture.width().max(picture.height()) > LONGEST_SIDE {
        picture = picture.thumbnail(LONGEST_SIDE, LONGEST_SIDE);
    }
    let drawing = png(&picture.into_rgb8().into()).map(|png| Drawing { width, height, png });
    Ok(PagePicture { pages: 1, drawing })
}

fn png(picture: &DynamicImage) -> Option<String> {
    Some(BASE64_STANDARD.encode(png_file(picture)?))
}

fn png_file(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).ok()?;
    Some(file.into_inner())
}

fn png_or_jpeg(picture: &DynamicImage) -> Option<String> {
    let mut file = png_file(picture)?;
    if file.len() > LARGEST_PNG {
        file.clear();
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut file, JPEG_QUALITY)).ok()?;
    }
    Some(BASE64_STANDARD.encode(file))
}
