//! Labelled photographs: untouched, passed on, cropped or scaled down, and edited in many ways. The analysis is tuned
//! on some and judged on others.

mod coding;
mod editing;
mod metadata;
mod motif;
mod recapture;
mod retouch;
mod sensor;

use image::{RgbImage, imageops};
use serde_json::{Value, json};

pub use self::editing::Editing;
use self::{
    coding::{Coding, Sampling},
    metadata::Metadata,
    motif::Motif,
    sensor::{Light, Sensor},
};
use crate::{
    JUDGING,
    random::Random,
    scene::{self, Scene},
};

/// A photograph and its label.
pub struct LabelledPhoto {
    pub jpeg: Vec<u8>,
    pub seed: u64,
    pub editing: Editing,
    pub camera: &'static str,
    /// Left, top, width, height in pixels of the changed part, if only a part was changed.
    pub area: Option<[u32; 4]>,
}

impl LabelledPhoto {
    /// The label as written to `labels.json`.
    pub fn to_json(&self, file: &str) -> Value {
        json!({
            "file": file,
            "seed": self.seed,
            "editing": self.editing.name(),
            "genuine": self.editing.is_genuine(),
            "camera": self.camera,
            "area": self.area,
        })
    }
}

/// Makes a photograph.
///
/// # Errors
/// If it cannot be drawn or written, which is a bug in the lab.
pub fn labelled_photo(seed: u64, editing: Editing) -> anyhow::Result<LabelledPhoto> {
    let mut random = Random::new(seed, "picture set");
    let metadata = Metadata::invented(&mut random);
    let coding = camera_coding(&mut random);
    let size = random.pick(&[(1024, 768), (960, 720), (800, 600), (768, 1024), (1120, 840), (1280, 960)]);
    let picture = taken(seed, editing, size, &mut random);
    let original = coding::encode(&picture, coding, Some(&metadata.written(size, Some(&thumbnail(&picture)?))?))?;
    let mut photo = LabelledPhoto { jpeg: original, seed, editing, camera: metadata.camera(), area: None };
    let opened = open(&photo.jpeg)?;
    photo.jpeg = match editing {
        Editing::None | Editing::Night | Editing::Pattern | Editing::Screen | Editing::Print => return Ok(photo),
        Editing::Bare => coding::encode(&picture, coding, None)?,
        Editing::Messenger => passed_on(&opened, &mut random)?,
        Editing::Cropped => {
            let side = |length: u32, random: &mut Random| {
                let kept = length * u32::try_from(random.whole(45, 92)).unwrap_or(50) / 100;
                (u32::try_from(random.whole(0, u64::from(length - kept))).unwrap_or(0), kept)
            };
            let ((left, wide), (top, high)) = (side(size.0, &mut random), side(size.1, &mut random));
            let cut = imageops::crop_imm(&opened, left, top, wide, high).to_image();
            saved(&cut, &metadata, &mut random)?
        }
        Editing::Resized => {
            let scale = u32::try_from(random.whole(30, 90)).unwrap_or(50);
            let smaller = resized(&opened, scale, &mut random);
            saved(&smaller, &metadata, &mut random)?
        }
        Editing::EditorTrace => {
            let mut changed = opened;
            if random.whole(0, 1) == 0 {
                retouch::relight(&mut changed, &mut random);
            } else {
                photo.area = Some(retouch::copy(&mut changed, &mut random));
            }
            let exif = metadata::by_editor(size, seed >= JUDGING, &mut random)?;
            coding::encode(&changed, editor_coding(&mut random), Some(&exif))?
        }
        Editing::Resaved => saved(&opened, &metadata, &mut random)?,
        Editing::Relit => {
            let mut changed = opened;
            retouch::relight(&mut changed, &mut random);
            saved(&changed, &metadata, &mut random)?
        }
        Editing::Splice | Editing::SplicePassedOn => {
            let mut changed = opened;
            photo.area = Some(splice(&mut changed, seed, &mut random)?);
            if editing == Editing::Splice {
                kept_or_bare(&changed, &metadata, &mut random)?
            } else {
                passed_on(&open(&saved(&changed, &metadata, &mut random)?)?, &mut random)?
            }
        }
        Editing::Clone | Editing::Removal | Editing::Enlarged => {
            let mut changed = opened;
            photo.area = Some(match editing {
                Editing::Clone => retouch::copy(&mut changed, &mut random),
                Editing::Removal => retouch::remove(&mut changed, &mut random),
                _ => retouch::enlarge(&mut changed, &mut random),
            });
            kept_or_bare(&changed, &metadata, &mut random)?
        }
        Editing::StaleThumbnail => {
            let mut changed = opened;
            photo.area = Some(retouch::remove(&mut changed, &mut random));
            let (width, height) = size;
            let cut = imageops::crop_imm(&changed, width / 5, height / 5, width * 3 / 5, height * 3 / 5).to_image();
            let exif = metadata.written(cut.dimensions(), Some(&thumbnail(&picture)?))?;
            coding::encode(&cut, editor_coding(&mut random), Some(&exif))?
        }
        Editing::Metadata => {
            let exif = metadata.changed(size, Some(&thumbnail(&picture)?), &mut random)?;
            coding::encode(&picture, coding, Some(&exif))?
        }
    };
    Ok(photo)
}

/// The picture that a camera takes.
fn taken(seed: u64, editing: Editing, (width, height): (u32, u32), random: &mut Random) -> RgbImage {
    let view = scene::Camera {
        along: random.between(-6.5, -2.0),
        distance: random.between(7.5, 11.0),
        aim: random.between(-0.8, 1.6),
        ..scene::Camera::default()
    };
    let house = Scene::new(seed).render(&view, width, height);
    let mut pattern = || Motif::new(random, seed >= JUDGING).light(&Light::of(&house));
    let light = match editing {
        Editing::Screen => recapture::screen(&house, width, height, random),
        Editing::Print => recapture::print(&house, width, height, random),
        Editing::Pattern => pattern(),
        Editing::Night => Light::of(&house),
        // Some forged photographs have a pattern, too.
        _ if seed % 7 == 3 => pattern(),
        _ => Light::of(&house),
    };
    let dark = editing == Editing::Night || (seed % 11 == 5 && !matches!(editing, Editing::Screen | Editing::Print));
    let camera = if dark { Sensor::by_night(random) } else { Sensor::by_day(random) };
    sensor::develop(&light, &camera, random)
}

fn camera_coding(random: &mut Random) -> Coding {
    let quality = u8::try_from(random.whole(70, 98)).unwrap_or(90);
    let bend = if random.whole(0, 1) == 0 { 0.0 } else { random.between(-0.4, 0.4) };
    Coding { quality, sampling: random.pick(&[Sampling::Both, Sampling::Both, Sampling::Across, Sampling::Full]), bend }
}

/// The usual settings of editors.
fn editor_coding(random: &mut Random) -> Coding {
    let quality = u8::try_from(random.whole(75, 97)).unwrap_or(90);
    Coding { quality, sampling: random.pick(&[Sampling::Both, Sampling::Full]), bend: 0.0 }
}

/// Saved over the original, whose metadata is kept.
fn saved(picture: &RgbImage, metadata: &Metadata, random: &mut Random) -> anyhow::Result<Vec<u8>> {
    let exif = metadata.written(picture.dimensions(), Some(&thumbnail(picture)?))?;
    coding::encode(picture, editor_coding(random), Some(&exif))
}

/// Every third forger removes the metadata.
fn kept_or_bare(picture: &RgbImage, metadata: &Metadata, random: &mut Random) -> anyhow::Result<Vec<u8>> {
    if random.whole(0, 2) == 0 {
        coding::encode(picture, editor_coding(random), None)
    } else {
        saved(picture, metadata, random)
    }
}

/// A messenger's processing: often smaller, always compressed again, without metadata.
fn passed_on(picture: &RgbImage, random: &mut Random) -> anyhow::Result<Vec<u8>> {
    let quality = u8::try_from(random.whole(60, 85)).unwrap_or(75);
    let scale = u32::try_from(random.whole(40, 85)).unwrap_or(50);
    let sent = if random.whole(0, 9) < 6 { resized(picture, scale, random) } else { picture.clone() };
    coding::encode(&sent, Coding::usual(quality), None)
}

/// Scales each side to a percentage.
fn resized(picture: &RgbImage, hundredths: u32, random: &mut Random) -> RgbImage {
    use imageops::FilterType::{CatmullRom, Lanczos3, Triangle};
    let (width, height) = (picture.width() * hundredths / 100, picture.height() * hundredths / 100);
    imageops::resize(picture, width, height, random.pick(&[Triangle, CatmullRom, Lanczos3]))
}

/// Inserts a part of another photograph, which has a camera, a compression and a size of its own.
fn splice(picture: &mut RgbImage, seed: u64, random: &mut Random) -> anyhow::Result<[u32; 4]> {
    let (width, height) = picture.dimensions();
    let other = taken(seed ^ 0x5eed, Editing::None, (width, height), random);
    let mut donor = open(&coding::encode(&other, camera_coding(random), None)?)?;
    if random.whole(0, 1) == 0 {
        let scale = u32::try_from(random.whole(60, 98)).unwrap_or(80);
        donor = resized(&donor, scale, random);
    }
    let place = retouch::place(width, height, random);
    let (from_x, from_y) = (
        u32::try_from(random.whole(0, u64::from(donor.width().saturating_sub(place[2] + 1)))).unwrap_or(0),
        u32::try_from(random.whole(0, u64::from(donor.height().saturating_sub(place[3] + 1)))).unwrap_or(0),
    );
    let patch = imageops::crop_imm(&donor, from_x, from_y, place[2], place[3]).to_image();
    retouch::lay(picture, &patch, place, random);
    Ok(place)
}

fn open(file: &[u8]) -> anyhow::Result<RgbImage> {
    Ok(image::load_from_memory_with_format(file, image::ImageFormat::Jpeg)?.to_rgb8())
}

fn thumbnail(picture: &RgbImage) -> anyhow::Result<Vec<u8>> {
    let (width, height) = if picture.width() > picture.height() { (160, 120) } else { (120, 160) };
    coding::encode(&imageops::resize(picture, width, height, imageops::FilterType::Triangle), Coding::usual(75), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_every_byte_and_the_changed_area_is_within_the_picture() {
        for editing in [Editing::Splice, Editing::Clone, Editing::Removal, Editing::Enlarged] {
            let photo = labelled_photo(5, editing).unwrap();
            assert_eq!(photo.jpeg, labelled_photo(5, editing).unwrap().jpeg, "{editing:?}");
            let (width, height) = open(&photo.jpeg).unwrap().dimensions();
            let [left, top, wide, high] = photo.area.unwrap();
            assert!(left + wide <= width && top + high <= height, "{editing:?} {:?}", photo.area);
        }
    }
}
