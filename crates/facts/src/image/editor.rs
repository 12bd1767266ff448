//! Detects programs that edit or make pictures, by the marks they leave.

use super::{
    exif::Exif,
    jpeg::Part,
    model::{EditorTrace, JpegFacts, PngFacts},
};
use crate::{text, xmp::Xmp};

const MAX_TRACES: usize = 16;
const MAX_TEXT_LENGTH: usize = 120;

/// Parts of names, in lower case, and the program that writes them. Firmware of cameras and phones is not included.
const PROGRAMS: &[(&str, &str)] = &[
    ("photoshop", "Adobe Photoshop"),
    ("lightroom", "Adobe Lightroom"),
    ("adobe firefly", "Adobe Firefly"),
    ("illustrator", "Adobe Illustrator"),
    ("gimp", "GIMP"),
    ("affinity", "Affinity Photo"),
    ("paint.net", "Paint.NET"),
    ("pixelmator", "Pixelmator"),
    ("snapseed", "Snapseed"),
    ("picsart", "PicsArt"),
    ("canva", "Canva"),
    ("imagemagick", "ImageMagick"),
    ("graphicsmagick", "GraphicsMagick"),
    ("picasa", "Picasa"),
    ("photoscape", "PhotoScape"),
    ("paintshop", "PaintShop Pro"),
    ("paint shop pro", "PaintShop Pro"),
    ("acdsee", "ACDSee"),
    ("capture one", "Capture One"),
    ("darktable", "darktable"),
    ("rawtherapee", "RawTherapee"),
    ("luminar", "Luminar"),
    ("krita", "Krita"),
    ("inkscape", "Inkscape"),
    ("irfanview", "IrfanView"),
    ("xnview", "XnView"),
    ("faststone", "FastStone"),
    ("windows photo", "Windows Photo Editor"),
    ("microsoft photo", "Microsoft Photos"),
    ("photofiltre", "PhotoFiltre"),
    ("fotor", "Fotor"),
    ("polarr", "Polarr"),
    ("vsco", "VSCO"),
    ("facetune", "Facetune"),
    ("faceapp", "FaceApp"),
    ("meitu", "Meitu"),
    ("remini", "Remini"),
    ("photopea", "Photopea"),
    ("midjourney", "Midjourney"),
    ("stable diffusion", "Stable Diffusion"),
    ("dall-e", "DALL-E"),
    ("dall·e", "DALL-E"),
    ("comfyui", "ComfyUI"),
    ("novelai", "NovelAI"),
    ("gd-jpeg", "libgd"),
    ("lavc", "FFmpeg"),
];

/// The places where marks can be.
pub(super) struct Marks<'a> {
    pub(super) exif: Option<&'a Exif>,
    pub(super) xmp: Option<&'a Xmp>,
    pub(super) jpeg: Option<(&'a JpegFacts, &'a [Part<'a>])>,
    pub(super) png: Option<&'a PngFacts>,
}

pub(super) fn traces(marks: &Marks) -> Vec<EditorTrace> {
    let mut found = Vec::new();
    let mut look = |place: &str, text: Option<&str>| {
        let Some(text) = text else { return };
        if let Some(program) = program(text) {
            note(&mut found, program, place, text);
        }
    };
    if let Some(exif) = marks.exif {
        look("exif software", exif.software.as_deref());
        look("exif software", exif.processing_software.as_deref());
    }
    if let Some(xmp) = marks.xmp {
        look("xmp creator tool", xmp.creator_tool.as_deref());
        for entry in &xmp.history {
            look("xmp history", entry.software.as_deref());
        }
    }
    if let Some((facts, _)) = marks.jpeg {
        look("comment", facts.comment.as_deref());
    }
    for (keyword, text) in marks.png.map(|png| png.texts.as_slice()).unwrap_or_default() {
        look("png text", Some(text));
        // Where an image generator stores its prompt.
        if keyword == "parameters" && text.contains("Steps:") {
            look("png text", Some("Stable Diffusion parameters"));
        }
    }
    for part in marks.jpeg.map(|(_, parts)| parts).unwrap_or_default() {
        if let Some(text) = photoshop_segment(*part) {
            note(&mut found, "Adobe Photoshop", "segment", text);
        }
    }
    found.truncate(MAX_TRACES);
    found
}

fn note(found: &mut Vec<EditorTrace>, program: &str, place: &str, text: &str) {
    if found.len() < MAX_TRACES && !found.iter().any(|trace| trace.program == program && trace.place == place) {
        let text = text::one_line(text, MAX_TEXT_LENGTH).unwrap_or_default();
        found.push(EditorTrace { program: program.to_owned(), place: place.to_owned(), text });
    }
}

/// The program that a text names.
fn program(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    PROGRAMS.iter().find(|(part, _)| text.contains(part)).map(|(_, program)| *program)
}

/// Segments that only Photoshop's own saving writes. Other programs write image resources without these, to store
/// captions.
fn photoshop_segment(part: Part) -> Option<&'static str> {
    match part.marker {
        0xEC if part.payload.starts_with(b"Ducky") => Some("APP12 Ducky"),
        0xED if part.payload.starts_with(b"Photoshop 3.0\0") => {
            let has = |resource: &[u8]| part.payload.windows(resource.len()).any(|window| window == resource);
            // Version information and JPEG quality (Photoshop File Formats, Image Resource IDs 1057 and 1030).
            (has(b"8BIM\x04\x21") || has(b"8BIM\x04\x06")).then_some("APP13 Photoshop 3.0")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_named_and_a_camera_is_not() {
        assert_eq!(program("Adobe Photoshop CS3 Macintosh"), Some("Adobe Photoshop"));
        assert_eq!(program("GIMP 2.10.34"), Some("GIMP"));
        for camera in ["COOLPIX P6000V1.0", "Firmware Version 1.0.4", "iOS 17.1", "HDR+ 1.0.585804376zd", "15.2"] {
            assert_eq!(program(camera), None, "{camera}");
        }
    }

    #[test]
    fn captions_alone_are_not_a_trace() {
        let segment = |resource: &[u8]| [b"Photoshop 3.0\0", resource].concat();
        let (captions, version) = (segment(b"8BIM\x04\x04\0\0"), segment(b"8BIM\x04\x21\0\0"));
        assert!(photoshop_segment(Part { marker: 0xED, payload: &captions }).is_none());
        assert!(photoshop_segment(Part { marker: 0xED, payload: &version }).is_some());
    }
}
