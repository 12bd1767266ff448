//! The data of an electronic invoice in an attached file: Factur-X and `ZUGFeRD` (CII, UN/CEFACT D16B; `ZUGFeRD` 1.0), all
//! profiles, and UBL 2.1. Only what pages state too is read.

use roxmltree::{Document as Xml, Node, ParsingOptions};
use sealwright_plugin_sdk::{
    facts::Document,
    reading::{Amount, Date},
};

/// An invoice has a few hundred elements, and some for each line.
const MOST_NODES: u32 = 200_000;

/// What the data of an invoice says. Everything is optional: the profile MINIMUM has no account and no lines.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Invoice {
    pub(crate) number: Option<String>,
    pub(crate) issued: Option<Date>,
    pub(crate) seller: Option<String>,
    pub(crate) buyer: Option<String>,
    /// The seller's numbers: of the company and for VAT.
    pub(crate) seller_numbers: Vec<String>,
    /// Before tax.
    pub(crate) net: Option<Amount>,
    pub(crate) tax: Option<Amount>,
    /// With tax.
    pub(crate) gross: Option<Amount>,
    /// After what was paid before.
    pub(crate) due: Option<Amount>,
    pub(crate) accounts: Vec<String>,
}

/// The invoice that is attached to a document. None if there is none, or if it cannot be read.
pub(crate) fn attached(document: &Document) -> Option<Invoice> {
    let files = document.attached_files();
    let candidates = (0_u32..).zip(&files).filter(|(_, file)| {
        let is_xml = |text: &str| text.to_ascii_lowercase().ends_with("xml");
        file.readable && (is_xml(&file.name) || file.media_type.as_deref().is_some_and(is_xml))
    });
    candidates.take(4).find_map(|(index, _)| read(&document.attached_bytes(index)?))
}

/// Reads XML in UTF-8. Document type definitions are rejected, so there are no entities that grow.
pub(crate) fn read(bytes: &[u8]) -> Option<Invoice> {
    let text = str::from_utf8(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).ok()?;
    let xml =
        Xml::parse_with_options(text, ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() }).ok()?;
    let root = xml.root_element();
    match root.tag_name().name() {
        "CrossIndustryInvoice" | "CrossIndustryDocument" => Some(cross_industry(root)),
        "Invoice" | "CreditNote" => Some(universal(root)),
        _ => None,
    }
}

/// UN/CEFACT Cross Industry Invoice.
fn cross_industry(root: Node<'_, '_>) -> Invoice {
    let header = first(root, &["ExchangedDocument", "HeaderExchangedDocument"]);
    let sums =
        first(root, &["SpecifiedTradeSettlementHeaderMonetarySummation", "SpecifiedTradeSettlementMonetarySummation"]);
    let seller = first(root, &["SellerTradeParty"]);
    let sum = |name: &str| sums.and_then(|sums| amount(&child_text(sums, name)?));
    let numbers = seller.into_iter().flat_map(|seller| {
        seller
            .children()
            .filter(|part| matches!(part.tag_name().name(), "SpecifiedLegalOrganization" | "SpecifiedTaxRegistration"))
            .filter_map(|part| child_text(part, "ID"))
    });
    Invoice {
        number: header.and_then(|header| child_text(header, "ID")),
        issued: header
            .and_then(|header| first(header, &["DateTimeString"]))
            .and_then(|date| compact_date(date.text()?)),
        seller: seller.and_then(|seller| child_text(seller, "Name")),
        buyer: first(root, &["BuyerTradeParty"]).and_then(|buyer| child_text(buyer, "Name")),
        seller_numbers: numbers.collect(),
        net: sum("TaxBasisTotalAmount"),
        tax: sum("TaxTotalAmount"),
        gross: sum("GrandTotalAmount"),
        due: sum("DuePayableAmount"),
        accounts: all_text(root, "IBANID"),
    }
}

/// OASIS Universal Business Language.
fn universal(root: Node<'_, '_>) -> Invoice {
    let seller = first(root, &["AccountingSupplierParty"]);
    let party_name = |party: Option<Node<'_, '_>>| {
        let party = party?;
        let registered = first(party, &["PartyLegalEntity"]).and_then(|part| child_text(part, "RegistrationName"));
        registered.or_else(|| first(party, &["PartyName"]).and_then(|part| child_text(part, "Name")))
    };
    let sums = first(root, &["LegalMonetaryTotal"]);
    let sum = |name: &str| sums.and_then(|sums| amount(&child_text(sums, name)?));
    let tax = root.children().find(|part| part.tag_name().name() == "TaxTotal");
    let accounts = root.descendants().filter(|part| part.tag_name().name() == "PayeeFinancialAccount");
    Invoice {
        number: child_text(root, "ID"),
        issued: child_text(root, "IssueDate").and_then(|date| Date::read(&date)),
        seller: party_name(seller),
        buyer: party_name(first(root, &["AccountingCustomerParty"])),
        seller_numbers: seller.map(|seller| all_text(seller, "CompanyID")).unwrap_or_default(),
        net: sum("TaxExclusiveAmount"),
        tax: tax.and_then(|tax| amount(&child_text(tax, "TaxAmount")?)),
        gross: sum("TaxInclusiveAmount"),
        due: sum("PayableAmount"),
        accounts: accounts.filter_map(|account| child_text(account, "ID")).collect(),
    }
}

/// The first element with one of these names, whatever its namespace.
fn first<'a, 'i>(node: Node<'a, 'i>, names: &[&str]) -> Option<Node<'a, 'i>> {
    node.descendants().find(|part| names.contains(&part.tag_name().name()))
}

fn child_text(node: Node<'_, '_>, name: &str) -> Option<String> {
    let text = node.children().find(|part| part.tag_name().name() == name)?.text()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The texts of the first few elements with this name.
fn all_text(node: Node<'_, '_>, name: &str) -> Vec<String> {
    let parts = node.descendants().filter(|part| part.tag_name().name() == name);
    parts
        .filter_map(|part| part.text())
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .take(8)
        .collect()
}

/// A decimal number with a point, rounded to hundredths.
fn amount(text: &str) -> Option<Amount> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || !is_digits(whole) || !is_digits(decimals) {
        return None;
    }
    let digit = |at: usize| decimals.as_bytes().get(at).map_or(0, |byte| i64::from(byte - b'0'));
    let hundredths = whole.parse::<i64>().ok()? * 100 + digit(0) * 10 + digit(1) + i64::from(digit(2) >= 5);
    Some(Amount(sign * hundredths))
}

/// `yyyymmdd`.
fn compact_date(text: &str) -> Option<Date> {
    let text = text.trim();
    Date::new(text.get(..4)?.parse().ok()?, text.get(4..6)?.parse().ok()?, text.get(6..8)?.parse().ok()?)
}
