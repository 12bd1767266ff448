//! The purpose that this installation's key as a witness is derived for.

use tokio::sync::OnceCell;

use crate::{
    blobs::{BlobArea, Blobs},
    error::Result,
};

/// The purpose that the key is derived for.
const KEY_PURPOSE: &str = "witness";

/// The purpose that this installation's key is derived for, once it was read.
#[derive(Default)]
pub struct KeyPurpose(OnceCell<String>);

impl KeyPurpose {
    pub(super) async fn read(&self, blobs: &Blobs) -> Result<&str> {
        self.0.get_or_try_init(|| purpose(blobs)).await.map(String::as_str)
    }
}

/// A restored installation has another purpose than the one that it was copied from.
pub(super) async fn purpose(blobs: &Blobs) -> Result<String> {
    let listed = blobs.list_area(BlobArea::WitnessKeys).await?;
    // A restore that was interrupted and repeated has left more than one.
    let first = listed.iter().filter_map(|blob| blob.key.as_str().rsplit('/').next()).min();
    Ok(first.map_or_else(|| KEY_PURPOSE.to_owned(), |number| format!("{KEY_PURPOSE}/{number}")))
}
