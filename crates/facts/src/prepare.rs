//! Puts a file's facts together.

use std::{collections::BTreeSet, sync::OnceLock};

use sealwright_provenance::TrustList;

use crate::{
    Facts, Limited, Limits, Reading, UnreadableReason,
    barcode::{self, Codes},
    image::{self, Depth, plane::Plane},
    model::{Area, FileFacts, ForeignContent, Kind, PDF_HEADER_REACH, Page, TextRun, TextSource},
    mrz::{self, Mrz},
    ocr::{Failure, OcrFacts, OcrState, PageLanguage, PageReading, Reader, Surface, Tesseract, is_evenly_lit},
    pdf,
};

const MAX_FOREIGN: usize = 8;
const MAX_BARCODES: usize = 16;

/// How text in pictures is read.
#[derive(Clone, Debug)]
pub enum Recognition {
    /// Not requested: a photo of a place needs no text recognition.
    NotWanted,
    /// Requested, but not installed.
    Unavailable,
    With(Tesseract),
    /// With the installed program. It is looked for when the first page needs it: starting it takes longer than reading
    /// a document that has its own text.
    IfInstalled(OnceLock<Option<Tesseract>>),
}

impl Recognition {
    fn tesseract(&self) -> Option<&Tesseract> {
        match self {
            Self::NotWanted | Self::Unavailable => None,
            Self::With(tesseract) => Some(tesseract),
            Self::IfInstalled(found) => found.get_or_init(Tesseract::installed).as_ref(),
        }
    }
}

/// The facts of `file`. Always returns; [`Facts::reading`] says how far the file could be read.
///
/// No signer of content credentials is trusted: [`prepare_trusting`] takes a list of those that are.
pub fn prepare(file: &[u8], limits: &Limits, recognition: &Recognition) -> Facts {
    prepare_trusting(file, limits, recognition, &TrustList::default())
}

/// The same, with the roots of the signers of content credentials that the operator trusts.
pub fn prepare_trusting(file: &[u8], limits: &Limits, recognition: &Recognition, trust: &TrustList) -> Facts {
    let mut about = FileFacts::of(file);
    if about.size > limits.max_file_bytes {
        return Facts::unreadable(about, UnreadableReason::FileTooLarge);
    }
    let depth = if matches!(recognition, Recognition::NotWanted) { Depth::Parts } else { Depth::Usual };
    let read = match about.kind {
        Kind::Pdf => of_pdf(file, limits, recognition, trust, &mut about),
        Kind::Jpeg => {
            image::read_jpeg(file, limits, trust, depth).map(|read| of_image(read, file, recognition, &mut about))
        }
        Kind::Png => {
            image::read_png(file, limits, trust, depth).map(|read| of_image(read, file, recognition, &mut about))
        }
        Kind::Other => Err(UnreadableReason::UnknownKind),
    };
    match read {
        Ok(parts) => parts.into_facts(about),
        Err(reason) => Facts::unreadable(about, reason),
    }
}

/// The facts that depend on the kind of file.
struct Parts {
    limited: BTreeSet<Limited>,
    pages: Vec<Page>,
    pdf: Option<pdf::PdfFacts>,
    image: Option<image::ImageFacts>,
    recognised: RecognitionResult,
}

impl Parts {
    fn into_facts(self, file: FileFacts) -> Facts {
        let limits: Vec<Limited> = self.limited.into_iter().collect();
        let RecognitionResult { ocr, mrz, codes } = self.recognised;
        Facts {
            version: Facts::VERSION,
            file,
            reading: if limits.is_empty() { Reading::Complete } else { Reading::Partial { limits } },
            pages: self.pages,
            pdf: self.pdf,
            image: self.image,
            ocr,
            mrz,
            barcodes: codes.barcodes,
            signed_codes: codes.signed,
        }
    }
}

struct RecognitionResult {
    ocr: OcrFacts,
    mrz: Vec<Mrz>,
    codes: Codes,
}

fn of_pdf(
    file: &[u8],
    limits: &Limits,
    recognition: &Recognition,
    trust: &TrustList,
    about: &mut FileFacts,
) -> Result<Parts, UnreadableReason> {
    let mut read = pdf::read(file, limits, trust)?;
    about.foreign_content = foreign_content(file, read.end);
    let mut limited = read.limited.clone();
    let mut pages = std::mem::take(&mut read.pages);
    let mut recognising = PageRecogniser::new(recognition, Surface::Paper);
    let to_read = read.to_recognise.clone();
    if to_read.len() > limits.max_ocr_pages as usize && !matches!(recognition, Recognition::NotWanted) {
        limited.insert(Limited::OcrPages);
    }
    for (turn, index) in to_read.into_iter().enumerate() {
        let page = &mut pages[index];
        if turn >= limits.max_ocr_pages as usize {
            recognising.leave(page);
            continue;
        }
        let is_small = pdf::PdfData::may_be_drawn(page, limits);
        let draw = || if is_small { read.draw(index) } else { None }.map(|drawn| (drawn.plane, drawn.scale));
        recognising.page(page, draw);
    }
    for index in read.pages_with_codes(&pages, limits) {
        if let Some(drawn) = recognising.wanted.then(|| read.draw(index)).flatten() {
            recognising.codes(&drawn.plane, pages[index].number, drawn.scale);
        }
    }
    let recognised = recognising.finish(&pages);
    Ok(Parts { limited, pages, pdf: Some(read.facts), image: None, recognised })
}

fn of_image(read: image::ImageData, file: &[u8], recognition: &Recognition, about: &mut FileFacts) -> Parts {
    about.foreign_content = foreign_content(file, read.end);
    let orientation = read.facts.exif.as_ref().and_then(|exif| exif.orientation).unwrap_or(1);
    let (width, height) = match orientation {
        5..=8 => (read.facts.height, read.facts.width),
        _ => (read.facts.width, read.facts.height),
    };
    let mut page = Page {
        number: 1,
        width: width.saturating_mul(100),
        height: height.saturating_mul(100),
        rotation: match orientation {
            3 | 4 => 180,
            5 | 6 => 90,
            7 | 8 => 270,
            _ => 0,
        },
        text_source: TextSource::None,
        text: Vec::new(),
        images: Vec::new(),
        shapes: Vec::new(),
        image_cover: 100,
    };
    let plane = read.plane;
    // A scanner's picture, and not a photograph.
    let is_sheet = plane.as_ref().is_some_and(is_evenly_lit);
    let mut recognising = PageRecogniser::new(recognition, if is_sheet { Surface::Sheet } else { Surface::Photograph });
    recognising.page(&mut page, || plane.map(|plane| (plane.upright(orientation), 1.0)));
    let pages = vec![page];
    let recognised = recognising.finish(&pages);
    Parts { limited: BTreeSet::new(), pages, pdf: None, image: Some(read.facts), recognised }
}

/// Reads page after page, and collects the results.
struct PageRecogniser<'t> {
    wanted: bool,
    recognition: &'t Recognition,
    /// From the first page that is read.
    reader: Option<Reader<'t>>,
    /// What its pages are.
    surface: Surface,
    ocr: OcrFacts,
    /// Pages that were read a second time, with only the alphabet of zones.
    zones: Vec<Page>,
    codes: Codes,
}

impl<'t> PageRecogniser<'t> {
    fn new(recognition: &'t Recognition, surface: Surface) -> Self {
        let ocr = OcrFacts::not_needed();
        let wanted = !matches!(recognition, Recognition::NotWanted);
        Self { wanted, recognition, reader: None, surface, ocr, zones: Vec::new(), codes: Codes::default() }
    }

    fn leave(&mut self, page: &Page) {
        if self.wanted {
            self.ocr.unread.push(page.number);
        }
    }

    /// Reads one page; it is drawn only if it is read.
    fn page(&mut self, page: &mut Page, draw: impl FnOnce() -> Option<(Plane, f64)>) {
        if !self.wanted {
            return;
        }
        let Some((plane, scale)) = draw() else {
            self.ocr.unread.push(page.number);
            self.note(OcrState::Failed);
            return;
        };
        self.codes(&plane, page.number, scale);
        if self.reader.is_none() {
            self.reader = self.recognition.tesseract().map(Reader::new);
        }
        let Some(reader) = &mut self.reader else {
            self.ocr.unread.push(page.number);
            self.note(OcrState::Unavailable);
            return;
        };
        match reader.page(&plane, scale, self.surface) {
            Ok(PageReading { runs, language }) => {
                let mut zone = Page { text: runs.clone(), ..page.clone() };
                if mrz::is_suspected(&zone) {
                    let (part, origin) = part_of(&plane, scale, mrz::suspected_area(&zone));
                    let read = |only| reader.zone(&part, scale, origin, only).unwrap_or_default();
                    zone.text = read(true);
                    if mrz::find(std::slice::from_ref(&zone)).is_empty() {
                        zone.text = read(false);
                    }
                    self.zones.push(zone);
                }
                let order = page.text.len();
                page.text.extend(
                    runs.into_iter()
                        .map(|run| TextRun { order: run.order.saturating_add(crate::text::count(order)), ..run }),
                );
                page.text_source = TextSource::Ocr;
                self.ocr.recognised.push(page.number);
                if let Some((language, covered)) = language {
                    self.ocr.page_languages.push(PageLanguage { page: page.number, language, covered });
                }
                self.note(OcrState::Ran);
            }
            Err(failure) => {
                self.ocr.unread.push(page.number);
                self.note(if failure == Failure::TimedOut { OcrState::TimedOut } else { OcrState::Failed });
            }
        }
    }

    /// Looks for codes in a drawn page.
    fn codes(&mut self, plane: &Plane, page: u32, scale: f64) {
        if self.codes.barcodes.len() < MAX_BARCODES {
            let found = barcode::find(plane, page, scale);
            self.codes.barcodes.extend(found.barcodes);
            self.codes.barcodes.truncate(MAX_BARCODES);
            self.codes.signed.extend(found.signed);
            self.codes.signed.truncate(MAX_BARCODES);
        }
    }

    /// An earlier failure is kept, whatever succeeds later.
    fn note(&mut self, state: OcrState) {
        let is_trouble = matches!(self.ocr.state, OcrState::TimedOut | OcrState::Failed | OcrState::Unavailable);
        if !is_trouble {
            self.ocr.state = state;
        }
    }

    fn finish(mut self, pages: &[Page]) -> RecognitionResult {
        self.ocr.languages = self.reader.as_ref().map(Reader::used).unwrap_or_default();
        let right =
            |zones: &[Mrz]| zones.iter().flat_map(|zone| &zone.check_digits).filter(|digit| digit.matches).count();
        let (first, second) = (mrz::find(pages), mrz::find(&self.zones));
        let mrz = if right(&second) > right(&first) || first.is_empty() { second } else { first };
        RecognitionResult { ocr: self.ocr, mrz, codes: self.codes }
    }
}

/// The part of a picture that shows an area of its page, with a margin, and the place of this part.
fn part_of(plane: &Plane, scale: f64, area: Area) -> (Plane, Area) {
    let margin = (area.bottom - area.top) / 4 + 500;
    let dots = |hundredths: i32, most: usize| {
        let dots = crate::image::plane::scaled(f64::from(hundredths.max(0)) / 100.0, scale);
        usize::try_from(dots).unwrap_or(most).min(most)
    };
    let (left, right) = (dots(area.left - margin, plane.width - 1), dots(area.right + margin, plane.width));
    let (top, bottom) = (dots(area.top - margin, plane.height - 1), dots(area.bottom + margin, plane.height));
    let (right, bottom) = (right.max(left + 1), bottom.max(top + 1));
    let values = (top..bottom).flat_map(|y| &plane.row(y)[left..right]).copied().collect();
    let place = |dots: usize| crate::image::plane::to_f64(dots as u64) / scale;
    let origin = Area::from_points(place(left), place(top), place(right), place(bottom));
    (Plane { width: right - left, height: bottom - top, values }, origin)
}

const SIGNATURES: [(&str, &[u8]); 7] = [
    ("pdf", b"%PDF-"),
    ("jpeg", b"\xFF\xD8\xFF"),
    ("png", b"\x89PNG\r\n\x1A\n"),
    ("zip", b"PK\x03\x04"),
    ("html", b"<html"),
    ("html", b"<!DOCTYPE html"),
    ("html", b"<script"),
];

/// Content that starts after the file's own end, and a PDF header where viewers look for one.
fn foreign_content(file: &[u8], end: usize) -> Vec<ForeignContent> {
    let length = |offset: usize| (file.len() - offset) as u64;
    let mut found: Vec<ForeignContent> = Vec::new();
    let own = signature_at(file);
    let reach = &file[..file.len().min(PDF_HEADER_REACH)];
    if let Some(offset) = (1..reach.len()).find(|&at| reach[at..].starts_with(b"%PDF-"))
        && own != Some("pdf")
    {
        found.push(ForeignContent { kind: "pdf".to_owned(), offset: offset as u64, length: length(offset) });
    }
    let mut at = end.min(file.len());
    while at < file.len() && found.len() < MAX_FOREIGN {
        if let Some(kind) = signature_at(&file[at..]) {
            found.push(ForeignContent { kind: kind.to_owned(), offset: at as u64, length: length(at) });
        }
        at += 1;
    }
    let rest = file.get(end..).unwrap_or_default();
    let is_filling = rest.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace());
    if found.is_empty() && !is_filling {
        found.push(ForeignContent { kind: "unknown".to_owned(), offset: end as u64, length: length(end) });
    }
    found
}

fn signature_at(bytes: &[u8]) -> Option<&'static str> {
    SIGNATURES
        .iter()
        .find(|(_, signature)| {
            bytes.len() >= signature.len() && bytes[..signature.len()].eq_ignore_ascii_case(signature)
        })
        .map(|(kind, _)| *kind)
}
