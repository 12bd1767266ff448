use std::{fs, path::Path};

use image::{GrayImage, ImageBuffer, Rgb, Rgba, RgbaImage};

use super::*;

const RED: Rgb<u8> = Rgb([220, 20, 20]);
const GREEN: Rgb<u8> = Rgb([20, 200, 20]);
const BLUE: Rgb<u8> = Rgb([20, 20, 220]);
const YELLOW: Rgb<u8> = Rgb([230, 220, 20]);

/// Red top left, green top right, blue bottom left, yellow bottom right.
fn quadrants(width: u32, height: u32) -> RgbImage {
    ImageBuffer::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => RED,
        (false, true) => GREEN,
        (true, false) => BLUE,
        (false, false) => YELLOW,
    })
}

fn jpeg(image: &RgbImage) -> Vec<u8> {
    let mut file = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut file, 95)).unwrap();
    file
}

fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    encode_png(&image.into(), CompressionType::Fast).unwrap()
}

/// A JPEG whose EXIF contains an orientation, little-endian, followed by the text `SECRET`.
fn jpeg_with_orientation(image: &RgbImage, orientation: u8) -> Vec<u8> {
    let exif =
        [&b"Exif\0\0II\x2A\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"[..], &[orientation, 0, 0, 0], b"\0\0\0\0SECRET"]
            .concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let file = jpeg(image);
    [&file[..2], b"\xFF\xE1", &length, &exif, &file[2..]].concat()
}

fn read(file: &[u8]) -> RgbImage {
    image::load_from_memory(file).unwrap().into_rgb8()
}

/// The colour in the middle of a corner's quadrant, as the nearest of the four.
fn corner(image: &RgbImage, right: bool, bottom: bool) -> Rgb<u8> {
    let at = |side: u32, far: bool| if far { side - side / 4 } else { side / 4 };
    let pixel = image.get_pixel(at(image.width(), right), at(image.height(), bottom));
    let distance = |colour: &Rgb<u8>| -> i32 {
        colour.0.iter().zip(pixel.0).map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2)).sum()
    };
    *[RED, GREEN, BLUE, YELLOW].iter().min_by_key(|colour| distance(colour)).unwrap()
}

fn contains(file: &[u8], text: &[u8]) -> bool {
    file.windows(text.len()).any(|window| window == text)
}

/// Xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

#[test]
fn every_orientation_is_shown_upright() {
    // Where the shown top left and top right corners are in the stored picture (EXIF 2.32, 4.6.4, orientation).
    let stored_corners = [
        (1, RED, GREEN),
        (2, GREEN, RED),
        (3, YELLOW, BLUE),
        (4, BLUE, YELLOW),
        (5, RED, BLUE),
        (6, BLUE, RED),
        (7, YELLOW, GREEN),
        (8, GREEN, YELLOW),
    ];
    for (orientation, top_left, top_right) in stored_corners {
        let file = jpeg_with_orientation(&quadrants(96, 64), orientation);
        let turned = orientation >= 5;
        let whole = read(&png_of(&file).unwrap());
        assert_eq!(whole.dimensions(), if turned { (64, 96) } else { (96, 64) }, "{orientation}");
        let scaled = for_certificate(&file, 48).unwrap();
        assert_eq!((scaled.width, scaled.height), if turned { (32, 48) } else { (48, 32) }, "{orientation}");
        let preview = read(&preview_of(&file, 48).unwrap());
        assert_eq!(preview.dimensions(), (scaled.width, scaled.height), "{orientation}");
        for shown in [whole, read(&scaled.bytes), preview] {
            assert_eq!(corner(&shown, false, false), top_left, "{orientation}");
            assert_eq!(corner(&shown, true, false), top_right, "{orientation}");
        }
    }
}

#[test]
fn an_orientation_that_does_not_exist_changes_nothing() {
    for orientation in [0, 9, 255] {
        let file = jpeg_with_orientation(&quadrants(96, 64), orientation);
        let shown = read(&png_of(&file).unwrap());
        assert_eq!(corner(&shown, false, false), RED);
        assert_eq!(shown.dimensions(), (96, 64));
    }
}

#[test]
fn metadata_is_removed() {
    let photo = jpeg_with_orientation(&quadrants(96, 64), 6);
    let plain = png(quadrants(96, 64));
    // A text chunk before the pixels; the checksum of such chunks is not verified.
    let text = [&b"\0\0\0\x0etEXtComment\0SECRET"[..], &crc(b"tEXtComment\0SECRET")].concat();
    let drawing = [&plain[..33], &text, &plain[33..]].concat();
    for file in [photo, drawing] {
        assert!(contains(&file, b"SECRET"));
        assert!(!contains(&png_of(&file).unwrap(), b"SECRET"));
        assert!(!contains(&for_certificate(&file, 1600).unwrap().bytes, b"SECRET"));
        assert!(!contains(&preview_of(&file, 1600).unwrap(), b"SECRET"));
    }
}

/// The checksum of a PNG chunk (W3C PNG, annex D).
fn crc(bytes: &[u8]) -> [u8; 4] {
    let crc = bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    });
    (!crc).to_be_bytes()
}

#[test]
fn a_png_keeps_its_pixels_as_png() {
    let mut transparent = RgbaImage::from_pixel(40, 20, Rgba([0, 0, 0, 0]));
    transparent.put_pixel(3, 4, Rgba([10, 20, 30, 128]));
    let shown = image::load_from_memory(&png_of(&png(transparent.clone())).unwrap()).unwrap();
    assert_eq!(shown.into_rgba8(), transparent);
}

#[test]
fn a_signature_stays_png_on_white() {
    // Strokes of half-transparent blue on nothing, the invisible colour being black.
    let signature =
        RgbaImage::from_fn(400, 200, |x, _| if x % 40 < 10 { Rgba([0, 0, 255, 128]) } else { Rgba([0; 4]) });
    let shown = for_certificate(&png(signature), 1600).unwrap();
    assert_eq!((shown.kind, shown.width, shown.height), (FileKind::Png, 400, 200));
    let pixels = image::load_from_memory(&shown.bytes).unwrap();
    assert!(!pixels.color().has_alpha());
    let pixels = pixels.into_rgb8();
    assert_eq!(*pixels.get_pixel(20, 20), Rgb([255, 255, 255]));
    assert_eq!(*pixels.get_pixel(5, 20), Rgb([127, 127, 255]));
}

#[test]
fn a_preview_is_a_jpeg_on_white_whatever_was_sent() {
    let signature = png(RgbaImage::from_pixel(400, 200, Rgba([0; 4])));
    let grey = png(GrayImage::from_pixel(30, 20, image::Luma([255])));
    for (file, size) in [(signature, (100, 50)), (grey, (30, 20))] {
        let preview = preview_of(&file, 100).unwrap();
        assert_eq!(FileKind::of(&preview), Some(FileKind::Jpeg));
        let shown = read(&preview);
        assert_eq!(shown.dimensions(), size);
        assert!(shown.pixels().all(|pixel| pixel.0.iter().all(|value| *value > 250)), "white");
    }
    assert!(matches!(preview_of(&jpeg(&quadrants(40, 30))[..60], 100), Err(ImageError::Damaged(_))));
}

#[test]
fn a_photo_sent_as_png_becomes_a_jpeg() {
    let mut random = Random(7);
    let noise = RgbImage::from_fn(600, 500, |_, _| Rgb([(); 3].map(|()| u8::try_from(random.below(256)).unwrap())));
    assert_eq!(for_certificate(&png(noise), 1600).unwrap().kind, FileKind::Jpeg);
}

#[test]
fn grey_pictures_stay_grey() {
    let file = png(GrayImage::from_fn(64, 64, |x, y| image::Luma([u8::try_from(x + y).unwrap()])));
    let shown = image::load_from_memory(&for_certificate(&file, 32).unwrap().bytes).unwrap();
    assert!(!shown.color().has_color());
}

#[test]
fn only_larger_pictures_are_scaled() {
    for (width, height, expected) in [
        (1600, 1200, (1600, 1200)),
        (1601, 800, (1600, 800)),
        (300, 3200, (150, 1600)),
        (1, 1, (1, 1)),
        (8000, 2, (1600, 1)),
    ] {
        let shown = for_certificate(&jpeg(&quadrants(width, height)), 1600).unwrap();
        assert_eq!((shown.width, shown.height), expected);
        assert_eq!(read(&shown.bytes).dimensions(), expected);
    }
}

#[test]
fn a_picture_with_too_many_pixels_is_refused_by_its_header() {
    let mut flood = png(quadrants(8, 8));
    for (width, height) in [(65_535, 65_535), (10_001, 10_000), (100_000, 1), (1, 100_000)] {
        set_dimensions(&mut flood, width, height);
        for refusal in [png_of(&flood).unwrap_err(), for_certificate(&flood, 1600).unwrap_err()] {
            let ImageError::TooLarge { width: got_width, height: got_height } = refusal else { panic!("{refusal}") };
            assert_eq!((got_width, got_height), (width, height));
        }
    }
    for (width, height) in [(0, 8), (8, 0), (1 << 31, 8), (u32::MAX, u32::MAX)] {
        set_dimensions(&mut flood, width, height);
        assert!(png_of(&flood).is_err(), "{width} x {height}");
    }
}

fn set_dimensions(png: &mut [u8], width: u32, height: u32) {
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    repair_checksums(png);
}

#[test]
fn a_png_that_unpacks_to_less_than_its_size_states_is_damaged() {
    // 90 megapixels are within the limits, but the pixels are those of 8 x 8.
    let mut hollow = png(quadrants(8, 8));
    set_dimensions(&mut hollow, 9_000, 10_000);
    assert!(matches!(png_of(&hollow), Err(ImageError::Damaged(_))));
}

#[test]
fn a_jpeg_that_needs_too_much_memory_is_refused_by_its_header() {
    let mut flood = jpeg(&quadrants(8, 8));
    let frame = flood.windows(2).position(|window| window == b"\xFF\xC0").unwrap();
    flood[frame + 5..frame + 9].copy_from_slice(b"\xFF\xFF\xFF\xFF");
    assert!(matches!(png_of(&flood), Err(ImageError::TooLarge { width: 65_535, height: 65_535 })));
    // 64 megapixels: fine when they are decoded row by row, too much when all coefficients are kept.
    flood[frame + 5..frame + 9].copy_from_slice(b"\x1F\x40\x1F\x40");
    flood[frame + 1] = 0xC2;
    assert!(matches!(png_of(&flood), Err(ImageError::TooLarge { width: 8000, height: 8000 })));
}

#[test]
fn other_files_are_not_images() {
    for (file, name) in [(&b""[..], "nothing"), (b"%PDF-1.7\n", "PDF"), (b"GIF89a", "GIF")] {
        let error = png_of(file).unwrap_err();
        assert_eq!(error.to_string(), format!("expected a JPEG or PNG image, got {name}"));
    }
}

#[test]
fn a_file_truncated_anywhere_is_damaged_or_shown_in_part() {
    for file in [jpeg_with_orientation(&quadrants(40, 30), 6), png(quadrants(40, 30))] {
        for length in 0..file.len() {
            if let Ok(shown) = for_certificate(&file[..length], 1600) {
                assert_eq!(shown.width * shown.height, 1200);
            }
        }
    }
}

#[test]
fn thousands_of_mutations_never_panic() {
    let mut random = Random(0x5EA1);
    let files = [
        jpeg_with_orientation(&quadrants(48, 32), 6),
        png(quadrants(48, 32)),
        png(RgbaImage::from_pixel(32, 32, Rgba([1, 2, 3, 4]))),
    ];
    for round in 0..3_000 {
        let mut file = files[round % files.len()].clone();
        for _ in 0..=random.below(8) {
            let at = random.below(file.len());
            match random.below(4) {
                0 => file[at] = u8::try_from(random.below(256)).unwrap(),
                1 => file[at] ^= 1 << random.below(8),
                2 => drop(file.drain(at..(at + random.below(20)).min(file.len()))),
                _ => file.insert(at, 0xFF),
            }
            if file.is_empty() {
                break;
            }
        }
        if round % 2 == 1 && file.starts_with(b"\x89PNG") {
            repair_checksums(&mut file);
        }
        // A caught panic is an answer too, but none of these should need it.
        let answer = for_certificate(&file, 24);
        assert!(
            !matches!(&answer, Err(ImageError::Damaged(text)) if text == DECODER_PANICKED),
            "round {round}: {}",
            hex::encode(file)
        );
    }
}

/// Gives every chunk a correct checksum, so that mutations are not stopped by the first one.
fn repair_checksums(png: &mut [u8]) {
    let mut at = 8;
    while let Some(header) = png.get(at..at + 4) {
        let length = usize::try_from(u32::from_be_bytes(header.try_into().unwrap())).unwrap();
        let Some(end) = at.checked_add(8).and_then(|start| start.checked_add(length)) else { return };
        let Some(checksum) = png.get(at + 4..end).map(crc) else { return };
        let Some(place) = png.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&checksum);
        at = end + 4;
    }
}

/// Photos of real cameras, and some damaged ones, that are not part of the repository.
fn real_photos() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures/photos");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("SKIPPED: no photos in {}", folder.display());
        return Vec::new();
    };
    let mut photos: Vec<_> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap()))
        .collect();
    photos.sort();
    photos
}

#[test]
fn real_photos_are_shown_and_damaged_ones_do_no_harm() {
    for (name, file) in real_photos() {
        match (for_certificate(&file, 1600), name.as_str()) {
            (Ok(shown), "canon_hdr_NO.jpg") => assert_eq!((shown.width, shown.height), (1200, 1600), "upright"),
            (Ok(shown), _) => {
                assert!(shown.width.max(shown.height) <= 1600, "{name}");
                assert_eq!(read(&shown.bytes).dimensions(), (shown.width, shown.height), "{name}");
            }
            (Err(ImageError::Damaged(_)), "corrupted.jpg" | "image00971.jpg" | "image01551.jpg") => {}
            (Err(error), _) => panic!("{name}: {error}"),
        }
    }
}
