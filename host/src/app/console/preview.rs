//! The small picture of an item, for the pages that show many.

use std::{sync::Arc, time::Duration};

use super::{ConsoleUser, case};
use crate::{
    app::{
        App,
        audit::{self, Event},
        media::{self, MediaFile},
    },
    domain::id::{CaseId, ItemId},
    error::{Error, Result},
    store,
};

/// For how long the record that a user saw the page of a case also stands for the previews of its items.
const PAGE_STANDS_FOR: Duration = Duration::from_mins(10);

/// The picture of an item, after the look is recorded: by the page of the case that has just shown the item, or by a
/// record of its own. The page of one case shows pictures of others too.
///
/// # Errors
/// [`Error::NotFound`] also for an item without a picture, and for a file that was deleted.
pub async fn find(app: &Arc<App>, user: &ConsoleUser, id: CaseId, item: ItemId) -> Result<MediaFile> {
    let (case, _) = case::find(app, user, id).await?;
    let unknown = || Error::not_found(format!("item {item} has no picture, or is not on case {id}"));
    let mut reader = app.db.read().await?;
    let found = store::item::find(&mut reader, item).await?.filter(|found| found.case == id).ok_or_else(unknown)?;
    drop(reader);
    let created_at = found.created_at;
    let picture = media::picture_of(found)?.ok_or_else(unknown)?;
    let (actor, page) = (user.actor(), format!("case {id}"));
    // A page that was made before the item came has not shown it.
    let since = app.clock.now().before(PAGE_STANDS_FOR).max(created_at);
    if !audit::has_look(app, &actor, (case.company, "showCase", page.as_str()), since).await? {
        let event = Event::done("readItemPreview", Some(case.company), Some(format!("item {item}")));
        audit::record_alone(app, &actor, event.with_detail(page)).await?;
    }
    Ok(picture)
}
