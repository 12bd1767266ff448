//! The words for the package of a case, in all languages. `{}` is replaced by a value, in order.

use super::{Ground, Language, german};

#[derive(Debug)]
pub(crate) struct PackageWords {
    /// If only the package, not the certificate in it, was changed.
    pub(crate) other: [&'static str; 2],
    /// Number of files, when, by whom.
    pub(crate) together: &'static str,
    /// Name of the log, entry, of how many.
    pub(crate) logged: &'static str,
    /// References of items.
    pub(crate) deleted: &'static str,
    pub(crate) title: &'static str,
    pub(crate) files: &'static str,
    pub(crate) files_ground: Ground,
    pub(crate) log_ground: Ground,
    pub(crate) deleted_ground: Ground,
}

const ENGLISH: PackageWords = PackageWords {
    other: [
        "The certificate in this package is valid, but the package was changed.",
        "Nothing in the certificate was changed, but files were added to the package, removed from it or replaced, or its time stamp belongs to other files.",
    ],
    together: "Files in the package: {}. All of them were together no later than {}: {} confirms this.",
    logged: "The seal is in the log of seals {}: entry {} of {}. The proof is in the package.",
    deleted: "What the files of these items were, which were deleted according to the package: {}. Only their SHA-256 is left, in the certificate.",
    title: "The package",
    files: "Files",
    files_ground: Ground {
        why: "The manifest of the package has the SHA-256 of each file. All of them were computed again, and the authority signed the SHA-256 of the manifest together with the time (RFC 3161).",
        how: "Unpack the package, compare META-INF/ASiCManifest.xml with `sha256sum`, and check META-INF/timestamp.tst with `openssl ts -verify`.",
    },
    log_ground: Ground {
        why: "The hashes in the proof lead from this seal to the root of the log, which the log has signed.",
        how: "Unpack the package, and check proofs/log-of-seals.tlog-proof with a program for C2SP tlog-proof.",
    },
    deleted_ground: Ground {
        why: "A text in the package says so. Nothing else proves it.",
        how: "Ask the company that has the case whether and why it deleted these files.",
    },
};

const FRENCH: PackageWords = PackageWords {
    other: [
        "Le certificat de ce paquet tient, mais le paquet a été modifié.",
        "Rien n’a été modifié dans le certificat, mais des fichiers ont été ajoutés au paquet, en ont été retirés ou y ont été remplacés, ou son horodatage est celui d’autres fichiers.",
    ],
    together: "Fichiers du paquet\u{a0}: {}. Tous étaient réunis au plus tard le {}\u{a0}: {} en atteste.",
    logged: "Le scellé figure au journal des scellés {}\u{a0}: entrée {} sur {}. La preuve est dans le paquet.",
    deleted: "Ce qu’étaient les fichiers de ces éléments, supprimés selon le paquet\u{a0}: {}. Il n’en reste que le SHA-256, dans le certificat.",
    title: "Le paquet",
    files: "Fichiers",
    files_ground: Ground {
        why: "Le manifeste du paquet contient le SHA-256 de chaque fichier. Tous ont été recalculés, et l’autorité a signé le SHA-256 du manifeste avec l’heure (RFC 3161).",
        how: "Décompressez le paquet, comparez META-INF/ASiCManifest.xml au résultat de `sha256sum`, et vérifiez META-INF/timestamp.tst avec `openssl ts -verify`.",
    },
    log_ground: Ground {
        why: "Les empreintes de la preuve mènent de ce scellé à la racine du journal, que le journal a signée.",
        how: "Décompressez le paquet, et vérifiez proofs/log-of-seals.tlog-proof avec un programme pour C2SP tlog-proof.",
    },
    deleted_ground: Ground {
        why: "Un texte du paquet le dit. Rien d’autre ne le prouve.",
        how: "Demandez à la société qui détient le dossier si elle a supprimé ces fichiers, et pourquoi.",
    },
};

impl Language {
    pub(crate) const fn package(self) -> &'static PackageWords {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::PACKAGE,
        }
    }
}
