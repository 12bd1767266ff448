//! The certificate templates of companies: the built-in one, and the folders of `template_dir`.
//!
//! The built-in template renders in this process. Every other one is code that somebody else wrote and renders in a
//! process of its own, under limits. A folder is looked at before each certificate, so a change takes effect with the
//! next one; a certificate that is being made has one version of it, whole.
//!
//! **No seal is lost to a template.** One that is missing, broken, too slow, or that leaves out what a certificate must
//! show gives way: to its last version that worked since the start, else to the built-in template. The operator is told in
//! the log and by the metric `sealwright_template_fallbacks`.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use anyhow::{Context, bail};
use bytes::Bytes;

use crate::{
    certificate::{
        Attachment, CertificateData, CertificateRenderer, CertificateWorker, Finding, RenderError, RenderedCertificate,
        Stamp, Template,
    },
    clock::Timestamp,
};

/// The name that a company manifest gives when it says nothing: the built-in template, unless `template_dir` has a folder
/// of that name.
pub const DEFAULT: &str = "default";

/// A version that failed so many times in a row is not tried again until its folder changes: a template that runs into
/// its time limit would hold up every certificate.
const MOST_FAILURES: u32 = 3;

/// Makes certificates with the template of a name.
pub struct Templates {
    folder: Option<PathBuf>,
    built_in: OnceLock<CertificateRenderer>,
    custom: Mutex<HashMap<String, Arc<Mutex<Custom>>>>,
    fallbacks: AtomicI64,
}

/// A template of `template_dir`.
#[derive(Default)]
struct Custom {
    current: Option<Version>,
    /// The last one before it that worked.
    proven: Option<Version>,
}

/// One state of a template's folder.
struct Version {
    stamp: Stamp,
    worker: CertificateWorker,
    works: bool,
    failures: u32,
}

impl Templates {
    /// `folder` is the setting `template_dir`.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, built_in: OnceLock::new(), custom: Mutex::default(), fallbacks: AtomicI64::new(0) }
    }

    /// Makes a certificate with the template called `name`, or with what stands in for it. Takes a while: call it on a
    /// blocking thread, one at a time.
    pub fn render(
        &self,
        name: &str,
        data: &CertificateData,
        photos: Vec<Bytes>,
        attachments: &[Attachment],
        now: Timestamp,
    ) -> anyhow::Result<RenderedCertificate> {
        match self.folder_of(name) {
            None if name == DEFAULT => {}
            None => self.note_fallback(name, data, "there is no folder of this name in template_dir"),
            Some(folder) => match self.render_custom(name, &folder, data, &photos, attachments, now) {
                Ok(rendered) => return Ok(rendered),
                Err(error) if was_interrupted(&error) => return Err(error),
                Err(error) => self.note_fallback(name, data, &format!("{error:#}")),
            },
        }
        Ok(self.built_in()?.render(data, photos, attachments, now)?)
    }

    /// How many certificates were made with another template, or another version, than they should have been.
    pub fn fallbacks(&self) -> i64 {
        self.fallbacks.load(Ordering::Relaxed)
    }

    /// Reads the built-in template, unless it is read already.
    pub fn built_in(&self) -> anyhow::Result<&CertificateRenderer> {
        if let Some(renderer) = self.built_in.get() {
            return Ok(renderer);
        }
        let renderer = CertificateRenderer::new(Template::built_in()).context("the built-in template")?;
        Ok(self.built_in.get_or_init(|| renderer))
    }

    /// Where the template of this name lies; `None` for the built-in one.
    ///
    /// # Errors
    /// No template has this name.
    pub fn find(&self, name: &str) -> anyhow::Result<Option<PathBuf>> {
        match self.folder_of(name) {
            None if name != DEFAULT => {
                bail!("{name:?} is no folder of template_dir; expected one, or {DEFAULT:?}")
            }
            found => Ok(found),
        }
    }

    /// The names and folders of `template_dir`, sorted.
    pub fn folders(&self) -> Vec<(String, PathBuf)> {
        let entries = self.folder.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut folders: Vec<_> = names.filter_map(|name| self.folder_of(&name).map(|folder| (name, folder))).collect();
        folders.sort();
        folders
    }

    fn render_custom(
        &self,
        name: &str,
        folder: &Path,
        data: &CertificateData,
        photos: &[Bytes],
        attachments: &[Attachment],
        now: Timestamp,
    ) -> anyhow::Result<RenderedCertificate> {
        // A panic while a lock was held leaves a version that failed, or one more to be started: both are good states.
        let custom =
            Arc::clone(self.custom.lock().unwrap_or_else(PoisonError::into_inner).entry(name.to_owned()).or_default());
        let mut custom = custom.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = match custom.refresh(folder).and_then(|version| version.render(data, photos, attachments, now)) {
            Ok(rendered) => return Ok(rendered),
            Err(problem) if was_interrupted(&problem) => return Err(problem),
            Err(problem) => problem,
        };
        let Some(proven) = &mut custom.proven else { return Err(problem) };
        let rendered =
            proven.render(data, photos, attachments, now).map_err(|_| problem.context("and no earlier version"))?;
        self.note_fallback(name, data, "its last version that worked was used");
        Ok(rendered)
    }

    fn note_fallback(&self, template: &str, data: &CertificateData, problem: &str) {
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
        let reference = &data.reference;
        tracing::error!(template, %reference, problem, "a certificate was not made with its company's template as it is");
    }

    fn folder_of(&self, name: &str) -> Option<PathBuf> {
        // A name is one folder's; it must not lead elsewhere.
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        self.folder.as_ref().filter(|_| plain).map(|folder| folder.join(name)).filter(|folder| folder.is_dir())
    }
}

/// Whether the server is stopping: the job is taken up again at the next start.
pub(super) fn was_interrupted(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(RenderError::Interrupted))
}

impl Custom {
    /// The version that the folder has now.
    fn refresh(&mut self, folder: &Path) -> anyhow::Result<&mut Version> {
        let stamp = Stamp::of(folder)?;
        if self.current.as_ref().is_none_or(|current| current.stamp != stamp) {
            let (template, stamp) = Template::snapshot(folder)?;
            let worker = CertificateWorker::new(&CertificateWorker::this_program()?, template);
            let fresh = Version { stamp, worker, works: false, failures: 0 };
            if let Some(former) = self.current.replace(fresh).filter(|former| former.works) {
                self.proven = Some(former);
            }
        }
        self.current.as_mut().context("the version was put there above")
    }
}

impl Version {
    fn render(
        &mut self,
        data: &CertificateData,
        photos: &[Bytes],
        attachments: &[Attachment],
        now: Timestamp,
    ) -> anyhow::Result<RenderedCertificate> {
        if self.failures >= MOST_FAILURES {
            bail!("the template failed {MOST_FAILURES} times and is not tried again until its folder changes");
        }
        let rendered = self.worker.render(data, photos, attachments, now).map_err(anyhow::Error::from);
        let rendered = rendered.and_then(|rendered| {
            if rendered.missing.is_empty() {
                return Ok(rendered);
            }
            let missing: Vec<_> = rendered.missing.iter().map(Finding::on_one_line).collect();
            bail!("the certificate would leave out what it must show: {}", missing.join("; "))
        });
        self.works |= rendered.is_ok();
        self.failures = if rendered.is_ok() { 0 } else { self.failures + 1 };
        rendered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_template_dir_there_is_the_built_in_template() {
        let templates = Templates::new(None);
        assert!(templates.built_in().is_ok());
        assert_eq!(templates.find(DEFAULT).unwrap(), None);
        let refused = templates.find("acme").unwrap_err().to_string();
        assert_eq!(refused, r#""acme" is no folder of template_dir; expected one, or "default""#);
    }

    #[test]
    fn a_folder_of_template_dir_is_a_template_and_nothing_outside_is() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("templates/acme")).unwrap();
        std::fs::create_dir_all(folder.path().join("elsewhere")).unwrap();
        let templates = Templates::new(Some(folder.path().join("templates")));
        assert!(templates.find("acme").unwrap().is_some());
        assert_eq!(templates.find(DEFAULT).unwrap(), None, "the built-in one stands in");
        assert_eq!(templates.folders().len(), 1);
        for outside in ["../elsewhere", "..", ".", "", "acme/../../elsewhere"] {
            assert!(templates.find(outside).is_err(), "{outside}");
        }
    }
}
