//! How much is read. All bounds are counts, so the same file gives the same facts on a slow machine.

/// The bounds of one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A larger file is not read. The server takes 25 MiB at most (decisions 8).
    pub max_file_bytes: u64,
    /// Compressed streams of a PDF file, all together.
    pub max_unpacked_bytes: u64,
    pub max_objects: u32,
    /// Revisions listed.
    pub max_revisions: u32,
    /// Changed objects listed for each revision.
    pub max_changed_objects: u32,
    /// Pages whose content is read.
    pub max_pages: u32,
    /// Text runs, shapes and images: each on one page.
    pub max_text_runs: u32,
    pub max_shapes: u32,
    pub max_images: u32,
    /// Pictures inside a PDF file whose pixels are looked at.
    pub max_pictures: u32,
    /// Things painted on one page, seen or not; the rest of the page is left out.
    pub max_painted: u32,
    /// The same on all pages together. A clip or group counts as ten: it may be a form, which is read again each time.
    pub max_painted_in_all: u32,
    /// Signatures whose digest is compared: each may cover the whole file.
    pub max_signatures: u32,
    /// Annotations, form fields, actions, fonts, layers, embedded files: this many of each.
    pub max_listed: u32,
    /// Of an image file, and of each page drawn for text recognition.
    pub max_pixels: u64,
    /// Pages of a PDF file that are drawn and given to text recognition.
    pub max_ocr_pages: u32,
    /// Characters of a text that is not page content (titles, names, comments).
    pub max_text_length: u32,
}

impl Limits {
    /// The limits for documents and photos.
    pub(crate) const USUAL: Self = Self {
        max_file_bytes: 32 << 20,
        max_unpacked_bytes: 256 << 20,
        max_objects: 200_000,
        max_revisions: 64,
        max_changed_objects: 256,
        max_pages: 50,
        max_text_runs: 10_000,
        max_shapes: 2_000,
        max_images: 500,
        max_pictures: 6,
        max_painted: 500_000,
        max_painted_in_all: 2_000_000,
        max_signatures: 8,
        max_listed: 500,
        max_pixels: 50_000_000,
        max_ocr_pages: 6,
        max_text_length: 500,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::USUAL
    }
}
