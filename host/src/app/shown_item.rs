//! The public view of an item: the part that the case webhook and the report share (spec 2.3, 6.1).

use super::{App, item::file_url};
use crate::{clock::Timestamp, domain::step::StepAction, store::item::Item};

pub(super) struct ShownItem<'a> {
    pub(super) created_at: Timestamp,
    /// `ITM-<id>_CAS-<case id>`.
    pub(super) cf_ref: String,
    pub(super) action: StepAction,
    pub(super) step_title: &'a str,
    pub(super) step_description: &'a str,
    /// The entered value; for a file its name, for a video its URL (decisions 8).
    pub(super) value: String,
    /// The URL of a photo or a signature that has its file.
    pub(super) image_url: Option<String>,
    /// Decimal degrees; empty if the item has no position.
    pub(super) latitude: &'a str,
    /// Decimal degrees; empty if the item has no position.
    pub(super) longitude: &'a str,
}

pub(super) fn shown_item<'a>(app: &App, item: &'a Item) -> ShownItem<'a> {
    let content = &item.content;
    let url = content.file.as_ref().map(|file| file_url(app, content.action, &file.media_key));
    let (value, image_url) = match content.action {
        StepAction::Video => (url.unwrap_or_else(|| content.data.clone()), None),
        StepAction::Photography | StepAction::Signature => (content.data.clone(), url),
        _ => (content.data.clone(), None),
    };
    let position = content.position.as_ref();
    ShownItem {
        created_at: item.created_at,
        cf_ref: item.reference().to_string(),
        action: content.action,
        step_title: &content.step_title,
        step_description: &content.step_description,
        value,
        image_url,
        latitude: position.map_or("", |position| &position.latitude),
        longitude: position.map_or("", |position| &position.longitude),
    }
}
