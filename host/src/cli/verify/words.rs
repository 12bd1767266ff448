//! What `sealwright verify` prints around an account, in every language.

use clap::ValueEnum;

use crate::app::verification::{AnchorSource, Language, TrustedFor};

/// The language of the printed text, by its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LanguageTag {
    En,
    Fr,
    De,
}

impl From<LanguageTag> for Language {
    fn from(tag: LanguageTag) -> Self {
        match tag {
            LanguageTag::En => Self::English,
            LanguageTag::Fr => Self::French,
            LanguageTag::De => Self::German,
        }
    }
}

pub(super) struct Words {
    pub(super) against: &'static str,
    pub(super) proven: &'static str,
    pub(super) open: &'static str,
    pub(super) trusted: &'static str,
    pub(super) no_one: &'static str,
    pub(super) witness: &'static str,
    /// `{}` is a folder.
    pub(super) ignored: &'static str,
}

const ENGLISH: Words = Words {
    against: "Reasons against it",
    proven: "What is proven",
    open: "What is not proven",
    trusted: "Trusted in this check",
    no_one: "no one: name roots with --trust",
    witness: "witness",
    ignored: "Ignored: {}; name it with --data-dir to trust it",
};

const FRENCH: Words = Words {
    against: "Ce qui s’y oppose",
    proven: "Ce qui est prouvé",
    open: "Ce qui n’est pas prouvé",
    trusted: "Reconnus dans cette vérification",
    no_one: "personne\u{a0}: nommez des racines avec --trust",
    witness: "témoin",
    ignored: "Ignoré\u{a0}: {}\u{a0}; nommez-le avec --data-dir pour vous y fier",
};

const GERMAN: Words = Words {
    against: "Was dagegen spricht",
    proven: "Was bewiesen ist",
    open: "Was nicht bewiesen ist",
    trusted: "Wem bei dieser Prüfung vertraut wird",
    no_one: "niemandem: Geben Sie Wurzelzertifikate mit --trust an",
    witness: "Zeuge",
    ignored: "Nicht beachtet: {}; geben Sie den Ordner mit --data-dir an, um ihm zu vertrauen",
};

pub(super) const fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::French => &FRENCH,
        Language::German => &GERMAN,
    }
}

/// Where a trusted certificate comes from.
pub(super) const fn source(source: AnchorSource, trusted_for: TrustedFor, language: Language) -> &'static str {
    let [english, french, german] = match (source, trusted_for) {
        (AnchorSource::Given, TrustedFor::Signing) => {
            ["given with --signer", "donné par --signer", "mit --signer angegeben"]
        }
        (AnchorSource::Given, _) => ["given with --trust", "donné par --trust", "mit --trust angegeben"],
        (AnchorSource::Settings, _) => [
            "from this installation's settings",
            "des réglages de cette installation",
            "aus den Einstellungen dieser Installation",
        ],
        (AnchorSource::Recorded, _) => [
            "this installation has signed with it",
            "cette installation a signé avec lui",
            "diese Installation hat damit signiert",
        ],
        (AnchorSource::Development, _) => [
            "development authority in data_dir",
            "autorité de développement dans data_dir",
            "Entwicklungsstelle in data_dir",
        ],
    };
    pick(language, english, french, german)
}

/// What a certificate is trusted for, after its source; empty if for everything.
pub(super) const fn purpose(trusted_for: TrustedFor, language: Language) -> &'static str {
    let [english, french, german] = match trusted_for {
        TrustedFor::SignersAndTimeStamps => ["", "", ""],
        TrustedFor::Signers => [", for signatures", ", pour les signatures", ", für Signaturen"],
        TrustedFor::TimeStamps => [", for time stamps", ", pour les horodatages", ", für Zeitstempel"],
        TrustedFor::Signing => {
            [", as a signing certificate", ", comme certificat de signature", ", als Signaturzertifikat"]
        }
    };
    pick(language, english, french, german)
}

const fn pick(language: Language, english: &'static str, french: &'static str, german: &'static str) -> &'static str {
    match language {
        Language::English => english,
        Language::French => french,
        Language::German => german,
    }
}
