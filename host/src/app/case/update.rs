//! Changing open cases (spec 4.8, decisions 5).
//!
//! A `userId` attaches the case to that user, even if it was on a link: a case has one attachment, so it leaves the
//! link, through which it can then be neither worked on nor closed.

use std::sync::Arc;

use super::{FrameNames, NamedReports, Refusal, already_closed, claim_report, find_own};
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        session::Caller,
    },
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        case::CaseUpdate,
        fields::Change,
        id::{CaseId, CompanyId},
        moment::parse_schedule,
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, case::Changes},
};

/// Changes the fields of a case of the caller's company that the update sets.
pub async fn update(app: &Arc<App>, caller: &Caller, request: CaseUpdate) -> Result<()> {
    update_own(app, caller, request).await.map_err(|refusal| refusal.into_error(Operation::UpdateCase))
}

async fn update_own(app: &App, caller: &Caller, request: CaseUpdate) -> Result<(), Refusal> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    let plan = Plan::make(&mut reader, caller, request, now).await?;
    drop(reader);
    if plan.is_empty {
        return Ok(());
    }
    plan.reports.pass(app, caller.company_id()).await?;
    let mut tx = app.db.begin().await?;
    let updated = plan.carry_out(&mut tx, &caller.actor, now).await;
    tx.settle(updated).await
}

/// A validated update: what will be written.
pub(super) struct Plan {
    pub(super) case: CaseId,
    /// The request changes nothing, so nothing is written.
    pub(super) is_empty: bool,
    company: CompanyId,
    /// The family that may use the report token: the topmost company above the case's.
    family: CompanyId,
    /// Must pass before the plan is carried out.
    pub(super) reports: NamedReports,
    changes: Changes,
}

impl Plan {
    pub(super) async fn make(
        reader: &mut Reader,
        caller: &Caller,
        request: CaseUpdate,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let is_empty = request.is_empty();
        let scheduled_at = match &request.scheduled_at {
            Change::Keep => Change::Keep,
            Change::Clear => Change::Clear,
            Change::Set(text) => {
                Change::Set(parse_schedule(text, now).map_err(|error| Error::invalid(error.to_string()))?)
            }
        };
        let case = find_own(reader, caller, request.case).await?;
        if case.is_closed() {
            return Err(already_closed().into());
        }
        if let Some(user) = &request.user
            && store::user::find_active(reader, case.company, user).await?.is_none()
        {
            let refusal = Operation::UpdateCase.foreign(Kind::User, "userId must be a user of the company");
            return Err(Error::from(refusal).into());
        }
        // The case may keep its frame, even if the company manifest no longer has it.
        if let Some(frame) = request.frame
            && frame != case.frame
        {
            FrameNames::default().find(reader, case.company, Operation::UpdateCase, frame).await?;
        }
        let changes = Changes {
            title: request.title,
            frame: request.frame,
            user: request.user,
            report_token: request.report_token,
            context: request.context,
            metadata: request.metadata,
            scheduled_at,
        };
        let family = caller.family();
        let reports = NamedReports::look(reader, family, &changes.report_token).await?;
        Ok(Self { case: case.id, is_empty, company: case.company, family, reports, changes })
    }

    pub(super) async fn carry_out(&self, tx: &mut Tx, actor: &Actor, now: Timestamp) -> Result<(), Refusal> {
        if let Some(token) = &self.changes.report_token {
            claim_report(tx, self.family, token, now).await?;
        }
        if store::case::update(tx, self.company, self.case, &self.changes).await? {
            let event = Event::of(Operation::UpdateCase, self.company, Some(format!("case {}", self.case)));
            let event = event.with_detail(names(&self.changes).join(", "));
            return Ok(audit::record(tx, now, actor, event).await?);
        }
        // The database rejected it, because of a closing, a deletion or an item since the read above.
        let case = store::case::find(tx, self.case).await?.ok_or(Refusal::Unknown(self.case))?;
        if case.is_closed() {
            return Err(already_closed().into());
        }
        Err(Error::state("frameId can change only while the case has no item").into())
    }
}

/// The names of the fields that change, as the request has them. Their values are not for the audit log.
fn names(changes: &Changes) -> Vec<&'static str> {
    let Changes { title, frame, user, report_token, context, metadata, scheduled_at } = changes;
    let all = [
        ("title", title.is_some()),
        ("frameId", frame.is_some()),
        ("userId", user.is_some()),
        ("reportToken", report_token.is_some()),
        ("context", context.is_some()),
        ("metadata", *metadata != Change::Keep),
        ("scheduledAt", *scheduled_at != Change::Keep),
    ];
    all.into_iter().filter_map(|(name, is_changed)| is_changed.then_some(name)).collect()
}
