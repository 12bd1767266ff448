//! The requests that the server sends itself: OpenAPI's `webhooks` (spec 6).

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::example;
use crate::{
    app::webhook::payload::{AnalysisWebhook, CaseWebhook, Context, DecisionWebhook, WebhookItem},
    domain::{
        analysis::{AnalysisProgress, CaseAnalysis},
        console::Outcome,
        step::StepAction,
    },
};

/// All webhooks, by name.
pub(super) fn webhooks(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "case": { "post": case_webhook(schemas) },
        "analysis": { "post": analysis_webhook(schemas) },
        "decision": { "post": decision_webhook(schemas) },
    })
}

fn case_webhook(schemas: &mut SchemaGenerator) -> Value {
    let metadata = serde_json::Map::from_iter([("policy".to_owned(), json!("P-77"))]);
    let body = CaseWebhook {
        cf_ref: example::case_reference(),
        created_at: example::CREATED,
        report_id: Some(example::REPORT_TOKEN),
        frame: example::FRAME_NAME,
        closed: true,
        case_url: Some(example::url(&format!("/share/case/{}", example::KEY))),
        items: vec![WebhookItem {
            created_at: example::CREATED,
            cf_ref: example::item_reference(),
            title: "Front of the house",
            description: "front.jpg".to_owned(),
            step_action: StepAction::Photography,
            geoloc_latitude: "45.764043",
            geoloc_longitude: "4.835659",
            image_url: example::url(&format!("/images/{}", example::KEY)),
            extracted_data: None,
        }],
        context: Some(Context::OfCase(json!({
            "beneficiaire": { "nom": "Martinel", "prenom": "Noor", "ville": "Valmerle" },
            "emetteur": "Acme claims desk",
        }))),
        metadata: Some(&metadata),
    };
    json!({
        "operationId": "receiveCase",
        "summary": "A case was closed",
        "description": "Sent to the company's endpoint when a case is closed, once its certificate can be read at `caseUrl`. It is sent once and \
                        not repeated: poll `GET /cases?format=metadata&closed=true&hours=<n>` for missed cases. Be idempotent on `cfRef`.\n\n\
                        The company chooses how the server authenticates: `Authorization: Bearer <token>`; `security-token: <token>`; \
                        `x-partner-apikey: <key>`; or a signature, `Authorization: HMAC-SHA256 <key>:<signature>` with `X-Api-Key: <key>`, \
                        where the signature is the lowercase hexadecimal HMAC-SHA256 of the body's bytes as they were sent. Check it on the raw \
                        body.\n\nAnswer 2xx within 10 seconds. Redirects are not followed.",
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": schemas.subschema_for::<CaseWebhook<'_>>(), "example": body } },
        },
        "responses": { "2XX": { "description": "Received. The body is not read." } },
        "security": [],
    })
}

fn analysis_webhook(schemas: &mut SchemaGenerator) -> Value {
    let analysis = CaseAnalysis::of_nothing(example::CASE);
    let body = AnalysisWebhook {
        case_id: example::CASE,
        cf_ref: example::case_reference(),
        progress: AnalysisProgress::Completed,
        trust_score: analysis.trust_score,
        analyze_status: analysis.trust_level,
        analysis: &analysis,
    };
    json!({
        "operationId": "receiveAnalysis",
        "summary": "A case was analysed",
        "description": "Sent to the company's endpoint for analyses when all documents of a closed case have been analysed, or 15 minutes after \
                        its closing with the results so far: `progress` is then `failed`. **Never accept a case automatically on `failed`.** A \
                        case without documents is reported within seconds.\n\n\
                        It may arrive twice for one case, with another score: update, do not insert. It may also not arrive: \
                        `GET /cases/:caseId/analysis` is authoritative.\n\n\
                        The server authenticates with `Authorization: Bearer <token>`, `security-token: <token>` or \
                        `x-partner-apikey: <key>`, as the operator has configured it. Answer 2xx within 10 seconds.",
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": schemas.subschema_for::<AnalysisWebhook<'_>>(), "example": body } },
        },
        "responses": { "2XX": { "description": "Received. The body is not read." } },
        "security": [],
    })
}

fn decision_webhook(schemas: &mut SchemaGenerator) -> Value {
    let body = DecisionWebhook {
        case_id: example::CASE,
        cf_ref: example::case_reference(),
        report_id: Some(example::REPORT_TOKEN),
        outcome: Outcome::Returned,
        reason: "The number on the meter cannot be read.".to_owned(),
        decided_by: "maria".to_owned(),
        decided_at: example::CREATED,
    };
    json!({
        "operationId": "receiveDecision",
        "summary": "A reviewer decided on a case",
        "description": "Sent each time a reviewer accepts, rejects or returns a case in the console, if the company has an endpoint for it. If \
                        one decision on a case follows another quickly, only the newer one may be sent. \
                        `GET /v2/cases/:caseId/decision` is authoritative.\n\n\
                        The server authenticates as for the case webhook. Answer 2xx within 10 seconds.",
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": schemas.subschema_for::<DecisionWebhook<'_>>(), "example": body } },
        },
        "responses": { "2XX": { "description": "Received. The body is not read." } },
        "security": [],
    })
}
