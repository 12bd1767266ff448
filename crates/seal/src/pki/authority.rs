//! Issues certificates: a development authority with three keys, for an installation whose operator has no certificate
//! yet.
//!
//! No one trusts it unless configured to, and every certificate of a case says so. Its names say it too.

use der::{
    Any, Encode, Sequence, Tag,
    asn1::{BitString, OctetString, Uint},
};
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::{
    Version,
    attr::AttributeTypeAndValue,
    crl::{CertificateList, RevokedCert, TbsCertList},
    der::flagset::FlagSet,
    ext::{
        Extension, Extensions,
        pkix::{AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages},
    },
    name::{Name, RdnSequence, RelativeDistinguishedName},
    serial_number::SerialNumber,
    time::Validity,
};

use super::{Certificate, CertificateError, Identity, IdentityError, KeyError, PrivateKey, Purpose, SignError, Signer};
use crate::{
    asn1::{decode_exactly, oid},
    digest::Sha256Digest,
    time::UnixTime,
};

/// Why no certificate was issued.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error("the certificate cannot be written: {0}")]
    Encoding(#[from] der::Error),
}

/// The purpose of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// A root that signs itself and may issue to end entities only.
    Root,
    DocumentSigning,
    TimeStamping,
}

/// The content of a certificate to issue.
#[derive(Clone, Copy, Debug)]
pub struct Issue<'a> {
    pub usage: Usage,
    pub common_name: &'a str,
    pub organization: &'a str,
    /// DER `SubjectPublicKeyInfo`.
    pub public_key: &'a [u8],
    /// From the caller's randomness (RFC 5280, section 4.1.2.2).
    pub serial_number: [u8; 16],
    pub not_before: UnixTime,
    pub not_after: UnixTime,
}

/// RFC 5280, section 4.1. Written here because `x509-cert` writes an extended key usage that is not critical, which a
/// time-stamping certificate's must be.
#[derive(Sequence)]
struct ToBeSigned {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    version: Version,
    serial_number: SerialNumber,
    signature: AlgorithmIdentifierOwned,
    issuer: Name,
    validity: Validity,
    subject: Name,
    subject_public_key_info: SubjectPublicKeyInfoOwned,
    #[asn1(context_specific = "3", tag_mode = "EXPLICIT")]
    extensions: Extensions,
}

#[derive(Sequence)]
struct WithSignature {
    to_be_signed: ToBeSigned,
    algorithm: AlgorithmIdentifierOwned,
    signature_value: BitString,
}

/// Issues a certificate with the issuer's key. Without an `issuer` the key signs its own certificate.
pub fn issue(
    request: &Issue<'_>,
    issuer: Option<&Certificate>,
    issuer_key: &dyn Signer,
) -> Result<Certificate, AuthorityError> {
    let algorithm = issuer_key.algorithm().identifier();
    let public_key = decode_exactly::<SubjectPublicKeyInfoOwned>(request.public_key)?;
    let subject = name(request.organization, request.common_name)?;
    let to_be_signed = ToBeSigned {
        version: Version::V3,
        serial_number: serial_number(request.serial_number)?,
        signature: algorithm.clone(),
        issuer: issuer.map_or_else(|| subject.clone(), |issuer| issuer.as_x509().tbs_certificate().subject().clone()),
        validity: Validity::new(request.not_before.to_x509(), request.not_after.to_x509()),
        subject,
        extensions: extensions(request.usage, &public_key, issuer)?,
        subject_public_key_info: public_key,
    };
    let signature_value = BitString::from_bytes(&issuer_key.sign(&to_be_signed.to_der()?)?)?;
    Ok(Certificate::from_der(&WithSignature { to_be_signed, algorithm, signature_value }.to_der()?)?)
}

fn extensions(
    usage: Usage,
    public_key: &SubjectPublicKeyInfoOwned,
    issuer: Option<&Certificate>,
) -> der::Result<Extensions> {
    let (is_authority, key_usage): (bool, FlagSet<KeyUsages>) = match usage {
        Usage::Root => (true, KeyUsages::KeyCertSign | KeyUsages::CRLSign),
        Usage::DocumentSigning => (false, KeyUsages::DigitalSignature | KeyUsages::NonRepudiation),
        Usage::TimeStamping => (false, KeyUsages::DigitalSignature.into()),
    };
    let constraints = BasicConstraints { ca: is_authority, path_len_constraint: is_authority.then_some(0) };
    let mut extensions = vec![
        extension(oid::BASIC_CONSTRAINTS, true, &constraints)?,
        extension(oid::KEY_USAGE, true, &KeyUsage(key_usage))?,
        extension(oid::SUBJECT_KEY_IDENTIFIER, false, &key_identifier(public_key)?)?,
    ];
    if let Some(issuer) = issuer {
        extensions.push(extension(oid::AUTHORITY_KEY_IDENTIFIER, false, &authority_key_identifier(issuer)?)?);
    }
    match usage {
        Usage::Root => {}
        // Poppler's library (NSS) rejects a signer that only has documentSigning.
        Usage::DocumentSigning => {
            let purposes = vec![oid::PURPOSE_DOCUMENT_SIGNING, oid::PURPOSE_EMAIL_PROTECTION];
            extensions.push(extension(oid::EXTENDED_KEY_USAGE, false, &ExtendedKeyUsage(purposes))?);
        }
        // RFC 3161, section 2.3: critical, and only this purpose.
        Usage::TimeStamping => {
            let purposes = vec![oid::PURPOSE_TIME_STAMPING];
            extensions.push(extension(oid::EXTENDED_KEY_USAGE, true, &ExtendedKeyUsage(purposes))?);
        }
    }
    Ok(extensions)
}

fn extension(id: der::asn1::ObjectIdentifier, critical: bool, value: &impl Encode) -> der::Result<Extension> {
    Ok(Extension { extn_id: id, critical, extn_value: OctetString::new(value.to_der()?)? })
}

/// RFC 7093, section 2, method 1: the first 160 bits of the key's SHA-256.
fn key_identifier(public_key: &SubjectPublicKeyInfoOwned) -> der::Result<OctetString> {
    let digest = Sha256Digest::of(public_key.subject_public_key.raw_bytes());
    OctetString::new(&digest.as_bytes()[..20])
}

fn authority_key_identifier(issuer: &Certificate) -> der::Result<AuthorityKeyIdentifier> {
    let key_identifier = issuer.subject_key_identifier().map(OctetString::new).transpose()?;
    Ok(AuthorityKeyIdentifier { key_identifier, ..Default::default() })
}

/// `O=<organization>,CN=<common name>`, as two UTF-8 strings: whatever a name contains, it stays one name.
fn name(organization: &str, common_name: &str) -> der::Result<Name> {
    const ORGANIZATION: der::asn1::ObjectIdentifier = der::asn1::ObjectIdentifier::new_unwrap("2.5.4.10");
    const COMMON_NAME: der::asn1::ObjectIdentifier = der::asn1::ObjectIdentifier::new_unwrap("2.5.4.3");
    let mut parts = RdnSequence::default();
    for (oid, text) in [(ORGANIZATION, organization), (COMMON_NAME, common_name)] {
        let value = Any::new(Tag::Utf8String, text.as_bytes())?;
        parts.push(RelativeDistinguishedName::try_from(vec![AttributeTypeAndValue { oid, value }])?);
    }
    decode_exactly(&parts.to_der()?)
}

/// Positive, and 16 bytes long: the first bits are set to 01.
fn serial_number(mut random: [u8; 16]) -> der::Result<SerialNumber> {
    random[0] = random[0] & 0x3F | 0x40;
    SerialNumber::new(&random)
}

/// A list of revoked certificates (RFC 5280, section 5), in DER. Long-term validation needs one even if it is empty.
///
/// `number` must grow from list to list.
pub fn revocation_list(
    issuer: &Certificate,
    issuer_key: &dyn Signer,
    number: u64,
    this_update: UnixTime,
    next_update: UnixTime,
    revoked: &[(Certificate, UnixTime)],
) -> Result<Vec<u8>, AuthorityError> {
    let algorithm = issuer_key.algorithm().identifier();
    let entry = |(certificate, at): &(Certificate, UnixTime)| RevokedCert {
        serial_number: certificate.as_x509().tbs_certificate().serial_number().clone(),
        revocation_date: at.to_x509(),
        crl_entry_extensions: None,
    };
    let revoked: Vec<RevokedCert> = revoked.iter().map(entry).collect();
    let number = Uint::new(&number.to_be_bytes())?;
    let tbs_cert_list = TbsCertList {
        version: Version::V2,
        signature: algorithm.clone(),
        issuer: issuer.as_x509().tbs_certificate().subject().clone(),
        this_update: this_update.to_x509(),
        next_update: Some(next_update.to_x509()),
        revoked_certificates: (!revoked.is_empty()).then_some(revoked),
        crl_extensions: Some(vec![
            extension(oid::AUTHORITY_KEY_IDENTIFIER, false, &authority_key_identifier(issuer)?)?,
            extension(oid::CRL_NUMBER, false, &number)?,
        ]),
    };
    let signature = BitString::from_bytes(&issuer_key.sign(&tbs_cert_list.to_der()?)?)?;
    let list: CertificateList = CertificateList { tbs_cert_list, signature_algorithm: algorithm, signature };
    Ok(list.to_der()?)
}

/// A root, a signing key and a time-stamping key, with their certificates.
#[derive(Debug)]
pub struct DevelopmentAuthority {
    pub root_key: PrivateKey,
    pub root: Certificate,
    pub signing_key: PrivateKey,
    pub signing: Certificate,
    pub time_stamping_key: PrivateKey,
    pub time_stamping: Certificate,
}

/// Randomness for a [`DevelopmentAuthority`], from the caller: for the root, the signing and the time-stamping key.
#[derive(Clone)]
pub struct RandomBytes {
    pub keys: [[u8; 32]; 3],
    pub serial_numbers: [[u8; 16]; 3],
}

impl DevelopmentAuthority {
    /// Creates an authority for `organization`. Its root is valid for 20 years from `now`, the two others for 10.
    pub fn new(organization: &str, random: &RandomBytes, now: UnixTime) -> Result<Self, AuthorityError> {
        let [root_key, signing_key, time_stamping_key] = &random.keys;
        let root_key = PrivateKey::p256_from_random(root_key)?;
        let signing_key = PrivateKey::p256_from_random(signing_key)?;
        let time_stamping_key = PrivateKey::p256_from_random(time_stamping_key)?;
        let make = |usage, common_name, key: &PrivateKey, serial_number, days, issuer: Option<&Certificate>| {
            let request = Issue {
                usage,
                common_name,
                organization,
                public_key: &key.public_key_der()?,
                serial_number,
                not_before: now,
                not_after: now.plus_days(days),
            };
            issue(&request, issuer, &root_key)
        };
        let [first, second, third] = random.serial_numbers;
        let root = make(Usage::Root, "Sealwright development root", &root_key, first, 20 * 365, None)?;
        let signing = "Sealwright development seal";
        let signing = make(Usage::DocumentSigning, signing, &signing_key, second, 10 * 365, Some(&root))?;
        let time_stamping = "Sealwright development time stamps";
        let time_stamping = make(Usage::TimeStamping, time_stamping, &time_stamping_key, third, 10 * 365, Some(&root))?;
        Ok(Self { root_key, root, signing_key, signing, time_stamping_key, time_stamping })
    }

    /// The identity that signs documents, and the one that stamps times. The root key is dropped.
    pub fn into_identities(self) -> Result<(Identity, Identity), AuthorityError> {
        let Self { root, signing_key, signing, time_stamping_key, time_stamping, .. } = self;
        let signing = Identity::new(Box::new(signing_key), vec![signing, root.clone()], Purpose::DocumentSigning)?;
        let time_stamping =
            Identity::new(Box::new(time_stamping_key), vec![time_stamping, root], Purpose::TimeStamping)?;
        Ok((signing, time_stamping))
    }
}
