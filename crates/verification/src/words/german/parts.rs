//! The words for signed disclosures and for items that were erased, in German. `{}` is replaced by a value, in order.

use super::{ANSWERS, GROUNDS, WORDS};
use crate::words::{
    Ground, Words, answers::AnswerWords, disclosure::DisclosureWords, erasure::ErasureWords, grounds::Grounds,
};

pub(in crate::words) const DISCLOSURE: DisclosureWords = DisclosureWords {
    source_existed: "Das Zertifikat, aus dem die Einträge stammen, bestand spätestens am {}: {} bestätigt das.",
    source_logged: "Dieses Zertifikat steht im Siegelprotokoll {}: Eintrag {} von {}.",
    withheld: "Irgendetwas über die Einträge des Zertifikats, die nicht gezeigt werden. Ihre Zahl hier: {}.",
    root_is_stated: "Dass das Zertifikat die gezeigten Einträge festlegt: Das gibt sein Unterzeichner an, und das Zertifikat selbst liegt hier nicht vor.",
    certificate: "Das Zertifikat, aus dem die Einträge stammen",
    disclosed_at: "Offengelegt",
    shown: "Gezeigte Einträge",
    count: "{} von {}",
    source: Ground {
        why: "Eine Stelle oder das Protokoll hat den SHA-256-Wert der Liste der Einträge des Zertifikats signiert. Welche Wurzel diese Liste hat, gibt der Unterzeichner dieser Offenlegung an.",
        how: "Bitten Sie den Besitzer um das ganze Zertifikat, und vergleichen Sie den SHA-256-Wert seines Siegelmanifests und seine Wurzel mit denen unten.",
    },
    others: Ground {
        why: "Von den anderen Einträgen sind hier nur Prüfsummen, jede mit einer Zufallszahl gebildet.",
        how: "Bitten Sie den Besitzer um das ganze Zertifikat.",
    },
};

pub(in crate::words) const DISCLOSURE_WORDS: Words = Words {
    valid: [
        "Diese Offenlegung ist gültig.",
        "Seit der Signatur wurde nichts daran verändert, und allen, die sie signiert oder mit einem Zeitstempel versehen haben, wird hier vertraut.",
    ],
    untrusted: [
        "Diese Offenlegung ist unversehrt, aber nicht allen, die dahinterstehen, wird hier vertraut.",
        "Seit der Signatur wurde nichts daran verändert. Ob Sie denen vertrauen, die sie signiert oder mit einem Zeitstempel versehen haben, \
         entscheiden Sie.",
    ],
    other_original: [
        "Diese Offenlegung ist gültig, aber eine angegebene Datei gehört nicht zu denen, die sie zeigt.",
        "An der Offenlegung wurde nichts verändert, aber eine angegebene Datei oder Offenlegung passt nicht dazu.",
    ],
    existed: "Die Offenlegung bestand spätestens am {}: {} bestätigt das.",
    no_items_fixed: "Sie zeigt keinen Eintrag aus dem Zertifikat des Falls {}.",
    one_item_fixed: "Sie zeigt einen Eintrag aus dem Zertifikat des Falls {}. Er führt zur unten genannten Wurzel.",
    items_fixed: "Sie zeigt {} Einträge aus dem Zertifikat des Falls {}. Jeder führt zur unten genannten Wurzel.",
    without_token: "Wann Dateien ohne eigenen Zeitstempel empfangen wurden (hier {}): Für sie gelten nur die Zeiten des Zertifikats und der Offenlegung.",
    ..WORDS
};

pub(in crate::words) const DISCLOSURE_ANSWERS: AnswerWords = AnswerWords {
    time: "Die Offenlegung: spätestens am {}, laut {}. Das Zertifikat und die Dateien: siehe unten.",
    ..ANSWERS
};

pub(in crate::words) const DISCLOSURE_GROUNDS: Grounds = Grounds {
    signed: Ground {
        why: "Die digitale Signatur deckt die ganze Erklärung ab, und die Datei hat die einzige Form, die eine solche Erklärung haben darf.",
        how: "Entnehmen Sie disclosure.json die Erklärung und die Signatur, wie docs/verification.md es zeigt, und prüfen Sie beide mit `openssl cms -verify`.",
    },
    existed: Ground {
        why: "Die Stelle hat eine Zahl, die aus der Signatur berechnet wird, zusammen mit der Zeit signiert (RFC 3161). Das konnte sie nicht, bevor es die Signatur gab.",
        how: "Sehen Sie sich den Zeitstempel in der Signatur mit `openssl cms -cmsout -print` an.",
    },
    items_fixed: Ground {
        why: "Jeder Eintrag führt, Prüfsumme um Prüfsumme, zur Wurzel (Merkle-Beweis), und die Signatur deckt Einträge, Prüfsummen und Wurzel ab.",
        how: "Rechnen Sie die Beweise in disclosure.json selbst nach (RFC 9162, Abschnitt 2.1.3.2); docs/verification.md zeigt, wie ein Blatt gebildet wird.",
    },
    tokens_hold: Ground {
        why: "Zu jeder dieser Dateien hat eine Stelle ihren SHA-256-Wert zusammen mit der Zeit signiert.",
        how: "Entnehmen Sie disclosure.json die Zeitstempel (`jq -r .statement.tokens[]`, Base64), und prüfen Sie jeden mit `openssl ts -verify`.",
    },
    originals_not_given: Ground {
        why: "Eine Offenlegung enthält die Prüfsummen von Dateien. Die Dateien liegen ihr in ihrem Paket bei.",
        how: "Geben Sie bei dieser Prüfung das Paket oder die Dateien an, oder führen Sie `sha256sum` mit ihnen aus.",
    },
    time_pending: Ground {
        why: "Die Offenlegung enthält keinen Zeitstempel über ihre Signatur.",
        how: "Bitten Sie den Besitzer um eine neue Offenlegung.",
    },
    ..GROUNDS
};

pub(in crate::words) const ERASURE: ErasureWords = ErasureWords {
    erased: "Eintrag {} von {} wurde nach der Versiegelung gelöscht, am {}, von {}: {}. Übrig ist nur seine Festlegung, ein Hashwert.",
    same_root: "Die verbliebenen Einträge führen zusammen mit den Festlegungen der gelöschten zu der Wurzel, die in der signierten Liste steht. Kein anderer Eintrag wurde entfernt, hinzugefügt oder ersetzt, es sei denn, der Unterzeichner gibt auch eine andere Wurzel an als zuvor.",
    not_shown: "Was die gelöschten Einträge waren. Dass das vorige Zertifikat dieselbe Wurzel hatte: Das gibt sein Unterzeichner an, und wer jenes Zertifikat oder eine Offenlegung daraus hat, kann vergleichen.",
    title: "Nach der Versiegelung gelöscht",
    item: "Eintrag",
    value: "{} von {}, am {}, von {}: {}",
    commitment: "Festlegung",
    predecessor: "SHA-256 des vorigen Siegelmanifests",
    ground: Ground {
        why: "Die signierte Liste sagt es. Die Festlegung ist ein Hashwert, der mit einer Zufallszahl gebildet wurde, also verrät sie den Eintrag nicht.",
        how: "Entnehmen Sie seal-manifest.json (`pdfdetach -saveall`), und lesen Sie darin den Teil `erasure`.",
    },
    root: Ground {
        why: "Die Wurzel wurde aus allen Einträgen und Festlegungen neu berechnet, und die Signatur deckt sie ab. Das Siegelprotokoll sollte die Liste davor und die danach nennen; hier wurde nicht nachgesehen.",
        how: "Vergleichen Sie die Wurzel mit der einer früheren Kopie des Zertifikats oder einer Offenlegung.",
    },
};
