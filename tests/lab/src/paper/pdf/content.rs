//! The operators that draw a page (ISO 32000-1, 8 and 9).

use super::Operators;
use crate::paper::{
    sheet::{Area, Colour, Mark, Run, Sheet},
    typeface::Face,
};

/// How a file names its fonts, and how it encodes text in them.
pub(crate) trait Strings {
    fn name(&self, face: Face) -> String;
    fn string(&self, face: Face, text: &str) -> Vec<u8>;
}

pub(super) fn operators(sheet: &Sheet, operators: Operators, fonts: &dyn Strings) -> Vec<u8> {
    let mut content = Vec::new();
    let mut pictures = 0;
    for mark in &sheet.marks {
        match mark {
            Mark::Fill(area, colour) => {
                content.extend(format!("{} rg {} f\n", paint(*colour), rectangle(area, sheet)).bytes());
            }
            Mark::Frame(area, thickness, colour) => {
                content.extend(format!("{} RG {thickness} w {} S\n", paint(*colour), rectangle(area, sheet)).bytes());
            }
            Mark::Portrait(Area { x, y, width, height }) => {
                let bottom = sheet.height - y - height;
                content.extend(format!("q {width} 0 0 {height} {x} {bottom} cm /Im{pictures} Do Q\n").bytes());
                pictures += 1;
            }
            Mark::Text(run) => text(&mut content, run, sheet, operators, fonts),
        }
    }
    content
}

fn paint(colour: Colour) -> String {
    colour.map(|part| format!("{:.3}", f32::from(part) / 255.0)).join(" ")
}

fn rectangle(area: &Area, sheet: &Sheet) -> String {
    format!("{:.2} {:.2} {:.2} {:.2} re", area.x, sheet.height - area.y - area.height, area.width, area.height)
}

fn text(content: &mut Vec<u8>, run: &Run, sheet: &Sheet, operators: Operators, fonts: &dyn Strings) {
    let mode = if run.invisible { "3 Tr " } else { "0 Tr " };
    let head = format!("BT {mode}{} rg /{} {:.2} Tf ", paint(run.colour), fonts.name(run.face), run.size);
    content.extend(head.bytes());
    let baseline = sheet.height - run.baseline;
    let place = |content: &mut Vec<u8>, x: f32| content.extend(format!("1 0 0 1 {x:.2} {baseline:.2} Tm ").bytes());
    match operators {
        Operators::Lines => {
            place(content, run.x);
            string(content, &fonts.string(run.face, &run.text));
            content.extend(b" Tj ");
        }
        Operators::Words => {
            let mut x = run.x;
            for word in run.text.split_inclusive(' ') {
                place(content, x);
                string(content, &fonts.string(run.face, word));
                content.extend(b" Tj ");
                x += run.face.width(word, run.size);
            }
        }
        Operators::Arrays => {
            place(content, run.x);
            content.push(b'[');
            let letters: Vec<char> = run.text.chars().collect();
            // Corrections that cancel each other out, as kerning nearly does.
            for (index, piece) in letters.chunks(5).enumerate() {
                let piece: String = piece.iter().collect();
                string(content, &fonts.string(run.face, &piece));
                content.extend(if index % 2 == 0 { b" 3 " } else { b" -3" });
            }
            content.extend(b"] TJ ");
        }
    }
    content.extend(b"ET\n");
}

fn string(content: &mut Vec<u8>, bytes: &[u8]) {
    content.push(b'<');
    for byte in bytes {
        content.extend(format!("{byte:02x}").bytes());
    }
    content.push(b'>');
}
