//! What can be checked of an installation. `sealwright doctor` opens every part itself and checks it; the console shows
//! the same checks of the parts of the running server ([`live`]).

pub(super) mod backups;
mod certificates;
mod check;
pub(super) mod confinement;
mod disk;
pub(super) mod growth;
pub(super) mod jobs;
mod kept;
pub mod live;
pub(super) mod parts;
pub(super) mod plugins;
pub(super) mod seal;
pub(super) mod secret_key;
pub(super) mod settings;
pub(super) mod template;
pub(super) mod text_recognition;

pub use self::{
    certificates::{CertificateUse, EndingCertificate},
    check::{Check, State},
    disk::{Disk, DiskSpace, DiskUse},
    kept::{KeptChecks, LiveChecks},
};
