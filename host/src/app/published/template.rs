//! Published certificate templates: packs a folder into bytes for every node, and unpacks them into a folder again.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;
use bytes::Bytes;
use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;
use strum::IntoStaticStr;

use super::{Parts, TEMPLATES_FOLDER, node};
use crate::{
    app::{
        App,
        audit::{self, Actor, Event},
        templates::DEFAULT,
        templates::examine::{Examination, examine},
    },
    blobs::BlobKey,
    certificate,
    clock::random_key,
    error::{Error, Result},
    store::{
        self,
        published::{NewPublished, Published, PublishedBy, PublishedKind},
    },
};

/// Why a template was not published.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("{0:?} is not a name for a template: expected 1 to 64 letters, digits, `-`, `_` and `.`, no leading `.`")]
    Name(String),
    /// Its samples do not compile, or it omits something that a certificate must show.
    #[error("the template cannot be used")]
    Unusable(Box<Examination>),
    #[error(transparent)]
    Other(#[from] Error),
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(Error::internal(error))
    }
}

/// Publishes the template in `folder` to every node, replacing the one with this name. Returns its digest.
pub async fn load_template(
    app: &App,
    actor: &Actor,
    name: &str,
    folder: &Path,
) -> std::result::Result<Sha256Digest, Refusal> {
    if !is_template_name(name) {
        return Err(Refusal::Name(name.to_owned()));
    }
    let examined = {
        let folder = folder.to_owned();
        app.run_heavy(move || Ok::<_, anyhow::Error>((certificate::bundle(&folder), examine(&folder)?))).await??
    };
    let (bytes, examination) = examined;
    if !examination.usable {
        return Err(Refusal::Unusable(Box::new(examination)));
    }
    let bytes = Bytes::from(bytes?);
    let digest = Sha256Digest::of(&bytes);
    let key = BlobKey::template(digest.as_bytes());
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    // The bytes before the row: a crash in between leaves bytes that no node requests.
    app.blobs.put(&key, bytes).await?;
    let (now, node) = (app.clock.now(), node());
    let new = NewPublished {
        kind: PublishedKind::Template,
        name,
        digest,
        version: "",
        size,
        blob_key: &key,
        source: PublishedBy::Command,
        node: &node,
    };
    let written = async {
        let mut tx = app.db.begin().await?;
        store::published::publish(&mut tx, &new, now).await?;
        store::published::withdraw_others(&mut tx, PublishedKind::Template, name, digest, now).await?;
        let event = Event::done("loadTemplate", None, Some(format!("template {name}")));
        audit::record(&mut tx, now, actor, event.with_detail(format!("sha256 {digest}"))).await?;
        tx.commit().await
    };
    written.await.map_err(Error::from)?;
    Ok(digest)
}

/// Withdraws a published template from every node: a folder of `template_dir` or the built-in template is used again.
pub async fn unload_template(app: &App, actor: &Actor, name: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = app.clock.now();
    let withdrawn = store::published::withdraw(&mut tx, PublishedKind::Template, name, None, now).await?;
    if withdrawn == 0 {
        return Err(Error::not_found(format!("no published template is called {name:?}")));
    }
    audit::record(&mut tx, now, actor, Event::done("unloadTemplate", None, Some(format!("template {name}")))).await?;
    Ok(tx.commit().await?)
}

/// Makes sure that a published template is available here. If it was published a moment ago, this node fetches it now.
///
/// # Errors
/// It was published but is not available yet. An unpublished name is not an error.
pub async fn have_template(app: &App, name: &str) -> Result<()> {
    if app.templates.find(name).is_ok() {
        return Ok(());
    }
    super::catch_up(app).await?;
    if app.templates.find(name).is_ok() {
        return Ok(());
    }
    let mut reader = app.db.read().await?;
    let rows = store::published::all(&mut reader).await?;
    let is_published =
        rows.iter().any(|row| row.is(PublishedKind::Template) && row.is_in_service() && row.name == name);
    if is_published {
        let cause = anyhow::anyhow!("the published template {name} is not available yet");
        return Err(Error::Unavailable { part: "blob store", cause });
    }
    Ok(())
}

/// Where a template comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum TemplateOrigin {
    BuiltIn,
    Published,
    Folder,
}

/// One template that a company manifest may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedTemplate {
    pub name: String,
    pub origin: TemplateOrigin,
    /// Of a published one: SHA-256 of its bundle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Sha256Digest>,
    /// A folder of `template_dir` has the same name and is not used.
    pub hides_folder: bool,
}

/// The templates that are used here, by name.
pub async fn list_templates(app: &App) -> Result<Vec<ListedTemplate>> {
    super::catch_up(app).await?;
    let (published, hidden) = (app.templates.published(), app.templates.hidden());
    let listed = app.templates.folders().into_iter().map(|(name, _)| {
        let folder = published.get(&name);
        let digest = folder.and_then(|folder| folder.file_name()?.to_str()?.parse().ok());
        let origin = if folder.is_some() { TemplateOrigin::Published } else { TemplateOrigin::Folder };
        ListedTemplate { origin, digest, hides_folder: hidden.contains(&name), name }
    });
    let mut listed: Vec<ListedTemplate> = listed.collect();
    if !listed.iter().any(|one| one.name == DEFAULT) {
        let (name, origin) = (DEFAULT.to_owned(), TemplateOrigin::BuiltIn);
        listed.insert(0, ListedTemplate { name, origin, digest: None, hides_folder: false });
    }
    Ok(listed)
}

fn is_template_name(name: &str) -> bool {
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=64).contains(&name.len()) && !name.starts_with('.') && name.chars().all(of_name)
}

impl Parts<'_> {
    /// Unpacks each published template into a folder. Also returns whether one could not be unpacked.
    pub(super) async fn follow_templates(&self, rows: &[Published]) -> Result<(BTreeMap<String, PathBuf>, bool)> {
        let (mut folders, mut missed) = (BTreeMap::new(), false);
        for row in rows.iter().filter(|row| row.is(PublishedKind::Template) && row.is_in_service()) {
            match self.template_folder(row).await {
                Ok(folder) => {
                    folders.insert(row.name.clone(), folder);
                }
                Err(error) => {
                    self.report_missing("template", &row.name, &error);
                    missed = true;
                    // The template that it replaces stays, if this node has it.
                    let former =
                        rows.iter().filter(|other| other.is(PublishedKind::Template) && other.name == row.name);
                    let mut former = former.map(|other| self.templates.join(other.digest.to_string()));
                    folders.extend(former.find(|folder| folder.is_dir()).map(|folder| (row.name.clone(), folder)));
                }
            }
        }
        Ok((folders, missed))
    }

    async fn template_folder(&self, row: &Published) -> anyhow::Result<PathBuf> {
        let folder = self.templates.join(row.digest.to_string());
        let (whole, digest) = (folder.clone(), row.digest);
        // A folder that was changed is unpacked again.
        if tokio::task::spawn_blocking(move || is_whole(&whole, digest)).await? {
            return Ok(folder);
        }
        let (bytes, made) = (self.fetch(row).await?, folder.clone());
        tokio::task::spawn_blocking(move || make_folder(&bytes, &made)).await??;
        Ok(folder)
    }
}

fn is_whole(folder: &Path, digest: Sha256Digest) -> bool {
    folder.is_dir() && certificate::bundle(folder).is_ok_and(|bytes| Sha256Digest::of(bytes) == digest)
}

/// Creates the folder atomically: under another name, then renamed.
fn make_folder(bytes: &[u8], folder: &Path) -> anyhow::Result<()> {
    let parent = folder.parent().context("the folder of templates has no parent")?;
    fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
    let [made, spoilt] = [random_key(), random_key()].map(|name| parent.join(format!(".{name}")));
    let placed = certificate::unbundle(bytes, &made).and_then(|()| {
        if folder.exists() {
            fs::rename(folder, &spoilt)?;
        }
        match fs::rename(&made, folder) {
            // Another process was faster, with the same content.
            Err(error) if matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists) => {
                Ok(())
            }
            placed => Ok(placed?),
        }
    });
    for left in [&made, &spoilt] {
        // Usually it does not exist.
        let _ = fs::remove_dir_all(left);
    }
    placed
}

/// Removes the folders that no published template uses any more. Only for the server that owns the data directory,
/// after it has caught up and before it makes certificates.
pub(super) async fn remove_unused(app: &App) {
    if app.published.is_behind().await {
        return;
    }
    let (folder, used) = (app.config.data_dir.join(TEMPLATES_FOLDER), app.templates.published());
    let removed = tokio::task::spawn_blocking(move || {
        let Ok(entries) = fs::read_dir(&folder) else { return Ok(()) };
        for entry in entries {
            let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
            // A folder that is being created is hidden.
            if !used.values().any(|used| *used == path) && !name.to_string_lossy().starts_with('.') {
                fs::remove_dir_all(&path)?;
            }
        }
        Ok::<_, io::Error>(())
    });
    if let Ok(Err(error)) = removed.await {
        tracing::warn!(%error, "folders of templates that are no longer published were not removed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_single_folder_name() {
        for right in ["acme", "Acme-2", "a_b.c", "default", &"a".repeat(64)] {
            assert!(is_template_name(right), "{right}");
        }
        for wrong in ["", ".", "..", ".acme", "a/b", "a\\b", "a b", "é", "a\n", &"a".repeat(65)] {
            assert!(!is_template_name(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_changed_folder_is_created_again() {
        let place = tempfile::tempdir().unwrap();
        let template = place.path().join("acme");
        fs::create_dir(&template).unwrap();
        fs::write(template.join("main.typ"), "text").unwrap();
        let bytes = certificate::bundle(&template).unwrap();
        let digest = Sha256Digest::of(&bytes);
        let folder = place.path().join("published").join(digest.to_string());
        assert!(!is_whole(&folder, digest));
        make_folder(&bytes, &folder).unwrap();
        assert!(is_whole(&folder, digest));
        fs::write(folder.join("main.typ"), "other").unwrap();
        assert!(!is_whole(&folder, digest));
        make_folder(&bytes, &folder).unwrap();
        assert!(is_whole(&folder, digest));
    }
}
