//! A page as marks on paper, independent of the file format. Lengths are points (1/72 inch) from the upper left corner.

use super::typeface::Face;

/// Width and height of an A4 page.
pub(crate) const A4: (f32, f32) = (595.0, 842.0);

pub(crate) type Colour = [u8; 3];
pub(crate) const BLACK: Colour = [0, 0, 0];
pub(crate) const WHITE: Colour = [255, 255, 255];

/// A rectangle with its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// One line of text in one face.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) x: f32,
    pub(crate) baseline: f32,
    pub(crate) size: f32,
    pub(crate) face: Face,
    pub(crate) colour: Colour,
    /// Text rendering mode 3: neither filled nor stroked, as under a scan that was read by OCR.
    pub(crate) invisible: bool,
    /// The field whose value this is.
    pub(crate) field: Option<&'static str>,
}

impl Run {
    pub(crate) fn width(&self) -> f32 {
        self.face.width(&self.text, self.size)
    }

    /// The area of the letters, from ascender to descender.
    pub(crate) fn area(&self) -> Area {
        Area { x: self.x, y: self.baseline - self.size * 0.75, width: self.width(), height: self.size }
    }
}

/// A mark on the paper; later marks cover earlier ones.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    Text(Run),
    Fill(Area, Colour),
    /// The outline of an area, and its thickness in points.
    Frame(Area, f32, Colour),
    /// A drawn portrait.
    Portrait(Area),
}

#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) marks: Vec<Mark>,
}

impl Sheet {
    pub(crate) fn new((width, height): (f32, f32)) -> Self {
        Self { width, height, marks: Vec::new() }
    }

    /// Sets a line of text and returns its width.
    pub(crate) fn text(&mut self, text: &str, (x, baseline): (f32, f32), size: f32, face: Face) -> f32 {
        self.marks.push(Mark::Text(Run {
            text: text.to_owned(),
            x,
            baseline,
            size,
            face,
            colour: BLACK,
            invisible: false,
            field: None,
        }));
        face.width(text, size)
    }

    /// Sets a line of text that ends at `right`.
    pub(crate) fn text_to(&mut self, text: &str, (right, baseline): (f32, f32), size: f32, face: Face) {
        self.text(text, (right - face.width(text, size), baseline), size, face);
    }

    /// Sets the field and the colour of the last text.
    pub(crate) fn mark_last(&mut self, field: Option<&'static str>, colour: Colour) {
        if let Some(Mark::Text(run)) = self.marks.last_mut() {
            run.field = field;
            run.colour = colour;
        }
    }

    pub(crate) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.marks.iter().filter_map(|mark| if let Mark::Text(run) = mark { Some(run) } else { None })
    }
}
