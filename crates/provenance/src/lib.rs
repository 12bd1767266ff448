//! What a picture or a document declares about its origin: content credentials (C2PA), the IPTC's digital source type,
//! and the marks of programs that make pictures. Facts without a judgement.
//!
//! Pure: bytes in, facts out. No input or output, no clock. Everything is bounded: sizes, depths, counts, and the number
//! of signatures that are checked.
//!
//! | module | what |
//! |---|---|
//! | `container` | where a JPEG or a PNG keeps its manifest store |
//! | `jumbf`, `cbor` | the boxes of a store, and what is in them |
//! | `claim`, `assertions` | the statements of a manifest |
//! | `signature` | who signed them, when, and whether the signature matches |
//! | `binding` | whether the content is the signed one |
//! | `verify` | all of it together |
//! | `marks` | declarations outside of content credentials |
//!
//! Not supported: videos (`c2pa.hash.bmff`), manifests that are only referred to by an address, compressed manifests,
//! identity assertions (CAWG), and revocation of the signer's certificate.

mod assertions;
mod binding;
mod cbor;
mod claim;
mod container;
mod hash;
mod jumbf;
#[cfg(any(test, feature = "maker"))]
pub mod maker;
mod marks;
mod model;
mod signature;
#[cfg(test)]
mod tests;
mod text;
mod verify;

use sealwright_seal::{
    Certificate,
    pki::{CertificateError, TrustAnchor},
};

pub use self::{
    container::Container,
    jumbf::StoreBytes,
    marks::{Texts, marks},
    model::{
        Action, Credentials, Ingredient, Integrity, ManifestRelation, Mark, MarkKind, Metadata, Problem, Provenance,
        Signer, TimeStamp,
    },
};

/// The roots that an operator trusts.
#[derive(Clone, Debug, Default)]
pub struct TrustList {
    anchors: Vec<TrustAnchor>,
}

/// More certificates are not accepted; the list of C2PA has some dozen.
const MAX_ANCHORS: usize = 1_000;

impl TrustList {
    /// Reads certificates in PEM.
    pub fn from_pem(text: &str) -> Result<Self, CertificateError> {
        let certificates = Certificate::from_pem_chain(text)?;
        let anchors = certificates.into_iter().take(MAX_ANCHORS);
        Ok(Self { anchors: anchors.map(|certificate| TrustAnchor { certificate, development: false }).collect() })
    }
}

/// Checks the content credentials in `store`, which is part of `file`.
pub fn credentials(
    file: &[u8],
    container: Container,
    store: &StoreBytes,
    metadata: Metadata,
    trust: &TrustList,
) -> Credentials {
    verify::credentials(file, container, store, metadata, &trust.anchors)
}
