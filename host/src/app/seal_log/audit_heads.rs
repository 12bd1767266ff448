//! Heads of the audit log in the log of seals, and the check of the whole log, on which the audit log's check relies.

use sealwright_seal::tlog::{
    Checkpoint,
    entry::{AuditHead, LogEntry},
    tree::Frontier,
};

use super::{LogStopped, NewestHead, append, head, newest, publish, state};
use crate::{
    app::App,
    clock::Timestamp,
    db::{Reader, Tx},
    domain::moment::parse_moment,
    error::{Error, Result},
    store,
};

/// How many entries are read at once.
const PART: u64 = 1000;

/// A head of the audit log in the log of seals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedHead {
    /// The position of its entry, from 0.
    pub entry: u64,
    pub head: AuditHead,
}

/// What a check of the whole log of seals has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogCheck {
    /// In the order of the log.
    pub heads: Vec<PublishedHead>,
    /// Why its heads prove nothing.
    pub problem: Option<String>,
}

/// Appends the head of the audit log, unless the log has it already or a head younger than `not_after`. For a log without
/// a head, the age of the first record counts.
pub async fn append_audit_head(app: &App, not_after: Timestamp) -> Result<Result<Option<AuditHead>, LogStopped>> {
    let mut reader = app.db.read().await?;
    let is_due = due(&mut reader, not_after).await?.is_some();
    drop(reader);
    if !is_due {
        return Ok(Ok(None));
    }
    let newest = newest(app).await?;
    let mut tx = app.db.begin().await?;
    let appended = append_in(app, &mut tx, newest, not_after).await;
    let appended = tx.settle(appended).await?;
    if let Ok(Some(_)) = &appended
        && let Err(stopped) = publish(app, newest).await?
    {
        return Ok(Err(stopped));
    }
    Ok(appended)
}

async fn append_in(
    app: &App,
    tx: &mut Tx,
    newest: NewestHead,
    not_after: Timestamp,
) -> Result<Result<Option<AuditHead>, LogStopped>> {
    // Another node may have appended the head meanwhile.
    store::seal_log::lock(tx, &app.seal_log.origin).await?;
    let Some(head) = due(tx, not_after).await? else { return Ok(Ok(None)) };
    let head = AuditHead { time: app.clock.now().to_string(), ..head };
    let appended = append(app, tx, newest, None, &LogEntry::AuditHead(head.clone()), None).await?;
    Ok(appended.map(|_| Some(head)))
}

/// The head to append, without its time; none if it is not time.
async fn due(reader: &mut Reader, not_after: Timestamp) -> Result<Option<AuditHead>> {
    let Some(current) = store::audit::head(reader).await?.filter(|head| head.size > 0) else { return Ok(None) };
    let size = u64::try_from(current.size).map_err(Error::internal)?;
    let last = store::seal_log::last_about_no_case(reader).await?;
    let since = match last.as_deref().and_then(AuditHead::of_entry) {
        Some(last) if last.size == size => return Ok(None),
        Some(last) => parse_moment(&last.time),
        None => store::audit::chained(reader, 0, 1).await?.first().map(|record| record.happened_at),
    };
    let is_due = since.is_none_or(|since| since <= not_after);
    Ok(is_due.then(|| AuditHead { size, digest: current.digest, time: String::new() }))
}

/// Computes the log's tree again from its entries, compares it with the signed head, and returns the heads of the audit
/// log in it.
pub async fn check(app: &App) -> Result<LogCheck> {
    if let Some(stopped) = state(&app.seal_log, &app.db, &app.blobs).await?.stopped {
        return Ok(LogCheck { problem: Some(stopped.to_string()), ..LogCheck::default() });
    }
    let Some(head) = head(&app.db).await?.filter(|head| head.frontier.size() > 0) else {
        return Ok(LogCheck::default());
    };
    let (size, origin) = (head.frontier.size(), head.origin.clone());
    let verifier = app.seal_log.signer_of(Some(&head))?.verifier();
    let signed = verifier.open(&head.checkpoint).ok().and_then(|text| Checkpoint::parse(text).ok());
    let Some(signed) = signed.filter(|signed| signed.size == size && signed.origin == origin) else {
        return Ok(LogCheck::broken("the head of the log of seals is not signed by this installation"));
    };
    let mut reader = app.db.read().await?;
    let (mut tree, mut heads) = (Frontier::default(), Vec::new());
    while tree.size() < size {
        let entries = store::seal_log::entries(&mut reader, tree.size(), PART.min(size - tree.size())).await?;
        if entries.is_empty() {
            break;
        }
        for entry in entries {
            let head = AuditHead::of_entry(&entry);
            heads.extend(head.map(|head| PublishedHead { entry: tree.size(), head }));
            drop(tree.append(entry.as_bytes()));
        }
    }
    if tree.size() != size || tree.root() != signed.root {
        return Ok(LogCheck::broken("an entry of the log of seals was changed or removed"));
    }
    Ok(LogCheck { heads, problem: None })
}

impl LogCheck {
    fn broken(problem: &str) -> Self {
        Self { heads: Vec::new(), problem: Some(problem.to_owned()) }
    }
}
