//! PDF files: their history, their structure, and what their pages show.
//!
//! The file is first scanned by our own code, which keeps nothing that it unpacks ([`scan`]): it finds all revisions,
//! and rejects decompression bombs. Then the library (hayro) reads the last revision.

mod catalog;
mod code_shape;
mod codes;
mod credentials;
mod embedded;
mod fonts;
mod geometry;
mod glyphs;
mod images;
pub(crate) mod model;
mod names;
mod notation;
mod paint;
mod raster;
mod scan;
mod structure;
mod value;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hayro::{
    hayro_interpret::InterpreterCache,
    hayro_syntax::{
        LoadPdfError, Pdf, PdfVersion,
        object::{Array, MaybeRef, ObjectIdentifier, Stream},
        page::{Page as PdfPage, Rotation},
    },
};

use sealwright_provenance::TrustList;

pub use self::model::{
    Action, Annotation, AttachedBytes, EmbeddedFile, Font, FormField, GlyphUsage, Information, Integrity, Layer,
    Notation, PdfFacts, Placed, Revision, Signature,
};
pub(crate) use self::raster::{DrawnPage, DrawnPicture};
use self::{fonts::Fonts, glyphs::DrawnGlyphs, paint::PaintedContent};
use crate::{
    Limits, UnreadableReason,
    image::{self, Depth},
    model::{Area, Limited, Page, PlacedImage, TextRendering, TextRun, TextSource},
    text,
};

/// A page tree with more leaves is rejected: real documents have thousands at most.
const MAX_PAGES_IN_TREE: u64 = 20_000;
/// Pictures that cover at least this much of their page are analysed as pictures, in percent.
const LEAST_PICTURE: u64 = 15;

/// The facts of a PDF file before text recognition.
pub(crate) struct PdfData {
    pub(crate) facts: PdfFacts,
    pub(crate) pages: Vec<Page>,
    pub(crate) limited: BTreeSet<Limited>,
    /// Indices of pages whose text is in pictures, or that have no text.
    pub(crate) to_recognise: Vec<usize>,
    /// Where the last revision ends.
    pub(crate) end: usize,
    /// Indices of pages with a drawn pattern that may be a code.
    patterns: BTreeSet<usize>,
    pdf: Pdf,
}

impl PdfData {
    /// Whether the page's pictures are within the bounds: each is unpacked in full, whatever size it is drawn at.
    pub(crate) fn may_be_drawn(page: &Page, limits: &Limits) -> bool {
        page.images.iter().all(|image| u64::from(image.width) * u64::from(image.height) <= limits.max_pixels)
    }

    /// Draws a page by its index.
    pub(crate) fn draw(&self, index: usize) -> Option<DrawnPage> {
        raster::draw(self.pdf.pages().get(index)?)
    }
}

/// Reads a PDF file.
pub(crate) fn read(file: &[u8], limits: &Limits, trust: &TrustList) -> Result<PdfData, UnreadableReason> {
    let scan = scan::scan(file, limits)?;
    if structure::pages_in_tree(&scan) > MAX_PAGES_IN_TREE {
        return Err(UnreadableReason::TooManyObjects);
    }
    let (mut structure, changed) = structure::structure(file, &scan, limits);
    let pdf = open(file.to_vec())?;
    let mut limited = BTreeSet::new();
    if structure.more_revisions {
        limited.insert(Limited::Revisions);
    }
    let read_pages = &pdf.pages()[..pdf.pages().len().min(limits.max_pages as usize)];
    if read_pages.len() < pdf.pages().len() {
        limited.insert(Limited::Pages);
    }
    structure.note_pages(&read_pages.iter().map(objects_of).collect::<Vec<_>>(), &changed);

    let cache = InterpreterCache::new();
    let mut fonts = Fonts::default();
    let mut glyphs = DrawnGlyphs::default();
    let mut notations = Vec::new();
    let mut pages = Vec::new();
    let mut to_recognise = Vec::new();
    let mut patterns = BTreeSet::new();
    let mut left = limits.max_painted_in_all;
    for (number, page) in (1..).zip(read_pages) {
        fonts.collect(page, &structure, limits, &mut limited);
        let most = limits.max_painted.min(left);
        let mut painted = paint::page(page, &fonts.by_key, &cache, &Limits { max_painted: most, ..*limits });
        left = left.saturating_sub(painted.count);
        limited.extend(&painted.limited);
        glyphs.add_page(number, std::mem::take(&mut painted.glyphs));
        notations.extend(page.page_stream().map(|content| notation::notation(number, content)));
        for font in &painted.fonts {
            if let Some(font) = fonts.list.get_mut(*font as usize) {
                font.pages.push(number);
            }
        }
        let count = painted.count;
        if painted.has_pattern {
            patterns.insert(pages.len());
        }
        let page = self::page(number, page, painted);
        if needs_recognition(&page, count) {
            to_recognise.push(pages.len());
        }
        pages.push(page);
    }
    if limited.is_empty() {
        fonts.note_usage(&glyphs);
    }
    look_at_pictures(&pdf, &mut pages, limits, trust);

    let mut facts = PdfFacts {
        version: version(pdf.version()).to_owned(),
        page_count: text::count(pdf.pages().len()),
        object_count: structure.object_count,
        encrypted: structure.encrypted,
        linearized: structure.linearized,
        revisions: structure.revisions,
        bytes_behind_end: structure.bytes_behind_end,
        bytes_before_start: structure.bytes_before_start,
        // The texts of an encrypted file cannot be read directly.
        information: if structure.encrypted { information(&pdf, limits) } else { structure.information },
        identifier: structure.identifier,
        fonts: fonts.list,
        notations,
        ..PdfFacts::default()
    };
    limited.extend(catalog::read(file, &pdf, limits, &mut facts));
    facts.provenance = credentials::read(file, &pdf, &facts, trust);
    let end = scan.ends.last().copied().unwrap_or(file.len());
    Ok(PdfData { facts, pages, limited, to_recognise, end, patterns, pdf })
}

/// Only the text of each page, for [`pages`](crate::pages).
pub(crate) fn texts(
    file: Vec<u8>,
    limits: &Limits,
) -> Result<(Vec<Vec<TextRun>>, BTreeSet<Limited>), UnreadableReason> {
    let pdf = open_within(file, limits)?;
    let mut limited = BTreeSet::new();
    if pdf.pages().len() > limits.max_pages as usize {
        limited.insert(Limited::Pages);
    }
    let cache = InterpreterCache::new();
    let mut left = limits.max_painted_in_all;
    let mut texts = Vec::new();
    for page in pdf.pages().iter().take(limits.max_pages as usize) {
        let most = limits.max_painted.min(left);
        let painted = paint::page(page, &HashMap::new(), &cache, &Limits { max_painted: most, ..*limits });
        left = left.saturating_sub(painted.count);
        limited.extend(&painted.limited);
        texts.push(painted.text);
    }
    Ok((texts, limited))
}

/// The JPEG files that pages show, each once, with the number of the first page that shows it. Stops before all of them
/// have more than `most_bytes`.
pub(crate) fn pictures(
    file: Vec<u8>,
    limits: &Limits,
    most_bytes: usize,
) -> Result<Vec<(u32, Vec<u8>)>, UnreadableReason> {
    let pdf = open_within(file, limits)?;
    let cache = InterpreterCache::new();
    let (mut left, mut bytes) = (limits.max_painted_in_all, 0_usize);
    let (mut known, mut found) = (BTreeSet::new(), Vec::new());
    for (number, page) in (1..).zip(pdf.pages().iter().take(limits.max_pages as usize)) {
        let most = limits.max_painted.min(left);
        let painted = paint::page(page, &HashMap::new(), &cache, &Limits { max_painted: most, ..*limits });
        left = left.saturating_sub(painted.count);
        let jpegs = painted.images.iter().filter(|image| image.jpeg.is_some());
        for image in jpegs.filter(|image| image.object != 0 && known.insert(image.object)) {
            let Some(jpeg) = jpeg_of(&pdf, image.object) else { continue };
            bytes = bytes.saturating_add(jpeg.len());
            if bytes > most_bytes {
                return Ok(found);
            }
            found.push((number, jpeg));
        }
    }
    Ok(found)
}

fn jpeg_of(pdf: &Pdf, object: u32) -> Option<Vec<u8>> {
    let id = ObjectIdentifier::new(i32::try_from(object).ok()?, 0);
    let stream = pdf.xref().get::<Stream>(id)?;
    Some(images::jpeg_file(&stream)?.into_owned())
}

/// The number of pages, and page `number` from 1 with `longest` pixels on its longer side; `None` if the document does not
/// have that page, or if its pictures exceed the limits.
pub(crate) fn draw(
    file: Vec<u8>,
    number: u32,
    longest: f64,
    limits: &Limits,
) -> Result<(u32, Option<DrawnPicture>), UnreadableReason> {
    let pdf = open_within(file, limits)?;
    let pages = pdf.pages();
    let page = number.checked_sub(1).and_then(|index| pages.get(index as usize));
    let drawn = page.and_then(|page| draw_small(page, number, longest, limits));
    Ok((text::count(pages.len()), drawn))
}

/// The number of pages, and what `encode` makes of the first `most` of them. Ends before the first page that cannot be
/// drawn, and at the first `None` of `encode`.
pub(crate) fn draw_first<T>(
    file: Vec<u8>,
    most: u32,
    longest: f64,
    limits: &Limits,
    mut encode: impl FnMut(DrawnPicture) -> Option<T>,
) -> Result<(u32, Vec<T>), UnreadableReason> {
    let pdf = open_within(file, limits)?;
    let pages = pdf.pages();
    let numbered = (1..=most).zip(pages.iter());
    let drawn = numbered.map_while(|(number, page)| encode(draw_small(page, number, longest, limits)?));
    Ok((text::count(pages.len()), drawn.collect()))
}

/// Draws a page, unless its pictures exceed the limits.
fn draw_small(page: &PdfPage, number: u32, longest: f64, limits: &Limits) -> Option<DrawnPicture> {
    let painted = paint::page(page, &HashMap::new(), &InterpreterCache::new(), limits);
    let is_small = PdfData::may_be_drawn(&self::page(number, page, painted), limits);
    if is_small { raster::picture(page, longest) } else { None }
}

/// Opens a file after the scan that rejects decompression bombs.
fn open_within(file: Vec<u8>, limits: &Limits) -> Result<Pdf, UnreadableReason> {
    let scan = scan::scan(&file, limits)?;
    if structure::pages_in_tree(&scan) > MAX_PAGES_IN_TREE {
        return Err(UnreadableReason::TooManyObjects);
    }
    drop(scan);
    open(file)
}

fn open(file: Vec<u8>) -> Result<Pdf, UnreadableReason> {
    Pdf::new(file).map_err(|error| match error {
        LoadPdfError::Decryption(_) => UnreadableReason::Encrypted,
        LoadPdfError::Invalid => UnreadableReason::Malformed,
    })
}

/// The object numbers of a page and of its content.
fn objects_of(page: &PdfPage) -> BTreeSet<u32> {
    let mut objects = BTreeSet::new();
    let mut note = |number: Option<i32>| objects.extend(number.and_then(|number| u32::try_from(number).ok()));
    note(page.raw().obj_id().map(|id| id.obj_number));
    note(page.raw().get_ref("Contents").map(|reference| reference.obj_number));
    if let Some(parts) = page.raw().get::<Array>("Contents") {
        for part in parts.raw_iter() {
            if let MaybeRef::Ref(reference) = part {
                note(Some(reference.obj_number));
            }
        }
    }
    objects
}

fn page(number: u32, page: &PdfPage, painted: PaintedContent) -> Page {
    let (width, height) = page.render_dimensions();
    let size = Area::from_points(0.0, 0.0, width.into(), height.into());
    let text_source = if painted.text.is_empty() { TextSource::None } else { TextSource::Layer };
    Page {
        number,
        width: size.right.unsigned_abs(),
        height: size.bottom.unsigned_abs(),
        rotation: match page.rotation() {
            Rotation::None => 0,
            Rotation::Horizontal => 90,
            Rotation::Flipped => 180,
            Rotation::FlippedHorizontal => 270,
        },
        text_source,
        image_cover: cover(size, &painted.images),
        text: painted.text,
        images: painted.images,
        shapes: painted.shapes,
    }
}

/// How much of a page pictures cover, in percent, by a grid of 50 by 50 points.
fn cover(page: Area, images: &[PlacedImage]) -> u8 {
    let place = |whole: i32, step: i32| i32::try_from(i64::from(whole) * i64::from(2 * step + 1) / 100).unwrap_or(0);
    let holds =
        |area: Area, x: i32, y: i32| (area.left..area.right).contains(&x) && (area.top..area.bottom).contains(&y);
    let covered = (0..50)
        .flat_map(|row| (0..50).map(move |column| (place(page.right, column), place(page.bottom, row))))
        .filter(|&(x, y)| images.iter().any(|image| holds(image.area, x, y)))
        .count();
    u8::try_from(covered * 100 / 2500).unwrap_or(100)
}

/// Whether the page's text has to be recognised: it shows hardly any text of its own, but something else.
fn needs_recognition(page: &Page, painted: u32) -> bool {
    let visible: usize = page
        .text
        .iter()
        .filter(|run| run.rendering != TextRendering::Invisible && run.cover.is_none() && !run.outside_page)
        .map(|run| run.text.chars().filter(|c| c.is_alphanumeric()).count())
        .sum();
    (page.image_cover >= 25 && visible < 100) || (visible < 10 && (page.image_cover >= 10 || painted >= 100))
}

/// Analyses the JPEGs that cover much of their page as photos.
fn look_at_pictures(pdf: &Pdf, pages: &mut [Page], limits: &Limits, trust: &TrustList) {
    let mut known: BTreeMap<u32, Option<Box<image::ImageFacts>>> = BTreeMap::new();
    for page in pages {
        let whole = u64::from(page.width) * u64::from(page.height);
        for placed in &mut page.images {
            let is_large = placed.area.size() * 100 >= whole * LEAST_PICTURE;
            if placed.jpeg.is_none() || placed.object == 0 || !is_large {
                continue;
            }
            if !known.contains_key(&placed.object) && known.len() >= limits.max_pictures as usize {
                continue;
            }
            let look = || {
                let file = jpeg_of(pdf, placed.object)?;
                Some(Box::new(image::read_jpeg(&file, limits, trust, Depth::Usual).ok()?.facts))
            };
            placed.picture = known.entry(placed.object).or_insert_with(look).clone();
        }
    }
}

/// The information dictionary of an encrypted file, as the library reads it.
fn information(pdf: &Pdf, limits: &Limits) -> Information {
    let metadata = pdf.metadata();
    let cleaned =
        |bytes: &Option<Vec<u8>>| text::one_line(&value::text(bytes.as_deref()?), limits.max_text_length as usize);
    Information {
        title: cleaned(&metadata.title),
        author: cleaned(&metadata.author),
        creator: cleaned(&metadata.creator),
        producer: cleaned(&metadata.producer),
        created: None,
        modified: None,
    }
}

const fn version(version: PdfVersion) -> &'static str {
    match version {
        PdfVersion::Pdf10 => "1.0",
        PdfVersion::Pdf11 => "1.1",
        PdfVersion::Pdf12 => "1.2",
        PdfVersion::Pdf13 => "1.3",
        PdfVersion::Pdf14 => "1.4",
        PdfVersion::Pdf15 => "1.5",
        PdfVersion::Pdf16 => "1.6",
        PdfVersion::Pdf17 => "1.7",
        PdfVersion::Pdf20 => "2.0",
    }
}
