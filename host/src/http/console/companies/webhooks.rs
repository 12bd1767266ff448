//! Where a company's webhooks go, and a test of each.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use maud::{Markup, html};
use strum::VariantArray as _;

use super::{address, after_change, hidden, page, parse, revision};
use crate::{
    app::console::company::{self, CompanyView},
    domain::company_manifest::{CompanyManifest, Credentials, Webhook, WebhookKind},
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
    let changed = async {
        let change = |manifest: &mut CompanyManifest| match fields.text("do") {
            "save" => {
                save(manifest, kind, &fields);
                Ok(())
            }
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
/// who may change the address must not learn the secret.
fn save(manifest: &mut CompanyManifest, kind: WebhookKind, fields: &Form) {
    let (endpoint, auth) = (fields.text("endpoint").trim(), fields.text("auth"));
    let same = |webhook: &Webhook| webhook.auth == auth && is_same_host(&webhook.endpoint, endpoint);
    let before = manifest.webhooks.remove(&kind).filter(same);
    let before = before.map(|webhook| webhook.credentials).unwrap_or_default();
    let secret = |name: &str, before: Option<SecretString>| match fields.text(name) {
        "" => before,
        text => Some(SecretString::new(text)),
    };
    let credentials = Credentials {
        auth_token: secret("auth_token", before.auth_token),
        api_key: secret("api_key", before.api_key),
        api_secret: secret("api_secret", before.api_secret),
    };
    let webhook = Webhook { endpoint: endpoint.to_owned(), auth: auth.to_owned(), credentials, line: 0 };
    manifest.webhooks.insert(kind, webhook);
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
