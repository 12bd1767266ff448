//! The certificates that a signature names in its signed part, so that none of them can be replaced, added or removed
//! (RFC 5035, and RFC 2634 for the older form).

use der::{Any, Sequence, asn1::OctetString};
use sha1::{Digest, Sha1};
use spki::AlgorithmIdentifierOwned;

use super::CmsError;
use crate::{algorithm::HashAlgorithm, pki::Certificate};

/// RFC 5035, section 4. Written without the hash algorithm, because SHA-256 is the default; read with any.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct EssCertIdV2 {
    #[asn1(optional = "true")]
    hash_algorithm: Option<AlgorithmIdentifierOwned>,
    cert_hash: OctetString,
    #[asn1(optional = "true")]
    issuer_serial: Option<Any>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct SigningCertificateV2 {
    certs: Vec<EssCertIdV2>,
    #[asn1(optional = "true")]
    policies: Option<Any>,
}

/// RFC 2634, section 5.4: the older form, by SHA-1, that some time-stamping authorities still send. SHA-1's weakness
/// does not help a forger here: the key of the named certificate must also have made the signature.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct EssCertId {
    cert_hash: OctetString,
    #[asn1(optional = "true")]
    issuer_serial: Option<Any>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct SigningCertificate {
    certs: Vec<EssCertId>,
    #[asn1(optional = "true")]
    policies: Option<Any>,
}

impl SigningCertificateV2 {
    /// Names all of a chain, the signer's own certificate first.
    pub(super) fn of(chain: &[Certificate]) -> der::Result<Self> {
        let named = |certificate: &Certificate| {
            let cert_hash = OctetString::new(*certificate.fingerprint().as_bytes())?;
            Ok(EssCertIdV2 { hash_algorithm: None, cert_hash, issuer_serial: None })
        };
        Ok(Self { certs: chain.iter().map(named).collect::<der::Result<_>>()?, policies: None })
    }

    pub(super) fn names_several(&self) -> bool {
        self.certs.len() > 1
    }

    pub(super) fn names(&self, certificate: &Certificate) -> Result<bool, CmsError> {
        let named = self.certs.iter().map(|named| named.is_of(certificate)).collect::<Result<Vec<_>, _>>()?;
        Ok(named.contains(&true))
    }

    /// Checks that the first named is the signer's; and if more are named, that no other certificate is included.
    pub(super) fn check(&self, signer: &Certificate, embedded: &[Certificate]) -> Result<(), CmsError> {
        let first = self.certs.first().ok_or(CmsError::Shape("names no certificate"))?;
        if !first.is_of(signer)? {
            return Err(CmsError::OtherCertificate);
        }
        for certificate in embedded {
            if self.names_several() && !self.names(certificate)? {
                return Err(CmsError::OtherCertificates);
            }
        }
        Ok(())
    }

    /// Whether as many certificates are included as are named.
    pub(super) fn is_complete(&self, embedded: &[Certificate]) -> bool {
        !self.names_several() || embedded.len() == self.certs.len()
    }
}

impl EssCertIdV2 {
    fn is_of(&self, certificate: &Certificate) -> Result<bool, CmsError> {
        let hash = match &self.hash_algorithm {
            Some(identifier) => HashAlgorithm::from_identifier(identifier)?,
            None => HashAlgorithm::Sha256,
        };
        Ok(self.cert_hash.as_bytes() == hash.digest(&[certificate.der()]))
    }
}

impl SigningCertificate {
    /// Checks that the first named is the signer's certificate.
    pub(super) fn check(&self, signer: &Certificate) -> Result<(), CmsError> {
        let first = self.certs.first().ok_or(CmsError::Shape("names no certificate"))?;
        let is_signers = first.cert_hash.as_bytes() == Sha1::digest(signer.der()).as_slice();
        if is_signers { Ok(()) } else { Err(CmsError::OtherCertificate) }
    }
}
