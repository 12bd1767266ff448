//! Checks the photos before Typst reads them, so that a broken one loses only its own place on the page.

use std::io::Cursor;

use bytes::Bytes;
use image::{ExtendedColorType, ImageDecoder, ImageFormat, ImageReader};
use sha2::{Digest, Sha256};

/// More than any photo that was scaled for a page, and few enough to decode several at once.
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

/// A file that Typst reads.
pub(super) struct PictureFile {
    pub(super) path: String,
    pub(super) bytes: Bytes,
}

impl Picture {
    /// The path that a template places, `evidence/NUMBER.…`.
    pub(super) fn path(self, number: usize) -> String {
        match self.format {
            PictureFormat::Jpeg => format!("evidence/{number}.svg"),
            PictureFormat::Png => format!("evidence/{number}.png"),
        }
    }

    /// The files of the picture, whose bytes are `photo`.
    ///
    /// A JPEG goes into the PDF unchanged. Typst decodes a JPEG only to place it, which took longer than the rest of
    /// the certificate and kept every pixel in memory. It does not decode one inside a drawing, so what is placed is a
    /// drawing of the photo's size that contains only the photo.
    pub(super) fn files(self, number: usize, photo: &Bytes) -> Vec<PictureFile> {
        let placed = self.path(number);
        match self.format {
            PictureFormat::Jpeg => {
                let name = format!("{number}.jpg");
                let drawing = self.drawing_of(&name, photo).into();
                vec![
                    PictureFile { path: format!("evidence/{name}"), bytes: photo.clone() },
                    PictureFile { path: placed, bytes: drawing },
                ]
            }
            PictureFormat::Png => vec![PictureFile { path: placed, bytes: photo.clone() }],
        }
    }

    /// Typst distinguishes drawings by their own bytes, without those of the photo, so these contain the photo's
    /// digest.
    fn drawing_of(self, name: &str, photo: &[u8]) -> String {
        let Self { width, height, .. } = self;
        let digest = hex::encode(Sha256::digest(photo));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><!-- {digest} --><image href="{name}" width="{width}" height="{height}"/></svg>"#
        )
    }
}

/// Reads the photo's header. `None` if a certificate cannot contain it: neither JPEG nor PNG, too large, or in CMYK,
/// which would need a colour profile in PDF/A. Fast: decodes no pixels.
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

/// Whether the whole photo can be decoded, with the decoder that Typst uses. Slow: decodes every pixel.
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
    fn jpeg_and_png_are_distinguished_by_their_bytes() {
        let jpeg = inspect(&encoded(ImageFormat::Jpeg)).unwrap();
        assert_eq!(jpeg, Picture { format: PictureFormat::Jpeg, width: 40, height: 30 });
        assert_eq!(inspect(&encoded(ImageFormat::Png)).unwrap().format, PictureFormat::Png);
    }

    #[test]
    fn a_jpeg_is_placed_as_a_drawing_that_differs_for_every_photo() {
        let photo = Bytes::from(encoded(ImageFormat::Jpeg));
        let picture = inspect(&photo).unwrap();
        let [file, drawing] = picture.files(3, &photo).try_into().ok().unwrap();
        assert_eq!((file.path.as_str(), file.bytes), ("evidence/3.jpg", photo.clone()));
        assert_eq!((drawing.path.as_str(), picture.path(3).as_str()), ("evidence/3.svg", "evidence/3.svg"));
        let other = [&photo[..], b"\0"].concat().into();
        assert_ne!(picture.files(3, &other).pop().unwrap().bytes, drawing.bytes);
        let png = Bytes::from(encoded(ImageFormat::Png));
        let [file] = inspect(&png).unwrap().files(3, &png).try_into().ok().unwrap();
        assert_eq!((file.path.as_str(), file.bytes), ("evidence/3.png", png));
    }

    #[test]
    fn what_is_not_a_picture_is_not_shown() {
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
    fn a_truncated_png_has_a_good_header_and_is_not_intact() {
        let png = encoded(ImageFormat::Png);
        let cut = &png[..png.len() - 30];
        assert!(inspect(cut).is_some());
        assert!(!is_intact(cut));
        assert!(is_intact(&png));
    }
}
