//! Where the operator keeps a password.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use super::{Setting, Values};
use crate::secrets::SecretString;

/// Where a password or PIN is stored. It is read when it is needed and is never part of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretSource {
    /// The name of an environment variable.
    Environment(String),
    File(PathBuf),
}

/// Why a password could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SecretSourceError {
    #[error("the environment variable {0:?} is not set to a text")]
    Variable(String),
    #[error("cannot read {path}: {cause}", path = path.display())]
    File { path: PathBuf, cause: io::Error },
}

impl SecretSource {
    /// Reads it. A file may end with one line break, as editors write it.
    pub fn read(&self) -> Result<SecretString, SecretSourceError> {
        match self {
            Self::Environment(name) => {
                env::var(name).map(SecretString::new).map_err(|_| SecretSourceError::Variable(name.clone()))
            }
            Self::File(path) => read_file(path),
        }
    }
}

fn read_file(path: &Path) -> Result<SecretString, SecretSourceError> {
    let mut text =
        fs::read_to_string(path).map_err(|cause| SecretSourceError::File { path: path.to_owned(), cause })?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(SecretString::new(text))
}

impl Values {
    /// A password that is in the environment variable or in the file that a setting names.
    pub(super) fn secret(
        &mut self,
        variable: Setting,
        file: Setting,
        path: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<SecretSource> {
        let name = |text: &str| (!text.is_empty() && !text.contains(['=', '\0'])).then(|| text.to_owned());
        let variable = self.read_optional(variable, "none", name).map(SecretSource::Environment);
        let file = self.read_optional(file, "none", path).map(SecretSource::File);
        variable.or(file)
    }
}
