//! Reads the fields of a document by their labels and usual places.

use sealwright_plugin_sdk::{
    facts::Document,
    findings::Place,
    reading::{Cell, Date, Zone, cells, find_zones},
};

use crate::{
    account, block, card,
    fields::{Field, Kind, field_of},
    labelled::{self, Reading},
    search::without_legal_form,
    value,
};

/// A document, read once for all fields.
pub(crate) struct Reader<'d> {
    pub(crate) document_type: &'d str,
    pub(crate) cells: Vec<Cell>,
    zone: Option<(Zone, Place)>,
    today: Date,
}

impl<'d> Reader<'d> {
    pub(crate) fn new(document: &Document, document_type: &'d str) -> Self {
        let today = Date::of_moment(i64::try_from(document.received_at()).unwrap_or(i64::MAX));
        Self { document_type, cells: cells(document), zone: zone(document), today }
    }

    /// The zone is trusted if its check digits are right: it was made for machines. Without one, labels come first,
    /// then the layout.
    pub(crate) fn read(&self, field: &Field) -> Option<Reading> {
        if field.not_on.contains(&self.document_type) {
            return None;
        }
        let from_zone = || self.of_zone(field.code);
        let labelled = || labelled::read(field, &self.cells);
        match field.code {
            // A printed name keeps its accents and is never truncated; a zone's date and number are more reliable.
            "lastName" | "firstName" => {
                labelled().or_else(from_zone).or_else(|| self.of_card(field)).or_else(|| self.of_block(field.code))
            }
            "birthDate" | "expiryDate" => from_zone().or_else(labelled).or_else(|| self.of_card(field)),
            "documentNumber" => from_zone().or_else(labelled).or_else(|| self.of_card(field)),
            "nationality" => from_zone().or_else(labelled),
            "issueDate" => labelled().or_else(|| self.of_card(field)),
            "iban" => account::number(&self.cells),
            "bic" => labelled().or_else(|| account::bank(&self.cells)),
            "address" => labelled().or_else(|| self.of_block(field.code)),
            "postCode" | "city" => {
                labelled().or_else(|| self.of_address(field.code)).or_else(|| self.of_block(field.code))
            }
            "accountHolder" => {
                labelled().or_else(|| self.of_block(field.code)).or_else(|| account::holder(&self.cells))
            }
            "issuer" | "companyName" => labelled().or_else(|| self.letter_head()),
            _ => labelled(),
        }
    }

    /// No check digit covers the names, so a wrong one does not affect them.
    pub(crate) fn of_zone(&self, code: &str) -> Option<Reading> {
        let is_name = matches!(code, "lastName" | "firstName");
        let (zone, place) = self.zone.as_ref().filter(|(zone, _)| is_name || zone.is_right())?;
        let value = match code {
            "lastName" => zone.last_name.clone(),
            "firstName" => zone.first_name.clone(),
            "documentNumber" => zone.document_number.clone(),
            "nationality" => zone.nationality.clone(),
            "birthDate" => zone.birth_date(self.today)?.iso(),
            "expiryDate" => zone.expiry_date()?.iso(),
            _ => return None,
        };
        (!value.is_empty()).then_some(Reading { value, place: *place, score: if zone.is_right() { 96 } else { 60 } })
    }

    fn of_block(&self, code: &str) -> Option<Reading> {
        // A card has no addressee.
        if self.zone.is_some() {
            return None;
        }
        let block = block::find(&self.cells)?;
        Some(match code {
            "address" => block.street,
            "postCode" => block.post_code,
            "city" => block.town,
            // It is unknown which word of a whole name is which: the comparison uses words.
            _ => block.name,
        })
    }

    /// From an address on one line next to its label.
    fn of_address(&self, code: &str) -> Option<Reading> {
        let address = labelled::read(field_of("address")?, &self.cells)?;
        let (post_code, town) = block::of_line(&address)?;
        Some(if code == "postCode" { post_code } else { town })
    }

    /// From what every card has, if its small labels are unreadable in a picture.
    fn of_card(&self, field: &Field) -> Option<Reading> {
        match field.code {
            "lastName" | "firstName" if self.document_type == "DRIVING_LICENCE" => card::name(field.code, &self.cells),
            "birthDate" | "issueDate" | "expiryDate" if card::TYPES.contains(&self.document_type) => {
                card::date(field.code, &self.cells, self.today)
            }
            "documentNumber" if card::TYPES.contains(&self.document_type) => card::number(&self.cells),
            _ => None,
        }
    }

    /// The sender comes first on the page, in the largest letters of its upper third.
    fn letter_head(&self) -> Option<Reading> {
        let letters = ["INVOICE", "PROOF_OF_ADDRESS", "PAYSLIP", "INSURANCE_CERTIFICATE", "OTHER"];
        if !letters.contains(&self.document_type) {
            return None;
        }
        // The recognised text of a logo is not a name.
        let top = self.cells.iter().filter(|cell| cell.page == 1 && cell.confidence >= 50).take(3);
        let head = top.filter(|cell| value::accepted(Kind::Text, &cell.text).is_some()).max_by_key(|cell| cell.size)?;
        if labelled::is_recognised(head) && !self.is_well_read(head) {
            return None;
        }
        let place = Place { page: head.page, area: Some(head.place) };
        Some(Reading { value: head.text.clone(), place, score: 65.min(head.confidence) })
    }

    /// Whether recognised text is a name: it has a legal form, or all of the head was read surely.
    fn is_well_read(&self, head: &Cell) -> bool {
        let top = || self.cells.iter().filter(|cell| cell.page == 1).take(10);
        let all: usize = top().map(|cell| usize::from(cell.confidence)).sum();
        without_legal_form(&head.folded) != head.folded && head.confidence >= 75
            || head.confidence >= 88 && all >= 85 * top().count()
    }
}

/// The first machine-readable zone.
fn zone(document: &Document) -> Option<(Zone, Place)> {
    let codes = document.machine_codes();
    let mut read = codes.iter().filter(|code| code.kind == "mrz");
    let seen = read.find_map(|code| Some((find_zones(&code.text).into_iter().next()?, code.place)));
    seen.or_else(|| {
        document
            .page_numbers()
            .find_map(|page| Some((find_zones(&document.text(page)).into_iter().next()?, Place { page, area: None })))
    })
}
