//! What an update of a case may change (spec 4.8).

use serde_json::{Map, Value};

use crate::{
    body::{Body, Fields, Kind, part, request_bodies},
    context::{CaseContext, VisibleData},
    fields::{Change, TEXT, TITLE},
    id::{CaseId, FrameId, UserId},
    metadata,
    report::ReportToken,
};

/// An update as the request's shape allows it. What needs the store or the clock is checked by the use case.
///
/// Null clears `metadata` and `scheduledAt` (spec 4.8, rules 2 and 3). For every other field it counts as absence, as it
/// does when a case is opened: a client that writes null for what it does not know must not take a case off its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseUpdate {
    pub case: CaseId,
    pub title: Option<String>,
    pub frame: Option<FrameId>,
    pub user: Option<UserId>,
    pub report_token: Option<ReportToken>,
    /// Replaces what the case shows as a whole.
    pub context: Option<VisibleData>,
    pub metadata: Change<Map<String, Value>>,
    /// As written; reading it needs the clock.
    pub scheduled_at: Change<String>,
}

impl CaseUpdate {
    /// Whether nothing would change: a body with only `caseId` (decisions 5).
    pub fn is_empty(&self) -> bool {
        let Self { case: _, title, frame, user, report_token, context, metadata, scheduled_at } = self;
        title.is_none()
            && frame.is_none()
            && user.is_none()
            && report_token.is_none()
            && context.is_none()
            && *metadata == Change::Keep
            && *scheduled_at == Change::Keep
    }
}

impl Body for CaseUpdate {
    const NAME: &'static str = "CaseUpdate";
    const DESCRIPTION: &'static str = "Changes to an open case. Absent fields stay as they are. Null clears `metadata` and `scheduledAt`; in any other \
                                       field it counts as absence.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        // In the description, what the field does takes the place of what metadata is.
        const METADATA: Kind<Map<String, Value>> = Kind { schema: |_| metadata::schema(), ..metadata::METADATA };
        let case = fields.required("caseId", CaseId::KIND, "The case.");
        let title = fields.optional("title", TITLE, "Its title.");
        let frame = fields.optional("frameId", FrameId::KIND, "Another frame; only while the case has no item.");
        let user = fields.optional(
            "userId",
            UserId::KIND,
            "The user who works on the case from now on. If the case is on a link, this detaches it.",
        );
        let report_token = fields.optional(
            "reportToken",
            ReportToken::KIND,
            "The report that the case belongs to; its first use creates the report.",
        );
        let context = fields.optional(
            "caseContext",
            part::<CaseContext>(),
            "`visibleData` replaces the earlier `visibleData` as a whole; `metadata` works as at the top level.",
        );
        let metadata = fields.change("metadata", METADATA, "Replaces the metadata; null clears it.");
        let scheduled_at = fields.change("scheduledAt", TEXT, concat!(scheduled_at!(), " Null removes it."));
        let context = context.unwrap_or_default();
        Some(Self {
            case: case?,
            title,
            frame,
            user,
            report_token,
            context: context.visible,
            // The form with stated limits, at the top level, wins (decisions 5).
            metadata: if metadata == Change::Keep { context.metadata } else { metadata },
            scheduled_at,
        })
    }
}

request_bodies!(CaseUpdate);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: &Value) -> CaseUpdate {
        CaseUpdate::read(body).unwrap()
    }

    #[test]
    fn spec_4_8_only_the_case_is_required() {
        assert_eq!(CaseUpdate::read(&json!({ "title": "x" })).unwrap_err(), ["caseId is required"]);
        assert!(read(&json!({ "caseId": 5 })).is_empty());
        assert!(read(&json!({ "caseId": 5, "caseContext": {} })).is_empty());
        assert!(!read(&json!({ "caseId": 5, "title": "" })).is_empty());
    }

    #[test]
    fn spec_4_8_rules_2_and_3_null_clears_metadata_and_the_schedule_and_nothing_else() {
        let update = read(&json!({
            "caseId": 5, "title": null, "frameId": null, "userId": null, "reportToken": null, "caseContext": null,
            "metadata": null, "scheduledAt": null,
        }));
        assert_eq!((&update.metadata, &update.scheduled_at), (&Change::Clear, &Change::Clear));
        assert!(CaseUpdate { metadata: Change::Keep, scheduled_at: Change::Keep, ..update }.is_empty());
    }

    #[test]
    fn decisions_5_top_level_metadata_wins_over_the_nested_form() {
        let nested = json!({ "metadata": { "a": "nested" } });
        let metadata = |body: Value| match read(&body).metadata {
            Change::Set(metadata) => metadata["a"].as_str().unwrap().to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(metadata(json!({ "caseId": 1, "metadata": { "a": "top" }, "caseContext": nested })), "top");
        assert_eq!(metadata(json!({ "caseId": 1, "caseContext": nested })), "nested");
        assert_eq!(metadata(json!({ "caseId": 1, "metadata": null, "caseContext": nested })), "Clear");
        assert_eq!(metadata(json!({ "caseId": 1, "caseContext": { "metadata": null } })), "Clear");
        assert_eq!(metadata(json!({ "caseId": 1, "caseContext": { "visibleData": {} } })), "Keep");
    }

    #[test]
    fn every_problem_of_a_body_is_reported_at_once() {
        let body = json!({
            "caseId": "5", "title": "x".repeat(256), "frameId": 0, "userId": 1, "reportToken": "a/b",
            "caseContext": { "visibleData": { "user": 1 }, "metadata": { "k": 1 } }, "metadata": [], "scheduledAt": 7,
        });
        assert_eq!(CaseUpdate::read(&body).unwrap_err().len(), 9);
    }
}
