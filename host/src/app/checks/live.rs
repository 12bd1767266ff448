//! The checks of a running server: of the parts that it uses, not of new ones.

use std::{sync::Arc, time::Duration};

use futures_util::{
    FutureExt,
    future::{BoxFuture, join_all},
};
use tokio::{task::spawn_blocking, time::timeout};

use super::{
    backups,
    certificates::{self, EndingCertificate},
    check::Check,
    confinement,
    disk::{self, Disk},
    growth, jobs,
    kept::LiveChecks,
    parts, plugins, seal, secret_key, settings, template, text_recognition,
};
use crate::{
    app::{App, plugins::waiting_jobs},
    error::Result,
    store,
};

/// How long a page waits for running checks.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long one check may take. Those that ask someone have shorter limits of their own.
const LONGEST: Duration = Duration::from_mins(1);

/// The results of at most a minute ago, or if the checks take long, those of before. None: the first checks are
/// running.
pub async fn latest(app: &Arc<App>) -> Option<Arc<LiveChecks>> {
    app.checks.latest(&app.clock, PATIENCE, || check_all(Arc::clone(app))).await
}

/// Runs the checks at the same time, so that one that is slow does not delay the others. They are in the order of
/// `sealwright doctor`.
async fn check_all(app: Arc<App>) -> LiveChecks {
    let first = [
        within("settings", of_settings(&app)).boxed(),
        within("database", one(parts::database(&app.db))).boxed(),
        within("blob store", one(parts::blob_store(&app.config, &app.blobs))).boxed(),
        within("secret key", of_secret_key(&app)).boxed(),
        within("plugins", of_plugins(&app)).boxed(),
        within("log of seals", one(seal::log(&app.seal_log, &app.db, &app.blobs))).boxed(),
        within("witnesses", seal::witnesses(&app.seal_log, &app.config.witnesses, &app.db)).boxed(),
        within("jobs", jobs::checks(&app.db, app.clock.now())).boxed(),
        within("space for files", one(growth::check(&app.config, &app.db, app.clock.now()))).boxed(),
        within("backups", backups::checks(&app.config, &app.db, app.clock.now())).boxed(),
        within("certificate template", of_templates(&app)).boxed(),
    ];
    let last = [
        within("sign-in provider", of_provider(&app)).boxed(),
        within("text recognition", one(text_recognition::check())).boxed(),
        within("signed codes", of_codes(&app)).boxed(),
        within("confinement", one(confinement::check(&app.config))).boxed(),
    ];
    let (first, (seal, certificates), last, disks) =
        tokio::join!(all(first), of_seal(&app).boxed(), all(last), of_disks(&app).boxed());
    let checks = first.into_iter().chain(seal).chain(last).collect();
    LiveChecks { at: app.clock.now(), checks, certificates, disks }
}

async fn all<const N: usize>(checks: [BoxFuture<'_, Vec<Check>>; N]) -> Vec<Check> {
    join_all(checks).await.into_iter().flatten().collect()
}

/// The results of a check, if it ends in time.
async fn within(part: &'static str, checks: impl Future<Output = Vec<Check>>) -> Vec<Check> {
    timeout(LONGEST, checks).await.unwrap_or_else(|_| vec![no_answer(part)])
}

fn no_answer(part: &'static str) -> Check {
    let finding = format!("no result within {} s", LONGEST.as_secs());
    Check::doubtful(part, finding, "load the page again in a minute; if this stays, run sealwright doctor")
}

async fn one(check: impl Future<Output = Check>) -> Vec<Check> {
    vec![check.await]
}

async fn of_settings(app: &App) -> Vec<Check> {
    let config = app.config.clone();
    let checked = spawn_blocking(move || {
        let mut checks = vec![settings::addresses(&config), settings::data_dir(&config)];
        checks.extend(settings::permissions(&config));
        checks
    });
    checked.await.unwrap_or_else(|error| vec![failed("settings", &error)])
}

async fn of_codes(app: &App) -> Vec<Check> {
    let config = app.config.clone();
    match spawn_blocking(move || settings::codes_trust(&config)).await {
        Ok(check) => check.into_iter().collect(),
        Err(error) => vec![failed("signed codes", &error)],
    }
}

/// The result of a check that could not run to its end.
fn failed(part: &'static str, error: &dyn std::error::Error) -> Check {
    Check::broken(part, format!("the check failed: {error}"), "see the server's log")
}

async fn of_secret_key(app: &App) -> Vec<Check> {
    vec![secret_key::check(&app.config, Some(&app.db)).await.0]
}

async fn of_plugins(app: &App) -> Vec<Check> {
    // Unknown only if the database does not answer, which its own check reports.
    let published = of_published(app).await.unwrap_or_default();
    plugins::checks(&app.plugins, Some(&app.db), published).await
}

async fn of_published(app: &App) -> Result<Vec<Check>> {
    let mut reader = app.db.read().await?;
    let rows = store::published::all(&mut reader).await?;
    let waiting = waiting_jobs(&mut reader).await?;
    Ok(plugins::published(&rows, waiting, &app.templates.published()))
}

async fn of_templates(app: &App) -> Vec<Check> {
    let kept = Arc::clone(&app.checks);
    let is_usable = move |folder: &std::path::Path| kept.is_usable_template(folder);
    vec![template::check(&app.config, Arc::clone(&app.templates), is_usable).await]
}

async fn of_provider(app: &App) -> Vec<Check> {
    parts::providers(&app.config).await
}

/// The signing key and the authorities, with the certificates in use.
async fn of_seal(app: &App) -> (Vec<Check>, Vec<EndingCertificate>) {
    let answers = timeout(LONGEST, seal::ask(&app.time)).await;
    let now = app.clock.now();
    let mut checks = match app.seal_keys.check_validity(now) {
        Ok(()) => seal::keys(&app.seal_keys, now),
        Err(error) => vec![seal::no_keys(&error)],
    };
    let Ok(answers) = answers else {
        checks.push(no_answer("time stamps"));
        return (checks, certificates::in_use(&app.seal_keys, &[]));
    };
    checks.extend(seal::time_stamps(&answers, app.time.is_development(), now));
    (checks, certificates::in_use(&app.seal_keys, &answers))
}

async fn of_disks(app: &App) -> Vec<Disk> {
    let config = app.config.clone();
    let measured = spawn_blocking(move || disk::all(&config));
    // A file system on a network that is away may never answer.
    timeout(LONGEST, measured).await.ok().and_then(std::result::Result::ok).unwrap_or_default()
}
