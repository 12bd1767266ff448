//! How many independent time-stamping authorities agree, in all languages. `{}` is replaced by a value, in order.

use super::{Ground, Language, german};

#[derive(Debug)]
pub(crate) struct AuthorityWords {
    pub(crate) agree: &'static str,
    pub(crate) ground: Ground,
}

const ENGLISH: AuthorityWords = AuthorityWords {
    agree: "{} independent time-stamping authorities agree that it existed: {}. No single one has to be trusted for the time.",
    ground: Ground {
        why: "Each of them, under a root of its own, signed a number computed from the file together with the time.",
        how: "Read the time stamps in a PDF reader, and check that their roots belong to different organizations.",
    },
};

const FRENCH: AuthorityWords = AuthorityWords {
    agree: "{} autorités d’horodatage indépendantes confirment qu’il existait\u{a0}: {}. Pour l’heure, il n’est pas nécessaire de se fier \
            à une seule.",
    ground: Ground {
        why: "Chacune d’elles, sous sa propre racine, a signé avec l’heure un nombre calculé à partir du fichier.",
        how: "Lisez les horodatages dans un lecteur PDF, et vérifiez que leurs racines sont celles d’organismes différents.",
    },
};

impl Language {
    pub(crate) const fn authorities(self) -> &'static AuthorityWords {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::AUTHORITIES,
        }
    }
}
