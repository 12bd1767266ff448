//! The three questions about a certificate and their answers, in all languages. `{}` is replaced by a value, in order.

use super::{Language, german};

#[derive(Debug)]
pub(crate) struct AnswerWords {
    pub(crate) unchanged: &'static str,
    pub(crate) by_whom: &'static str,
    pub(crate) since_when: &'static str,
    pub(crate) is_unchanged: &'static str,
    pub(crate) contradicts_itself: &'static str,
    pub(crate) is_changed: &'static str,
    pub(crate) not_answered: &'static str,
    pub(crate) signer: &'static str,
    pub(crate) development_signer: &'static str,
    pub(crate) untrusted_signer: &'static str,
    pub(crate) time: &'static str,
    pub(crate) development_time: &'static str,
    pub(crate) untrusted_time: &'static str,
    pub(crate) claimed_time: &'static str,
}

pub(super) const ENGLISH: AnswerWords = AnswerWords {
    unchanged: "Unchanged?",
    by_whom: "By whom?",
    since_when: "Since when?",
    is_unchanged: "Yes. Every byte is as it was signed.",
    contradicts_itself: "Every byte is as it was signed, but the pages and the list for machines contradict each other.",
    is_changed: "No, or it never was one of our certificates.",
    not_answered: "Not answered: the content of this file cannot be relied on.",
    signer: "{}. {}, which is trusted here, vouches for the name.",
    development_signer: "{}, but only {}, a development authority of the installation, vouches for the name.",
    untrusted_signer: "Someone who holds the certificate of {}. No one who is trusted here vouches for the name.",
    time: "No later than {}, according to {}.",
    development_time: "No later than {}, but only according to {}, which a development authority of the installation vouches for.",
    untrusted_time: "Not proven here: {} is stated by an authority that is not trusted here.",
    claimed_time: "Not proven: there is only the signer's own clock ({}).",
};

pub(super) const FRENCH: AnswerWords = AnswerWords {
    unchanged: "Inchangé\u{a0}?",
    by_whom: "Par qui\u{a0}?",
    since_when: "Depuis quand\u{a0}?",
    is_unchanged: "Oui. Chaque octet est tel qu’il a été signé.",
    contradicts_itself: "Chaque octet est tel qu’il a été signé, mais les pages et la liste destinée aux machines se contredisent.",
    is_changed: "Non, ou ce n’a jamais été l’un de nos certificats.",
    not_answered: "Sans réponse\u{a0}: on ne peut se fier au contenu de ce fichier.",
    signer: "{}. {}, reconnu ici, se porte garant de ce nom.",
    development_signer: "{}, mais seule {}, une autorité de développement de l’installation, se porte garante de ce nom.",
    untrusted_signer: "Quelqu’un qui détient le certificat de {}. Personne qui soit reconnu ici ne se porte garant de ce nom.",
    time: "Au plus tard le {}, selon {}.",
    development_time: "Au plus tard le {}, mais seulement selon {}, dont une autorité de développement de l’installation se porte garante.",
    untrusted_time: "Pas prouvé ici\u{a0}: {} est indiqué par une autorité qui n’est pas reconnue ici.",
    claimed_time: "Pas prouvé\u{a0}: seule l’horloge du signataire le dit ({}).",
};

impl Language {
    pub(crate) const fn answers(self) -> &'static AnswerWords {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::ANSWERS,
        }
    }
}
