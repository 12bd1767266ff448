//! The cases of a field user: those that are open, and one that is opened for a single photo (decisions 16).

use schemars::JsonSchema;
use serde::Serialize;

use super::view::{self, FormView, LimitsView};
use crate::{
    app::{
        App,
        appearance::AppearanceView,
        audit::{self, Event},
        case::certificate_url,
        session::field::{FieldUser, FieldUserView},
    },
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        field::NewQuickCase,
        id::{CaseId, FrameId},
        moment::end_of_scheduling_month,
        operation::Operation,
        resource::Kind,
    },
    error::{Error, Result},
    store::{self, case::Case},
};

/// How many open cases of a user are listed, oldest first.
const LISTED: i64 = 500;

/// What a field user has to do. A page that keeps it can show every form without a network.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldCases {
    pub user: FieldUserView,
    pub company_name: String,
    pub appearance: AppearanceView,
    pub server_time: Timestamp,
    /// The user's open cases whose month has come, in the order in which they were opened; at most 500.
    pub cases: Vec<FieldCaseView>,
    /// The forms of these cases.
    pub forms: Vec<FormView>,
    /// The forms for one photo that is a case of its own.
    pub quick_forms: Vec<FormView>,
    pub limits: LimitsView,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldCaseView {
    pub case_id: CaseId,
    /// The public reference, `CAS-<id>_CMP-<company id>`.
    pub cf_ref: String,
    pub title: String,
    /// One of `forms`.
    pub frame_id: FrameId,
    pub frame_name: String,
    pub created_at: Timestamp,
    /// Null for a case that is not scheduled.
    pub scheduled_at: Option<Timestamp>,
}

/// The case of one photo.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuickCase {
    pub case_id: CaseId,
    /// The public reference, `CAS-<id>_CMP-<company id>`.
    pub cf_ref: String,
    pub closed: bool,
    /// Where the certificate of a closed case is served to anyone who knows the address.
    pub pdf_url: Option<String>,
}

/// The user's open cases whose month has come (spec 3.2).
pub async fn list(app: &App, user: &FieldUser) -> Result<FieldCases> {
    let mut reader = app.db.read().await?;
    let until = end_of_scheduling_month(user.seen_at);
    let open = store::case::open_of_user(&mut reader, user.company.id, &user.user, until, LISTED).await?;
    let mut forms: Vec<FormView> = Vec::new();
    let mut cases = Vec::with_capacity(open.len());
    for case in open {
        let known = forms.iter().position(|form| form.frame_id == case.frame);
        let at = if let Some(at) = known {
            at
        } else {
            forms.push(view::form(&mut reader, case.frame).await?);
            forms.len() - 1
        };
        cases.push(FieldCaseView::of(case, forms[at].name.clone()));
    }
    let quick_forms = quick_forms(&mut reader, user).await?;
    drop(reader);
    let event = Event::of(Operation::ListFieldCases, user.company.id, None);
    let event = event.with_detail(format!("{} cases", cases.len()));
    audit::record_alone(app, &user.actor, event).await?;
    Ok(FieldCases {
        user: FieldUserView { user_id: user.user.clone(), name: user.name.clone() },
        company_name: user.company.name.clone(),
        appearance: AppearanceView::of(app, &user.company),
        server_time: user.seen_at,
        cases,
        forms,
        quick_forms,
        limits: LimitsView::default(),
    })
}

impl FieldCaseView {
    fn of(case: Case, frame_name: String) -> Self {
        Self {
            case_id: case.id,
            cf_ref: case.reference().to_string(),
            title: case.title,
            frame_id: case.frame,
            frame_name,
            created_at: case.created_at,
            scheduled_at: case.scheduled_at,
        }
    }
}

async fn quick_forms(reader: &mut Reader, user: &FieldUser) -> Result<Vec<FormView>> {
    let mut forms = Vec::new();
    for frame in store::frame::accessible(reader, user.company.id).await? {
        if frame.quick {
            forms.push(view::form(reader, frame.id).await?);
        }
    }
    Ok(forms)
}

/// Opens a case for one photo of the user, or returns the one that an earlier request opened for it; the second value
/// says whether this call did. A client whose answer was lost can repeat the call, also after the closing.
pub async fn open_quick(app: &App, user: &FieldUser, new: NewQuickCase) -> Result<(QuickCase, bool)> {
    let mut reader = app.db.read().await?;
    if let Some(case) = store::field_session::opened_case(&mut reader, &user.user, &new.capture).await? {
        return Ok((quick_case(app, &mut reader, case).await?, false));
    }
    let unknown = || {
        let message = format!("frame {} does not exist or is not shared with the company", new.frame);
        Error::from(Operation::OpenQuickCase.missing(Kind::Frame, message))
    };
    let name = store::frame::find_accessible_name(&mut reader, user.company.id, new.frame).await?;
    let name = name.ok_or_else(unknown)?;
    let frame = store::frame::find(&mut reader, new.frame).await?.ok_or_else(unknown)?;
    if !frame.quick {
        return Err(Error::state(format!("frame {} is not marked `quick`", new.frame)));
    }
    drop(reader);
    let mut tx = app.db.begin().await?;
    let inserted = match insert(&mut tx, user, &new, name).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::Conflict("another request has opened the case".to_owned())),
        Err(error) => Err(error),
    };
    let is_new = match tx.settle(inserted).await {
        Ok(()) => true,
        Err(Error::Conflict(_)) => false,
        Err(error) => return Err(error),
    };
    let mut reader = app.db.read().await?;
    let case = store::field_session::opened_case(&mut reader, &user.user, &new.capture).await?;
    let case = case.ok_or_else(|| Error::internal(anyhow::anyhow!("a case was opened just now and is gone")))?;
    tracing::info!(%case, "a case is open for one photo");
    Ok((quick_case(app, &mut reader, case).await?, is_new))
}

/// False if the photo has a case already.
async fn insert(tx: &mut Tx, user: &FieldUser, new: &NewQuickCase, frame_name: String) -> Result<bool> {
    let case = store::case::NewCase {
        company: user.company.id,
        frame: new.frame,
        title: new.title.clone().unwrap_or(frame_name),
        user: Some(user.user.clone()),
        link: None,
        report_token: None,
        context: None,
        metadata: None,
        scheduled_at: None,
        language: None,
        created_at: user.seen_at,
    };
    let id = store::case::insert(tx, &case).await?;
    let event = Event::of(Operation::OpenQuickCase, case.company, Some(format!("case {id}")));
    audit::record(tx, user.seen_at, &user.actor, event.with_detail(format!("frame {}", new.frame))).await?;
    Ok(store::field_session::insert_opening(tx, &user.user, &new.capture, id).await?)
}

async fn quick_case(app: &App, reader: &mut Reader, id: CaseId) -> Result<QuickCase> {
    let gone = || Error::internal(anyhow::anyhow!("case {id} was deleted meanwhile"));
    let case = store::case::find(reader, id).await?.ok_or_else(gone)?;
    let certificate = store::certificate::find(reader, id).await?;
    Ok(QuickCase {
        case_id: case.id,
        cf_ref: case.reference().to_string(),
        closed: case.is_closed(),
        pdf_url: certificate.map(|certificate| certificate_url(app, &certificate.share_token)),
    })
}
