//! A child that tries forbidden operations, so that the actual protection is measured and not taken from the kernel's
//! word.

use std::{fs::File, io, net::UdpSocket, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::confine::{Confinement, Layer};

/// The results of a child's tests of its confinement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub files: Layer,
    pub system_calls: Layer,
    /// The given paths that it could open in spite of the confinement.
    pub opened: Vec<PathBuf>,
    /// Whether it could create a socket.
    pub made_socket: bool,
}

impl Report {
    /// Tries everything. `forbidden` are files and folders of the server.
    pub fn of(confinement: &Confinement, forbidden: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            files: confinement.files.clone(),
            system_calls: confinement.system_calls.clone(),
            opened: forbidden.into_iter().filter(|path| can_open(path).is_ok()).collect(),
            made_socket: UdpSocket::bind("127.0.0.1:0").is_ok(),
        }
    }
}

/// A folder can be opened like a file; only reading from it differs.
fn can_open(path: &PathBuf) -> io::Result<()> {
    File::open(path).map(drop)
}
