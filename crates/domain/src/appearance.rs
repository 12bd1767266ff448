//! How a company appears on the pages for people: its colour and its logo.
//!
//! A company has one colour. The pages need it as text, as a button and as a tint, on light and on dark grounds, so
//! [`Palette`] shifts it towards black or white until everything written in it, or on it, has the contrast of WCAG 2.2,
//! rule 1.4.3.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use sealwright_seal::Sha256Digest;
use serde::Serialize;

use crate::file_kind::FileKind;

/// The contrast of text with its ground (WCAG 2.2, rule 1.4.3).
pub const MIN_CONTRAST: f64 = 4.5;
/// Of a logo's file, in bytes.
pub const MAX_LOGO_BYTES: usize = 100 * 1024;
/// Of a logo's longer side, in pixels.
pub const MAX_LOGO_SIDE: u32 = 2000;

/// The grounds of the capture page, as `web/capture/style.css` has them: `--paper` and `--ground`.
const LIGHT: Scheme = Scheme { grounds: [Colour([0xff; 3]), Colour([0xf3, 0xf4, 0xf1])], towards: BLACK, tint: 0.1 };
const DARK: Scheme =
    Scheme { grounds: [Colour([0x1b, 0x20, 0x1e]), Colour([0x12, 0x16, 0x14])], towards: WHITE, tint: 0.16 };
const BLACK: Colour = Colour([0; 3]);
const WHITE: Colour = Colour([0xff; 3]);
/// A colour is shifted in this many steps.
const STEPS: u8 = 50;

/// How a company appears, as its company manifest says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Appearance {
    pub colour: Option<Colour>,
    pub logo: Option<Logo>,
}

/// A logo's file: a PNG or JPEG of at most [`MAX_LOGO_BYTES`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    pub sha256: Sha256Digest,
    pub kind: FileKind,
    pub bytes: Vec<u8>,
    /// The line of the company manifest.
    pub line: usize,
}

/// A colour of the sRGB space: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

sealwright_base::text_column!(Colour, "colour");

/// A company's colour for pages with a light ground and with a dark one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Palette {
    pub light: Shades,
    pub dark: Shades,
}

/// The colour on one ground, each as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shades {
    /// For texts, lines and buttons. Its contrast with the ground and with `tint` is at least 4.5.
    #[schemars(with = "String")]
    pub accent: Colour,
    /// For texts on `accent`. Their contrast is at least 4.5.
    #[schemars(with = "String")]
    pub on_accent: Colour,
    /// A ground for what is chosen or done.
    #[schemars(with = "String")]
    pub tint: Colour,
}

struct Scheme {
    grounds: [Colour; 2],
    /// The end of the scale that has more contrast with the grounds.
    towards: Colour,
    /// How much of the colour the tint has.
    tint: f64,
}

impl Logo {
    /// None: neither a PNG nor a JPEG by its first bytes, or too large. The picture is not decoded.
    pub fn new(bytes: Vec<u8>, line: usize) -> Option<Self> {
        let kind = FileKind::of(&bytes).filter(|kind| matches!(kind, FileKind::Png | FileKind::Jpeg))?;
        let sha256 = Sha256Digest::of(&bytes);
        (bytes.len() <= MAX_LOGO_BYTES).then_some(Self { sha256, kind, bytes, line })
    }
}

impl Palette {
    pub fn of(colour: Colour) -> Self {
        Self { light: LIGHT.shades(colour), dark: DARK.shades(colour) }
    }
}

impl Scheme {
    /// The first step from the colour towards black or white that has enough contrast. The last one is black or white
    /// itself, which has it.
    fn shades(&self, colour: Colour) -> Shades {
        let steps = (0..STEPS).map(|step| colour.mixed(self.towards, f64::from(step) / f64::from(STEPS)));
        let accent = steps.into_iter().find(|accent| self.is_readable(*accent)).unwrap_or(self.towards);
        let on_accent = if accent.contrast(WHITE) >= accent.contrast(BLACK) { WHITE } else { BLACK };
        Shades { accent, on_accent, tint: self.tint(accent) }
    }

    fn is_readable(&self, accent: Colour) -> bool {
        let grounds = self.grounds.into_iter().chain([self.tint(accent)]);
        grounds.into_iter().all(|ground| accent.contrast(ground) >= MIN_CONTRAST)
    }

    fn tint(&self, accent: Colour) -> Colour {
        self.grounds[0].mixed(accent, self.tint)
    }
}

impl Colour {
    /// What [`FromStr`] accepts.
    pub const EXPECTED: &'static str = "a colour as # and six hexadecimal digits, such as \"#0b5fa5\"";

    /// `share` (0 to 1) of the other colour, and the rest of this one.
    fn mixed(self, other: Self, share: f64) -> Self {
        let mut mixed = self;
        for (channel, end) in mixed.0.iter_mut().zip(other.0) {
            let between = f64::from(*channel).mul_add(1.0 - share, f64::from(end) * share);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
            let between = between.round() as u8;
            *channel = between;
        }
        mixed
    }

    /// From 1 (the same) to 21 (black and white).
    fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The relative luminance of WCAG 2.2, from 0 to 1.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl FromStr for Colour {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut channels = [0; 3];
        let digits = text.strip_prefix('#').ok_or(Self::EXPECTED)?;
        hex::decode_to_slice(digits, &mut channels).map_err(|_| Self::EXPECTED)?;
        Ok(Self(channels))
    }
}

impl Serialize for Colour {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(text: &str) -> Colour {
        text.parse().unwrap()
    }

    /// Every eighth value of each channel, and the last.
    fn colours() -> impl Iterator<Item = Colour> {
        let channel = || (0..=255u8).step_by(8).chain([255]);
        channel()
            .flat_map(move |red| channel().flat_map(move |green| channel().map(move |blue| Colour([red, green, blue]))))
    }

    #[test]
    fn every_colour_is_readable_on_every_ground() {
        for given in colours() {
            let palette = Palette::of(given);
            for (scheme, shades) in [(LIGHT, palette.light), (DARK, palette.dark)] {
                for ground in scheme.grounds.into_iter().chain([shades.tint, shades.on_accent]) {
                    let contrast = shades.accent.contrast(ground);
                    assert!(contrast >= MIN_CONTRAST, "{given}: {} on {ground}: {contrast}", shades.accent);
                }
            }
        }
    }

    #[test]
    fn a_colour_with_enough_contrast_stays_as_it_is() {
        assert_eq!(Palette::of(colour("#0b5fa5")).light.accent, colour("#0b5fa5"));
        assert_eq!(Palette::of(colour("#86d3a4")).dark.accent, colour("#86d3a4"));
        assert_ne!(Palette::of(colour("#ffd000")).light.accent, colour("#ffd000"));
    }

    /// The examples that W3C and its checkers agree on.
    #[test]
    fn the_contrast_is_that_of_wcag() {
        let rounded = |one: &str, other: &str| (colour(one).contrast(colour(other)) * 100.0).round() / 100.0;
        assert_eq!(rounded("#000000", "#ffffff").to_string(), "21");
        assert_eq!(rounded("#777777", "#ffffff").to_string(), "4.48");
        assert_eq!(rounded("#767676", "#ffffff").to_string(), "4.54");
        assert_eq!(rounded("#0000ff", "#ffffff").to_string(), "8.59");
    }

    #[test]
    fn the_grounds_are_those_of_the_page() {
        let style = include_str!("../../../web/capture/style.css");
        let all = |name: &str| -> Vec<Colour> {
            let values = style.lines().filter_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
            values.map(|value| colour(value.trim_end_matches(';'))).collect()
        };
        let [light, dark] = [LIGHT, DARK].map(|scheme| scheme.grounds);
        assert_eq!(all("--paper"), [light[0], dark[0]]);
        assert_eq!(all("--ground"), [light[1], dark[1]]);
    }

    #[test]
    fn a_colour_is_six_digits() {
        for wrong in ["", "#", "0b5fa5", "#0b5fa", "#0b5fa55", "#0b5fag", "#abc", "blue", "# 0b5fa", "#é5fa5"] {
            assert_eq!(wrong.parse::<Colour>(), Err(Colour::EXPECTED), "{wrong}");
        }
        assert_eq!(colour("#0B5FA5").to_string(), "#0b5fa5");
    }

    #[test]
    fn a_logo_is_a_small_picture() {
        let png = |length: usize| {
            let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
            bytes.resize(length, 0);
            bytes
        };
        assert!(Logo::new(png(MAX_LOGO_BYTES), 1).is_some());
        assert!(Logo::new(png(MAX_LOGO_BYTES + 1), 1).is_none());
        assert!(Logo::new(b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), 1).is_none());
        assert!(Logo::new(Vec::new(), 1).is_none());
    }
}
