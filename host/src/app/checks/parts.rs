//! The parts behind a connection: the database, the blob store, and the OpenID Connect providers.

use super::check::Check;
use crate::{
    app::open::{open_console_provider, open_field_provider},
    blobs::Blobs,
    clock::Clock,
    config::Config,
    db::{Db, NewerSchema},
    openid::Provider,
};

/// Whether an open database can be used. Its schema is up to date, or it could not be opened.
pub(in crate::app) async fn database(db: &Db) -> Check {
    let answered = async {
        let mut tx = db.begin().await?;
        tx.query("select cast(1 as bigint)").one::<(i64,)>().await?;
        tx.commit().await
    };
    match answered.await {
        Ok(()) => {
            let kind = if db.is_shared() { "PostgreSQL" } else { "SQLite" };
            Check::good("database", format!("{kind}; the schema is up to date"))
        }
        Err(error) => no_database(&anyhow::Error::from(error)),
    }
}

/// The result for a database that cannot be opened or used.
pub(in crate::app) fn no_database(error: &anyhow::Error) -> Check {
    let advice = if error.is::<NewerSchema>() {
        "start the version that upgraded it"
    } else {
        "check database_url, and that the database is running"
    };
    Check::broken("database", format!("{error:#}"), advice)
}

/// Whether an open blob store can be used, and who uses it.
pub(in crate::app) async fn blob_store(config: &Config, blobs: &Blobs) -> Check {
    let checked = async {
        blobs.check().await?;
        blobs.owners().await
    };
    match checked.await {
        Ok(owners) if owners.len() > 1 => {
            let names: Vec<String> =
                owners.into_iter().map(|owner| format!("{} since {}", owner.name, owner.since)).collect();
            Check::doubtful(
                "blob store",
                format!("several installations use it or have used it: {}", names.join(", ")),
                "give each its own prefix, or remove the names of retired installations from the store's folder \
                 `owners`; until then, files left behind by a crash are not deleted",
            )
        }
        Ok(_) => Check::good("blob store", format!("{} can be written and read", config.blob_url)),
        Err(error) => no_blob_store(&error),
    }
}

/// The result for a blob store that cannot be opened or used.
pub(in crate::app) fn no_blob_store(error: &anyhow::Error) -> Check {
    Check::broken("blob store", format!("{error:#}"), "check blob_url; for s3:// also the AWS_* variables")
}

/// Whether the OpenID Connect providers of the field app and of the console answer, as far as they are set. Passwords work
/// without them, so they break nothing.
pub(in crate::app) async fn providers(config: &Config) -> Vec<Check> {
    // New ones: the server's own remember earlier answers.
    let clock = Clock::system();
    let field = provider("sign-in provider", "field.oidc_", open_field_provider(config, &clock));
    let console = provider("sign-in provider of the console", "console.openid.", open_console_provider(config, &clock));
    let (field, console) = tokio::join!(field, console);
    field.into_iter().chain(console).collect()
}

/// `settings` is what the names of the provider's settings begin with.
async fn provider(part: &'static str, settings: &str, opened: anyhow::Result<Option<Provider>>) -> Option<Check> {
    let provider = match opened {
        Ok(provider) => provider?,
        Err(error) => {
            let remedy = "correct the file or the variable with the client's secret";
            return Some(Check::broken(part, format!("{error:#}"), remedy));
        }
    };
    Some(match provider.begin(false).await {
        Ok(_) => {
            let (issuer, redirect) = (provider.issuer(), provider.redirect());
            Check::good(part, format!("{issuer} answers; its redirect URI must be {redirect}"))
        }
        Err(error) => {
            let remedy = format!(
                "check {settings}issuer and the network; list a private network in {settings}private_addresses"
            );
            Check::doubtful(part, format!("{}: {error}", provider.issuer()), remedy)
        }
    })
}
