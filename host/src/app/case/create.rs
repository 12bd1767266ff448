//! Opening cases (spec 4.4).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FrameNames, NamedReports, claim_report, company, ensure_child, find_link};
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        idempotency::{self, Outcome, RepeatableRequest},
        link::magic_link_url,
        session::Caller,
    },
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        case::{Attachment, CaseReference, NewCase},
        id::{CaseId, CompanyId, FrameId, UserId},
        link::{LinkOptions, LinkToken},
        moment::parse_schedule,
        operation::Operation,
        report::ReportToken,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, link::Link},
};

/// A case just opened (spec 2.2).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedCase {
    pub id: CaseId,
    /// The public reference, `CAS-<id>_CMP-<company id>`.
    pub cf_ref: String,
    pub frame_id: FrameId,
    /// As given, or the frame's name.
    pub title: String,
    pub created_at: Timestamp,
    /// False: the case has just been opened.
    pub closed: bool,
    /// Where a person without an account works on the case. Present when the case uses a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub magic_link_url: Option<String>,
}

/// Opens a case for the caller's company, or on a link for the link's (spec 4.4).
///
/// A request that was carried out before, by its key, is answered as then.
pub async fn create(
    app: &Arc<App>,
    caller: &Caller,
    request: NewCase,
    repeatable: Option<&RepeatableRequest>,
) -> Result<Outcome<CreatedCase>> {
    let now = app.clock.now();
    let mut reader = app.db.read().await?;
    if let Some(earlier) = idempotency::find(&mut reader, repeatable, now).await? {
        return Ok(earlier);
    }
    let plan = match Plan::make(&mut reader, &mut FrameNames::default(), caller, request, now).await {
        Ok(plan) => plan,
        // A concurrent request with the same key may have used up the link since.
        Err(error) => return idempotency::find(&mut reader, repeatable, now).await?.ok_or(error),
    };
    drop(reader);
    plan.reports.pass(app, caller.company_id()).await?;
    let mut tx = app.db.begin().await?;
    let created = async {
        if let Some(earlier) = idempotency::begin(&mut tx, repeatable, now).await? {
            return Ok(earlier);
        }
        let created = plan.carry_out(app, &mut tx, &caller.actor, now).await?;
        idempotency::finish(&mut tx, repeatable, created.id, &created).await?;
        Ok(Outcome::done(created))
    };
    let created = created.await;
    tx.settle(created).await
}

/// A validated request: what will be written. All reads are done before the first write, so that writers block each
/// other as little as possible.
pub(super) struct Plan {
    /// The family that may use the report token: the topmost company above the case's.
    family: CompanyId,
    /// Must pass before the plan is carried out.
    pub(super) reports: NamedReports,
    case: store::case::NewCase,
    link: Option<PlannedLink>,
}

enum PlannedLink {
    Existing(LinkToken),
    New(Link),
}

/// What an attachment resolves to: the company that will own the case, and who works on it.
struct AttachmentTarget {
    owner: CompanyId,
    user: Option<UserId>,
    link: Option<PlannedLink>,
    report_token: Option<ReportToken>,
}

impl Plan {
    pub(super) async fn make(
        reader: &mut Reader,
        frames: &mut FrameNames,
        caller: &Caller,
        request: NewCase,
        now: Timestamp,
    ) -> Result<Self> {
        let scheduled_at = match &request.scheduled_at {
            Some(text) => Some(parse_schedule(text, now).map_err(|error| Error::invalid(error.to_string()))?),
            None => None,
        };
        if let Attachment::NewLink(LinkOptions { expires_at: Some(expires_at), .. }) = &request.attachment
            && *expires_at <= now
        {
            return Err(Error::invalid("linkOptions.expirationDate must be in the future"));
        }
        let attached = attach(reader, caller, &request, now).await?;
        let owner = if attached.owner == caller.company_id() {
            Arc::clone(&caller.company)
        } else {
            Arc::new(company(reader, attached.owner).await?)
        };
        let frame_name = frames.find(reader, owner.id, Operation::CreateCase, request.frame).await?;
        let case = store::case::NewCase {
            company: owner.id,
            frame: request.frame,
            title: request.title.unwrap_or(frame_name),
            user: attached.user,
            link: attached.link.as_ref().map(|link| match link {
                PlannedLink::Existing(token) => token.clone(),
                PlannedLink::New(link) => link.token.clone(),
            }),
            report_token: request.report_token.or(attached.report_token),
            context: request.context,
            metadata: request.metadata,
            scheduled_at,
            language: request.language,
            created_at: now,
        };
        let (family, link) = (owner.parent.unwrap_or(owner.id), attached.link);
        let reports = NamedReports::look(reader, family, report_tokens(&case, link.as_ref())).await?;
        Ok(Self { family, reports, case, link })
    }

    pub(super) async fn carry_out(&self, app: &App, tx: &mut Tx, actor: &Actor, now: Timestamp) -> Result<CreatedCase> {
        for token in report_tokens(&self.case, self.link.as_ref()) {
            claim_report(tx, self.family, token, now).await?;
        }
        match &self.link {
            Some(PlannedLink::New(link)) => {
                store::link::insert(tx, link).await?;
                audit::record(tx, now, actor, Event::created_link(link.company, &link.token)).await?;
            }
            Some(PlannedLink::Existing(token)) => take_use(tx, token).await?,
            None => {}
        }
        let id = store::case::insert(tx, &self.case).await?;
        let event = Event::of(Operation::CreateCase, self.case.company, Some(format!("case {id}")));
        audit::record(tx, now, actor, event.with_detail(format!("frame {}", self.case.frame))).await?;
        Ok(CreatedCase {
            id,
            cf_ref: CaseReference { case: id, company: self.case.company }.to_string(),
            frame_id: self.case.frame,
            title: self.case.title.clone(),
            created_at: now,
            closed: false,
            magic_link_url: self.case.link.as_ref().map(|token| magic_link_url(app, token)),
        })
    }
}

/// The report token of the case, and that of its new link if it is different.
fn report_tokens<'p>(
    case: &'p store::case::NewCase,
    link: Option<&'p PlannedLink>,
) -> impl Iterator<Item = &'p ReportToken> {
    let own = case.report_token.as_ref();
    let link = match link {
        Some(PlannedLink::New(link)) => link.report_token.as_ref().filter(move |token| Some(*token) != own),
        _ => None,
    };
    own.into_iter().chain(link)
}

/// Counts the case on its link. Another case may have taken the last use since the link was looked at.
async fn take_use(tx: &mut Tx, token: &LinkToken) -> Result<()> {
    if store::link::take_use(tx, token).await? { Ok(()) } else { Err(used_up()) }
}

const NO_MAIL: &str = "userMail must be the e-mail of a user of the company who has logged in";

async fn attach(reader: &mut Reader, caller: &Caller, request: &NewCase, now: Timestamp) -> Result<AttachmentTarget> {
    let to_user =
        |user| AttachmentTarget { owner: caller.company_id(), user: Some(user), link: None, report_token: None };
    match &request.attachment {
        Attachment::Caller => Ok(to_user(caller.user.clone())),
        Attachment::User(id) => match store::user::find_active(reader, caller.company_id(), id).await? {
            Some(user) => Ok(to_user(user.id)),
            None => Err(Operation::CreateCase.foreign(Kind::User, "userId must be a user of the company").into()),
        },
        Attachment::Mail(mail) => match store::user::find_by_mail(reader, caller.company_id(), mail).await? {
            Some(user) => Ok(to_user(user.id)),
            None => Err(Operation::CreateCase.foreign(Kind::User, NO_MAIL).into()),
        },
        Attachment::Link(token) => {
            let link = find_link(reader, caller, Operation::CreateCase, token).await?;
            if let Some(child) = request.child_company {
                ensure_child(reader, caller, child).await?;
                if child != link.company {
                    return Err(Error::invalid("childCompanyId must be the company of magicLinkToken"));
                }
            }
            ensure_usable(&link, now)?;
            Ok(AttachmentTarget {
                owner: link.company,
                user: None,
                link: Some(PlannedLink::Existing(link.token)),
                report_token: link.report_token,
            })
        }
        Attachment::NewLink(options) => {
            if let Some(child) = request.child_company {
                ensure_child(reader, caller, child).await?;
            }
            let owner = request.child_company.unwrap_or(caller.company_id());
            let link = new_link(owner, request.frame, options, now);
            Ok(AttachmentTarget {
                owner,
                user: None,
                report_token: link.report_token.clone(),
                link: Some(PlannedLink::New(link)),
            })
        }
    }
}

/// Rejects a link on which no further case can be opened (decisions 5).
fn ensure_usable(link: &Link, now: Timestamp) -> Result<()> {
    if link.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Err(Error::state("the link has expired"));
    }
    if link.max_uses.is_some_and(|most| link.uses >= most) {
        return Err(used_up());
    }
    Ok(())
}

fn new_link(owner: CompanyId, frame: FrameId, options: &LinkOptions, now: Timestamp) -> Link {
    Link {
        token: LinkToken::random(),
        company: owner,
        frame: Some(frame),
        report_token: Some(options.report_token.clone()),
        max_uses: options.max_uses,
        // The case created with the link counts (decisions 5).
        uses: 1,
        expires_at: options.expires_at,
        context: None,
        created_at: now,
    }
}

fn used_up() -> Error {
    Error::state("the link is used up")
}
