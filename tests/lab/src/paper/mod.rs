//! Labelled papers: documents of the twelve types in French and English, as PDF files of several programs, as scans and
//! as photographs, genuine and forged, each with its label. The analysis is tuned on some and judged on others.

mod content;
mod forge;
mod form;
mod holder;
mod label;
mod layout;
mod package;
mod pdf;
mod raster;
mod scan;
mod sheet;
mod typeface;
mod typeset;
mod zone;

use image::RgbImage;
use jiff::civil::DateTime;

pub(crate) use self::typeface::Face;
pub use self::{
    content::TYPES,
    forge::Forgery,
    label::{FieldLabel, PaperLabel},
    package::{Package, STORIES, package, reference_date},
};
use self::{
    content::Writer,
    form::{Form, Language, Notation},
    holder::{Holder, days_ago},
    layout::{LAYOUTS, Layout},
    pdf::{Information, PRODUCERS, Producer, ScannedPage},
    raster::jpeg,
    scan::Scanner,
    sheet::{Mark, Sheet},
    typeface::Family,
};
use crate::random::Random;

/// Papers from this seed on are for judging: they have wordings and kinds that no paper for tuning has.
pub const JUDGING: u64 = 1_000_000;

/// The form in which a paper is submitted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Quality {
    /// A PDF with its text.
    Clean,
    /// A PDF of scanned pages.
    Scan,
    /// A JPEG photograph of the first page.
    Photo,
    /// A scan that cannot be read.
    Unreadable,
}

impl Quality {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Scan => "scan",
            Self::Photo => "photo",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Which paper to make. The rest follows from the seed.
#[derive(Clone, Copy, Debug)]
pub struct PaperOptions {
    pub seed: u64,
    /// One of [`TYPES`].
    pub kind: &'static str,
    pub quality: Quality,
    pub forgery: Option<Forgery>,
}

impl PaperOptions {
    /// The `index`th paper of a set that starts with `seed`: types alternate, a third is forged, a third is scanned or
    /// photographed.
    pub fn of_set(seed: u64, index: u64) -> Self {
        let mut random = Random::new(seed.wrapping_add(index), "paper options");
        let kind = TYPES[usize::try_from(index % TYPES.len() as u64).unwrap_or(0)];
        let quality = match random.whole(0, 99) {
            0..=63 => Quality::Clean,
            64..=86 => Quality::Scan,
            87..=96 => Quality::Photo,
            _ => Quality::Unreadable,
        };
        let possible = Forgery::possible(kind, quality);
        let forged = !possible.is_empty() && random.whole(0, 2) == 0;
        Self { seed: seed.wrapping_add(index), kind, quality, forgery: forged.then(|| random.pick(&possible)) }
    }
}

/// A file and its label.
pub struct Paper {
    pub bytes: Vec<u8>,
    /// `pdf` or `jpg`.
    pub extension: &'static str,
    pub label: PaperLabel,
}

/// Makes a paper.
///
/// # Errors
/// If a part of it cannot be drawn or written, which is a bug in the lab.
pub fn paper(options: &PaperOptions) -> anyhow::Result<Paper> {
    let seed = options.seed;
    let mut random = Random::new(seed, "paper");
    let language = if random.whole(0, 1) == 0 { Language::French } else { Language::English };
    let holder = Holder::invented(language, &mut random);
    let notation = Notation::new(language, &mut random);
    let mut content = Random::new(seed, "content");
    let judging = seed >= JUDGING;
    let mut writer = Writer { language, notation, holder: holder.clone(), random: &mut content, judging };
    let mut form = content::form(options.kind, &mut writer);
    let mut tampering = Random::new(seed, "forgery");
    let mut changed = true;
    if let Some(forgery) = options.forgery {
        changed = forge::change_form(forgery, &mut form, &mut tampering);
    }
    anyhow::ensure!(changed, "a {} cannot be forged as {:?}", options.kind, options.forgery);

    let press = Press::choose(options, &mut random);
    let layout_number = random.whole(0, LAYOUTS - 1);
    let layout = Layout::new(layout_number, press.family, &mut random);
    let mut sheets = layout.set(&form);
    sign_off(&mut sheets, language);
    let fields = label::fields(&sheets, &holder);
    if let Some(forgery) = options.forgery {
        forge::change_sheets(forgery, &mut sheets, press.family, &mut tampering)?;
    }

    let file = File { options, press: &press, form: &form, random: &mut random, tampering: &mut tampering };
    let (bytes, extension) = match options.quality {
        Quality::Clean => (file.clean(&sheets)?, "pdf"),
        Quality::Scan | Quality::Unreadable => (file.scanned(&sheets)?, "pdf"),
        Quality::Photo => (file.photographed(&sheets)?, "jpg"),
    };
    let label = PaperLabel {
        seed,
        kind: if options.quality == Quality::Unreadable { "UNKNOWN" } else { options.kind },
        language: language.code(),
        layout: layout_number,
        producer: press.name(options.quality),
        quality: options.quality.as_str(),
        forgery: options.forgery,
        fields,
    };
    Ok(Paper { bytes, extension, label })
}

/// The programs and devices that produce a paper.
struct Press {
    /// `None` is Typst.
    producer: Option<&'static Producer>,
    scanner: &'static Producer,
    family: Family,
    made: DateTime,
}

const fn scanner(name: &'static str, creator: &'static str, program: &'static str) -> Producer {
    Producer {
        name,
        creator,
        program,
        version: "1.4",
        operators: pdf::Operators::Words,
        object_streams: false,
        xmp: false,
        font_prefix: "F",
    }
}

/// Devices that turn paper into PDF files.
const SCANNERS: [Producer; 5] = [
    scanner("copier", "Canon iR-ADV C3530", "Adobe PSL 1.3e for Canon"),
    scanner("scanner", "HP Scan", "HP Scan Extended"),
    scanner("telephone", "Adobe Scan for Android 23.07.18", "Adobe Scan for Android 23.07.18"),
    scanner("notes", "", "iOS Version 16.6 (Build 20G75) Quartz PDFContext"),
    scanner("scanner with OCR", "ScanSoft OmniPage", "OmniPage CSDK 19"),
];

impl Press {
    fn choose(options: &PaperOptions, random: &mut Random) -> Self {
        let number = usize::try_from(random.whole(0, PRODUCERS.len() as u64)).unwrap_or(0);
        // Some forgeries need a file with uncompressed objects.
        let needs_table = options.forgery.is_some_and(Forgery::needs_plain_objects);
        let producer = PRODUCERS.get(number).filter(|producer| !(needs_table && producer.object_streams));
        let producer = if needs_table && producer.is_none() { Some(&PRODUCERS[1]) } else { producer };
        let families = match producer.map(|producer| producer.name) {
            Some("itext" | "fop" | "tcpdf" | "jasper") => vec![Family::HELVETICA, Family::HELVETICA, Family::SANS],
            Some(_) => vec![Family::SANS, Family::SANS, Family::SERIF],
            None => vec![Family::SANS, Family::SERIF, Family::MODERN],
        };
        let made = days_ago(random, 1, 3);
        let made = made.at(
            i8::try_from(random.whole(7, 19)).unwrap_or(9),
            i8::try_from(random.whole(0, 59)).unwrap_or(0),
            0,
            0,
        );
        Self {
            producer,
            scanner: &SCANNERS[usize::try_from(random.whole(0, 4)).unwrap_or(0)],
            family: random.pick(&families),
            made,
        }
    }

    fn name(&self, quality: Quality) -> &'static str {
        match quality {
            Quality::Clean => self.producer.map_or("typst", |producer| producer.name),
            Quality::Scan | Quality::Unreadable => self.scanner.name,
            Quality::Photo => "camera",
        }
    }
}

/// A paper that is being written to a file.
struct File<'f> {
    options: &'f PaperOptions,
    press: &'f Press,
    form: &'f Form,
    random: &'f mut Random,
    tampering: &'f mut Random,
}

impl File<'_> {
    fn title(&self) -> String {
        self.form.titles.first().cloned().unwrap_or_default()
    }

    fn information(&mut self) -> Information {
        let created = self.press.made;
        // Some programs write the same time twice, some a few seconds later, some once.
        let modified = match self.random.whole(0, 2) {
            0 => Some(created),
            1 => Some(created.saturating_add(jiff::Span::new().seconds(3))),
            _ => None,
        };
        Information { title: self.title(), created, modified, rewritten_by: None, xmp_disagrees: false }
    }

    /// Our signer requires a classic cross-reference table.
    fn has_object_streams(&self) -> bool {
        self.press.producer.is_some_and(|producer| producer.object_streams)
    }

    fn clean(mut self, sheets: &[Sheet]) -> anyhow::Result<Vec<u8>> {
        let mut information = self.information();
        if let Some(forgery) = self.options.forgery {
            forge::change_information(forgery, &mut information, self.tampering);
        }
        let by_hand = self.options.forgery.is_some_and(|forgery| forgery == Forgery::EditedMetadata);
        let pdf = match self.press.producer {
            None if !by_hand => typeset::write(sheets, &information.title, information.created)?,
            producer => pdf::write(sheets, producer.unwrap_or(&PRODUCERS[1]), &information)?,
        };
        let signed = self.options.forgery == Some(Forgery::BrokenSignature)
            || (self.options.forgery.is_none() && self.random.whole(0, 9) == 0 && !self.has_object_streams());
        let pdf = if signed { forge::sign(&pdf, self.press.made)? } else { pdf };
        match self.options.forgery {
            Some(forgery) => forge::change_file(forgery, pdf, sheets, self.tampering),
            None => Ok(pdf),
        }
    }

    fn scanned(mut self, sheets: &[Sheet]) -> anyhow::Result<Vec<u8>> {
        let unreadable = self.options.quality == Quality::Unreadable;
        let scanner = if unreadable { Scanner::unreadable(self.random) } else { Scanner::invented(self.random) };
        let quality = u8::try_from(self.random.whole(62, 92)).unwrap_or(80);
        let mut pages = Vec::new();
        for sheet in sheets {
            // A card alone is scanned at a higher resolution than a page.
            let resolution = if sheet.width < 500.0 { 230.0 } else { 170.0 };
            let picture = scan::scan(&raster::draw(sheet, resolution)?, &scanner, self.random);
            let jpeg = self.stored(&picture, sheet, resolution, quality)?;
            let layer = (!unreadable && self.press.scanner.name == "scanner with OCR").then(|| read_layer(sheet));
            pages.push(ScannedPage { jpeg, size: picture.dimensions(), layer, page: (sheet.width, sheet.height) });
        }
        let information = Information { title: "Scan".into(), ..self.information() };
        pdf::write_scan(&pages, self.press.scanner, &information)
    }

    fn photographed(mut self, sheets: &[Sheet]) -> anyhow::Result<Vec<u8>> {
        let sheet = &sheets[0];
        let resolution = if sheet.width < 500.0 { 250.0 } else { 190.0 };
        let page = raster::draw(sheet, resolution)?;
        let (width, height) = if sheet.width > sheet.height { (1_840, 1_380) } else { (1_500, 2_000) };
        let picture = scan::photograph(&page, width, height, self.random);
        let quality = u8::try_from(self.random.whole(78, 94)).unwrap_or(85);
        self.stored(&picture, sheet, resolution, quality)
    }

    /// The picture as JPEG, forged if the forgery is one of pictures.
    fn stored(&mut self, picture: &RgbImage, sheet: &Sheet, resolution: f32, quality: u8) -> anyhow::Result<Vec<u8>> {
        match self.options.forgery {
            Some(forgery) if forgery.is_of_pictures() => {
                let exact = self.options.quality == Quality::Scan;
                forge::change_picture(forgery, picture, (sheet, resolution, exact), quality, self.tampering)
            }
            _ => jpeg(picture, quality),
        }
    }
}

/// The invisible text that text recognition writes over a scan.
fn read_layer(sheet: &Sheet) -> Sheet {
    let mut layer = Sheet::new((sheet.width, sheet.height));
    for run in sheet.runs() {
        let face = Family::HELVETICA.regular;
        layer.marks.push(Mark::Text(sheet::Run { invisible: true, face, field: None, ..run.clone() }));
    }
    layer
}

/// Marks every page as a specimen.
fn sign_off(sheets: &mut [Sheet], language: Language) {
    for sheet in sheets {
        let (size, y) = (6.0, sheet.height - 8.0);
        let face = sheet.runs().next().map_or(Face::Sans, |run| run.face);
        sheet.text(language.say("Spécimen pour essais", "Specimen for tests"), (18.0, y), size, face);
        sheet.mark_last(None, [120, 120, 120]);
    }
}

#[cfg(test)]
mod tests;
