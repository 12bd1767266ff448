//! The words of the console for what the analysis and the jobs call by keys: signals, checks, types of documents, fields,
//! states. What is not known here keeps its key, or its text in English.

mod findings;

use maud::{Markup, html};

use self::findings::{NAMED, TEXTS};
use crate::{
    app::console::case::{JobKind, JobState},
    http::link::Language,
};

/// Keys of parts of a score: signals, parts of a document's trust, checks, types of documents and fields.
const KEYS: &[(&str, &str, &str)] = &[
    ("gps", "Positions", "Positions"),
    ("motion", "Movement between captures", "Déplacements entre les prises"),
    ("device", "Devices", "Appareils"),
    ("image", "Photos", "Photos"),
    ("duplicate", "Seen before", "Déjà vu"),
    ("document", "Documents", "Documents"),
    ("consistency", "Agreement of documents and entries", "Concordance des documents et des saisies"),
    ("falsification", "Signs of a falsification", "Signes de falsification"),
    ("document type", "Type of document", "Type de document"),
    ("cross-check", "Agreement with what was entered", "Concordance avec la saisie"),
    ("FONT_CONSISTENCY", "Fonts are used consistently", "Les polices sont employées de façon cohérente"),
    ("METADATA_CONSISTENCY", "Metadata are plausible", "Les métadonnées sont plausibles"),
    ("INCREMENTAL_EDITS", "Nothing was changed after it was made", "Rien n’a été modifié après coup"),
    ("TEXT_OVERLAY", "No text is covered", "Aucun texte n’est recouvert"),
    ("HIDDEN_CONTENT", "No content is hidden", "Aucun contenu n’est caché"),
    ("SIGNATURE_INTEGRITY", "Electronic signatures are intact", "Les signatures électroniques sont intactes"),
    ("IMAGE_RECOMPRESSION", "Pictures were compressed evenly", "Les images ont été compressées uniformément"),
    ("IMAGE_EDITOR_TRACE", "Pictures bear no trace of an editor", "Les images ne portent pas de trace d’éditeur"),
    (
        "MRZ_CHECKSUM",
        "The machine-readable zone’s check digits are right",
        "Les clés de la zone de lecture optique sont justes",
    ),
    ("IBAN_CHECKSUM", "Account numbers’ check digits are right", "Les clés des numéros de compte sont justes"),
    ("DATE_COHERENCE", "Dates are in a possible order", "Les dates sont dans un ordre possible"),
    ("TOTALS_COHERENCE", "Amounts add up", "Les montants tombent juste"),
    ("IDENTITY_CARD", "Identity card", "Carte d’identité"),
    ("PASSPORT", "Passport", "Passeport"),
    ("RESIDENCE_PERMIT", "Residence permit", "Titre de séjour"),
    ("DRIVING_LICENCE", "Driving licence", "Permis de conduire"),
    ("VEHICLE_REGISTRATION", "Vehicle registration", "Certificat d’immatriculation"),
    ("BANK_DETAILS", "Bank details", "Coordonnées bancaires"),
    ("PAYSLIP", "Payslip", "Bulletin de paie"),
    ("TAX_NOTICE", "Tax notice", "Avis d’imposition"),
    ("INVOICE", "Invoice", "Facture"),
    ("PROOF_OF_ADDRESS", "Proof of address", "Justificatif de domicile"),
    ("COMPANY_REGISTRATION", "Company registration", "Extrait d’immatriculation d’une société"),
    ("INSURANCE_CERTIFICATE", "Insurance certificate", "Attestation d’assurance"),
    ("OTHER", "Another document", "Autre document"),
    ("UNKNOWN", "Could not be read", "Illisible"),
    ("lastName", "Last name", "Nom"),
    ("firstName", "First name", "Prénom"),
    ("birthDate", "Date of birth", "Date de naissance"),
    ("documentNumber", "Number of the document", "Numéro du document"),
    ("expiryDate", "Date of expiry", "Date d’expiration"),
    ("nationality", "Nationality", "Nationalité"),
    ("address", "Address", "Adresse"),
    ("postCode", "Post code", "Code postal"),
    ("city", "City", "Ville"),
    ("iban", "Account number (IBAN)", "Numéro de compte (IBAN)"),
    ("bic", "Bank (BIC)", "Banque (BIC)"),
    ("accountHolder", "Holder of the account", "Titulaire du compte"),
    ("issuer", "Issuer", "Émetteur"),
    ("invoiceNumber", "Number of the invoice", "Numéro de la facture"),
    ("issueDate", "Date of issue", "Date d’émission"),
    ("totalAmount", "Total amount", "Montant total"),
    ("netAmount", "Net amount", "Montant net"),
    ("registrationNumber", "Registration number", "Numéro d’immatriculation"),
    ("companyName", "Name of the company", "Nom de la société"),
    ("policyNumber", "Number of the policy", "Numéro de police"),
];

/// What sentences begin with that are not names.
const BEGINNINGS: &[&str] = &[
    "A", "All", "An", "Some", "Text", "The", "They", "It", "Aucun", "Aucune", "Dans", "Des", "Du", "Il", "L", "La",
    "Le", "Les", "Un", "Une",
];

/// Kinds of jobs and of webhooks.
const WORK: &[(&str, &str, &str)] = &[
    ("stamp-item", "time stamp of an item", "horodatage d’un élément"),
    ("seal", "certificate", "certificat"),
    ("renew-seal", "next time stamp of the certificate", "horodatage suivant du certificat"),
    ("deliver-case", "webhook of the case", "webhook du dossier"),
    ("deliver-analysis", "webhook of the analysis", "webhook de l’analyse"),
    ("deliver-decision", "webhook of the decision", "webhook de la décision"),
    ("delete-blobs", "deletion of files", "suppression de fichiers"),
    ("log-deletion", "record of the deletion", "inscription de la suppression"),
    ("analyse-item", "examination of an item", "examen d’un élément"),
    ("conclude-analysis", "verdict", "verdict"),
    ("delete-file", "deletion of a file after its analysis", "suppression d’un fichier après son analyse"),
    ("shadow-item", "document for comparison plugins", "document pour les plugins de comparaison"),
    ("shadow-case", "case for comparison plugins", "dossier pour les plugins de comparaison"),
    ("backtest", "backtest", "essai de plugin"),
    ("case", "case", "dossier"),
    ("analysis", "analysis", "analyse"),
    ("decision", "decision", "décision"),
];

/// The name of a part of a score, with its key for those who integrate.
pub(super) fn part(key: &str, language: Language) -> Markup {
    match known(KEYS, key, language) {
        Some(name) if name == key => html! { (name) },
        Some(name) => html! { (name) " " span.small { (key) } },
        None => html! { span lang="en" { (key) } },
    }
}

/// The same, without the key of a known part.
pub(super) fn plain(key: &str, language: Language) -> Markup {
    let Some(name) = known(KEYS, key, language) else { return html! { span lang="en" { (key) } } };
    html! { (name) }
}

/// What a job or a webhook does.
pub(super) fn work(kind: &str, language: Language) -> &str {
    known(WORK, kind, language).unwrap_or(kind)
}

/// What a job does, with the name of its kind for those who use the commands on jobs.
pub(super) fn job(kind: JobKind, language: Language) -> Markup {
    html! { (work(kind.as_str(), language)) " " span.small { (kind.as_str()) } }
}

pub(super) const fn job_state(state: JobState, language: Language) -> &'static str {
    match state {
        JobState::Ready => language.pick("ready", "prêt"),
        JobState::Running => language.pick("running", "en cours"),
        JobState::Suspect => language.pick("running alone after crashes", "isolé après des pannes"),
        JobState::Quarantined => language.pick("quarantined", "en quarantaine"),
        JobState::Failed => language.pick("failed", "échoué"),
    }
}

/// A text of the analysis, in the page's language if it is known.
pub(super) fn said(text: &str, language: Language) -> Markup {
    let Some(french) = translated(text, language) else { return html! { span lang="en" { (text) } } };
    html! { (french) }
}

/// The same as a part of a sentence: without the full stop.
pub(super) fn clause(text: &str, language: Language) -> Markup {
    let Some(french) = translated(text, language) else {
        return html! { span lang="en" { (text.trim_end_matches('.')) } };
    };
    html! { (french.trim_end_matches('.')) }
}

/// The same after "because": with a small letter, unless it begins with what may be a name.
pub(super) fn reason(text: &str, language: Language) -> Markup {
    let Some(french) = translated(text, language) else {
        return html! { span lang="en" { (lowered(text.trim_end_matches('.'))) } };
    };
    html! { (lowered(french.trim_end_matches('.'))) }
}

/// None if the text stays in English.
pub(super) fn translated(text: &str, language: Language) -> Option<String> {
    if language == Language::French { french(TEXTS, text) } else { None }
}

fn known(
    table: &'static [(&'static str, &'static str, &'static str)],
    key: &str,
    language: Language,
) -> Option<&'static str> {
    let (_, english, french) = table.iter().find(|(known, ..)| *known == key)?;
    Some(language.pick(english, french))
}

fn lowered(text: &str) -> String {
    let first = text.split([' ', '’']).next().unwrap_or_default();
    if BEGINNINGS.contains(&first) { text.replacen(first, &first.to_lowercase(), 1) } else { text.to_owned() }
}

/// The French text of the first row that the text matches, with what the text names.
fn french(table: &[(&str, &str)], text: &str) -> Option<String> {
    table.iter().find_map(|(english, french)| {
        let named = matched(english, text)?;
        let mut pieces = french.split("{}");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for (name, piece) in named.into_iter().zip(pieces) {
            filled.push_str(&in_french(name));
            filled.push_str(piece);
        }
        Some(filled)
    })
}

/// What is at the places of `{}`; none if the text does not have the form of the template.
fn matched<'t>(template: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let pieces: Vec<&str> = template.split("{}").collect();
    let (first, others) = pieces.split_first()?;
    let mut rest = text.strip_prefix(*first)?;
    let Some((last, middle)) = others.split_last() else { return rest.is_empty().then(Vec::new) };
    let mut named = Vec::new();
    for piece in middle {
        let (before, after) = rest.split_once(*piece)?;
        named.push(before);
        rest = after;
    }
    named.push(rest.strip_suffix(*last)?);
    named.iter().all(|name| !name.is_empty()).then_some(named)
}

/// What a text names: a list of known names, or as it is.
fn in_french(names: &str) -> String {
    let of_one = |name: &str| french_name(name).unwrap_or_else(|| name.to_owned());
    french_name(names).unwrap_or_else(|| names.split(", ").map(of_one).collect::<Vec<_>>().join(", "))
}

fn french_name(name: &str) -> Option<String> {
    NAMED.iter().find_map(|(english, french)| {
        let named = matched(english, name)?;
        Some(named.into_iter().fold((*french).to_owned(), |text, name| text.replacen("{}", name, 1)))
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn a_text_is_in_french_with_what_it_names() {
        let french = |text: &str| translated(text, Language::French);
        assert_eq!(french("No text is covered.").as_deref(), Some("Aucun texte n’est recouvert."));
        assert_eq!(
            french("The name on ITM-4 differs from what was entered as ITM-5.").as_deref(),
            Some("Le nom de ITM-4 diffère de ce qui a été saisi sous ITM-5.")
        );
        assert_eq!(
            french("Some text differs from everything around it in its font, size, as if it had been typed in later.")
                .as_deref(),
            Some("Du texte diffère de tout ce qui l’entoure (police, taille), comme s’il avait été tapé plus tard.")
        );
        assert_eq!(french("The stamp is too round."), None);
        assert_eq!(translated("No text is covered.", Language::English), None);
        let unknown = said("The stamp is <b>.", Language::French).into_string();
        assert_eq!(unknown, "<span lang=\"en\">The stamp is &lt;b&gt;.</span>");
        assert_eq!(part("gps", Language::French).into_string(), "Positions <span class=\"small\">gps</span>");
        assert_eq!(part("own", Language::French).into_string(), "<span lang=\"en\">own</span>");
    }

    #[test]
    fn a_reason_begins_with_a_small_letter_if_it_does_not_begin_with_a_name() {
        let reason = |text: &str, language| reason(text, language).into_string();
        assert_eq!(
            reason("The document differs from what was entered.", Language::English),
            "<span lang=\"en\">the document differs from what was entered</span>"
        );
        assert_eq!(
            reason("The analysis of the document has not ended.", Language::French),
            "l’analyse du document n’est pas terminée"
        );
        assert_eq!(reason("Dupont drew it.", Language::French), "<span lang=\"en\">Dupont drew it</span>");
    }

    #[test]
    fn every_kind_of_job_has_a_name_in_both_languages() {
        for kind in JobKind::ALL {
            let known = WORK.iter().find(|(key, ..)| *key == kind.as_str());
            let (_, english, french) = known.unwrap_or_else(|| panic!("{kind}"));
            assert!(!english.is_empty() && !french.is_empty(), "{kind}");
        }
    }

    #[test]
    fn both_languages_name_the_same_number_of_things() {
        for (english, french) in TEXTS.iter().chain(NAMED) {
            assert_eq!(english.matches("{}").count(), french.matches("{}").count(), "{english}");
        }
    }

    /// Whether a sentence of a plugin has a row, whatever it names.
    #[test]
    fn what_the_built_in_plugins_say_is_known() {
        let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins");
        let mut unknown = Vec::new();
        for plugin in ["signals", "document-forensics", "document-types", "cross-check"] {
            for source in sources(&plugins.join(plugin).join("src")) {
                unknown.extend(sentences(&source).into_iter().filter(|sentence| french(TEXTS, sentence).is_none()));
            }
        }
        // They are completed by what a file says; their whole texts are known.
        let completed = [
            "The photo declares x: x.",
            "The photo's content credentials say that it was changedx (x).",
            "The x's content credentials say that it was changedx (x).",
            "\"x\" x.",
        ];
        unknown.retain(|sentence| !completed.contains(&sentence.as_str()));
        assert!(unknown.is_empty(), "{unknown:#?}");
    }

    /// The texts of the files in a folder, without those of tests.
    fn sources(folder: &Path) -> Vec<String> {
        let mut texts = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name().to_string_lossy().contains("tests") {
                continue;
            }
            let path = entry.path();
            if path.is_dir() {
                texts.extend(sources(&path));
            } else {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
        texts
    }

    /// The literals of a source that are whole sentences, each with `x` for what it names.
    fn sentences(source: &str) -> Vec<String> {
        let code = source.split("mod tests {").next().unwrap_or_default();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n").replace("'\"'", "' '").replace("\\\"", "\u{1}");
        let literals = code.split('"').skip(1).step_by(2).map(|literal| {
            let joined: Vec<&str> = literal.split("\\\n").map(str::trim_start).collect();
            let mut text = String::new();
            for (position, piece) in joined.concat().replace('\u{1}', "\"").split(['{', '}']).enumerate() {
                text.push_str(if position.is_multiple_of(2) { piece } else { "x" });
            }
            text
        });
        let is_sentence = |text: &String| {
            let begins = text.starts_with(|c: char| c.is_uppercase() || c == '"') || text.starts_with("x ");
            begins && text.contains(' ') && text.ends_with('.')
        };
        literals.filter(is_sentence).collect()
    }
}
