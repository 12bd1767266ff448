//! The certificate: its content ([`data`]), the template that lays it out ([`template`]), and the renderer that makes
//! the unsigned PDF/A-3 from both ([`CertificateRenderer`]; for templates of others in a process of its own,
//! [`CertificateWorker`]). This module does not know which case is certified or where the PDF goes.

mod attachment;
mod bundle;
pub mod data;
mod export;
mod finding;
mod layout;
mod parts;
mod picture;
#[cfg(test)]
mod reference;
mod render;
mod samples;
mod share_code;
mod template;
mod text;
mod visible;
pub mod worker;
mod world;

pub use attachment::{Attachment, MAX_ATTACHMENTS, Original};
pub use bundle::{bundle, unbundle};
pub use data::CertificateData;
pub use finding::{Finding, Place, Severity};
pub use render::{CertificateRenderer, MAX_PHOTOS, RenderError, RenderedCertificate};
pub use samples::Sample;
pub use template::{SAMPLES_FOLDER, Stamp, Template, Theme};
pub use worker::CertificateWorker;
