//! Converts the rows of a closed case into the data of its certificate.

use anyhow::Context;
use sealwright_seal::{
    SealManifest, Sha256Digest,
    capture::{self, CapturedFile},
};

use super::{pictures::ShownFile, seal_manifest::filled, tokens::ItemTokens};
use crate::{
    certificate::{
        CertificateData,
        data::{
            Beneficiary, CaptureSession, CaptureWithoutFile, Captures, Client, Device, ErasedItem as ShownErasedItem,
            File, Item as ShownItem, ItemContent, ItemTimeStamp, Named, PRODUCT, Position, Seal, Step, VisibleContext,
        },
    },
    domain::{context::VisibleData, frozen::FrozenCase, item::Device as CapturingDevice, step::StepAction},
    store::{
        case::Case,
        erasure::ErasedItem,
        item::{Item, ItemFile},
    },
};

/// The data of the certificate of a closed case, without its [`captures`] and the company's logo. `shown` holds for each
/// item what is shown of its file.
pub(super) fn of(
    case: &Case,
    frozen: &FrozenCase,
    items: &[Item],
    shown: &[ShownFile],
    tokens: &ItemTokens,
    seal: Seal,
    share_url: String,
) -> anyhow::Result<CertificateData> {
    let shown: Vec<(&Item, ShownItem)> = items
        .iter()
        .zip(shown)
        .map(|(item, shown)| Ok((item, self::item(item, shown, tokens)?)))
        .collect::<anyhow::Result<_>>()?;
    Ok(CertificateData {
        reference: case.reference().to_string(),
        title: case.title.clone(),
        language: frozen.language,
        time_zone: frozen.time_zone.clone(),
        company: Named { id: frozen.company.get(), name: frozen.company_name.clone() },
        logo: None,
        frame: Named { id: frozen.frame.get(), name: frozen.frame_name.clone() },
        created: case.created_at.into(),
        closed: case.closed_at.context("only a closed case is sealed")?.into(),
        report_token: case.report_token.as_ref().map(ToString::to_string),
        share_url,
        context: context(case.context.clone().unwrap_or_default()),
        steps: steps(frozen, shown),
        captures: None,
        seal,
        product: PRODUCT.to_owned(),
    })
}

/// The items that were erased after the sealing.
pub(super) fn erased(erased: &[ErasedItem]) -> anyhow::Result<Vec<ShownErasedItem>> {
    let shown = |item: &ErasedItem| {
        anyhow::Ok(ShownErasedItem {
            number: u64::try_from(item.place)? + 1,
            erased: item.erased_at.into(),
            by: item.erased_by.clone(),
            ground: item.ground,
        })
    };
    erased.iter().map(shown).collect()
}

/// Leaves out steps whose items were all erased. They are not missing: the statement of the seal speaks of the items.
pub(super) fn without_erased_steps(mut data: CertificateData, erased: &[ErasedItem]) -> CertificateData {
    data.steps.retain(|step| !step.items.is_empty() || erased.iter().all(|item| item.step.get() != step.id));
    data
}

/// What the capture records of a manifest say; none if it has none.
pub(super) fn captures(manifest: &SealManifest) -> Option<Captures> {
    let account = capture::account(manifest).ok().filter(|account| !account.sessions.is_empty())?;
    let title = |id: i64| {
        manifest.steps.iter().find(|step| step.id == id).map_or_else(|| id.to_string(), |step| step.title.clone())
    };
    let without_file = |captures: Vec<CapturedFile>| -> Vec<CaptureWithoutFile> {
        let shown = |capture: CapturedFile| CaptureWithoutFile {
            step: title(capture.step_id),
            clock: capture.at,
            sha256: capture.sha256,
        };
        captures.into_iter().map(shown).collect()
    };
    let sessions = account.sessions.into_iter().map(|session| CaptureSession {
        key: session.id.to_string(),
        records: session.records,
        first: session.first,
        last: session.last,
        files: session.files,
        retaken: without_file(session.retaken),
        deleted: without_file(session.deleted),
        missing: without_file(session.missing),
        skipped: session.skipped.into_iter().map(title).collect(),
        ended: session.is_ended,
    });
    Some(Captures { sessions: sessions.collect(), recorded: account.recorded, unrecorded: account.unrecorded })
}

/// The frame's steps in order, each with its items; then the items' steps that left the frame while the case was open.
fn steps(frozen: &FrozenCase, mut items: Vec<(&Item, ShownItem)>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for step in &frozen.steps {
        let (own, others): (Vec<_>, Vec<_>) = items.into_iter().partition(|(item, _)| item.content.step == step.id);
        items = others;
        steps.push(Step {
            id: step.id.get(),
            title: step.title.clone(),
            description: filled(&step.description),
            action: step.action.into_str().to_owned(),
            mandatory: step.mandatory,
            items: own.into_iter().map(|(_, shown)| shown).collect(),
        });
    }
    for (item, shown) in items {
        match steps.iter_mut().find(|step| step.id == item.content.step.get()) {
            Some(step) => step.items.push(shown),
            None => steps.push(Step {
                id: item.content.step.get(),
                title: item.content.step_title.clone(),
                description: filled(&item.content.step_description),
                action: item.content.action.into_str().to_owned(),
                mandatory: false,
                items: vec![shown],
            }),
        }
    }
    steps
}

fn item(item: &Item, shown: &ShownFile, tokens: &ItemTokens) -> anyhow::Result<ShownItem> {
    let content = &item.content;
    let sha256 = match &content.file {
        Some(file) => Some(file.sha256),
        None if content.action.carries_file() => None,
        None => Some(Sha256Digest::of(content.data.as_bytes())),
    };
    Ok(ShownItem {
        reference: item.reference().to_string(),
        created: item.created_at.into(),
        content: shown_content(item, shown)?,
        sha256,
        position: content.position.clone().map(|position| Position {
            latitude: position.latitude,
            longitude: position.longitude,
            accuracy: position.accuracy,
        }),
        device: device(content.device.clone()),
        client: content.client.clone().map(|client| Client {
            application: client.application,
            version: client.version,
            clock: client.clock,
        }),
        time_stamp: match tokens.get(&item.id) {
            Some(stamp) => Some(ItemTimeStamp::Stamped { time: stamp.shown(), token_sha256: stamp.token.sha256() }),
            None => content.wants_time_stamp.then_some(ItemTimeStamp::Pending),
        },
    })
}

fn shown_content(item: &Item, shown: &ShownFile) -> anyhow::Result<ItemContent> {
    let content = &item.content;
    Ok(match (&content.file, content.action) {
        (None, action) if action.carries_file() => ItemContent::NoFile { declared_name: content.data.clone() },
        (None, _) => ItemContent::Entry { value: content.data.clone() },
        (Some(stored), StepAction::Photography | StepAction::Signature) => {
            ItemContent::Picture { photo: shown.picture, file: file(stored, &content.data, shown)? }
        }
        (Some(stored), StepAction::Video) => ItemContent::Video { file: file(stored, &content.data, shown)? },
        (Some(stored), _) => {
            ItemContent::Document { file: file(stored, &content.data, shown)?, shown: shown.pages.clone() }
        }
    })
}

fn file(file: &ItemFile, name: &str, shown: &ShownFile) -> anyhow::Result<File> {
    Ok(File {
        name: filled(name),
        size: u64::try_from(file.size)?,
        media_type: file.kind.media_type().to_owned(),
        deleted_after_analysis: file.deletes_after_analysis,
        attachment: shown.attachment.clone(),
    })
}

fn device(device: CapturingDevice) -> Option<Device> {
    if device == CapturingDevice::default() {
        return None;
    }
    Some(Device {
        manufacturer: device.manufacturer,
        model: device.model,
        name: device.name,
        platform: device.platform,
        os: device.os,
        os_version: device.os_version,
    })
}

fn context(data: VisibleData) -> VisibleContext {
    VisibleContext {
        beneficiary: data.beneficiary.map(|person| Beneficiary {
            last_name: person.last_name,
            first_name: person.first_name,
            address: person.address,
            city: person.city,
            post_code: person.post_code,
            email: person.email,
        }),
        issuer: data.issuer,
        photo_ref: data.photo_ref,
        report_ref: data.report_ref,
        instructions: data.instructions,
        user: data.user,
    }
}
