//! Companies and their settings: shown, and changed if the console keeps the company.

pub(super) mod frame;
pub(super) mod plugins;
pub(super) mod settings;
mod settings_form;
pub(super) mod users;
pub(super) mod webhooks;

use axum::{
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};

use self::plugins::RefusedPlugins;
use super::{
    form::Form,
    guard::redirect,
    layout::{self, Section},
    problem::{PageResult, form_problem},
    visit::Visit,
};
use crate::{
    app::console::company::{self, CompanyView},
    domain::{
        appearance::Appearance,
        certificate_extras::CertificateExtras,
        company_manifest::{Company, Keeper, Retention},
        console::Action,
        id::CompanyId,
        language::CertificateLanguage,
    },
    error::{Error, Result},
    http::{link::Language, shared::Shared},
};

const ADDRESS: &str = "/console/companies";

/// `GET /console/companies`
pub(super) async fn list(State(shared): State<Shared>, visit: Visit) -> PageResult {
    list_page(&shared, &visit, StatusCode::OK, &html! {}, &Form::default()).await
}

/// `POST /console/companies`
pub(super) async fn add(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    let added = async {
        let new = new_company(&fields)?;
        let id = new.id;
        company::add(&shared.app, &visit.user, new).await.map(|()| id)
    };
    match form_problem(added.await, visit.language)? {
        Ok(id) => Ok(redirect(&address(id))),
        Err(problem) => list_page(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem), &fields).await,
    }
}

/// `GET /console/companies/:company`
pub(super) async fn show(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let view = company::show(&shared.app, &visit.user, parse(&id)?).await?;
    Ok(page(&visit, &view, StatusCode::OK, &html! {}))
}

/// `POST /console/companies/:company/keep`
pub(super) async fn keep(State(shared): State<Shared>, visit: Visit, Path(id): Path<String>) -> PageResult {
    let id = parse(&id)?;
    company::keep_in_console(&shared.app, &visit.user, id).await?;
    Ok(redirect(&address(id)))
}

/// `GET /console/companies/:company/certificate.pdf`
pub(super) async fn sample_certificate(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
) -> PageResult {
    let pdf = company::sample_certificate(&shared.app, &visit.user, parse(&id)?).await?;
    let kind = HeaderValue::from_static("application/pdf");
    let store = HeaderValue::from_static("no-store");
    Ok(([(CONTENT_TYPE, kind), (axum::http::header::CACHE_CONTROL, store)], pdf).into_response())
}

fn parse(id: &str) -> Result<CompanyId> {
    CompanyId::parse(id).ok_or_else(|| Error::not_found("no company has this address"))
}

fn address(id: CompanyId) -> String {
    format!("{ADDRESS}/{id}")
}

/// The revision that a form was made from.
fn revision(fields: &Form) -> Result<i64> {
    fields.text("revision").parse().map_err(|_| Error::invalid("the form is incomplete: load the page again"))
}

/// The page of the company after one of its forms.
async fn after_change(shared: &Shared, visit: &Visit, id: CompanyId, changed: Result<()>) -> PageResult {
    match form_problem(changed, visit.language)? {
        Ok(()) => Ok(redirect(&address(id))),
        Err(problem) => {
            let view = company::show(&shared.app, &visit.user, id).await?;
            Ok(page(visit, &view, StatusCode::BAD_REQUEST, &layout::alert(&problem)))
        }
    }
}

fn new_company(fields: &Form) -> Result<Company> {
    let number = |name: &str| match fields.filled(name) {
        None => Ok(None),
        Some(text) => CompanyId::parse(text)
            .map(Some)
            .ok_or_else(|| Error::invalid(format!("{name}: must be a positive whole number"))),
    };
    Ok(Company {
        id: number("number")?.ok_or_else(|| Error::invalid("number: enter one"))?,
        name: fields.text("name").trim().to_owned(),
        parent: number("parent")?,
        document_analysis: fields.is_ticked("analysis"),
        certificate_template: "default".to_owned(),
        language: CertificateLanguage::default(),
        time_zone: None,
        extras: CertificateExtras::default(),
        appearance: Appearance::default(),
        rate_limits: std::collections::BTreeMap::new(),
        audit_days: None,
        retention: Retention::default(),
        line: 0,
    })
}

async fn list_page(shared: &Shared, visit: &Visit, status: StatusCode, above: &Markup, fields: &Form) -> PageResult {
    let companies = company::list(&shared.app, &visit.user).await?;
    let language = visit.language;
    let title = language.pick("Companies", "Sociétés");
    let main = html! {
        h1 { (title) }
        (above)
        ul.rows {
            @for company in &companies {
                li {
                    div {
                        a href=(address(company.id)) { (company.name) }
                        p.small {
                            (language.pick("number ", "numéro ")) (company.id)
                            @if let Some(parent) = company.parent {
                                (language.pick(", child of ", ", fille de ")) (parent)
                            }
                            " · " (keeper(company.keeper, language))
                        }
                    }
                }
            }
        }
        @if Action::AddCompany.role().is_some_and(|role| visit.user.may(role)) {
            h2 { (language.pick("Add a company", "Ajouter une société")) }
            form.stack method="post" action=(ADDRESS) {
                (layout::csrf(&visit.token))
                label for="number" { (language.pick("Number", "Numéro")) }
                input #number name="number" type="number" min="1" required value=(fields.text("number"));
                label for="name" { (language.pick("Name", "Nom")) }
                input #name name="name" maxlength="255" required value=(fields.text("name"));
                label for="parent" { (language.pick("Number of the parent company (empty: none)", "Numéro de la société mère (vide : aucune)")) }
                input #parent name="parent" type="number" min="1" value=(fields.text("parent"));
                label.box {
                    input type="checkbox" name="analysis" checked[fields.is_ticked("analysis")];
                    (language.pick("Analyse documents", "Analyser les documents"))
                }
                button { (language.pick("Add the company", "Ajouter la société")) }
            }
        }
    };
    Ok(layout::page_with(status, visit, Section::Companies, title, &main))
}

const fn keeper(keeper: Keeper, language: Language) -> &'static str {
    match keeper {
        Keeper::File => language.pick("kept by a file", "tenue par un fichier"),
        Keeper::Console => language.pick("kept in the console", "tenue dans la console"),
    }
}

fn page(visit: &Visit, view: &CompanyView, status: StatusCode, above: &Markup) -> Response {
    page_with(visit, view, status, above, None)
}

/// The page with what was entered about plugins and was not accepted.
fn page_with(
    visit: &Visit,
    view: &CompanyView,
    status: StatusCode,
    above: &Markup,
    refused: Option<&RefusedPlugins<'_>>,
) -> Response {
    let language = visit.language;
    let (stored, company) = (&view.stored, &view.stored.company);
    let can_change = company.keeper == Keeper::Console;
    let main = html! {
        h1 { (company.name) }
        (above)
        p { (language.pick("Number ", "Numéro ")) (company.id) " · " (keeper(company.keeper, language)) }
        @if !can_change {
            p.notice {
                (language.pick(
                    "A file keeps this company: change the file, and apply it. What the page shows cannot be changed here.",
                    "Un fichier tient cette société : modifiez le fichier et appliquez-le. Rien ne peut être modifié ici.",
                ))
            }
            @if Action::KeepCompany.role().is_some_and(|role| visit.user.may(role)) {
                form method="post" action={ (address(company.id)) "/keep" } {
                    (layout::csrf(&visit.token))
                    button.quiet data-confirm=(language.pick("Keep this company in the console? Its file is then refused.", "Tenir cette société dans la console ? Son fichier sera alors refusé.")) {
                        (language.pick("Keep it in the console", "La tenir dans la console"))
                    }
                }
            }
        }
        (frame::list(visit, stored, can_change))
        (users::section(visit, stored, can_change))
        (webhooks::section(visit, view, can_change))
        (settings::section(visit, view, can_change))
        (plugins::section(visit, view, can_change, refused))
    };
    layout::page_with(status, visit, Section::Companies, &company.name, &main)
}

/// The fields that every form of a company has.
fn hidden(visit: &Visit, revision: i64) -> Markup {
    html! {
        (layout::csrf(&visit.token))
        input type="hidden" name="revision" value=(revision);
    }
}
