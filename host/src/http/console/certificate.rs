//! The certificate of a case, checked: what it proves, and its time stamps with who made them and until when they last.
//! Also the package of the case, which has the certificate.

use axum::extract::{Path, State};
use maud::{Markup, html};

use super::{
    case,
    layout::{self, Section},
    problem::PageResult,
    visit::Visit,
};
use crate::{
    app::console::certificate::{self, Account, Check, DoneCheck, Entry, Fact, Group, Mark, TimeStamp},
    domain::id::CaseId,
    http::{
        link::Language,
        parts,
        share::{class, sign},
        shared::Shared,
    },
};

/// A group with more entries is folded: a case may have hundreds of items.
const MOST_UNFOLDED: usize = 10;

/// `GET /console/cases/:case/certificate`
pub(super) async fn show(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let language = visit.language;
    let id = case::parse(&id)?;
    let view = certificate::show(&shared.app, &visit.user, id, language_of_checks(language)).await?;
    let title = format!("{} {}", language.pick("Certificate of", "Certificat de"), view.case.reference());
    let main = html! {
        p.small {
            a href="/console/cases" { (language.pick("Cases", "Dossiers")) } " › "
            a href={ "/console/cases/" (id) } { (view.case.reference()) ", " (view.case.title) }
        }
        h1 { (title) }
        @match &view.check {
            Check::NoCertificate => p.empty {
                (language.pick("The case is open: its certificate is made when it is closed.", "Le dossier est ouvert\u{a0}: son certificat est établi quand il est clos."))
            },
            Check::BeingMade => p.empty {
                (language.pick("The certificate is being made. Load the page again in a moment.", "Le certificat est en préparation. Rechargez la page dans un moment."))
            },
            Check::GivenUp(failure) => p.alert {
                (language.pick("The certificate could not be made: ", "Le certificat n’a pas pu être établi\u{a0}: "))
                span lang="en" { (failure) }
            },
            Check::Done(done) => (checked(id, done, language)),
        }
    };
    Ok(layout::page(&visit, Section::Cases, &title, &main))
}

/// `GET /console/cases/:case/package`
pub(super) async fn package(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let package = certificate::package(&shared.app, &visit.user, case::parse(&id)?).await?;
    Ok(parts::package(package)?)
}

const fn language_of_checks(language: Language) -> certificate::Language {
    match language {
        Language::English => certificate::Language::English,
        Language::French => certificate::Language::French,
    }
}

fn checked(id: CaseId, done: &DoneCheck, language: Language) -> Markup {
    let DoneCheck { account, time_stamps, url } = done;
    let Account { headline, explanation, reasons, proven, open, groups, mark, .. } = account;
    html! {
        div.(if *mark == Mark::Good { "notice" } else { "alert" }) {
            p { strong { (sign(*mark)) (headline) } }
            p { (explanation) }
        }
        (sentences(language.pick("Reasons against it", "Ce qui s’y oppose"), reasons))
        p {
            a href=(url) { (language.pick("Open the certificate", "Ouvrir le certificat")) " (PDF)" } " · "
            a href={ "/console/cases/" (id) "/package" } {
                (language.pick("Download the whole case", "Télécharger tout le dossier")) " (ASiC-E)"
            }
            " · "
            a href={ (url) "/verify" } {
                (language.pick("The check that anyone sees who has the address", "La vérification que voit toute personne qui a l’adresse"))
            }
        }
        h2 { (language.pick("Time stamps", "Horodatages")) }
        @if time_stamps.is_empty() {
            p { (language.pick("None yet: only the signer states the time.", "Aucun pour l’instant\u{a0}: seul le signataire indique l’heure.")) }
        } @else {
            (history(time_stamps, language))
        }
        (sentences(language.pick("What is proven", "Ce qui est prouvé"), proven))
        (sentences(language.pick("What is not proven", "Ce qui n’est pas prouvé"), open))
        @for group in groups { (of_group(group, language)) }
    }
}

/// Of the columns.
struct Names {
    at: &'static str,
    on: &'static str,
    authority: &'static str,
    valid_until: &'static str,
    level: &'static str,
    log: &'static str,
}

fn history(time_stamps: &[TimeStamp], language: Language) -> Markup {
    let names = Names {
        at: language.pick("Made", "Établi"),
        on: language.pick("On", "Sur"),
        authority: language.pick("By", "Par"),
        valid_until: language.pick("Its certificate ends", "Fin de son certificat"),
        level: language.pick("Seal afterwards", "Sceau ensuite"),
        log: language.pick("Log of seals", "Journal des scellés"),
    };
    html! {
        table.cases {
            caption.hidden { (language.pick("Time stamps, the first one first", "Horodatages, du premier au dernier")) }
            thead {
                tr {
                    th scope="col" { (names.at) }
                    th scope="col" { (names.on) }
                    th scope="col" { (names.authority) }
                    th scope="col" { (names.valid_until) }
                    th scope="col" { (names.level) }
                    th scope="col" { (names.log) }
                }
            }
            tbody { @for stamp in time_stamps { (row(stamp, &names, language)) } }
        }
    }
}

fn row(stamp: &TimeStamp, names: &Names, language: Language) -> Markup {
    html! {
        tr {
            th scope="row" data-name=(names.at) {
                span {
                    (sign(stamp.mark))
                    @match stamp.at {
                        Some(at) => (layout::moment(at)),
                        None => (language.pick("not readable", "illisible")),
                    }
                }
            }
            td data-name=(names.on) {
                span {
                    @if stamp.is_on_file { (language.pick("the whole file", "tout le fichier")) }
                    @else { (language.pick("the signature", "la signature")) }
                }
            }
            td data-name=(names.authority) { bdi { (stamp.authority.as_deref().unwrap_or("—")) } }
            td data-name=(names.valid_until) {
                @match stamp.valid_until { Some(at) => (layout::moment(at)), None => span { "—" } }
            }
            td data-name=(names.level) { span { (stamp.level) ", " (layout::seal_level(stamp.level, language)) } }
            td data-name=(names.log) {
                @match &stamp.log {
                    Some((name, entry)) => bdi { (name) ", " (language.pick("entry ", "entrée ")) (entry) },
                    None => span { "—" },
                }
            }
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

fn of_group(group: &Group, language: Language) -> Markup {
    let entries = html! { @for entry in &group.entries { (of_entry(entry)) } };
    html! {
        section {
            h2 { (group.title) }
            @if group.entries.len() > MOST_UNFOLDED {
                details {
                    summary { (language.pick("Show all: ", "Tout afficher\u{a0}: ")) (group.entries.len()) }
                    (entries)
                }
            } @else {
                (entries)
            }
        }
    }
}

fn of_entry(entry: &Entry) -> Markup {
    html! {
        @if let Some(title) = &entry.title { h3 dir="auto" { (title) } }
        @if !entry.facts.is_empty() {
            dl.facts { @for fact in &entry.facts { (of_fact(fact)) } }
        }
    }
}

fn of_fact(fact: &Fact) -> Markup {
    html! {
        dt { (fact.label) }
        dd.(if fact.is_code { "hash" } else { "" }).(class(fact.mark)) dir="auto" { (sign(fact.mark)) (fact.value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clock::Timestamp, domain::seal::SealLevel};

    fn stamp(authority: &str) -> TimeStamp {
        TimeStamp {
            is_on_file: true,
            at: Some(Timestamp::from_millis(1_795_168_800_000)),
            authority: Some(authority.to_owned()),
            valid_until: Some(Timestamp::from_millis(1_895_168_800_000)),
            mark: Mark::Good,
            level: SealLevel::Archived,
            log: Some(("seals <1>".to_owned(), 12)),
        }
    }

    #[test]
    fn a_time_stamp_is_shown_with_its_authority_its_end_and_the_level_after_it() {
        let broken =
            TimeStamp { at: None, authority: None, valid_until: None, mark: Mark::Bad, log: None, ..stamp("") };
        let table = history(&[stamp("CN=<script>"), broken], Language::English).into_string();
        for expected in [
            "✓ <time datetime=\"2026-11-20T10:00:00.000Z\">",
            "CN=&lt;script&gt;",
            "2030-01-20 ",
            "B-LTA, signed, time-stamped and archived",
            "seals &lt;1&gt;, entry 12",
            "✗ not readable",
        ] {
            assert!(table.contains(expected), "{expected}: {table}");
        }
    }

    #[test]
    fn texts_of_the_file_are_text_and_a_long_group_is_folded() {
        let fact = Fact { label: "Title", value: "<script>".to_owned(), mark: Mark::Doubtful, is_code: true };
        let entry = Entry { title: Some("<b>".to_owned()), facts: vec![fact] };
        let group = |count: usize| Group { title: "Items".to_owned(), entries: vec![entry.clone(); count] };
        let few = of_group(&group(1), Language::English).into_string();
        assert!(few.contains("&lt;script&gt;") && few.contains("&lt;b&gt;") && !few.contains("<details"), "{few}");
        assert!(few.contains("class=\"hash doubtful\""), "{few}");
        assert!(of_group(&group(11), Language::English).into_string().contains("<details"));
    }
}
