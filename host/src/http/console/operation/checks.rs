//! What `sealwright doctor` checks, live; the certificates in use, and the space on the disks.

use maud::{Markup, html};

use crate::{
    app::{
        checks::{CertificateUse, Check, Disk, DiskSpace, DiskUse, EndingCertificate, LiveChecks, State},
        console::operation::OperationView,
    },
    clock::Timestamp,
    http::{console::layout, link::Language},
};

pub(super) fn sections(language: Language, view: &OperationView) -> Markup {
    let title = language.pick("Checks", "Contrôles");
    let Some(live) = &view.checks else {
        return html! {
            section #checks {
                h2 { (title) }
                p {
                    (language.pick(
                        "The checks are running. Load the page again in a moment.",
                        "Les contrôles sont en cours. Rechargez la page dans un instant.",
                    ))
                }
            }
        };
    };
    html! {
        section #checks {
            h2 { (title) }
            p.small {
                (language.pick("On the node that made this page, at ", "Sur le nœud qui a produit cette page, à "))
                (layout::moment(live.at)) "."
            }
            ul.rows { @for check in &live.checks { (result(language, check)) } }
        }
        (certificates(language, live, view.now))
        (disks(language, live))
    }
}

fn result(language: Language, check: &Check) -> Markup {
    html! {
        li {
            div {
                (outcome(language, check.state)) " "
                (part(language, check.part))
                br;
                span lang="en" { (check.finding) }
                @if let Some(remedy) = &check.remedy { br; span.small lang="en" { "→ " (remedy) } }
            }
        }
    }
}

/// What the checks are about, in French.
const PARTS: &[(&str, &str)] = &[
    ("addresses", "adresses"),
    ("backups", "sauvegardes"),
    ("blob store", "stockage des fichiers"),
    ("certificate template", "modèle de certificat"),
    ("confinement", "confinement"),
    ("data directory", "dossier des données"),
    ("database", "base de données"),
    ("jobs", "tâches"),
    ("log of seals", "journal des sceaux"),
    ("permissions", "droits d’accès"),
    ("plugins", "plugins"),
    ("seal", "sceau"),
    ("secret key", "clé secrète"),
    ("settings", "réglages"),
    ("signed codes", "codes signés"),
    ("space for files", "place pour les fichiers"),
    ("text recognition", "reconnaissance de texte"),
    ("time stamps", "horodatages"),
    ("witnesses", "témoins"),
];

/// The name of a part. One that is not known here stays in English.
fn part(language: Language, part: &str) -> Markup {
    let french = PARTS.iter().find(|(english, _)| *english == part).map(|(_, french)| *french);
    if let (Language::French, Some(french)) = (language, french) {
        html! { strong { (french) } }
    } else {
        html! { strong lang="en" { (part) } }
    }
}

fn outcome(language: Language, state: State) -> Markup {
    let (class, word) = match state {
        State::Good => ("level good", language.pick("OK", "OK")),
        State::Doubtful => ("level suspicious", language.pick("Warning", "Avertissement")),
        State::Broken => ("level critical", language.pick("Failed", "Échec")),
    };
    html! { span class=(class) { (word) } }
}

fn certificates(language: Language, live: &LiveChecks, now: Timestamp) -> Markup {
    html! {
        section #certificates {
            h2 { (language.pick("Certificates in use", "Certificats utilisés")) }
            ul.rows { @for certificate in &live.certificates { (ending(language, certificate, now)) } }
        }
    }
}

fn ending(language: Language, certificate: &EndingCertificate, now: Timestamp) -> Markup {
    let used_for = match &certificate.used_for {
        CertificateUse::Seal => language.pick("seal", "sceau"),
        CertificateUse::SealChain => {
            language.pick("issuer of the seal’s certificate", "émetteur du certificat du sceau")
        }
        CertificateUse::TimeStamps(_) => language.pick("time stamps of ", "horodatages de "),
    };
    let state = if certificate.end < now {
        State::Broken
    } else if certificate.ends_soon(now) {
        State::Doubtful
    } else {
        State::Good
    };
    html! {
        li {
            div {
                (outcome(language, state)) " "
                (used_for)
                @if let CertificateUse::TimeStamps(authority) = &certificate.used_for { (authority) }
                br;
                strong { (certificate.subject) }
                br;
                (language.pick("valid until ", "valable jusqu’au ")) (layout::moment(certificate.end))
            }
        }
    }
}

fn disks(language: Language, live: &LiveChecks) -> Markup {
    html! {
        section #disks {
            h2 { (language.pick("Disks of this node", "Disques de ce nœud")) }
            ul.rows { @for disk in &live.disks { (space(language, disk)) } }
        }
    }
}

fn space(language: Language, disk: &Disk) -> Markup {
    let used_for = match disk.used_for {
        DiskUse::Data => language.pick("data", "données"),
        DiskUse::Blobs => language.pick("blobs", "fichiers"),
    };
    let state = match &disk.space {
        Err(_) => State::Broken,
        Ok(space) if space.is_little() => State::Doubtful,
        Ok(_) => State::Good,
    };
    html! {
        li {
            div {
                (outcome(language, state)) " "
                strong { (used_for) } " " code { (disk.folder.display()) }
                br;
                @match &disk.space {
                    Ok(space) => (measured(language, *space)),
                    Err(error) => span.found lang="en" { (error) }
                }
            }
        }
    }
}

fn measured(language: Language, space: DiskSpace) -> Markup {
    let size = |bytes: u64| layout::size(i64::try_from(bytes).unwrap_or(i64::MAX));
    html! {
        data value=(space.free) { (size(space.free)) }
        (language.pick(" free of ", " libres sur "))
        data value=(space.total) { (size(space.total)) }
        " (" (space.free_percent()) " %)"
    }
}
