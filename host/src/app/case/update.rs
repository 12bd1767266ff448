//! Changing open cases (spec 4.8, decisions 5).
//!
//! A `userId` attaches the case to that user, also where it was on a link: a case has one attachment, so it leaves the
//! link and can no longer be worked on or closed by it.

use std::sync::Arc;

use super::{NamedReports, Refusal, already_closed, claim_report, find_frame_name, find_own};
use crate::{
    app::{App, session::Caller},
    clock::Timestamp,
    db::Tx,
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

/// Changes a case of the caller's company as far as the update says.
pub async fn update(app: &Arc<App>, caller: &Caller, wish: CaseUpdate) -> Result<()> {
    update_own(app, caller, wish).await.map_err(|refusal| refusal.into_error(Operation::UpdateCase))
}

async fn update_own(app: &App, caller: &Caller, wish: CaseUpdate) -> Result<(), Refusal> {
    let now = app.clock.now();
    let mut tx = app.db.read().await?;
    let plan = Plan::make(&mut tx, caller, wish, now).await?;
    drop(tx);
    if plan.is_empty {
        return Ok(());
    }
    plan.reports.pass(app, caller.company_id()).await?;
    let mut tx = app.db.begin().await?;
    let updated = plan.carry_out(&mut tx, now).await;
    tx.settle(updated).await
}

/// An update that was found right: what will be written.
pub(super) struct Plan {
    pub(super) case: CaseId,
    /// Nothing is asked for, so nothing is written.
    pub(super) is_empty: bool,
    company: CompanyId,
    /// The family that may use the report token: the topmost company above the case's.
    family: CompanyId,
    /// To be passed before the plan is carried out.
    pub(super) reports: NamedReports,
    changes: Changes,
}

impl Plan {
    pub(super) async fn make(tx: &mut Tx, caller: &Caller, wish: CaseUpdate, now: Timestamp) -> Result<Self, Refusal> {
        let is_empty = wish.is_empty();
        let scheduled_at = match &wish.scheduled_at {
            Change::Keep => Change::Keep,
            Change::Clear => Change::Clear,
            Change::Set(text) => {
                Change::Set(parse_schedule(text, now).map_err(|error| Error::invalid(error.to_string()))?)
            }
        };
        let case = find_own(tx, caller, wish.case).await?;
        if case.is_closed() {
            return Err(already_closed().into());
        }
        if let Some(user) = &wish.user
            && store::user::find_active(tx, case.company, user).await?.is_none()
        {
            return Err(Operation::UpdateCase.foreign(Kind::User, "userId must be a user of the company").into());
        }
        // The frame that the case is on stays its frame, also where the company manifest has withdrawn it.
        if let Some(frame) = wish.frame
            && frame != case.frame
        {
            find_frame_name(tx, case.company, Operation::UpdateCase, frame).await?;
        }
        let changes = Changes {
            title: wish.title,
            frame: wish.frame,
            user: wish.user,
            report_token: wish.report_token,
            context: wish.context,
            metadata: wish.metadata,
            scheduled_at,
        };
        let family = caller.family();
        let reports = NamedReports::look(tx, family, &changes.report_token).await?;
        Ok(Self { case: case.id, is_empty, company: case.company, family, reports, changes })
    }

    pub(super) async fn carry_out(self, tx: &mut Tx, now: Timestamp) -> Result<(), Refusal> {
        if let Some(token) = &self.changes.report_token {
            claim_report(tx, self.family, token, now).await?;
        }
        if store::case::update(tx, self.company, self.case, &self.changes).await? {
            return Ok(());
        }
        // The database has decided against it: it knows of a closing, a deletion or an item that came after the look
        // above.
        let case = store::case::find(tx, self.case).await?.ok_or(Refusal::Unknown(self.case))?;
        if case.is_closed() {
            return Err(already_closed().into());
        }
        Err(Error::state("frameId can change only while the case has no item").into())
    }
}
