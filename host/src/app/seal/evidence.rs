//! Evidence records (RFC 4998): certificates whose time stamps expire are renewed in rounds, with one time stamp for all
//! of them, instead of one appended to each file.
//!
//! A round takes up the certificates that have no evidence, 1,024 in a transaction, and is then stamped. Every later
//! renewal stamps the newest time stamps of all rounds together, and reads no certificate. Nodes take turns: the
//! one that locks the round's row continues it.

use std::time::Duration;

use anyhow::Context;
use sealwright_seal::{
    Sha256Digest,
    evidence::{ArchiveTimeStamp, EvidenceRecord, tree},
    tsp::Token,
};

use super::signature::end_of;
use crate::{
    app::App,
    blobs::BlobKey,
    clock::{Timestamp, random_bytes},
    db::Db,
    domain::id::CaseId,
    error::{Error, Result},
    store::{
        self,
        evidence::{OpenRound, RoundStamp},
    },
};

/// How long before the certificates of a time stamp expire it is renewed: longer than the time at which certificates
/// without evidence get another time stamp of their own.
const MARGIN: Duration = Duration::from_hours(90 * 24);
/// The shortest time between two rounds.
const BETWEEN_ROUNDS: Duration = Duration::from_hours(24);

/// Takes the next step of a round: starts one if `seal.evidence` is set and certificates need it, adds a subtree, or has
/// the complete tree stamped. Returns whether another step follows at once.
pub async fn advance_evidence(app: &App) -> Result<bool> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let open = store::evidence::open(&mut reader).await?;
    let is_due = open.is_none()
        && app.config.seal.evidence
        && store::evidence::is_round_due(&mut reader, now, now.after(MARGIN), now.before(BETWEEN_ROUNDS)).await?;
    drop(reader);
    match open {
        Some(round) if round.is_complete => stamp(app, round).await.map(|()| false),
        Some(round) => add_subtree(app, round).await.map(|()| true),
        None if is_due => start(app, now).await,
        None => Ok(false),
    }
}

/// Starts a round, if an authority's certificates now expire late enough.
async fn start(app: &App, now: Timestamp) -> Result<bool> {
    let until = match app.time.stamp(Sha256Digest::of(random_bytes::<32>())).await {
        Ok(token) => end_of(&token),
        Err(no_time) => {
            tracing::warn!(%no_time, "time stamps expire in some months, and no evidence can be made");
            return Ok(false);
        }
    };
    if until <= now.after(MARGIN) {
        tracing::warn!("time stamps expire in some months, and so does the authority's certificate");
        return Ok(false);
    }
    let mut tx = app.db.begin_maintenance().await?;
    store::evidence::start(&mut tx, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// Adds a subtree. One for which not enough certificates remain is the last.
async fn add_subtree(app: &App, round: OpenRound) -> Result<()> {
    let mut tx = app.db.begin_maintenance().await?;
    if !store::evidence::lock(&mut tx, round).await? {
        return Ok(());
    }
    let most = i64::try_from(tree::SUBTREE).map_err(Error::internal)?;
    let next = store::evidence::next_leaves(&mut tx, round, most).await?;
    let leaves = store::evidence::add_leaves(&mut tx, round, next).await?;
    let hashes: Vec<Sha256Digest> = leaves.into_iter().map(|(_, sha256)| sha256).collect();
    if let Some(root) = tree::root(&hashes) {
        store::evidence::finish_subtree(&mut tx, round, root).await?;
    }
    if next.count < most {
        store::evidence::complete(&mut tx, round).await?;
    }
    Ok(tx.commit().await?)
}

/// Has the root of a complete tree stamped.
async fn stamp(app: &App, round: OpenRound) -> Result<()> {
    let mut reader = app.db.read().await?;
    let roots = store::evidence::roots(&mut reader, round.id).await?;
    drop(reader);
    let Some(root) = tree::root(&roots) else {
        let mut tx = app.db.begin().await?;
        store::evidence::delete_empty(&mut tx, round).await?;
        return Ok(tx.commit().await?);
    };
    let token = match app.time.stamp(root).await {
        Ok(token) => token,
        Err(no_time) => {
            tracing::warn!(round = round.id, %no_time, "an evidence round waits for its time stamp");
            return Ok(());
        }
    };
    let mut tx = app.db.begin().await?;
    let stamped_at = Timestamp::from_millis(token.time().as_millis());
    let is_closed = store::evidence::close(&mut tx, round, token.der(), stamped_at, end_of(&token)).await?;
    tx.commit().await?;
    if is_closed {
        tracing::info!(round = round.id, subtrees = roots.len(), "one time stamp covers the certificates of a round");
    }
    Ok(())
}

/// Has the newest time stamps of rounds stamped again before they expire, all with one time stamp; returns how many.
/// Certificates in rounds for which this is too late get time stamps of their own again.
pub async fn renew_evidence(app: &App) -> Result<usize> {
    let now = app.clock.now();
    release_lapsed(app, now).await?;
    let mut reader = app.db.read().await?;
    let rounds = store::evidence::rounds_to_renew(&mut reader, now, now.after(MARGIN)).await?;
    let mut newest = Vec::new();
    for round in &rounds {
        let stamps = store::evidence::stamps(&mut reader, round.id).await?;
        let last = stamps.last().context("a stamped round has no time stamp").map_err(Error::internal)?;
        newest.push((i64::try_from(stamps.len()).map_err(Error::internal)?, Sha256Digest::of(&last.der)));
    }
    drop(reader);
    let hashes: Vec<Sha256Digest> = newest.iter().map(|(_, hash)| *hash).collect();
    let Some(root) = tree::root(&hashes) else { return Ok(0) };
    let token = match app.time.stamp(root).await {
        Ok(token) => token,
        Err(no_time) => {
            tracing::warn!(rounds = rounds.len(), %no_time, "evidence expires soon and cannot be renewed");
            return Ok(0);
        }
    };
    let end = end_of(&token);
    let mut renewed = 0;
    let mut tx = app.db.begin().await?;
    for (index, (round, (position, _))) in rounds.iter().zip(&newest).enumerate() {
        // Otherwise an authority whose own certificate expires soon would make the records grow with every sweep.
        if end <= round.renew_before {
            tracing::warn!(round = round.id, "evidence expires soon, and so does the authority's certificate");
            continue;
        }
        let path = tree::path(&hashes, index).unwrap_or_default();
        let stamp = RoundStamp { path, der: token.der().to_vec() };
        renewed += usize::from(store::evidence::renew(&mut tx, round.id, *position, &stamp, end).await?);
    }
    tx.commit().await?;
    Ok(renewed)
}

async fn release_lapsed(app: &App, now: Timestamp) -> Result<()> {
    let mut reader = app.db.read().await?;
    let has_lapsed = store::evidence::has_lapsed(&mut reader, now).await?;
    drop(reader);
    if has_lapsed {
        let mut tx = app.db.begin_maintenance().await?;
        let certificates = store::evidence::release_lapsed(&mut tx, now).await?;
        tx.commit().await?;
        tracing::error!(certificates, "evidence was not renewed in time; these get time stamps of their own again");
    }
    Ok(())
}

/// An evidence record, and the PDF that it is about.
pub struct CertificateEvidence {
    pub blob_key: BlobKey,
    pub sha256: Sha256Digest,
    pub record: EvidenceRecord,
}

/// The evidence record of a case's certificate as it is now. None if it has none, or its round is not stamped yet.
pub async fn evidence_record(db: &Db, case: CaseId) -> Result<Option<EvidenceRecord>> {
    Ok(evidence_of(db, case).await?.map(|evidence| evidence.record))
}

/// The same with the PDF that the record is about, for callers that have read one already.
pub async fn evidence_of(db: &Db, case: CaseId) -> Result<Option<CertificateEvidence>> {
    let mut reader = db.read().await?;
    let Some(certificate) = store::certificate::find(&mut reader, case).await? else { return Ok(None) };
    let (Some(pdf), Some((round, subtree))) = (certificate.pdf, certificate.evidence) else { return Ok(None) };
    let stamps = store::evidence::stamps(&mut reader, round).await?;
    let Some((first, later)) = stamps.split_first() else { return Ok(None) };
    let leaves = store::evidence::leaves(&mut reader, round, subtree).await?;
    let roots = store::evidence::roots(&mut reader, round).await?;
    drop(reader);
    // A PDF that was replaced between these reads has none.
    let Some(leaf) = leaves.iter().position(|leaf| *leaf == (case, pdf.sha256)) else { return Ok(None) };
    let hashes: Vec<Sha256Digest> = leaves.into_iter().map(|(_, sha256)| sha256).collect();
    let below = tree::path(&hashes, leaf);
    let above = usize::try_from(subtree).ok().and_then(|subtree| tree::path(&roots, subtree));
    let path = below.zip(above).map(|(below, above)| [below, above].concat());
    let path = path.context("an evidence round lacks a subtree").map_err(Error::internal)?;
    let mut newest = token(first)?;
    let stamped = |hash: &Sha256Digest, path: &[Sha256Digest], token: &Token| {
        ArchiveTimeStamp::new(hash, path, token.clone()).map_err(Error::internal)
    };
    let mut record = EvidenceRecord::new(stamped(&pdf.sha256, &path, &newest)?);
    for stamp in later {
        let next = token(stamp)?;
        record.append(stamped(&newest.sha256(), &stamp.path, &next)?);
        newest = next;
    }
    Ok(Some(CertificateEvidence { blob_key: pdf.blob_key, sha256: pdf.sha256, record }))
}

fn token(stamp: &RoundStamp) -> Result<Token> {
    Token::from_der(&stamp.der).map_err(Error::internal)
}
