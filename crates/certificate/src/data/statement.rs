//! What a certificate claims about itself, in each language. All languages claim the same.

use jiff::tz::TimeZone;
use sealwright_domain::{erasure::Ground, language::CertificateLanguage};

use super::Moment;

/// The sentences of the seal's statement. Each ends with a full stop, and a space follows it.
pub(super) struct SealSentences {
    pub(super) signed: &'static str,
    /// An authority's time stamp.
    pub(super) stamped: &'static str,
    /// A time stamp of the server's own development authority.
    pub(super) development_time: &'static str,
    pub(super) pending: &'static str,
    pub(super) development_signer: &'static str,
    pub(super) digests: &'static str,
}

/// The numbers in the statement of capture records.
pub(super) struct CaptureCounts {
    pub(super) recorded: usize,
    pub(super) files: usize,
    pub(super) sessions: usize,
    pub(super) retaken: usize,
    pub(super) deleted: usize,
    pub(super) missing: usize,
}

pub(super) const fn of_seal(language: CertificateLanguage) -> &'static SealSentences {
    match language {
        CertificateLanguage::En => &ENGLISH,
        CertificateLanguage::Fr => &FRENCH,
        CertificateLanguage::De => &GERMAN,
        CertificateLanguage::Es => &SPANISH,
    }
}

const ENGLISH: SealSentences = SealSentences {
    signed: "This document is signed electronically, and nothing but time stamps may be added to it.",
    stamped: "A time-stamping authority states when its content existed.",
    development_time: "Its time stamps are those of this server's own development authority: they repeat the server's clock.",
    pending: "Too few time-stamping authorities answered when this page was made: the time is pending, and until a time stamp \
              is appended to this file it is that of the issuing server's clock.",
    development_signer: "The signing key belongs to this server's own development authority, which no one outside trusts: \
                         the signature shows changes, not who issued this document.",
    digests: "The SHA-256 digests show whether an original file is the one that was received. Times of receipt are those of \
              the issuing server's clock.",
};

const FRENCH: SealSentences = SealSentences {
    signed: "Ce document est signé électroniquement, et rien ne peut y être ajouté sauf des horodatages.",
    stamped: "Une autorité d’horodatage atteste quand son contenu existait.",
    development_time: "Ses horodatages sont ceux de l’autorité de développement de ce serveur lui-même\u{a0}: ils répètent \
                       l’horloge du serveur.",
    pending: "Trop peu d’autorités d’horodatage ont répondu lors de la création de cette page\u{a0}: l’heure est en attente \
              et, tant qu’aucun horodatage n’est ajouté à ce fichier, elle est celle de l’horloge du serveur émetteur.",
    development_signer: "La clé de signature appartient à l’autorité de développement de ce serveur lui-même, à laquelle \
                         personne d’extérieur ne se fie\u{a0}: la signature révèle les modifications, non qui a émis ce \
                         document.",
    digests: "Les empreintes SHA-256 montrent si un fichier original est celui qui a été reçu. Les heures de réception sont \
              celles de l’horloge du serveur émetteur.",
};

const GERMAN: SealSentences = SealSentences {
    signed: "Dieses Dokument ist elektronisch signiert, und nichts außer Zeitstempeln darf ihm hinzugefügt werden.",
    stamped: "Eine Zeitstempelstelle bestätigt, wann sein Inhalt vorlag.",
    development_time: "Seine Zeitstempel stammen von der eigenen Entwicklungsstelle dieses Servers: Sie wiederholen die Uhr \
                       des Servers.",
    pending: "Zu wenige Zeitstempelstellen haben geantwortet, als diese Seite erstellt wurde: Die Zeit steht noch aus, und bis \
              ein Zeitstempel an diese Datei angefügt wird, ist sie die der Uhr des ausstellenden Servers.",
    development_signer: "Der Signaturschlüssel gehört zur eigenen Entwicklungsstelle dieses Servers, der außerhalb niemand \
                         vertraut: Die Signatur zeigt Änderungen, nicht aber, wer dieses Dokument ausgestellt hat.",
    digests: "Die SHA-256-Prüfsummen zeigen, ob eine Originaldatei diejenige ist, die empfangen wurde. Empfangszeiten sind \
              die der Uhr des ausstellenden Servers.",
};

const SPANISH: SealSentences = SealSentences {
    signed: "Este documento está firmado electrónicamente, y no se le puede añadir nada salvo sellos de tiempo.",
    stamped: "Una autoridad de sellado de tiempo declara cuándo existía su contenido.",
    development_time: "Sus sellos de tiempo son los de la autoridad de desarrollo de este mismo servidor: repiten el reloj \
                       del servidor.",
    pending: "Muy pocas autoridades de sellado de tiempo respondieron cuando se creó esta página: la hora está pendiente y, \
              hasta que se añada un sello de tiempo a este archivo, es la del reloj del servidor emisor.",
    development_signer: "La clave de firma pertenece a la autoridad de desarrollo de este mismo servidor, en la que nadie \
                         de fuera confía: la firma muestra los cambios, no quién emitió este documento.",
    digests: "Los resúmenes SHA-256 muestran si un archivo original es el que se recibió. Las horas de recepción son las \
              del reloj del servidor emisor.",
};

pub(super) fn of_captures(language: CertificateLanguage, counts: &CaptureCounts) -> String {
    let CaptureCounts { recorded, files, sessions, retaken, deleted, missing } = counts;
    match language {
        CertificateLanguage::En => format!(
            "Files with a capture record that a device signed: {recorded} of {files}, from unbroken sessions: {sessions}. \
             Discarded and taken again: {retaken}. Deleted before they were sent: {deleted}. Announced but never \
             received: {missing}. Records do not prove that a real camera was used, or that the program on the device was \
             not changed."
        ),
        CertificateLanguage::Fr => format!(
            "Fichiers avec un relevé de prise signé par un appareil\u{a0}: {recorded} sur {files}, de sessions sans \
             lacune\u{a0}: {sessions}. Écartés et repris\u{a0}: {retaken}. Supprimés avant l’envoi\u{a0}: {deleted}. \
             Annoncés mais jamais reçus\u{a0}: {missing}. Les relevés ne prouvent ni l’emploi d’un véritable appareil \
             photo, ni que le programme de l’appareil est intact."
        ),
        CertificateLanguage::De => format!(
            "Dateien mit einem Aufnahmeprotokoll, das ein Gerät signiert hat: {recorded} von {files}, aus lückenlosen \
             Sitzungen: {sessions}. Verworfen und neu aufgenommen: {retaken}. Vor dem Senden gelöscht: {deleted}. \
             Angekündigt, aber nie empfangen: {missing}. Protokolle beweisen nicht, dass eine echte Kamera benutzt wurde \
             oder dass das Programm auf dem Gerät unverändert war."
        ),
        CertificateLanguage::Es => format!(
            "Archivos con un registro de captura firmado por un dispositivo: {recorded} de {files}, de sesiones sin \
             lagunas: {sessions}. Descartados y tomados de nuevo: {retaken}. Eliminados antes del envío: {deleted}. \
             Anunciados pero nunca recibidos: {missing}. Los registros no prueban que se usara una cámara real ni que el \
             programa del dispositivo no se hubiera modificado."
        ),
    }
}

/// The sentence about an item that was erased.
pub(super) fn of_erasure(
    language: CertificateLanguage,
    number: u64,
    erased: Moment,
    by: &str,
    ground: Ground,
) -> String {
    let ground = of_ground(language, ground);
    let moment = erased.0.to_jiff().to_zoned(TimeZone::UTC);
    match language {
        CertificateLanguage::En => {
            let moment = erased.text();
            format!("Item number {number} was erased after the sealing, on {moment}, by {by}: {ground}.")
        }
        CertificateLanguage::Fr => {
            let moment = moment.strftime("%d/%m/%Y à %H:%M:%S UTC");
            format!(
                "L’élément nº\u{a0}{number} a été effacé après le scellement, le {moment}, par {by}\u{a0}: {ground}."
            )
        }
        CertificateLanguage::De => {
            let moment = moment.strftime("%d.%m.%Y um %H:%M:%S UTC");
            format!("Eintrag Nr.\u{a0}{number} wurde nach der Versiegelung gelöscht, am {moment}, von {by}: {ground}.")
        }
        CertificateLanguage::Es => {
            let moment = moment.strftime("%d/%m/%Y a las %H:%M:%S UTC");
            format!("El elemento n.º\u{a0}{number} se borró después del sellado, el {moment}, por {by}: {ground}.")
        }
    }
}

const fn of_ground(language: CertificateLanguage, ground: Ground) -> &'static str {
    match (language, ground) {
        (CertificateLanguage::En, Ground::Request) => "a person whom it concerns asked for it",
        (CertificateLanguage::En, Ground::LegalDuty) => "a law or a court requires it",
        (CertificateLanguage::En, Ground::Mistake) => "it should not have been added",
        (CertificateLanguage::Fr, Ground::Request) => "une personne concernée l’a demandé",
        (CertificateLanguage::Fr, Ground::LegalDuty) => "une loi ou un tribunal l’exige",
        (CertificateLanguage::Fr, Ground::Mistake) => "il n’aurait pas dû être ajouté",
        (CertificateLanguage::De, Ground::Request) => "eine betroffene Person hat es verlangt",
        (CertificateLanguage::De, Ground::LegalDuty) => "ein Gesetz oder ein Gericht verlangt es",
        (CertificateLanguage::De, Ground::Mistake) => "er hätte nicht hinzugefügt werden dürfen",
        (CertificateLanguage::Es, Ground::Request) => "una persona afectada lo pidió",
        (CertificateLanguage::Es, Ground::LegalDuty) => "una ley o un tribunal lo exige",
        (CertificateLanguage::Es, Ground::Mistake) => "no debería haberse añadido",
    }
}
