//! Webhook settings, and the record of every attempt. Deliveries with retries are in `delivery`.

mod delivery;

use std::time::Duration;

use serde::Serialize;
use strum::{Display, EnumString};

pub use self::delivery::{
    Delivery, DeliveryCount, DeliveryState, Pause, WebhookState, counts, delete_deliveries_before, forget_answers,
    forget_case, forget_delivery, job_kind, lock_failing_receivers, lock_receiver, lock_receivers, next_probe,
    note_failure, note_success, pass_turn, pause, pause_of, probe_now, save_delivery, states, take_probe,
    waiting_delivery,
};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        company_manifest::WebhookKind,
        id::{CaseId, CompanyId},
        retry_schedule::RetrySchedule,
    },
};

/// The settings of a company's webhook.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct WebhookSettings {
    pub endpoint: String,
    /// The name of a webhook-auth mode.
    pub mode: String,
    /// Encrypted with the key that is stored outside the database.
    pub credentials: String,
    pub source: WebhookSource,
    /// Empty: a delivery has one attempt.
    pub retries: RetrySchedule,
}

/// Who set a webhook. `apply` removes what it set itself, never what the company set through the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum WebhookSource {
    Manifest,
    Api,
}

sealwright_base::text_column!(WebhookSource, "source of a webhook");

/// One dispatch and its outcome. It never contains a token.
#[derive(Clone, Debug, Serialize, sqlx_macros::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    pub id: i64,
    pub company_id: CompanyId,
    pub case_id: CaseId,
    pub kind: WebhookKind,
    pub url: String,
    pub started_at: Timestamp,
    pub duration_ms: i64,
    /// The receiver's answer; if there is none, `error` says why.
    pub status: Option<i64>,
    pub error: Option<String>,
    /// The same for all attempts of one delivery. None for attempts of earlier versions, here and below.
    pub delivery: Option<String>,
    /// The first bytes of the answer's body.
    pub answer: Option<String>,
    /// What followed; none after a success, and without retries.
    pub fate: Option<Fate>,
    /// When the next attempt is due, if there is one.
    pub next_at: Option<Timestamp>,
}

/// What follows a failed attempt of a delivery with retries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Fate {
    /// It is retried at a time of the schedule.
    Retried,
    /// The receiver is paused: the delivery waits until it answers.
    Paused,
    /// That was the last attempt.
    GivenUp,
}

sealwright_base::text_column!(Fate, "fate of an attempt");

/// An attempt to record; the database gives it its identifier.
#[derive(Clone, Debug)]
pub struct NewAttempt {
    pub case: CaseId,
    pub kind: WebhookKind,
    pub url: String,
    pub started_at: Timestamp,
    pub duration: Duration,
    pub outcome: Result<u16, String>,
    pub delivery: String,
    pub answer: Option<String>,
}

impl NewAttempt {
    /// Whether the receiver accepted it.
    pub fn is_success(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|status| (200..300).contains(status))
    }
}

pub async fn settings(
    reader: &mut Reader,
    company: CompanyId,
    kind: WebhookKind,
) -> sqlx::Result<Option<WebhookSettings>> {
    reader
        .query("select endpoint, mode, credentials, source, retries from webhooks where company_id = $1 and kind = $2")
        .bind(company)
        .bind(kind)
        .optional()
        .await
}

/// The mode of every configured webhook, by company.
pub async fn named_modes(reader: &mut Reader) -> sqlx::Result<Vec<(CompanyId, String)>> {
    reader.query("select distinct company_id, mode from webhooks order by company_id, mode").all().await
}

pub async fn save_settings(
    tx: &mut Tx,
    company: CompanyId,
    kind: WebhookKind,
    settings: &WebhookSettings,
) -> sqlx::Result<()> {
    tx.query(
        "insert into webhooks (company_id, kind, endpoint, mode, credentials, source, retries)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (company_id, kind) do update set
           endpoint = excluded.endpoint, mode = excluded.mode, credentials = excluded.credentials,
           source = excluded.source, retries = excluded.retries, failures = 0, paused_at = null, probe_at = null",
    )
    .bind(company)
    .bind(kind)
    .bind(&settings.endpoint)
    .bind(&settings.mode)
    .bind(&settings.credentials)
    .bind(settings.source)
    .bind(&settings.retries)
    .execute()
    .await?;
    Ok(())
}

pub async fn delete_settings(tx: &mut Tx, company: CompanyId, kind: WebhookKind) -> sqlx::Result<()> {
    tx.query("delete from webhooks where company_id = $1 and kind = $2").bind(company).bind(kind).execute().await?;
    Ok(())
}

/// Records an attempt, and what follows it. The answer is not kept if the case was deleted or items of it were erased:
/// the receiver may repeat them.
pub async fn record_attempt(
    tx: &mut Tx,
    company: CompanyId,
    attempt: &NewAttempt,
    next: Option<(Fate, Option<Timestamp>)>,
) -> sqlx::Result<()> {
    let (status, error) = match &attempt.outcome {
        Ok(status) => (Some(i64::from(*status)), None),
        Err(error) => (None, Some(error)),
    };
    tx.query(
        "insert into webhook_attempts (company_id, case_id, kind, url, started_at, duration_ms, status, error,
                                       delivery, answer, fate, next_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
                 case when exists (select 1 from cases where id = $2)
                       and not exists (select 1 from erased_items where case_id = $2) then $10 end,
                 $11, $12)",
    )
    .bind(company)
    .bind(attempt.case)
    .bind(attempt.kind)
    .bind(&attempt.url)
    .bind(attempt.started_at)
    .bind(i64::try_from(attempt.duration.as_millis()).unwrap_or(i64::MAX))
    .bind(status)
    .bind(error)
    .bind(&attempt.delivery)
    .bind(&attempt.answer)
    .bind(next.map(|(fate, _)| fate))
    .bind(next.and_then(|(_, at)| at))
    .execute()
    .await?;
    Ok(())
}

/// The latest attempts of all companies, newest first, for the operator.
pub async fn latest_attempts(reader: &mut Reader, most: i64) -> sqlx::Result<Vec<Attempt>> {
    reader.query("select * from webhook_attempts order by id desc limit $1").bind(most).all().await
}

/// The attempts for a case, newest first.
pub async fn attempts_of_case(reader: &mut Reader, company: CompanyId, case: CaseId) -> sqlx::Result<Vec<Attempt>> {
    reader
        .query("select * from webhook_attempts where company_id = $1 and case_id = $2 order by id desc limit 200")
        .bind(company)
        .bind(case)
        .all()
        .await
}

/// One attempt of any company, for the operator.
pub async fn find_attempt(reader: &mut Reader, id: i64) -> sqlx::Result<Option<Attempt>> {
    reader.query("select * from webhook_attempts where id = $1").bind(id).optional().await
}
