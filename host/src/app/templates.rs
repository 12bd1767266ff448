//! The certificate templates of companies: the built-in one, those that were published for every node, and the folders of
//! this node's `template_dir`. A published template replaces a folder of the same name.
//!
//! Every template renders in its own processes, under limits (`certificate/worker/`), as many at a time as there are
//! cores ([`workers`]); one company never takes all of them. A folder is checked before each certificate, so a change
//! takes effect with the next one; a certificate is made with a single complete version.
//!
//! **No seal is lost to a template.** A template that is missing, broken, too slow, or that omits what a certificate
//! must show is replaced: by its last version that worked since the start, or else by the built-in template. The
//! operator sees it in the log and in the metric `sealwright_template_fallbacks`. A lack of processes, descriptors or
//! memory is not the template's fault: the job tries again.

pub mod examine;
mod workers;

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering},
    },
};

use anyhow::{Context, bail};
use parking_lot::{Mutex, MutexGuard, RwLock};
use tokio::{sync::Semaphore, task::spawn_blocking};

pub use self::workers::CertificateInput;
use self::workers::{Version, Workers};
use crate::certificate::{CertificateData, Finding, RenderError, RenderedCertificate, Stamp, Template};

/// The default name in a company manifest: the built-in template, unless `template_dir` has a folder of that name.
pub const DEFAULT: &str = "default";

/// A version that failed this many times in a row is not tried again until its folder changes: a template that hits its
/// time limit would delay every certificate of its company.
const MOST_FAILURES: u32 = 3;

/// Makes certificates with the template of a name.
pub struct Templates {
    folder: Option<PathBuf>,
    /// The folders of the published templates, by name.
    published: RwLock<BTreeMap<String, PathBuf>>,
    workers: Workers,
    built_in: Version,
    custom: Mutex<HashMap<String, Arc<CustomTemplate>>>,
    versions: AtomicU64,
    fallbacks: AtomicI64,
}

/// A template of `template_dir`.
struct CustomTemplate {
    /// Its share of the render slots. Acquired before a slot, so that a certificate that waits for its share does not
    /// block others.
    turns: Arc<Semaphore>,
    versions: Mutex<Versions>,
}

#[derive(Default)]
struct Versions {
    current: Option<Arc<CustomVersion>>,
    /// The last earlier version that worked.
    proven: Option<Arc<CustomVersion>>,
}

/// One state of a template's folder.
struct CustomVersion {
    stamp: Stamp,
    version: Version,
    works: AtomicBool,
    failures: AtomicU32,
}

impl Templates {
    /// `folder` is the setting `template_dir`. The first certificate starts the processes.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            published: RwLock::default(),
            workers: Workers::new(),
            built_in: Version { id: 0, template: Template::built_in(), is_built_in: true },
            custom: Mutex::default(),
            versions: AtomicU64::new(1),
            fallbacks: AtomicI64::new(0),
        }
    }

    /// Sets the published templates from the next certificate on: their names and folders.
    pub fn set_published(&self, published: BTreeMap<String, PathBuf>) {
        *self.published.write() = published;
    }

    /// The folders of the published templates, by name.
    pub fn published(&self) -> BTreeMap<String, PathBuf> {
        self.published.read().clone()
    }

    /// The published templates that hide a folder of `template_dir`.
    pub fn hidden(&self) -> Vec<String> {
        self.published().into_keys().filter(|name| self.own_folder_of(name).is_some()).collect()
    }

    /// Makes a certificate with the template called `name`, or with its fallback. Waits for a turn.
    pub async fn render(self: &Arc<Self>, name: &str, input: CertificateInput) -> anyhow::Result<RenderedCertificate> {
        let input = Arc::new(input);
        match self.folder_of(name) {
            None if name == DEFAULT => {}
            None => self.note_fallback(name, &input.data, "there is no template of this name"),
            Some(folder) => match self.take_turns(name, folder, &input).await {
                Ok(rendered) => return Ok(rendered),
                Err(error) if is_temporary(&error) => return Err(error),
                Err(error) => self.note_fallback(name, &input.data, &format!("{error:#}")),
            },
        }
        let turn = self.workers.turn().await?;
        let templates = Arc::clone(self);
        within(turn, move || Ok(templates.workers.render(&templates.built_in, &input)?)).await
    }

    /// How many certificates were made with a fallback template or version.
    pub fn fallbacks(&self) -> i64 {
        self.fallbacks.load(Ordering::Relaxed)
    }

    /// Starts and ends a process with the built-in template.
    pub fn check_built_in(&self) -> anyhow::Result<()> {
        self.workers.check(self.built_in.template.clone()).context("the built-in template")
    }

    /// The folder of the template of this name; `None` for the built-in one.
    ///
    /// # Errors
    /// No template has this name.
    pub fn find(&self, name: &str) -> anyhow::Result<Option<PathBuf>> {
        match self.folder_of(name) {
            None if name != DEFAULT => {
                bail!(
                    "{name:?} is not a folder of template_dir and was not published; expected one of these, or \
                     {DEFAULT:?}"
                )
            }
            found => Ok(found),
        }
    }

    /// The names and folders of the published templates and of `template_dir`, sorted.
    pub fn folders(&self) -> Vec<(String, PathBuf)> {
        let entries = self.folder.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut folders: BTreeMap<String, PathBuf> =
            names.filter_map(|name| self.own_folder_of(&name).map(|folder| (name, folder))).collect();
        folders.extend(self.published());
        folders.into_iter().collect()
    }

    /// Renders with a template of `template_dir`, once it is its turn.
    async fn take_turns(
        self: &Arc<Self>,
        name: &str,
        folder: PathBuf,
        input: &Arc<CertificateInput>,
    ) -> anyhow::Result<RenderedCertificate> {
        let custom = self.custom(name);
        let share = Arc::clone(&custom.turns).acquire_owned().await?;
        let turn = self.workers.turn().await?;
        let (templates, input, name) = (Arc::clone(self), Arc::clone(input), name.to_owned());
        within((share, turn), move || templates.render_custom(&name, &folder, &custom, &input)).await
    }

    fn custom(&self, name: &str) -> Arc<CustomTemplate> {
        let mut custom = self.custom.lock();
        let new = || {
            let turns = Arc::new(Semaphore::new(self.workers.share_of_one()));
            Arc::new(CustomTemplate { turns, versions: Mutex::default() })
        };
        Arc::clone(custom.entry(name.to_owned()).or_insert_with(new))
    }

    fn render_custom(
        &self,
        name: &str,
        folder: &Path,
        custom: &CustomTemplate,
        input: &CertificateInput,
    ) -> anyhow::Result<RenderedCertificate> {
        let current = self.refresh(custom, folder)?;
        let problem = match current.render(&self.workers, input) {
            Ok(rendered) => return Ok(rendered),
            Err(problem) if is_temporary(&problem) => return Err(problem),
            Err(problem) => problem,
        };
        let proven = custom.versions().proven.clone();
        let Some(proven) = proven else { return Err(problem) };
        match proven.render(&self.workers, input) {
            Ok(rendered) => {
                self.note_fallback(name, &input.data, "its last version that worked was used");
                Ok(rendered)
            }
            Err(temporary) if is_temporary(&temporary) => Err(temporary),
            Err(_) => Err(problem.context("and no earlier version")),
        }
    }

    /// The current version of the folder.
    fn refresh(&self, custom: &CustomTemplate, folder: &Path) -> anyhow::Result<Arc<CustomVersion>> {
        let mut versions = custom.versions();
        let stamp = Stamp::of(folder)?;
        if let Some(current) = versions.current.as_ref().filter(|current| current.stamp == stamp) {
            return Ok(Arc::clone(current));
        }
        let (template, stamp) = Template::snapshot(folder)?;
        let version = Version { id: self.versions.fetch_add(1, Ordering::Relaxed), template, is_built_in: false };
        let (works, failures) = (AtomicBool::new(false), AtomicU32::new(0));
        let fresh = Arc::new(CustomVersion { stamp, version, works, failures });
        let former = versions.current.replace(Arc::clone(&fresh));
        if let Some(former) = former.filter(|former| former.works.load(Ordering::Relaxed)) {
            versions.proven = Some(former);
        }
        Ok(fresh)
    }

    fn note_fallback(&self, template: &str, data: &CertificateData, problem: &str) {
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
        let reference = &data.reference;
        tracing::error!(template, %reference, problem, "a certificate was not made with its company's template as it is");
    }

    fn folder_of(&self, name: &str) -> Option<PathBuf> {
        let published = self.published.read().get(name).cloned();
        published.or_else(|| self.own_folder_of(name))
    }

    fn own_folder_of(&self, name: &str) -> Option<PathBuf> {
        // A name is a single folder name; it must not lead elsewhere.
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        self.folder.as_ref().filter(|_| plain).map(|folder| folder.join(name)).filter(|folder| folder.is_dir())
    }
}

/// Runs `work` on a blocking thread. `held` is released when the work is done, even if the caller is gone.
async fn within<H: Send + 'static>(
    held: H,
    work: impl FnOnce() -> anyhow::Result<RenderedCertificate> + Send + 'static,
) -> anyhow::Result<RenderedCertificate> {
    let task = spawn_blocking(move || {
        let _held = held;
        work()
    });
    task.await.context("rendering")?
}

/// Whether the machine failed, and not the template or the data. If the system kills every process of a template, the
/// template itself uses too much memory.
fn is_temporary(error: &anyhow::Error) -> bool {
    const OF_THE_MACHINE: [i32; 4] = [libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::EAGAIN];
    if error.downcast_ref::<RenderError>().is_some_and(RenderError::is_worth_another_process) {
        return false;
    }
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.raw_os_error().is_some_and(|number| OF_THE_MACHINE.contains(&number)))
}

impl CustomTemplate {
    /// After a panic while the lock was held the state is still valid: a version is only read again.
    fn versions(&self) -> MutexGuard<'_, Versions> {
        self.versions.lock()
    }
}

impl CustomVersion {
    fn render(&self, workers: &Workers, input: &CertificateInput) -> anyhow::Result<RenderedCertificate> {
        if self.failures.load(Ordering::Relaxed) >= MOST_FAILURES {
            bail!("the template failed {MOST_FAILURES} times and is not tried again until its folder changes");
        }
        let rendered = workers.render(&self.version, input).map_err(anyhow::Error::from);
        let rendered = rendered.and_then(|rendered| {
            if rendered.missing.is_empty() {
                return Ok(rendered);
            }
            let missing: Vec<_> = rendered.missing.iter().map(Finding::on_one_line).collect();
            bail!("the certificate would omit what it must show: {}", missing.join("; "))
        });
        match &rendered {
            Ok(_) => {
                self.works.store(true, Ordering::Relaxed);
                self.failures.store(0, Ordering::Relaxed);
            }
            Err(error) if is_temporary(error) => {}
            Err(_) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
        }
        rendered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_template_dir_there_is_the_built_in_template() {
        let templates = Templates::new(None);
        assert_eq!(templates.find(DEFAULT).unwrap(), None);
        let refused = templates.find("acme").unwrap_err().to_string();
        assert_eq!(
            refused,
            r#""acme" is not a folder of template_dir and was not published; expected one of these, or "default""#
        );
    }

    #[test]
    fn a_folder_of_template_dir_is_a_template_and_nothing_outside_is() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("templates/acme")).unwrap();
        std::fs::create_dir_all(folder.path().join("elsewhere")).unwrap();
        let templates = Templates::new(Some(folder.path().join("templates")));
        assert!(templates.find("acme").unwrap().is_some());
        assert_eq!(templates.find(DEFAULT).unwrap(), None, "the built-in one is used");
        assert_eq!(templates.folders().len(), 1);
        let published = folder.path().join("published");
        templates.set_published([("acme".to_owned(), published.clone())].into());
        assert_eq!(templates.find("acme").unwrap(), Some(published), "the published one replaces it");
        assert_eq!((templates.folders().len(), templates.hidden()), (1, vec!["acme".to_owned()]));
        templates.set_published(BTreeMap::new());
        for outside in ["../elsewhere", "..", ".", "", "acme/../../elsewhere"] {
            assert!(templates.find(outside).is_err(), "{outside}");
        }
    }
}
