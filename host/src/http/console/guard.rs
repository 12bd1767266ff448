//! Who may see a page of the console or send one of its forms: the table of `domain::console`, enforced in one place.
//!
//! The order is: the client's quota, the session, the second factor, the role, and for forms where the request comes from
//! and the token that the page repeats. What a path names is checked by the use cases of [`app::console`](crate::app::console).

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CONTENT_TYPE, HOST, LOCATION, ORIGIN, RETRY_AFTER, USER_AGENT},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{
    form::{CSRF, Form},
    layout,
    problem::{PageError, Problem},
    visit::{SESSION, Visit, Visitor},
};
use crate::{
    app::{
        audit::{self, AuditOutcome, Event},
        console::{
            ConsoleUser,
            session::{self, SignedInUser},
        },
    },
    domain::{
        console::{Access, Action},
        rate_limit::Counter,
    },
    error::{Error, Result},
    http::{cookie::is_from_another_site, guard::counted, link::Language, request::RequestFacts, shared::Shared},
};

/// Requests of one client in 60 seconds. A page with its pictures is a few dozen, and colleagues may share an address.
const LIMIT: u32 = 1200;

/// A form's bytes. The longest form is that of a frame with many steps.
const MOST_FORM_BYTES: usize = 256 * 1024;

/// Where a person is sent who is not signed in.
pub(super) const SIGN_IN: &str = "/console/sign-in";
const SECOND_FACTOR: &str = "/console/second-factor";

/// Passes a request to its handler if the table allows it, and shows its error as a page.
pub(super) async fn guard(
    State((shared, action)): State<(Shared, Action)>,
    facts: RequestFacts,
    request: Request,
    next: Next,
) -> Response {
    tracing::Span::current().set_attribute("action", action.name());
    let language = Language::preferred(request.headers());
    let counter = Counter::Console(facts.client);
    let answered = async {
        let (response, user) = admit(&shared, action, &facts, request, next).await;
        show_problem(response, language, user.as_ref())
    };
    let mut response = counted(&shared, &facts, counter, LIMIT, Box::pin(answered)).await;
    let is_a_page = response.headers().get(CONTENT_TYPE).is_none_or(|kind| !kind.as_bytes().ends_with(b"json"));
    if response.status() == StatusCode::TOO_MANY_REQUESTS && !is_a_page {
        response.extensions_mut().insert(Problem("too many requests from your address: wait a minute".to_owned()));
        return show_problem(response, language, None);
    }
    response
}

async fn admit(
    shared: &Shared,
    action: Action,
    facts: &RequestFacts,
    mut request: Request,
    next: Next,
) -> (Response, Option<Visit>) {
    let language = Language::preferred(request.headers());
    let token = SESSION.session(shared, request.headers());
    let signed_in = match &token {
        Some(token) => match session::authenticate(&shared.app, token, facts.client).await {
            Ok(signed_in) => signed_in,
            Err(error) => return (PageError::from(error).into_response(), None),
        },
        None => None,
    };
    let agent = request.headers().get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default().to_owned();
    let visitor = Visitor { language, token: token.clone(), address: facts.client, agent };
    request.extensions_mut().insert(visitor);
    let visit = signed_in.as_ref().zip(token).filter(|(signed_in, _)| signed_in.is_complete);
    let visit = visit.map(|(signed_in, token)| Visit { user: signed_in.user.clone(), token, language });
    if let Some(refusal) = refuse(action, signed_in.as_ref(), &request) {
        return (refusal, visit);
    }
    if let Some(SignedInUser { user, .. }) = &signed_in {
        tracing::Span::current().record("user", user.username.as_str());
        if let Some(role) = action.role().filter(|role| !user.may(*role)) {
            return (forbid(shared, action, user, role).await, visit);
        }
    }
    if !request.method().is_safe() {
        request = match with_form(shared, request, signed_in.is_some()).await {
            Ok(request) => request,
            Err(error) => return (PageError::from(error).into_response(), visit),
        };
    }
    if let Some(visit) = &visit {
        request.extensions_mut().insert(visit.clone());
    }
    (next.run(request).await, visit)
}

/// The answer to a person who has to sign in first; none if the person may go on.
fn refuse(action: Action, signed_in: Option<&SignedInUser>, request: &Request) -> Option<Response> {
    let to_sign_in = || {
        let path = request.uri().path_and_query().map_or("/console", |path| path.as_str());
        let next: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
        let is_safe = request.method().is_safe();
        redirect(&if is_safe { format!("{SIGN_IN}?next={next}") } else { SIGN_IN.to_owned() })
    };
    match (action.properties().access, signed_in) {
        (Access::Anyone, _) | (Access::HalfSignedIn, Some(_)) => None,
        (Access::Role(_), Some(signed_in)) if signed_in.is_complete => None,
        (Access::Role(_), Some(_)) => Some(redirect(SECOND_FACTOR)),
        (Access::HalfSignedIn | Access::Role(_), None) => Some(to_sign_in()),
    }
}

async fn forbid(shared: &Shared, action: Action, user: &ConsoleUser, role: crate::domain::console::Role) -> Response {
    let event = Event::done(action.name(), user.scope.company(), None).with_outcome(AuditOutcome::Refused);
    if let Err(error) = audit::record_alone(&shared.app, &user.actor(), event).await {
        return PageError::from(error).into_response();
    }
    PageError::from(Error::forbidden(format!("this needs the role {role}, and yours is {}", user.role))).into_response()
}

/// Reads the form of a request. A session's form must come from one of our pages and repeat the session's token; a page of
/// another site can make the browser send the cookie, but does not know the token.
async fn with_form(shared: &Shared, request: Request, has_session: bool) -> Result<Request> {
    if is_foreign(shared, request.headers()) {
        return Err(Error::forbidden("the form was sent from a page of another site"));
    }
    let (mut parts, body) = request.into_parts();
    let bytes = to_bytes(body, MOST_FORM_BYTES).await;
    let bytes = bytes.map_err(|_| Error::invalid(format!("a form may have at most {MOST_FORM_BYTES} bytes")))?;
    let form = Form::parse(&bytes);
    let token = parts.extensions.get::<Visitor>().and_then(|visitor| visitor.token.as_ref());
    if has_session && !token.is_some_and(|token| token.is_csrf(form.text(CSRF))) {
        // The sign-in form of someone who is signed in already has no token of the session.
        let is_sign_in = parts.uri.path() == SIGN_IN;
        if !is_sign_in {
            return Err(Error::forbidden("the form is too old: load the page again, and repeat what you entered"));
        }
    }
    parts.extensions.insert(form);
    Ok(Request::from_parts(parts, Body::empty()))
}

/// Whether a form comes from another site, as far as the browser says so. A proxy may have replaced the name of the host,
/// so the address by which the installation is known counts too.
fn is_foreign(shared: &Shared, headers: &HeaderMap) -> bool {
    if is_from_another_site(headers) {
        return true;
    }
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text(ORIGIN) else { return false };
    let is_host = |from: &str| text(HOST).is_some_and(|host| from.eq_ignore_ascii_case(host));
    let is_ours = shared.app.config.base_url.eq_ignore_ascii_case(origin);
    !is_ours && !origin.split_once("://").is_some_and(|(_, from)| is_host(from))
}

/// A redirect after a form, or to the sign-in.
pub(super) fn redirect(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(location) => (StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response(),
        Err(error) => PageError::from(Error::internal(error)).into_response(),
    }
}

fn show_problem(mut response: Response, language: Language, visit: Option<&Visit>) -> Response {
    let Some(Problem(problem)) = response.extensions_mut().remove() else { return response };
    let mut page = layout::problem(response.status(), &problem, language, visit);
    if let Some(seconds) = response.headers().get(RETRY_AFTER) {
        page.headers_mut().insert(RETRY_AFTER, seconds.clone());
    }
    page
}
