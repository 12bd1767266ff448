//! Cryptographic Message Syntax (RFC 5652): the one shape of `SignedData` that signatures in PDF files and time-stamp tokens
//! share. One signer, signed attributes, the signer's certificate named in them (RFC 5035).
//!
//! What a signature does not cover, anybody can change without breaking it: versions, the set of certificates, the list of
//! hash algorithms. So reading is strict about all of it ([`SignedMessage::from_der`]), and what another program wrote
//! more freely is brought into this form before it becomes part of a certificate ([`SignedMessage::trimmed`]).

use cms::{
    cert::{CertificateChoices, IssuerAndSerialNumber},
    content_info::{CmsVersion, ContentInfo},
    signed_data::{
        CertificateSet, EncapsulatedContentInfo, SignedAttributes, SignedData, SignerIdentifier, SignerInfo,
        SignerInfos,
    },
};
use der::{
    Any, Decode, Encode, Sequence, Tag,
    asn1::{ObjectIdentifier, OctetString, SetOfVec},
};
use sha1::{Digest, Sha1};
use spki::AlgorithmIdentifierOwned;

use crate::{
    algorithm::{self, AlgorithmError, HashAlgorithm},
    asn1::{algorithm, attribute, decode_exactly, oid},
    digest::Sha256Digest,
    pki::{Certificate, Identity, SignError},
};

/// RFC 5035, section 4. Written without the hash algorithm, whose default SHA-256 is; read with any.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct EssCertIdV2 {
    #[asn1(optional = "true")]
    hash_algorithm: Option<AlgorithmIdentifierOwned>,
    cert_hash: OctetString,
    #[asn1(optional = "true")]
    issuer_serial: Option<Any>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct SigningCertificateV2 {
    certs: Vec<EssCertIdV2>,
    #[asn1(optional = "true")]
    policies: Option<Any>,
}

/// RFC 2634, section 5.4: the older form, by SHA-1, that some time-stamping authorities still send. SHA-1's weakness does
/// not help a forger here: the certificate it names must also have made the signature.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct EssCertId {
    cert_hash: OctetString,
    #[asn1(optional = "true")]
    issuer_serial: Option<Any>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct SigningCertificate {
    certs: Vec<EssCertId>,
    #[asn1(optional = "true")]
    policies: Option<Any>,
}

/// Why a signed message is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CmsError {
    #[error("not a signed message in DER: {0}")]
    Malformed(String),
    #[error("the signed message {0}")]
    Shape(&'static str),
    #[error("the signed message does not hold its signer's certificate")]
    NoSignerCertificate,
    #[error("the signed attributes name another certificate than the signer's")]
    OtherCertificate,
    #[error("the content is not the one that was signed")]
    OtherContent,
    #[error("{0}")]
    Signature(#[from] AlgorithmError),
}

impl From<der::Error> for CmsError {
    fn from(error: der::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// Signs content of the given type and digest. What the signature is put into comes next: [`Signed::to_message`].
pub(crate) fn sign(
    identity: &Identity,
    content_type: ObjectIdentifier,
    digest: &Sha256Digest,
) -> Result<Signed, SignError> {
    let encoding = |error: der::Error| SignError::Encoding(error.to_string());
    let attributes = signed_attributes(content_type, digest, identity.certificate()).map_err(encoding)?;
    // The signature is over the attributes as a SET OF (tag 0x31), not as the [0] they are stored under (RFC 5652, 5.4).
    let signature = identity.signer().sign(&attributes.to_der().map_err(encoding)?)?;
    Ok(Signed {
        chain: identity.chain().to_vec(),
        content_type,
        algorithm: identity.signer().algorithm().identifier(),
        attributes,
        signature,
    })
}

fn signed_attributes(
    content_type: ObjectIdentifier,
    digest: &Sha256Digest,
    certificate: &Certificate,
) -> der::Result<SignedAttributes> {
    let signing_certificate = SigningCertificateV2 {
        certs: vec![EssCertIdV2 {
            hash_algorithm: None,
            cert_hash: OctetString::new(*certificate.fingerprint().as_bytes())?,
            issuer_serial: None,
        }],
        policies: None,
    };
    // No signing-time attribute: PAdES has the claimed time in the signature dictionary (EN 319 142-1, table 1).
    SetOfVec::try_from(vec![
        attribute(oid::CONTENT_TYPE, &content_type)?,
        attribute(oid::MESSAGE_DIGEST, &OctetString::new(*digest.as_bytes())?)?,
        attribute(oid::SIGNING_CERTIFICATE_V2, &signing_certificate)?,
    ])
}

/// A signature and what it was made over and with.
#[derive(Clone, Debug)]
pub(crate) struct Signed {
    /// The signer's certificate first.
    chain: Vec<Certificate>,
    content_type: ObjectIdentifier,
    algorithm: AlgorithmIdentifierOwned,
    attributes: SignedAttributes,
    signature: Vec<u8>,
}

impl Signed {
    /// What a signature time stamp covers.
    pub(crate) fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// The `ContentInfo`: around `content` or beside it (`None`), with or without the chain, with a time-stamp token over
    /// the signature if there is one.
    pub(crate) fn to_message(
        &self,
        content: Option<&[u8]>,
        with_certificates: bool,
        token: Option<&[u8]>,
    ) -> der::Result<Vec<u8>> {
        let unsigned = match token {
            Some(token) => Some(SetOfVec::try_from(vec![attribute(oid::TIME_STAMP_TOKEN, &Any::from_der(token)?)?])?),
            None => None,
        };
        let tbs = self.chain[0].as_x509().tbs_certificate();
        let signer = SignerInfo {
            version: CmsVersion::V1,
            sid: SignerIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber {
                issuer: tbs.issuer().clone(),
                serial_number: tbs.serial_number().clone(),
            }),
            digest_alg: algorithm(oid::SHA_256),
            signed_attrs: Some(self.attributes.clone()),
            signature_algorithm: self.algorithm.clone(),
            signature: OctetString::new(self.signature.clone())?,
            unsigned_attrs: unsigned,
        };
        let content = content.map(|content| Any::new(Tag::OctetString, content)).transpose()?;
        let certificates = if with_certificates { self.chain.as_slice() } else { &[] };
        signed_data(self.content_type, content, certificates, signer)
    }
}

fn signed_data(
    content_type: ObjectIdentifier,
    content: Option<Any>,
    certificates: &[Certificate],
    signer: SignerInfo,
) -> der::Result<Vec<u8>> {
    let choices: Vec<CertificateChoices> =
        certificates.iter().map(|certificate| CertificateChoices::Certificate(certificate.as_x509().clone())).collect();
    let data = SignedData {
        version: version_for(content_type, &signer),
        digest_algorithms: SetOfVec::try_from(vec![signer.digest_alg.clone()])?,
        encap_content_info: EncapsulatedContentInfo { econtent_type: content_type, econtent: content },
        certificates: if choices.is_empty() { None } else { Some(CertificateSet(SetOfVec::try_from(choices)?)) },
        crls: None,
        signer_infos: SignerInfos(SetOfVec::try_from(vec![signer])?),
    };
    ContentInfo { content_type: oid::SIGNED_DATA, content: Any::encode_from(&data)? }.to_der()
}

/// RFC 5652, section 5.1.
fn version_for(content_type: ObjectIdentifier, signer: &SignerInfo) -> CmsVersion {
    if content_type == oid::DATA && signer.version == CmsVersion::V1 { CmsVersion::V1 } else { CmsVersion::V3 }
}

/// RFC 5652, section 5.3.
fn signer_version_for(signer: &SignerIdentifier) -> CmsVersion {
    match signer {
        SignerIdentifier::IssuerAndSerialNumber(_) => CmsVersion::V1,
        SignerIdentifier::SubjectKeyIdentifier(_) => CmsVersion::V3,
    }
}

/// A `SignedData` with one signer, read but not yet verified.
#[derive(Clone, Debug)]
pub(crate) struct SignedMessage {
    data: SignedData,
    signer: SignerInfo,
    certificates: Vec<Certificate>,
}

impl SignedMessage {
    /// Reads the form that this crate writes, and nothing else: every byte is one that is looked at.
    pub(crate) fn from_der(bytes: &[u8]) -> Result<Self, CmsError> {
        let info: ContentInfo = decode_exactly(bytes)?;
        let message = Self::read(info.content_type, decode_exactly(&info.content.to_der()?)?)?;
        let (data, signer) = (&message.data, &message.signer);
        if data.version != version_for(data.encap_content_info.econtent_type, signer)
            || signer.version != signer_version_for(&signer.sid)
        {
            return Err(CmsError::Shape("has a version that does not belong to what it holds"));
        }
        if data.digest_algorithms.as_slice() != std::slice::from_ref(&signer.digest_alg) {
            return Err(CmsError::Shape("lists other hash algorithms than its signer's"));
        }
        if data.crls.is_some() {
            return Err(CmsError::Shape("holds revocation lists, which belong into the document's store"));
        }
        Ok(message)
    }

    /// Reads what another program may have written: the order of sets and the unsigned parts are not held against it.
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
                CertificateChoices::Other(_) => return Err(CmsError::Shape("holds a certificate that is not X.509")),
            }
        }
        Ok(Self { data, signer, certificates })
    }

    pub(crate) fn content_type(&self) -> ObjectIdentifier {
        self.data.encap_content_info.econtent_type
    }

    /// The content, where it travels inside.
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

    /// The time-stamp token over the signature. Anything else among the unsigned attributes is refused.
    pub(crate) fn time_stamp_token(&self) -> Result<Option<Vec<u8>>, CmsError> {
        let Some(attributes) = &self.signer.unsigned_attrs else { return Ok(None) };
        match attributes.as_slice() {
            [attribute] if attribute.oid == oid::TIME_STAMP_TOKEN => match attribute.values.as_slice() {
                [token] => Ok(Some(token.to_der()?)),
                _ => Err(CmsError::Shape("has an attribute with other than one value")),
            },
            _ => Err(CmsError::Shape("has unsigned attributes other than one time-stamp token")),
        }
    }

    /// Checks everything that the signer vouches for, and returns the signer's certificate. Whether to trust that is the
    /// caller's next question.
    ///
    /// `digest_of_content` hashes what was signed.
    pub(crate) fn verify(
        &self,
        digest_of_content: impl FnOnce(HashAlgorithm) -> Vec<u8>,
    ) -> Result<Certificate, CmsError> {
        let hash = HashAlgorithm::from_identifier(&self.signer.digest_alg)?;
        let content_type: ObjectIdentifier =
            self.signed_attribute(oid::CONTENT_TYPE)?.ok_or(CmsError::Shape("does not sign its content's type"))?;
        if content_type != self.content_type() {
            return Err(CmsError::Shape("signs another content's type"));
        }
        let digest: OctetString =
            self.signed_attribute(oid::MESSAGE_DIGEST)?.ok_or(CmsError::Shape("does not sign its content's digest"))?;
        if digest.as_bytes() != digest_of_content(hash) {
            return Err(CmsError::OtherContent);
        }
        let certificate = self.signer_certificate()?;
        if !self.names(certificate)? {
            return Err(CmsError::OtherCertificate);
        }
        let attributes = self.signer.signed_attrs.as_ref().ok_or(CmsError::Shape("has no signed attributes"))?;
        algorithm::verify(
            certificate.as_x509().tbs_certificate().subject_public_key_info(),
            &self.signer.signature_algorithm,
            Some(hash),
            &attributes.to_der()?,
            self.signature(),
        )?;
        Ok(certificate.clone())
    }

    /// The same for a document whose SHA-256 is known: a signature by another hash is refused.
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

    /// Whether the signed attributes name this certificate as the signer's.
    fn names(&self, certificate: &Certificate) -> Result<bool, CmsError> {
        if let Some(attribute) = self.signed_attribute::<SigningCertificateV2>(oid::SIGNING_CERTIFICATE_V2)? {
            let first = attribute.certs.first().ok_or(CmsError::Shape("names no certificate"))?;
            let hash = match &first.hash_algorithm {
                Some(identifier) => HashAlgorithm::from_identifier(identifier)?,
                None => HashAlgorithm::Sha256,
            };
            return Ok(first.cert_hash.as_bytes() == hash.digest(&[certificate.der()]));
        }
        let attribute: SigningCertificate = self
            .signed_attribute(oid::SIGNING_CERTIFICATE)?
            .ok_or(CmsError::Shape("does not name its signer's certificate"))?;
        let first = attribute.certs.first().ok_or(CmsError::Shape("names no certificate"))?;
        Ok(first.cert_hash.as_bytes() == Sha1::digest(certificate.der()).as_slice())
    }

    /// The one value of a signed attribute that may be there once.
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

    /// The same message in the form that [`from_der`](Self::from_der) reads: in DER, without revocation lists and unsigned
    /// attributes, and with those certificates only that lead upwards from the signer's and were themselves issued by one
    /// in the message. The signature is untouched.
    ///
    /// The one left out is typically a cross certificate: its issuer is elsewhere, so nobody who reads the message alone
    /// could tell whether its bytes were changed.
    pub(crate) fn trimmed(&self) -> Result<Vec<u8>, CmsError> {
        let mut kept = vec![self.signer_certificate()?.clone()];
        while let Some(last) = kept.last() {
            let issuer = self.certificates.iter().find(|other| last.is_issued_by(other));
            let Some(issuer) = issuer.filter(|issuer| !kept.contains(issuer)) else { break };
            if !self.certificates.iter().any(|other| issuer.is_issued_by(other)) {
                break;
            }
            kept.push(issuer.clone());
        }
        let mut signer = self.signer.clone();
        signer.version = signer_version_for(&signer.sid);
        signer.unsigned_attrs = None;
        Ok(signed_data(self.content_type(), self.data.encap_content_info.econtent.clone(), &kept, signer)?)
    }
}
