//! The `[[user]]` tables.

use std::str::FromStr;

use argon2::password_hash::phc::PasswordHash;
use email_address::EmailAddress;
use sealwright_base::toml_reader::{Field, Table};

use super::{
    Login, Password, User, UserKind,
    lookup::Lookup,
    secret::{self, Given},
    text,
    unique::Identifiers,
};
use crate::{
    id::UserId,
    openid::OidcSubject,
    right::{EVERY_RIGHT, Right, Rights},
};

pub(super) fn read(table: &mut Table<'_>, lookup: &Lookup<'_>, identifiers: &mut Identifiers) -> Option<User> {
    let id = table.required("id", UserId::EXPECTED).and_then(|field| {
        let id = field.parsed(UserId::EXPECTED, UserId::parse)?;
        identifiers.users.claim(id.clone(), &field);
        Some(id)
    });
    let kind =
        table.required("kind", KIND_EXPECTED).and_then(|field| field.parsed(KIND_EXPECTED, |word| word.parse().ok()));
    let login = read_login(table, kind, lookup, identifiers);
    let name = table.optional("name").map(|field| text::name(&field));
    let email = table.optional("email").and_then(|field| {
        let email =
            field.parsed("an e-mail address", |text| EmailAddress::from_str(text).ok().map(|_| text.to_owned()))?;
        identifiers.emails.claim(email.to_lowercase(), &field);
        Some(email)
    });
    let oidc_subject = table.optional("oidc_subject").and_then(|field| read_subject(&field, kind, identifiers));
    let rights = table.optional("rights").map(|field| read_rights(&field)).unwrap_or_default();
    let logged_in = text::flag(table, "logged_in", false);
    let id = id?;
    let login = login?;
    let fallback_name = || login.as_ref().map_or(id.as_str(), |login| login.username.as_str()).to_owned();
    Some(User {
        name: name.unwrap_or_else(|| Some(fallback_name()))?,
        id,
        kind: kind?,
        email,
        login,
        oidc_subject,
        rights,
        logged_in,
        line: table.line(),
    })
}

/// Two users with one subject would be one person with two accounts, and the sign-in could not choose.
fn read_subject(field: &Field<'_>, kind: Option<UserKind>, identifiers: &mut Identifiers) -> Option<OidcSubject> {
    if kind == Some(UserKind::Api) {
        return field.error("only a user of kind `field` can sign in through the OpenID Connect provider");
    }
    let subject = field.parsed(OidcSubject::EXPECTED, OidcSubject::parse)?;
    identifiers.subjects.claim(subject.clone(), field);
    Some(subject)
}

const KIND_EXPECTED: &str = "`api` (a program) or `field` (a person who fills in cases)";

/// Username and password: both for an API user, both or neither for a field user. The outer `None` stands for an error.
#[expect(clippy::option_option, reason = "outer: an error was recorded; inner: a field user without a login")]
fn read_login(
    table: &mut Table<'_>,
    kind: Option<UserKind>,
    lookup: &Lookup<'_>,
    identifiers: &mut Identifiers,
) -> Option<Option<Login>> {
    let username_field = table.optional("username");
    let username = username_field.as_ref().and_then(|field| {
        let username = text::name(field)?;
        identifiers.usernames.claim(username.clone(), field);
        Some(username)
    });
    let plain = secret::read(table, &secret::PASSWORD, lookup, "a text of 1 to 1024 characters", |password| {
        (1..=1024).contains(&password.chars().count())
    });
    let hash = secret::read(table, &secret::PASSWORD_HASH, lookup, HASH_EXPECTED, is_argon2id);
    if !plain.is_absent() && !hash.is_absent() {
        table.error("expected either `password` or `password_hash`, found both");
        return None;
    }
    let has_password = !plain.is_absent() || !hash.is_absent();
    let must_log_in = kind == Some(UserKind::Api) || has_password || username_field.is_some();
    if !must_log_in {
        return Some(None);
    }
    if username_field.is_none() {
        table.missing("username", if has_password { "the name that goes with the password" } else { API_LOGIN });
    }
    if !has_password {
        let expected =
            if username_field.is_some() { "`password` or `password_hash` to go with the username" } else { API_LOGIN };
        table.missing("password", expected);
    }
    let password = match (plain, hash) {
        (Given::Value(plain), _) => Password::Plain(plain),
        (_, Given::Value(hash)) => Password::Hash(hash),
        _ => return None,
    };
    Some(Some(Login { username: username?, password }))
}

const API_LOGIN: &str = "a username and a password, which an API user needs to get a token";

const HASH_EXPECTED: &str = "an Argon2id hash as a PHC string ($argon2id$v=19$m=…,t=…,p=…$…$…)";

fn is_argon2id(text: &str) -> bool {
    PasswordHash::new(text).is_ok_and(|hash| hash.algorithm.as_str() == "argon2id" && hash.hash.is_some())
}

fn read_rights(field: &Field<'_>) -> Rights {
    let mut rights = Rights::default();
    for element in field.array("an array of rights, such as [\"p_api:case:read\"]").unwrap_or_default() {
        let words = Right::ALL.into_iter().map(Right::as_str).chain([EVERY_RIGHT]);
        element.word("a right", words, |word| rights.grant(word).ok());
    }
    rights
}
