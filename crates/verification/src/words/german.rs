//! The sentences of an account in German. `{}` is replaced by a value, in order.

mod grounds;
mod parts;
mod times;

pub(super) use self::{
    grounds::GROUNDS,
    parts::{DISCLOSURE, DISCLOSURE_ANSWERS, DISCLOSURE_GROUNDS, DISCLOSURE_WORDS, ERASURE},
    times::{AUTHORITIES, WITNESSES},
};
use super::{Words, answers::AnswerWords};

pub(super) const WORDS: Words = Words {
    valid: [
        "Dieses Zertifikat ist gültig.",
        "Seit der Signatur wurde nichts daran verändert, und allen, die es signiert oder mit einem Zeitstempel versehen haben, wird hier vertraut.",
    ],
    valid_development: "Seit der Signatur wurde nichts daran verändert. Signiert oder mit einem Zeitstempel versehen hat es eine Entwicklungsstelle, der \
                        nur diese Installation vertraut.",
    untrusted: [
        "Dieses Zertifikat ist unversehrt, aber nicht allen, die dahinterstehen, wird hier vertraut.",
        "Seit der Signatur wurde nichts daran verändert. Ob Sie denen vertrauen, die es signiert oder mit einem Zeitstempel versehen haben, \
         entscheiden Sie.",
    ],
    changed: [
        "Dies ist kein gültiges Zertifikat.",
        "Es wurde verändert, abgeschnitten oder aus Teilen zusammengesetzt, oder es stammt nicht von uns. Verlassen Sie sich nicht auf seinen Inhalt.",
    ],
    other_original: [
        "Dieses Zertifikat ist gültig, aber eine angegebene Datei gehört nicht zu den versiegelten.",
        "Am Zertifikat wurde nichts verändert, aber eine angegebene Datei oder Offenlegung passt nicht dazu.",
    ],
    other_evidence: [
        "Dieses Zertifikat ist gültig, aber ein angegebener Beweisdatensatz gehört nicht dazu.",
        "Am Zertifikat wurde nichts verändert, aber ein Beweisdatensatz betrifft eine andere Datei oder wurde selbst verändert.",
    ],
    contradictory: [
        "Dieses Zertifikat widerspricht sich.",
        "Seit der Signatur wurde nichts daran verändert, aber seine Seiten weichen von seinem Siegelmanifest ab, der maschinenlesbaren Liste \
         dessen, was versiegelt wurde. Auf beides ist kein Verlass.",
    ],
    colon: ":",
    signed_by: "Die Datei ist Byte für Byte das, was {} signiert hat.",
    signed_by_untrusted: "Die Datei ist Byte für Byte das, was der Inhaber des Zertifikats {} signiert hat. Dieses Zertifikat führt zu niemandem, \
                          dem hier vertraut wird.",
    existed: "Sie bestand spätestens am {}: {} bestätigt das.",
    no_items_fixed: "Sie gibt an, dass der Fall {} keine Einträge hat. Keiner kann unbemerkt hinzugefügt werden.",
    one_item_fixed: "Sie nennt einen Eintrag des Falls {}. Keiner kann unbemerkt hinzugefügt, entfernt oder ersetzt werden.",
    items_fixed: "Sie nennt {} Einträge des Falls {}. Keiner kann unbemerkt hinzugefügt, entfernt oder ersetzt werden.",
    tokens_hold: "Dateien mit eigenem Zeitstempel: {} von {}. Jede bestand spätestens zu der Zeit, die bei ihr steht.",
    captures: "Dateien mit einem Aufnahmeprotokoll des Geräts: {} von {}, aus lückenlosen Sitzungen: {}. Verworfen und neu aufgenommen: {}. Vor dem Senden gelöscht: {}. Angekündigt, aber nie empfangen: {}.",
    captures_not_ended: "Ob ein Gerät nach seinem letzten Protokoll noch etwas aufgenommen hat. Sitzungen, die nicht mit dem Abschluss des Falls enden: {} von {}.",
    captures_limits: "Dass die protokollierten Aufnahmen von einer echten Kamera stammen oder dass das Programm auf dem Gerät unverändert war. Aufnahmeprotokolle zeigen, was dieses Programm gemeldet hat, in welcher Reihenfolge, und dass dazwischen nichts fehlt.",
    is_original: "Die Datei {} ist die, die als {} versiegelt wurde.",
    is_disclosed: "Die Offenlegung {} zeigt Einträge dieses Zertifikats: {}.",
    evidence_continues: "Der Beweisdatensatz {} setzt die Zeitstempel der Datei fort: Er deckt die ganze Datei seit dem {} ab und muss vor \
                         dem {} erneuert werden.",
    evidence_apart: "Der Beweisdatensatz {} deckt die ganze Datei seit dem {} ab und muss vor dem {} erneuert werden. Er setzt die \
                     Zeitstempel in der Datei nicht fort.",
    pages_agree: "Die Seiten zeigen die Referenz, die Einträge und die Prüfsummen der maschinenlesbaren Liste, des Siegelmanifests.",
    pages_not_compared: "Dass die Seiten mit dem Siegelmanifest übereinstimmen, der maschinenlesbaren Liste. Sie wurden nicht verglichen: {}.",
    pages_unreadable: "Ein Programm kann ihren Text nicht lesen",
    pages_unseen: "Es ist nicht sicher, dass ihr ganzer Text sichtbar ist",
    pages_unpaired: "Es ist nicht klar, welche Prüfsumme zu welchem Eintrag gehört",
    other_digests: "Prüfsummen auf den Seiten, die nicht die von Einträgen sind: {}. Das Siegelmanifest enthält sie nicht.",
    unshown: "Dass die Seiten den Titel, den Namen des Unternehmens und den Titel jedes fehlenden Pflichtschritts genau so zeigen, wie sie im \
              Siegelmanifest stehen. Mindestens eines davon weicht ab oder fehlt.",
    time_pending: "Wann signiert wurde. Der Zeitstempel steht noch aus; bis er da ist, gibt es nur die eigene Uhr des Unterzeichners ({}).",
    development: "Wer signiert oder mit einem Zeitstempel versehen hat: Dafür bürgt nur eine Entwicklungsstelle der Installation, und für diese \
                  Stelle bürgt niemand von außen.",
    revocation: "Ob ein Zertifikat des Unterzeichners oder einer Zeitstempelstelle widerrufen war: Die Datei sagt es nicht, und niemand wurde \
                 gefragt.",
    renewal: "Dass die Gültigkeit seit dem {} fortbesteht: Damals sind die Zertifikate hinter dem neuesten Zeitstempel abgelaufen, und kein neuerer \
              Zeitstempel bestätigt ihn.",
    without_token: "Wann Dateien ohne eigenen Zeitstempel empfangen wurden (hier {}): Für sie gilt nur die Zeit des ganzen Zertifikats.",
    originals_not_given: "Dass eine Datei, die Sie haben, eine der versiegelten ist: Vergleichen Sie ihren SHA-256-Wert mit denen der Einträge, oder prüfen Sie sie zusammen mit diesem Zertifikat.",
    original_not_compared: "Dass {} eine der versiegelten Dateien ist: Sie wurde nicht verglichen, weil auf die Liste der Dateien in diesem Zertifikat kein Verlass ist.",
    not_the_truth: "Dass wahr ist, was die Einträge zeigen. Ein Zertifikat zeigt, dass sie unverändert sind, nicht, was vor einer Kamera geschehen ist.",
    of_devices: "Positionen, Gerätenamen und Uhren von Geräten: Das hat ein Gerät über sich selbst angegeben.",
    signature: "Signatur",
    signer: "Signiert von",
    issuer: "Ausgestellt von",
    certificate_sha256: "SHA-256 des Zertifikats",
    validity: "Gültig",
    algorithm: "Verfahren",
    leads_to: "Führt zu",
    no_one_trusted: "niemandem, dem hier vertraut wird",
    development_mark: "Entwicklungsstelle",
    level: "Stufe",
    revisions: "Revisionen der Datei",
    claimed_time: "Uhr des Unterzeichners",
    revoked: "Widerrufen",
    not_revoked: "nein, Stand {}",
    revoked_since: "ja, seit {}",
    revocation_unknown: "nicht bekannt",
    time_stamps: "Zeitstempel",
    on_signature: "Über die Signatur",
    on_document: "Über die ganze Datei bis Revision {}",
    time: "Zeit",
    accuracy: "auf {} ms genau",
    authority: "Zeitstempel von",
    log: "Im Siegelprotokoll",
    log_place: "{}, Eintrag {} von {}",
    case: "Der Fall",
    reference: "Referenz",
    title: "Titel",
    company: "Unternehmen",
    frame: "Formular",
    created: "Eröffnet",
    closed: "Abgeschlossen",
    missing: "Pflicht, aber fehlend",
    manifest_sha256: "SHA-256 des Siegelmanifests",
    root: "Merkle-Wurzel der Einträge",
    manifest_token: "Zeitstempel des Siegelmanifests",
    items: "Einträge",
    no_items: "Der Fall hat keine Einträge.",
    received: "Empfangen",
    value: "Eingegeben",
    file: "Datei",
    sha256: "SHA-256",
    own_time: "Zeitstempel",
    no_own_time: "kein eigener",
    untrusted_mark: "hier nicht vertraut",
    broken_mark: "ungültig",
    your_file: "Ihre Datei",
    evidence_record: "Beweisdatensatz {}",
    this_file: "Diese Datei",
    name: "Name",
    size: "Größe",
    checked_at: "Geprüft",
    until: "{} bis {}",
    bytes: "{} Bytes",
};

pub(super) const ANSWERS: AnswerWords = AnswerWords {
    unchanged: "Unverändert?",
    by_whom: "Von wem?",
    since_when: "Seit wann?",
    is_unchanged: "Ja. Jedes Byte ist so, wie es signiert wurde.",
    contradicts_itself: "Jedes Byte ist so, wie es signiert wurde, aber die Seiten und die maschinenlesbare Liste widersprechen einander.",
    is_changed: "Nein, oder es war nie eines unserer Zertifikate.",
    not_answered: "Nicht beantwortet: Auf den Inhalt dieser Datei ist kein Verlass.",
    signer: "{}. Für den Namen bürgt eine Stelle, der hier vertraut wird: {}.",
    development_signer: "{}. Für den Namen bürgt aber nur {}, eine Entwicklungsstelle der Installation.",
    untrusted_signer: "Jemand, der das Zertifikat von {} besitzt. Niemand, dem hier vertraut wird, bürgt für den Namen.",
    time: "Spätestens am {}, laut {}.",
    development_time: "Spätestens am {}, aber nur laut {}. Dafür bürgt eine Entwicklungsstelle der Installation.",
    untrusted_time: "Hier nicht bewiesen: {} ist die Angabe einer Stelle, der hier nicht vertraut wird.",
    claimed_time: "Nicht bewiesen: Es gibt nur die eigene Uhr des Unterzeichners ({}).",
};
