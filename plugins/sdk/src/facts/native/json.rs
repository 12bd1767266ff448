//! Shared values in JSON, as if they were not shared.

use std::sync::Arc;

use serde::{Serialize, Serializer};

pub(super) fn shared<T: Serialize, S: Serializer>(elements: &[Arc<T>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(elements.iter().map(Arc::as_ref))
}

#[expect(clippy::ref_option, reason = "serde hands the field over as it is")]
pub(super) fn optional_shared<T: Serialize, S: Serializer>(
    element: &Option<Arc<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    element.as_deref().serialize(serializer)
}
