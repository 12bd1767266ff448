//! Cryptographic Message Syntax (RFC 5652): the form of `SignedData` that signatures in PDF files and time-stamp tokens
//! share. One signer, signed attributes, the signer's certificate and those above it named in them (RFC 5035).
//!
//! Anyone can change what a signature does not cover without breaking it: versions, the set of certificates, the list
//! of hash algorithms, even half of an ECDSA signature. So reading is strict about all of it
//! ([`SignedMessage::from_der`]), and the freer form of another program is converted to this form before it becomes
//! part of a certificate ([`SignedMessage::trimmed`]).

mod message;
mod signing_certificate;

use cms::{
    cert::{CertificateChoices, IssuerAndSerialNumber},
    content_info::{CmsVersion, ContentInfo},
    signed_data::{
        CertificateSet, EncapsulatedContentInfo, SignedAttributes, SignedData, SignerIdentifier, SignerInfo,
        SignerInfos,
    },
};
use der::{
    Any, Decode, Encode, Tag,
    asn1::{ObjectIdentifier, OctetString, SetOfVec},
};
use spki::AlgorithmIdentifierOwned;

pub(crate) use self::message::SignedMessage;
use self::signing_certificate::SigningCertificateV2;
use crate::{
    algorithm::{self, AlgorithmError},
    asn1::{algorithm, attribute, oid},
    digest::Sha256Digest,
    pki::{Certificate, Identity, SignError},
};

/// Why a signed message is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CmsError {
    #[error("not a signed message in DER: {0}")]
    Malformed(String),
    #[error("the signed message {0}")]
    Shape(&'static str),
    #[error("the signed message does not contain its signer's certificate")]
    NoSignerCertificate,
    #[error("the signed attributes name a certificate other than the signer's")]
    OtherCertificate,
    #[error("the signed message contains certificates other than those that its signer named")]
    OtherCertificates,
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

/// Signs content of the given type and digest. The next step is [`CmsSignature::to_message`].
pub(crate) fn sign(
    identity: &Identity,
    content_type: ObjectIdentifier,
    digest: &Sha256Digest,
) -> Result<CmsSignature, SignError> {
    let encoding = |error: der::Error| SignError::Encoding(error.to_string());
    let attributes = signed_attributes(content_type, digest, identity.chain()).map_err(encoding)?;
    // The signature is over the attributes as a SET OF (tag 0x31), not as the [0] they are stored under (RFC 5652, 5.4).
    let signature = identity.signer().sign(&attributes.to_der().map_err(encoding)?)?;
    let algorithm = identity.signer().algorithm().identifier();
    let key = identity.certificate().as_x509().tbs_certificate().subject_public_key_info();
    let signature = algorithm::normalized(key, &algorithm, &signature);
    Ok(CmsSignature { chain: identity.chain().to_vec(), content_type, algorithm, attributes, signature })
}

fn signed_attributes(
    content_type: ObjectIdentifier,
    digest: &Sha256Digest,
    chain: &[Certificate],
) -> der::Result<SignedAttributes> {
    let signing_certificate = SigningCertificateV2::of(chain)?;
    // No signing-time attribute: PAdES has the claimed time in the signature dictionary (EN 319 142-1, table 1).
    SetOfVec::try_from(vec![
        attribute(oid::CONTENT_TYPE, &content_type)?,
        attribute(oid::MESSAGE_DIGEST, &OctetString::new(*digest.as_bytes())?)?,
        attribute(oid::SIGNING_CERTIFICATE_V2, &signing_certificate)?,
    ])
}

/// A signature, what it signs, and its certificates.
#[derive(Clone, Debug)]
pub(crate) struct CmsSignature {
    /// The signer's certificate first.
    chain: Vec<Certificate>,
    content_type: ObjectIdentifier,
    algorithm: AlgorithmIdentifierOwned,
    attributes: SignedAttributes,
    signature: Vec<u8>,
}

impl CmsSignature {
    /// The value that a signature time stamp covers.
    pub(crate) fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// The `ContentInfo`: around `content` or detached (`None`), with or without the chain, with a time-stamp token
    /// over the signature if there is one.
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
        let signer = SignerInfo {
            version: CmsVersion::V1,
            sid: by_issuer_and_serial_number(&self.chain[0]),
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

/// Of the two ways to name a signer, this crate uses only this one.
fn by_issuer_and_serial_number(signer: &Certificate) -> SignerIdentifier {
    let tbs = signer.as_x509().tbs_certificate();
    SignerIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber {
        issuer: tbs.issuer().clone(),
        serial_number: tbs.serial_number().clone(),
    })
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
        version: version_for(content_type),
        digest_algorithms: SetOfVec::try_from(vec![signer.digest_alg.clone()])?,
        encap_content_info: EncapsulatedContentInfo { econtent_type: content_type, econtent: content },
        certificates: if choices.is_empty() { None } else { Some(CertificateSet(SetOfVec::try_from(choices)?)) },
        crls: None,
        signer_infos: SignerInfos(SetOfVec::try_from(vec![signer])?),
    };
    ContentInfo { content_type: oid::SIGNED_DATA, content: Any::encode_from(&data)? }.to_der()
}

/// RFC 5652, section 5.1, for a signer that is named by issuer and serial number.
fn version_for(content_type: ObjectIdentifier) -> CmsVersion {
    if content_type == oid::DATA { CmsVersion::V1 } else { CmsVersion::V3 }
}
