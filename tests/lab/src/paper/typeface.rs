//! The typefaces of the lab's papers: the widths and outlines of their letters.

use std::{collections::HashMap, sync::LazyLock};

use skrifa::{
    FontRef, GlyphId, MetadataProvider as _,
    charmap::Charmap,
    instance::{LocationRef, Size},
    metrics::GlyphMetrics,
    outline::{OutlineGlyphCollection, OutlineGlyphFormat, OutlinePen},
};
use tiny_skia::{Path, PathBuilder};
use typst::text::Font;
use typst_kit::fonts;

use crate::lettering::in_font_units;

const NOTO_SANS: &[u8] = include_bytes!("../../../../templates/certificate/fonts/NotoSans-Regular.ttf");
const NOTO_SANS_BOLD: &[u8] = include_bytes!("../../../../templates/certificate/fonts/NotoSans-Bold.ttf");

/// One style of one typeface. Helvetica and Courier are never embedded: every PDF reader has them (ISO 32000-1,
/// 9.6.2.2). Pictures are drawn with substitute fonts.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Face {
    Sans,
    SansBold,
    Serif,
    SerifBold,
    Modern,
    ModernBold,
    Mono,
    Helvetica,
    HelveticaBold,
    Courier,
}

/// The typefaces of a whole paper.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Family {
    pub(crate) regular: Face,
    pub(crate) bold: Face,
    pub(crate) mono: Face,
}

impl Family {
    pub(crate) const SANS: Self = Self { regular: Face::Sans, bold: Face::SansBold, mono: Face::Mono };
    pub(crate) const SERIF: Self = Self { regular: Face::Serif, bold: Face::SerifBold, mono: Face::Mono };
    pub(crate) const MODERN: Self = Self { regular: Face::Modern, bold: Face::ModernBold, mono: Face::Mono };
    pub(crate) const HELVETICA: Self =
        Self { regular: Face::Helvetica, bold: Face::HelveticaBold, mono: Face::Courier };
}

/// A font program that is compiled in.
pub(crate) struct Program {
    pub(crate) data: &'static [u8],
    letters: Charmap<'static>,
    outlines: OutlineGlyphCollection<'static>,
    /// In font units.
    metrics: GlyphMetrics<'static>,
    units_per_em: f32,
}

impl Program {
    fn parse(data: &'static [u8]) -> Self {
        let font = FontRef::new(data).expect("the fonts that are compiled in are sound");
        let (size, location) = (Size::unscaled(), LocationRef::default());
        Self {
            data,
            letters: font.charmap(),
            outlines: font.outline_glyphs(),
            metrics: font.glyph_metrics(size, location),
            units_per_em: f32::from(font.metrics(size, location).units_per_em),
        }
    }

    /// The glyph of a letter, or the missing glyph.
    pub(crate) fn glyph(&self, letter: char) -> u16 {
        let plain = if letter == '\u{a0}' || letter == '\u{202f}' { ' ' } else { letter };
        self.letters.map(plain).and_then(|glyph| u16::try_from(glyph.to_u32()).ok()).unwrap_or(0)
    }

    /// In thousandths of the type size.
    pub(crate) fn advance(&self, glyph: u16) -> f32 {
        self.metrics.advance_width(GlyphId::from(glyph)).unwrap_or(0.0) * 1000.0 / self.units_per_em
    }

    /// Draws a glyph in font units. A glyph without an outline draws nothing.
    fn draw(&self, glyph: u16, pen: &mut impl OutlinePen) {
        if let Some(outline) = self.outlines.get(GlyphId::from(glyph)) {
            let _ = outline.draw(in_font_units(), pen);
        }
    }

    /// Whether the outlines are in the `glyf` table, as in TrueType, rather than in `CFF `.
    pub(crate) fn is_true_type(&self) -> bool {
        self.outlines.format() == Some(OutlineGlyphFormat::Glyf)
    }
}

static PROGRAMS: LazyLock<HashMap<Face, Program>> = LazyLock::new(|| {
    let embedded: Vec<Font> = fonts::embedded().map(|(font, _)| font).collect();
    let find = |family: &str, weight: u16| -> Program {
        let is_it = |font: &&Font| {
            let info = font.info();
            info.family == family
                && info.variant.weight.to_number() == weight
                && info.variant.style == typst::text::FontStyle::Normal
        };
        let font = embedded.iter().find(is_it).expect("Typst's embedded fonts have this family");
        // The font's bytes are compiled in and live as long as the program; the copy is made once for each face.
        Program::parse(Box::leak(font.data().to_vec().into_boxed_slice()))
    };
    HashMap::from([
        (Face::Sans, Program::parse(NOTO_SANS)),
        (Face::SansBold, Program::parse(NOTO_SANS_BOLD)),
        (Face::Serif, find("Libertinus Serif", 400)),
        (Face::SerifBold, find("Libertinus Serif", 700)),
        (Face::Modern, find("New Computer Modern", 400)),
        (Face::ModernBold, find("New Computer Modern", 700)),
        (Face::Mono, find("DejaVu Sans Mono", 400)),
    ])
});

impl Face {
    /// The embedded font program, or the substitute for a standard font.
    pub(crate) fn program(self) -> &'static Program {
        let drawn = match self {
            Self::Helvetica => Self::Sans,
            Self::HelveticaBold => Self::SansBold,
            Self::Courier => Self::Mono,
            face => face,
        };
        PROGRAMS.get(&drawn).expect("every face that is drawn has a program")
    }

    pub(crate) fn is_standard(self) -> bool {
        matches!(self, Self::Helvetica | Self::HelveticaBold | Self::Courier)
    }

    /// The PostScript name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sans => "NotoSans-Regular",
            Self::SansBold => "NotoSans-Bold",
            Self::Serif => "LibertinusSerif-Regular",
            Self::SerifBold => "LibertinusSerif-Bold",
            Self::Modern => "NewCM10-Regular",
            Self::ModernBold => "NewCM10-Bold",
            Self::Mono => "DejaVuSansMono",
            Self::Helvetica => "Helvetica",
            Self::HelveticaBold => "Helvetica-Bold",
            Self::Courier => "Courier",
        }
    }

    /// Typst's name of the family, and the weight.
    pub(crate) fn typst_name(self) -> (&'static str, &'static str) {
        match self {
            Self::Sans | Self::Helvetica => ("Noto Sans", "regular"),
            Self::SansBold | Self::HelveticaBold => ("Noto Sans", "bold"),
            Self::Serif => ("Libertinus Serif", "regular"),
            Self::SerifBold => ("Libertinus Serif", "bold"),
            Self::Modern => ("New Computer Modern", "regular"),
            Self::ModernBold => ("New Computer Modern", "bold"),
            Self::Mono | Self::Courier => ("DejaVu Sans Mono", "regular"),
        }
    }

    /// The advance of a letter in thousandths of the type size.
    pub(crate) fn advance(self, letter: char) -> f32 {
        match self {
            Self::Helvetica => standard_advance(&HELVETICA, letter),
            Self::HelveticaBold => standard_advance(&HELVETICA_BOLD, letter),
            Self::Courier => 600.0,
            _ => {
                let program = self.program();
                program.advance(program.glyph(letter))
            }
        }
    }

    /// The width of a text in points, without kerning.
    pub(crate) fn width(self, text: &str, size: f32) -> f32 {
        text.chars().map(|letter| self.advance(letter)).sum::<f32>() * size / 1000.0
    }

    /// The outline of a text whose first letter's origin is at `x` on the baseline `y`, in pixels, `size` pixels high.
    pub(crate) fn outline(self, text: &str, x: f32, y: f32, size: f32) -> Option<Path> {
        let program = self.program();
        let scale = size / program.units_per_em;
        let mut pen = Pen { path: PathBuilder::new(), x, y, scale };
        for letter in text.chars() {
            program.draw(program.glyph(letter), &mut pen);
            pen.x += self.advance(letter) * size / 1000.0;
        }
        pen.path.finish()
    }
}

/// Writes a glyph's outline, which grows upwards, into a picture, which grows downwards.
struct Pen {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// Adobe's metrics of the letters from space to tilde, in thousandths of the type size.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];
const HELVETICA_BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584,
];

fn standard_advance(table: &[u16; 95], letter: char) -> f32 {
    let plain = match letter {
        '\u{a0}' | '\u{202f}' => ' ',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'à' | 'â' | 'ä' => 'a',
        'ç' => 'c',
        'î' | 'ï' => 'i',
        'ô' | 'ö' => 'o',
        'û' | 'ù' | 'ü' => 'u',
        'É' | 'È' | 'Ê' => 'E',
        'À' | 'Â' => 'A',
        'Ç' => 'C',
        'Ô' => 'O',
        'Î' => 'I',
        '’' => '\'',
        'œ' => 'm',
        letter if letter.is_ascii_graphic() || letter == ' ' => letter,
        // €, £, °, –, « and the like are about as wide as a digit.
        _ => '0',
    };
    let index = usize::try_from(u32::from(plain) - 32).unwrap_or(0);
    f32::from(table[index.min(94)])
}
