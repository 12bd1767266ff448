//! Backups on a schedule: `backup.to` and `backup.interval` in the settings. Nodes share the schedule, and one of them
//! makes each backup.

use super::{
    make::{BackupSummary, make},
    read_key,
};
use crate::{
    app::{
        App,
        audit::{Actor, ActorKind},
    },
    store,
};

/// Makes a backup if one is due. None: none is.
pub async fn make_if_due(app: &App) -> anyhow::Result<Option<BackupSummary>> {
    let settings = &app.config.backup;
    let Some(place) = &settings.to else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let last = store::backup_turn::last_taken_at(&mut reader).await?;
    let is_taken = store::backup_turn::is_taken(&mut reader, app.clock.now()).await?;
    drop(reader);
    let is_due = last.is_none_or(|last| last.after(settings.interval) <= app.clock.now());
    if is_taken || !is_due {
        return Ok(None);
    }
    let actor = Actor { kind: ActorKind::Command, name: "schedule".to_owned(), address: None };
    let key = read_key(settings.key_file.as_deref())?;
    Box::pin(make(app, place, key, settings.keep, &actor)).await.map(Some)
}
