//! A document in the console, page by page, with what was found on it.

use std::sync::Arc;

use sealwright_child_process::this_program;
pub use sealwright_facts::page_picture::{Drawing, PagePicture};

use super::{ConsoleUser, case};
use crate::{
    app::{
        App,
        analysis::explain::{Explanation, explain},
        audit::{self, Event},
        run_within,
    },
    domain::{
        analysis::judgement::{Finding, FindingState},
        id::{CaseId, ItemId},
        step::StepAction,
    },
    error::{Error, Result},
    facts::page_picture,
    store::{self, case::Case, item::Item},
};

/// A page of an item's file.
pub struct DocumentPage {
    pub case: Case,
    pub item: Item,
    /// All items of the case, which findings may name.
    pub items: Vec<Item>,
    /// From 1.
    pub number: u32,
    pub pages: u32,
    /// None if the page cannot be drawn.
    pub drawing: Option<Drawing>,
    /// What was found on this item, on any page.
    pub findings: Vec<Finding>,
}

/// Draws a page, after the look is recorded.
///
/// # Errors
/// [`Error::NotFound`] also for a page that the document does not have, for a video, and for a file that was deleted.
pub async fn page(app: &Arc<App>, user: &ConsoleUser, id: CaseId, item: ItemId, number: u32) -> Result<DocumentPage> {
    let (case, _) = case::find(app, user, id).await?;
    let unknown = || Error::not_found(format!("item {item} has no pages, or is not on case {id}"));
    let mut reader = app.db.read().await?;
    let found = store::item::find(&mut reader, item).await?.filter(|found| found.case == id).ok_or_else(unknown)?;
    drop(reader);
    let is_video = found.content.action == StepAction::Video;
    let file = found.content.file.as_ref().filter(|file| file.deleted_at.is_none() && !is_video).ok_or_else(unknown)?;
    let event = Event::done("showItemPage", Some(case.company), Some(format!("item {item}")));
    audit::record_alone(app, &user.actor(), event.with_detail(format!("case {id}, page {number}"))).await?;
    let bytes = app.blobs.get(&file.blob_key).await?.ok_or_else(unknown)?;
    let drawn = run_within(&app.reading, move || page_picture(&this_program(), &bytes, number)).await??;
    let PagePicture { pages, drawing } = drawn.unwrap_or(PagePicture { pages: 1, drawing: None });
    if number == 0 || number > pages {
        return Err(Error::not_found(format!("item {item} has the pages 1 to {pages}")));
    }
    let explanation = explain(app, id).await?;
    let findings = findings_of(&explanation, item).into_iter().cloned().collect();
    let items = store::item::of_case(&mut app.db.read().await?, id).await?;
    Ok(DocumentPage { case, item: found, items, number, pages, drawing, findings })
}

/// What plugins found on an item: those that examine the document first, then those that look at the whole case.
pub fn findings_of(explanation: &Explanation, item: ItemId) -> Vec<&Finding> {
    let account = explanation.items.iter().find(|explained| explained.item_id == item);
    let account = account.and_then(|explained| explained.account.as_ref());
    let of_document = account.into_iter().flat_map(|account| &account.falsification.parts);
    let of_case = explanation.verdict.iter().flat_map(|verdict| &verdict.account.trust.parts);
    let own = of_document.flat_map(|part| part.findings.iter());
    let about_it = of_case.flat_map(|part| part.findings.iter()).filter(|finding| finding.item == Some(item));
    own.chain(about_it).filter(|finding| finding.state == FindingState::Found).collect()
}
