//! Converts the rows of a closed case into its seal manifest.

use anyhow::Context;
use sealwright_seal::{
    SealManifest, Sha256Digest, Sha256Hasher, canonical, capture,
    manifest::{self, Erasure, FORMAT, VERSION_1},
};
use serde_json::Value;

use super::{material::Evidence, tokens::ItemTokens};
use crate::{
    domain::frozen::FrozenCase,
    store::{
        case::Case,
        erasure::ErasedItem,
        item::{Item, ItemFile},
    },
};

/// What was sealed, in full and exactly as it was received. Each item is committed to with its own salt, derived from
/// the certificate's `seed`, so that a second run gives the same commitments.
pub(super) fn of(evidence: &Evidence, seed: &[u8], log_key: &str) -> anyhow::Result<SealManifest> {
    let Evidence { case, certificate, items, tokens, records, erased } = evidence;
    let mut manifest = without_commitments(case, &certificate.frozen, items, tokens, log_key)?;
    add_records(&mut manifest, records.clone());
    // A step whose items were erased is not missing.
    manifest.missing_mandatory_steps.retain(|step| erased.iter().all(|item| item.step.get() != *step));
    let salts: Vec<[u8; 32]> = items.iter().map(|item| salt(seed, item)).collect();
    match erased.last() {
        Some(last) => manifest.commit_erased(&salts, erasure(erased, last.predecessor)?)?,
        None => manifest.commit(&salts)?,
    }
    Ok(manifest)
}

/// What was erased from the case so far. `predecessor` is the manifest before the last erasure.
fn erasure(erased: &[ErasedItem], predecessor_sha256: Sha256Digest) -> anyhow::Result<Erasure> {
    let sealed = |item: &ErasedItem| {
        anyhow::Ok(manifest::ErasedItem {
            index: u64::try_from(item.place)?,
            commitment: item.commitment,
            ground: item.ground.sealed(),
            by: item.erased_by.clone(),
            erased_at: item.erased_at.to_string(),
        })
    };
    let mut items = erased.iter().map(sealed).collect::<anyhow::Result<Vec<_>>>()?;
    items.sort_by_key(|item| item.index);
    Ok(Erasure { predecessor_sha256, items })
}

/// Adds the capture records. Each was checked when it was received; if they do not hold together all the same, the fault
/// is ours, and a certificate without them is better than one that every check calls changed.
fn add_records(manifest: &mut SealManifest, sessions: Vec<Vec<String>>) {
    manifest.capture_sessions = sessions.into_iter().map(|records| manifest::CaptureSession { records }).collect();
    if let Err(error) = capture::account(manifest) {
        tracing::error!(%error, case = %manifest.reference, "the capture records are left out of the certificate");
        manifest.capture_sessions.clear();
    }
}

/// Without the seed, the salts of some items reveal nothing about those of others.
fn salt(seed: &[u8], item: &Item) -> [u8; 32] {
    let mut hasher = Sha256Hasher::new();
    hasher.update("sealwright commitment salt v1\0");
    hasher.update(Sha256Digest::of(seed).as_bytes());
    hasher.update(item.reference().to_string());
    hasher.finish().0
}

fn without_commitments(
    case: &Case,
    frozen: &FrozenCase,
    items: &[Item],
    tokens: &ItemTokens,
    log_key: &str,
) -> anyhow::Result<SealManifest> {
    let metadata = case.metadata.clone().map(Value::Object);
    Ok(SealManifest {
        format: FORMAT.to_owned(),
        version: VERSION_1,
        reference: case.reference().to_string(),
        case: manifest::Case {
            id: case.id.get(),
            title: case.title.clone(),
            created_at: case.created_at.to_string(),
            closed_at: case.closed_at.context("only a closed case is sealed")?.to_string(),
            report_token: case.report_token.as_ref().map(ToString::to_string),
        },
        company: manifest::Named { id: frozen.company.get(), name: frozen.company_name.clone() },
        frame: manifest::Named { id: frozen.frame.get(), name: frozen.frame_name.clone() },
        steps: frozen
            .steps
            .iter()
            .map(|step| manifest::Step {
                id: step.id.get(),
                title: step.title.clone(),
                description: filled(&step.description),
                action: step.action.into_str().to_owned(),
                mandatory: step.mandatory,
            })
            .collect(),
        missing_mandatory_steps: frozen
            .steps
            .iter()
            .filter(|step| step.mandatory && !items.iter().any(|item| item.content.step == step.id))
            .map(|step| step.id.get())
            .collect(),
        context: manifest::Context {
            visible_data: case.context.clone().unwrap_or_default(),
            metadata_sha256: metadata.map(|metadata| canonical::digest(&metadata)).transpose()?,
            ..manifest::Context::default()
        },
        items: items.iter().map(|item| self::item(item, tokens)).collect::<anyhow::Result<_>>()?,
        capture_sessions: Vec::new(),
        commitments: None,
        erasure: None,
        log: Some(manifest::Log { key: log_key.to_owned() }),
    })
}

fn item(item: &Item, tokens: &ItemTokens) -> anyhow::Result<manifest::Item> {
    let content = &item.content;
    let device = content.device.clone();
    let device = manifest::Device {
        manufacturer: device.manufacturer,
        model: device.model,
        name: device.name,
        platform: device.platform,
        os: device.os,
        os_version: device.os_version,
    };
    Ok(manifest::Item {
        reference: item.reference().to_string(),
        step_id: content.step.get(),
        action: content.action.into_str().to_owned(),
        created_at: item.created_at.to_string(),
        value: content.file.is_none().then(|| content.data.clone()),
        file: content.file.as_ref().map(|stored| file(stored, &content.data)).transpose()?,
        position: content.position.clone(),
        device: (device != manifest::Device::default()).then_some(device),
        client: content.client.clone(),
        capture_id: content.capture.as_ref().map(ToString::to_string),
        time_stamp_token: tokens.get(&item.id).map(|stamp| manifest::TimeStampToken {
            sha256: stamp.token.sha256(),
            time: stamp.token.time().to_string(),
        }),
        salt: None,
    })
}

fn file(file: &ItemFile, name: &str) -> anyhow::Result<manifest::File> {
    Ok(manifest::File {
        sha256: file.sha256,
        size: u64::try_from(file.size)?,
        media_type: file.kind.media_type().to_owned(),
        name: filled(name),
    })
}

/// The text, or none if it is empty.
pub(super) fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
