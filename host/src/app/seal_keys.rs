//! Creates the development authority on request (operator.md, `sealwright seal init`).

use crate::{
    clock::Clock,
    config::Config,
    signing::{DevelopmentFolder, SigningError},
};

pub use crate::signing::Made;

/// Creates a development authority for `organization` in `data_dir`, if there is none yet.
pub fn init(config: &Config, organization: Option<&str>) -> Result<Made, SigningError> {
    DevelopmentFolder::of(&config.data_dir).create(organization, Clock::system().now())
}
