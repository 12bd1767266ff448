//! Links for people without an account: made, shown as a QR code on a sheet to print, and ended.

use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
};
use maud::{Markup, PreEscaped, html};
use qrcode::{QrCode, render::svg};
use serde::Deserialize;

use super::{
    form::Form,
    frame_choice,
    guard::redirect,
    layout::{self, Section},
    problem::{PageResult, form_problem},
    visit::Visit,
};
use crate::{
    app::{
        console::link::{self, LinkPage, ShownLink},
        link::LinkState,
    },
    domain::{
        console::{FormProblem, LinkNumber},
        id::CaseId,
        link::LinkToken,
    },
    error::{Error, Result},
    http::{link::Language, shared::Shared},
};

const ADDRESS: &str = "/console/links";

/// Where the person came from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CameFrom {
    /// The number of a case; empty for the list of links.
    case: String,
}

impl CameFrom {
    fn case(&self) -> Option<CaseId> {
        CaseId::parse(&self.case)
    }
}

/// The place in the list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    /// The last link of the page before.
    after: String,
}

/// `GET /console/links`
pub(super) async fn show_new(State(shared): State<Shared>, visit: Visit, Query(asked): Query<Asked>) -> PageResult {
    let after = Some(asked.after).filter(|after| !after.is_empty());
    let after = after.map(|token| parse(&token)).transpose()?;
    new_form(&shared, &visit, StatusCode::OK, after.as_ref(), &html! {}, &Form::default()).await
}

/// `POST /console/links`
pub(super) async fn create(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    let created = match read(&fields) {
        Ok(request) => link::create(&shared.app, &visit.user, request).await,
        Err(error) => Err(error),
    };
    match form_problem(created, visit.language)? {
        Ok(token) => Ok(redirect(&format!("{ADDRESS}/{token}"))),
        Err(problem) => {
            new_form(&shared, &visit, StatusCode::BAD_REQUEST, None, &layout::alert(&problem), &fields).await
        }
    }
}

/// `GET /console/links/:link`
pub(super) async fn show(
    State(shared): State<Shared>,
    visit: Visit,
    Path(token): Path<String>,
    Query(from): Query<CameFrom>,
) -> PageResult {
    let shown = link::show(&shared.app, &visit.user, &parse(&token)?).await?;
    sheet(&visit, &shown, from.case())
}

/// `POST /console/links/:link/end`
pub(super) async fn end(
    State(shared): State<Shared>,
    visit: Visit,
    Path(token): Path<String>,
    fields: Form,
) -> PageResult {
    let token = parse(&token)?;
    link::end(&shared.app, &visit.user, &token).await?;
    let case = CaseId::parse(fields.text("case")).map(|case| format!("?case={case}")).unwrap_or_default();
    Ok(redirect(&format!("{ADDRESS}/{token}{case}")))
}

fn parse(token: &str) -> Result<LinkToken> {
    LinkToken::parse(token).ok_or_else(|| Error::not_found("no link has this address"))
}

fn read(fields: &Form) -> Result<link::NewLinkForm> {
    let number = |field: LinkNumber, highest: i64| match fields.filled(field.field()) {
        None => Ok(None),
        Some(text) => {
            let number = text.parse().ok().filter(|number| (1..=highest).contains(number));
            number.map(Some).ok_or(FormProblem::LinkNumber { field, highest })
        }
    };
    let (company, frame) = frame_choice::read(fields.text(frame_choice::FIELD))?;
    let (max_uses, days) = (number(LinkNumber::Uses, 1_000_000)?, number(LinkNumber::Days, 3650)?);
    Ok(link::NewLinkForm { company, frame, max_uses, days })
}

async fn new_form(
    shared: &Shared,
    visit: &Visit,
    status: StatusCode,
    after: Option<&LinkToken>,
    above: &Markup,
    fields: &Form,
) -> PageResult {
    let choices = link::choices(&shared.app, &visit.user).await?;
    let page = link::list(&shared.app, &visit.user, after).await?;
    let language = visit.language;
    let title = language.pick("Make a link", "Créer un lien");
    let main = html! {
        h1 { (title) }
        (above)
        p {
            (language.pick(
                "Anyone who has the link can fill in a case, without an account. Send it, or print its code.",
                "Toute personne qui a le lien peut remplir un dossier, sans compte. Envoyez-le, ou imprimez son code.",
            ))
        }
        form.stack method="post" action=(ADDRESS) {
            (layout::csrf(&visit.token))
            label for=(frame_choice::FIELD) { (language.pick("For", "Pour")) }
            (frame_choice::field(&choices, fields.text(frame_choice::FIELD)))
            label for="uses" { (language.pick("How many cases (empty: any number)", "Combien de dossiers (vide : sans limite)")) }
            input #uses name="uses" type="number" min="1" max="1000000" value=(if fields.text("uses").is_empty() { "1" } else { fields.text("uses") });
            label for="days" { (language.pick("Valid for how many days (empty: no end)", "Valable combien de jours (vide : sans fin)")) }
            input #days name="days" type="number" min="1" max="3650" value=(if fields.text("days").is_empty() { "30" } else { fields.text("days") });
            button { (title) }
        }
        (list(language, &page))
    };
    Ok(layout::page_with(status, visit, Section::Links, title, &main))
}

fn list(language: Language, page: &LinkPage) -> Markup {
    html! {
        h2 { (language.pick("Links, the newest first", "Liens, les plus récents d’abord")) }
        @if page.links.is_empty() {
            p { (language.pick("There are none.", "Il n’y en a pas.")) }
        }
        ul.rows {
            @for listed in &page.links {
                @let link = &listed.link;
                li {
                    div {
                        a href={ (ADDRESS) "/" (link.token) } {
                            (listed.frame_name.as_deref().unwrap_or(language.pick("Any kind of case", "Tout type de dossier")))
                        }
                        " · " (listed.company_name)
                        @if let Some(token) = &link.report_token { " · " (token) }
                        p.small {
                            (language.pick("made ", "créé ")) (layout::moment(link.created_at)) " · "
                            (language.pick("cases: ", "dossiers : ")) (link.uses)
                            @if let Some(most) = link.max_uses { (language.pick(" of ", " sur ")) (most) }
                            @if let Some(at) = link.expires_at {
                                (language.pick(" · until ", " · jusqu’au ")) (layout::moment(at))
                            }
                        }
                    }
                    @if listed.has_ended { span.tag { (language.pick("ended", "terminé")) } }
                }
            }
        }
        @if let Some(last) = page.links.last().filter(|_| page.has_more) {
            p { a href={ (ADDRESS) "?after=" (last.link.token) } { (language.pick("Older links", "Liens plus anciens")) } }
        }
    }
}

/// The way back to where the person came from.
fn way_back(from: Option<CaseId>, language: Language) -> Markup {
    html! {
        p.small.back {
            @match from {
                Some(case) => {
                    a href={ "/console/cases/" (case) } { (language.pick("Back to case ", "Retour au dossier ")) (case) }
                }
                None => { a href=(ADDRESS) { (language.pick("Back to the links", "Retour aux liens")) } }
            }
        }
    }
}

/// What the link is for.
fn purpose(shown: &ShownLink, language: Language) -> Markup {
    html! {
        dt { (language.pick("Kind of case", "Type de dossier")) }
        dd { (shown.frame_name.as_deref().unwrap_or(language.pick("any, as the person chooses", "au choix de la personne"))) }
        @if let Some(claim) = &shown.link.report_token {
            dt { (language.pick("Report", "Rapport")) } dd { (claim) }
        }
        @if let Some(person) = &shown.person {
            dt { (language.pick("Person", "Personne")) } dd { (person) }
        }
        @for (case, title) in &shown.cases {
            dt { (language.pick("Open case", "Dossier ouvert")) }
            dd { a href={ "/console/cases/" (case) } { (title) " (" (case) ")" } }
        }
    }
}

fn sheet(visit: &Visit, shown: &ShownLink, from: Option<CaseId>) -> PageResult {
    let Visit { token, language, .. } = visit;
    let code = QrCode::new(&shown.url).map_err(Error::internal)?;
    let drawing = code.render::<svg::Color<'_>>().min_dimensions(280, 280).build();
    let drawing = drawing.split_once("?>").map_or(drawing.as_str(), |(_, svg)| svg).to_owned();
    let title = language.pick("Link", "Lien");
    let state = match shown.state {
        LinkState::Usable => language.pick("The link can be used.", "Le lien est utilisable."),
        LinkState::Expired => language.pick("The link has ended.", "Le lien est terminé."),
        LinkState::UsedUp => language.pick("The link is used up.", "Le lien est épuisé."),
        LinkState::Withdrawn => {
            language.pick("The form of the link is withdrawn.", "Le formulaire du lien est retiré.")
        }
    };
    let main = html! {
        (way_back(from, *language))
        h1 { (shown.company_name) }
        @if let Some(frame) = &shown.frame_name { p { (frame) } }
        figure.qr { (PreEscaped(drawing)) }
        p.address { a href=(shown.url) { (shown.url) } }
        p.copy {
            button.quiet type="button" data-copy=(shown.url) aria-describedby="copied" hidden {
                (language.pick("Copy the address", "Copier l’adresse"))
            }
            " "
            span #copied role="status" data-copied=(language.pick("Copied.", "Copiée.")) {}
        }
        p { (state) }
        dl.facts {
            (purpose(shown, *language))
            dt { (language.pick("Cases opened", "Dossiers ouverts")) }
            dd {
                (shown.link.uses)
                @if let Some(most) = shown.link.max_uses { (language.pick(" of ", " sur ")) (most) }
            }
            dt { (language.pick("Valid until", "Valable jusqu’au")) }
            dd {
                @match shown.link.expires_at {
                    Some(at) => { (layout::moment(at)) }
                    None => { (language.pick("no end", "sans fin")) }
                }
            }
        }
        div.actions {
            button.quiet type="button" data-print hidden { (language.pick("Print", "Imprimer")) }
            @if shown.state == LinkState::Usable {
                form method="post" action={ (ADDRESS) "/" (shown.link.token) "/end" } {
                    (layout::csrf(token))
                    @if let Some(case) = from { input type="hidden" name="case" value=(case); }
                    button.danger data-confirm=(language.pick("End this link?", "Terminer ce lien ?")) {
                        (language.pick("End the link", "Terminer le lien"))
                    }
                }
            }
        }
    };
    Ok(layout::page(visit, Section::Links, title, &main))
}
