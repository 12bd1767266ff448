//! The company's options and webhook settings.

use serde_json::json;

use crate::{
    app::company_options::{ApiSettings, CASE_WEBHOOK, CompanyOptions, Endpoints, UpdatedApiSettings, WebhookTest},
    domain::company_options::{AuthorizationHeader, NewApiSettings},
    http::openapi::{
        description::{Answer, Body, Description, Tag},
        example,
    },
};

const ENDPOINT: &str = "https://hooks.acme.example/cases";

pub(super) fn read() -> Description {
    let options = CompanyOptions { company_id: example::COMPANY, document_analysis: true, api_settings: settings() };
    Description {
        tag: Tag::Company,
        summary: "Read the company's options",
        details: "Whether documents are analysed, and where the case webhook goes. Credentials are never shown. If the operator has \
                  configured a mode that the company cannot choose itself, `authorizationHeader` is that mode's name, such as \
                  `hmac-sha256`.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The options.", &options)],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

pub(super) fn update_api_settings() -> Description {
    let body = json!({
        "endpoint": ENDPOINT,
        "authToken": "a-long-random-text-of-yours",
        "authorizationHeader": AuthorizationHeader::Authorization.into_str(),
    });
    let updated = UpdatedApiSettings { company_id: example::COMPANY, api_settings: settings() };
    Description {
        tag: Tag::Company,
        summary: "Set where the case webhook goes",
        details: "Takes effect with the next dispatch and replaces the previous configuration. To change the token, send everything again. \
                  The form of the URL is checked here. Its host name is resolved at each dispatch, and must \
                  resolve to public addresses only.",
        query: Vec::new(),
        body: Some(Body::json("The endpoint and its token.", body, NewApiSettings::read)),
        answers: vec![Answer::json(200, "The settings are stored.", &updated)],
        refusals: vec![(
            400,
            "The URL is not https, or its host is an address, a name without a domain, or a local name.",
            "endpoint is refused: the scheme must be https, not http",
        )],
        next: Vec::new(),
    }
}

pub(super) fn test_case_webhook() -> Description {
    let test =
        WebhookTest { accepted: true, status: Some(200), error: None, answer: Some("ok".to_owned()), duration_ms: 84 };
    Description {
        tag: Tag::Company,
        summary: "Send a test to the case webhook",
        details: "Posts `{\"test\": true, \"webhook\": \"case\", \"sentAt\": …}` to the endpoint, authenticated like every case webhook, and \
                  returns what the receiver answered. Nothing is retried or recorded as an attempt.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The test was sent, or could not be sent for the reason in `error`.", &test)],
        refusals: vec![(400, "The company has no case webhook.", "the company has no case webhook")],
        next: Vec::new(),
    }
}

fn settings() -> Vec<ApiSettings> {
    vec![ApiSettings {
        api_name: CASE_WEBHOOK,
        endpoints: Endpoints { send_case: ENDPOINT.to_owned() },
        authorization_header: AuthorizationHeader::Authorization.into_str().to_owned(),
        has_credentials: true,
    }]
}
