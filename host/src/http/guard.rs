//! Authentication, rate limit and right of each operation, in that order (decisions 2), as the operations' table says.

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, header::AUTHORIZATION, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};

use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::{access_key::by_key, field::cookie, rate_limit, request::RequestFacts, shared::Shared};
use crate::{
    app::{
        item::Depositor,
        session::{self, Caller, CaptureHolder, FieldUser, LinkHolder},
    },
    domain::{
        link::LinkToken,
        operation::{self, Needs, Operation, Quota},
        rate_limit::Counter,
        right::{Right, Rights},
        session::SessionToken,
    },
    error::{Error, Result},
};

/// Passes a request to its handler if the caller is known, within the limit, and has the right. Public operations are
/// counted for each client if they take no key, else by their handlers: only those know the access key or the username.
pub(super) async fn guard(
    State((shared, operation)): State<(Shared, Operation)>,
    facts: RequestFacts,
    mut request: Request,
    next: Next,
) -> Response {
    tracing::Span::current().set_attribute("operation", operation.name());
    let needs = match operation.properties().caller {
        operation::Caller::ApiUser(needs) => needs,
        operation::Caller::ApiUserOrHolder(needs) => {
            let is_link = bearer_token(request.headers()).is_some_and(|token| LinkToken::parse(&token).is_some());
            if is_link {
                return guard_link(&shared, operation, &facts, request, next).await;
            }
            if let Some(token) = cookie::read(&shared, request.headers()) {
                return guard_field_user(&shared, operation, &facts, (token, request), next).await;
            }
            needs
        }
        operation::Caller::LinkHolder => return guard_link(&shared, operation, &facts, request, next).await,
        operation::Caller::FieldUser => {
            let Some(token) = cookie::read(&shared, request.headers()) else {
                return cookie::missing().into_response();
            };
            return guard_field_user(&shared, operation, &facts, (token, request), next).await;
        }
        operation::Caller::LinkHolderOrFieldUser => {
            return match cookie::read(&shared, request.headers()) {
                Some(token) => guard_field_user(&shared, operation, &facts, (token, request), next).await,
                None => guard_link(&shared, operation, &facts, request, next).await,
            };
        }
        operation::Caller::Public => {
            let Quota::PerClient(limit) = operation.properties().quota else { return next.run(request).await };
            return counted(&shared, &facts, Counter::Client(operation, facts.client), limit, next.run(request)).await;
        }
    };
    let caller = match authenticate(&shared, bearer_token(request.headers()), &facts).await {
        Ok(caller) => caller,
        Err(error) => return error.into_response(),
    };
    tracing::Span::current().record("company", caller.company_id().get()).record("user", caller.user.as_str());
    let counter = Counter::Company(operation, caller.company_id());
    let limit = caller.company.rate_limit(operation).unwrap_or_else(|| rate_limit::default_limit(operation));
    counted(&shared, &facts, counter, limit, async move {
        if let Err(error) = ensure_right(&caller, needs) {
            return error.into_response();
        }
        request.extensions_mut().insert(caller);
        next.run(request).await
    })
    .await
}

/// Passes a request whose bearer token is the token of a link. Each link has its own counter; unknown ones share one.
async fn guard_link(
    shared: &Shared,
    operation: Operation,
    facts: &RequestFacts,
    mut request: Request,
    next: Next,
) -> Response {
    let refused = |message: &str| Error::Unauthenticated(message.to_owned()).into_response();
    let Some(token) = bearer_token(request.headers()) else {
        return refused("the token of a link is required as the bearer token");
    };
    let find = async {
        let holder = session::authenticate_link(&shared.app, &token, facts.client).await?;
        holder.ok_or_else(|| Error::not_found("no such link"))
    };
    let key = (operation, token.to_ascii_lowercase());
    by_key(shared, facts, key, find, async |holder| match holder {
        Ok(holder) => {
            tracing::Span::current().record("company", holder.company.id.get());
            request.extensions_mut().insert(CaptureHolder::Link(holder));
            next.run(request).await
        }
        Err(Error::NotFound(_)) => refused("the bearer token is not the token of a link"),
        Err(error) => error.into_response(),
    })
    .await
}

/// The header in which a page repeats the token of its session: a page of another site can make the browser send the
/// cookie, but does not know this token.
const CSRF: HeaderName = HeaderName::from_static("x-csrf-token");

/// Passes a request whose cookie is that of a field user's session. Each session has its own counter; unknown ones share
/// one.
async fn guard_field_user(
    shared: &Shared,
    operation: Operation,
    facts: &RequestFacts,
    (token, mut request): (SessionToken, Request),
    next: Next,
) -> Response {
    let find = async {
        let user = session::field::authenticate(&shared.app, &token, facts.client).await?;
        user.ok_or_else(|| Error::not_found("no such session"))
    };
    let key = (operation, format!("session {}", token.digest()));
    by_key(shared, facts, key, find, async |user| match user {
        Ok(user) => {
            tracing::Span::current().record("company", user.company.id.get()).record("user", user.user.as_str());
            let given = request.headers().get(CSRF).and_then(|value| value.to_str().ok());
            if !request.method().is_safe() && !given.is_some_and(|given| token.is_csrf(given)) {
                return Error::forbidden("X-CSRF-Token must be the token of the session").into_response();
            }
            request.extensions_mut().insert(CaptureHolder::from(user));
            next.run(request).await
        }
        Err(Error::NotFound(_)) => Error::Unauthenticated("the session has ended".to_owned()).into_response(),
        Err(error) => error.into_response(),
    })
    .await
}

/// Counts a request, runs it if it is within the limit, and writes the `X-RateLimit-*` headers.
pub(super) async fn counted(
    shared: &Shared,
    facts: &RequestFacts,
    counter: Counter,
    limit: u32,
    run: impl Future<Output = Response>,
) -> Response {
    let quota = counter.quota();
    let admission = match shared.app.rates.admit(counter, limit).await {
        Ok(admission) => admission,
        Err(error) => return error.into_response(),
    };
    rate_limit::within((admission, quota), facts, shared.app.clock.now(), run).await
}

/// The token of `Authorization: Bearer <token>`. Two such headers count as none: a proxy may have used the other one.
fn bearer_token(headers: &HeaderMap) -> Option<String> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (header, None) = (all.next()?, all.next()) else { return None };
    let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

async fn authenticate(shared: &Shared, token: Option<String>, facts: &RequestFacts) -> Result<Caller> {
    let token = token.ok_or_else(|| Error::Unauthenticated("a bearer token is required".to_owned()))?;
    session::authenticate(&shared.app, &token, facts.client).await
}

fn ensure_right(caller: &Caller, needs: Needs) -> Result<()> {
    let missing = lacking(needs, &caller.rights);
    if missing.is_empty() { Ok(()) } else { Err(Error::forbidden(missing_permission(needs, &missing))) }
}

/// The rights that a caller with the rights `held` lacks; none if they suffice. If several are needed together, those
/// that are held are not listed.
fn lacking(needs: Needs, held: &Rights) -> Vec<Right> {
    match needs {
        Needs::Any(rights) if rights.iter().any(|right| held.allows(*right)) => Vec::new(),
        Needs::Any(rights) => rights.to_vec(),
        Needs::All(rights) => rights.iter().copied().filter(|right| !held.allows(*right)).collect(),
    }
}

/// The message for a caller with none of the rights.
pub(super) fn missing_right(needs: Needs) -> String {
    let (Needs::All(rights) | Needs::Any(rights)) = needs;
    missing_permission(needs, rights)
}

fn missing_permission(needs: Needs, rights: &[Right]) -> String {
    let word = match needs {
        Needs::All(_) => " and ",
        Needs::Any(_) => " or ",
    };
    let names: Vec<&str> = rights.iter().map(|right| right.as_str()).collect();
    format!("missing permission {}", names.join(word))
}

/// The caller that [`guard`] let through.
impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        // Only routes of public operations have none, and their handlers do not use it.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| Error::internal(anyhow::anyhow!("a route is not guarded")))
    }
}

/// Who adds an item: the API user or the holder that [`guard`] let through.
impl<S: Sync> FromRequestParts<S> for Depositor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        match parts.extensions.get::<CaptureHolder>() {
            Some(holder) => Ok(Self::Holder(holder.clone())),
            None => Caller::from_request_parts(parts, state).await.map(Self::User),
        }
    }
}

/// The holder of a link that [`guard`] let through.
impl<S: Sync> FromRequestParts<S> for LinkHolder {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        match parts.extensions.get::<CaptureHolder>() {
            Some(CaptureHolder::Link(holder)) => Ok(holder.clone()),
            _ => Err(Error::internal(anyhow::anyhow!("a route is not guarded"))),
        }
    }
}

/// The field user that [`guard`] let through.
impl<S: Sync> FromRequestParts<S> for FieldUser {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        match parts.extensions.get::<CaptureHolder>() {
            Some(CaptureHolder::Field(user)) => Ok(user.clone()),
            _ => Err(Error::internal(anyhow::anyhow!("a route is not guarded"))),
        }
    }
}

/// The holder of a link, or the field user, that [`guard`] let through.
impl<S: Sync> FromRequestParts<S> for CaptureHolder {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let holder = parts.extensions.get::<Self>().cloned();
        holder.ok_or_else(|| Error::internal(anyhow::anyhow!("a route is not guarded")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_that_a_caller_has_are_not_reported_as_missing() {
        let create: Rights = [Right::CaseCreate].into_iter().collect();
        let all = Needs::All(&[Right::CaseCreate, Right::CaseBulkCreate]);
        let any = Needs::Any(&[Right::CaseCreate, Right::CaseUpdate]);
        assert_eq!(lacking(all, &create), [Right::CaseBulkCreate]);
        assert_eq!(lacking(all, &Rights::default()), [Right::CaseCreate, Right::CaseBulkCreate]);
        assert_eq!(lacking(all, &Rights::every()), []);
        assert_eq!(lacking(any, &create), []);
        assert_eq!(
            missing_permission(any, &lacking(any, &Rights::default())),
            "missing permission p_api:case:create or p_api:case:update"
        );
    }
}
