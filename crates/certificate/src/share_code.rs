//! The QR code of the address where a certificate is published, as a drawing.
//!
//! Typst reads the drawing and writes it into the PDF again. So dark modules next to each other are one rectangle, which
//! leaves fewer than half of the shapes.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};

/// The size of a module in the drawing, in pixels.
const MODULE: usize = 8;

/// Dark modules, in modules from the upper left corner.
#[derive(Clone, Copy)]
struct Rectangle {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

/// The code as SVG, without a margin; `None` for an address that is too long for any (about 2,300 bytes).
pub(super) fn share_code(url: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(url, EcLevel::M).ok()?;
    let width = code.width();
    let dark: Vec<bool> = code.to_colors().into_iter().map(|colour| colour == Color::Dark).collect();
    let size = width * MODULE;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {width} {width}" shape-rendering="crispEdges"><rect width="{width}" height="{width}" fill="#fff"/><path fill="#000" d=""##
    );
    for Rectangle { x, y, width, height } in rectangles(dark, width) {
        // Writing to a `String` cannot fail.
        let _ = write!(svg, "M{x} {y}h{width}v{height}H{x}z");
    }
    svg.push_str(r#""/></svg>"#);
    Some(svg)
}

/// Rectangles that cover each dark module once, and nothing else. `dark` has rows of `width` modules.
fn rectangles(mut dark: Vec<bool>, width: usize) -> Vec<Rectangle> {
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(ahead) = dark[next..].iter().position(|dark| *dark) {
        let start = next + ahead;
        let (x, y) = (start % width, start / width);
        let across = dark[start..(y + 1) * width].iter().take_while(|dark| **dark).count();
        let below =
            dark[start..].chunks(width).take_while(|row| row.len() >= across && row[..across].iter().all(|dark| *dark));
        let down = below.count();
        for row in 0..down {
            dark[start + row * width..][..across].fill(false);
        }
        found.push(Rectangle { x, y, width: across, height: down });
        next = start + across;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rectangles_are_the_dark_modules() {
        for url in ["https://example.org/c/1", "https://certificates.example.org/c/d3b07384d113edec49eaa6238ad5ff00"] {
            let code = QrCode::with_error_correction_level(url, EcLevel::M).unwrap();
            let width = code.width();
            let dark: Vec<bool> = code.to_colors().into_iter().map(|colour| colour == Color::Dark).collect();
            let found = rectangles(dark.clone(), width);
            let mut covered = vec![0; dark.len()];
            for &Rectangle { x, y, width: across, height } in &found {
                assert!(x + across <= width, "beyond the right edge");
                for row in y..y + height {
                    covered[row * width + x..][..across].iter_mut().for_each(|times| *times += 1);
                }
            }
            assert_eq!(covered, dark.iter().map(|dark| i32::from(*dark)).collect::<Vec<_>>(), "{url}");
            let modules = dark.iter().filter(|dark| **dark).count();
            assert!(found.len() * 2 < modules, "{} rectangles for {modules} modules", found.len());
        }
    }

    #[test]
    fn rectangles_end_at_the_right_edge() {
        let found = rectangles(vec![false, true, true, false, true, true], 3);
        let sizes: Vec<_> = found.iter().map(|one| (one.x, one.y, one.width, one.height)).collect();
        assert_eq!(sizes, [(1, 0, 2, 2)]);
        let found = rectangles(vec![true, true, true, true, false, true], 3);
        let sizes: Vec<_> = found.iter().map(|one| (one.x, one.y, one.width, one.height)).collect();
        assert_eq!(sizes, [(0, 0, 3, 1), (0, 1, 1, 1), (2, 1, 1, 1)]);
    }

    #[test]
    fn an_address_that_is_too_long_has_no_code() {
        assert!(share_code(&"x".repeat(3000)).is_none());
        let svg = share_code("https://example.org/c/1").unwrap();
        assert!(svg.contains(r#"width="200" height="200" viewBox="0 0 25 25""#), "{svg}");
    }
}
