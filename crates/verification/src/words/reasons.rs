//! What speaks against a certificate, and what its level means, in all languages.

use sealwright_seal::verify::{FindingCode, Level};

use super::Language;

impl Language {
    /// What a level means.
    pub(crate) const fn level(self, level: Level) -> &'static str {
        match (self, level) {
            (Self::English, Level::BB) => "B-B: signed; the time is pending",
            (Self::English, Level::BT) => "B-T: signed and time-stamped",
            (Self::English, Level::BLta) => {
                "B-LTA: signed, time-stamped, and archived with everything needed to check it"
            }
            (Self::French, Level::BB) => "B-B\u{a0}: signé\u{a0}; horodatage en attente",
            (Self::French, Level::BT) => "B-T\u{a0}: signé et horodaté",
            (Self::French, Level::BLta) => {
                "B-LTA\u{a0}: signé, horodaté et archivé avec tout ce qu’exige une vérification"
            }
        }
    }

    /// The kind of a finding against a certificate. The finding's own message gives the details, in English.
    pub(crate) const fn reason(self, code: FindingCode) -> &'static str {
        let (english, french) = match code {
            FindingCode::Unreadable => {
                ("The file cannot be read as a certificate", "Le fichier n’est pas lisible comme certificat")
            }
            FindingCode::NotSigned => {
                ("The file is not signed like our certificates", "Le fichier n’est pas signé comme nos certificats")
            }
            FindingCode::Coverage => {
                ("A signature does not cover the whole file", "Une signature ne couvre pas tout le fichier")
            }
            FindingCode::Addition => {
                ("Something was added after it was signed", "Quelque chose a été ajouté après la signature")
            }
            FindingCode::Log => ("The place in the log of seals", "La place dans le journal des scellés"),
            FindingCode::Signature => ("The signature", "La signature"),
            FindingCode::TimeStamp => ("A time stamp", "Un horodatage"),
            FindingCode::FutureTime => ("A time stamp is in the future", "Un horodatage se situe dans l’avenir"),
            FindingCode::Manifest => ("The seal manifest", "Le manifeste de scellé"),
            FindingCode::Commitments => ("The list of items", "La liste des éléments"),
            FindingCode::Token => ("An item’s time stamp", "L’horodatage d’un élément"),
            FindingCode::Captures => ("The capture records", "Les relevés de prise"),
            FindingCode::Original => ("A given file", "Un fichier fourni"),
            FindingCode::Disclosure => ("A disclosure", "Une divulgation"),
            FindingCode::Evidence => ("An evidence record", "Un enregistrement de preuve"),
            FindingCode::Pages => ("The pages and the seal manifest", "Les pages et le manifeste de scellé"),
            FindingCode::Development => ("Development authority", "Autorité de développement"),
            FindingCode::TimePending => ("Time pending", "Horodatage en attente"),
            FindingCode::RenewalOverdue => ("Renewal overdue", "Renouvellement en retard"),
            FindingCode::Revocation => ("Revocation", "Révocation"),
        };
        match self {
            Self::English => english,
            Self::French => french,
        }
    }
}
