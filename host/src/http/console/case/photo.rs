//! What the file of a photo says about itself. Anyone can write it into the file: it is shown, and proves nothing.

use maud::{Markup, html};

use crate::{
    app::console::case::{Exif, Moment, Photo, PhotoFacts},
    http::link::Language,
};

/// In characters.
const LONGEST_TEXT: usize = 100;

pub(super) fn facts(photo: &Photo, language: Language) -> Markup {
    html! {
        details {
            summary { (language.pick("What the file says (EXIF)", "Ce que dit le fichier (EXIF)")) }
            @match photo {
                Photo::NotExamined => p.small { (language.pick("The file was not examined.", "Le fichier n’a pas été examiné.")) },
                Photo::Unreadable => p.small { (language.pick("The file cannot be read as a picture.", "Le fichier n’est pas lisible comme image.")) },
                Photo::Read(facts) => {
                    dl.facts {
                        @for (name, value) in rows(facts, language) {
                            dt { (name) }
                            dd { bdi { (tame(&value)) } }
                        }
                    }
                    @if facts.exif.is_none() {
                        p.small { (language.pick("The file has no EXIF data.", "Le fichier n’a pas de données EXIF.")) }
                    }
                }
            }
        }
    }
}

/// Each fact with its name, as the file has it.
fn rows(facts: &PhotoFacts, language: Language) -> Vec<(&'static str, String)> {
    let (width, height) = (facts.width, facts.height);
    let mut rows = vec![(language.pick("Size", "Taille"), format!("{width} × {height}"))];
    let Some(exif) = &facts.exif else { return rows };
    let stated = exif.pixel_width.zip(exif.pixel_height).filter(|stated| *stated != (width, height));
    let changed = exif.modified.as_ref().filter(|changed| Some(*changed) != exif.captured.as_ref());
    let others = [
        (
            language.pick("Size in EXIF", "Taille selon EXIF"),
            stated.map(|(width, height)| format!("{width} × {height}")),
        ),
        (language.pick("Camera", "Appareil"), camera(exif)),
        (language.pick("Lens", "Objectif"), exif.lens_model.clone()),
        (language.pick("Software", "Logiciel"), exif.software.clone()),
        (language.pick("Taken", "Prise"), exif.captured.as_ref().map(moment)),
        (language.pick("File changed", "Fichier modifié"), changed.map(moment)),
        (language.pick("Exposure", "Exposition"), exposure(exif)),
        (language.pick("Focal length", "Focale"), exif.focal_length.map(|length| format!("{} mm", hundredths(length)))),
        (language.pick("Orientation", "Orientation"), exif.orientation.map(|turn| orientation(turn, language))),
        (language.pick("Position in the file", "Position dans le fichier"), position(exif)),
    ];
    rows.extend(others.into_iter().filter_map(|(name, value)| Some((name, value?))));
    rows
}

/// Maker and model. Many models begin with the name of the maker.
fn camera(exif: &Exif) -> Option<String> {
    match (exif.camera_make.as_deref(), exif.camera_model.as_deref()) {
        (Some(make), Some(model)) if !model.starts_with(make) => Some(format!("{make} {model}")),
        (make, model) => model.or(make).map(str::to_owned),
    }
}

/// By the clock of the camera.
fn moment(moment: &Moment) -> String {
    let local = moment.local.as_ref().map_or_else(|| moment.written.clone(), |local| local.replacen('T', " ", 1));
    match &moment.offset {
        Some(offset) => format!("{local} {offset}"),
        None => local,
    }
}

fn exposure(exif: &Exif) -> Option<String> {
    let time = exif.exposure_microseconds.map(|time| match time {
        1..500_000 => format!("1/{} s", (1_000_000 + time / 2) / time),
        _ => format!("{} s", hundredths(time / 10_000)),
    });
    let aperture = exif.f_number.map(|number| format!("f/{}", hundredths(number)));
    let parts = [time, aperture, exif.iso.map(|iso| format!("ISO {iso}"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// How the stored picture is turned upright.
fn orientation(turn: u8, language: Language) -> String {
    let text = match turn {
        1 => language.pick("upright", "droite"),
        2 => language.pick("mirrored", "en miroir"),
        3 => language.pick("turned by 180°", "tournée de 180°"),
        4 => language.pick("turned by 180°, mirrored", "tournée de 180°, en miroir"),
        5 => language.pick("turned by 90° to the right, mirrored", "tournée de 90° à droite, en miroir"),
        6 => language.pick("turned by 90° to the right", "tournée de 90° à droite"),
        7 => language.pick("turned by 90° to the left, mirrored", "tournée de 90° à gauche, en miroir"),
        8 => language.pick("turned by 90° to the left", "tournée de 90° à gauche"),
        _ => return turn.to_string(),
    };
    text.to_owned()
}

fn position(exif: &Exif) -> Option<String> {
    let position = exif.position?;
    let degrees = |millionths: i32| {
        let (sign, size) = (if millionths < 0 { "-" } else { "" }, millionths.unsigned_abs());
        format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000)
    };
    let accuracy = position.accuracy.map(|metres| format!(" ± {} m", hundredths(metres)));
    let (latitude, longitude) = (degrees(position.latitude), degrees(position.longitude));
    Some(format!("{latitude}, {longitude}{}", accuracy.unwrap_or_default()))
}

/// A number of hundredths, without zeros at the end.
fn hundredths(number: u32) -> String {
    let text = format!("{}.{:02}", number / 100, number % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text from a file, on one line and not too long.
fn tame(text: &str) -> String {
    let one_line = |c: char| if c.is_control() { ' ' } else { c };
    let mut tame: String = text.chars().take(LONGEST_TEXT).map(one_line).collect();
    if text.chars().nth(LONGEST_TEXT).is_some() {
        tame.push('…');
    }
    tame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::console::case::Position;

    fn values(exif: Exif) -> Vec<String> {
        let facts = PhotoFacts { width: 640, height: 480, exif: Some(exif) };
        rows(&facts, Language::English).into_iter().map(|(name, value)| format!("{name}: {value}")).collect()
    }

    #[test]
    fn facts_are_written_as_photographers_read_them() {
        let taken = Moment {
            written: "2026:11:20 10:42:17".to_owned(),
            local: Some("2026-11-20T10:42:17".to_owned()),
            offset: Some("+01:00".to_owned()),
            fraction: None,
        };
        let exif = Exif {
            camera_make: Some("Acme".to_owned()),
            camera_model: Some("Fieldphone 5".to_owned()),
            lens_model: Some("Wide".to_owned()),
            software: Some("7.1".to_owned()),
            captured: Some(taken.clone()),
            modified: Some(taken),
            exposure_microseconds: Some(4_000),
            f_number: Some(188),
            iso: Some(100),
            focal_length: Some(400),
            orientation: Some(6),
            pixel_width: Some(4000),
            pixel_height: Some(3000),
            position: Some(Position { latitude: 45_764_043, longitude: -70_001, altitude: None, accuracy: Some(650) }),
            ..Exif::default()
        };
        assert_eq!(
            values(exif),
            [
                "Size: 640 × 480",
                "Size in EXIF: 4000 × 3000",
                "Camera: Acme Fieldphone 5",
                "Lens: Wide",
                "Software: 7.1",
                "Taken: 2026-11-20 10:42:17 +01:00",
                "Exposure: 1/250 s, f/1.88, ISO 100",
                "Focal length: 4 mm",
                "Orientation: turned by 90° to the right",
                "Position in the file: 45.764043, -0.070001 ± 6.5 m",
            ]
        );
    }

    #[test]
    fn odd_values_are_shown_as_they_are() {
        let not_a_date = Moment { written: "yesterday".to_owned(), ..Moment::default() };
        let exif = Exif {
            camera_make: Some("Acme".to_owned()),
            camera_model: Some("Acme 5".to_owned()),
            captured: Some(not_a_date),
            exposure_microseconds: Some(u32::MAX),
            orientation: Some(200),
            ..Exif::default()
        };
        let expected =
            ["Size: 640 × 480", "Camera: Acme 5", "Taken: yesterday", "Exposure: 4294.96 s", "Orientation: 200"];
        assert_eq!(values(exif), expected);
        assert_eq!(values(Exif { exposure_microseconds: Some(0), ..Exif::default() })[1], "Exposure: 0 s");
        assert_eq!(values(Exif { exposure_microseconds: Some(1), ..Exif::default() })[1], "Exposure: 1/1000000 s");
    }

    #[test]
    fn a_text_from_a_file_is_text_on_one_line_and_not_too_long() {
        let exif = Exif { software: Some(format!("<b>\r\n\u{7}{}", "x".repeat(200))), ..Exif::default() };
        let read = PhotoFacts { width: 1, height: 1, exif: Some(exif) };
        let shown = facts(&Photo::Read(Box::new(read)), Language::English).into_string();
        assert!(shown.contains("<bdi>&lt;b&gt;   xxx") && !shown.contains("<b>"), "{shown}");
        assert!(shown.contains("x…</bdi>") && !shown.contains(&"x".repeat(101)), "{shown}");
        assert!(facts(&Photo::NotExamined, Language::French).into_string().contains("n’a pas été examiné"));
    }
}
