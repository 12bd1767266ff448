//! Opening a case: for someone with a link, or for a field user.

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
};
use maud::{Markup, html};
use strum::VariantArray as _;

use super::view::ADDRESS;
use crate::{
    app::console::{case, link},
    domain::{
        case::{Attachment, NewCase},
        language::CertificateLanguage,
        link::LinkOptions,
        report::ReportToken,
    },
    error::{Error, Result},
    http::{
        console::{
            form::Form,
            frame_choice,
            guard::redirect,
            layout::{self, Section},
            problem::{PageResult, form_problem},
            visit::Visit,
        },
        shared::Shared,
    },
};

/// In characters, as spec 4.4 limits it.
pub(in crate::http::console) const LONGEST_TITLE: usize = 255;

/// The field of a case that asks for something better than an item of a closed case. Its page says what is to be done next.
pub(in crate::http::console) const BETTER: &str = "better";

/// `GET /console/cases/new`: the query may have fields of the form.
pub(in crate::http::console) async fn show(
    State(shared): State<Shared>,
    visit: Visit,
    RawQuery(asked): RawQuery,
) -> PageResult {
    let fields = Form::parse(asked.unwrap_or_default().as_bytes());
    form(&shared, &visit, StatusCode::OK, &html! {}, &fields).await
}

/// `POST /console/cases`
pub(in crate::http::console) async fn open(State(shared): State<Shared>, visit: Visit, fields: Form) -> PageResult {
    let opened = async {
        let (company, frame) = frame_choice::read(fields.text(frame_choice::FIELD))?;
        case::open(&shared.app, &visit.user, company, request(&fields, frame)?).await
    };
    let done = if fields.is_ticked(BETTER) { "?done=asked" } else { "" };
    match form_problem(opened.await, visit.language)? {
        Ok(case) => Ok(redirect(&format!("{ADDRESS}/{case}{done}"))),
        Err(problem) => form(&shared, &visit, StatusCode::BAD_REQUEST, &layout::alert(&problem), &fields).await,
    }
}

fn request(fields: &Form, frame: crate::domain::id::FrameId) -> Result<NewCase> {
    let title = fields.filled("title");
    if title.is_some_and(|title| title.chars().count() > LONGEST_TITLE || title.chars().any(char::is_control)) {
        return Err(Error::invalid(format!("title: at most {LONGEST_TITLE} characters on one line are allowed")));
    }
    let report_token = match fields.filled("report") {
        None => None,
        Some(text) => Some(
            ReportToken::parse(text)
                .ok_or_else(|| Error::invalid(format!("report: must have {}", ReportToken::EXPECTED)))?,
        ),
    };
    let language = match fields.filled("language") {
        None => None,
        Some(text) => {
            let language = text.parse::<CertificateLanguage>();
            let expected = || Error::invalid(format!("language: must be {}", CertificateLanguage::EXPECTED));
            Some(language.map_err(|_| expected())?)
        }
    };
    let attachment = match (fields.text("by"), fields.filled("mail")) {
        ("link", _) => {
            let needed = || Error::invalid("report: a link needs one");
            let report_token = report_token.clone().ok_or_else(needed)?;
            Attachment::NewLink(LinkOptions { report_token, max_uses: Some(1), expires_at: None })
        }
        ("user", Some(mail)) => Attachment::Mail(mail.to_owned()),
        ("user", None) => return Err(Error::invalid("e-mail: enter the address of the field user")),
        _ => return Err(Error::invalid("filled in by: choose a link or a field user")),
    };
    Ok(NewCase {
        frame,
        title: title.map(str::to_owned),
        attachment,
        child_company: None,
        report_token,
        context: None,
        metadata: None,
        scheduled_at: None,
        language,
    })
}

async fn form(shared: &Shared, visit: &Visit, status: StatusCode, above: &Markup, fields: &Form) -> PageResult {
    let choices = link::choices(&shared.app, &visit.user).await?;
    let language = visit.language;
    let title = language.pick("Open a case", "Ouvrir un dossier");
    let is_by_user = fields.text("by") == "user";
    let main = html! {
        h1 { (title) }
        (above)
        form.stack method="post" action=(ADDRESS) {
            (layout::csrf(&visit.token))
            @if fields.is_ticked(BETTER) { input type="hidden" name=(BETTER) value="yes"; }
            label for=(frame_choice::FIELD) { (language.pick("Kind of case", "Type de dossier")) }
            (frame_choice::field(&choices, fields.text(frame_choice::FIELD)))
            label for="title" { (language.pick("Title (empty: the kind of case)", "Titre (vide : le type de dossier)")) }
            input #title name="title" maxlength=(LONGEST_TITLE) value=(fields.text("title"));
            label for="report" { (language.pick("Report, such as the number of the claim", "Rapport, par exemple le numéro du sinistre")) }
            input #report name="report" maxlength="255" value=(fields.text("report"));
            label for="language" { (language.pick("Language of the certificate", "Langue du certificat")) }
            select #language name="language" {
                option value="" { (language.pick("that of the company", "celle de la société")) }
                @for one in CertificateLanguage::VARIANTS {
                    option value=(one.into_str()) lang=(one.into_str())
                        selected[fields.text("language") == one.into_str()] { (one.own_name()) }
                }
            }
            fieldset {
                legend { (language.pick("Filled in by", "Rempli par")) }
                label.box {
                    input type="radio" name="by" value="link" required checked[!is_by_user];
                    (language.pick("anyone who has its link (needs a report)", "toute personne qui a son lien (le rapport est nécessaire)"))
                }
                label.box {
                    input type="radio" name="by" value="user" checked[is_by_user];
                    (language.pick("a field user, in the app", "un utilisateur de terrain, dans l’application"))
                }
            }
            label for="mail" { (language.pick("E-mail of the field user", "E-mail de l’utilisateur de terrain")) }
            input #mail name="mail" type="email" value=(fields.text("mail"));
            button { (title) }
        }
    };
    Ok(layout::page_with(status, visit, Section::Cases, title, &main))
}
