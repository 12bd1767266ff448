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
            (Self::German, Level::BB) => "B-B: signiert; die Zeit steht noch aus",
            (Self::German, Level::BT) => "B-T: signiert und mit Zeitstempel",
            (Self::German, Level::BLta) => {
                "B-LTA: signiert, mit Zeitstempel und mit allem archiviert, was eine Prüfung braucht"
            }
        }
    }

    /// The kind of a finding against a certificate. The finding's own message gives the details, in English.
    pub(crate) const fn reason(self, code: FindingCode) -> &'static str {
        let (english, french, german) = match code {
            FindingCode::Unreadable => (
                "The file cannot be read as a certificate",
                "Le fichier n’est pas lisible comme certificat",
                "Die Datei ist nicht als Zertifikat lesbar",
            ),
            FindingCode::NotSigned => (
                "The file is not signed like our certificates",
                "Le fichier n’est pas signé comme nos certificats",
                "Die Datei ist nicht wie unsere Zertifikate signiert",
            ),
            FindingCode::Coverage => (
                "A signature does not cover the whole file",
                "Une signature ne couvre pas tout le fichier",
                "Eine Signatur deckt nicht die ganze Datei ab",
            ),
            FindingCode::Addition => (
                "Something was added after it was signed",
                "Quelque chose a été ajouté après la signature",
                "Nach der Signatur wurde etwas hinzugefügt",
            ),
            FindingCode::Log => (
                "The place in the log of seals",
                "La place dans le journal des scellés",
                "Der Platz im Siegelprotokoll",
            ),
            FindingCode::Signature => ("The signature", "La signature", "Die Signatur"),
            FindingCode::TimeStamp => ("A time stamp", "Un horodatage", "Ein Zeitstempel"),
            FindingCode::FutureTime => (
                "A time stamp is in the future",
                "Un horodatage se situe dans l’avenir",
                "Ein Zeitstempel liegt in der Zukunft",
            ),
            FindingCode::Manifest => ("The seal manifest", "Le manifeste de scellé", "Das Siegelmanifest"),
            FindingCode::Commitments => ("The list of items", "La liste des éléments", "Die Liste der Einträge"),
            FindingCode::Token => {
                ("An item’s time stamp", "L’horodatage d’un élément", "Der Zeitstempel eines Eintrags")
            }
            FindingCode::Captures => ("The capture records", "Les relevés de prise", "Die Aufnahmeprotokolle"),
            FindingCode::Embedded => {
                ("A file inside the certificate", "Un fichier contenu dans le certificat", "Eine Datei im Zertifikat")
            }
            FindingCode::Original => ("A given file", "Un fichier fourni", "Eine angegebene Datei"),
            FindingCode::Disclosure => ("A disclosure", "Une divulgation", "Eine Offenlegung"),
            FindingCode::Evidence => ("An evidence record", "Un enregistrement de preuve", "Ein Beweisdatensatz"),
            FindingCode::Package => ("The package", "Le paquet", "Das Paket"),
            FindingCode::Pages => (
                "The pages and the seal manifest",
                "Les pages et le manifeste de scellé",
                "Die Seiten und das Siegelmanifest",
            ),
            FindingCode::Development => ("Development authority", "Autorité de développement", "Entwicklungsstelle"),
            FindingCode::TimePending => ("Time pending", "Horodatage en attente", "Zeit steht noch aus"),
            FindingCode::RenewalOverdue => ("Renewal overdue", "Renouvellement en retard", "Erneuerung überfällig"),
            FindingCode::Revocation => ("Revocation", "Révocation", "Widerruf"),
        };
        match self {
            Self::English => english,
            Self::French => french,
            Self::German => german,
        }
    }
}
