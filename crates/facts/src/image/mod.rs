//! Pictures: how the file is coded, what its metadata says, and what its pixels show.

mod chance;
mod compression;
mod copies;
mod editor;
mod exif;
mod grids;
mod history;
mod jpeg;
mod lettering;
mod model;
mod perceptual;
pub(crate) mod plane;
mod png;
mod spectrum;
mod transform;

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader};

use self::{editor::Marks, plane::Plane};
pub use self::{
    exif::{Exif, Moment, Position},
    model::{
        CompressionFacts, CopiedPart, EditorTrace, ErrorLevel, GridFacts, GridPart, HistoryFacts, ImageFacts,
        JpegFacts, OddPart, Part, Pattern, PixelFacts, PngFacts, QuantisationTable, RecaptureFacts, Segment,
        SpectrumPeak,
    },
};
use crate::{
    Limits, UnreadableReason, near,
    provenance::{self, Declared},
    xmp,
};
use sealwright_provenance::{Container, TrustList};

/// The thumbnail of an EXIF segment has at most 64 KiB; a picture with more pixels is not a thumbnail.
const MAX_THUMBNAIL_PIXELS: u64 = 1 << 20;
const XMP_PREFIX: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// The facts of a picture, and its brightness for reading text or codes in it.
pub(crate) struct ImageData {
    pub(crate) facts: ImageFacts,
    pub(crate) plane: Option<Plane>,
    /// Where the format's own data ends.
    pub(crate) end: usize,
}

/// How closely the pixels are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// For papers: their letters repeat, so that copied parts mean nothing.
    Usual,
    /// For photos of places and things: also whether parts come from elsewhere, which takes as long as all the rest.
    Parts,
}

/// Reads a JPEG file.
pub(crate) fn read_jpeg(
    file: &[u8],
    limits: &Limits,
    trust: &TrustList,
    depth: Depth,
) -> Result<ImageData, UnreadableReason> {
    let read = jpeg::read(file).ok_or(UnreadableReason::Malformed)?;
    within(read.width, read.height, limits.max_pixels)?;
    let segment = |marker: u8, prefix: &[u8]| {
        read.parts.iter().filter(|part| part.marker == marker).find_map(|part| part.payload.strip_prefix(prefix))
    };
    let exif = segment(0xE1, b"Exif\0\0").and_then(exif::read);
    let xmp = segment(0xE1, XMP_PREFIX).and_then(xmp::read);
    let picture = decode(file, ImageFormat::Jpeg);
    let luminance = read.facts.quantisation.iter().find(|table| table.number == 0).map(|table| table.values.as_slice());
    let thumbnail = exif.as_ref().and_then(|read| read.thumbnail);
    let looked_at = picture.map(|picture| pixels(&picture, thumbnail, Quantisation::Jpeg(luminance), depth));
    let mut declared = Declared::of(exif.as_ref().map(|read| &read.declared), xmp.as_ref());
    declared.texts.extend(read.facts.comment.iter().map(|text| ("comment", "Comment", text.as_str())));
    let provenance = provenance::of_file(file, Container::Jpeg, &declared, trust);
    let exif = exif.map(|read| read.exif);
    let marks = Marks { exif: exif.as_ref(), xmp: xmp.as_ref(), jpeg: Some((&read.facts, &read.parts)), png: None };
    let editors = editor::traces(&marks);
    let (pixels, plane) = looked_at.unzip();
    let facts = ImageFacts {
        width: read.width,
        height: read.height,
        jpeg: Some(read.facts),
        png: None,
        exif,
        xmp,
        editors,
        pixels,
        provenance,
    };
    Ok(ImageData { facts, plane, end: read.end })
}

/// The brightness of a JPEG file of at most a megapixel.
pub(crate) fn plane_of_jpeg(file: &[u8]) -> Option<Plane> {
    let read = jpeg::read(file)?;
    within(read.width, read.height, MAX_THUMBNAIL_PIXELS).ok()?;
    decode(file, ImageFormat::Jpeg).map(|picture| Plane::of(&picture))
}

/// Reads a PNG file.
pub(crate) fn read_png(
    file: &[u8],
    limits: &Limits,
    trust: &TrustList,
    depth: Depth,
) -> Result<ImageData, UnreadableReason> {
    let read = png::read(file).ok_or(UnreadableReason::Malformed)?;
    within(read.width, read.height, limits.max_pixels)?;
    let exif = read.exif.as_deref().and_then(exif::read);
    let xmp = read.xmp.as_deref().and_then(xmp::read);
    let picture = decode(file, ImageFormat::Png);
    let thumbnail = exif.as_ref().and_then(|read| read.thumbnail);
    let looked_at = picture.map(|picture| pixels(&picture, thumbnail, Quantisation::None, depth));
    let mut declared = Declared::of(exif.as_ref().map(|read| &read.declared), xmp.as_ref());
    declared.texts.extend(read.long_texts.iter().map(|(name, text)| ("png text", name.as_str(), text.as_str())));
    let provenance = provenance::of_file(file, Container::Png, &declared, trust);
    let exif = exif.map(|read| read.exif);
    let marks = Marks { exif: exif.as_ref(), xmp: xmp.as_ref(), jpeg: None, png: Some(&read.facts) };
    let editors = editor::traces(&marks);
    let (pixels, plane) = looked_at.unzip();
    let facts = ImageFacts {
        width: read.width,
        height: read.height,
        jpeg: None,
        png: Some(read.facts),
        exif,
        xmp,
        editors,
        pixels,
        provenance,
    };
    Ok(ImageData { facts, plane, end: read.end })
}

/// How a JPEG inside a PDF file is coded.
pub(crate) fn jpeg_facts(file: &[u8]) -> Option<JpegFacts> {
    Some(jpeg::read(file)?.facts)
}

fn within(width: u32, height: u32, max_pixels: u64) -> Result<(), UnreadableReason> {
    if u64::from(width) * u64::from(height) > max_pixels { Err(UnreadableReason::TooManyPixels) } else { Ok(()) }
}

/// The picture; the caller has checked its size.
fn decode(file: &[u8], format: ImageFormat) -> Option<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(512 << 20);
    reader.limits(limits);
    reader.decode().ok()
}

/// Whether the pixels were quantised, and by which luminance table.
#[derive(Clone, Copy)]
enum Quantisation<'a> {
    None,
    /// `None` if the first scan has no table to use.
    Jpeg(Option<&'a [u16]>),
}

fn pixels(
    picture: &DynamicImage,
    thumbnail: Option<&[u8]>,
    quantisation: Quantisation,
    depth: Depth,
) -> (PixelFacts, Plane) {
    let plane = Plane::of(picture);
    let colour = picture.as_rgb8();
    let converted = if colour.is_none() && picture.color().has_color() { Some(picture.to_rgb8()) } else { None };
    let colour = colour.or(converted.as_ref());
    let dct = perceptual::dct_hash(&plane);
    let histogram = plane.histogram();
    let (mean, contrast, blown_out, black) = brightness(&histogram);
    let thumbnail = thumbnail.and_then(|thumbnail| thumbnail_distance(dct, &plane, thumbnail));
    let facts = PixelFacts {
        dct_hash: near::to_text(dct),
        gradient_hash: near::to_text(perceptual::gradient_hash(&plane)),
        mean_brightness: mean,
        contrast,
        blown_out,
        black,
        sharpness: sharpness(&plane),
        thumbnail_distance: thumbnail.map(|(bits, _)| bits),
        thumbnail_turn: thumbnail.map_or(0, |(_, quarters)| quarters),
        compression: match quantisation {
            Quantisation::Jpeg(table) => Some(compression::compression(&plane, colour, table)),
            Quantisation::None => None,
        },
        grids: match (depth, quantisation) {
            (Depth::Usual, _) => GridFacts::default(),
            (Depth::Parts, Quantisation::Jpeg(table)) => grids::grids(&plane, table),
            (Depth::Parts, Quantisation::None) => grids::grids(&plane, None),
        },
        copied: if depth == Depth::Parts { copies::copies(&plane) } else { None },
        recapture: spectrum::recapture(&plane, &histogram, colour),
    };
    (facts, plane)
}

/// Mean and standard deviation in hundredths, bright and dark pixels in hundredths of a percent.
fn brightness(histogram: &[u64; 256]) -> (u32, u32, u32, u32) {
    let count = histogram.iter().sum();
    let whole = plane::to_f64(count).max(1.0);
    let sum = |power: u32| (0..256_u64).zip(histogram).map(|(value, n)| value.pow(power) * n).sum::<u64>();
    let mean = plane::to_f64(sum(1)) / whole;
    let variance = (plane::to_f64(sum(2)) / whole - mean * mean).max(0.0);
    let share = |values: &[u64]| plane::per_ten_thousand(values.iter().sum(), count);
    (
        plane::scaled(mean, 100.0),
        plane::scaled(variance.sqrt(), 100.0),
        share(&histogram[250..]),
        share(&histogram[..6]),
    )
}

/// The mean magnitude of the Laplacian in hundredths, in the middle of the picture.
fn sharpness(plane: &Plane) -> u32 {
    let part = plane.middle(2_048);
    if part.width < 3 || part.height < 3 {
        return 0;
    }
    let mut sum = 0_u64;
    for y in 1..part.height - 1 {
        let (above, row, below) = (part.row(y - 1), part.row(y), part.row(y + 1));
        for x in 1..part.width - 1 {
            let around = i32::from(above[x]) + i32::from(below[x]) + i32::from(row[x - 1]) + i32::from(row[x + 1]);
            sum += u64::from((4 * i32::from(row[x]) - around).unsigned_abs());
        }
    }
    let count = (part.width - 2) * (part.height - 2);
    plane::scaled(plane::to_f64(sum) / plane::to_f64(count as u64), 100.0)
}

/// How many bits differ, and by how many quarters the thumbnail must be turned to the right for that. A viewer that turns a
/// picture upright often leaves the thumbnail as it was. Cameras pad a thumbnail of another shape with black bars, which
/// are cut off before the comparison.
fn thumbnail_distance(hash: u64, plane: &Plane, thumbnail: &[u8]) -> Option<(u8, u8)> {
    /// The EXIF orientations that are turns, by quarters to the right.
    const TURNS: [(u8, u8); 4] = [(0, 1), (1, 6), (2, 3), (3, 8)];
    let read = jpeg::read(thumbnail)?;
    within(read.width, read.height, MAX_THUMBNAIL_PIXELS).ok()?;
    let small = Plane::of(&decode(thumbnail, ImageFormat::Jpeg)?);
    let distance = |small: &Plane| (perceptual::dct_hash(small) ^ hash).count_ones();
    let turned = TURNS.iter().map(|(quarters, orientation)| {
        let small = small.clone().upright(*orientation);
        let cut = without_bars(&small, plane);
        (distance(&small).min(distance(&cut)), *quarters)
    });
    let (bits, quarters) = turned.min()?;
    Some((u8::try_from(bits).ok()?, quarters))
}

/// The middle of the thumbnail that has the shape of the picture.
fn without_bars(small: &Plane, picture: &Plane) -> Plane {
    let height = (small.width * picture.height / picture.width).clamp(1, small.height);
    let width = (small.height * picture.width / picture.height).clamp(1, small.width);
    let (left, top) = ((small.width - width) / 2, (small.height - height) / 2);
    let values = (top..top + height).flat_map(|y| &small.row(y)[left..left + width]).copied().collect();
    Plane { width, height, values }
}
