//! A page of a document as a picture, for people who look at what was found on it.

use std::io::Cursor;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader};
use serde::{Deserialize, Serialize};

use crate::{
    Limits, UnreadableReason,
    model::{FileFacts, Kind},
    pdf,
};

/// The most pixels on the longer side of a picture.
const LONGEST_SIDE: u32 = 1_600;

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
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).ok()?;
    Some(BASE64_STANDARD.encode(file.into_inner()))
}
