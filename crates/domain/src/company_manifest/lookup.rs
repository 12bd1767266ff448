//! What a company manifest names and does not contain: environment variables and files.

use sealwright_base::toml_reader::Field;

/// How `…_env` and `…_file` keys are resolved. The parser itself reads no environment and no file.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    /// The value of an environment variable.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The content of a file, or why it cannot be read. The path is as written.
    pub file: &'a dyn Fn(&str) -> Result<Vec<u8>, String>,
}

impl Lookup<'_> {
    /// The value of the environment variable that the field names.
    pub(super) fn variable(&self, field: &Field<'_>) -> Option<String> {
        let name = field.text("the name of an environment variable")?;
        (self.env)(name).or_else(|| field.error(format!("the environment variable {name:?} is not set")))
    }

    /// The content of the file that the field names.
    pub(super) fn bytes(&self, field: &Field<'_>) -> Option<Vec<u8>> {
        let path = field.text("the path of a file")?;
        (self.file)(path).map_err(|reason| field.error::<()>(format!("cannot read {path:?}: {reason}"))).ok()
    }

    pub(super) fn text(&self, field: &Field<'_>) -> Option<String> {
        let bytes = self.bytes(field)?;
        String::from_utf8(bytes).map_err(|_| field.error::<()>("the file is not UTF-8 text")).ok()
    }
}
