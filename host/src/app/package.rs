//! The whole case in one file: an ASiC-E container (ETSI EN 319 162-1) with the certificate, every original, the time-stamp
//! tokens over them and the proof from the log of seals. A manifest has the digest of each, and a time stamp covers the
//! manifest.
//!
//! The container is a ZIP archive that is made while it is read. Before that each original is read once, for its CRC and to
//! make sure that it is still the sealed one, so that size and manifest are known when the answer begins. The time stamp is
//! kept: the same files have the same container.

mod members;

use std::{io, sync::Arc};

use anyhow::anyhow;
use bytes::Bytes;
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
pub use sealwright_seal::asic::MEDIA_TYPE;
use sealwright_seal::{Sha256Digest, asic, tlog::proof::LogProof, verify::proves_seal};

use self::members::{Described, Member, measure};
use super::{
    App,
    audit::{self, Event},
    seal_log,
    session::Caller,
    zip_stream::{self, Archive, OpenEntry, crc32_of},
};
use crate::{
    blobs::BlobKey,
    domain::{access_key::ShareToken, case::CaseReference, id::CaseId, operation::Operation, resource::Kind},
    error::{Error, Result},
    store::{
        self,
        case_package::StampedPackage,
        certificate::{Certificate, CertificatePdf},
    },
    zip::ZipFile,
};

/// A package, ready for sending.
pub struct Package {
    pub reference: CaseReference,
    /// Bytes.
    pub size: u64,
    pub crc32: u32,
    pub bytes: Archive,
}

/// The package of the case with this share token, for a caller of its company. The token alone is not enough: a package has
/// the originals.
pub async fn download(app: &Arc<App>, caller: &Caller, share_token: &str) -> Result<Package> {
    let operation = Operation::DownloadPackage;
    let share_token = ShareToken::parse(share_token).ok_or_else(unknown)?;
    let mut reader = app.db.read().await?;
    let certificate = store::certificate::find_by_share_token(&mut reader, &share_token).await?.ok_or_else(unknown)?;
    let case = store::case::find(&mut reader, certificate.case).await?.ok_or_else(unknown)?;
    drop(reader);
    let company = caller.company_id();
    if case.company != company {
        return Err(operation.foreign(Kind::AccessKey, "the case belongs to another company").into());
    }
    let package = of_case(app, case.id).await?;
    let event = Event::of(operation, company, Some(format!("case {}", case.id)));
    audit::record_alone(app, &caller.actor, event).await?;
    Ok(package)
}

/// The package of a closed case. [`Error::NotReady`] if its certificate is not made, or no authority stamps the package;
/// [`Error::NotFound`] if the case has no certificate or was deleted.
pub(super) async fn of_case(app: &Arc<App>, id: CaseId) -> Result<Package> {
    let mut missing: Option<BlobKey> = None;
    loop {
        let plan = plan(app, id).await?;
        let opened = app.blobs.stream(&plan.pdf, None).await?;
        match opened {
            Some(pdf) => return Ok(plan.open(app, pdf.bytes)),
            None if missing.as_ref() == Some(&plan.pdf) => {
                return Err(Error::internal(anyhow!("the PDF of case {id} is not in the blob store")));
            }
            // It was replaced by one with another time stamp, which has another digest.
            None => missing = Some(plan.pdf),
        }
    }
}

/// Everything about a package but its bytes.
struct Plan {
    reference: CaseReference,
    /// The standard's own files, before all others.
    first: Vec<Member>,
    certificate: Described,
    pdf: BlobKey,
    others: Vec<Member>,
}

impl Plan {
    fn open(self, app: &Arc<App>, pdf: BoxStream<'static, io::Result<Bytes>>) -> Package {
        let Self { reference, first, certificate, others, .. } = self;
        let of = |member: &Member| member.described.file.clone();
        let files: Vec<ZipFile> =
            first.iter().map(of).chain([certificate.file.clone()]).chain(others.iter().map(of)).collect();
        let (size, crc32) = measure(files.iter());
        let certificate = OpenEntry { file: certificate.file, bytes: pdf };
        let (for_first, for_others) = (Arc::clone(app), Arc::clone(app));
        let first = stream::iter(first).then(move |member| member.open(Arc::clone(&for_first)));
        let others = stream::iter(others).then(move |member| member.open(Arc::clone(&for_others)));
        let files = first.chain(stream::iter([Ok(certificate)])).chain(others);
        Package { reference, size, crc32, bytes: zip_stream::write(files.boxed()) }
    }
}

async fn plan(app: &App, id: CaseId) -> Result<Plan> {
    let mut reader = app.db.read().await?;
    let case = store::case::find(&mut reader, id).await?.ok_or_else(unknown)?;
    let certificate = store::certificate::find(&mut reader, id).await?.ok_or_else(unknown)?;
    let items = store::item::of_case(&mut reader, id).await?;
    let stored = store::case_package::find(&mut reader, id).await?;
    drop(reader);
    let pdf = made(certificate)?;
    let (reference, modified) = (case.reference(), case.closed_at.unwrap_or(case.created_at));
    let file = ZipFile {
        name: format!("{reference}.pdf"),
        size: u64::try_from(pdf.size).map_err(Error::internal)?,
        crc32: crc32_of_certificate(app, &pdf).await?,
        modified,
    };
    let certificate = Described { file, media_type: "application/pdf", sha256: pdf.sha256 };
    let mut others = Vec::new();
    for item in &items {
        others.extend(Member::of_original(app, item, modified).await?);
    }
    for item in &items {
        others.extend(Member::of_token(app, item, modified).await?);
    }
    let proof = log_proof(app, &pdf, stored.as_ref()).await?;
    others.extend(proof.clone().map(|proof| Member::of_proof(proof, modified)));
    let described = [&certificate].into_iter().chain(others.iter().map(|member| &member.described));
    let manifest = asic::write(described.map(Described::in_manifest));
    let unstamped = Unstamped { case: id, manifest: Sha256Digest::of(&manifest), seal_manifest: pdf.manifest, proof };
    let token = stamp(app, unstamped, stored).await?;
    let first = vec![
        Member::in_memory(asic::MIMETYPE.to_owned(), MEDIA_TYPE, MEDIA_TYPE, modified),
        Member::in_memory(asic::MANIFEST.to_owned(), "text/xml", manifest, modified),
        Member::in_memory(asic::TOKEN.to_owned(), asic::TOKEN_MEDIA_TYPE, token, modified),
    ];
    Ok(Plan { reference, first, certificate, pdf: pdf.blob_key, others })
}

fn made(certificate: Certificate) -> Result<CertificatePdf> {
    let why = if certificate.failure.is_some() {
        "the certificate could not be made yet"
    } else {
        "the certificate is still being made"
    };
    certificate.pdf.ok_or_else(|| not_ready(why, 10))
}

/// The CRC of the PDF. It was not recorded for old ones.
async fn crc32_of_certificate(app: &App, pdf: &CertificatePdf) -> Result<u32> {
    match pdf.crc32 {
        Some(crc32) => u32::try_from(crc32).map_err(Error::internal),
        None => crc32_of(app, &pdf.blob_key).await?.ok_or_else(|| not_ready("the certificate is being replaced", 10)),
    }
}

/// The proof that the seal is in the log: the one of the last package, so that it stays the same, or a new one. None if the
/// seal is not in the log yet.
async fn log_proof(app: &App, pdf: &CertificatePdf, stored: Option<&StampedPackage>) -> Result<Option<String>> {
    let Some(seal_manifest) = pdf.manifest else { return Ok(None) };
    let kept = stored.filter(|stored| stored.seal_manifest == pdf.manifest);
    let kept = kept.and_then(|stored| stored.log_proof.as_deref()?.parse::<LogProof>().ok());
    let proof = match kept {
        Some(proof) => Some(proof),
        None => seal_log::proof_of_seal(app, seal_manifest).await?,
    };
    let Some(proof) = proof else { return Ok(None) };
    // A new log may have been started since, and then a reader would consider the proof false.
    let certificate = app.blobs.get(&pdf.blob_key).await?;
    Ok(certificate.is_some_and(|certificate| proves_seal(&certificate, &proof)).then(|| proof.to_string()))
}

/// What a time stamp of a package is stored with.
struct Unstamped {
    case: CaseId,
    manifest: Sha256Digest,
    seal_manifest: Option<Sha256Digest>,
    proof: Option<String>,
}

/// The token over a manifest: the stored one, or a new one, which is stored.
async fn stamp(app: &App, unstamped: Unstamped, stored: Option<StampedPackage>) -> Result<Vec<u8>> {
    let Unstamped { case, manifest, seal_manifest, proof } = unstamped;
    if let Some(stored) = stored.filter(|stored| stored.manifest == manifest) {
        return Ok(stored.token);
    }
    let token = app.time.stamp(manifest).await.map_err(|no_time| {
        tracing::warn!(%no_time, %case, "a package cannot be time-stamped");
        not_ready("no time-stamping authority stamps the package", 60)
    })?;
    let package = StampedPackage { manifest, seal_manifest, log_proof: proof, token: token.der().to_vec() };
    let mut tx = app.db.begin().await?;
    store::case_package::replace(&mut tx, case, &package).await?;
    tx.commit().await?;
    Ok(package.token)
}

fn unknown() -> Error {
    Operation::DownloadPackage.missing(Kind::AccessKey, "no certificate has this address").into()
}

fn not_ready(message: &str, retry_after_seconds: u32) -> Error {
    Error::NotReady { message: message.to_owned(), retry_after_seconds }
}
