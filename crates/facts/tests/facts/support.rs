//! Files made by code, byte for byte.

use std::fmt::Write as _;

use image::{ExtendedColorType, ImageEncoder, codecs::jpeg::JpegEncoder, codecs::png::PngEncoder};
use sealwright_facts::{Facts, Limits, Recognition, prepare};

/// Facts within the usual bounds, without text recognition.
pub(crate) fn facts(file: &[u8]) -> Facts {
    prepare(file, &Limits::default(), &Recognition::NotWanted)
}

/// A PDF file of one revision: objects from 1 on, the first being the catalog. Those given as bytes hold a stream.
pub(crate) fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let numbered: Vec<(usize, &Vec<u8>)> = (1..).zip(objects).collect();
    append(&mut file, &numbered, objects.len() + 1, None, "/Root 1 0 R");
    file
}

/// A revision appended to `file`: the objects that it adds or replaces.
pub(crate) fn revised(file: &[u8], objects: &[(usize, Vec<u8>)], size: usize) -> Vec<u8> {
    let text = String::from_utf8_lossy(&file[file.len() - 40..]).into_owned();
    let previous = text.split("startxref").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
    let mut file = file.to_vec();
    let objects: Vec<(usize, &Vec<u8>)> = objects.iter().map(|(number, object)| (*number, object)).collect();
    append(&mut file, &objects, size, Some(previous), "/Root 1 0 R");
    file
}

fn append(file: &mut Vec<u8>, objects: &[(usize, &Vec<u8>)], size: usize, previous: Option<usize>, trailer: &str) {
    let mut table = "xref\n".to_owned();
    if previous.is_none() {
        table += "0 1\n0000000000 65535 f \n";
    }
    for (number, object) in objects {
        write!(table, "{number} 1\n{:010} 00000 n \n", file.len()).unwrap();
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(*object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    let previous = previous.map(|at| format!("/Prev {at}")).unwrap_or_default();
    file.extend(format!("{table}trailer\n<</Size {size}{previous}{trailer}>>\nstartxref\n{start}\n%%EOF\n").bytes());
}

pub(crate) fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    [format!("<<{dictionary}/Length {}>>\nstream\n", data.len()).as_bytes(), data, b"\nendstream"].concat()
}

/// One page of 200 by 100 points with this content; Helvetica is `/F1`. More objects follow from 6 on, and `resources` can
/// name them.
pub(crate) fn page(content: &str, resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>{resources}>>>>")
            .into_bytes(),
        stream("", content.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
    ];
    objects.extend_from_slice(more);
    pdf(&objects)
}

/// A scene with soft shapes and a little noise.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "brightness is cut to what fits before")]
pub(crate) fn scene(width: u32, height: u32) -> image::RgbImage {
    image::RgbImage::from_fn(width, height, |x, y| {
        let noise = (x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)).wrapping_mul(2_654_435_761) >> 28;
        let value = |a: f64, b: f64| {
            let hills = (f64::from(x) / a).sin() + (f64::from(y) / b).cos();
            (120.0 + 45.0 * hills + f64::from(noise)).clamp(0.0, 255.0).round() as u8
        };
        image::Rgb([value(31.0, 23.0), value(37.0, 29.0), value(41.0, 53.0)])
    })
}

pub(crate) fn jpeg(picture: &image::RgbImage, quality: u8) -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut file, quality);
    encoder.write_image(picture, picture.width(), picture.height(), ExtendedColorType::Rgb8).unwrap();
    file
}

pub(crate) fn png(picture: &image::RgbImage) -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = PngEncoder::new(&mut file);
    encoder.write_image(picture, picture.width(), picture.height(), ExtendedColorType::Rgb8).unwrap();
    file
}
