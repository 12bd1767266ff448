//! Pictures made from an uploaded JPEG or PNG: for browsers and for the certificate, upright and without metadata.
//!
//! The input is hostile until proven otherwise: its size is judged by its header before anything is decoded, and no
//! input makes these functions panic. They compute for up to a second and must run on a blocking thread
//! (`spawn_blocking`), never on the runtime's own; one call takes up to about 1 GiB for the largest pictures, so the
//! caller bounds how many run at once.
//!
//! Colour profiles go with the rest of the metadata: a profile is a file in the file, and whoever needs exact colours has
//! the original.

use std::{
    io::Cursor,
    panic::{AssertUnwindSafe, catch_unwind},
};

use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer,
    images::{Image, ImageRef},
};
use image::{
    DynamicImage, GrayImage, ImageDecoder, Limits, RgbImage,
    codecs::{
        jpeg::{JpegDecoder, JpegEncoder},
        png::{CompressionType, FilterType as RowFilter, PngDecoder, PngEncoder},
    },
    metadata::Orientation,
};

use super::{
    jpeg,
    kind::{FileKind, describe},
};

/// Larger pictures are refused by their header.
const MAX_PIXELS: u64 = 100_000_000;
/// The longest side there can be in a JPEG; PNG could go to 2³¹ - 1.
const MAX_SIDE: u32 = 65_535;
/// What decoding may allocate in all: the pixels, and for some JPEGs the coefficients of the whole picture.
const MAX_ALLOCATION: u64 = 512 * 1024 * 1024;
/// What a PNG's chunks beside the pixels (profiles, texts) may unpack to, and a row of it take.
const MAX_PNG_EXTRAS: u64 = 16 * 1024 * 1024;
/// For photos in certificates: the usual balance, at which artefacts are hardly visible in print.
const JPEG_QUALITY: u8 = 85;
/// A PNG that stays larger than this when it is scaled down is a photo, not a drawing or a signature.
const LARGEST_DRAWING: usize = 512 * 1024;

const DECODER_PANICKED: &str = "its decoder gave up";

/// Why no picture was made.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    #[error("expected a JPEG or PNG image, got {0}")]
    NotAnImage(String),
    #[error("the image of {width} x {height} pixels is too large to be decoded")]
    TooLarge { width: u32, height: u32 },
    #[error("the image is damaged: {0}")]
    Damaged(String),
}

/// A picture ready to be set into a certificate.
#[derive(Debug)]
pub struct CertificateImage {
    pub bytes: Vec<u8>,
    /// JPEG for photos, PNG for drawings and signatures.
    pub kind: FileKind,
    /// In pixels, as shown.
    pub width: u32,
    pub height: u32,
}

/// The whole picture as PNG for `GET /images/:key` (decisions 9): every pixel, upright by its EXIF orientation, and
/// nothing but pixels.
pub fn png_of(file: &[u8]) -> Result<Vec<u8>, ImageError> {
    let Decoded { mut image, orientation, .. } = decode(file)?;
    image.apply_orientation(orientation);
    encode_png(&image, CompressionType::Fast)
}

/// The picture for a certificate: upright, its longer side at most `max_side` pixels, transparency laid on white.
///
/// A JPEG stays a JPEG. A PNG stays a PNG, so that the lines of a signature stay sharp, unless it is a photo in a PNG.
pub fn for_certificate(file: &[u8], max_side: u32) -> Result<CertificateImage, ImageError> {
    let Decoded { image, orientation, kind } = decode(file)?;
    let mut image = scale_down(on_white(image), max_side)?;
    // After scaling, because turning a picture copies it.
    image.apply_orientation(orientation);
    let (width, height) = (image.width(), image.height());
    if kind == FileKind::Png {
        let bytes = encode_png(&image, CompressionType::Default)?;
        if bytes.len() <= LARGEST_DRAWING {
            return Ok(CertificateImage { bytes, kind, width, height });
        }
    }
    let mut bytes = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))?;
    Ok(CertificateImage { bytes, kind: FileKind::Jpeg, width, height })
}

struct Decoded {
    image: DynamicImage,
    orientation: Orientation,
    kind: FileKind,
}

/// Decodes `file` within the limits. The decoders promise not to panic, but they are large, and what they read here may
/// have been made to break them; a panic of theirs is one more way of saying that the file is damaged.
fn decode(file: &[u8]) -> Result<Decoded, ImageError> {
    let kind = FileKind::of(file);
    let decoded = catch_unwind(AssertUnwindSafe(|| match kind {
        Some(kind @ FileKind::Jpeg) => {
            let decoder = JpegDecoder::new(Cursor::new(file))?;
            // Two bytes for each coefficient of up to four components.
            let beside_pixels = if jpeg::keeps_coefficients(file) { 4 * 2 } else { 0 };
            decode_within_limits(decoder, beside_pixels, kind)
        }
        Some(kind @ FileKind::Png) => {
            let decoder = PngDecoder::with_limits(Cursor::new(file), limits(MAX_PNG_EXTRAS))?;
            decode_within_limits(decoder, 0, kind)
        }
        _ => Err(ImageError::NotAnImage(describe(file))),
    }));
    decoded.unwrap_or_else(|_| Err(ImageError::Damaged(DECODER_PANICKED.to_owned())))
}

/// `beside_pixels`: how many bytes for each pixel the decoder needs beside the pixels themselves.
fn decode_within_limits(
    mut decoder: impl ImageDecoder,
    beside_pixels: u64,
    kind: FileKind,
) -> Result<Decoded, ImageError> {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let allocation = decoder.total_bytes().saturating_add(pixels.saturating_mul(beside_pixels));
    if width.max(height) > MAX_SIDE || pixels > MAX_PIXELS || allocation > MAX_ALLOCATION {
        return Err(ImageError::TooLarge { width, height });
    }
    // An unreadable orientation is no reason to show nothing.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    decoder.set_limits(limits(MAX_ALLOCATION))?;
    let image = DynamicImage::from_decoder(decoder)?;
    Ok(Decoded { image, orientation, kind })
}

fn limits(allocation: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(allocation);
    limits
}

/// Eight bits a channel, grey or RGB, transparency laid on white as on paper. This comes before scaling, which would mix
/// the invisible colour of transparent pixels into their neighbours.
fn on_white(image: DynamicImage) -> DynamicImage {
    if image.color().has_alpha() {
        let transparent = image.into_rgba8();
        let mut opaque = RgbImage::new(transparent.width(), transparent.height());
        for (to, from) in opaque.pixels_mut().zip(transparent.pixels()) {
            let [red, green, blue, alpha] = from.0;
            to.0 = [red, green, blue].map(|value| over_white(value, alpha));
        }
        opaque.into()
    } else if image.color().has_color() {
        image.into_rgb8().into()
    } else {
        image.into_luma8().into()
    }
}

fn over_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u16::from(value), u16::from(alpha));
    // At most 255 × 255 / 255: it fits.
    u8::try_from((value * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(u8::MAX)
}

/// Scales an opaque picture of eight bits a channel so that its longer side is `max_side`; a smaller one stays as it is.
///
/// `image` can scale too, but takes several times as long as decoding the photo does.
fn scale_down(image: DynamicImage, max_side: u32) -> Result<DynamicImage, ImageError> {
    let (width, height) = (image.width(), image.height());
    if width.max(height) <= max_side {
        return Ok(image);
    }
    let scaled_side = |side: u32| {
        let scaled = (u64::from(side) * u64::from(max_side)).div_ceil(u64::from(width.max(height)));
        // At most `max_side`, and never nothing.
        u32::try_from(scaled).unwrap_or(max_side).max(1)
    };
    let (scaled_width, scaled_height) = (scaled_side(width), scaled_side(height));
    let grey = !image.color().has_color();
    let pixels = if grey { PixelType::U8 } else { PixelType::U8x3 };
    let from = ImageRef::new(width, height, image.as_bytes(), pixels).map_err(|error| damaged(&error))?;
    let mut to = Image::new(scaled_width, scaled_height, pixels);
    let lanczos = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    Resizer::new().resize(&from, &mut to, &lanczos).map_err(|error| damaged(&error))?;
    let scaled = if grey {
        GrayImage::from_raw(scaled_width, scaled_height, to.into_vec()).map(DynamicImage::from)
    } else {
        RgbImage::from_raw(scaled_width, scaled_height, to.into_vec()).map(DynamicImage::from)
    };
    scaled.ok_or_else(|| damaged(&"its pixels are fewer than its sides say"))
}

fn encode_png(image: &DynamicImage, compression: CompressionType) -> Result<Vec<u8>, ImageError> {
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, compression, RowFilter::Adaptive);
    image.write_with_encoder(encoder)?;
    Ok(png)
}

impl From<image::ImageError> for ImageError {
    fn from(error: image::ImageError) -> Self {
        damaged(&error)
    }
}

fn damaged(what: &impl ToString) -> ImageError {
    ImageError::Damaged(what.to_string())
}

#[cfg(test)]
mod tests;
