//! The small picture of an item, for the page of its case and those of others that show it.

use axum::{
    extract::{Path, State},
    http::HeaderMap,
};

use super::{parse, parse_item};
use crate::{
    app::{console::preview, media},
    domain::file_kind::FileKind,
    http::{
        console::{problem::PageResult, visit::Visit},
        public::{self, Facts, REVALIDATE},
        shared::Shared,
    },
};

/// `GET /console/cases/:case/items/:item/preview`
///
/// A browser keeps it and asks each time whether it may show it: another person may have signed in, and the address can
/// be guessed.
pub(in crate::http::console) async fn show(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, item)): Path<(String, String)>,
    headers: HeaderMap,
) -> PageResult {
    let picture = preview::find(&shared.app, &visit.user, parse(&id)?, parse_item(&item)?).await?;
    let media_type = FileKind::Jpeg.media_type();
    let entity_tag = format!("{}-preview", picture.sha256);
    let facts = Facts { media_type, entity_tag, cache_control: REVALIDATE, file_name: None };
    if public::is_unchanged(&headers, &facts) {
        return Ok(public::unchanged(&facts));
    }
    Ok(public::whole(media::preview(&shared.app, &picture).await?, &facts))
}
