//! Labelled photographs: untouched, passed on by a messenger, and edited in several ways. The analysis is tuned on some and
//! judged on others.

use image::{RgbImage, imageops};
use serde_json::{Value, json};

use crate::{
    PhotoOptions, TakenAt,
    paper::{blurred, jpeg, photograph_of_screen},
    photo::{self, Camera},
    random::Random,
    scene::{self, Scene},
};

/// What was done to a photograph.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Editing {
    /// Nothing: as the camera wrote it.
    None,
    /// A messenger made it smaller, compressed it again and took its metadata away. Nothing is wrong with it.
    Messenger,
    /// An editor wrote its name.
    EditorTrace,
    /// A part of another photograph was put in.
    Splice,
    /// A part of it was copied to another place.
    Clone,
    /// The metadata's small picture shows what was there before.
    StaleThumbnail,
    /// It was taken from a screen.
    Screen,
}

impl Editing {
    pub const ALL: [Self; 7] =
        [Self::None, Self::Messenger, Self::EditorTrace, Self::Splice, Self::Clone, Self::StaleThumbnail, Self::Screen];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "untouched",
            Self::Messenger => "messenger",
            Self::EditorTrace => "editor-trace",
            Self::Splice => "splice",
            Self::Clone => "clone",
            Self::StaleThumbnail => "stale-thumbnail",
            Self::Screen => "screen",
        }
    }

    pub fn is_genuine(self) -> bool {
        matches!(self, Self::None | Self::Messenger)
    }

    /// What the `index`th photograph of a set is: half of them are genuine.
    pub fn of_set(index: u64) -> Self {
        let turns = [
            Self::None,
            Self::EditorTrace,
            Self::None,
            Self::Splice,
            Self::Messenger,
            Self::Clone,
            Self::None,
            Self::StaleThumbnail,
            Self::Messenger,
            Self::Screen,
        ];
        turns[usize::try_from(index % turns.len() as u64).unwrap_or(0)]
    }
}

/// A photograph, and what is true of it.
pub struct LabelledPhoto {
    pub jpeg: Vec<u8>,
    pub seed: u64,
    pub editing: Editing,
    pub camera: &'static str,
    /// Left, top, width, height in pixels: what was changed, where only a part was.
    pub area: Option<[u32; 4]>,
}

impl LabelledPhoto {
    /// The label as it stands in `labels.json`.
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

const CAMERAS: [Camera; 4] = [
    Camera { make: "Acme", model: "Fieldphone 5", software: "Sealwright lab (drawn scene)" },
    Camera { make: "Volterra", model: "V12 Pro", software: "V12PXXU3AWF1" },
    Camera { make: "Kestrel", model: "K-70", software: "Ver.1.10" },
    Camera { make: "Orleane", model: "Mira 3", software: "17.5.1" },
];

/// Makes a photograph.
///
/// # Errors
/// When it cannot be drawn or written, which is a defect of the lab.
pub fn labelled_photo(seed: u64, editing: Editing) -> anyhow::Result<LabelledPhoto> {
    let mut random = Random::new(seed, "picture set");
    let (width, height) = random.pick(&[(1280, 960), (1200, 900), (1024, 768), (960, 1280)]);
    let camera = random.pick(&CAMERAS);
    let quality = u8::try_from(random.whole(84, 95)).unwrap_or(90);
    let options =
        PhotoOptions { seed, width, height, quality, taken_at: TakenAt::default(), ..PhotoOptions::default() };
    let view = scene::Camera {
        along: random.between(-6.5, -2.0),
        distance: random.between(7.5, 11.0),
        aim: random.between(-0.8, 1.6),
        ..scene::Camera::default()
    };
    let grain = random.between(1.0, 6.0);
    let picture = grainy(&Scene::new(seed).render(&view, width, height), grain, &mut random);
    let original = photo::write(&picture, &options, &camera, Some(&thumbnail(&picture)?))?;
    let open = |file: &[u8]| -> anyhow::Result<RgbImage> {
        Ok(image::load_from_memory_with_format(file, image::ImageFormat::Jpeg)?.to_rgb8())
    };
    let again = u8::try_from(random.whole(82, 94)).unwrap_or(90);
    let mut area = None;
    let jpeg = match editing {
        Editing::None => original,
        Editing::Messenger => {
            let smaller =
                imageops::resize(&open(&original)?, width * 3 / 4, height * 3 / 4, imageops::FilterType::Triangle);
            jpeg(&smaller, 72)?
        }
        Editing::EditorTrace => {
            let program = random.pick(&[
                "Adobe Photoshop 24.1 (Windows)",
                "GIMP 2.10.34",
                "Adobe Photoshop Lightroom 6.0",
                "Snapseed 2.0",
                "Pixelmator 3.9",
            ]);
            photo::saved_by_editor(&open(&original)?, program, again)?
        }
        Editing::Splice => {
            let mut opened = open(&original)?;
            let place = part(width, height, &mut random);
            // The other picture has a history of its own: another camera's grain and compression.
            let donor = Scene::new(seed ^ 0x5eed).render(&view, width, height);
            let donor =
                open(&self::jpeg(&grainy(&donor, random.between(0.5, 9.0), &mut random), random.pick(&[55, 65, 97]))?)?;
            let from = part(width, height, &mut random);
            let patch = imageops::crop_imm(&donor, from[0], from[1], place[2], place[3]).to_image();
            imageops::replace(&mut opened, &patch, i64::from(place[0]), i64::from(place[1]));
            area = Some(place);
            photo::write(&opened, &PhotoOptions { quality: again, ..options }, &camera, None)?
        }
        Editing::Clone => {
            let mut opened = open(&original)?;
            let (place, from) = (part(width, height, &mut random), part(width, height, &mut random));
            let patch = imageops::crop_imm(&opened, from[0], from[1], place[2], place[3]).to_image();
            imageops::replace(&mut opened, &patch, i64::from(place[0]), i64::from(place[1]));
            area = Some(place);
            photo::write(&opened, &PhotoOptions { quality: again, ..options }, &camera, None)?
        }
        Editing::StaleThumbnail => {
            let mut opened = open(&original)?;
            let place = [width / 5, height / 4, width / 2, height / 2];
            let patch = imageops::crop_imm(&opened, place[0], place[1], place[2], place[3]).to_image();
            imageops::replace(&mut opened, &blurred(&patch, 14), i64::from(place[0]), i64::from(place[1]));
            let cut = imageops::crop_imm(&opened, width / 5, height / 5, width * 3 / 5, height * 3 / 5).to_image();
            area = Some([0, 0, cut.width(), cut.height()]);
            photo::write(&cut, &PhotoOptions { quality: again, ..options }, &camera, Some(&thumbnail(&picture)?))?
        }
        Editing::Screen => {
            let taken = photograph_of_screen(&open(&original)?, width, height, &mut random);
            photo::write(&taken, &options, &camera, Some(&thumbnail(&taken)?))?
        }
    };
    Ok(LabelledPhoto { jpeg, seed, editing, camera: camera.model, area })
}

/// Where something is replaced; deliberately not on the 8 × 8 grid.
fn part(width: u32, height: u32, random: &mut Random) -> [u32; 4] {
    let side = |length: u32, random: &mut Random| {
        length / 6 + u32::try_from(random.whole(0, u64::from(length / 8))).unwrap_or(0)
    };
    let (wide, high) = (side(width, random), side(height, random));
    let place = |length: u32, size: u32, random: &mut Random| {
        u32::try_from(random.whole(1, u64::from(length - size - 2))).unwrap_or(1) | 1
    };
    [place(width, wide, random), place(height, high, random), wide, high]
}

/// What a sensor adds: noise of each colour, stronger in the dark.
fn grainy(picture: &RgbImage, strength: f32, random: &mut Random) -> RgbImage {
    let mut noise = random.clone();
    let mut taken = picture.clone();
    for pixel in taken.pixels_mut() {
        for part in &mut pixel.0 {
            // The sum of two uniform numbers is near enough to a bell.
            let bell = noise.between(-1.0, 1.0) + noise.between(-1.0, 1.0);
            let level = f32::from(*part) + bell * strength * (1.2 - f32::from(*part) / 400.0);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte's range")]
            let level = level.clamp(0.0, 255.0) as u8;
            *part = level;
        }
    }
    taken
}

fn thumbnail(picture: &RgbImage) -> anyhow::Result<Vec<u8>> {
    let (width, height) = if picture.width() > picture.height() { (160, 120) } else { (120, 160) };
    jpeg(&imageops::resize(picture, width, height, imageops::FilterType::Triangle), 75)
}
