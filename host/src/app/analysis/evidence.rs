//! A case as plugins in the role `signal` receive it.

use std::sync::Arc;

use sealwright_plugin_facts::image_of_file;
use serde_json::Value;

use super::stored::{perceptual_hash, stored_facts, stored_stated};
use crate::{
    app::App,
    domain::{context::VisibleData, item as domain_item, moment::parse_moment, step::StepAction},
    error::Result,
    plugins::facts::{
        Client, Declaration, Device, DocumentOutcome, Evidence, Image, Item, NearDuplicate, Position, StatedValue,
    },
    store::{self, analysis::ItemAnalysis, case::Case, item, near_duplicate::Near},
};

/// The contract's limits.
const MOST_ITEMS: usize = 1000;
const MOST_DECLARATIONS: usize = 100;
const MOST_DUPLICATES: usize = 20;
/// What the documents of a case state, in bytes. Further documents state nothing, so that a case fits into memory.
const MOST_STATED_BYTES: usize = 8 * 1024 * 1024;

/// How a document without an answer is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Unanswered {
    /// Not at all: a document that was not examined accuses no one (decisions 13).
    LeftOut,
    /// As an incomplete outcome with scores of 0, as in older versions. For the replay of such calls.
    AsZeros,
}

/// Everything that is known about a case. The facts of its pictures are read from the blob store.
pub(in crate::app) async fn of_case(
    app: &App,
    case: &Case,
    items: &[item::Item],
    analyses: &[ItemAnalysis],
    unanswered: Unanswered,
) -> Result<Evidence> {
    let mut reader = app.db.read().await?;
    let frame = store::frame::find(&mut reader, case.frame).await?;
    drop(reader);
    let mut sent: Vec<Item> = Vec::new();
    let mut room = MOST_STATED_BYTES;
    for item in items.iter().take(MOST_ITEMS) {
        let analysis = analyses.iter().find(|analysis| analysis.item == item.id);
        let mut item = self::item(app, case, item, analysis).await?;
        if unanswered == Unanswered::LeftOut {
            item.document_outcome = item.document_outcome.filter(|outcome| outcome.complete);
        }
        if let Some(analysis) = analysis.filter(|analysis| analysis.plan.is_some()) {
            item.stated = stored_stated(app, analysis).await?.filter(|stated| fits(stated, &mut room));
        }
        sent.push(item);
    }
    // The digests of older records do not cover the codes: cases without stated values have none.
    if sent.iter().any(|item| item.stated.is_some()) {
        for item in &mut sent {
            item.field_codes = field_codes(item, analyses);
        }
    }
    Ok(Evidence {
        reference: case.reference().to_string(),
        frame: frame.map(|frame| frame.name).unwrap_or_default(),
        opened_at: case.created_at.as_millis().max(0).cast_unsigned(),
        closed_at: case.closed_at.map(|closed_at| closed_at.as_millis().max(0).cast_unsigned()),
        declarations: declarations(case),
        items: sent.into_iter().map(Arc::new).collect(),
    })
}

async fn item(app: &App, case: &Case, item: &item::Item, analysis: Option<&ItemAnalysis>) -> Result<Item> {
    let content = &item.content;
    let file = content.file.as_ref();
    let (image, near_duplicates) = match analysis.filter(|analysis| analysis.plan.is_none()) {
        Some(analysis) => picture(app, case, analysis).await?,
        None => (None, None),
    };
    Ok(Item {
        id: item.id.get().cast_unsigned(),
        step: content.step.get().cast_unsigned(),
        step_title: content.step_title.clone(),
        action: content.action.into_str().to_owned(),
        value: (!content.action.carries_file()).then(|| content.data.clone()),
        received_at: item.created_at.as_millis().max(0).cast_unsigned(),
        position: content.position.as_ref().and_then(position),
        device: device(&content.device),
        client: content.client.as_ref().map(client),
        media_type: file.map(|file| file.kind.media_type().to_owned()),
        size: file.and_then(|file| u64::try_from(file.size).ok()),
        sha256: file.map(|file| file.sha256.0.to_vec()),
        image,
        near_duplicates,
        document_outcome: analysis.filter(|_| content.action == StepAction::DocumentUpload).and_then(outcome),
        stated: None,
        field_codes: Vec::new(),
    })
}

/// Whether the values fit into what is left, which they then use.
fn fits(stated: &[StatedValue], room: &mut usize) -> bool {
    let bytes: usize = stated.iter().map(|value| value.kind.len() + value.text.len() + value.value.len()).sum();
    let left = room.checked_sub(bytes);
    *room = left.unwrap_or(*room);
    left.is_some()
}

/// The fields for which documents of the case are compared with an entry, each once.
fn field_codes(item: &Item, analyses: &[ItemAnalysis]) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    let compared = analyses.iter().filter_map(|analysis| analysis.plan.as_ref()).flat_map(|plan| &plan.cross_check);
    for check in compared.filter(|check| item.value.is_some() && check.step.get().cast_unsigned() == item.step) {
        if !codes.contains(&check.field) {
            codes.push(check.field.clone());
        }
    }
    codes
}

/// The facts of a photo, and the photos that look like it. None if it was not examined in time.
async fn picture(
    app: &App,
    case: &Case,
    analysis: &ItemAnalysis,
) -> Result<(Option<Arc<Image>>, Option<Vec<NearDuplicate>>)> {
    let Some(facts) = stored_facts(app, analysis).await? else { return Ok((None, None)) };
    let image = facts.image.as_ref().map(|image| Arc::new(image_of_file(image, None)));
    let Some(hash) = perceptual_hash(&facts) else { return Ok((image, None)) };
    let mut reader = app.db.read().await?;
    let near = store::near_duplicate::of_item(&mut reader, case.company, analysis.item, hash, case.closed_at).await?;
    let near = near.into_iter().take(MOST_DUPLICATES).map(|near| near_duplicate(case, &near)).collect();
    Ok((image, Some(near)))
}

fn near_duplicate(case: &Case, near: &Near) -> NearDuplicate {
    NearDuplicate {
        reference: domain_item::ItemReference { item: near.item, case: near.case }.to_string(),
        same_case: near.case == case.id,
        same_file: near.same_file,
        distance: u8::try_from(near.distance).unwrap_or(u8::MAX),
        received_at: near.received_at.as_millis().max(0).cast_unsigned(),
    }
}

fn outcome(analysis: &ItemAnalysis) -> Option<DocumentOutcome> {
    analysis.plan.as_ref()?;
    let document = analysis.result.as_ref();
    Some(match document.filter(|document| document.is_completed()) {
        Some(document) => DocumentOutcome {
            complete: true,
            document_type: document.detected_document_type.clone(),
            type_score: document.type_match_score,
            cross_check_score: document.cross_check_score,
            suspicion_score: document.suspicion_score,
            trust_score: document.trust_score,
        },
        None => DocumentOutcome {
            complete: false,
            document_type: crate::domain::document::TYPE_UNKNOWN.to_owned(),
            type_score: 0,
            cross_check_score: None,
            suspicion_score: 0,
            trust_score: 0,
        },
    })
}

/// Decimal degrees as millionths, metres as centimetres. The degrees were checked when the item arrived; the accuracy
/// is unchecked text.
fn position(position: &domain_item::Position) -> Option<Position> {
    let accuracy = position.accuracy.as_deref().and_then(|text| text.trim().parse::<f64>().ok());
    Some(Position {
        latitude: scaled(position.latitude.parse().ok()?, 1e6)?,
        longitude: scaled(position.longitude.parse().ok()?, 1e6)?,
        accuracy: accuracy.and_then(|metres| scaled(metres, 100.0)).and_then(|number| u32::try_from(number).ok()),
    })
}

fn scaled(number: f64, factor: f64) -> Option<i32> {
    let scaled = (number * factor).round();
    let fits = scaled >= f64::from(i32::MIN) && scaled <= f64::from(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "it was rounded, and fits")]
    let whole = scaled as i32;
    fits.then_some(whole)
}

fn device(device: &domain_item::Device) -> Option<Device> {
    let device = device.clone();
    (device != domain_item::Device::default()).then_some(Device {
        manufacturer: device.manufacturer,
        model: device.model,
        name: device.name,
        platform: device.platform,
        os: device.os,
        os_version: device.os_version,
        carrier_address: device.carrier_ip_address,
        wifi_address: device.wifi_ip_address,
    })
}

fn client(client: &domain_item::Client) -> Client {
    Client {
        application: Some(client.application.clone()),
        version: Some(client.version.clone()),
        made_at: parse_moment(&client.clock).map(crate::clock::Timestamp::as_millis),
        offset: offset(&client.clock),
    }
}

/// The offset at the end of an ISO 8601 date-time, in minutes.
fn offset(clock: &str) -> Option<i32> {
    let clock = clock.trim();
    if clock.ends_with(['Z', 'z']) {
        return Some(0);
    }
    let at = clock.rfind(['+', '-'])?;
    let (sign, digits) = (if clock[at..].starts_with('-') { -1 } else { 1 }, clock[at + 1..].replace(':', ""));
    let number = |range: std::ops::Range<usize>| digits.get(range)?.parse::<i32>().ok();
    Some(sign * (number(0..2)? * 60 + number(2..4).unwrap_or(0)))
}

fn declarations(case: &Case) -> Vec<Declaration> {
    let mut declarations = Vec::new();
    let context = case.context.clone().unwrap_or_default();
    if let Ok(Value::Object(context)) = serde_json::to_value::<VisibleData>(context) {
        flatten("", context, &mut declarations);
    }
    flatten("metadata.", case.metadata.clone().unwrap_or_default(), &mut declarations);
    declarations.truncate(MOST_DECLARATIONS);
    declarations
}

/// Every text of an object, named by its path.
fn flatten(path: &str, object: serde_json::Map<String, Value>, declarations: &mut Vec<Declaration>) {
    for (key, value) in object {
        match value {
            Value::String(value) => declarations.push(Declaration { name: format!("{path}{key}"), value }),
            Value::Object(object) => flatten(&format!("{path}{key}."), object, declarations),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_read_in_minutes() {
        assert_eq!(offset("2026-11-20T10:42:17.000+01:00"), Some(60));
        assert_eq!(offset("2026-11-20T10:42:17-0330"), Some(-210));
        assert_eq!(offset("2026-11-20T10:42:17Z"), Some(0));
    }

    #[test]
    fn a_position_is_given_in_millionths_of_a_degree() {
        let of = |latitude: &str, accuracy: &str| {
            position(&domain_item::Position {
                latitude: latitude.to_owned(),
                longitude: "4.835659".to_owned(),
                accuracy: Some(accuracy.to_owned()),
            })
        };
        let found = of("-45.764043", "5.5").unwrap();
        assert_eq!((found.latitude, found.longitude, found.accuracy), (-45_764_043, 4_835_659, Some(550)));
        assert_eq!(of("45", "about a street").unwrap().accuracy, None);
        assert_eq!(of("45", "-3").unwrap().accuracy, None);
    }
}
