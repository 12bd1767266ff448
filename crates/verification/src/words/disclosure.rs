//! The words for a signed disclosure, where they differ from those for a certificate, in all languages. `{}` is replaced by
//! a value, in order.

use sealwright_seal::verify::Report;

use super::{
    Language, Words,
    answers::{self, AnswerWords},
    german,
    grounds::{self, Ground, Grounds},
};

/// The sentences that only a disclosure has.
#[derive(Debug)]
pub(crate) struct DisclosureWords {
    pub(crate) source_existed: &'static str,
    pub(crate) source_logged: &'static str,
    pub(crate) withheld: &'static str,
    pub(crate) root_is_stated: &'static str,
    pub(crate) certificate: &'static str,
    pub(crate) disclosed_at: &'static str,
    pub(crate) shown: &'static str,
    pub(crate) count: &'static str,
    pub(crate) source: Ground,
    pub(crate) others: Ground,
}

const ENGLISH: DisclosureWords = DisclosureWords {
    source_existed: "The certificate that the items come from existed no later than {}: {} confirms this.",
    source_logged: "That certificate is in the log of seals {}: entry {} of {}.",
    withheld: "Anything about the items of the certificate that are not shown. Their number here: {}.",
    root_is_stated: "That the certificate commits to the items shown: its signer states this, and the certificate itself is not here.",
    certificate: "The certificate that the items come from",
    disclosed_at: "Disclosed",
    shown: "Items shown",
    count: "{} of {}",
    source: Ground {
        why: "An authority, or the log, signed the SHA-256 of the certificate's list of items. The signer of this disclosure states which root that list has.",
        how: "Ask the owner for the whole certificate, and compare the SHA-256 of its seal manifest and its root with those below.",
    },
    others: Ground {
        why: "Only digests of the other items are here, each made with a random number.",
        how: "Ask the owner for the whole certificate.",
    },
};

const FRENCH: DisclosureWords = DisclosureWords {
    source_existed: "Le certificat dont viennent ces éléments existait au plus tard le {}\u{a0}: {} en atteste.",
    source_logged: "Ce certificat figure au journal des scellés {}\u{a0}: entrée {} sur {}.",
    withheld: "Quoi que ce soit sur les éléments du certificat qui ne sont pas montrés. Leur nombre ici\u{a0}: {}.",
    root_is_stated: "Que le certificat engage sur les éléments montrés\u{a0}: son signataire le déclare, et le certificat lui-même n’est pas ici.",
    certificate: "Le certificat dont viennent ces éléments",
    disclosed_at: "Divulgué",
    shown: "Éléments montrés",
    count: "{} sur {}",
    source: Ground {
        why: "Une autorité, ou le journal, a signé le SHA-256 de la liste des éléments du certificat. Le signataire de cette divulgation déclare quelle racine a cette liste.",
        how: "Demandez le certificat entier à son propriétaire, et comparez le SHA-256 de son manifeste de scellé et sa racine à ceux qui figurent ci-dessous.",
    },
    others: Ground {
        why: "Seules des empreintes des autres éléments sont ici, chacune faite avec un nombre aléatoire.",
        how: "Demandez le certificat entier à son propriétaire.",
    },
};

const ENGLISH_WORDS: Words = Words {
    valid: [
        "This disclosure is valid.",
        "Nothing in it was changed since it was signed, and everyone who signed or stamped it is trusted here.",
    ],
    untrusted: [
        "This disclosure is intact, but not everyone behind it is trusted here.",
        "Nothing in it was changed since it was signed. It is up to you whether to trust those who signed or stamped it.",
    ],
    other_original: [
        "This disclosure is valid, but a given file is not one of those that it shows.",
        "Nothing in the disclosure was changed, but a given file or disclosure does not match it.",
    ],
    existed: "The disclosure existed no later than {}: {} confirms this.",
    no_items_fixed: "It shows no item of the certificate of the case {}.",
    one_item_fixed: "It shows one item of the certificate of the case {}. The item leads to the root stated below.",
    items_fixed: "It shows {} items of the certificate of the case {}. Each leads to the root stated below.",
    without_token: "When files without their own time stamp were received ({} here): only the times of the certificate and of the disclosure apply to them.",
    ..super::ENGLISH
};

const FRENCH_WORDS: Words = Words {
    valid: [
        "Cette divulgation est valide.",
        "Rien n’y a été modifié depuis sa signature, et tous ceux qui l’ont signée ou horodatée sont reconnus ici.",
    ],
    untrusted: [
        "Cette divulgation est intacte, mais tous ceux qui s’en portent garants ne sont pas reconnus ici.",
        "Rien n’y a été modifié depuis sa signature. À vous de décider s’il faut croire qui l’a signée ou horodatée.",
    ],
    other_original: [
        "Cette divulgation tient, mais un fichier fourni n’est aucun de ceux qu’elle montre.",
        "Rien n’a été modifié dans la divulgation. Elle ne dit rien de tout ce qui lui a été opposé.",
    ],
    existed: "La divulgation existait au plus tard le {}\u{a0}: {} en atteste.",
    no_items_fixed: "Elle ne montre aucun élément du certificat du dossier {}.",
    one_item_fixed: "Elle montre un élément du certificat du dossier {}. Il mène à la racine indiquée ci-dessous.",
    items_fixed: "Elle montre {} éléments du certificat du dossier {}. Chacun mène à la racine indiquée ci-dessous.",
    without_token: "Quand ont été reçus les fichiers sans horodatage propre ({} ici)\u{a0}: seules valent pour eux les heures du certificat et de la divulgation.",
    ..super::FRENCH
};

const ENGLISH_ANSWERS: AnswerWords = AnswerWords {
    time: "The disclosure: no later than {}, according to {}. The certificate and the files: see below.",
    ..answers::ENGLISH
};

const FRENCH_ANSWERS: AnswerWords = AnswerWords {
    time: "La divulgation\u{a0}: au plus tard le {}, selon {}. Le certificat et les fichiers\u{a0}: voir ci-dessous.",
    ..answers::FRENCH
};

const ENGLISH_GROUNDS: Grounds = Grounds {
    signed: Ground {
        why: "The digital signature covers the whole statement, and the file has the only form that such a statement may have.",
        how: "Take statement and signature out of disclosure.json as docs/verification.md shows, and run `openssl cms -verify` on them.",
    },
    existed: Ground {
        why: "The authority signed a number computed from the signature together with the time (RFC 3161). It could not have done so before the signature existed.",
        how: "Read the time stamp in the signature with `openssl cms -cmsout -print`.",
    },
    items_fixed: Ground {
        why: "Each item leads, digest by digest, to the root (a Merkle proof), and the signature covers items, digests and root.",
        how: "Follow the proofs of disclosure.json yourself (RFC 9162, section 2.1.3.2); docs/verification.md shows how a leaf is made.",
    },
    tokens_hold: Ground {
        why: "Each of these files has a token in which an authority signed the file's SHA-256 together with the time.",
        how: "Take the tokens out of disclosure.json (`jq -r .statement.tokens[]`, Base64) and check each with `openssl ts -verify`.",
    },
    originals_not_given: Ground {
        why: "A disclosure holds the digests of files. The files are next to it in its package.",
        how: "Give this check the package or the files, or run `sha256sum` on them.",
    },
    time_pending: Ground {
        why: "The disclosure contains no time stamp over its signature.",
        how: "Ask the owner for a new disclosure.",
    },
    ..grounds::ENGLISH
};

const FRENCH_GROUNDS: Grounds = Grounds {
    signed: Ground {
        why: "La signature numérique couvre toute la déclaration, et le fichier a la seule forme qu’une telle déclaration peut avoir.",
        how: "Extrayez la déclaration et la signature de disclosure.json comme le montre docs/verification.md, et soumettez-les à `openssl cms -verify`.",
    },
    existed: Ground {
        why: "L’autorité a signé, avec l’heure, un nombre calculé à partir de la signature (RFC 3161). Elle n’a pas pu le faire avant que la signature existe.",
        how: "Lisez l’horodatage de la signature avec `openssl cms -cmsout -print`.",
    },
    items_fixed: Ground {
        why: "Chaque élément mène, d’empreinte en empreinte, à la racine (preuve de Merkle), et la signature couvre éléments, empreintes et racine.",
        how: "Suivez vous-même les preuves de disclosure.json (RFC 9162, section 2.1.3.2)\u{a0}; docs/verification.md montre comment se fait une feuille.",
    },
    tokens_hold: Ground {
        why: "Pour chacun de ces fichiers, une autorité a signé son SHA-256 avec l’heure.",
        how: "Extrayez les jetons de disclosure.json (`jq -r .statement.tokens[]`, Base64) et vérifiez chacun avec `openssl ts -verify`.",
    },
    originals_not_given: Ground {
        why: "Une divulgation contient les empreintes des fichiers. Les fichiers l’accompagnent dans son paquet.",
        how: "Donnez aussi le paquet ou les fichiers à cette vérification, ou exécutez `sha256sum`.",
    },
    time_pending: Ground {
        why: "La divulgation ne contient pas d’horodatage de sa signature.",
        how: "Demandez une nouvelle divulgation au propriétaire.",
    },
    ..grounds::FRENCH
};

impl Language {
    pub(crate) const fn disclosure(self) -> &'static DisclosureWords {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::DISCLOSURE,
        }
    }

    /// The words for what the report is about.
    pub(crate) const fn words_for(self, report: &Report) -> &'static Words {
        match (self, report.disclosed.is_some()) {
            (Self::English, true) => &ENGLISH_WORDS,
            (Self::French, true) => &FRENCH_WORDS,
            (Self::German, true) => &german::DISCLOSURE_WORDS,
            (_, false) => self.words(),
        }
    }

    /// As [`words_for`](Self::words_for).
    pub(crate) const fn answers_for(self, report: &Report) -> &'static AnswerWords {
        match (self, report.disclosed.is_some()) {
            (Self::English, true) => &ENGLISH_ANSWERS,
            (Self::French, true) => &FRENCH_ANSWERS,
            (Self::German, true) => &german::DISCLOSURE_ANSWERS,
            (_, false) => self.answers(),
        }
    }

    /// As [`words_for`](Self::words_for).
    pub(crate) const fn grounds_for(self, report: &Report) -> &'static Grounds {
        match (self, report.disclosed.is_some()) {
            (Self::English, true) => &ENGLISH_GROUNDS,
            (Self::French, true) => &FRENCH_GROUNDS,
            (Self::German, true) => &german::DISCLOSURE_GROUNDS,
            (_, false) => self.grounds(),
        }
    }
}
