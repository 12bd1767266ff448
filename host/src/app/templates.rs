//! The certificate templates of companies: the built-in one, and the folders of `template_dir`.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context;

use crate::certificate::{CertificateRenderer, Template};

/// The name that a company manifest gives when it says nothing: the built-in template, unless `template_dir` has a folder
/// of that name.
pub const DEFAULT: &str = "default";

/// Loads each template once, when it is first needed: fonts take a while to read.
pub struct Templates {
    folder: Option<PathBuf>,
    loaded: Mutex<HashMap<String, Arc<CertificateRenderer>>>,
}

impl Templates {
    /// `folder` is the setting `template_dir`.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, loaded: Mutex::default() }
    }

    /// The renderer of the template called `name`. Reads files where it is not loaded yet.
    pub fn renderer(&self, name: &str) -> anyhow::Result<Arc<CertificateRenderer>> {
        // A panic while the lock was held cannot have left the map half-changed: its only change is one insertion.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(renderer) = loaded.get(name) {
            return Ok(Arc::clone(renderer));
        }
        let template = match self.folder_of(name) {
            Some(folder) => Template::from_dir(&folder).with_context(|| format!("template {}", folder.display()))?,
            None if name == DEFAULT => Template::built_in(),
            None => anyhow::bail!("no certificate template is called {name:?}"),
        };
        let renderer = Arc::new(CertificateRenderer::new(template).with_context(|| format!("template {name:?}"))?);
        loaded.insert(name.to_owned(), Arc::clone(&renderer));
        Ok(renderer)
    }

    /// Whether there is a template of this name, whole or not.
    pub fn has(&self, name: &str) -> bool {
        name == DEFAULT || self.folder_of(name).is_some()
    }

    fn folder_of(&self, name: &str) -> Option<PathBuf> {
        // A name is one folder's; it must not lead elsewhere.
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        self.folder.as_ref().filter(|_| plain).map(|folder| folder.join(name)).filter(|folder| folder.is_dir())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_template_dir_there_is_the_built_in_template() {
        let templates = Templates::new(None);
        assert!(templates.renderer(DEFAULT).is_ok());
        assert!(!templates.has("acme"));
        assert!(templates.renderer("acme").is_err());
    }

    #[test]
    fn a_folder_of_template_dir_is_a_template_and_nothing_outside_is() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("templates/acme")).unwrap();
        std::fs::create_dir_all(folder.path().join("elsewhere")).unwrap();
        let templates = Templates::new(Some(folder.path().join("templates")));
        assert!(templates.has("acme"));
        assert!(templates.has(DEFAULT), "the built-in one stands in");
        for outside in ["../elsewhere", "..", ".", "", "acme/../../elsewhere"] {
            assert!(!templates.has(outside), "{outside}");
        }
    }
}
