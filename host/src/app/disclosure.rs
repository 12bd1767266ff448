//! Shows some items of a sealed case without the others: a package that anyone can check without the certificate
//! (decisions 18).
//!
//! The statement is made from the certificate's own bytes, so it says nothing that the seal does not cover. The files
//! are streamed into the package.

use std::sync::Arc;

use anyhow::anyhow;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use sealwright_seal::{
    commitment::CommitmentError,
    disclosure::{
        DisclosureError,
        signed::{LoggedSeal, Statement},
    },
    pki::SignError,
};

use super::{
    App,
    audit::{self, Actor, Event},
    seal_log,
    session::Caller,
    share::{self, SharedCertificate},
    zip_stream::{self, Archive, OpenEntry},
};
use crate::{
    blobs::BlobKey,
    clock::Timestamp,
    domain::{
        access_key::ShareToken,
        case::CaseReference,
        id::{CaseId, ItemId},
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    signing::unix_time,
    store::{self, case::Case, item::Item},
    zip::ZipFile,
};

const OPERATION: Operation = Operation::DiscloseItems;
/// The disclosure's name in its package.
const DISCLOSURE: &str = "disclosure.json";

/// A package of disclosed items.
pub struct DisclosurePackage {
    pub reference: CaseReference,
    pub archive: Archive,
}

impl DisclosurePackage {
    /// The usual name of its file.
    pub fn file_name(&self) -> String {
        format!("{}.disclosure.zip", self.reference)
    }
}

/// Discloses items of a case of the caller's company. Waits up to 30 s for a certificate that is still being made.
pub async fn disclose(app: &Arc<App>, caller: &Caller, case: CaseId, items: &[ItemId]) -> Result<DisclosurePackage> {
    let found = find(app, case).await?;
    if found.company != caller.company_id() {
        return Err(OPERATION.foreign(Kind::Case, "the case belongs to another company").into());
    }
    make(app, &caller.actor, &found, items).await
}

/// Like [`disclose`], for the operator, who may disclose items of any company.
pub async fn disclose_by_command(app: &Arc<App>, case: CaseId, items: &[ItemId]) -> Result<DisclosurePackage> {
    let found = find(app, case).await?;
    make(app, &Actor::command(), &found, items).await
}

async fn find(app: &App, case: CaseId) -> Result<Case> {
    let mut reader = app.db.read().await?;
    let found = store::case::find(&mut reader, case).await?;
    found.ok_or_else(|| OPERATION.missing(Kind::Case, format!("case {case} does not exist")).into())
}

async fn make(app: &Arc<App>, actor: &Actor, case: &Case, chosen: &[ItemId]) -> Result<DisclosurePackage> {
    let id = case.id;
    let mut reader = app.db.read().await?;
    let certificate = store::certificate::find(&mut reader, id).await?;
    let all = store::item::of_case(&mut reader, id).await?;
    drop(reader);
    if let Some(unknown) = chosen.iter().find(|chosen| all.iter().all(|item| item.id != **chosen)) {
        return Err(OPERATION.missing(Kind::Item, format!("item {unknown} is not one of case {id}")).into());
    }
    let certificate =
        certificate.ok_or_else(|| Error::state("the case is open: only items of a sealed case can be disclosed"))?;
    let items: Vec<Item> = all.into_iter().filter(|item| chosen.contains(&item.id)).collect();
    let references: Vec<String> = items.iter().map(|item| item.reference().to_string()).collect();
    let shown = references.join(", ");
    let statement = statement_of(app, &certificate.share_token, references).await?;
    let disclosure = sign(app, statement).await?;
    // A look is recorded before it is answered.
    let event = Event::of(OPERATION, case.company, Some(format!("case {id}"))).with_detail(shown);
    audit::record_alone(app, actor, event).await?;
    Ok(DisclosurePackage { reference: case.reference(), archive: pack(app, disclosure, &items) })
}

/// What the certificate says of these items. A large one waits for its share of memory.
pub(super) async fn statement_of(
    app: &Arc<App>,
    share_token: &ShareToken,
    references: Vec<String>,
) -> Result<Statement> {
    let SharedCertificate { pdf: mut stream, .. } = share::certificate(app, share_token).await?;
    let reserved = app.public_work.checks.reserve(stream.size).await?;
    let mut pdf = Vec::with_capacity(usize::try_from(stream.size).map_err(Error::internal)?);
    while let Some(piece) = stream.bytes.try_next().await? {
        pdf.extend_from_slice(&piece);
    }
    let now = unix_time(app.clock.now()).map_err(Error::internal)?;
    let reading = move || {
        let made = Statement::of_certificate(&pdf, &references, now);
        drop(reserved);
        made
    };
    app.run_heavy(reading).await?.map_err(of_certificate)
}

fn of_certificate(error: DisclosureError) -> Error {
    match error {
        DisclosureError::Commitment(CommitmentError::Missing) => {
            Error::state("the certificate was made by an earlier version and does not commit to individual items")
        }
        error => Error::internal(anyhow::Error::new(error).context("disclosing items of a certificate")),
    }
}

/// The bytes of the signed disclosure. If no authority answers, it has no time stamp, and says so.
async fn sign(app: &Arc<App>, mut statement: Statement) -> Result<Bytes> {
    app.seal_keys
        .check_validity(app.clock.now())
        .map_err(|error| Error::Unavailable { part: "signing key", cause: error.into() })?;
    let manifest = statement.certificate.seal_manifest_sha256;
    let key = seal_log::verifier_key(app).await?;
    let proof = seal_log::proof_of_seal(app, manifest).await?;
    // A new log may have been started since.
    let proof = proof.filter(|proof| seal_log::is_proven_by(proof, manifest, &key));
    statement.certificate.log = proof.map(|proof| LoggedSeal { key, proof: proof.to_string() });
    let signer = Arc::clone(app.seal_keys.signer());
    let signed = app.run_heavy(move || statement.sign(&signer)).await?.map_err(of_signing)?;
    let token = match app.time.stamp(signed.digest_to_stamp()).await {
        Ok(token) => Some(token),
        Err(no_time) => {
            tracing::warn!(%no_time, "a disclosure is signed without a time stamp");
            None
        }
    };
    Ok(signed.finish(token.as_ref()).map_err(Error::internal)?.into())
}

/// If a key does not sign, its device is unavailable: no input makes a key fail.
fn of_signing(error: SignError) -> Error {
    let is_of_key = matches!(error, SignError::Key(_));
    let cause = anyhow::Error::new(error).context("signing a disclosure");
    if is_of_key { Error::Unavailable { part: "signing device", cause } } else { Error::internal(cause) }
}

/// The archive: the disclosure, and the files of the items that are still kept.
fn pack(app: &Arc<App>, disclosure: Bytes, items: &[Item]) -> Archive {
    let (app, modified) = (Arc::clone(app), app.clock.now());
    let file = ZipFile {
        name: DISCLOSURE.to_owned(),
        size: disclosure.len() as u64,
        crc32: crc32fast::hash(&disclosure),
        modified,
    };
    let first = OpenEntry { file, bytes: zip_stream::in_memory(disclosure) };
    let files: Vec<Result<(String, BlobKey)>> = items.iter().filter_map(kept_file).map(Ok).collect();
    let files = stream::iter(files).and_then(move |(name, key)| open(Arc::clone(&app), name, key, modified));
    zip_stream::write(stream::iter([Ok(first)]).chain(files).boxed())
}

/// The name and the blob of an item's file. None for an entry, and for a file that was deleted after its analysis.
fn kept_file(item: &Item) -> Option<(String, BlobKey)> {
    let file = item.content.file.as_ref().filter(|file| file.deleted_at.is_none())?;
    Some((format!("{}.{}", item.reference(), file.kind.extension()), file.blob_key.clone()))
}

async fn open(app: Arc<App>, name: String, key: BlobKey, modified: Timestamp) -> Result<OpenEntry> {
    let missing = || Error::internal(anyhow!("the file {name} of a disclosure is not in the blob store"));
    let crc32 = zip_stream::crc32_of(&app, &key).await?.ok_or_else(missing)?;
    let stream = app.blobs.stream(&key, None).await?.ok_or_else(missing)?;
    Ok(OpenEntry { file: ZipFile { name, size: stream.size, crc32, modified }, bytes: stream.bytes })
}
