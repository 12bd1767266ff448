//! Whether the secret key is the one that the installation's secrets were encrypted with. Makes none.

use super::Check;
use crate::{
    app::token::TokenKeys,
    config::Config,
    db::Db,
    secrets::{SecretKey, SecretKeyError},
};

const PART: &str = "secret key";

/// What is to say of the key, and a key to look at the rest with, if there is one or none is needed yet.
pub(super) async fn check(config: &Config) -> (Check, Option<SecretKey>) {
    let path = &config.secret_key_file;
    match SecretKey::load(path) {
        Ok(Some(secrets)) => match are_readable(config, &secrets).await {
            Some(false) => (broken(&SecretKeyError::Wrong { path: path.clone() }), None),
            _ => (Check::good(PART, path.display().to_string()), Some(secrets)),
        },
        Ok(None) => match are_readable(config, &SecretKey::throw_away()).await {
            Some(_) => (broken(&SecretKeyError::Lost { path: path.clone() }), None),
            None => {
                let finding = format!("{} is not there yet: the first start makes it", path.display());
                (Check::good(PART, finding), Some(SecretKey::throw_away()))
            }
        },
        Err(error) => (broken(&error), None),
    }
}

/// Whether the key reads what the database holds. None if it holds nothing encrypted, or cannot be read, which is reported
/// at its place.
async fn are_readable(config: &Config, secrets: &SecretKey) -> Option<bool> {
    let db = Db::open(config.database_url.expose()).await.ok()?;
    let readable = TokenKeys::are_readable(&db, secrets).await;
    db.close().await;
    readable.ok().flatten()
}

fn broken(error: &SecretKeyError) -> Check {
    let remedy = "bring the file back from its copy, or name it with secret_key_file: without it nothing stored encrypted can \
                  be read";
    Check::broken(PART, error.to_string(), remedy)
}
