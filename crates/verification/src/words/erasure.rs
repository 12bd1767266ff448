//! The words for items that were erased after the sealing, in all languages. `{}` is replaced by a value, in order.

use sealwright_seal::manifest::ErasureGround;

use super::{Ground, Language, german};

#[derive(Debug)]
pub(crate) struct ErasureWords {
    /// Number of the item, of how many, when, by whom, why.
    pub(crate) erased: &'static str,
    pub(crate) same_root: &'static str,
    pub(crate) not_shown: &'static str,
    pub(crate) title: &'static str,
    pub(crate) item: &'static str,
    pub(crate) value: &'static str,
    pub(crate) commitment: &'static str,
    pub(crate) predecessor: &'static str,
    pub(crate) ground: Ground,
    pub(crate) root: Ground,
}

const ENGLISH: ErasureWords = ErasureWords {
    erased: "Item {} of {} was erased after the sealing, on {}, by {}: {}. Only its commitment is left.",
    same_root: "The items that are left lead, with the commitments of the erased ones, to the root that the signed list states. No other item was removed, added or replaced, unless the signer also states another root than before.",
    not_shown: "What the erased items were. That the certificate before had the same root: its signer states this, and anyone who has that certificate or a disclosure of it can compare.",
    title: "Erased after the sealing",
    item: "Item",
    value: "{} of {}, on {}, by {}: {}",
    commitment: "Commitment",
    predecessor: "SHA-256 of the seal manifest before",
    ground: Ground {
        why: "The signed list says so. The commitment is a digest made with a random number, so it does not reveal the item.",
        how: "Extract seal-manifest.json (`pdfdetach -saveall`) and read its member `erasure`.",
    },
    root: Ground {
        why: "The root was computed again from all items and commitments, and the signature covers it. The log of seals should name the list before and the list after; this was not looked up.",
        how: "Compare the root with that of an earlier copy of the certificate, or of a disclosure.",
    },
};

const FRENCH: ErasureWords = ErasureWords {
    erased: "L’élément {} sur {} a été effacé après le scellé, le {}, par {}\u{a0}: {}. Il n’en reste que l’engagement.",
    same_root: "Les éléments restants mènent, avec les engagements des éléments effacés, à la racine que la liste signée déclare. Aucun autre élément n’a été retiré, ajouté ou remplacé, à moins que le signataire ne déclare aussi une autre racine qu’avant.",
    not_shown: "Ce qu’étaient les éléments effacés. Que le certificat précédent avait la même racine\u{a0}: son signataire le déclare, et quiconque détient ce certificat ou une divulgation de celui-ci peut comparer.",
    title: "Effacés après le scellé",
    item: "Élément",
    value: "{} sur {}, le {}, par {}\u{a0}: {}",
    commitment: "Engagement",
    predecessor: "SHA-256 du manifeste de scellé précédent",
    ground: Ground {
        why: "La liste signée le dit. L’engagement est une empreinte faite avec un nombre aléatoire\u{a0}: il ne révèle pas l’élément.",
        how: "Extrayez seal-manifest.json (`pdfdetach -saveall`) et lisez son membre `erasure`.",
    },
    root: Ground {
        why: "La racine a été recalculée à partir de tous les éléments et engagements, et la signature la couvre. Le journal des scellés devrait nommer la liste d’avant et celle d’après\u{a0}; cela n’a pas été vérifié.",
        how: "Comparez la racine à celle d’une copie antérieure du certificat, ou d’une divulgation.",
    },
};

impl Language {
    pub(crate) const fn erasure(self) -> &'static ErasureWords {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::ERASURE,
        }
    }

    pub(crate) const fn erasure_ground(self, ground: ErasureGround) -> &'static str {
        match (self, ground) {
            (Self::English, ErasureGround::Request) => "a person whom it concerns asked for it",
            (Self::English, ErasureGround::LegalDuty) => "a law or a court requires it",
            (Self::English, ErasureGround::Mistake) => "it should not have been added",
            (Self::French, ErasureGround::Request) => "une personne concernée l’a demandé",
            (Self::French, ErasureGround::LegalDuty) => "une loi ou un tribunal l’exige",
            (Self::French, ErasureGround::Mistake) => "il n’aurait pas dû être ajouté",
            (Self::German, ErasureGround::Request) => "eine betroffene Person hat es verlangt",
            (Self::German, ErasureGround::LegalDuty) => "ein Gesetz oder ein Gericht verlangt es",
            (Self::German, ErasureGround::Mistake) => "er hätte nicht hinzugefügt werden dürfen",
        }
    }
}
