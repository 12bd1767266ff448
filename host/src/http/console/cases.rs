//! The list of cases: searched, filtered, kept under a name, and exported.

mod list;
pub(super) mod new;
mod search_form;
mod view;

use axum::{
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::Response,
};
use maud::{Markup, html};

use self::view::{ADDRESS, Asked, View, query};
use super::{
    form::Form,
    guard::redirect,
    layout::{self, Section},
    problem::{PageResult, Wrong, form_problem},
    visit::Visit,
};
use crate::{
    app::case_search::{self, CasePage, export, filters},
    domain::{case_search::CaseSearch, console::Action},
    error::Error,
    http::{link::Language, parts, shared::Shared},
};

/// `GET /console/cases`
pub(super) async fn list(State(shared): State<Shared>, visit: Visit, RawQuery(asked): RawQuery) -> PageResult {
    let asked = Asked::read(asked.as_deref());
    let language = visit.language;
    let notice = match asked.value("done") {
        "saved" => Some(language.pick("The search is kept.", "La recherche est enregistrée.")),
        "forgotten" => Some(language.pick("The search is deleted.", "La recherche est supprimée.")),
        "deleted" => Some(language.pick("The case is deleted.", "Le dossier est supprimé.")),
        _ => None,
    };
    let above = html! { @if let Some(notice) = notice { (layout::notice(notice)) } };
    show(&shared, &visit, &asked, StatusCode::OK, above).await
}

/// `GET /console/cases.csv`
pub(super) async fn export(State(shared): State<Shared>, visit: Visit, RawQuery(asked): RawQuery) -> PageResult {
    let search = Asked::read(asked.as_deref()).search.map_err(|problems| Error::Invalid(problems.join(", ")))?;
    // From the newest case on, whatever page the address is of.
    let search = CaseSearch { after: None, ..search };
    let lines = export::export(&shared.app, &visit.user, &search).await?;
    Ok(parts::table(lines, "cases.csv")?)
}

/// `POST /console/filters`
pub(super) async fn save_filter(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    let asked = Asked::read(Some(fields.text("query")));
    let kept = match &asked.search {
        Ok(search) => filters::save(&shared.app, &visit.user, fields.text("name"), search, &query(search, None)).await,
        Err(problems) => Err(Error::Invalid(problems.join(", "))),
    };
    match (form_problem(kept, visit.language)?, &asked.search) {
        (Ok(()), Ok(search)) => Ok(redirect(&format!("{ADDRESS}?{}&done=saved", query(search, None)))),
        (Ok(()), Err(_)) => Ok(redirect(ADDRESS)),
        (Err(problem), _) => show(&shared, &visit, &asked, StatusCode::BAD_REQUEST, layout::alert(&problem)).await,
    }
}

/// `POST /console/filters/:filter/delete`
pub(super) async fn delete_filter(State(shared): State<Shared>, visit: Visit, Path(filter): Path<i64>) -> PageResult {
    filters::delete(&shared.app, &visit.user, filter).await?;
    Ok(redirect(&format!("{ADDRESS}?done=forgotten")))
}

async fn show(shared: &Shared, visit: &Visit, asked: &Asked, status: StatusCode, above: Markup) -> PageResult {
    let (status, above, page) = match &asked.search {
        Ok(search) => {
            match form_problem(case_search::search(&shared.app, &visit.user, search).await, visit.language)? {
                Ok(page) => (status, above, Some((search, page))),
                Err(problem) => (StatusCode::BAD_REQUEST, html! { (above) (layout::alert(&problem)) }, None),
            }
        }
        Err(problems) => {
            let problems = html! { (above) @for problem in problems { (layout::alert(&Wrong::english(problem))) } };
            (StatusCode::BAD_REQUEST, problems, None)
        }
    };
    let chosen = asked.search.as_ref().ok().and_then(|search| search.company);
    let choices = case_search::choices(&shared.app, &visit.user, chosen).await?;
    let kept = filters::list(&shared.app, &visit.user).await?;
    let view = View { visit, asked, choices, kept };
    Ok(render(&view, status, &above, page.as_ref().map(|(search, page)| (*search, page))))
}

fn render(view: &View<'_>, status: StatusCode, above: &Markup, page: Option<(&CaseSearch, &CasePage)>) -> Response {
    let language = view.visit.language;
    let title = language.pick("Cases", "Dossiers");
    let main = html! {
        h1 { (title) }
        (above)
        @if Action::ShowNewCase.role().is_some_and(|role| view.visit.user.may(role)) {
            p { a href={ (ADDRESS) "/new" } { (language.pick("Open a case", "Ouvrir un dossier")) } }
        }
        (search_form::form(view))
        (search_form::kept(view))
        @if let Some((search, page)) = page {
            @if page.cases.is_empty() && page.exact.is_none() {
                (nothing(search, page, language))
            } @else {
                (list::table(view, page))
            }
            (onwards(search, page, language))
        }
    };
    layout::page_with(status, view.visit, Section::Cases, title, &main)
}

fn nothing(search: &CaseSearch, page: &CasePage, language: Language) -> Markup {
    let text = if page.is_cut {
        language.pick(
            "None of the newer cases matches. Older ones have not been searched yet.",
            "Aucun des dossiers récents ne correspond. Les plus anciens n’ont pas encore été parcourus.",
        )
    } else if search.after.is_some() {
        language.pick("No older case matches.", "Aucun dossier plus ancien ne correspond.")
    } else if search.is_empty() {
        language.pick("There are no cases yet.", "Il n’y a pas encore de dossier.")
    } else {
        language.pick(
            "No case matches. Each word must begin a word of the case: try fewer words or filters.",
            "Aucun dossier ne correspond. Chaque mot doit commencer un mot du dossier\u{a0}: essayez moins de mots ou de filtres.",
        )
    };
    html! { p.empty { (text) } }
}

/// The links below the list.
fn onwards(search: &CaseSearch, page: &CasePage, language: Language) -> Markup {
    let first = query(search, None);
    html! {
        nav.pages aria-label=(language.pick("Pages", "Pages")) {
            @if search.after.is_some() {
                a href={ (ADDRESS) "?" (first) } { (language.pick("Newest cases", "Dossiers les plus récents")) }
            }
            @if let Some(next) = page.next {
                a rel="next" href={ (ADDRESS) "?" (query(search, Some(next))) } {
                    @if page.is_cut {
                        (language.pick("Search older cases", "Chercher dans les plus anciens"))
                    } @else {
                        (language.pick("Older cases", "Dossiers plus anciens"))
                    }
                }
            }
            @if !page.cases.is_empty() {
                a download href={ (ADDRESS) ".csv?" (first) } { (language.pick("Export as CSV", "Exporter en CSV")) }
            }
        }
    }
}
