//! Deliveries with retries whose attempts have failed so far, and receivers that are paused.

#[cfg(test)]
mod tests;

use serde::Serialize;
use strum::{Display, EnumString, VariantArray as _};

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        company_manifest::WebhookKind,
        id::{CaseId, CompanyId},
    },
    store::job::{self, JobKind},
};

/// A delivery with retries after its first failure.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Delivery {
    /// What `webhook-id` says.
    pub delivery: String,
    /// How many attempts have failed. Attempts at a paused receiver are not counted.
    pub attempts: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Display, EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum DeliveryState {
    /// Another attempt follows.
    Waiting,
    /// Its attempts are used up.
    Failed,
}

sealwright_base::text_column!(DeliveryState, "state of a delivery");

/// What is known about a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Pause {
    /// How many attempts have failed since the last success.
    pub failures: i64,
    pub paused_at: Option<Timestamp>,
    /// When the next delivery tries a paused receiver.
    pub probe_at: Option<Timestamp>,
}

/// A company's webhook, as the operator sees it.
#[derive(Clone, Debug, Serialize, sqlx_macros::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct WebhookState {
    pub company_id: CompanyId,
    pub kind: WebhookKind,
    pub mode: String,
    pub endpoint: String,
    pub failures: i64,
    pub paused_at: Option<Timestamp>,
    pub probe_at: Option<Timestamp>,
}

/// How many deliveries of a webhook are in a state.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
pub struct DeliveryCount {
    pub company_id: CompanyId,
    pub kind: WebhookKind,
    pub state: DeliveryState,
    pub count: i64,
}

impl DeliveryCount {
    /// Whether these deliveries wait for another attempt; otherwise their attempts are used up.
    pub fn is_waiting(&self) -> bool {
        self.state == DeliveryState::Waiting
    }
}

/// The delivery about a case that waits for its next attempt.
pub async fn waiting_delivery(reader: &mut Reader, case: CaseId, kind: WebhookKind) -> sqlx::Result<Option<Delivery>> {
    reader
        .query(
            "select delivery, attempts from webhook_deliveries
             where case_id = $1 and kind = $2 and state = 'waiting'",
        )
        .bind(case)
        .bind(kind)
        .optional()
        .await
}

/// Records how a delivery about a case stands.
pub async fn save_delivery(
    tx: &mut Tx,
    (company, case, kind): (CompanyId, CaseId, WebhookKind),
    delivery: &Delivery,
    state: DeliveryState,
    now: Timestamp,
) -> sqlx::Result<()> {
    tx.query(
        "insert into webhook_deliveries (case_id, kind, company_id, delivery, attempts, state, changed_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (case_id, kind) do update set delivery = excluded.delivery, attempts = excluded.attempts,
           state = excluded.state, changed_at = excluded.changed_at",
    )
    .bind(case)
    .bind(kind)
    .bind(company)
    .bind(&delivery.delivery)
    .bind(delivery.attempts)
    .bind(state)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Forgets the failures of a delivery about a case; returns whether there were any.
pub async fn forget_delivery(tx: &mut Tx, case: CaseId, kind: WebhookKind) -> sqlx::Result<bool> {
    let delete = "delete from webhook_deliveries where case_id = $1 and kind = $2";
    Ok(tx.query(delete).bind(case).bind(kind).execute().await? > 0)
}

/// Forgets the deliveries about a deleted case, and what receivers answered.
pub async fn forget_case(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    tx.query("delete from webhook_deliveries where case_id = $1").bind(case).execute().await?;
    forget_answers(tx, case).await
}

/// Deletes the receivers' answers about a case, because they may repeat the webhook's content.
pub async fn forget_answers(tx: &mut Tx, case: CaseId) -> sqlx::Result<()> {
    let forget = "update webhook_attempts set answer = null where case_id = $1 and answer is not null";
    tx.query(forget).bind(case).execute().await?;
    Ok(())
}

/// Deletes failed deliveries that have not changed since `before`, like the records of their attempts.
pub async fn delete_deliveries_before(tx: &mut Tx, before: Timestamp) -> sqlx::Result<u64> {
    let delete = "delete from webhook_deliveries where state = 'failed' and changed_at < $1";
    tx.query(delete).bind(before).execute().await
}

/// What is known about the receiver of a company's webhook; none if the webhook is gone.
pub async fn pause_of(reader: &mut Reader, company: CompanyId, kind: WebhookKind) -> sqlx::Result<Option<Pause>> {
    reader
        .query("select failures, paused_at, probe_at from webhooks where company_id = $1 and kind = $2")
        .bind(company)
        .bind(kind)
        .optional()
        .await
}

/// When a paused receiver is tried next; none if it is not paused.
pub async fn next_probe(reader: &mut Reader, company: CompanyId, kind: WebhookKind) -> sqlx::Result<Option<Timestamp>> {
    Ok(pause_of(reader, company, kind).await?.and_then(|pause| pause.paused_at.and(pause.probe_at)))
}

/// Lets another delivery try a paused receiver, instead of one that has ended without sending anything. The receiver must
/// be locked: otherwise a delivery that begins to wait meanwhile may rely on the one that has ended.
pub async fn pass_turn(tx: &mut Tx, company: CompanyId, kind: WebhookKind, now: Timestamp) -> sqlx::Result<()> {
    if let Some(probe_at) = next_probe(tx, company, kind).await? {
        let (job, probe_at) = (job_kind(kind), probe_at.max(now));
        if !job::is_next_due(tx, job, company, probe_at).await? {
            job::bring_next_forward(tx, job, company, probe_at).await?;
        }
    }
    Ok(())
}

/// The kind of the jobs that deliver a webhook.
pub const fn job_kind(kind: WebhookKind) -> JobKind {
    match kind {
        WebhookKind::Analysis => JobKind::DeliverAnalysis,
        WebhookKind::Case => JobKind::DeliverCase,
        WebhookKind::Decision => JobKind::DeliverDecision,
    }
}

/// Keeps others from changing what is known about a receiver until the transaction ends.
pub async fn lock_receiver(tx: &mut Tx, company: CompanyId, kind: WebhookKind) -> sqlx::Result<()> {
    let lock = "update webhooks set failures = failures where company_id = $1 and kind = $2";
    tx.query(lock).bind(company).bind(kind).execute().await?;
    Ok(())
}

/// Like [`lock_receiver`], for each of a company's receivers.
pub async fn lock_receivers(tx: &mut Tx, company: CompanyId) -> sqlx::Result<()> {
    for &kind in WebhookKind::VARIANTS {
        lock_receiver(tx, company, kind).await?;
    }
    Ok(())
}

/// Like [`lock_receiver`], for each of a company's receivers that is paused or may soon be. Returns their kinds.
pub async fn lock_failing_receivers(tx: &mut Tx, company: CompanyId) -> sqlx::Result<Vec<WebhookKind>> {
    let mut locked = Vec::new();
    // One by one, so that all lock them in the same order.
    for &kind in WebhookKind::VARIANTS {
        let lock = "update webhooks set failures = failures
                    where company_id = $1 and kind = $2 and (failures > 0 or paused_at is not null)";
        if tx.query(lock).bind(company).bind(kind).execute().await? > 0 {
            locked.push(kind);
        }
    }
    Ok(locked)
}

/// Takes the turn to try a paused receiver, if it is due; the next turn is at `next`. Only one delivery gets it.
pub async fn take_probe(
    tx: &mut Tx,
    company: CompanyId,
    kind: WebhookKind,
    now: Timestamp,
    next: Timestamp,
) -> sqlx::Result<bool> {
    let taken = tx
        .query(
            "update webhooks set probe_at = $4
             where company_id = $1 and kind = $2 and paused_at is not null and probe_at <= $3",
        )
        .bind(company)
        .bind(kind)
        .bind(now)
        .bind(next)
        .execute()
        .await?;
    Ok(taken == 1)
}

/// Lets the next delivery try a paused receiver at once.
pub async fn probe_now(tx: &mut Tx, company: CompanyId, kind: WebhookKind, now: Timestamp) -> sqlx::Result<()> {
    tx.query(
        "update webhooks set probe_at = $3
         where company_id = $1 and kind = $2 and paused_at is not null and probe_at > $3",
    )
    .bind(company)
    .bind(kind)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Counts a failed attempt.
pub async fn note_failure(tx: &mut Tx, company: CompanyId, kind: WebhookKind) -> sqlx::Result<()> {
    let count = "update webhooks set failures = failures + 1 where company_id = $1 and kind = $2";
    tx.query(count).bind(company).bind(kind).execute().await?;
    Ok(())
}

/// Pauses a receiver until a delivery, from `probe_at` on, is accepted.
pub async fn pause(
    tx: &mut Tx,
    company: CompanyId,
    kind: WebhookKind,
    now: Timestamp,
    probe_at: Timestamp,
) -> sqlx::Result<()> {
    tx.query(
        "update webhooks set paused_at = $3, probe_at = $4
         where company_id = $1 and kind = $2 and paused_at is null",
    )
    .bind(company)
    .bind(kind)
    .bind(now)
    .bind(probe_at)
    .execute()
    .await?;
    Ok(())
}

/// Forgets the failures of a receiver, and ends its pause. A receiver without failures is not written.
pub async fn note_success(tx: &mut Tx, company: CompanyId, kind: WebhookKind) -> sqlx::Result<()> {
    tx.query(
        "update webhooks set failures = 0, paused_at = null, probe_at = null
         where company_id = $1 and kind = $2 and (failures > 0 or paused_at is not null)",
    )
    .bind(company)
    .bind(kind)
    .execute()
    .await?;
    Ok(())
}

/// The webhooks of all companies, or of one.
pub async fn states(reader: &mut Reader, company: Option<CompanyId>) -> sqlx::Result<Vec<WebhookState>> {
    let all: Vec<WebhookState> = reader
        .query(
            "select company_id, kind, mode, endpoint, failures, paused_at, probe_at from webhooks
             order by company_id, kind",
        )
        .all()
        .await?;
    Ok(all.into_iter().filter(|state| company.is_none_or(|company| state.company_id == company)).collect())
}

/// How many deliveries of each webhook are in which state.
pub async fn counts(reader: &mut Reader) -> sqlx::Result<Vec<DeliveryCount>> {
    reader
        .query(
            "select company_id, kind, state, count(*) as count from webhook_deliveries
             group by company_id, kind, state order by company_id, kind, state",
        )
        .all()
        .await
}
