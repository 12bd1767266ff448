//! A photograph of the scene as a telephone saves it: JPEG, with the EXIF data of its capture.

use std::{fmt, io::Cursor, str::FromStr};

use anyhow::Context as _;
use exif::{Field, In, Rational, Tag, Value, experimental::Writer};
use image::{ImageEncoder as _, RgbImage, codecs::jpeg::JpegEncoder, imageops};
use jiff::{civil::DateTime, tz::Offset};

use crate::scene::{self, Scene};

/// What to photograph, and the metadata of the file.
#[derive(Clone, Debug)]
pub struct PhotoOptions {
    /// Which house: see [`Scene::new`].
    pub seed: u64,
    /// Size of the upright picture in pixels, 16 to 16,384 each.
    pub width: u32,
    pub height: u32,
    /// JPEG quality, 1 to 100.
    pub quality: u8,
    /// Stores the picture rotated a quarter to the left with EXIF orientation 6, as a telephone held upright does: only
    /// a reader that respects the orientation shows it upright.
    pub stored_rotated: bool,
    /// The camera's own clock when the picture was taken.
    pub taken_at: TakenAt,
    /// Where it was taken; without it the file has no GPS data.
    pub position: Option<Position>,
}

impl Default for PhotoOptions {
    /// A landscape picture of about seven megapixels and one megabyte.
    fn default() -> Self {
        Self {
            seed: 1,
            width: 3000,
            height: 2250,
            quality: 80,
            stored_rotated: false,
            taken_at: TakenAt::default(),
            position: Some(Position::default()),
        }
    }
}

/// A local time with its offset from UTC, which EXIF 2.31 stores in two tags.
#[derive(Clone, Copy, Debug)]
pub struct TakenAt {
    pub local: DateTime,
    pub offset: Offset,
}

impl Default for TakenAt {
    fn default() -> Self {
        Self { local: DateTime::constant(2026, 11, 20, 10, 42, 17, 0), offset: Offset::constant(1) }
    }
}

impl FromStr for TakenAt {
    type Err = anyhow::Error;

    /// Reads RFC 3339 with an offset, such as `2026-11-20T10:42:17+01:00`.
    fn from_str(text: &str) -> anyhow::Result<Self> {
        let pieces = jiff::fmt::temporal::Pieces::parse(text)?;
        let offset = pieces.to_numeric_offset().context("the time has no offset such as +01:00")?;
        let time = pieces.time().context("the date has no time of day")?;
        Ok(Self { local: pieces.date().to_datetime(time), offset })
    }
}

impl fmt::Display for TakenAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.local, offset_text(self.offset))
    }
}

/// A place in WGS 84, in degrees: latitude -90 to 90 (north is positive), longitude -180 to 180 (east is positive).
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub latitude: f64,
    pub longitude: f64,
}

impl Default for Position {
    fn default() -> Self {
        Self { latitude: 45.764_043, longitude: 4.835_659 }
    }
}

/// The photograph's bytes.
///
/// # Errors
/// If the size or the position is out of range, or the time does not exist in UTC.
pub fn photo(options: &PhotoOptions) -> anyhow::Result<Vec<u8>> {
    anyhow::ensure!(
        (16..=16_384).contains(&options.width) && (16..=16_384).contains(&options.height),
        "a photo is 16 to 16384 pixels wide and high, not {} × {}",
        options.width,
        options.height
    );
    let upright = Scene::new(options.seed).render(&scene::Camera::default(), options.width, options.height);
    let stored = if options.stored_rotated { imageops::rotate270(&upright) } else { upright };
    write(&stored, options, &Camera::default())
}

/// A camera's description of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) make: &'static str,
    pub(crate) model: &'static str,
    pub(crate) software: &'static str,
}

impl Default for Camera {
    fn default() -> Self {
        Self { make: "Acme", model: "Fieldphone 5", software: "Sealwright lab (drawn scene)" }
    }
}

/// A picture as a camera's file.
fn write(picture: &RgbImage, options: &PhotoOptions, camera: &Camera) -> anyhow::Result<Vec<u8>> {
    let (width, height) = picture.dimensions();
    let mut fields = camera_fields(options, camera, width, height);
    if let Some(position) = options.position {
        fields.extend(gps_fields(position, options.taken_at)?);
    }
    encoded(picture, options.quality, exif(&fields, None)?)
}

/// A picture as saved by an editor, which writes little more than its own name.
pub(crate) fn saved_by_editor(picture: &RgbImage, program: &str, quality: u8) -> anyhow::Result<Vec<u8>> {
    let (width, height) = picture.dimensions();
    encoded(picture, quality, exif(&editor_fields(program, width, height), None)?)
}

pub(crate) fn editor_fields(program: &str, width: u32, height: u32) -> Vec<Field> {
    vec![
        field(Tag::Orientation, Value::Short(vec![1])),
        text(Tag::Software, program),
        text(Tag::DateTime, "2026:11:21 18:03:40"),
        field(Tag::PixelXDimension, Value::Long(vec![width])),
        field(Tag::PixelYDimension, Value::Long(vec![height])),
    ]
}

fn encoded(picture: &RgbImage, quality: u8, exif: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, quality);
    encoder.set_exif_metadata(exif)?;
    encoder.encode_image(picture)?;
    Ok(jpeg)
}

/// The capture's data as a TIFF structure (EXIF 2.32), without the JPEG segment's header; `thumbnail` is a small JPEG.
pub(crate) fn exif(fields: &[Field], thumbnail: Option<&[u8]>) -> anyhow::Result<Vec<u8>> {
    let mut writer = Writer::new();
    for field in fields {
        writer.push_field(field);
    }
    if let Some(thumbnail) = thumbnail {
        writer.set_jpeg(thumbnail, In::THUMBNAIL);
    }
    let mut tiff = Cursor::new(Vec::new());
    writer.write(&mut tiff, false).context("the EXIF data cannot be written")?;
    Ok(tiff.into_inner())
}

pub(crate) fn camera_fields(options: &PhotoOptions, camera: &Camera, width: u32, height: u32) -> Vec<Field> {
    let TakenAt { local, offset } = options.taken_at;
    let taken = local.strftime("%Y:%m:%d %H:%M:%S").to_string();
    let offset = offset_text(offset);
    let orientation = if options.stored_rotated { 6 } else { 1 };
    vec![
        text(Tag::Make, camera.make),
        text(Tag::Model, camera.model),
        text(Tag::Software, camera.software),
        text(Tag::DateTime, &taken),
        field(Tag::Orientation, Value::Short(vec![orientation])),
        field(Tag::XResolution, ratios(&[(72, 1)])),
        field(Tag::YResolution, ratios(&[(72, 1)])),
        field(Tag::ResolutionUnit, Value::Short(vec![2])),
        field(Tag::ExifVersion, Value::Undefined(b"0232".to_vec(), 0)),
        text(Tag::DateTimeOriginal, &taken),
        text(Tag::DateTimeDigitized, &taken),
        text(Tag::OffsetTime, &offset),
        text(Tag::OffsetTimeOriginal, &offset),
        text(Tag::OffsetTimeDigitized, &offset),
        field(Tag::ExposureTime, ratios(&[(1, 250)])),
        field(Tag::FNumber, ratios(&[(188, 100)])),
        field(Tag::PhotographicSensitivity, Value::Short(vec![100])),
        field(Tag::FocalLength, ratios(&[(558, 100)])),
        field(Tag::ColorSpace, Value::Short(vec![1])),
        field(Tag::PixelXDimension, Value::Long(vec![width])),
        field(Tag::PixelYDimension, Value::Long(vec![height])),
    ]
}

pub(crate) fn gps_fields(position: Position, taken_at: TakenAt) -> anyhow::Result<Vec<Field>> {
    let Position { latitude, longitude } = position;
    anyhow::ensure!((-90.0..=90.0).contains(&latitude), "a latitude is -90 to 90, not {latitude}");
    anyhow::ensure!((-180.0..=180.0).contains(&longitude), "a longitude is -180 to 180, not {longitude}");
    let utc = Offset::UTC.to_datetime(taken_at.offset.to_timestamp(taken_at.local)?);
    let clock = [utc.hour(), utc.minute(), utc.second()].map(|part| (u32::from(part.unsigned_abs()), 1));
    Ok(vec![
        field(Tag::GPSVersionID, Value::Byte(vec![2, 3, 0, 0])),
        text(Tag::GPSLatitudeRef, if latitude < 0.0 { "S" } else { "N" }),
        field(Tag::GPSLatitude, degrees(latitude)),
        text(Tag::GPSLongitudeRef, if longitude < 0.0 { "W" } else { "E" }),
        field(Tag::GPSLongitude, degrees(longitude)),
        field(Tag::GPSHPositioningError, ratios(&[(65, 10)])),
        field(Tag::GPSTimeStamp, ratios(&clock)),
        text(Tag::GPSDateStamp, &utc.strftime("%Y:%m:%d").to_string()),
    ])
}

/// Degrees, minutes and seconds; the seconds to a ten-thousandth, which is about three millimetres.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most 180 degrees are 6.48 thousand million units of a ten-thousandth of a second, and none is negative"
)]
fn degrees(angle: f64) -> Value {
    let units = (angle.abs() * 36_000_000.0).round() as u64;
    let part = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    ratios(&[(part(units / 36_000_000), 1), (part(units / 600_000 % 60), 1), (part(units % 600_000), 10_000)])
}

fn offset_text(offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

fn field(tag: Tag, value: Value) -> Field {
    Field { tag, ifd_num: In::PRIMARY, value }
}

pub(crate) fn text(tag: Tag, value: &str) -> Field {
    field(tag, Value::Ascii(vec![value.as_bytes().to_vec()]))
}

fn ratios(values: &[(u32, u32)]) -> Value {
    Value::Rational(values.iter().map(|&(num, denom)| Rational { num, denom }).collect())
}

#[cfg(test)]
mod tests {
    use image::{GenericImageView, ImageFormat};

    use super::*;

    fn small() -> PhotoOptions {
        PhotoOptions { width: 160, height: 120, ..PhotoOptions::default() }
    }

    fn read_exif(jpeg: &[u8]) -> exif::Exif {
        exif::Reader::new().read_from_container(&mut Cursor::new(jpeg)).unwrap()
    }

    fn shown(data: &exif::Exif, tag: Tag) -> String {
        data.get_field(tag, In::PRIMARY).unwrap().display_value().to_string()
    }

    #[test]
    fn a_photo_carries_its_camera_time_and_position() {
        let jpeg = photo(&small()).unwrap();
        let data = read_exif(&jpeg);
        assert_eq!(shown(&data, Tag::Model), "\"Fieldphone 5\"");
        assert_eq!(shown(&data, Tag::DateTimeOriginal), "2026-11-20 10:42:17");
        assert_eq!(shown(&data, Tag::OffsetTimeOriginal), "\"+01:00\"");
        assert_eq!(shown(&data, Tag::GPSLatitude), "45 deg 45 min 50.5548 sec");
        assert_eq!(shown(&data, Tag::GPSLongitude), "4 deg 50 min 8.3724 sec");
        assert_eq!(shown(&data, Tag::GPSTimeStamp), "09:42:17");
    }

    #[test]
    fn a_rotated_photo_is_the_upright_one_turned_to_the_left() {
        let decode = |options: &PhotoOptions| {
            let jpeg = photo(options).unwrap();
            (
                shown(&read_exif(&jpeg), Tag::Orientation),
                image::load_from_memory_with_format(&jpeg, ImageFormat::Jpeg).unwrap(),
            )
        };
        let (upright_tag, upright) = decode(&small());
        let (rotated_tag, rotated) = decode(&PhotoOptions { stored_rotated: true, ..small() });
        assert_eq!(upright_tag, "row 0 at top and column 0 at left");
        assert_eq!(rotated_tag, "row 0 at right and column 0 at top");
        assert_eq!(rotated.dimensions(), (120, 160));
        let turned_back = rotated.rotate90().to_rgb8();
        let difference: u64 =
            upright.to_rgb8().iter().zip(turned_back.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        assert!(difference / (160 * 120 * 3) < 12, "the pictures differ by {difference} in all");
    }

    #[test]
    fn a_seed_determines_every_byte() {
        let bytes = |seed| photo(&PhotoOptions { seed, ..small() }).unwrap();
        assert_eq!(bytes(3), bytes(3));
        assert_ne!(bytes(3), bytes(4));
    }

    #[test]
    fn a_photo_without_a_position_has_no_gps_data() {
        let jpeg = photo(&PhotoOptions { position: None, ..small() }).unwrap();
        assert!(read_exif(&jpeg).get_field(Tag::GPSLatitude, In::PRIMARY).is_none());
    }

    #[test]
    fn a_size_or_a_place_out_of_range_is_rejected() {
        assert!(photo(&PhotoOptions { width: 0, ..small() }).is_err());
        let nowhere = Position { latitude: 90.1, longitude: 0.0 };
        assert!(photo(&PhotoOptions { position: Some(nowhere), ..small() }).is_err());
    }

    #[test]
    fn a_time_of_capture_needs_its_offset() {
        let west = "2026-11-20T10:42:17-03:30".parse::<TakenAt>().unwrap();
        assert_eq!(offset_text(west.offset), "-03:30");
        assert!("2026-11-20T10:42:17".parse::<TakenAt>().is_err());
        assert!("2026-11-20".parse::<TakenAt>().is_err());
    }
}
