//! What handlers share.

use std::sync::Arc;

use super::{bounds::Bounds, reference::Reference};
use crate::app::App;

#[derive(Clone)]
pub struct Shared {
    pub app: Arc<App>,
    pub reference: Arc<Reference>,
    pub(super) bounds: Arc<Bounds>,
}
