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
    let path = config.secret_key_file.clone();
    let (found, secrets) = match SecretKey::load(&path) {
        Ok(Some(secrets)) => (path.display().to_string(), secrets),
        Ok(None) => {
            let found = format!("{} is not there yet: the first start makes it", path.display());
            let secrets = SecretKey::throw_away();
            if are_readable(config, &secrets).await.is_some() {
                return (broken(&SecretKeyError::Lost { path }), None);
            }
            (found, secrets)
        }
        Err(error) => return (broken(&error), None),
    };
    if are_readable(config, &secrets).await == Some(false) {
        return (broken(&SecretKeyError::Wrong { path }), None);
    }
    (Check::good(PART, found), Some(secrets))
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
