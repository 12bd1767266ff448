//! A child that tries what it may not do, so that what is in force is known by trial and not by what a kernel promises.

use std::{fs::File, io, net::UdpSocket, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::confine::{Confinement, Layer};

/// What a child found out about its confinement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub files: Layer,
    pub system_calls: Layer,
    /// Of the paths it was given, those that it could open all the same.
    pub opened: Vec<PathBuf>,
    /// Whether it could make a socket.
    pub made_socket: bool,
}

impl Report {
    /// Tries everything. `forbidden` are files and folders of the server's.
    pub fn of(confinement: &Confinement, forbidden: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            files: confinement.files.clone(),
            system_calls: confinement.system_calls.clone(),
            opened: forbidden.into_iter().filter(|path| can_open(path).is_ok()).collect(),
            made_socket: UdpSocket::bind("127.0.0.1:0").is_ok(),
        }
    }
}

/// A folder can be opened as a file can; only reading from it is different.
fn can_open(path: &PathBuf) -> io::Result<()> {
    File::open(path).map(drop)
}
