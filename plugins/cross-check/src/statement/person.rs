//! The people that a document is addressed to or belongs to, and where they live.

use std::collections::BTreeSet;

use sealwright_plugin_sdk::reading::{
    Cell, fold,
    labels::{ValuePosition, labelled},
};

use super::values::Statement;
use crate::{
    block,
    fields::{Kind, field_of, is_label},
    labelled::{self, Reading},
    reader::Reader,
    search::without_legal_form,
    value,
};

/// Labels of a whole name.
const WHOLE: [&str; 30] = [
    "nom et prenom",
    "nom prenom",
    "nom et prenoms",
    "nom prenoms",
    "nom du salarie",
    "nom du titulaire",
    "nom de l assure",
    "titulaire du compte",
    "titulaire",
    "intitule du compte",
    "salarie e",
    "salarie",
    "employe",
    "assure",
    "souscripteur",
    "proprietaire",
    "locataire",
    "beneficiaire",
    "employee name",
    "employee",
    "account holder",
    "account name",
    "name of account holder",
    "policyholder",
    "policy holder",
    "insured",
    "customer name",
    "full name",
    "name",
    "registered keeper",
];
const TITLES: [&str; 14] =
    ["m", "mr", "mrs", "ms", "miss", "mme", "mlle", "monsieur", "madame", "mademoiselle", "herr", "frau", "ou", "et"];
/// Words that no name of a person has: a line with one is something else, such as a department or a shop.
const OTHER: &str = " service services client clients clientele banque bank agence direction societe cedex rue avenue \
    boulevard street road facture invoice total compte account department team conseiller contact assurance assurances \
    insurance mutuelle credit caisse net brut date page numero number bulletin paie salaire le du des of the and company \
    directeur director names prenoms surname given forename forenames \
    manager president gerant notaire maire nom prenom adresse address birth naissance ne nee born \
    clinique menuiserie transports boulangerie garage hotel restaurant cabinet institut association ecole mairie pharmacie \
    atelier ateliers maison groupe group entreprise etablissements plomberie electricite image energie energy water eau \
    telecom mobile greffe tribunal tresor finances impots centre center clinic haulage joinery bakery plumbing workshop \
    partners mutual holding votre vos your our nos notre pour par chez bon reference contrat contract tel telephone ";
const MOST_PEOPLE: usize = 6;

pub(super) fn state(statement: &mut Statement<'_>, reader: &Reader<'_>, words: &BTreeSet<&str>, is_card: bool) {
    for code in ["lastName", "firstName"] {
        let Some(field) = field_of(code) else { continue };
        // The name of an address block is a whole name: it is stated as one.
        let reading = if is_card { reader.read(field) } else { labelled::read(field, &reader.cells) };
        // A label in two languages may be taken for its value.
        let is_read = |reading: &Reading| is_name(&fold(&reading.value), 1);
        if let Some(reading) = reading.filter(is_read).or_else(|| reader.of_zone(code).filter(is_read)) {
            statement.read(code, Kind::Name, &reading, None);
        }
    }
    if is_card || reader.document_type == "COMPANY_REGISTRATION" {
        return;
    }
    let mut people = 0;
    if words.contains("iban") || reader.document_type == "BANK_DETAILS" {
        let holder = field_of("accountHolder").and_then(|field| reader.read(field));
        if let Some(holder) = holder.filter(|holder| is_name(&fold(&holder.value), 2)) {
            statement.read("accountHolder", Kind::Name, &holder, None);
            people += 1;
        }
    }
    for block in
        block::all(&reader.cells).into_iter().filter(|block| is_name(&untitled(&block.name.value), 2)).take(MOST_PEOPLE)
    {
        let group = Some(statement.group());
        statement.read("personName", Kind::Name, &block.name, group);
        statement.read("address", Kind::Street, &block.street, group);
        statement.read("postCode", Kind::PostCode, &block.post_code, group);
        statement.read("city", Kind::Town, &block.town, group);
    }
    if reader.document_type == "PROOF_OF_ADDRESS" {
        for (code, kind) in [("address", Kind::Street), ("postCode", Kind::PostCode), ("city", Kind::Town)] {
            if let Some(reading) = field_of(code).and_then(|field| reader.read(field)) {
                statement.read(code, kind, &reading, None);
            }
        }
    }
    let cells = statement.cells;
    let read = |text: &str| {
        let name = untitled(&behind_label(text));
        let is_capital = text
            .split_whitespace()
            .filter(|word| word.chars().count() > 3)
            .all(|word| word.starts_with(|first: char| !first.is_alphabetic() || first.is_uppercase()));
        (is_capital && is_name(&name, 2)).then_some(name)
    };
    let titled = cells.iter().filter_map(|cell| Some((titled(cell)?, cell)));
    let labelled = labelled(cells, &[&WHOLE], ValuePosition::Next, read);
    for (name, cell) in titled.chain(labelled) {
        if people < MOST_PEOPLE {
            people += 1;
            statement.add("personName", fold(&name), cell, 85, None);
        }
    }
}

/// The folded text without the label of whole names that it starts with.
fn behind_label(text: &str) -> String {
    let folded = fold(text);
    let begins =
        |label: &&&str| folded.strip_prefix(**label).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let label = WHOLE.iter().filter(begins).max_by_key(|label| label.len());
    label.map_or(folded.clone(), |label| folded[label.len()..].trim_start().to_owned())
}

/// Folded words without titles.
fn untitled(text: &str) -> String {
    fold(text).split(' ').filter(|word| !TITLES.contains(word)).collect::<Vec<_>>().join(" ")
}

/// Whether folded words may be a name of so many words at least: letters only, few words, and no legal form.
pub(super) fn is_name(folded: &str, least: usize) -> bool {
    let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    (least..=6).contains(&words.len())
        && words.iter().all(|word| word.chars().all(char::is_alphabetic) && !OTHER.contains(&format!(" {word} ")))
        && words.iter().any(|word| word.len() > 2)
        && !is_label(folded)
        && !WHOLE.contains(&folded)
        && without_legal_form(folded) == folded
}

/// The capitalised words behind a title at the start of a cell, or in a sentence.
fn titled(cell: &Cell) -> Option<String> {
    let words: Vec<&str> = cell.text.split_whitespace().collect();
    let most = if cell.folded.len() <= 60 { 1 } else { words.len() };
    (0..most).find_map(|at| {
        let is_title = words[at].starts_with(char::is_uppercase) && TITLES.contains(&fold(words[at]).as_str());
        if !is_title {
            return None;
        }
        let mut name: Vec<&str> = Vec::new();
        for word in &words[at + 1..] {
            let bare = word.trim_matches([',', '.', ';', '(', ')', ':']);
            let is_link = matches!(fold(bare).as_str(), "ou" | "et" | "or" | "and" | "de" | "nee" | "epouse");
            if !is_link && !bare.starts_with(char::is_uppercase) {
                break;
            }
            name.push(bare);
            if word.ends_with([',', '.', ';', ':']) && bare.len() > 1 || name.len() == 6 {
                break;
            }
        }
        let bare = untitled(&name.join(" "));
        (is_name(&bare, 2) && value::accepted(Kind::Name, &bare).is_some()).then_some(bare)
    })
}
