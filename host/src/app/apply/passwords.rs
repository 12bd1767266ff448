//! The password hashes of the users in company manifests.

use std::collections::HashMap;

use crate::{
    app::{App, session},
    domain::{
        company_manifest::{CompanyManifest, Password},
        id::UserId,
    },
    error::Result,
    store,
};

/// For each user who signs in, the hash to store.
pub(super) type Hashes = HashMap<UserId, String>;

/// Hashes every password that is not the stored one, so that applying a file twice changes nothing.
pub(super) async fn hash_all(app: &App, manifests: &[CompanyManifest]) -> Result<Hashes> {
    let mut hashes = Hashes::new();
    for user in manifests.iter().flat_map(|manifest| &manifest.users) {
        let hash = match user.login.as_ref().map(|login| login.password.clone()) {
            None => continue,
            Some(Password::Hash(hash)) => hash.expose().to_owned(),
            Some(Password::Plain(password)) => {
                let mut reader = app.db.read().await?;
                let stored = store::user::find(&mut reader, &user.id).await?.and_then(|user| user.password_hash);
                drop(reader);
                app.run_heavy(move || match stored {
                    Some(hash) if session::verify_password(password.expose(), Some(&hash)) => Ok(hash),
                    _ => session::hash_password(password.expose()),
                })
                .await??
            }
        };
        hashes.insert(user.id.clone(), hash);
    }
    Ok(hashes)
}
