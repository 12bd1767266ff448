//! Signing in to the console by the OpenID Connect provider of the settings. The provider says which role and which company
//! a person has; the first sign-in makes the user. A user is named by issuer and subject, never by a name.

use super::{
    session::{self, Origin, UNKNOWN, actor},
    user::{Authority, LONGEST_NAME, LONGEST_USERNAME, check_role, is_username_character},
};
use crate::{
    app::{
        App,
        audit::{self, Actor, AuditOutcome, Event},
        openid::{BegunSignIn, Callback, OngoingSignIn, ProviderSignIn, SignInFailure},
    },
    clock::Timestamp,
    config::ConsoleOpenIdSettings,
    db::Tx,
    domain::{
        claims,
        client_address::ClientAddress,
        console::{Action, Role, Scope},
        openid::OidcSubject,
        session::SessionToken,
    },
    error::{Error, Result},
    openid::{Identity, Provider},
    store::{
        self,
        console_user::{self, ConsoleUser, NewConsoleUser},
    },
};

const PURPOSE: &str = "sign-in of a user of the console by the provider";

/// The detail of records in the audit log.
const DETAIL: &str = "openid";

/// How many users may have the same name at the provider.
const MOST_NAMESAKES: u32 = 1000;

/// The identifier of a session that does not exist.
const NO_SESSION: i64 = 0;

/// What a provider allows a person.
type Grant = (Role, Scope);

/// The provider, if there is one.
pub fn provider(app: &App) -> Result<&Provider> {
    let provider = app.console_openid.as_deref();
    provider.ok_or_else(|| Error::not_found("signing in through an OpenID Connect provider is not set up"))
}

/// Where a person signs out at the provider too; none if the provider offers no such address, or does not answer.
pub async fn sign_out_url(app: &App) -> Option<String> {
    let back = format!("{}{}", app.config.base_url, Action::ShowSignIn.properties().path);
    app.console_openid.as_deref()?.sign_out_url(back).await.map(String::from)
}

/// Begins a sign-in, after which the person goes on to `next`. With `again` the provider asks for the person's credentials
/// in any case.
pub async fn begin(
    app: &App,
    again: bool,
    before: Option<&SessionToken>,
    next: &str,
) -> Result<BegunSignIn, SignInFailure> {
    steps(app)?.begin(again, before, next).await
}

/// Whether what came back belongs to the sign-in that this browser began and that is not too old. Asks no one.
pub fn recognise(app: &App, sealed: Option<&str>, callback: Callback) -> Result<OngoingSignIn, SignInFailure> {
    steps(app)?.recognise(sealed, callback)
}

fn steps(app: &App) -> Result<ProviderSignIn<'_>> {
    Ok(ProviderSignIn { provider: provider(app)?, secrets: &app.secrets, clock: &app.clock, purpose: PURPOSE })
}

/// Finds out who came back, makes or updates the user, and begins a session. The second factor is the provider's.
pub async fn finish(app: &App, ongoing: OngoingSignIn, origin: Origin<'_>) -> Result<SessionToken, SignInFailure> {
    let provider = provider(app)?;
    let before = ongoing.before();
    let (identity, sign_in) = ongoing.identify(provider).await?;
    let grant = match grant(app, &identity).await {
        Err(refusal @ SignInFailure::NotAdmitted { .. }) => {
            end_sessions(app, provider, &identity).await?;
            return Err(refusal);
        }
        granted => granted?,
    };
    let (token, now) = (SessionToken::random(), app.clock.now());
    let mut tx = app.db.begin().await?;
    let begun = async {
        if !store::finished_sign_in::insert(&mut tx, sign_in, now).await? {
            return Err(SignInFailure::Unfinished("this sign-in has already begun a session".to_owned()));
        }
        let person = Person { issuer: provider.issuer(), identity: &identity, grant, address: origin.address };
        let user = person.user(&mut tx, now).await?;
        if let Some(before) = before {
            store::console_session::delete(&mut tx, before).await?;
        }
        session::insert(&mut tx, now, &user, (&token, true), origin).await?;
        let event = Event::done("signIn", user.company, None).with_detail(DETAIL);
        audit::record(&mut tx, now, &person.actor(user.username), event).await?;
        Ok(())
    };
    let begun = begun.await;
    tx.settle(begun).await?;
    Ok(token)
}

/// Records a sign-in that failed, or that was refused. `refused` is the subject of a person whom the provider knows: one
/// who has or had a user here is recorded by name. What the person sees is the same for everyone.
pub async fn record_failure(
    app: &App,
    address: ClientAddress,
    outcome: AuditOutcome,
    refused: Option<&str>,
) -> Result<()> {
    let user = match refused {
        Some(subject) => known(app, subject).await?,
        None => None,
    };
    let company = user.as_ref().and_then(|user| user.company);
    let name = user.map_or_else(|| UNKNOWN.to_owned(), |user| user.username);
    let event = Event::done("signIn", company, None).with_outcome(outcome).with_detail(DETAIL);
    audit::record_alone(app, &actor(name, address), event).await
}

/// The user of a person whom the provider has identified, removed or not.
async fn known(app: &App, subject: &str) -> Result<Option<ConsoleUser>> {
    let Some(subject) = OidcSubject::parse(subject) else { return Ok(None) };
    let issuer = provider(app)?.issuer();
    let mut reader = app.db.read().await?;
    Ok(console_user::find_by_subject(&mut reader, issuer, &subject).await?)
}

/// Ends the sessions of a user to whom the provider no longer gives a role.
async fn end_sessions(app: &App, provider: &Provider, identity: &Identity) -> Result<()> {
    let mut reader = app.db.read().await?;
    let user = console_user::find_by_subject(&mut reader, provider.issuer(), &identity.subject).await?;
    drop(reader);
    let Some(user) = user else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    let ended = store::console_session::delete_others(&mut tx, user.id, NO_SESSION).await.map_err(Error::from);
    tx.settle(ended).await
}

/// Reads role and company from the claims.
async fn grant(app: &App, identity: &Identity) -> Result<Grant, SignInFailure> {
    let refused = |reason| SignInFailure::NotAdmitted { subject: identity.subject.to_string(), reason };
    let settings = app.config.console.openid.as_ref();
    let settings = settings.ok_or_else(|| Error::internal(anyhow::anyhow!("the provider has no settings")))?;
    let (role, scope) = read_claims(settings, identity).map_err(refused)?;
    match check_role(app, Authority::COMMAND, role, scope).await {
        Ok(()) => Ok((role, scope)),
        Err(error @ (Error::Form(_) | Error::Invalid(_))) => Err(refused(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

fn read_claims(settings: &ConsoleOpenIdSettings, identity: &Identity) -> Result<Grant, String> {
    let ConsoleOpenIdSettings { role_claim, company_claim, role_map, .. } = settings;
    let role = identity.claim(role_claim).ok_or_else(|| format!("the ID token has no claim {role_claim:?}"))?;
    let role = role_map.role(role).ok_or_else(|| format!("the claim {role_claim:?} has no value that gives a role"))?;
    let Some(company) = identity.claim(company_claim) else { return Ok((role, Scope::Installation)) };
    let id = claims::company(company);
    let id = id.ok_or_else(|| format!("the claim {company_claim:?} is not the identifier of a company"))?;
    Ok((role, Scope::Company { id, with_children: false }))
}

/// A person whom the provider has identified and who may use the console.
struct Person<'p> {
    issuer: &'p str,
    identity: &'p Identity,
    grant: Grant,
    address: ClientAddress,
}

impl Person<'_> {
    /// The user, with the role and the company of now. A removed one stays removed.
    async fn user(&self, tx: &mut Tx, now: Timestamp) -> Result<ConsoleUser, SignInFailure> {
        let user = match self.find(tx).await? {
            Some(user) => user,
            None => self.create(tx, now).await?,
        };
        if !user.active {
            return Err(SignInFailure::NotAdmitted {
                subject: self.identity.subject.to_string(),
                reason: format!("the user {:?} was removed", user.username),
            });
        }
        Ok(self.update(tx, now, user).await?)
    }

    async fn find(&self, tx: &mut Tx) -> sqlx::Result<Option<ConsoleUser>> {
        console_user::find_by_subject(tx, self.issuer, &self.identity.subject).await
    }

    async fn create(&self, tx: &mut Tx, now: Timestamp) -> Result<ConsoleUser> {
        let (role, scope) = self.grant;
        let wanted = fitting_username(self.identity.username.as_deref().unwrap_or_default());
        for number in 1..=MOST_NAMESAKES {
            let username = if number == 1 { wanted.clone() } else { format!("{wanted}-{number}") };
            let new = NewConsoleUser {
                name: fitting_name(self.identity.name.as_deref()).unwrap_or_else(|| username.clone()),
                username,
                role,
                company: scope.company(),
                with_children: false,
                password_hash: None,
                oidc_issuer: Some(self.issuer.to_owned()),
                oidc_subject: Some(self.identity.subject.clone()),
                created_at: now,
            };
            let is_new = console_user::insert(tx, &new).await?.is_some();
            // If it is not, another sign-in of this person may have been faster; else the name is taken.
            let Some(user) = self.find(tx).await? else { continue };
            if is_new {
                let event = Event::done("addUser", user.company, Some(format!("user {}", user.username)));
                let event = event.with_detail(format!("role {role}, {DETAIL}"));
                audit::record(tx, now, &self.actor(user.username.clone()), event).await?;
            }
            return Ok(user);
        }
        Err(Error::internal(anyhow::anyhow!("{MOST_NAMESAKES} users are called {wanted:?}")))
    }

    /// Gives the user the role and the company of now. If that is less than before, the user's sessions end.
    async fn update(&self, tx: &mut Tx, now: Timestamp, user: ConsoleUser) -> sqlx::Result<ConsoleUser> {
        let (role, scope) = self.grant;
        if (user.role, user.scope()) == (role, scope) {
            return Ok(user);
        }
        console_user::set_role(tx, user.id, role, scope).await?;
        if !(Authority { role, scope }).covers(user.role, user.scope()) {
            store::console_session::delete_others(tx, user.id, NO_SESSION).await?;
        }
        let event = Event::done("changeUser", scope.company(), Some(format!("user {}", user.username)));
        let event = event.with_detail(format!("role {} to {role}, {DETAIL}", user.role));
        audit::record(tx, now, &self.actor(user.username.clone()), event).await?;
        Ok(ConsoleUser { role, company: scope.company(), with_children: false, ..user })
    }

    fn actor(&self, username: String) -> Actor {
        actor(username, self.address)
    }
}

/// A username that is accepted, made of what the provider calls the person, with space for a number.
fn fitting_username(text: &str) -> String {
    let space = "-1000".len();
    let fitting = text.trim().chars().map(|c| if is_username_character(c) { c } else { '-' });
    let fitting: String = fitting.take(LONGEST_USERNAME - space).collect();
    let fitting = fitting.trim_matches('-');
    if fitting.is_empty() { "user".to_owned() } else { fitting.to_owned() }
}

/// A name for people that is accepted; none if nothing remains.
fn fitting_name(text: Option<&str>) -> Option<String> {
    let fitting: String = text?.trim().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    (!fitting.trim().is_empty()).then_some(fitting)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_username_is_made_of_what_the_provider_says() {
        for (said, expected) in [
            ("maria", "maria"),
            ("maria.reyes@acme.example", "maria.reyes@acme.example"),
            ("ACME\\maria", "ACME-maria"),
            (" Zoë Müller ", "Zoë-Müller"),
            ("a/b\n\u{202e}c", "a-b--c"),
            ("", "user"),
            ("///", "user"),
        ] {
            assert_eq!(fitting_username(said), expected, "{said:?}");
        }
        let long = fitting_username(&"x".repeat(500));
        assert!(format!("{long}-{MOST_NAMESAKES}").chars().count() <= LONGEST_USERNAME);
    }

    #[test]
    fn a_name_has_no_control_characters() {
        assert_eq!(fitting_name(Some(" Maria\u{7} R. ")).as_deref(), Some("Maria R."));
        assert_eq!(fitting_name(Some("x".repeat(500).as_str())).map(|name| name.chars().count()), Some(LONGEST_NAME));
        assert_eq!((fitting_name(None), fitting_name(Some(" ")), fitting_name(Some("\n"))), (None, None, None));
    }
}
