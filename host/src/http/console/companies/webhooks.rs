//! Where a company's webhooks go, and a test of each.

use std::time::Duration;

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use maud::{Markup, html};
use strum::VariantArray as _;

use super::{address, after_change, hidden, page, parse, revision};
use crate::{
    app::console::company::{self, CompanyView},
    clock::Timestamp,
    domain::{
        company_manifest::{
            CompanyManifest, Credentials, PreviousSecret, Webhook, WebhookKind, signs_with_each_secret,
        },
        retry_schedule::RetrySchedule,
    },
    error::Error,
    http::{
        console::{
            form::Form,
            layout,
            problem::{PageResult, form_problem},
            visit::Visit,
        },
        link::Language,
        shared::Shared,
    },
    secrets::SecretString,
};

/// `POST /console/companies/:company/webhooks/:kind`: saves, ends or tests a webhook, as the button says.
pub(in crate::http::console) async fn change(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, kind)): Path<(String, String)>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    let kind: WebhookKind = kind.parse().map_err(|_| Error::not_found("no webhook has this address"))?;
    if fields.text("do") == "test" {
        return test(&shared, &visit, id, kind).await;
    }
    let now = shared.app.clock.now();
    let changed = async {
        let change = |manifest: &mut CompanyManifest| match fields.text("do") {
            "save" => save(manifest, kind, &fields, now),
            "end" => {
                manifest.webhooks.remove(&kind);
                Ok(())
            }
            _ => Err(Error::invalid("the form is incomplete: load the page again")),
        };
        company::edit(&shared.app, &visit.user, id, revision(&fields)?, change).await
    };
    let changed = changed.await;
    after_change(&shared, &visit, id, changed).await
}

async fn test(shared: &Shared, visit: &Visit, id: crate::domain::id::CompanyId, kind: WebhookKind) -> PageResult {
    let language = visit.language;
    let sent = form_problem(company::test_webhook(&shared.app, &visit.user, id, kind).await, language)?;
    let (status, above) = match sent {
        Ok(sent) => {
            let answer = match sent.outcome {
                Ok(status) => {
                    format!("{}{status}", language.pick("the receiver answered ", "le destinataire a répondu "))
                }
                Err(reason) => format!("{}{reason}", language.pick("no answer: ", "pas de réponse : ")),
            };
            let answer = match sent.answer {
                Some(text) => format!("{answer}: {text}"),
                None => answer,
            };
            let milliseconds = sent.duration.as_millis();
            let text = format!("{}: {answer} ({milliseconds} ms)", name(kind, language));
            (StatusCode::OK, layout::notice(&text))
        }
        Err(problem) => (StatusCode::BAD_REQUEST, layout::alert(&problem)),
    };
    let view = company::show(&shared.app, &visit.user, id).await?;
    Ok(page(visit, &view, status, &above))
}

/// A secret that is left empty stays as it is, unless it would go to another host or be used in another way: a person
/// who may change the address must not learn the secret. A new secret that can be valid together with the one before is,
/// for a day.
fn save(manifest: &mut CompanyManifest, kind: WebhookKind, fields: &Form, now: Timestamp) -> Result<(), Error> {
    const OVERLAP: Duration = Duration::from_hours(24);
    let (endpoint, auth) = (fields.text("endpoint").trim(), fields.text("auth"));
    let same = |webhook: &Webhook| webhook.auth == auth && is_same_host(&webhook.endpoint, endpoint);
    let before = manifest.webhooks.remove(&kind);
    let stored = before.as_ref().map(|webhook| webhook.retries.clone()).unwrap_or_default();
    let retries = if fields.is_ticked("retry_seconds") {
        let given = fields.text("retry_seconds").trim().parse::<RetrySchedule>();
        given.map_err(|error| Error::invalid(format!("retries: {error}")))?
    } else {
        stored
    };
    let before = before.filter(same).map(|webhook| webhook.credentials).unwrap_or_default();
    let is_replaced = signs_with_each_secret(auth) && !fields.text("api_secret").is_empty();
    let previous = if is_replaced {
        before.api_secret.clone().map(|secret| PreviousSecret { secret, until: now.after(OVERLAP) })
    } else {
        before.previous
    };
    let secret = |name: &str, before: Option<SecretString>| match fields.text(name) {
        "" => before,
        text => Some(SecretString::new(text)),
    };
    let credentials = Credentials {
        auth_token: secret("auth_token", before.auth_token),
        api_key: secret("api_key", before.api_key),
        api_secret: secret("api_secret", before.api_secret),
        previous,
    };
    let webhook = Webhook { endpoint: endpoint.to_owned(), auth: auth.to_owned(), credentials, retries, line: 0 };
    manifest.webhooks.insert(kind, webhook);
    Ok(())
}

fn is_same_host(before: &str, after: &str) -> bool {
    let origin = |address: &str| url::Url::parse(address).ok().map(|url| url.origin());
    origin(before).is_some_and(|before| origin(after) == Some(before))
}

const fn name(kind: WebhookKind, language: Language) -> &'static str {
    match kind {
        WebhookKind::Case => language.pick("Closed cases", "Dossiers clos"),
        WebhookKind::Analysis => language.pick("Verdicts", "Verdicts"),
        WebhookKind::Decision => language.pick("Decisions", "Décisions"),
    }
}

pub(super) fn section(visit: &Visit, view: &CompanyView, can_change: bool) -> Markup {
    let language = visit.language;
    html! {
        section {
            h2 { (language.pick("Webhooks", "Webhooks")) }
            @for &kind in WebhookKind::VARIANTS {
                (webhook(visit, view, kind, can_change))
            }
        }
    }
}

fn webhook(visit: &Visit, view: &CompanyView, kind: WebhookKind, can_change: bool) -> Markup {
    let (language, stored) = (visit.language, &view.stored);
    let webhook = stored.manifest.webhooks.get(&kind);
    let is_own = stored.own_webhooks.contains(&kind);
    let paused_at = view.paused.get(&kind).copied();
    let field = |name: &str| format!("{kind}-{name}");
    html! {
        details {
            summary {
                (name(kind, language)) " · "
                @match webhook {
                    Some(webhook) => { (webhook.endpoint) }
                    None if is_own => { (language.pick("set by the company through the API", "défini par la société, par l’API")) }
                    None => { (language.pick("none", "aucun")) }
                }
                @if let Some(since) = paused_at {
                    " · " strong { (language.pick("paused since ", "en pause depuis le ")) (layout::moment(since)) }
                }
            }
            @if paused_at.is_some() {
                p { (language.pick(
                    "The receiver accepted none of the last webhooks. One is sent from time to time; the others wait, and are sent when it accepts one.",
                    "Le destinataire n’a accepté aucun des derniers webhooks. Un webhook est envoyé de temps en temps ; les autres attendent et partiront dès qu’il en accepte un.",
                )) }
            }
            form.stack method="post" action={ (address(stored.company.id)) "/webhooks/" (kind) } {
                (hidden(visit, stored.company.revision))
                fieldset disabled[!can_change] {
                    label for=(field("endpoint")) { (language.pick("Address", "Adresse")) }
                    input id=(field("endpoint")) name="endpoint" type="url" maxlength="2048"
                        value=(webhook.map_or("", |webhook| webhook.endpoint.as_str()));
                    label for=(field("auth")) { (language.pick("Authentication", "Authentification")) }
                    select id=(field("auth")) name="auth" {
                        @for mode in &view.webhook_modes {
                            option value=(mode) selected[webhook.is_some_and(|webhook| webhook.auth == *mode)] { (mode) }
                        }
                    }
                    (secret(&field("token"), "auth_token", language.pick("Token (empty: as it is, for the same host)", "Jeton (vide : inchangé, pour le même hôte)")))
                    (secret(&field("key"), "api_key", language.pick("Key (empty: as it is, for the same host)", "Clé (vide : inchangée, pour le même hôte)")))
                    (secret(&field("secret"), "api_secret", language.pick("Secret (empty: as it is, for the same host)", "Secret (vide : inchangé, pour le même hôte)")))
                    label for=(field("retries")) { (language.pick("Seconds before each further attempt, separated by commas (empty: one attempt)", "Secondes avant chaque nouvel essai, séparées par des virgules (vide : un seul essai)")) }
                    input id=(field("retries")) name="retry_seconds" type="text" inputmode="numeric" autocomplete="off"
                        value=(webhook.map(|webhook| webhook.retries.to_string()).unwrap_or_default());
                    @if can_change { button name="do" value="save" { (language.pick("Save", "Enregistrer")) } }
                    @if can_change && webhook.is_some() {
                        button.danger name="do" value="end" formnovalidate { (language.pick("End it", "Y mettre fin")) }
                    }
                }
                @if webhook.is_some() || is_own {
                    button.quiet name="do" value="test" formnovalidate { (language.pick("Send a test", "Envoyer un test")) }
                }
            }
        }
    }
}

fn secret(id: &str, name: &str, label: &str) -> Markup {
    html! {
        label for=(id) { (label) }
        input id=(id) name=(name) type="password" autocomplete="off";
    }
}
