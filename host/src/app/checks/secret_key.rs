//! Checks that the secret key is the one that encrypted the installation's secrets. Does not create a key.

use super::check::Check;
use crate::{
    app::token::TokenKeys,
    config::Config,
    db::Db,
    secrets::{SecretKey, SecretKeyError},
};

const PART: &str = "secret key";

/// The result for the key, and a key for the other checks, if it exists or is not needed yet.
pub(in crate::app) async fn check(config: &Config, db: Option<&Db>) -> (Check, Option<SecretKey>) {
    let path = config.secret_key_file.clone();
    let (found, secrets) = match SecretKey::load(&path) {
        Ok(Some(secrets)) => (path.display().to_string(), secrets),
        Ok(None) => {
            let found = format!("{} does not exist yet: the first start creates it", path.display());
            let secrets = SecretKey::throw_away();
            if are_readable(db, &secrets).await.is_some() {
                return (broken(&SecretKeyError::Lost { path }), None);
            }
            (found, secrets)
        }
        Err(error) => return (broken(&error), None),
    };
    if are_readable(db, &secrets).await == Some(false) {
        return (broken(&SecretKeyError::Wrong { path }), None);
    }
    (Check::good(PART, found), Some(secrets))
}

/// Whether the key decrypts the secrets in the database. None if there are none, or if the database cannot be read,
/// which its own check reports.
async fn are_readable(db: Option<&Db>, secrets: &SecretKey) -> Option<bool> {
    TokenKeys::are_readable(db?, secrets).await.ok().flatten()
}

fn broken(error: &SecretKeyError) -> Check {
    let remedy = "restore the file from its backup, or set secret_key_file to its path: without it encrypted data \
                  cannot be read";
    Check::broken(PART, error.to_string(), remedy)
}
