//! Secrets of a company manifest: each is written in the file, or named as an environment variable (`…_env`) or as a
//! file (`…_file`). No message shows a secret's value.

use sealwright_base::secrets::SecretString;
use sealwright_base::toml_reader::Table;

use super::lookup::Lookup;

/// The three keys that can give one secret.
pub(super) struct SecretKeys {
    plain: &'static str,
    env: &'static str,
    file: &'static str,
}

pub(super) const PASSWORD: SecretKeys = SecretKeys::new("password", "password_env", "password_file");
pub(super) const PASSWORD_HASH: SecretKeys =
    SecretKeys::new("password_hash", "password_hash_env", "password_hash_file");
pub(super) const AUTH_TOKEN: SecretKeys = SecretKeys::new("auth_token", "auth_token_env", "auth_token_file");
pub(super) const API_KEY: SecretKeys = SecretKeys::new("api_key", "api_key_env", "api_key_file");
pub(super) const API_SECRET: SecretKeys = SecretKeys::new("api_secret", "api_secret_env", "api_secret_file");
pub(super) const PREVIOUS_API_SECRET: SecretKeys =
    SecretKeys::new("previous_api_secret", "previous_api_secret_env", "previous_api_secret_file");

impl SecretKeys {
    const fn new(plain: &'static str, env: &'static str, file: &'static str) -> Self {
        Self { plain, env, file }
    }

    pub(super) fn name(&self) -> &'static str {
        self.plain
    }

    /// All three, for a message that says what is missing.
    pub(super) fn alternatives(&self) -> String {
        format!("`{}`, `{}` or `{}`", self.plain, self.env, self.file)
    }
}

/// Whether a secret was given.
pub(super) enum Given {
    Absent,
    /// It was, but invalid; the problem is recorded.
    Invalid,
    Value(SecretString),
}

impl Given {
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    pub(super) fn value(self) -> Option<SecretString> {
        match self {
            Self::Value(secret) => Some(secret),
            Self::Absent | Self::Invalid => None,
        }
    }
}

/// Reads a secret for which `accept` is true; `expected` says what it accepts. A line break at the end of a file or
/// variable is not part of the secret: editors and `echo` put it there.
pub(super) fn read(
    table: &mut Table<'_>,
    keys: &SecretKeys,
    lookup: &Lookup<'_>,
    expected: &str,
    accept: impl FnOnce(&str) -> bool,
) -> Given {
    let given = [keys.plain, keys.env, keys.file].map(|key| table.optional(key));
    if given.iter().flatten().count() > 1 {
        table.error(format!("expected only one of {}", keys.alternatives()));
        return Given::Invalid;
    }
    let [plain, env, file] = given;
    let (field, secret) = if let Some(field) = plain {
        let field = field.secret();
        let secret = field.text(expected).map(str::to_owned);
        (field, secret)
    } else if let Some(field) = env {
        let secret = lookup.variable(&field);
        (field, secret)
    } else if let Some(field) = file {
        let secret = lookup.text(&field);
        (field, secret)
    } else {
        return Given::Absent;
    };
    match secret.map(without_final_line_break) {
        Some(secret) if accept(&secret) => Given::Value(SecretString::new(secret)),
        Some(_) => {
            field.error::<()>(format!("the secret is not {expected}"));
            Given::Invalid
        }
        None => Given::Invalid,
    }
}

fn without_final_line_break(mut secret: String) -> String {
    if secret.ends_with('\n') {
        secret.pop();
        if secret.ends_with('\r') {
            secret.pop();
        }
    }
    secret
}
