//! Why each sentence of an account can be believed, and how to check it by other means, in all languages.

use super::{Language, german};

/// The ground of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ground {
    pub(crate) why: &'static str,
    pub(crate) how: &'static str,
}

pub(crate) struct Grounds {
    pub(crate) signed: Ground,
    pub(crate) signer: Ground,
    pub(crate) existed: Ground,
    pub(crate) items_fixed: Ground,
    pub(crate) pages_agree: Ground,
    pub(crate) tokens_hold: Ground,
    pub(crate) captures: Ground,
    pub(crate) is_original: Ground,
    pub(crate) evidence: Ground,
    pub(crate) is_disclosed: Ground,
    pub(crate) changed: Ground,
    pub(crate) time_pending: Ground,
    pub(crate) development: Ground,
    pub(crate) revocation: Ground,
    pub(crate) renewal: Ground,
    pub(crate) pages_not_compared: Ground,
    pub(crate) other_on_pages: Ground,
    pub(crate) without_token: Ground,
    pub(crate) originals_not_given: Ground,
    pub(crate) captures_limits: Ground,
    pub(crate) not_the_truth: Ground,
    pub(crate) of_devices: Ground,
}

pub(super) const ENGLISH: Grounds = Grounds {
    signed: Ground {
        why: "The digital signature covers every byte of the file. Each byte after it was compared with the only form that a time stamp may have.",
        how: "Open the file in a PDF reader that checks signatures, or run pyHanko or pdfsig on it.",
    },
    signer: Ground {
        why: "Only the holder of the private key can make this signature. The chain of certificates says who that is.",
        how: "Ask the signer for the SHA-256 of its certificate, by another way than this file, and compare it. Get the root from the authority itself.",
    },
    existed: Ground {
        why: "The authority signed a number computed from the file together with the time (RFC 3161). It could not have done so before the file existed.",
        how: "Run `pyhanko sign adesverify` on the file, or read the time stamp in a PDF reader.",
    },
    items_fixed: Ground {
        why: "The list of items with their SHA-256 is attached to the file, and the signature covers it.",
        how: "Extract seal-manifest.json (`pdfdetach -saveall`) and read it.",
    },
    pages_agree: Ground {
        why: "The visible text of the pages was read and compared with the attached list.",
        how: "Compare the numbers on the pages with those in seal-manifest.json yourself.",
    },
    tokens_hold: Ground {
        why: "Each of these files has a token in which an authority signed the file's SHA-256 together with the time.",
        how: "Extract the tokens (`pdfdetach -saveall`) and check each with `openssl ts -verify`.",
    },
    captures: Ground {
        why: "The device signed a record of each capture, and each record contains the digest of the one before it.",
        how: "The records are in seal-manifest.json; docs/capture.md describes their form.",
    },
    is_original: Ground {
        why: "The SHA-256 of the file is in the signed list. No one can make another file with the same SHA-256.",
        how: "Run `sha256sum` on the file and compare the result with the number shown with the item.",
    },
    evidence: Ground {
        why: "The file's hash leads, hash by hash, to a root that an authority stamped together with the time (RFC 4998). Each later time stamp covers the one before it.",
        how: "Give the record to another program that reads evidence records, for example the EU's DSS, or extract its tokens with `openssl asn1parse` and check them with `openssl ts -verify`.",
    },
    is_disclosed: Ground {
        why: "The items lead, digest by digest, to the root in the signed list (a Merkle proof).",
        how: "Run `sealwright verify CERT.pdf --disclosure FILE`.",
    },
    changed: Ground {
        why: "The reasons are listed below.",
        how: "Get the file again from its source, and check that one. A PDF reader that checks signatures reports a change too.",
    },
    time_pending: Ground {
        why: "The file contains no time stamp over its signature.",
        how: "Get a later copy of the certificate: the time stamp is appended when an authority answers.",
    },
    development: Ground {
        why: "The root belongs to an authority that the installation made for itself.",
        how: "Ask the operator for the root, by another way than this file, and compare its SHA-256.",
    },
    revocation: Ground {
        why: "The file contains no statement of the issuer about it.",
        how: "Ask the issuer, or fetch its list of revoked certificates.",
    },
    renewal: Ground {
        why: "A time stamp can be relied on as long as its certificates are valid.",
        how: "Get a later copy of the certificate, which has a newer time stamp.",
    },
    pages_not_compared: Ground {
        why: "A program must be able to read and assign the text, and here it cannot.",
        how: "Compare the numbers on the pages with those in seal-manifest.json (`pdfdetach -saveall`) yourself.",
    },
    other_on_pages: Ground {
        why: "The text of the pages was compared with the attached list.",
        how: "Read the pages, and compare them with seal-manifest.json.",
    },
    without_token: Ground {
        why: "The attached list has no token for them.",
        how: "No other program can show an earlier time, either.",
    },
    originals_not_given: Ground {
        why: "A certificate shows reduced pictures. The originals are separate files.",
        how: "Give this check the files too, or run `sha256sum` on them.",
    },
    captures_limits: Ground {
        why: "A server sees only what a device sends.",
        how: "Look at the device, and at what the file of the photo says about its origin.",
    },
    not_the_truth: Ground {
        why: "A signature covers bytes. It cannot know what was in front of the camera.",
        how: "Look at the items, and ask the people who were there.",
    },
    of_devices: Ground {
        why: "A device can be set to any time, name and position.",
        how: "Compare them with other sources, for example the time stamp of the item.",
    },
};

pub(super) const FRENCH: Grounds = Grounds {
    signed: Ground {
        why: "La signature numérique couvre chaque octet du fichier. Chaque octet qui la suit a été comparé à la seule forme qu’un horodatage peut avoir.",
        how: "Ouvrez le fichier dans un lecteur PDF qui vérifie les signatures, ou soumettez-le à pyHanko ou à pdfsig.",
    },
    signer: Ground {
        why: "Seul le détenteur de la clé privée peut faire cette signature. La chaîne de certificats dit qui il est.",
        how: "Demandez au signataire le SHA-256 de son certificat, par une autre voie que ce fichier, et comparez. Obtenez la racine de l’autorité elle-même.",
    },
    existed: Ground {
        why: "L’autorité a signé, avec l’heure, un nombre calculé à partir du fichier (RFC 3161). Elle n’a pas pu le faire avant que le fichier existe.",
        how: "Exécutez `pyhanko sign adesverify` sur le fichier, ou lisez l’horodatage dans un lecteur PDF.",
    },
    items_fixed: Ground {
        why: "La liste des éléments et de leurs SHA-256 est jointe au fichier, et la signature la couvre.",
        how: "Extrayez seal-manifest.json (`pdfdetach -saveall`) et lisez-le.",
    },
    pages_agree: Ground {
        why: "Le texte visible des pages a été lu et comparé à la liste jointe.",
        how: "Comparez vous-même les nombres des pages à ceux de seal-manifest.json.",
    },
    tokens_hold: Ground {
        why: "Pour chacun de ces fichiers, une autorité a signé son SHA-256 avec l’heure.",
        how: "Extrayez les jetons (`pdfdetach -saveall`) et vérifiez chacun avec `openssl ts -verify`.",
    },
    captures: Ground {
        why: "L’appareil a signé un relevé de chaque prise, et chaque relevé contient l’empreinte du précédent.",
        how: "Les relevés sont dans seal-manifest.json\u{a0}; docs/capture.md décrit leur forme.",
    },
    is_original: Ground {
        why: "Le SHA-256 du fichier est dans la liste signée. Personne ne peut faire un autre fichier de même SHA-256.",
        how: "Exécutez `sha256sum` sur le fichier et comparez le résultat au nombre indiqué avec l’élément.",
    },
    evidence: Ground {
        why: "L’empreinte du fichier mène, de proche en proche, à une racine qu’une autorité a horodatée (RFC 4998). Chaque horodatage suivant couvre le précédent.",
        how: "Soumettez l’enregistrement à un autre programme qui lit ce format, par exemple DSS de l’Union européenne, ou extrayez ses jetons avec `openssl asn1parse` et vérifiez-les avec `openssl ts -verify`.",
    },
    is_disclosed: Ground {
        why: "Les éléments mènent, d’empreinte en empreinte, à la racine de la liste signée (preuve de Merkle).",
        how: "Exécutez `sealwright verify CERT.pdf --disclosure FICHIER`.",
    },
    changed: Ground {
        why: "Les raisons figurent ci-dessous.",
        how: "Obtenez de nouveau le fichier à sa source et vérifiez celui-là. Un lecteur PDF qui vérifie les signatures signale aussi une modification.",
    },
    time_pending: Ground {
        why: "Le fichier ne contient pas d’horodatage de sa signature.",
        how: "Obtenez une copie plus récente du certificat\u{a0}: l’horodatage est ajouté dès qu’une autorité répond.",
    },
    development: Ground {
        why: "La racine est celle d’une autorité que l’installation s’est faite elle-même.",
        how: "Demandez la racine à l’exploitant, par une autre voie que ce fichier, et comparez son SHA-256.",
    },
    revocation: Ground {
        why: "Le fichier ne contient pas de déclaration de l’émetteur à ce sujet.",
        how: "Demandez à l’émetteur, ou consultez sa liste des certificats révoqués.",
    },
    renewal: Ground {
        why: "On peut se fier à un horodatage tant que ses certificats sont valables.",
        how: "Obtenez une copie plus récente du certificat, qui porte un horodatage plus récent.",
    },
    pages_not_compared: Ground {
        why: "Il faut qu’un programme puisse lire et attribuer le texte, ce qui n’est pas le cas ici.",
        how: "Comparez vous-même les nombres des pages à ceux de seal-manifest.json (`pdfdetach -saveall`).",
    },
    other_on_pages: Ground {
        why: "Le texte des pages a été comparé à la liste jointe.",
        how: "Lisez les pages et comparez-les à seal-manifest.json.",
    },
    without_token: Ground {
        why: "La liste jointe n’a pas de jeton pour eux.",
        how: "Aucun autre programme ne peut montrer une heure antérieure.",
    },
    originals_not_given: Ground {
        why: "Un certificat montre des images réduites. Les originaux sont des fichiers à part.",
        how: "Donnez aussi ces fichiers à cette vérification, ou exécutez `sha256sum` sur eux.",
    },
    captures_limits: Ground {
        why: "Un serveur ne voit que ce qu’un appareil envoie.",
        how: "Examinez l’appareil, et ce que le fichier de la photo dit de son origine.",
    },
    not_the_truth: Ground {
        why: "Une signature couvre des octets. Elle ne sait pas ce qui était devant l’objectif.",
        how: "Regardez les éléments, et interrogez les personnes présentes.",
    },
    of_devices: Ground {
        why: "Un appareil peut être réglé sur n’importe quels heure, nom et position.",
        how: "Comparez-les à d’autres sources, par exemple l’horodatage de l’élément.",
    },
};

impl Language {
    pub(crate) const fn grounds(self) -> &'static Grounds {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::GROUNDS,
        }
    }
}
