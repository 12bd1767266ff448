//! Whether the parts the server stands on can be used.

use super::App;

/// The names of the parts that cannot be used; their errors go to the log.
pub async fn unusable_parts(app: &App) -> Vec<&'static str> {
    let (database, blobs) = tokio::join!(database(app), app.blobs.check());
    let plugins = app.plugins.webhook_modes();
    let mut unusable = Vec::new();
    if let Err(error) = database {
        tracing::warn!(error = %error, "the database is not usable");
        unusable.push("database");
    }
    if let Err(error) = blobs {
        tracing::warn!(error = %format!("{error:#}"), "the blob store is not usable");
        unusable.push("blob store");
    }
    if plugins.is_empty() {
        unusable.push("plugins");
    }
    unusable
}

async fn database(app: &App) -> sqlx::Result<()> {
    let mut tx = app.db.read().await?;
    let _: (i64,) = tx.query("select cast(1 as bigint)").one().await?;
    Ok(())
}
