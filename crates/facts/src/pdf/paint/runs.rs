//! Joins consecutive characters to runs of text.

use hayro::vello_cpu::kurbo::{Point, Rect, Vec2};

use crate::{
    image::plane::scaled,
    model::{TextRendering, TextRun},
    pdf::geometry::area,
};

/// The most characters of a run; the rest goes into another run.
const MAX_CHARACTERS: usize = 1_000;
/// In ems: the least gap that makes a space, and the least gap that starts another run.
const SPACE: f64 = 0.18;
const APART: f64 = 1.5;

/// One character as painted.
pub(super) struct Character {
    /// `None` if the font does not map it.
    pub(super) text: Option<String>,
    pub(super) font: Option<u32>,
    pub(super) colour: Option<u32>,
    pub(super) opacity: u8,
    pub(super) rendering: TextRendering,
    pub(super) origin: Point,
    /// Where the next character would start.
    pub(super) end: Point,
    /// The baseline's direction, one em long.
    pub(super) em: Vec2,
    /// In points.
    pub(super) size: f64,
    pub(super) area: Rect,
    pub(super) is_outside: bool,
}

#[derive(Debug, Default)]
pub(super) struct Runs {
    finished: Vec<TextRun>,
    open: Option<OpenRun>,
}

#[derive(Debug)]
struct OpenRun {
    run: TextRun,
    area: Rect,
    characters: usize,
    outside: usize,
    size: f64,
    em: Vec2,
    last_origin: Point,
    end: Point,
    /// The order of the next thing painted, if nothing comes in between.
    next_order: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddOutcome {
    Continued,
    /// A new run with the given order.
    Started,
    TooMany,
}

impl Runs {
    /// Adds a character; `order` is the order of a new run, `most` the limit of runs.
    pub(super) fn add(&mut self, character: Character, order: u32, most: usize) -> AddOutcome {
        if let Some(open) = &mut self.open {
            // Filled and outlined text is drawn twice.
            let is_outline = character.rendering == TextRendering::Stroked
                && open.run.rendering == TextRendering::Filled
                && (character.origin - open.last_origin).hypot() < 0.01;
            if is_outline || open.continues(&character, order) {
                if !is_outline {
                    open.push(character);
                }
                return AddOutcome::Continued;
            }
        }
        self.close();
        if self.finished.len() >= most {
            return AddOutcome::TooMany;
        }
        self.open = Some(OpenRun::new(character, order));
        AddOutcome::Started
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.finished.push(open.finish());
        }
    }

    /// The runs in painting order, without those that contain only spaces.
    pub(super) fn finish(mut self) -> Vec<TextRun> {
        self.close();
        self.finished.retain(|run| !run.text.trim().is_empty());
        self.finished
    }
}

impl OpenRun {
    fn new(character: Character, order: u32) -> Self {
        let degrees = character.em.y.atan2(character.em.x).to_degrees().rem_euclid(360.0);
        let run = TextRun {
            text: String::new(),
            area: area(character.area),
            direction: u16::try_from(scaled(degrees, 1.0) % 360).unwrap_or(0),
            size: scaled(character.size, 100.0),
            font: character.font,
            colour: character.colour,
            opacity: character.opacity,
            rendering: character.rendering,
            order,
            background: None,
            cover: None,
            outside_page: false,
            confidence: None,
            unmapped: 0,
        };
        let mut open = Self {
            run,
            area: character.area,
            characters: 0,
            outside: 0,
            size: character.size,
            em: character.em,
            last_origin: character.origin,
            end: character.origin,
            next_order: order + 1,
        };
        open.push(character);
        open
    }

    /// Along the baseline and across it, in ems, from where the run ends.
    fn gap(&self, to: Point) -> (f64, f64) {
        let length = self.em.hypot2();
        if length <= 0.0 {
            return (f64::INFINITY, f64::INFINITY);
        }
        let gap = to - self.end;
        (gap.dot(self.em) / length, gap.cross(self.em) / length)
    }

    fn continues(&self, character: &Character, order: u32) -> bool {
        let same = self.run.font == character.font
            && self.run.colour == character.colour
            && self.run.opacity == character.opacity
            && self.run.rendering == character.rendering
            && (self.size - character.size).abs() <= 0.01 * self.size
            && (self.em - character.em).hypot() <= 0.01 * self.em.hypot();
        let (along, across) = self.gap(character.origin);
        same && order == self.next_order
            && self.characters < MAX_CHARACTERS
            && (-0.5..APART).contains(&along)
            && across.abs() < 0.1
    }

    fn push(&mut self, character: Character) {
        let (along, _) = self.gap(character.origin);
        let text = &mut self.run.text;
        if self.characters > 0 && along > SPACE && !text.ends_with(' ') {
            text.push(' ');
        }
        let is_blank = character.text.as_ref().is_some_and(|string| string.chars().all(char::is_whitespace));
        if let Some(string) = character.text {
            text.extend(string.chars().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c }));
        } else {
            text.push('\u{FFFD}');
            self.run.unmapped += 1;
        }
        self.characters += 1;
        self.outside += usize::from(character.is_outside);
        // A run ends with its last letter: text after a space does not continue it.
        if !is_blank {
            self.area = self.area.union(character.area);
        }
        (self.last_origin, self.end) = (character.origin, character.end);
    }

    fn finish(mut self) -> TextRun {
        self.run.area = area(self.area);
        self.run.outside_page = 2 * self.outside > self.characters;
        self.run.text.truncate(self.run.text.trim_end().len());
        self.run
    }
}
