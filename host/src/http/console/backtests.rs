//! Backtests: started, listed, stopped and read. A page that shows one that runs does not change by itself: it has a link
//! that loads it again.

mod report;
mod words;

use std::collections::BTreeMap;

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use maud::{Markup, html};
use sealwright_seal::digest::Sha256Digest;

use self::words::{ADDRESS, address, state};
use super::{
    form::Form,
    guard::redirect,
    layout::{self, Section},
    problem::{PageResult, form_problem},
    visit::Visit,
};
use crate::{
    app::{
        backtest::{MOST_CASES, USUAL_CASES, USUAL_TIME, read_settings, read_time},
        console::backtest::{self, AskedBacktest, BacktestList, BacktestState},
    },
    domain::{
        console::FormProblem,
        id::{BacktestId, CompanyId},
    },
    error::{Error, Result},
    http::{link::Language, shared::Shared},
};

/// `GET /console/backtests`
pub(super) async fn list(State(shared): State<Shared>, visit: Visit) -> PageResult {
    list_page(&shared, &visit, StatusCode::OK, &html! {}, &Form::default()).await
}

/// `POST /console/backtests`
pub(super) async fn start(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    let started = match read(&fields) {
        Ok(asked) => backtest::start(&shared.app, &visit.user, asked).await,
        Err(problem) => Err(problem.into()),
    };
    match form_problem(started, visit.language)? {
        Ok(id) => Ok(redirect(&address(id))),
        Err(problem) => list_page(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem), &fields).await,
    }
}

/// `GET /console/backtests/:backtest`
pub(super) async fn show(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let shown = backtest::show(&shared.app, &visit.user, parse(&id)?).await?;
    let title = title_of(shown.stored.id, visit.language);
    let main = report::page(&visit, &shown, &title);
    Ok(layout::page(&visit, Section::Operation, &title, &main))
}

/// `POST /console/backtests/:backtest/stop`
pub(super) async fn stop(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let id = parse(&id)?;
    backtest::stop(&shared.app, &visit.user, id).await?;
    Ok(redirect(&address(id)))
}

fn parse(id: &str) -> Result<BacktestId> {
    BacktestId::parse(id).ok_or_else(|| Error::not_found("no backtest has this address"))
}

fn title_of(id: BacktestId, language: Language) -> String {
    format!("{} {id}", language.pick("Backtest", "Essai"))
}

fn read(fields: &Form) -> Result<AskedBacktest, FormProblem> {
    let digest: Sha256Digest = fields.text("component").parse().map_err(|_| FormProblem::NoComponent)?;
    let company = CompanyId::parse(fields.text("company")).ok_or(FormProblem::NoBacktestCompany)?;
    let time = read_time(fields.text("since").trim()).map_err(FormProblem::BacktestTime)?;
    let limit: Option<u32> = fields.text("limit").trim().parse().ok();
    let limit = limit.filter(|limit| (1..=MOST_CASES).contains(limit));
    let limit = limit.ok_or(FormProblem::BacktestLimit { highest: MOST_CASES })?;
    let settings = fields.filled("settings").map(read_settings).transpose().map_err(FormProblem::BacktestSettings)?;
    Ok(AskedBacktest { company, digest, settings, alongside: fields.is_ticked("alongside"), time, limit })
}

async fn list_page(shared: &Shared, visit: &Visit, status: StatusCode, above: &Markup, fields: &Form) -> PageResult {
    let view = backtest::list(&shared.app, &visit.user).await?;
    let language = visit.language;
    let title = language.pick("Backtests", "Essais de plugins");
    let is_open = view.backtests.iter().any(|stored| stored.state == BacktestState::Open);
    let main = html! {
        h1 { (title) }
        (above)
        p {
            (language.pick(
                "A backtest judges cases again, with a plugin that is loaded but does not count for the company, and says what would change. No verdict is changed.",
                "Un essai juge à nouveau des dossiers avec un plugin qui est chargé mais ne compte pas pour la société, et dit ce qui changerait. Aucun verdict n’est modifié.",
            ))
        }
        (earlier(&view, language))
        @if is_open {
            p {
                (language.pick(
                    "Another backtest can be started when this one has ended.",
                    "Un autre essai pourra être lancé quand celui-ci sera terminé.",
                ))
            }
        }
        (new_form(visit, &view, fields))
    };
    Ok(layout::page_with(status, visit, Section::Operation, title, &main))
}

fn earlier(view: &BacktestList, language: Language) -> Markup {
    let names: BTreeMap<CompanyId, &str> =
        view.companies.iter().map(|company| (company.id, company.name.as_str())).collect();
    html! {
        @if view.backtests.is_empty() {
            p { (language.pick("There are no backtests yet.", "Il n’y a pas encore d’essai.")) }
        }
        ul.rows {
            @for stored in &view.backtests {
                li {
                    div {
                        a href=(address(stored.id)) { (title_of(stored.id, language)) }
                        " · " strong { (stored.plugin) } " " (stored.version)
                        " · " (layout::company(stored.company, names.get(&stored.company).copied()))
                        br;
                        (state(stored, language))
                        br;
                        span.small { (layout::moment(stored.started_at)) ", " (stored.started_by) }
                    }
                }
            }
        }
    }
}

fn new_form(visit: &Visit, view: &BacktestList, fields: &Form) -> Markup {
    let language = visit.language;
    let entered = |name: &str, usual: &str| {
        let text = fields.text(name);
        if text.is_empty() { usual.to_owned() } else { text.to_owned() }
    };
    html! {
        h2 { (language.pick("Start a backtest", "Lancer un essai")) }
        form.stack method="post" action=(ADDRESS) {
            (layout::csrf(&visit.token))
            label for="component" { (language.pick("Component", "Composant")) }
            select #component name="component" aria-describedby="component-note" {
                @for plugin in &view.components {
                    @let digest = plugin.digest.to_string();
                    option value=(digest) selected[fields.text("component") == digest] {
                        (plugin.name) " " (plugin.version) " · " (digest.get(..12).unwrap_or_default())
                    }
                }
            }
            p.small #component-note {
                (language.pick(
                    "These are the components that are loaded: built in, published, or in the plugin folder. The command tries any file.",
                    "Ce sont les composants chargés\u{a0}: intégrés, publiés, ou du dossier des plugins. La commande essaie n’importe quel fichier.",
                ))
            }
            label for="company" { (language.pick("Company", "Société")) }
            select #company name="company" {
                @for company in &view.companies {
                    option value=(company.id) selected[fields.text("company") == company.id.to_string()] {
                        (layout::company(company.id, Some(company.name.as_str())))
                    }
                }
            }
            label for="since" {
                (language.pick(
                    "Cases that were closed in the last (number and s, m, h or d)",
                    "Dossiers clos depuis (nombre et s, m, h ou d pour jours)",
                ))
            }
            input #since name="since" value=(entered("since", USUAL_TIME)) required autocomplete="off" spellcheck="false";
            label for="limit" {
                (language.pick("At most how many cases; the newest are used", "Nombre maximal de dossiers\u{a0}; les plus récents servent"))
            }
            input #limit name="limit" type="number" min="1" max=(MOST_CASES) required value=(entered("limit", &USUAL_CASES.to_string()));
            label.box {
                input type="checkbox" name="alongside" checked[fields.is_ticked("alongside")];
                (language.pick("Add it to the plugins in service, instead of replacing any of them", "L’ajouter aux plugins en service, sans en remplacer"))
            }
            label for="settings" {
                (language.pick(
                    "Its settings, a JSON object (empty: those of the company’s plugin with the same name, else none)",
                    "Ses réglages, un objet JSON (vide\u{a0}: ceux du plugin du même nom de la société, sinon aucun)",
                ))
            }
            textarea #settings name="settings" rows="4" spellcheck="false" { (fields.text("settings")) }
            button { (language.pick("Start", "Lancer")) }
        }
    }
}
