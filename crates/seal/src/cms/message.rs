//! Reads a signed message, and checks what its signer vouches for.

use cms::{
    cert::CertificateChoices,
    content_info::{CmsVersion, ContentInfo},
    signed_data::{SignedData, SignerIdentifier, SignerInfo},
};
use der::{
    Decode, Encode, Tag,
    asn1::{ObjectIdentifier, OctetString},
};

use super::{
    CmsError, by_issuer_and_serial_number, signed_data,
    signing_certificate::{SigningCertificate, SigningCertificateV2},
    version_for,
};
use crate::{
    algorithm::{self, HashAlgorithm},
    asn1::{self, decode_exactly, oid},
    digest::Sha256Digest,
    pki::Certificate,
};

/// A `SignedData` with one signer, read but not yet verified.
#[derive(Clone, Debug)]
pub(crate) struct SignedMessage {
    data: SignedData,
    signer: SignerInfo,
    certificates: Vec<Certificate>,
}

impl SignedMessage {
    /// Reads only the form that this crate writes, so that every byte is checked.
    pub(crate) fn from_der(bytes: &[u8]) -> Result<Self, CmsError> {
        let info: ContentInfo = decode_exactly(bytes)?;
        let message = Self::read(info.content_type, decode_exactly(&info.content.to_der()?)?)?;
        let (data, signer) = (&message.data, &message.signer);
        if !matches!(signer.sid, SignerIdentifier::IssuerAndSerialNumber(_)) {
            return Err(CmsError::Shape("does not name its signer by issuer and serial number"));
        }
        if data.version != version_for(data.encap_content_info.econtent_type) || signer.version != CmsVersion::V1 {
            return Err(CmsError::Shape("has a version that does not match its content"));
        }
        // Absent and NULL mean the same here, so only one of them is accepted.
        let rsa = oid::WITH_NULL.contains(&signer.signature_algorithm.oid);
        let expected = rsa.then(|| asn1::algorithm_with_null(signer.signature_algorithm.oid));
        if signer.digest_alg.parameters.is_some() || expected.is_some_and(|it| it != signer.signature_algorithm) {
            return Err(CmsError::Shape("encodes an algorithm in an unusual form"));
        }
        if data.digest_algorithms.as_slice() != std::slice::from_ref(&signer.digest_alg) {
            return Err(CmsError::Shape("lists hash algorithms other than its signer's"));
        }
        if data.crls.is_some() {
            return Err(CmsError::Shape("contains revocation lists, which belong in the document's store"));
        }
        Ok(message)
    }

    /// Reads what another program may have written: the order of sets and the unsigned parts do not matter.
    pub(crate) fn from_foreign_der(bytes: &[u8]) -> Result<Self, CmsError> {
        let info = ContentInfo::from_der(bytes)?;
        Self::read(info.content_type, SignedData::from_der(&info.content.to_der()?)?)
    }

    fn read(content_type: ObjectIdentifier, data: SignedData) -> Result<Self, CmsError> {
        if content_type != oid::SIGNED_DATA {
            return Err(CmsError::Shape("is not signed data"));
        }
        let [signer] = data.signer_infos.0.as_slice() else {
            return Err(CmsError::Shape("does not have exactly one signer"));
        };
        let signer = signer.clone();
        let mut certificates = Vec::new();
        for choice in data.certificates.iter().flat_map(|set| set.0.iter()) {
            match choice {
                CertificateChoices::Certificate(certificate) => certificates.push(Certificate::from_x509(certificate)?),
                CertificateChoices::Other(_) => {
                    return Err(CmsError::Shape("contains a certificate that is not X.509"));
                }
            }
        }
        Ok(Self { data, signer, certificates })
    }

    pub(crate) fn content_type(&self) -> ObjectIdentifier {
        self.data.encap_content_info.econtent_type
    }

    /// The content, if it is embedded.
    pub(crate) fn content(&self) -> Option<&[u8]> {
        let content = self.data.encap_content_info.econtent.as_ref()?;
        (content.header().tag() == Tag::OctetString).then(|| content.value())
    }

    pub(crate) fn certificates(&self) -> &[Certificate] {
        &self.certificates
    }

    /// The value that a signature time stamp covers.
    pub(crate) fn signature(&self) -> &[u8] {
        self.signer.signature.as_bytes()
    }

    /// The time-stamp token over the signature. Any other unsigned attribute is rejected.
    pub(crate) fn time_stamp_token(&self) -> Result<Option<Vec<u8>>, CmsError> {
        let Some(attributes) = &self.signer.unsigned_attrs else { return Ok(None) };
        match attributes.as_slice() {
            [attribute] if attribute.oid == oid::TIME_STAMP_TOKEN => match attribute.values.as_slice() {
                [token] => Ok(Some(token.to_der()?)),
                _ => Err(CmsError::Shape("has an attribute that does not have exactly one value")),
            },
            _ => Err(CmsError::Shape("has unsigned attributes other than one time-stamp token")),
        }
    }

    /// Checks everything that the signer vouches for, and returns the signer's certificate. Whether to trust that
    /// certificate is up to the caller.
    ///
    /// `digest_of_content` hashes what was signed.
    pub(crate) fn verify(
        &self,
        digest_of_content: impl FnOnce(HashAlgorithm) -> Vec<u8>,
    ) -> Result<Certificate, CmsError> {
        self.verify_content(digest_of_content)?;
        let certificate = self.signer_certificate()?;
        self.check_signing_certificate(certificate)?;
        self.verify_signature(certificate)?;
        let key = certificate.as_x509().tbs_certificate().subject_public_key_info();
        let algorithm = &self.signer.signature_algorithm;
        if algorithm::normalized(key, algorithm, self.signature()) != self.signature() {
            return Err(CmsError::Shape(
                "has the second form of an ECDSA signature, which anyone can derive from the first",
            ));
        }
        Ok(certificate.clone())
    }

    /// Checks what must be right in a signature by any program: the content's digest, and the signature over it. It
    /// does not check whose certificate it is, nor whether the signer named it.
    pub(crate) fn verify_of_any_form(
        &self,
        digest_of_content: impl FnOnce(HashAlgorithm) -> Vec<u8>,
    ) -> Result<(), CmsError> {
        self.verify_content(digest_of_content)?;
        self.verify_signature(self.signer_certificate()?)
    }

    /// Whether the signed attributes match this content.
    fn verify_content(&self, digest_of_content: impl FnOnce(HashAlgorithm) -> Vec<u8>) -> Result<(), CmsError> {
        let hash = HashAlgorithm::from_identifier(&self.signer.digest_alg)?;
        let content_type: ObjectIdentifier =
            self.signed_attribute(oid::CONTENT_TYPE)?.ok_or(CmsError::Shape("does not sign its content's type"))?;
        if content_type != self.content_type() {
            return Err(CmsError::Shape("signs a different content type"));
        }
        let digest: OctetString =
            self.signed_attribute(oid::MESSAGE_DIGEST)?.ok_or(CmsError::Shape("does not sign its content's digest"))?;
        if digest.as_bytes() == digest_of_content(hash) { Ok(()) } else { Err(CmsError::OtherContent) }
    }

    /// Whether the certificate's key made the signature over the signed attributes.
    fn verify_signature(&self, certificate: &Certificate) -> Result<(), CmsError> {
        let hash = HashAlgorithm::from_identifier(&self.signer.digest_alg)?;
        let attributes = self.signer.signed_attrs.as_ref().ok_or(CmsError::Shape("has no signed attributes"))?;
        let key = certificate.as_x509().tbs_certificate().subject_public_key_info();
        let algorithm = &self.signer.signature_algorithm;
        Ok(algorithm::verify(key, algorithm, Some(hash), &attributes.to_der()?, self.signature())?)
    }

    /// The signer's algorithm, for display.
    pub(crate) fn describe(&self, signer: &Certificate) -> String {
        let hash = HashAlgorithm::from_identifier(&self.signer.digest_alg).ok();
        let key = signer.as_x509().tbs_certificate().subject_public_key_info();
        algorithm::describe(key, &self.signer.signature_algorithm, hash)
    }

    /// The same for a document whose SHA-256 is known: a signature with another hash is rejected.
    pub(crate) fn verify_sha256(&self, digest: &Sha256Digest) -> Result<Certificate, CmsError> {
        if HashAlgorithm::from_identifier(&self.signer.digest_alg)? != HashAlgorithm::Sha256 {
            return Err(CmsError::Shape("does not hash with SHA-256"));
        }
        self.verify(|_| digest.as_bytes().to_vec())
    }

    fn signer_certificate(&self) -> Result<&Certificate, CmsError> {
        let is_signer = |certificate: &&Certificate| match &self.signer.sid {
            SignerIdentifier::IssuerAndSerialNumber(sid) => {
                let tbs = certificate.as_x509().tbs_certificate();
                *tbs.issuer() == sid.issuer && *tbs.serial_number() == sid.serial_number
            }
            SignerIdentifier::SubjectKeyIdentifier(sid) => {
                certificate.subject_key_identifier().is_some_and(|identifier| identifier == sid.0.as_bytes())
            }
        };
        self.certificates.iter().find(is_signer).ok_or(CmsError::NoSignerCertificate)
    }

    /// Checks that the signed attributes name this certificate as the signer's, and the others if any.
    fn check_signing_certificate(&self, signer: &Certificate) -> Result<(), CmsError> {
        if let Some(attribute) = self.signed_attribute::<SigningCertificateV2>(oid::SIGNING_CERTIFICATE_V2)? {
            attribute.check(signer, &self.certificates)?;
            // Authorities name certificates that they do not include. We include all that we name.
            let is_ours = self.content_type() == oid::DATA;
            return if is_ours && !attribute.is_complete(&self.certificates) {
                Err(CmsError::OtherCertificates)
            } else {
                Ok(())
            };
        }
        let attribute: Option<SigningCertificate> = self.signed_attribute(oid::SIGNING_CERTIFICATE)?;
        attribute.ok_or(CmsError::Shape("does not name its signer's certificate"))?.check(signer)
    }

    /// The single value of a signed attribute that may occur once.
    fn signed_attribute<T: for<'a> Decode<'a, Error = der::Error>>(
        &self,
        wanted: ObjectIdentifier,
    ) -> Result<Option<T>, CmsError> {
        let mut found = self.signer.signed_attrs.iter().flat_map(|set| set.iter()).filter(|it| it.oid == wanted);
        let Some(attribute) = found.next() else { return Ok(None) };
        match (attribute.values.as_slice(), found.next()) {
            ([value], None) => Ok(Some(T::from_der(&value.to_der()?)?)),
            _ => Err(CmsError::Shape("has a signed attribute twice")),
        }
    }

    /// The same message in the form that [`from_der`](Self::from_der) reads: in DER, without revocation lists and
    /// unsigned attributes, and only with the certificates above the signer's that were issued by one in the message.
    /// The signature is unchanged.
    ///
    /// The removed one is typically a cross certificate: its issuer is elsewhere, so the message alone does not show
    /// whether its bytes were changed.
    pub(crate) fn trimmed(&self) -> Result<Vec<u8>, CmsError> {
        let own = self.signer_certificate()?;
        let key = own.as_x509().tbs_certificate().subject_public_key_info();
        let mut signer = self.signer.clone();
        signer.signature = OctetString::new(algorithm::normalized(key, &signer.signature_algorithm, self.signature()))?;
        signer.version = CmsVersion::V1;
        signer.sid = by_issuer_and_serial_number(own);
        signer.digest_alg = asn1::algorithm(signer.digest_alg.oid);
        if oid::WITH_NULL.contains(&signer.signature_algorithm.oid) {
            signer.signature_algorithm = asn1::algorithm_with_null(signer.signature_algorithm.oid);
        }
        signer.unsigned_attrs = None;
        Ok(signed_data(self.content_type(), self.data.encap_content_info.econtent.clone(), &self.kept(own)?, signer)?)
    }

    /// The certificates that stay in the trimmed message.
    fn kept(&self, own: &Certificate) -> Result<Vec<Certificate>, CmsError> {
        // Named certificates cannot be replaced.
        let named = self.signed_attribute::<SigningCertificateV2>(oid::SIGNING_CERTIFICATE_V2)?;
        if let Some(named) = named.filter(SigningCertificateV2::names_several) {
            let is_named = |certificate: &&Certificate| named.names(certificate).unwrap_or_default();
            return Ok(self.certificates.iter().filter(is_named).cloned().collect());
        }
        let mut kept = vec![own.clone()];
        while let Some(last) = kept.last() {
            let issuer = self.certificates.iter().find(|other| last.is_issued_by(other));
            let Some(issuer) = issuer.filter(|issuer| !kept.contains(issuer)) else { break };
            if !self.certificates.iter().any(|other| issuer.is_issued_by(other)) {
                break;
            }
            kept.push(issuer.clone());
        }
        Ok(kept)
    }
}
