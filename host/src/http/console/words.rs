//! The words of the console for what the analysis and the jobs call by keys: signals, checks, types of documents, fields,
//! states. What is not known here keeps its key, or its text in English.

mod findings;
mod names;
mod speech;

use maud::{Markup, html};

pub(super) use self::{
    names::Names,
    speech::{clause, reason, said, text},
};
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

/// Of a case without a decision.
pub(super) const fn undecided(language: Language) -> &'static str {
    language.pick("not decided yet", "pas encore décidé")
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

fn known(
    table: &'static [(&'static str, &'static str, &'static str)],
    key: &str,
    language: Language,
) -> Option<&'static str> {
    let (_, english, french) = table.iter().find(|(known, ..)| *known == key)?;
    Some(language.pick(english, french))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_its_key_after_its_name() {
        assert_eq!(part("gps", Language::French).into_string(), "Positions <span class=\"small\">gps</span>");
        assert_eq!(part("own", Language::French).into_string(), "<span lang=\"en\">own</span>");
    }

    #[test]
    fn every_kind_of_job_has_a_name_in_both_languages() {
        for kind in JobKind::ALL {
            let known = WORK.iter().find(|(key, ..)| *key == kind.as_str());
            let (_, english, french) = known.unwrap_or_else(|| panic!("{kind}"));
            assert!(!english.is_empty() && !french.is_empty(), "{kind}");
        }
    }
}
