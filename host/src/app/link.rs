//! Links: their creation, and the content of their page (spec 2.5 and 4.18, decisions 7).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    App,
    audit::{self, Event},
    case::{NamedReports, claim_report, company, ensure_child},
    session::Caller,
};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        id::FrameId,
        link::{LinkContext, LinkToken, NewLink},
        operation::Operation,
        report::ReportToken,
        resource::Kind,
        step::StepAction,
    },
    error::{Error, Result},
    store::{
        self,
        link::{Link, OpenCases},
    },
};

/// A link just created (decisions 7). Fields that were not requested are null, except `context`, which is absent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedLink {
    /// A UUID v4: the `magicLinkToken` of the cases to be opened on it.
    pub token: LinkToken,
    /// `{base_url}/link/<token>`: the page for the person without an account. Anyone who knows it may use the link.
    pub magic_link_url: String,
    /// The frame on which that person can open a case.
    pub frame_id: Option<FrameId>,
    /// The report of cases that are opened on the link without a report token of their own.
    pub report_token: Option<ReportToken>,
    /// How many cases may be opened on it, at least 1; null means no limit.
    pub max_uses: Option<i64>,
    /// From this time on no case can be opened on it; null means that it does not expire.
    pub expiration_date: Option<Timestamp>,
    /// Returned unchanged by the case webhook (spec 6.1). Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LinkContext")]
    pub context: Option<LinkContext>,
}

/// Creates a link for the caller's company or a child of it (spec 4.18).
pub async fn create(app: &Arc<App>, caller: &Caller, request: NewLink) -> Result<CreatedLink> {
    let now = app.clock.now();
    if request.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Err(Error::invalid("expirationDate must be in the future"));
    }
    let owner = request.child_company.unwrap_or(caller.company_id());
    let mut reader = app.db.read().await?;
    if let Some(child) = request.child_company {
        ensure_child(&mut reader, caller, child).await?;
    }
    if let Some(frame) = request.frame
        && store::frame::find_accessible_name(&mut reader, owner, frame).await?.is_none()
    {
        return Err(Operation::CreateLink
            .missing(Kind::Frame, format!("frame {frame} does not exist or is not shared with the company"))
            .into());
    }
    // A child's family is its parent's, which is the caller's.
    let reports = NamedReports::look(&mut reader, caller.family(), &request.report_token).await?;
    drop(reader);
    reports.pass(app, caller.company_id()).await?;
    let link = Link {
        token: LinkToken::random(),
        company: owner,
        frame: request.frame,
        report_token: request.report_token,
        max_uses: request.max_uses,
        uses: 0,
        expires_at: request.expires_at,
        context: request.context.as_ref().map(|context| context.as_json().to_owned()),
        created_at: now,
    };
    let mut tx = app.db.begin().await?;
    let inserted = insert(&mut tx, caller, &link).await;
    tx.settle(inserted).await?;
    Ok(CreatedLink {
        magic_link_url: magic_link_url(app, &link.token),
        token: link.token,
        frame_id: link.frame,
        report_token: link.report_token,
        max_uses: link.max_uses,
        expiration_date: link.expires_at,
        context: request.context,
    })
}

async fn insert(tx: &mut Tx, caller: &Caller, link: &Link) -> Result<()> {
    if let Some(report_token) = &link.report_token {
        claim_report(tx, caller.family(), report_token, link.created_at).await?;
    }
    store::link::insert(tx, link).await?;
    let event = Event::created_link(link.company, &link.token);
    Ok(audit::record(tx, link.created_at, &caller.actor, event).await?)
}

/// The URL of the page of a link (decisions 7).
pub fn magic_link_url(app: &App, token: &LinkToken) -> String {
    app.public_url(&format!("/link/{token}"))
}

/// What the page of a link shows the person who opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkView {
    pub company_name: String,
    pub state: LinkState,
    pub form: Form,
    pub expires_at: Option<Timestamp>,
    /// How many more cases can be opened on it; none: any number.
    pub uses_left: Option<UsesLeft>,
    /// How many cases on it are open.
    pub open_cases: i64,
}

/// The remaining uses and their maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsesLeft {
    pub left: i64,
    pub most: i64,
}

/// Whether something can still be done with a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LinkState {
    Usable,
    Expired,
    /// No further case can be opened on it, and none is open. While a case is open, the link still gives access to it.
    UsedUp,
    /// Its frame is no longer open to its company, and no case is open on it.
    Withdrawn,
}

/// What the person will be asked to provide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The frame of the cases that are open on the link, or of those to be opened.
    Frame { name: String, steps: Vec<AskedStep> },
    /// The link names no frame: the person who opens a case on it chooses one.
    Open,
}

/// One step, as shown to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedStep {
    pub title: String,
    pub description: String,
    pub action: StepAction,
    /// The choices of a SELECT step.
    pub options: Vec<String>,
    pub mandatory: bool,
}

/// The content of the page of a link; none for an unknown token. The token is the permission.
pub async fn view(app: &App, token: &str) -> Result<Option<LinkView>> {
    let Some(token) = LinkToken::parse(token) else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let Some(link) = store::link::find(&mut reader, &token).await? else { return Ok(None) };
    let company = company(&mut reader, link.company).await?;
    let open = store::link::open_cases(&mut reader, &token).await?;
    let offered = match link.frame {
        Some(frame) => store::frame::find_accessible_name(&mut reader, link.company, frame).await?.is_some(),
        None => true,
    };
    Ok(Some(LinkView {
        company_name: company.name,
        state: state(&link, open, offered, app.clock.now()),
        form: form(&mut reader, open.frame.or(link.frame)).await?,
        expires_at: link.expires_at,
        uses_left: link.max_uses.map(|most| UsesLeft { left: most.saturating_sub(link.uses).max(0), most }),
        open_cases: open.count,
    }))
}

pub(super) fn state(link: &Link, open: OpenCases, offered: bool, now: Timestamp) -> LinkState {
    if link.expires_at.is_some_and(|expires_at| expires_at <= now) {
        LinkState::Expired
    } else if open.count > 0 {
        LinkState::Usable
    } else if link.max_uses.is_some_and(|most| link.uses >= most) {
        LinkState::UsedUp
    } else if offered {
        LinkState::Usable
    } else {
        LinkState::Withdrawn
    }
}

async fn form(reader: &mut Reader, frame: Option<FrameId>) -> Result<Form> {
    let Some(id) = frame else { return Ok(Form::Open) };
    let frame = store::frame::find(reader, id).await?;
    let frame = frame.ok_or_else(|| Error::internal(anyhow::anyhow!("frame {id} does not exist")))?;
    let steps = frame.steps.into_iter().filter(|step| step.active).map(|step| AskedStep {
        title: step.title,
        description: step.description,
        action: step.action,
        options: step.options,
        mandatory: step.mandatory,
    });
    Ok(Form::Frame { name: frame.name, steps: steps.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::id::CompanyId;

    const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

    fn link(max_uses: Option<i64>, uses: i64, expires_at: Option<Timestamp>) -> Link {
        Link {
            token: LinkToken::random(),
            company: CompanyId::new(7).unwrap(),
            frame: None,
            report_token: None,
            max_uses,
            uses,
            expires_at,
            context: None,
            created_at: NOW,
        }
    }

    #[test]
    fn a_link_lives_while_a_case_on_it_is_open_or_can_be_opened() {
        let expired = Some(NOW);
        let later = Some(Timestamp::from_millis(NOW.as_millis() + 1));
        for (max_uses, uses, expires_at, open, offered, expected) in [
            (None, 0, None, 0, true, LinkState::Usable),
            (None, 9, later, 0, true, LinkState::Usable),
            (Some(2), 1, later, 0, true, LinkState::Usable),
            (Some(2), 2, later, 0, true, LinkState::UsedUp),
            (Some(2), 2, later, 1, true, LinkState::Usable),
            (Some(2), 2, expired, 1, true, LinkState::Expired),
            (Some(2), 0, expired, 0, false, LinkState::Expired),
            (Some(2), 1, None, 0, false, LinkState::Withdrawn),
            (Some(2), 1, None, 1, false, LinkState::Usable),
        ] {
            let link = link(max_uses, uses, expires_at);
            let open = OpenCases { count: open, frame: None };
            assert_eq!(state(&link, open, offered, NOW), expected, "{link:?} {open:?}");
        }
    }
}
