//! The words for the package of a case, in German. `{}` is replaced by a value, in order.

use crate::words::{Ground, package::PackageWords};

pub(in crate::words) const PACKAGE: PackageWords = PackageWords {
    other: [
        "Das Zertifikat in diesem Paket ist gültig, aber das Paket wurde verändert.",
        "Am Zertifikat wurde nichts verändert, aber im Paket wurden Dateien hinzugefügt, entfernt oder ersetzt, oder sein Zeitstempel gehört zu anderen Dateien.",
    ],
    together: "Dateien im Paket: {}. Sie waren spätestens am {} alle beisammen: {} bestätigt das.",
    logged: "Das Siegel steht im Siegelprotokoll {}: Eintrag {} von {}. Der Beweis liegt dem Paket bei.",
    deleted: "Was die Dateien dieser Einträge waren, die laut Paket gelöscht wurden: {}. Übrig ist nur ihr SHA-256-Wert im Zertifikat.",
    title: "Das Paket",
    files: "Dateien",
    files_ground: Ground {
        why: "Das Manifest des Pakets enthält den SHA-256-Wert jeder Datei. Alle wurden neu berechnet, und die Stelle hat den SHA-256-Wert des Manifests zusammen mit der Zeit signiert (RFC 3161).",
        how: "Entpacken Sie das Paket, vergleichen Sie META-INF/ASiCManifest.xml mit dem Ergebnis von `sha256sum`, und prüfen Sie META-INF/timestamp.tst mit `openssl ts -verify`.",
    },
    log_ground: Ground {
        why: "Die Hashwerte im Beweis führen von diesem Siegel zur Wurzel des Protokolls, die das Protokoll signiert hat.",
        how: "Entpacken Sie das Paket, und prüfen Sie proofs/log-of-seals.tlog-proof mit einem Programm für C2SP tlog-proof.",
    },
    deleted_ground: Ground {
        why: "Ein Text im Paket sagt es. Sonst beweist es nichts.",
        how: "Fragen Sie das Unternehmen, dem der Fall gehört, ob und warum es diese Dateien gelöscht hat.",
    },
};
