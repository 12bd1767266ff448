//! Making the development authority on purpose (operator.md, `sealwright seal init`).

use crate::{
    clock::Clock,
    config::Config,
    signing::{DevelopmentFolder, SigningError},
};

pub use crate::signing::Made;

/// Makes a development authority for `organization` in `data_dir`, where there is none yet.
pub fn init(config: &Config, organization: Option<&str>) -> Result<Made, SigningError> {
    DevelopmentFolder::of(&config.data_dir).create(organization, Clock::system().now())
}
