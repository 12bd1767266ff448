//! The certificate: what it says ([`data`]), the template that lays it out ([`template`]), and the renderer that makes
//! the unsigned PDF/A-3b from both ([`CertificateRenderer`]). Which case is certified and where the PDF goes is not known
//! here.

mod attachment;
pub mod data;
mod picture;
mod render;
mod template;
mod text;
mod world;

pub use attachment::{Attachment, MAX_ATTACHMENTS};
pub use data::CertificateData;
pub use render::{CertificateRenderer, MAX_PHOTOS, RenderError, RenderedCertificate};
pub use template::Template;
