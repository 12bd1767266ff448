//! The metadata that cameras, editors and forgers write into a photograph.

use exif::{Field, Tag};
use jiff::{ToSpan as _, civil::DateTime, tz::Offset};

use crate::{
    PhotoOptions, Position, TakenAt,
    photo::{self, Camera},
    random::Random,
};

const CAMERAS: [Camera; 4] = [
    Camera { make: "Acme", model: "Fieldphone 5", software: "Sealwright lab (drawn scene)" },
    Camera { make: "Volterra", model: "V12 Pro", software: "V12PXXU3AWF1" },
    Camera { make: "Kestrel", model: "K-70", software: "Ver.1.10" },
    Camera { make: "Orleane", model: "Mira 3", software: "17.5.1" },
];
/// The Kestrel is not a telephone: it has no offset from UTC, and its clock is set by hand.
const SET_BY_HAND: &str = "Kestrel";

/// A camera's metadata of one photograph.
#[derive(Clone)]
pub(super) struct Metadata {
    camera: Camera,
    options: PhotoOptions,
    /// Minutes that the GPS time is behind the camera's clock: the last fix may be old, or the clock wrong.
    behind: i64,
}

impl Metadata {
    pub(super) fn invented(random: &mut Random) -> Self {
        let camera = random.pick(&CAMERAS);
        let by_hand = camera.make == SET_BY_HAND;
        let local = DateTime::constant(2026, 1, 4, 7, 12, 45, 0)
            .saturating_add(days(random.whole(0, 320)).minutes(i64::try_from(random.whole(0, 720)).unwrap_or(0)));
        let offset = random.pick(&[Offset::constant(1), Offset::constant(2), Offset::UTC]);
        let position = (random.whole(0, 9) < 7).then(|| Position {
            latitude: f64::from(random.between(43.0, 49.0)),
            longitude: f64::from(random.between(-1.0, 7.0)),
        });
        let behind = i64::try_from(match (by_hand, random.whole(0, 9)) {
            (true, 0..=2) => random.whole(0, 23 * 60),
            (_, 0) => random.whole(5, 180),
            _ => 0,
        })
        .unwrap_or(0);
        let options = PhotoOptions { taken_at: TakenAt { local, offset }, position, ..PhotoOptions::default() };
        Self { camera, options, behind }
    }

    pub(super) fn camera(&self) -> &'static str {
        self.camera.model
    }

    /// As the camera writes it.
    pub(super) fn written(&self, size: (u32, u32), thumbnail: Option<&[u8]>) -> anyhow::Result<Vec<u8>> {
        photo::exif(&self.fields(size)?, thumbnail)
    }

    fn fields(&self, size: (u32, u32)) -> anyhow::Result<Vec<Field>> {
        let mut fields = photo::camera_fields(&self.options, &self.camera, size.0, size.1);
        if self.camera.make == SET_BY_HAND {
            let offsets = [Tag::OffsetTime, Tag::OffsetTimeOriginal, Tag::OffsetTimeDigitized];
            fields.retain(|field| !offsets.contains(&field.tag));
        }
        if let Some(position) = self.options.position {
            let TakenAt { local, offset } = self.options.taken_at;
            let local = local.saturating_sub(self.behind.minutes());
            fields.extend(photo::gps_fields(position, TakenAt { local, offset })?);
        }
        Ok(fields)
    }

    /// As changed by a forger who wants another day or another place, mostly with a tool that changes only given
    /// fields.
    pub(super) fn changed(
        &self,
        size: (u32, u32),
        thumbnail: Option<&[u8]>,
        random: &mut Random,
    ) -> anyhow::Result<Vec<u8>> {
        let away = days(random.whole(2, 200));
        let local = self.options.taken_at.local.saturating_add(away);
        let mut forged = self.clone();
        let mut fields = self.fields(size)?;
        let other = local.strftime("%Y:%m:%d %H:%M:%S").to_string();
        match random.whole(0, 9) {
            // Every time except the GPS time.
            0..=3 => rewrite(&mut fields, &[Tag::DateTime, Tag::DateTimeOriginal, Tag::DateTimeDigitized], &other),
            // The time of capture alone.
            4..=6 => rewrite(&mut fields, &[Tag::DateTimeOriginal], &other),
            // Only the place.
            7 => {
                forged.options.position = Some(Position {
                    latitude: f64::from(random.between(43.0, 49.0)),
                    longitude: f64::from(random.between(-1.0, 7.0)),
                });
                fields = forged.fields(size)?;
            }
            // Everything, consistently.
            _ => {
                forged.options.taken_at.local = local;
                fields = forged.fields(size)?;
            }
        }
        photo::exif(&fields, thumbnail)
    }
}

/// As written by an editor, which names itself and drops much.
pub(super) fn by_editor(size: (u32, u32), judging: bool, random: &mut Random) -> anyhow::Result<Vec<u8>> {
    let mut programs = vec![
        "Adobe Photoshop 24.1 (Windows)",
        "GIMP 2.10.34",
        "Adobe Photoshop Lightroom 6.0",
        "Snapseed 2.0",
        "Pixelmator 3.9",
    ];
    if judging {
        programs.extend(["paint.net 5.0.3", "Affinity Photo 2", "PicsArt", "Krita 5.2"]);
    }
    photo::exif(&photo::editor_fields(random.pick(&programs), size.0, size.1), None)
}

fn rewrite(fields: &mut [Field], tags: &[Tag], text: &str) {
    for field in fields.iter_mut().filter(|field| tags.contains(&field.tag)) {
        *field = photo::text(field.tag, text);
    }
}

fn days(count: u64) -> jiff::Span {
    i64::try_from(count).unwrap_or(0).days()
}
