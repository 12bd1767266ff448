//! Pictures made from an uploaded JPEG or PNG: for browsers and for the certificate, upright and without metadata.
//!
//! The input is assumed to be hostile: its size is checked in its header before anything is decoded, and no input makes
//! these functions panic. They compute for up to a second and must run on a blocking thread (`spawn_blocking`), never
//! on the runtime's own; one call takes up to about 1 GiB for the largest pictures, so the caller limits how many run
//! at once.
//!
//! Colour profiles are removed with the rest of the metadata: a profile is a file in the file, and the original has the
//! exact colours.

use std::{
    io::Cursor,
    panic::{AssertUnwindSafe, catch_unwind},
};

use fast_image_resize::{
    FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::{U8, U8x3},
};
use image::{
    DynamicImage, GrayImage, ImageDecoder, Limits, RgbImage,
    codecs::{
        jpeg::{JpegDecoder, JpegEncoder},
        png::{CompressionType, FilterType as RowFilter, PngDecoder, PngEncoder},
    },
    metadata::Orientation,
};

use super::jpeg;
use crate::domain::file_kind::{FileKind, describe};

/// Larger pictures are refused by their header.
const MAX_PIXELS: u64 = 100_000_000;
/// The longest side that a JPEG can have; PNG allows 2³¹ - 1.
const MAX_SIDE: u32 = 65_535;
/// What decoding may allocate in total: the pixels, and for some JPEGs the coefficients of the whole picture.
const MAX_ALLOCATION: u64 = 512 * 1024 * 1024;
/// The limit for a PNG's other chunks (profiles, texts) when unpacked, and for one row.
const MAX_PNG_EXTRAS: u64 = 16 * 1024 * 1024;
/// For photos in certificates and previews: the usual balance, at which artefacts are hardly visible in print.
const JPEG_QUALITY: u8 = 85;
/// A PNG that is larger than this after scaling is a photo, not a drawing or a signature.
const LARGEST_DRAWING: usize = 512 * 1024;

const DECODER_PANICKED: &str = "its decoder crashed";

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

/// A picture that is ready for a certificate.
#[derive(Debug)]
pub struct CertificateImage {
    pub bytes: Vec<u8>,
    /// JPEG for photos, PNG for drawings and signatures.
    pub kind: FileKind,
    /// In pixels, as shown.
    pub width: u32,
    pub height: u32,
}

/// The whole picture as PNG for `GET /images/:key` (decisions 9): every pixel, upright by its EXIF orientation, without
/// metadata.
pub fn png_of(file: &[u8]) -> Result<Vec<u8>, ImageError> {
    let DecodedImage { mut image, orientation, .. } = decode(file)?;
    image.apply_orientation(orientation);
    encode_png(&image, CompressionType::Fast)
}

/// Width and height of a picture, in pixels as stored. Decodes all of it, so that a damaged one is detected.
pub fn size(file: &[u8]) -> Result<(u32, u32), ImageError> {
    let DecodedImage { image, .. } = decode(file)?;
    Ok((image.width(), image.height()))
}

/// The picture for a certificate: upright, its longer side at most `max_side` pixels, transparency laid on white.
///
/// A JPEG stays a JPEG. A PNG stays a PNG, so that the lines of a signature stay sharp, unless it is a photo in a PNG.
pub fn for_certificate(file: &[u8], max_side: u32) -> Result<CertificateImage, ImageError> {
    let DecodedImage { image, orientation, kind } = decode(file)?;
    let image = upright_and_scaled(image, orientation, max_side)?;
    let (width, height) = (image.width(), image.height());
    if kind == FileKind::Png {
        let bytes = encode_png(&image, CompressionType::Default)?;
        if bytes.len() <= LARGEST_DRAWING {
            return Ok(CertificateImage { bytes, kind, width, height });
        }
    }
    Ok(CertificateImage { bytes: encode_jpeg(&image)?, kind: FileKind::Jpeg, width, height })
}

/// A small picture as JPEG, for pages that show many: upright, its longer side at most `max_side` pixels, transparency
/// laid on white, without metadata.
pub fn preview_of(file: &[u8], max_side: u32) -> Result<Vec<u8>, ImageError> {
    let DecodedImage { image, orientation, .. } = decode(file)?;
    encode_jpeg(&upright_and_scaled(image, orientation, max_side)?)
}

struct DecodedImage {
    image: DynamicImage,
    orientation: Orientation,
    kind: FileKind,
}

/// Decodes `file` within the limits. The decoders should not panic, but they are large, and a file may be crafted to
/// break them; a panic means that the file is damaged.
fn decode(file: &[u8]) -> Result<DecodedImage, ImageError> {
    let kind = FileKind::of(file);
    let decoded = catch_unwind(AssertUnwindSafe(|| match kind {
        Some(kind @ FileKind::Jpeg) => {
            let decoder = JpegDecoder::new(Cursor::new(file))?;
            // Two bytes for each coefficient of up to four components.
            let extra_bytes_per_pixel = if jpeg::keeps_coefficients(file) { 4 * 2 } else { 0 };
            decode_within_limits(decoder, extra_bytes_per_pixel, kind)
        }
        Some(kind @ FileKind::Png) => {
            let decoder = PngDecoder::with_limits(Cursor::new(file), limits(MAX_PNG_EXTRAS))?;
            decode_within_limits(decoder, 0, kind)
        }
        _ => Err(ImageError::NotAnImage(describe(file))),
    }));
    decoded.unwrap_or_else(|_| Err(ImageError::Damaged(DECODER_PANICKED.to_owned())))
}

/// `extra_bytes_per_pixel`: how many bytes per pixel the decoder needs in addition to the pixels themselves.
fn decode_within_limits(
    mut decoder: impl ImageDecoder,
    extra_bytes_per_pixel: u64,
    kind: FileKind,
) -> Result<DecodedImage, ImageError> {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let allocation = decoder.total_bytes().saturating_add(pixels.saturating_mul(extra_bytes_per_pixel));
    if width.max(height) > MAX_SIDE || pixels > MAX_PIXELS || allocation > MAX_ALLOCATION {
        return Err(ImageError::TooLarge { width, height });
    }
    // A picture with an unreadable orientation is still shown.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    decoder.set_limits(limits(MAX_ALLOCATION))?;
    let image = DynamicImage::from_decoder(decoder)?;
    Ok(DecodedImage { image, orientation, kind })
}

fn limits(allocation: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(allocation);
    limits
}

/// Upright and opaque, its longer side at most `max_side` pixels.
fn upright_and_scaled(
    image: DynamicImage,
    orientation: Orientation,
    max_side: u32,
) -> Result<DynamicImage, ImageError> {
    let mut image = scale_down(on_white(image), max_side)?;
    // After scaling, because rotating a picture copies it.
    image.apply_orientation(orientation);
    Ok(image)
}

/// Eight bits per channel, grey or RGB, with transparency on white as on paper. This comes before scaling, which would
/// mix the invisible colour of transparent pixels into their neighbours.
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
    // At most 255 × 255 / 255, so it fits.
    u8::try_from((value * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(u8::MAX)
}

/// Scales an opaque picture of eight bits per channel so that its longer side is `max_side`; a smaller one is
/// unchanged.
///
/// The crate `image` can scale too, but takes several times longer than decoding the photo.
fn scale_down(image: DynamicImage, max_side: u32) -> Result<DynamicImage, ImageError> {
    let (width, height) = (image.width(), image.height());
    if width.max(height) <= max_side {
        return Ok(image);
    }
    let scaled_side = |side: u32| {
        let scaled = (u64::from(side) * u64::from(max_side)).div_ceil(u64::from(width.max(height)));
        // At most `max_side`, and never 0.
        u32::try_from(scaled).unwrap_or(max_side).max(1)
    };
    let (width, height) = (scaled_side(width), scaled_side(height));
    let scaled = if image.color().has_color() {
        RgbImage::from_raw(width, height, resize::<U8x3>(&image, width, height)?).map(DynamicImage::from)
    } else {
        GrayImage::from_raw(width, height, resize::<U8>(&image, width, height)?).map(DynamicImage::from)
    };
    scaled.ok_or_else(|| damaged(&"it has fewer pixels than its size states"))
}

/// The pixels of the resized picture. Each type of pixel is code of its own, so only the types in use are named.
fn resize<P: PixelTrait>(image: &DynamicImage, width: u32, height: u32) -> Result<Vec<u8>, ImageError> {
    let from = TypedImageRef::<P>::from_buffer(image.width(), image.height(), image.as_bytes());
    let from = from.map_err(|error| damaged(&error))?;
    let mut pixels = vec![0; width as usize * height as usize * size_of::<P>()];
    let mut to = TypedImage::<P>::from_buffer(width, height, &mut pixels).map_err(|error| damaged(&error))?;
    let lanczos = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    Resizer::new().resize_typed(&from, &mut to, &lanczos).map_err(|error| damaged(&error))?;
    Ok(pixels)
}

fn encode_jpeg(image: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    let mut jpeg = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY))?;
    Ok(jpeg)
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
