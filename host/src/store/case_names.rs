//! The names of company and frame that a case is listed with.

use serde::Deserialize;

use super::from_json;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CaseNames {
    pub(super) company_name: String,
    pub(super) frame_name: String,
}

impl CaseNames {
    /// The names that a closing froze, or else those of today. `frozen` is the column of `certificates`.
    pub(super) fn of(frozen: Option<&str>, company_name: String, frame_name: String) -> sqlx::Result<Self> {
        match frozen {
            Some(frozen) => from_json("frozen", frozen),
            None => Ok(Self { company_name, frame_name }),
        }
    }
}
