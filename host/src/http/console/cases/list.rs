//! The table of cases. On a narrow screen each row is a card, with the columns' names from `data-name`.

use maud::{Markup, html};

use super::view::View;
use crate::{
    app::case_search::{CasePage, ListedCase, Said},
    domain::case_search::about::{Met, NamedText},
    http::{
        console::{layout, verdict, words},
        link::Language,
    },
};

pub(super) fn table(view: &View<'_>, page: &CasePage) -> Markup {
    let language = view.visit.language;
    let names = Names {
        case: language.pick("Case", "Dossier"),
        company: language.pick("Company", "Société"),
        frame: language.pick("Kind of case", "Type de dossier"),
        created: language.pick("Created", "Créé"),
        state: language.pick("State", "État"),
        verdict: language.pick("Verdict", "Verdict"),
        decision: language.pick("Decision", "Décision"),
    };
    let others = page.cases.iter().filter(|case| page.exact.as_ref().is_none_or(|exact| exact.id != case.id));
    let with_company = view.choices.companies.len() > 1;
    html! {
        table.cases.list {
            caption.hidden { (language.pick("Cases, the newest first", "Dossiers, les plus récents d’abord")) }
            thead {
                tr {
                    th scope="col" { (names.case) }
                    @if with_company { th scope="col" { (names.company) } }
                    th scope="col" { (names.frame) }
                    th scope="col" { (names.created) }
                    th scope="col" { (names.state) }
                    th scope="col" { (names.verdict) }
                    th scope="col" { (names.decision) }
                }
            }
            tbody {
                @for case in page.exact.iter().chain(others) {
                    (row(view, case, page.said.get(&case.id), &names, with_company))
                }
            }
        }
    }
}

/// Of the columns.
struct Names {
    case: &'static str,
    company: &'static str,
    frame: &'static str,
    created: &'static str,
    state: &'static str,
    verdict: &'static str,
    decision: &'static str,
}

fn row(view: &View<'_>, case: &ListedCase, said: Option<&Said>, names: &Names, with_company: bool) -> Markup {
    let language = view.visit.language;
    html! {
        tr {
            th scope="row" data-name=(names.case) {
                div {
                    // One link, with both names of the case.
                    a href={ "/console/cases/" (case.id) } { (case.title) " " span.small { (case.reference()) } }
                    @if let Some(said) = said { (about(said, language)) }
                }
            }
            @if with_company { td data-name=(names.company) { div.name { (case.company_name) } } }
            td data-name=(names.frame) { div.name { (case.frame_name) } }
            td data-name=(names.created) { (layout::moment_in_two(case.created_at)) }
            td data-name=(names.state) {
                @if case.closed_at.is_some() { (language.pick("closed", "clos")) } @else { (language.pick("open", "ouvert")) }
            }
            td data-name=(names.verdict) {
                @match case.trust_level().zip(case.trust_score) {
                    Some((level, score)) => span { (verdict::level(level, language)) " " span.score { (score) } },
                    None => span.small { (language.pick("none yet", "aucun")) },
                }
            }
            td data-name=(names.decision) {
                @match case.decision {
                    Some(outcome) => { (layout::outcome(outcome, language)) }
                    None => { span.small { (words::undecided(language)) } }
                }
            }
        }
    }
}

/// Who the case is about, its claim, and where it has the words of the search.
fn about(said: &Said, language: Language) -> Markup {
    let Said { about, met } = said;
    html! {
        @if about.person.is_some() || about.claim.is_some() {
            p.about {
                @if let Some(person) = &about.person { strong { (person) } }
                @if about.person.is_some() && about.claim.is_some() { " · " }
                @if let Some(claim) = &about.claim { (claim) }
            }
        }
        @for met in met {
            p.met {
                (language.pick("Found: ", "Trouvé\u{a0}: "))
                @match met {
                    Met::Named(NamedText { name, text }) => { (name) ": " (text) }
                    Met::Context(text) => { (text) }
                    Met::User(name) => { (language.pick("field user ", "utilisateur de terrain ")) (name) }
                }
            }
        }
    }
}
