//! Every sentence of an account, in all languages. `{}` is replaced by a value, in order.

mod answers;
mod authorities;
mod disclosure;
mod embedded;
mod erasure;
mod german;
mod grounds;
mod package;
mod reasons;
#[cfg(test)]
mod tests;
mod witnesses;

use serde::{Deserialize, Serialize};

pub(crate) use self::grounds::Ground;

/// The language of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "fr")]
    French,
    #[serde(rename = "de")]
    German,
}

#[derive(Debug)]
pub(super) struct Words {
    pub(super) valid: [&'static str; 2],
    pub(super) valid_development: &'static str,
    pub(super) untrusted: [&'static str; 2],
    pub(super) changed: [&'static str; 2],
    pub(super) other_original: [&'static str; 2],
    pub(super) contradictory: [&'static str; 2],
    pub(super) other_evidence: [&'static str; 2],
    /// After the subject of a reason.
    pub(super) colon: &'static str,
    pub(super) signed_by: &'static str,
    pub(super) signed_by_untrusted: &'static str,
    pub(super) existed: &'static str,
    pub(super) no_items_fixed: &'static str,
    pub(super) one_item_fixed: &'static str,
    pub(super) items_fixed: &'static str,
    pub(super) tokens_hold: &'static str,
    pub(super) captures: &'static str,
    pub(super) captures_not_ended: &'static str,
    pub(super) captures_limits: &'static str,
    pub(super) is_original: &'static str,
    pub(super) is_disclosed: &'static str,
    pub(super) evidence_continues: &'static str,
    pub(super) evidence_apart: &'static str,
    pub(super) evidence_record: &'static str,
    pub(super) pages_agree: &'static str,
    pub(super) pages_not_compared: &'static str,
    pub(super) pages_unreadable: &'static str,
    pub(super) pages_unseen: &'static str,
    pub(super) pages_unpaired: &'static str,
    pub(super) other_digests: &'static str,
    pub(super) unshown: &'static str,
    pub(super) time_pending: &'static str,
    pub(super) development: &'static str,
    pub(super) revocation: &'static str,
    pub(super) renewal: &'static str,
    pub(super) without_token: &'static str,
    pub(super) originals_not_given: &'static str,
    pub(super) original_not_compared: &'static str,
    pub(super) not_the_truth: &'static str,
    pub(super) of_devices: &'static str,
    pub(super) signature: &'static str,
    pub(super) signer: &'static str,
    pub(super) issuer: &'static str,
    pub(super) certificate_sha256: &'static str,
    pub(super) validity: &'static str,
    pub(super) algorithm: &'static str,
    pub(super) leads_to: &'static str,
    pub(super) no_one_trusted: &'static str,
    pub(super) development_mark: &'static str,
    pub(super) level: &'static str,
    pub(super) revisions: &'static str,
    pub(super) claimed_time: &'static str,
    pub(super) revoked: &'static str,
    pub(super) not_revoked: &'static str,
    pub(super) revoked_since: &'static str,
    pub(super) revocation_unknown: &'static str,
    pub(super) time_stamps: &'static str,
    pub(super) on_signature: &'static str,
    pub(super) on_document: &'static str,
    pub(super) time: &'static str,
    pub(super) accuracy: &'static str,
    pub(super) authority: &'static str,
    pub(super) log: &'static str,
    pub(super) log_place: &'static str,
    pub(super) case: &'static str,
    pub(super) reference: &'static str,
    pub(super) title: &'static str,
    pub(super) company: &'static str,
    pub(super) frame: &'static str,
    pub(super) created: &'static str,
    pub(super) closed: &'static str,
    pub(super) missing: &'static str,
    pub(super) manifest_sha256: &'static str,
    pub(super) root: &'static str,
    pub(super) manifest_token: &'static str,
    pub(super) items: &'static str,
    pub(super) no_items: &'static str,
    pub(super) received: &'static str,
    pub(super) value: &'static str,
    pub(super) file: &'static str,
    pub(super) sha256: &'static str,
    pub(super) own_time: &'static str,
    pub(super) no_own_time: &'static str,
    pub(super) untrusted_mark: &'static str,
    pub(super) broken_mark: &'static str,
    pub(super) your_file: &'static str,
    pub(super) this_file: &'static str,
    pub(super) name: &'static str,
    pub(super) size: &'static str,
    pub(super) checked_at: &'static str,
    pub(super) until: &'static str,
    pub(super) bytes: &'static str,
}

const ENGLISH: Words = Words {
    valid: [
        "This certificate is valid.",
        "Nothing in it was changed since it was signed, and everyone who signed or stamped it is trusted here.",
    ],
    valid_development: "Nothing in it was changed since it was signed. It was signed or stamped by a development authority, which only this \
                        installation trusts.",
    untrusted: [
        "This certificate is intact, but not everyone behind it is trusted here.",
        "Nothing in it was changed since it was signed. It is up to you whether to trust those who signed or stamped it.",
    ],
    changed: [
        "This is not a valid certificate.",
        "It was changed, truncated, assembled from parts, or is not one of ours. Do not rely on what it says.",
    ],
    other_original: [
        "This certificate is valid, but a given file is not one of those that were sealed.",
        "Nothing in the certificate was changed, but a given file or disclosure does not match it.",
    ],
    contradictory: [
        "This certificate contradicts itself.",
        "Nothing in it was changed since it was signed, but its pages differ from its seal manifest, the \
         machine-readable list of what was sealed. Neither can be relied on.",
    ],
    other_evidence: [
        "This certificate is valid, but a given evidence record is not its own.",
        "Nothing in the certificate was changed, but an evidence record is about another file, or was changed itself.",
    ],
    colon: ":",
    signed_by: "The file is, byte for byte, what {} signed.",
    signed_by_untrusted: "The file is, byte for byte, what the holder of the certificate {} signed. That certificate does not lead to anyone \
                          who is trusted here.",
    existed: "It existed no later than {}: {} confirms this.",
    no_items_fixed: "It states that the case {} has no items. None can be added unnoticed.",
    one_item_fixed: "It names one item of the case {}. None can be added, removed or replaced unnoticed.",
    items_fixed: "It names {} items of the case {}. None can be added, removed or replaced unnoticed.",
    tokens_hold: "Files with their own time stamp: {} of {}. Each existed no later than the time shown next to it.",
    captures: "Files with a capture record of the device: {} of {}, from unbroken sessions: {}. Discarded and taken again: {}. Deleted before they were sent: {}. Announced but never received: {}.",
    captures_not_ended: "Whether a device captured anything after its last record. Sessions that do not end with the closing of the case: {} of {}.",
    captures_limits: "That a real camera took the recorded captures, or that the program on the device was not changed. Capture records show what that program reported, in which order, and that nothing is missing in between.",
    is_original: "The file {} is the one that was sealed as {}.",
    is_disclosed: "The disclosure {} shows items of this certificate: {}.",
    evidence_continues: "The evidence record {} extends its time stamps: it covers the whole file since {}, and has to be \
                         renewed before {}.",
    evidence_apart: "The evidence record {} covers the whole file since {}, and has to be renewed before {}. It does not extend \
                     the time stamps in the file.",
    evidence_record: "Evidence record {}",
    pages_agree: "Its pages show the reference, the items and the digests in its machine-readable list, the seal manifest.",
    pages_not_compared: "That its pages agree with its seal manifest, the machine-readable list. They were not \
                         compared: {}.",
    pages_unreadable: "their text cannot be read by a program",
    pages_unseen: "it is not certain that all of their text is visible",
    pages_unpaired: "it is not clear which digest belongs to which item",
    other_digests: "Digests on its pages other than those of its items: {}. The seal manifest does not contain them.",
    unshown: "That its pages show the title, the company’s name and the title of each missing mandatory step exactly as in \
              the seal manifest. At least one of these differs or is absent.",
    time_pending: "When it was signed. Its time stamp is pending; until it arrives, there is only the signer's own clock ({}).",
    development: "Who signed or stamped it: only a development authority of the installation vouches for that, and no one outside vouches \
                  for that authority.",
    revocation: "Whether a certificate of the signer or of a time-stamping authority had been revoked: the file does not say, and no one was \
                 asked.",
    renewal: "That it has stayed valid since {}: the certificates behind its newest time stamp expired then, and no newer time stamp confirms it.",
    without_token: "When files without their own time stamp were received ({} here): only the time of the whole certificate applies to them.",
    originals_not_given: "That a file you have is one of the sealed ones: compare its SHA-256 with those of the items, or check it together with this certificate.",
    original_not_compared: "That {} is one of the sealed files: it was not compared, because the list of them in this certificate cannot be relied on.",
    not_the_truth: "That what the items show is true. A certificate shows that they are unchanged, not what happened in front of a camera.",
    of_devices: "Positions, device names and device clocks: these are what a device reported about itself.",
    signature: "Signature",
    signer: "Signed by",
    issuer: "Issued by",
    certificate_sha256: "SHA-256 of the certificate",
    validity: "Valid",
    algorithm: "Made with",
    leads_to: "Leads to",
    no_one_trusted: "no one who is trusted here",
    development_mark: "development authority",
    level: "Level",
    revisions: "Revisions of the file",
    claimed_time: "The signer's clock",
    revoked: "Revoked",
    not_revoked: "no, as of {}",
    revoked_since: "yes, since {}",
    revocation_unknown: "not known",
    time_stamps: "Time stamps",
    on_signature: "On the signature",
    on_document: "On the whole file up to revision {}",
    time: "Time",
    accuracy: "to {} ms",
    authority: "Stamped by",
    log: "In the log of seals",
    log_place: "{}, entry {} of {}",
    case: "The case",
    reference: "Reference",
    title: "Title",
    company: "Company",
    frame: "Frame",
    created: "Created",
    closed: "Closed",
    missing: "Mandatory but missing",
    manifest_sha256: "SHA-256 of the seal manifest",
    root: "Merkle root of the items",
    manifest_token: "Time stamp of the seal manifest",
    items: "Items",
    no_items: "The case has no items.",
    received: "Received",
    value: "Entered",
    file: "File",
    sha256: "SHA-256",
    own_time: "Time stamp",
    no_own_time: "none of its own",
    untrusted_mark: "not trusted here",
    broken_mark: "not valid",
    your_file: "Your file",
    this_file: "This file",
    name: "Name",
    size: "Size",
    checked_at: "Checked",
    until: "{} to {}",
    bytes: "{} bytes",
};

const FRENCH: Words = Words {
    valid: [
        "Ce certificat est valide.",
        "Rien n’y a été modifié depuis sa signature, et tous ceux qui l’ont signé ou horodaté sont reconnus ici.",
    ],
    valid_development: "Rien n’y a été modifié depuis sa signature. Il a été signé ou horodaté par une autorité de développement, que seule cette \
                        installation reconnaît.",
    untrusted: [
        "Ce certificat est intact, mais tous ceux qui s’en portent garants ne sont pas reconnus ici.",
        "Rien n’y a été modifié depuis sa signature. À vous de décider s’il faut croire qui l’a signé ou horodaté.",
    ],
    changed: [
        "Ceci n’est pas un certificat valide.",
        "Il a été modifié, tronqué, assemblé de plusieurs parties, ou n’est pas des nôtres. Ce qu’il dit n’a aucune valeur.",
    ],
    other_original: [
        "Ce certificat tient, mais un fichier fourni n’est aucun de ceux qui ont été scellés.",
        "Rien n’a été modifié dans le certificat. Il ne dit rien de tout ce qui lui a été opposé.",
    ],
    contradictory: [
        "Ce certificat se contredit.",
        "Rien n’y a été modifié depuis sa signature, mais ses pages ne montrent pas ce que dit son manifeste de scellé, la liste destinée aux \
         machines. On ne peut se fier ni à l’un ni à l’autre.",
    ],
    other_evidence: [
        "Ce certificat tient, mais un enregistrement de preuve fourni n’est pas le sien.",
        "Rien n’a été modifié dans le certificat, mais un enregistrement de preuve concerne un autre fichier ou a été modifié.",
    ],
    colon: "\u{a0}:",
    signed_by: "Le fichier est, octet pour octet, ce que {} a signé.",
    signed_by_untrusted: "Le fichier est, octet pour octet, ce que le détenteur du certificat {} a signé. Ce certificat ne mène à personne qui \
                          soit reconnu ici.",
    existed: "Il existait au plus tard le {}\u{a0}: {} en atteste.",
    no_items_fixed: "Il dit que le dossier {} n’a aucun élément. Aucun ne peut être ajouté sans que cela se voie.",
    one_item_fixed: "Il énumère un élément du dossier {}. Aucun ne peut être ajouté, retiré ou remplacé sans que cela se voie.",
    items_fixed: "Il énumère {} éléments du dossier {}. Aucun ne peut être ajouté, retiré ou remplacé sans que cela se voie.",
    tokens_hold: "Fichiers qui ont leur propre horodatage\u{a0}: {} sur {}. Chacun existait au plus tard au moment indiqué.",
    captures: "Fichiers avec un relevé de prise de l’appareil\u{a0}: {} sur {}, de sessions ininterrompues\u{a0}: {}. Écartés et repris\u{a0}: {}. Supprimés avant l’envoi\u{a0}: {}. Annoncés mais jamais reçus\u{a0}: {}.",
    captures_not_ended: "Si un appareil a pris autre chose après son dernier relevé\u{a0}: sessions qui ne finissent pas par la clôture\u{a0}: {} sur {}.",
    captures_limits: "Qu’un véritable appareil photo a fait ces prises, ou que le programme de l’appareil n’a pas été modifié. Les relevés montrent ce que ce programme a rapporté, dans quel ordre, et que rien ne manque entre eux.",
    is_original: "Le fichier {} est bien celui qui a été scellé comme {}.",
    is_disclosed: "La divulgation {} montre des éléments de ce certificat\u{a0}: {}.",
    evidence_continues: "L’enregistrement de preuve {} prolonge ses horodatages\u{a0}: il couvre tout le fichier depuis le {} et doit être \
                         renouvelé avant le {}.",
    evidence_apart: "L’enregistrement de preuve {} couvre tout le fichier depuis le {} et doit être renouvelé avant le {}. Il ne \
                     prolonge pas les horodatages du fichier.",
    evidence_record: "Enregistrement de preuve {}",
    pages_agree: "Ses pages montrent la référence, les éléments et les empreintes qui figurent dans sa liste destinée aux machines, le manifeste \
                  de scellé.",
    pages_not_compared: "Que ses pages montrent ce que dit sa liste destinée aux machines, le manifeste de scellé. Elles n’ont pas été comparées\u{a0}: \
                         {}.",
    pages_unreadable: "un programme ne peut en lire le texte",
    pages_unseen: "il n’est pas sûr que tout en soit visible",
    pages_unpaired: "on ne peut dire quelle empreinte appartient à quel élément",
    other_digests: "Des empreintes que montrent ses pages en plus de celles de ses éléments\u{a0}: {}. Le manifeste de scellé les ignore.",
    unshown: "Le titre, le nom de la société ou une étape manquante que nomme le manifeste de scellé\u{a0}: ses pages ne les montrent pas tous en ces \
              termes.",
    time_pending: "Quand il a été signé. Son horodatage est en attente\u{a0}; jusque-là, seule l’horloge du signataire le dit ({}).",
    development: "Qui l’a signé ou horodaté, pour un tiers\u{a0}: une autorité de développement de l’installation s’en porte garante, et personne \
                  ne se porte garant de celle-ci.",
    revocation: "Si un certificat du signataire ou d’une autorité d’horodatage avait été révoqué\u{a0}: le fichier ne le dit pas, et personne n’a \
                 été interrogé.",
    renewal: "Qu’il a tenu sans interruption depuis le {}\u{a0}: les certificats de son dernier horodatage ont pris fin ce jour-là, et aucun plus \
              récent ne le confirme.",
    without_token: "Quand sont arrivés les fichiers sans horodatage propre ({} ici)\u{a0}: seul celui de l’ensemble vaut pour eux.",
    originals_not_given: "Qu’un fichier que vous détenez est l’un de ceux scellés\u{a0}: comparez son SHA-256 à ceux des éléments, ou faites-le comparer.",
    original_not_compared: "Que {} est l’un des fichiers scellés\u{a0}: il n’a pas été comparé, car la liste de ceux-ci dans ce certificat ne vaut rien.",
    not_the_truth: "Que ce que montrent les éléments est vrai. Un certificat montre qu’ils sont inchangés, non ce qui s’est passé devant un objectif.",
    of_devices: "Positions, noms et horloges des appareils\u{a0}: c’est ce qu’un appareil a dit de lui-même.",
    signature: "Signature",
    signer: "Signé par",
    issuer: "Délivré par",
    certificate_sha256: "SHA-256 du certificat",
    validity: "Validité",
    algorithm: "Procédé",
    leads_to: "Mène à",
    no_one_trusted: "personne qui soit reconnu ici",
    development_mark: "autorité de développement",
    level: "Niveau",
    revisions: "Révisions du fichier",
    claimed_time: "Horloge du signataire",
    revoked: "Révoqué",
    not_revoked: "non, au {}",
    revoked_since: "oui, depuis le {}",
    revocation_unknown: "inconnu",
    time_stamps: "Horodatages",
    on_signature: "Sur la signature",
    on_document: "Sur le fichier entier jusqu’à la révision {}",
    time: "Moment",
    accuracy: "à {} ms près",
    authority: "Horodaté par",
    log: "Au journal des scellés",
    log_place: "{}, entrée {} sur {}",
    case: "Le dossier",
    reference: "Référence",
    title: "Titre",
    company: "Société",
    frame: "Modèle",
    created: "Créé",
    closed: "Clos",
    missing: "Obligatoire et manquant",
    manifest_sha256: "SHA-256 du manifeste de scellé",
    root: "Racine de Merkle des éléments",
    manifest_token: "Horodatage du manifeste de scellé",
    items: "Éléments",
    no_items: "Le dossier n’a aucun élément.",
    received: "Reçu",
    value: "Saisi",
    file: "Fichier",
    sha256: "SHA-256",
    own_time: "Horodatage",
    no_own_time: "aucun qui lui soit propre",
    untrusted_mark: "non reconnu ici",
    broken_mark: "ne tient pas",
    your_file: "Votre fichier",
    this_file: "Ce fichier",
    name: "Nom",
    size: "Taille",
    checked_at: "Vérifié",
    until: "du {} au {}",
    bytes: "{} octets",
};

impl Language {
    pub(super) const fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
            Self::German => &german::WORDS,
        }
    }
}

/// Replaces each `{}` with a value, in order.
pub(super) fn fill(sentence: &str, values: &[&str]) -> String {
    let mut parts = sentence.split("{}");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for (position, part) in parts.enumerate() {
        filled.push_str(values.get(position).copied().unwrap_or_default());
        filled.push_str(part);
    }
    filled
}
