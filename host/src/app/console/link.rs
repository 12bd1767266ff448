//! Links that users of the console make, see and end.

use std::{sync::Arc, time::Duration};

use super::ConsoleUser;
use crate::{
    app::{
        App,
        audit::{self, Event},
        link::{self, LinkState, magic_link_url},
    },
    domain::{
        case_search::about::Sources,
        context::VisibleData,
        id::{CaseId, CompanyId, FrameId},
        link::{LinkToken, NewLink},
    },
    error::{Error, Result},
    store::{
        self,
        link::{Link, LinkPlace},
    },
};

const DAY: Duration = Duration::from_hours(24);

/// What the form of a new link holds.
#[derive(Clone, Debug)]
pub struct NewLinkForm {
    pub company: CompanyId,
    pub frame: FrameId,
    pub max_uses: Option<i64>,
    pub days: Option<i64>,
}

/// A company, and the frames that its links may be for.
pub struct LinkChoice {
    pub company: CompanyId,
    pub company_name: String,
    pub frames: Vec<(FrameId, String)>,
}

/// A link on its page.
pub struct ShownLink {
    pub link: Link,
    pub url: String,
    pub company_name: String,
    /// None if the person chooses the frame.
    pub frame_name: Option<String>,
    /// The person that the link or its only open case names.
    pub person: Option<String>,
    /// The open cases on it with their titles.
    pub cases: Vec<(CaseId, String)>,
    pub state: LinkState,
}

/// What the user can make links for.
pub async fn choices(app: &App, user: &ConsoleUser) -> Result<Vec<LinkChoice>> {
    let companies = user.companies(app).await?;
    let mut reader = app.db.read().await?;
    let mut choices = Vec::new();
    for company in companies {
        let frames = store::frame::accessible(&mut reader, company.id).await?;
        let frames = frames.into_iter().map(|frame| (frame.id, frame.name)).collect();
        choices.push(LinkChoice { company: company.id, company_name: company.name, frames });
    }
    Ok(choices)
}

/// A link in the list.
pub struct ListedLink {
    pub link: Link,
    pub company_name: String,
    /// None if the person chooses the frame.
    pub frame_name: Option<String>,
    /// Whether nothing can be done with it any more.
    pub has_ended: bool,
}

/// A page of the list of links, the newest first.
pub struct LinkPage {
    pub links: Vec<ListedLink>,
    pub has_more: bool,
}

/// The links of the user's companies from those after `after` on.
pub async fn list(app: &App, user: &ConsoleUser, after: Option<&LinkToken>) -> Result<LinkPage> {
    const ON_PAGE: usize = 50;
    let place = match after {
        Some(token) => {
            let Link { token, created_at, .. } = find(app, user, token).await?;
            Some(LinkPlace { created_at, token })
        }
        None => None,
    };
    let mut reader = app.db.read().await?;
    let limit = i64::try_from(ON_PAGE + 1).map_err(Error::internal)?;
    let mut links = store::link::newest(&mut reader, user.scope, place.as_ref(), limit).await?;
    let has_more = links.len() > ON_PAGE;
    links.truncate(ON_PAGE);
    let now = app.clock.now();
    let mut listed = Vec::new();
    for store::link::ListedLink { link, company_name, frame_name } in links {
        let has_expired = link.expires_at.is_some_and(|at| at <= now);
        let is_used_up = link.max_uses.is_some_and(|most| link.uses >= most);
        // A used link still gives access to its open cases.
        let has_ended =
            has_expired || is_used_up && store::link::open_cases(&mut reader, &link.token).await?.count == 0;
        listed.push(ListedLink { link, company_name, frame_name, has_ended });
    }
    Ok(LinkPage { links: listed, has_more })
}

/// Makes a link for one of the user's companies.
///
/// # Errors
/// As `POST /link/create`.
pub async fn create(app: &Arc<App>, user: &ConsoleUser, form: NewLinkForm) -> Result<LinkToken> {
    let company = user.company(app, form.company).await?;
    let days = form.days.and_then(|days| u32::try_from(days).ok());
    let request = NewLink {
        frame: Some(form.frame),
        child_company: None,
        report_token: None,
        max_uses: form.max_uses,
        expires_at: days.map(|days| app.clock.now().after(DAY * days)),
        context: None,
    };
    let created = link::create(app, &user.caller(company)?, request).await?;
    Ok(created.token)
}

/// A link of one of the user's companies.
pub async fn show(app: &App, user: &ConsoleUser, token: &LinkToken) -> Result<ShownLink> {
    let link = find(app, user, token).await?;
    let view = link::view(app, &token.to_string()).await?.ok_or_else(|| Error::not_found("the link does not exist"))?;
    let mut reader = app.db.read().await?;
    let frame = match link.frame {
        Some(frame) => store::frame::find_accessible_name(&mut reader, link.company, frame).await?,
        None => None,
    };
    let open = store::case::all_open_on_link(&mut reader, link.company, token).await?;
    drop(reader);
    let event = Event::done("showLink", Some(link.company), Some(format!("link {}", token.fingerprint())));
    audit::record_alone(app, &user.actor(), event).await?;
    let of_link = link.context.as_deref().and_then(visible_data);
    let of_case = if let [case] = open.as_slice() { case.context.clone() } else { None };
    let sources = Sources { context: of_case.or(of_link), ..Sources::default() };
    Ok(ShownLink {
        url: magic_link_url(app, &link.token),
        company_name: view.company_name,
        frame_name: frame,
        person: sources.about().person,
        cases: open.into_iter().map(|case| (case.id, case.title)).collect(),
        state: view.state,
        link,
    })
}

/// What the context of a link shows, if it has the form of a case's.
fn visible_data(json: &str) -> Option<VisibleData> {
    let context: serde_json::Value = serde_json::from_str(json).ok()?;
    let visible = context.get("visibleData").cloned().unwrap_or(context);
    serde_json::from_value(visible).ok()
}

/// Ends a link: no case can be opened on it, and open ones get no more captures by it.
pub async fn end(app: &App, user: &ConsoleUser, token: &LinkToken) -> Result<()> {
    let link = find(app, user, token).await?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let ended = async {
        store::link::end(&mut tx, link.company, token, now).await?;
        let event = Event::done("endLink", Some(link.company), Some(format!("link {}", token.fingerprint())));
        audit::record(&mut tx, now, &user.actor(), event).await?;
        Ok::<_, Error>(())
    };
    let ended = ended.await;
    tx.settle(ended).await
}

async fn find(app: &App, user: &ConsoleUser, token: &LinkToken) -> Result<Link> {
    let unknown = || Error::not_found("the link does not exist, or belongs to another company");
    let mut reader = app.db.read().await?;
    let link = store::link::find(&mut reader, token).await?.ok_or_else(unknown)?;
    let company = store::company::find(&mut reader, link.company).await?.ok_or_else(unknown)?;
    if user.scope.contains(company.id, company.parent) { Ok(link) } else { Err(unknown()) }
}
