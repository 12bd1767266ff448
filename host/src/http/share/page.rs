//! The page that shows what a shared certificate proves. It shows the same account that `sealwright verify` prints, and
//! can be printed.

use maud::{Markup, html};

use crate::{
    app::verification::{Account, Entry, Fact, Group, Language, Mark},
    http::html::Page,
};

/// The addresses are whole, so that they can be used from paper.
pub(super) fn of_account(account: &Account, reference: &str, certificate_url: &str, checker_url: &str) -> Page {
    let own = words(account.language);
    let Account { headline, explanation, reasons, proven, open, groups, mark, .. } = account;
    let main = html! {
        p.from { (own.of_certificate) " " bdi { (reference) } }
        section.verdict.(class(*mark)) aria-labelledby="answer" {
            h1 #answer { (headline) }
            p { (explanation) }
        }
        (sentences(own.against, reasons))
        (sentences(own.proven, proven))
        (sentences(own.open, open))
        @for group in groups { (of_group(group)) }
        h2 { (own.elsewhere) }
        p { (with_code(own.elsewhere_text)) }
        p { a href=(checker_url) { (own.in_browser) } }
        p { a href=(certificate_url) { (own.download) } }
    };
    Page { title: format!("{headline} – {reference}"), main }
}

/// For an unknown token.
pub(super) fn of_unknown(language: Language) -> Page {
    let own = words(language);
    plain(own.unknown, own.unknown_text)
}

/// For a certificate that is still being made, or could not be made yet.
pub(super) fn of_not_ready(language: Language) -> Page {
    let own = words(language);
    plain(own.not_ready, own.not_ready_text)
}

fn plain(heading: &str, text: &str) -> Page {
    Page { title: heading.to_owned(), main: html! { h1 { (heading) } p { (text) } } }
}

/// A text with a command between backquotes.
fn with_code(text: &str) -> Markup {
    html! {
        @for (position, part) in text.split('`').enumerate() {
            @if position % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn sentences(heading: &str, sentences: &[impl AsRef<str>]) -> Markup {
    html! {
        @if !sentences.is_empty() {
            h2 { (heading) }
            ul { @for sentence in sentences { li dir="auto" { (sentence.as_ref()) } } }
        }
    }
}

fn of_group(group: &Group) -> Markup {
    html! {
        h2 { (group.title) }
        @for entry in &group.entries { (of_entry(entry)) }
    }
}

fn of_entry(entry: &Entry) -> Markup {
    html! {
        section.entry {
            @if let Some(title) = &entry.title { h3 dir="auto" { (title) } }
            @if !entry.facts.is_empty() {
                dl { @for fact in &entry.facts { (of_fact(fact)) } }
            }
        }
    }
}

fn of_fact(fact: &Fact) -> Markup {
    html! {
        div.(if fact.is_code { "code" } else { "" }) {
            dt { (fact.label) }
            dd.(class(fact.mark)) dir="auto" { (sign(fact.mark)) (fact.value) }
        }
    }
}

pub(in crate::http) const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "plain",
        Mark::Good => "good",
        Mark::Doubtful => "doubtful",
        Mark::Bad => "bad",
    }
}

/// A sign in addition to the colour, which not everyone sees and paper may not show.
pub(in crate::http) const fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "",
        Mark::Good => "✓ ",
        Mark::Doubtful => "! ",
        Mark::Bad => "✗ ",
    }
}

/// The page's texts in addition to the account.
struct Words {
    of_certificate: &'static str,
    against: &'static str,
    proven: &'static str,
    open: &'static str,
    elsewhere: &'static str,
    elsewhere_text: &'static str,
    in_browser: &'static str,
    download: &'static str,
    unknown: &'static str,
    unknown_text: &'static str,
    not_ready: &'static str,
    not_ready_text: &'static str,
}

const fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &Words {
            of_certificate: "Check of the certificate",
            against: "Reasons against it",
            proven: "What is proven",
            open: "What is not proven",
            elsewhere: "Do not take our word for it",
            elsewhere_text: "This page comes from the server that made the certificate. The file itself depends on no \
                             server: keep it, and check it with other programs (any PDF reader that checks signatures, \
                             pyHanko, pdfsig), or with `sealwright verify` on your own computer.",
            in_browser: "Check the file in your browser: a page that sends nothing, to keep and to use anywhere",
            download: "Download the certificate",
            unknown: "There is no such certificate",
            unknown_text: "Check that the address was copied in full. A certificate is removed when its case is deleted; a copy of the file can \
                           still be checked.",
            not_ready: "The certificate is still being made",
            not_ready_text: "Please try again in a few seconds.",
        },
        Language::French => &Words {
            of_certificate: "Vérification du certificat",
            against: "Ce qui s’y oppose",
            proven: "Ce qui est prouvé",
            open: "Ce qui n’est pas prouvé",
            elsewhere: "Ne nous croyez pas sur parole",
            elsewhere_text: "Cette page vient du serveur qui a établi le certificat. Le fichier, lui, n’a besoin de personne\u{a0}: conservez-le et \
                             faites-le vérifier par les programmes d’autrui (tout lecteur PDF qui vérifie les signatures, pyHanko, pdfsig), ou \
                             par `sealwright verify` sur votre propre ordinateur.",
            in_browser: "Vérifier le fichier dans votre navigateur\u{a0}: une page qui n’envoie rien, à conserver et à utiliser partout",
            download: "Télécharger le certificat",
            unknown: "Ce certificat n’existe pas",
            unknown_text: "Vérifiez que l’adresse a été copiée en entier. Un certificat disparaît quand son dossier est supprimé\u{a0}; une copie du \
                           fichier reste vérifiable.",
            not_ready: "Le certificat est en cours d’établissement",
            not_ready_text: "Veuillez réessayer dans quelques secondes.",
        },
        Language::German => &Words {
            of_certificate: "Prüfung des Zertifikats",
            against: "Was dagegen spricht",
            proven: "Was bewiesen ist",
            open: "Was nicht bewiesen ist",
            elsewhere: "Glauben Sie nicht nur uns",
            elsewhere_text: "Diese Seite kommt von dem Server, der das Zertifikat erstellt hat. Die Datei selbst braucht keinen Server: Bewahren \
                             Sie sie auf, und prüfen Sie sie mit anderen Programmen (jedem PDF-Programm, das Signaturen prüft, pyHanko, \
                             pdfsig) oder mit `sealwright verify` auf Ihrem eigenen Computer.",
            in_browser: "Die Datei im Browser prüfen: eine Seite, die nichts sendet, zum Aufbewahren und überall zu benutzen",
            download: "Das Zertifikat herunterladen",
            unknown: "Dieses Zertifikat gibt es nicht",
            unknown_text: "Prüfen Sie, ob die Adresse vollständig kopiert wurde. Ein Zertifikat wird entfernt, wenn sein Fall gelöscht wird; eine Kopie \
                           der Datei lässt sich weiterhin prüfen.",
            not_ready: "Das Zertifikat wird noch erstellt",
            not_ready_text: "Bitte versuchen Sie es in einigen Sekunden noch einmal.",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::verification::{Answer, Sentence};

    fn sentence(text: String) -> Sentence {
        Sentence { text, why: "…", how: "…" }
    }

    #[test]
    fn a_certificate_s_texts_are_text_and_never_markup() {
        let evil = || "</dl><script>alert(1)</script>\u{202e}".to_owned();
        let fact = Fact { label: "Title", value: evil(), mark: Mark::Bad, is_code: true };
        let account = Account {
            language: Language::French,
            mark: Mark::Doubtful,
            headline: "…".to_owned(),
            explanation: "…".to_owned(),
            answers: ["…"; 3].map(|question| Answer {
                question,
                mark: Mark::Plain,
                sentence: sentence("…".to_owned()),
            }),
            reasons: vec![evil()],
            proven: vec![sentence(evil())],
            open: vec![sentence(evil())],
            groups: vec![Group {
                title: "…".to_owned(),
                entries: vec![Entry { title: Some(evil()), facts: vec![fact] }],
            }],
        };
        let main = of_account(&account, "CAS-1_CMP-1", "/share/case/x", "/verify").main.into_string();
        assert!(!main.contains("<script"), "{main}");
        assert_eq!(main.matches("&lt;script&gt;").count(), 5, "{main}");
    }
}
