//! A case on one page: what came when, each item, the verdict, decisions, the certificate, webhooks and jobs; and what a
//! user does with it.

mod asking;
mod deciding;
mod holding;
mod items;
mod pages;
mod parts;
mod photo;
mod places;
pub(super) mod preview;
mod status;

use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use self::deciding::RefusedDecision;
use super::{
    form::Form,
    guard::redirect,
    layout::{self, Allowance, Section},
    problem::{PageResult, form_problem},
    verdict,
    visit::Visit,
    words::Names,
};
use crate::{
    app::console::{case, decision, document},
    config::TileServer,
    domain::{
        capture::RetakeRequest,
        console::{Decision, FormProblem, Role},
        erasure::Ground,
        id::{CaseId, ItemId},
        legal_hold::HoldRequest,
    },
    error::{Error, Result},
    http::shared::Shared,
};

#[derive(Debug, Default, Deserialize)]
pub(super) struct Done {
    #[serde(default)]
    done: String,
}

/// `GET /console/cases/:case`
pub(super) async fn show(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    Query(done): Query<Done>,
) -> PageResult {
    let language = visit.language;
    let notice = match done.done.as_str() {
        "decided" => Some(language.pick(
            "The decision is recorded. It is shown below under “Decision”. The person in the field gets no message, and you can decide again.",
            "La décision est enregistrée. Elle est affichée ci-dessous sous «\u{a0}Décision\u{a0}». La personne sur le terrain ne reçoit pas de message, et vous pouvez décider de nouveau.",
        )),
        "retake" => Some(language.pick(
            "Another capture is requested. The person sees it when the page of the link or the app is opened again. The request is shown below under “Asked for again”, and next to the item.",
            "Une autre prise est demandée. La personne la voit quand elle rouvre la page du lien ou l’application. La demande est affichée ci-dessous sous «\u{a0}Redemandé\u{a0}», et à côté de l’élément.",
        )),
        "asked" => Some(language.pick(
            "This is the new case. Now send its link to the person: see “Link for the person” below. A field user finds the case in the app.",
            "Voici le nouveau dossier. Envoyez maintenant son lien à la personne\u{a0}: voir «\u{a0}Lien pour la personne\u{a0}» ci-dessous. Un utilisateur de terrain trouve le dossier dans l’application.",
        )),
        "erased" => Some(language.pick(
            "The item is erased. Its certificate is replaced within seconds.",
            "L’élément est effacé. Le certificat est remplacé en quelques secondes.",
        )),
        "closed" => Some(language.pick("The case is closed.", "Le dossier est clos.")),
        "resent" => Some(language.pick("The webhook will be sent again.", "Le webhook sera renvoyé.")),
        "held" => Some(language.pick("The case is under legal hold.", "Le dossier est sous conservation légale.")),
        "hold-ended" => Some(language.pick("The legal hold has ended.", "La conservation légale est levée.")),
        "retried" => Some(language.pick("The job will run again.", "La tâche sera relancée.")),
        _ => None,
    };
    let above = html! { @if let Some(notice) = notice { (layout::notice(notice)) } };
    page(&shared, &visit, parse(&id)?, StatusCode::OK, &above).await
}

/// `GET /console/cases/:case/items/:item/file`: leads to the file, after the look is recorded.
pub(super) async fn file(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, item)): Path<(String, String)>,
) -> PageResult {
    let address = case::file_address(&shared.app, &visit.user, parse(&id)?, parse_item(&item)?).await?;
    Ok(redirect(&address))
}

/// `GET /console/cases/:case/items/:item/pages/:page`
pub(super) async fn item_page(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, item, page)): Path<(String, String, String)>,
) -> PageResult {
    let number = page.parse().map_err(|_| Error::not_found("a page is named by its number, from 1"))?;
    let shown = document::page(&shared.app, &visit.user, parse(&id)?, parse_item(&item)?, number).await?;
    let title = format!("{} {}", shown.case.reference(), shown.item.content.step_title);
    Ok(layout::page(&visit, Section::Cases, &title, &pages::page(&visit, &shown)))
}

/// `POST /console/cases/:case/decision`
pub(super) async fn decide(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    case::find(&shared.app, &visit.user, id).await?;
    let decision = read_decision(&fields);
    let decided = match decision {
        Ok(decision) => decision::decide(&shared.app, &visit.user, id, decision).await,
        Err(error) => Err(error),
    };
    let Err(wrong) = form_problem(decided, visit.language)? else {
        return Ok(redirect(&format!("/console/cases/{id}?done=decided")));
    };
    let view = case::show(&shared.app, &visit.user, id).await?;
    let refused = RefusedDecision { outcome: fields.text("outcome"), reason: fields.text("reason"), wrong: &wrong };
    let tiles = shared.app.config.console.tiles.as_ref();
    Ok(render(&visit, &view, StatusCode::BAD_REQUEST, &html! {}, Some(&refused), tiles))
}

/// `POST /console/cases/:case/items/:item/retake`
pub(super) async fn request_retake(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, item)): Path<(String, String)>,
    fields: Form,
) -> PageResult {
    let (id, item) = (parse(&id)?, parse_item(&item)?);
    let requested = match RetakeRequest::read(&json!({ "reason": fields.text("reason") })) {
        Ok(request) => case::request_retake(&shared.app, &visit.user, id, item, request).await,
        // The form has no other field.
        Err(_) => Err(FormProblem::RetakeReason.into()),
    };
    finish(&shared, &visit, id, requested, "retake").await
}

/// `POST /console/cases/:case/items/:item/erase`
pub(super) async fn erase_item(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, item)): Path<(String, String)>,
    fields: Form,
) -> PageResult {
    let (id, item) = (parse(&id)?, parse_item(&item)?);
    let erased = match fields.text("ground").parse::<Ground>() {
        Err(_) => Err(FormProblem::NoGround.into()),
        Ok(_) if fields.filled("confirm") != Some(item.to_string().as_str()) => {
            Err(FormProblem::ErasureNotConfirmed(item).into())
        }
        Ok(ground) => case::erase_item(&shared.app, &visit.user, id, item, ground).await,
    };
    finish(&shared, &visit, id, erased, "erased").await
}

/// `POST /console/cases/:case/close`
pub(super) async fn close(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let id = parse(&id)?;
    let closed = case::close(&shared.app, &visit.user, id).await;
    finish(&shared, &visit, id, closed, "closed").await
}

/// `POST /console/cases/:case/delete`
pub(super) async fn delete(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    if fields.filled("confirm") != Some(id.to_string().as_str()) {
        case::find(&shared.app, &visit.user, id).await?;
        return finish(&shared, &visit, id, Err(FormProblem::NotConfirmed(id).into()), "").await;
    }
    let deleted = case::delete(&shared.app, &visit.user, id).await;
    match form_problem(deleted, visit.language)? {
        Ok(()) => Ok(redirect("/console/cases?done=deleted")),
        Err(problem) => page(&shared, &visit, id, StatusCode::BAD_REQUEST, &layout::alert(&problem)).await,
    }
}

/// `POST /console/cases/:case/hold`
pub(super) async fn hold(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    case::find(&shared.app, &visit.user, id).await?;
    let held = match HoldRequest::new(fields.text("hold-reason")) {
        Some(request) => case::hold(&shared.app, &visit.user, id, request).await,
        None => Err(FormProblem::HoldReason.into()),
    };
    finish(&shared, &visit, id, held, "held").await
}

/// `POST /console/cases/:case/hold/end`
pub(super) async fn end_hold(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let id = parse(&id)?;
    let ended = case::end_hold(&shared.app, &visit.user, id).await;
    finish(&shared, &visit, id, ended, "hold-ended").await
}

/// `POST /console/cases/:case/attempts/:attempt/resend`
pub(super) async fn resend(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, attempt)): Path<(String, i64)>,
) -> PageResult {
    let id = parse(&id)?;
    let resent = case::resend(&shared.app, &visit.user, id, attempt).await;
    finish(&shared, &visit, id, resent, "resent").await
}

/// `POST /console/cases/:case/jobs/:job/retry`
pub(super) async fn retry_job(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, job)): Path<(String, i64)>,
) -> PageResult {
    let id = parse(&id)?;
    let retried = case::retry_job(&shared.app, &visit.user, id, job).await;
    finish(&shared, &visit, id, retried, "retried").await
}

/// Leads back to the page, or shows it with what was wrong.
async fn finish(shared: &Shared, visit: &Visit, id: CaseId, result: Result<()>, done: &str) -> PageResult {
    match form_problem(result, visit.language)? {
        Ok(()) => Ok(redirect(&format!("/console/cases/{id}?done={done}"))),
        Err(problem) => page(shared, visit, id, StatusCode::BAD_REQUEST, &layout::alert(&problem)).await,
    }
}

pub(super) fn parse(id: &str) -> Result<CaseId> {
    CaseId::parse(id).ok_or_else(|| Error::not_found("a case is named by its number"))
}

fn parse_item(item: &str) -> Result<ItemId> {
    ItemId::parse(item).ok_or_else(|| Error::not_found("an item is named by its number"))
}

fn read_decision(fields: &Form) -> Result<Decision> {
    let outcome = fields.text("outcome").parse();
    let outcome = outcome.map_err(|_| FormProblem::NoOutcome)?;
    Ok(Decision::new(outcome, fields.text("reason"))?)
}

async fn page(shared: &Shared, visit: &Visit, id: CaseId, status: StatusCode, above: &Markup) -> PageResult {
    let view = case::show(&shared.app, &visit.user, id).await?;
    Ok(render(visit, &view, status, above, None, shared.app.config.console.tiles.as_ref()))
}

fn render(
    visit: &Visit,
    view: &case::CaseView,
    status: StatusCode,
    above: &Markup,
    refused: Option<&RefusedDecision<'_>>,
    tiles: Option<&TileServer>,
) -> Response {
    let (language, case) = (visit.language, &view.case);
    let names = Names::of(case.id, view.items.iter().map(|shown| &shown.item), language);
    let person = view.about.person.as_deref().map(|person| format!(" · {person}")).unwrap_or_default();
    let title = format!("{} {}{person}", case.reference(), case.title);
    let may_manage = visit.user.may(Role::Manager);
    let main = html! {
        p.small { a href="/console/cases" { (language.pick("Cases", "Dossiers")) } }
        (parts::heading(view, language))
        (above)
        @if let Some(explanation) = &view.explanation { (verdict::sentence(explanation, case.is_closed(), view.is_verdict_awaited, &names)) }
        (status::section(view, &names))
        @if visit.user.may(Role::Reviewer) { (deciding::form(visit, view, refused)) }
        (asking::tasks(visit, view))
        (holding::notice(view, language))
        (parts::summary(visit, view))
        (parts::open_steps(view, language))
        (deciding::list(visit, view))
        @if let Some(explanation) = &view.explanation { (verdict::tree(explanation, &names)) }
        (items::list(visit, view, &names))
        (places::section(view, tiles, &names))
        (parts::history(view, &names))
        (parts::deliveries(visit, view, may_manage))
        (parts::jobs(visit, view, may_manage))
        @if visit.user.may(Role::Administrator) { (holding::section(visit, view)) }
        @if may_manage { (parts::management(visit, view)) }
    };
    let mut response = layout::page_with(status, visit, Section::Cases, &title, &main);
    if let Some(tiles) = tiles.filter(|_| places::origin(view).is_some()) {
        layout::allow(&mut response, &Allowance::Pictures(tiles.origin()));
    }
    response
}
