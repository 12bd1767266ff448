//! What is said of original files inside a certificate, in all languages. `{}` is replaced by a value, in order.

use super::{Ground, Language};

#[derive(Debug)]
pub(crate) struct EmbeddedWords {
    /// How many files, of how many.
    pub(crate) held: &'static str,
    pub(crate) ground: Ground,
    /// The label of the attachment's name.
    pub(crate) inside: &'static str,
}

const ENGLISH: EmbeddedWords = EmbeddedWords {
    held: "Original files inside the certificate: {} of {}. Each is the one that was sealed as its item.",
    ground: Ground {
        why: "The SHA-256 of each file was compared with the signed list. The signature covers the files, too.",
        how: "Extract the files (`pdfdetach -saveall`), run `sha256sum` on them, and compare the results with the numbers of the items.",
    },
    inside: "Inside the certificate",
};

const FRENCH: EmbeddedWords = EmbeddedWords {
    held: "Fichiers originaux contenus dans le certificat\u{a0}: {} sur {}. Chacun est celui qui a été scellé comme son élément.",
    ground: Ground {
        why: "Le SHA-256 de chaque fichier a été comparé à la liste signée. La signature couvre aussi ces fichiers.",
        how: "Extrayez les fichiers (`pdfdetach -saveall`), exécutez `sha256sum` sur chacun et comparez les résultats aux nombres des éléments.",
    },
    inside: "Dans le certificat",
};

const GERMAN: EmbeddedWords = EmbeddedWords {
    held: "Originaldateien im Zertifikat: {} von {}. Jede ist die, die als ihr Eintrag versiegelt wurde.",
    ground: Ground {
        why: "Der SHA-256-Wert jeder Datei wurde mit der signierten Liste verglichen. Die Signatur deckt auch die Dateien ab.",
        how: "Entnehmen Sie die Dateien (`pdfdetach -saveall`), führen Sie `sha256sum` mit ihnen aus, und vergleichen Sie die Ergebnisse mit den Zahlen der Einträge.",
    },
    inside: "Im Zertifikat enthalten",
};

impl Language {
    pub(crate) const fn embedded(self) -> &'static EmbeddedWords {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &GERMAN,
        }
    }
}
