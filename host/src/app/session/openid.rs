//! Signing in a field user by the OpenID Connect provider of the settings. The company manifest names the subject of each.

use sealwright_seal::Sha256Digest;

use super::{Evidence, SignedIn, may_sign_in};
use crate::{
    app::{
        App,
        openid::{BegunSignIn, Callback, OngoingSignIn, ProviderSignIn, SignInFailure},
    },
    domain::{company_manifest::UserKind, openid::OidcSubject, session::SessionToken},
    error::{Error, Result},
    openid::Provider,
    store::{self, user::User},
};

/// The path to which the provider sends a person back. Operators enter it at the provider, so it never changes.
pub const CALLBACK: &str = "/field/signed-in";

const PURPOSE: &str = "sign-in of a field user by the provider";

/// The provider, if there is one.
pub fn provider(app: &App) -> Result<&Provider> {
    app.openid.as_deref().ok_or_else(|| Error::not_found("signing in through an OpenID Connect provider is not set up"))
}

/// Begins a sign-in. With `again` the provider asks for the person's credentials in any case.
pub async fn begin(app: &App, again: bool, before: Option<&SessionToken>) -> Result<BegunSignIn, SignInFailure> {
    steps(app)?.begin(again, before, "").await
}

/// Whether what came back belongs to the sign-in that this browser began and that is not too old. Asks no one.
pub fn recognise(app: &App, sealed: Option<&str>, callback: Callback) -> Result<OngoingSignIn, SignInFailure> {
    steps(app)?.recognise(sealed, callback)
}

fn steps(app: &App) -> Result<ProviderSignIn<'_>> {
    Ok(ProviderSignIn { provider: provider(app)?, secrets: &app.secrets, clock: &app.clock, purpose: PURPOSE })
}

/// Finds out who came back. An account is never created: the company manifest names the subject.
pub async fn finish(app: &App, ongoing: OngoingSignIn) -> Result<SignedIn, SignInFailure> {
    let provider = provider(app)?;
    let (identity, sign_in) = ongoing.identify(provider).await?;
    let subject = identity.subject;
    let unknown = || SignInFailure::NotAdmitted {
        subject: subject.to_string(),
        reason: "no active field user has this subject".to_owned(),
    };
    let mut reader = app.db.read().await?;
    let user = store::user::find_by_subject(&mut reader, &subject).await?;
    let user = user.filter(|user| may_sign_in(user, UserKind::Field)).ok_or_else(unknown)?;
    let company = store::company::find(&mut reader, user.company).await?;
    let evidence = Evidence::Provider { subject: subject_digest(provider, &subject), sign_in };
    Ok(SignedIn { company: company.ok_or_else(unknown)?, user, evidence })
}

/// Whether the user is still the one whom the provider of the settings knows by the subject with this digest.
pub(super) fn is_still(app: &App, user: &User, digest: Sha256Digest) -> bool {
    let now = app.openid.as_deref().zip(user.oidc_subject.as_ref());
    now.is_some_and(|(provider, subject)| subject_digest(provider, subject) == digest)
}

/// Of issuer and subject: a subject means nothing without its issuer.
fn subject_digest(provider: &Provider, subject: &OidcSubject) -> Sha256Digest {
    Sha256Digest::of(format!("{}\n{subject}", provider.issuer()))
}
