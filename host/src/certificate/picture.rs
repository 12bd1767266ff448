//! Looks at the photos before Typst does, so that a broken one costs its own place on the page and not the certificate.

use std::io::Cursor;

use image::{ExtendedColorType, ImageDecoder, ImageFormat, ImageReader};

/// More than any photo that was scaled for a page, and little enough to decode several at once.
const MAX_PIXELS: u64 = 64_000_000;

/// A picture that can be put on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) format: PictureFormat,
    /// In pixels.
    pub(super) width: u32,
    pub(super) height: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureFormat {
    Jpeg,
    Png,
}

impl PictureFormat {
    /// Typst takes the format from it.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
        }
    }
}

/// What the photo's header says, or `None` if it is no picture that a certificate can hold: neither JPEG nor PNG, too
/// large, or in CMYK, for which PDF/A would need a colour profile. Fast: decodes no pixel.
pub(super) fn inspect(photo: &[u8]) -> Option<Picture> {
    let reader = ImageReader::new(Cursor::new(photo)).with_guessed_format().ok()?;
    let format = match reader.format()? {
        ImageFormat::Jpeg => PictureFormat::Jpeg,
        ImageFormat::Png => PictureFormat::Png,
        _ => return None,
    };
    let decoder = reader.into_decoder().ok()?;
    let (width, height) = decoder.dimensions();
    let fits = (1..=MAX_PIXELS).contains(&(u64::from(width) * u64::from(height)));
    let shown = decoder.original_color_type() != ExtendedColorType::Cmyk8;
    (fits && shown).then_some(Picture { format, width, height })
}

/// Whether all of the photo can be decoded, by the decoder that Typst uses too. Slow: decodes every pixel.
pub(super) fn is_intact(photo: &[u8]) -> bool {
    image::load_from_memory(photo).is_ok()
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, ImageFormat};

    use super::*;

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        DynamicImage::new_rgb8(40, 30).write_to(&mut Cursor::new(&mut bytes), format).unwrap();
        bytes
    }

    #[test]
    fn jpeg_and_png_are_told_apart_by_their_bytes() {
        let jpeg = inspect(&encoded(ImageFormat::Jpeg)).unwrap();
        assert_eq!(jpeg, Picture { format: PictureFormat::Jpeg, width: 40, height: 30 });
        assert_eq!(inspect(&encoded(ImageFormat::Png)).unwrap().format, PictureFormat::Png);
    }

    #[test]
    fn what_is_no_picture_is_not_shown() {
        let jpeg = encoded(ImageFormat::Jpeg);
        for bytes in [&b""[..], b"%PDF-1.7", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", &jpeg[..20]] {
            assert_eq!(inspect(bytes), None);
        }
    }

    #[test]
    fn a_picture_of_absurd_size_is_not_shown() {
        let mut png = encoded(ImageFormat::Png);
        png[16..24].copy_from_slice(&[0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00]); // IHDR: 65,536 × 65,536
        assert_eq!(inspect(&png), None);
    }

    #[test]
    fn a_png_cut_in_its_pixels_has_a_good_header_and_is_not_intact() {
        let png = encoded(ImageFormat::Png);
        let cut = &png[..png.len() - 30];
        assert!(inspect(cut).is_some());
        assert!(!is_intact(cut));
        assert!(is_intact(&png));
    }
}
