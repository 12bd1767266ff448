//! Specimen documents, typeset in process from the sources in `documents/`. All data in them is invented, and every
//! page says SPECIMEN.

use jiff::civil::{Date, date};
use typst::{
    Library, LibraryExt as _, World,
    diag::{FileError, FileResult, SourceDiagnostic},
    foundations::{Bytes, Datetime, Dict, Duration, Smart, Str, Value},
    syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot},
    text::{Font, FontBook},
    utils::LazyHash,
};
use typst_kit::fonts::{self, FontStore};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, Timestamp};

use crate::{mrz::machine_readable_zone, paper::Face, person::Person, random::Random};

const IDENTITY_CARD: &str = include_str!("../documents/identity-card.typ");
const REPAIR_INVOICE: &str = include_str!("../documents/repair-invoice.typ");
const ENERGY_BILL: &str = include_str!("../documents/energy-bill.typ");
/// The date of every specimen, fixed so that the same seed always gives the same bytes.
const MADE_ON: Date = date(2026, 11, 2);

/// Both sides of an identity card of ICAO's Utopia on one A4 page, with a valid machine-readable zone; a PDF.
///
/// # Errors
/// If the document's source does not compile; the message names the line.
pub fn identity_card(person: &Person) -> anyhow::Result<Vec<u8>> {
    let (issued, expires) = (date(2023, 5, 15), date(2033, 5, 14));
    let [upper, middle, lower] = machine_readable_zone(person, expires);
    let facts = [
        ("nationality", "Utopian".into()),
        ("last-name", person.last_name.clone()),
        ("first-name", person.first_name.clone()),
        ("birth-date", day(person.birth_date)),
        ("document-number", person.document_number.clone()),
        ("address", format!("{}, {} {}", person.address, person.post_code, person.city)),
        ("issued", day(issued)),
        ("expires", day(expires)),
        ("mrz", [upper, middle, lower].join("\n")),
    ];
    pdf(IDENTITY_CARD, &facts)
}

/// An electricity bill whose amounts add up, on one A4 page; a PDF.
///
/// # Errors
/// If the document's source does not compile; the message names the line.
pub fn energy_bill(person: &Person, seed: u64) -> anyhow::Result<Vec<u8>> {
    let mut random = Random::new(seed, "bill");
    let used = random.whole(310, 620);
    let (standing, energy) = (1_284, used * 1_952 / 100);
    let net = standing + energy;
    let tax = (net * 20 + 50) / 100;
    let meter = random.whole(12_000, 48_000);
    let facts = [
        ("name", format!("{} {}", person.first_name, person.last_name)),
        ("address", person.address.clone()),
        ("city", format!("{} {}", person.post_code, person.city)),
        ("number", format!("SP-2026-{:06}", random.whole(1, 999_999))),
        ("customer", format!("{:08}", random.whole(10_000_000, 99_999_999))),
        ("issued", day(MADE_ON)),
        ("due", day(date(2026, 11, 23))),
        ("meter-before", meter.to_string()),
        ("meter-after", (meter + used).to_string()),
        ("used", used.to_string()),
        ("standing", euros(standing)),
        ("energy", euros(energy)),
        ("net", euros(net)),
        ("tax", euros(tax)),
        ("total", euros(net + tax)),
    ];
    pdf(ENERGY_BILL, &facts)
}

/// The variable parts of a plumber's invoice. Its total is [`Self::total_cents`].
#[derive(Clone, Debug)]
pub struct RepairInvoice {
    /// Such as `F-2026-0417`.
    pub number: String,
    metres: u64,
    hours: u64,
}

impl RepairInvoice {
    /// The invoice of a seed.
    pub fn invented(seed: u64) -> Self {
        let mut random = Random::new(seed, "invoice");
        Self {
            number: format!("F-2026-{:04}", random.whole(1, 9999)),
            metres: random.whole(4, 7),
            hours: random.whole(6, 14),
        }
    }

    /// The amount to pay in euro cents, with tax.
    pub fn total_cents(&self) -> u64 {
        self.net_cents() + self.tax_cents()
    }

    /// The three lines of work: pipe, brackets, plaster.
    fn work_cents(&self) -> [u64; 3] {
        [self.metres * 4_850, 11_900, self.hours * 5_200]
    }

    fn net_cents(&self) -> u64 {
        self.work_cents().iter().sum()
    }

    fn tax_cents(&self) -> u64 {
        (self.net_cents() * 10 + 50) / 100
    }
}

/// An invoice to `person` for the repair of the wall that the photograph shows, on one A4 page; a PDF.
///
/// # Errors
/// If the document's source does not compile; the message names the line.
pub fn repair_invoice(person: &Person, invoice: &RepairInvoice) -> anyhow::Result<Vec<u8>> {
    let [pipe, brackets, plaster] = invoice.work_cents().map(euros);
    let facts = [
        ("name", format!("{} {}", person.first_name, person.last_name)),
        ("address", person.address.clone()),
        ("city", format!("{} {}", person.post_code, person.city)),
        ("number", invoice.number.clone()),
        ("issued", day(MADE_ON)),
        ("due", day(date(2026, 12, 2))),
        ("metres", format!("{} m", invoice.metres)),
        ("hours", format!("{} h", invoice.hours)),
        ("pipe", pipe),
        ("brackets", brackets),
        ("plaster", plaster),
        ("net", euros(invoice.net_cents())),
        ("tax", euros(invoice.tax_cents())),
        ("total", euros(invoice.total_cents())),
    ];
    pdf(REPAIR_INVOICE, &facts)
}

fn day(date: Date) -> String {
    date.strftime("%d.%m.%Y").to_string()
}

fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

/// Compiles a source with `facts` as its `sys.inputs`.
fn pdf(source: &str, facts: &[(&str, String)]) -> anyhow::Result<Vec<u8>> {
    let inputs: Dict = facts.iter().map(|(key, fact)| (Str::from(*key), Value::Str(fact.as_str().into()))).collect();
    compile(&SourceWorld::new(source, inputs)?, Datetime::from_ymd_hms(MADE_ON.year().into(), 11, 2, 8, 0, 0))
}

/// Compiles a source that contains its data, with the given time and with the certificate's sans serif in addition to
/// Typst's own fonts.
pub(crate) fn typeset(source: &str, made: Option<Datetime>) -> anyhow::Result<Vec<u8>> {
    let mut world = SourceWorld::new(source, Dict::new())?;
    for program in [Face::Sans, Face::SansBold].map(Face::program) {
        world.fonts.extend(Font::iter(Bytes::new(program.data)).map(|font| {
            let info = font.info().clone();
            (font, info)
        }));
    }
    let pdf = compile(&world, made);
    // What Typst caches of one paper is useless for the next, and there are hundreds.
    comemo::evict(5);
    pdf
}

fn compile(world: &SourceWorld, made: Option<Datetime>) -> anyhow::Result<Vec<u8>> {
    let document = typst::compile::<PagedDocument>(world).output.map_err(|errors| world.explain(&errors))?;
    let options = PdfOptions {
        ident: Smart::Custom("sealwright-lab".into()),
        timestamp: made.map(Timestamp::new_utc),
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&document, &options).map_err(|errors| world.explain(&errors))
}

/// A world of one source, the embedded fonts and no files.
struct SourceWorld {
    library: LazyHash<Library>,
    fonts: FontStore,
    source: Source,
}

impl SourceWorld {
    fn new(text: &str, inputs: Dict) -> anyhow::Result<Self> {
        let path = VirtualPath::new("/main.typ").map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let main = RootedPath::new(VirtualRoot::Project, path).intern();
        let mut fonts = FontStore::new();
        fonts.extend(fonts::embedded());
        let library = LazyHash::new(Library::builder().with_inputs(inputs).build());
        Ok(Self { library, fonts, source: Source::new(main, text.into()) })
    }

    fn explain(&self, errors: &[SourceDiagnostic]) -> anyhow::Error {
        let line = |error: &SourceDiagnostic| {
            let range = typst::WorldExt::range(self, error.span);
            let line = range.and_then(|range| self.source.lines().byte_to_line(range.start)).map_or(0, |line| line + 1);
            format!("line {line}: {}", error.message)
        };
        anyhow::anyhow!("the document does not compile: {}", errors.iter().map(line).collect::<Vec<_>>().join("; "))
    }
}

impl World for SourceWorld {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.book()
    }

    fn main(&self) -> FileId {
        self.source.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.source.id() { Ok(self.source.clone()) } else { Err(missing(id)) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        Err(missing(id))
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.font(index)
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn missing(id: FileId) -> FileError {
    FileError::NotFound(id.get().vpath().get_with_slash().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_a_pdf_and_the_same_every_time() {
        let person = Person::invented(5);
        let invoice = RepairInvoice::invented(5);
        let documents = || [identity_card(&person), energy_bill(&person, 5), repair_invoice(&person, &invoice)];
        for (first, again) in documents().into_iter().zip(documents()) {
            let first = first.unwrap();
            assert!(first.starts_with(b"%PDF-"));
            assert_eq!(first, again.unwrap());
        }
    }

    #[test]
    fn another_name_makes_another_card() {
        let person = Person::invented(5);
        let other = Person { last_name: "Somebody-Else".into(), ..person.clone() };
        assert_ne!(identity_card(&person).unwrap(), identity_card(&other).unwrap());
    }

    #[test]
    fn an_error_in_a_source_names_its_line() {
        let message = pdf("Fine\n#nonsense()", &[]).unwrap_err().to_string();
        assert!(message.contains("line 2"), "{message}");
    }
}
