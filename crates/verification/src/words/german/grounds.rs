//! Why each sentence can be believed, and how to check it by other means, in German.

use crate::words::{Ground, grounds::Grounds};

pub(in crate::words) const GROUNDS: Grounds = Grounds {
    signed: Ground {
        why: "Die digitale Signatur deckt jedes Byte der Datei ab. Jedes Byte danach wurde mit der einzigen Form verglichen, die ein Zeitstempel haben darf.",
        how: "Öffnen Sie die Datei in einem PDF-Programm, das Signaturen prüft, oder prüfen Sie sie mit pyHanko oder pdfsig.",
    },
    signer: Ground {
        why: "Nur der Inhaber des privaten Schlüssels kann diese Signatur herstellen. Wer das ist, sagt die Zertifikatskette.",
        how: "Fragen Sie den Unterzeichner auf einem anderen Weg als dieser Datei nach dem SHA-256-Wert seines Zertifikats, und vergleichen Sie ihn. Holen Sie das Wurzelzertifikat bei der Stelle selbst.",
    },
    existed: Ground {
        why: "Die Stelle hat eine Zahl, die aus der Datei berechnet wird, zusammen mit der Zeit signiert (RFC 3161). Das konnte sie nicht, bevor es die Datei gab.",
        how: "Führen Sie `pyhanko sign adesverify` mit der Datei aus, oder sehen Sie sich den Zeitstempel in einem PDF-Programm an.",
    },
    items_fixed: Ground {
        why: "Die Liste der Einträge mit ihren SHA-256-Werten ist an die Datei angehängt, und die Signatur deckt sie ab.",
        how: "Entnehmen Sie seal-manifest.json (`pdfdetach -saveall`), und lesen Sie es.",
    },
    pages_agree: Ground {
        why: "Der sichtbare Text der Seiten wurde gelesen und mit der angehängten Liste verglichen.",
        how: "Vergleichen Sie selbst die Zahlen auf den Seiten mit denen in seal-manifest.json.",
    },
    tokens_hold: Ground {
        why: "Zu jeder dieser Dateien hat eine Stelle ihren SHA-256-Wert zusammen mit der Zeit signiert.",
        how: "Entnehmen Sie die Zeitstempel (`pdfdetach -saveall`), und prüfen Sie jeden mit `openssl ts -verify`.",
    },
    captures: Ground {
        why: "Das Gerät hat zu jeder Aufnahme ein Protokoll signiert, und jedes Protokoll enthält die Prüfsumme des vorigen.",
        how: "Die Protokolle sind in seal-manifest.json; docs/capture.md beschreibt ihre Form.",
    },
    is_original: Ground {
        why: "Der SHA-256-Wert der Datei ist in der signierten Liste. Niemand kann eine andere Datei mit demselben SHA-256-Wert herstellen.",
        how: "Führen Sie `sha256sum` mit der Datei aus, und vergleichen Sie das Ergebnis mit der Zahl, die beim Eintrag steht.",
    },
    is_disclosed: Ground {
        why: "Die Einträge führen, Prüfsumme um Prüfsumme, zur Wurzel in der signierten Liste (Merkle-Beweis).",
        how: "Führen Sie `sealwright verify CERT.pdf --disclosure DATEI` aus.",
    },
    evidence: Ground {
        why: "Der Hashwert der Datei führt, Hashwert um Hashwert, zu einer Wurzel, die eine Stelle zusammen mit der Zeit gestempelt hat (RFC 4998). Jeder spätere Zeitstempel deckt den vorigen ab.",
        how: "Prüfen Sie den Datensatz mit einem anderen Programm, das solche Datensätze liest, zum Beispiel DSS der EU, oder entnehmen Sie ihm die Zeitstempel mit `openssl asn1parse`, und prüfen Sie sie mit `openssl ts -verify`.",
    },
    changed: Ground {
        why: "Die Gründe sind unten aufgeführt.",
        how: "Holen Sie die Datei noch einmal dort, woher sie kam, und prüfen Sie diese. Auch ein PDF-Programm, das Signaturen prüft, meldet eine Veränderung.",
    },
    time_pending: Ground {
        why: "Die Datei enthält keinen Zeitstempel über ihre Signatur.",
        how: "Holen Sie eine spätere Kopie des Zertifikats: Der Zeitstempel wird hinzugefügt, sobald eine Stelle antwortet.",
    },
    development: Ground {
        why: "Das Wurzelzertifikat gehört zu einer Stelle, die die Installation für sich selbst eingerichtet hat.",
        how: "Lassen Sie sich das Wurzelzertifikat vom Betreiber auf einem anderen Weg als dieser Datei geben, und vergleichen Sie seinen SHA-256-Wert.",
    },
    revocation: Ground {
        why: "Die Datei enthält keine Auskunft des Ausstellers darüber.",
        how: "Fragen Sie den Aussteller, oder rufen Sie seine Liste widerrufener Zertifikate ab.",
    },
    renewal: Ground {
        why: "Auf einen Zeitstempel ist Verlass, solange seine Zertifikate gültig sind.",
        how: "Holen Sie eine spätere Kopie des Zertifikats, die einen neueren Zeitstempel hat.",
    },
    pages_not_compared: Ground {
        why: "Ein Programm muss den Text lesen und zuordnen können, und das kann es hier nicht.",
        how: "Vergleichen Sie selbst die Zahlen auf den Seiten mit denen in seal-manifest.json (`pdfdetach -saveall`).",
    },
    other_on_pages: Ground {
        why: "Der Text der Seiten wurde mit der angehängten Liste verglichen.",
        how: "Lesen Sie die Seiten, und vergleichen Sie sie mit seal-manifest.json.",
    },
    without_token: Ground {
        why: "Die angehängte Liste hat keinen Zeitstempel für sie.",
        how: "Auch kein anderes Programm kann eine frühere Zeit zeigen.",
    },
    originals_not_given: Ground {
        why: "Ein Zertifikat zeigt verkleinerte Bilder. Die Originale sind eigene Dateien.",
        how: "Geben Sie bei dieser Prüfung auch die Dateien an, oder führen Sie `sha256sum` mit ihnen aus.",
    },
    captures_limits: Ground {
        why: "Ein Server sieht nur, was ein Gerät sendet.",
        how: "Untersuchen Sie das Gerät, und lesen Sie, was die Datei des Fotos über ihre Herkunft sagt.",
    },
    not_the_truth: Ground {
        why: "Eine Signatur deckt Bytes ab. Sie kann nicht wissen, was vor der Kamera war.",
        how: "Sehen Sie sich die Einträge an, und fragen Sie die Menschen, die dabei waren.",
    },
    of_devices: Ground {
        why: "An einem Gerät lassen sich jede Zeit, jeder Name und jede Position einstellen.",
        how: "Vergleichen Sie die Angaben mit anderen Quellen, zum Beispiel mit dem Zeitstempel des Eintrags.",
    },
};
