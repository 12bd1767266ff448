//! A certificate: its bytes and its fields as text.

use std::fmt;

use der::{
    Decode, Encode, EncodePem,
    asn1::{ObjectIdentifier, OctetString},
    pem::{self, LineEnding},
};

use x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, CrlDistributionPoints,
    name::{DistributionPointName, GeneralName},
};

use crate::{
    algorithm::{self, AlgorithmError},
    asn1::{decode_exactly, oid},
    digest::Sha256Digest,
    time::UnixTime,
};

/// An X.509 certificate (RFC 5280) in its only DER encoding.
#[derive(Clone, PartialEq, Eq)]
pub struct Certificate {
    der: Vec<u8>,
    x509: x509_cert::Certificate,
}

/// Why bytes are not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    #[error("not a certificate in DER: {0}")]
    Der(String),
    #[error("not a certificate in PEM: {0}")]
    Pem(String),
    #[error("no `-----BEGIN CERTIFICATE-----` in the text")]
    NoCertificate,
}

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

impl Certificate {
    pub fn from_der(der: &[u8]) -> Result<Self, CertificateError> {
        let x509 = decode_exactly(der).map_err(|error| CertificateError::Der(error.to_string()))?;
        Ok(Self { der: der.to_vec(), x509 })
    }

    /// All certificates of a PEM text, in its order. Text around them, such as from `openssl`, is ignored.
    pub fn from_pem_chain(text: &str) -> Result<Vec<Self>, CertificateError> {
        let mut certificates = Vec::new();
        let mut rest = text;
        while let Some(begin) = rest.find(BEGIN) {
            rest = &rest[begin..];
            let end = rest.find(END).ok_or_else(|| CertificateError::Pem(format!("no `{END}`")))? + END.len();
            let (_, der) =
                pem::decode_vec(&rest.as_bytes()[..end]).map_err(|error| CertificateError::Pem(error.to_string()))?;
            certificates.push(Self::from_der(&der)?);
            rest = &rest[end..];
        }
        if certificates.is_empty() { Err(CertificateError::NoCertificate) } else { Ok(certificates) }
    }

    pub(crate) fn from_x509(x509: &x509_cert::Certificate) -> der::Result<Self> {
        Ok(Self { der: x509.to_der()?, x509: x509.clone() })
    }

    pub fn der(&self) -> &[u8] {
        &self.der
    }

    #[expect(clippy::missing_panics_doc, reason = "what was decoded from DER can be encoded")]
    pub fn to_pem(&self) -> String {
        self.x509.to_pem(LineEnding::LF).expect("what was decoded from DER can be encoded")
    }

    /// The SHA-256 of the DER.
    pub fn fingerprint(&self) -> Sha256Digest {
        Sha256Digest::of(&self.der)
    }

    /// The subject as RFC 4514 writes it, most specific part first: `CN=Example,O=Example Org`.
    pub fn subject(&self) -> String {
        self.x509.tbs_certificate().subject().to_string()
    }

    pub fn issuer(&self) -> String {
        self.x509.tbs_certificate().issuer().to_string()
    }

    /// The serial number in lowercase hexadecimal.
    pub fn serial_number(&self) -> String {
        hex::encode(self.x509.tbs_certificate().serial_number().as_bytes())
    }

    pub fn not_before(&self) -> UnixTime {
        UnixTime::from_x509(self.x509.tbs_certificate().validity().not_before)
    }

    /// The last instant at which it is valid, to the second.
    pub fn not_after(&self) -> UnixTime {
        UnixTime::from_x509(self.x509.tbs_certificate().validity().not_after)
    }

    /// Whether subject and issuer are the same name.
    pub fn is_self_issued(&self) -> bool {
        self.x509.tbs_certificate().subject() == self.x509.tbs_certificate().issuer()
    }

    pub(crate) fn as_x509(&self) -> &x509_cert::Certificate {
        &self.x509
    }

    pub(crate) fn names_as_issuer(&self, issuer: &Self) -> bool {
        self.x509.tbs_certificate().issuer() == issuer.x509.tbs_certificate().subject()
    }

    /// The public key as a DER `SubjectPublicKeyInfo`.
    #[expect(clippy::missing_panics_doc, reason = "what was decoded from DER can be encoded")]
    pub fn public_key_der(&self) -> Vec<u8> {
        let key = self.x509.tbs_certificate().subject_public_key_info();
        key.to_der().expect("what was decoded from DER can be encoded")
    }

    /// Where its issuer publishes revocations: the HTTP URLs of its distribution points (RFC 5280, section 4.2.1.13),
    /// in order. Lists by other issuers, or for only some reasons, are left out: they never count.
    pub fn revocation_list_urls(&self) -> Vec<String> {
        let points = self.extension::<CrlDistributionPoints>(oid::CRL_DISTRIBUTION_POINTS).ok().flatten();
        let whole = points.into_iter().flat_map(|(_, points)| points.0);
        let names = whole.filter(|point| point.reasons.is_none() && point.crl_issuer.is_none()).flat_map(|point| {
            match point.distribution_point {
                Some(DistributionPointName::FullName(names)) => names,
                Some(DistributionPointName::NameRelativeToCRLIssuer(_)) | None => Vec::new(),
            }
        });
        names.filter_map(http_url).collect()
    }

    /// Where its issuer answers whether it was revoked: the HTTP URLs of its responders (RFC 5280, section 4.2.2.1), in
    /// order.
    pub fn status_responder_urls(&self) -> Vec<String> {
        let access = self.extension::<AuthorityInfoAccessSyntax>(oid::AUTHORITY_INFO_ACCESS).ok().flatten();
        let all = access.into_iter().flat_map(|(_, access)| access.0);
        let responders = all.filter(|access| access.access_method == oid::OCSP);
        responders.filter_map(|access| http_url(access.access_location)).collect()
    }

    /// Whether it names `issuer` as its issuer, and the issuer's key signed it.
    pub fn is_issued_by(&self, issuer: &Self) -> bool {
        self.names_as_issuer(issuer) && self.verify_signature_of(issuer).is_ok()
    }

    /// Checks this certificate's signature under the issuer's key.
    pub(crate) fn verify_signature_of(&self, issuer: &Self) -> Result<(), AlgorithmError> {
        let tbs = self.x509.tbs_certificate();
        if tbs.signature() != self.x509.signature_algorithm() {
            return Err(AlgorithmError::Mismatch);
        }
        let signed = tbs.to_der().map_err(|_| AlgorithmError::Mismatch)?;
        let signature = self.x509.signature().as_bytes().ok_or(AlgorithmError::Mismatch)?;
        let key = issuer.x509.tbs_certificate().subject_public_key_info();
        algorithm::verify(key, self.x509.signature_algorithm(), None, &signed, signature)
    }

    /// Whether it states the uses of its key.
    pub(crate) fn has_key_usage(&self) -> bool {
        let extensions = self.x509.tbs_certificate().extensions();
        extensions.into_iter().flatten().any(|extension| extension.extn_id == oid::KEY_USAGE)
    }

    /// An extension's criticality and value. `Err` if it occurs twice or cannot be read.
    pub(crate) fn extension<T: for<'a> Decode<'a, Error = der::Error>>(
        &self,
        wanted: ObjectIdentifier,
    ) -> der::Result<Option<(bool, T)>> {
        let extensions = self.x509.tbs_certificate().extensions();
        let mut found = extensions.into_iter().flatten().filter(|extension| extension.extn_id == wanted);
        let Some(extension) = found.next() else { return Ok(None) };
        if found.next().is_some() {
            return Err(der::ErrorKind::Failed.into());
        }
        Ok(Some((extension.critical, T::from_der(extension.extn_value.as_bytes())?)))
    }

    pub(crate) fn subject_key_identifier(&self) -> Option<Vec<u8>> {
        let (_, identifier) = self.extension::<OctetString>(oid::SUBJECT_KEY_IDENTIFIER).ok()??;
        Some(identifier.as_bytes().to_vec())
    }
}

fn http_url(name: GeneralName) -> Option<String> {
    let GeneralName::UniformResourceIdentifier(url) = name else { return None };
    Some(url.to_string()).filter(|url| url.starts_with("http://") || url.starts_with("https://"))
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Certificate({}, serial {})", self.subject(), self.serial_number())
    }
}
