//! The words for independent authorities and for witnesses of the log, in German. `{}` is replaced by a value, in order.

use crate::words::{Ground, authorities::AuthorityWords, witnesses::WitnessWords};

pub(in crate::words) const AUTHORITIES: AuthorityWords = AuthorityWords {
    agree: "{} unabhängige Zeitstempelstellen bestätigen übereinstimmend, dass die Datei bestand: {}. Für die Zeit muss man keiner einzelnen \
            vertrauen.",
    ground: Ground {
        why: "Jede von ihnen hat, unter einem eigenen Wurzelzertifikat, eine Zahl, die aus der Datei berechnet wird, zusammen mit der Zeit signiert.",
        how: "Sehen Sie sich die Zeitstempel in einem PDF-Programm an, und prüfen Sie, ob ihre Wurzelzertifikate verschiedenen Organisationen gehören.",
    },
};

pub(in crate::words) const WITNESSES: WitnessWords = WitnessWords {
    seen: "Das Siegelprotokoll mit diesem Siegel haben {} der {} Zeugen gesehen, denen hier vertraut wird: {}. Der Betreiber kann ihnen kein \
           anderes Protokoll zeigen, und sie haben gesehen, dass es nur gewachsen ist.",
    seen_ground: Ground {
        why: "Jeder dieser Zeugen hat die Wurzel des Protokolls signiert, nachdem er geprüft hatte, dass dieses Protokoll mit dem beginnt, das er zuvor gesehen hatte.",
        how: "Holen Sie die Schlüssel der Zeugen bei deren Betreibern, und den neuesten Stand des Protokolls bei einem Zeugen oder einem Beobachter.",
    },
    unseen: "Dass allen dasselbe Siegelprotokoll gezeigt wird: Keiner der {} Zeugen, denen hier vertraut wird, hat es mit diesem Siegel gesehen.",
    unseen_ground: Ground {
        why: "Ohne einen Zeugen, dem vertraut wird, signiert nur der Betreiber das Protokoll, und er könnte zwei davon führen.",
        how: "Holen Sie eine spätere Kopie des Zertifikats, geben Sie die Schlüssel von Zeugen an, denen Sie vertrauen, oder fragen Sie einen Beobachter des Protokolls.",
    },
    witnesses: "Gesehen von",
    others: "{} weitere, denen hier nicht vertraut wird",
};
