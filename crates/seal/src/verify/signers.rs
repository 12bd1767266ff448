//! The signers whose signature counts: every holder of a certificate under a trusted root, and individually trusted
//! certificates.

use crate::{
    pki::{Certificate, PathError, Purpose, TrustAnchor, TrustedPath, verify_path},
    time::UnixTime,
};

/// Who may sign. Roots of time-stamping authorities are not included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signers<'a> {
    /// Roots: every certificate for document signing under one of them counts.
    pub roots: &'a [TrustAnchor],
    /// Signing certificates that count regardless of their issuer, for example those of one installation.
    pub certificates: &'a [Certificate],
}

impl Signers<'_> {
    /// The chain of `signer` up to a root. The chain of an individually trusted certificate ends where its own chain
    /// ends.
    pub(super) fn path(
        &self,
        signer: &Certificate,
        embedded: &[Certificate],
        at: UnixTime,
    ) -> Result<TrustedPath, PathError> {
        let verify = |roots: &[TrustAnchor]| verify_path(signer, embedded, roots, at, Purpose::DocumentSigning);
        let found = verify(self.roots);
        if !matches!(found, Err(PathError::Untrusted { .. })) || !self.certificates.contains(signer) {
            return found;
        }
        for top in embedded.iter().chain([signer]) {
            match verify(&[TrustAnchor { certificate: top.clone(), development: false }]) {
                // The certificate is not the top of the chain.
                Err(PathError::Untrusted { .. } | PathError::Stray { .. }) => {}
                path => return path,
            }
        }
        found
    }

    /// Why `signer` is not trusted, for the report.
    pub(super) fn refusal(&self, signer: &Certificate, error: &PathError) -> String {
        let is_other = matches!(error, PathError::Untrusted { .. });
        if !is_other || self.certificates.is_empty() {
            return format!("the signer is not trusted: {error}");
        }
        let named = |certificate: &Certificate| {
            format!("`{}` (SHA-256 of the certificate {})", certificate.subject(), certificate.fingerprint())
        };
        let expected: Vec<String> = self.certificates.iter().map(named).collect();
        format!("the signer is not the one expected: found {}, expected {}", named(signer), expected.join(" or "))
    }
}
