//! Responses about one certificate, and the request (RFC 6960). Their ASN.1 is written by hand: only what is used here.

#![expect(clippy::unnested_or_patterns, reason = "in the code that `Choice` derives")]

use der::{
    Any, Choice, Encode, Enumerated, Sequence,
    asn1::{BitString, GeneralizedTime, Null, ObjectIdentifier, OctetString},
};
use sha1::{Digest, Sha1};
use sha2::Sha256;
use spki::AlgorithmIdentifierOwned;
use x509_cert::{
    ext::{Extensions, pkix::ExtendedKeyUsage},
    name::Name,
    serial_number::SerialNumber,
};

use super::{Statement, decode};
use crate::{algorithm, asn1::oid, pki::Certificate, time::UnixTime};

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct Request {
    unsigned: UnsignedRequest,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct UnsignedRequest {
    requests: Vec<SingleRequest>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct SingleRequest {
    certificate: CertificateId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumerated)]
#[repr(u32)]
enum ResponseStatus {
    Successful = 0,
    MalformedRequest = 1,
    InternalError = 2,
    TryLater = 3,
    SigRequired = 5,
    Unauthorized = 6,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct Response {
    status: ResponseStatus,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    bytes: Option<ResponseBytes>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct ResponseBytes {
    response_type: ObjectIdentifier,
    response: OctetString,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct BasicResponse {
    data: ResponseData,
    algorithm: AlgorithmIdentifierOwned,
    signature: BitString,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    certificates: Option<Vec<x509_cert::Certificate>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct ResponseData {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", default = "Default::default")]
    version: u8,
    responder: Responder,
    produced_at: GeneralizedTime,
    responses: Vec<SingleResponse>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    extensions: Option<Extensions>,
}

#[derive(Clone, Debug, PartialEq, Eq, Choice)]
enum Responder {
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", constructed = "true")]
    Name(Name),
    #[asn1(context_specific = "2", tag_mode = "EXPLICIT", constructed = "true")]
    Key(OctetString),
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct SingleResponse {
    certificate: CertificateId,
    status: Status,
    this_update: GeneralizedTime,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    next_update: Option<GeneralizedTime>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    extensions: Option<Extensions>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct CertificateId {
    hash_algorithm: AlgorithmIdentifierOwned,
    issuer_name_hash: OctetString,
    issuer_key_hash: OctetString,
    serial_number: SerialNumber,
}

#[derive(Clone, Debug, PartialEq, Eq, Choice)]
enum Status {
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT")]
    Good(Null),
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", constructed = "true")]
    Revoked(RevokedInfo),
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT")]
    Unknown(Null),
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct RevokedInfo {
    time: GeneralizedTime,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    reason: Option<Any>,
}

/// The request about `certificate`. Its issuer is identified by SHA-1, which every responder supports (RFC 5019,
/// section 2.1.1).
pub(super) fn request(certificate: &Certificate, issuer: &Certificate) -> Vec<u8> {
    let encoded = CertificateId::of(certificate, issuer).and_then(|certificate| {
        Request { unsigned: UnsignedRequest { requests: vec![SingleRequest { certificate }] } }.to_der()
    });
    encoded.expect("names and numbers that were decoded from DER can be encoded")
}

/// The answer's statement about `certificate`; `None` if it is not by its issuer or by a responder that the issuer
/// appointed.
pub(super) fn read(der: &[u8], certificate: &Certificate, issuer: &Certificate) -> Option<Statement> {
    let response: Response = decode(der)?;
    let bytes = response.bytes.filter(|bytes| bytes.response_type == oid::OCSP_BASIC)?;
    let basic: BasicResponse = decode(bytes.response.as_bytes())?;
    let responder = responder(&basic, issuer)?;
    let key = responder.as_x509().tbs_certificate().subject_public_key_info();
    let signed = basic.data.to_der().ok()?;
    algorithm::verify(key, &basic.algorithm, None, &signed, basic.signature.as_bytes()?).ok()?;
    let single = basic.data.responses.iter().find(|single| is_about(&single.certificate, certificate, issuer))?;
    let time = |time: &GeneralizedTime| UnixTime::from_x509((*time).into());
    let revoked = match &single.status {
        Status::Good(_) => None,
        Status::Revoked(info) => Some(time(&info.time)),
        Status::Unknown(_) => return None,
    };
    Some(Statement { made: time(&single.this_update), current_until: single.next_update.as_ref().map(time), revoked })
}

/// The issuer itself, or an included certificate that it issued for this purpose (RFC 6960, section 4.2.2.2).
fn responder(basic: &BasicResponse, issuer: &Certificate) -> Option<Certificate> {
    let is_meant = |candidate: &Certificate| {
        let tbs = candidate.as_x509().tbs_certificate();
        match &basic.data.responder {
            Responder::Name(name) => tbs.subject() == name,
            Responder::Key(hash) => {
                let key = tbs.subject_public_key_info().subject_public_key.raw_bytes();
                hash.as_bytes() == Sha1::digest(key).as_slice()
            }
        }
    };
    if is_meant(issuer) {
        return Some(issuer.clone());
    }
    let appointed = |candidate: &Certificate| {
        let purposes = candidate.extension::<ExtendedKeyUsage>(oid::EXTENDED_KEY_USAGE).ok().flatten();
        candidate.is_issued_by(issuer)
            && purposes.is_some_and(|(_, purposes)| purposes.0.contains(&oid::PURPOSE_OCSP_SIGNING))
    };
    let embedded = basic.certificates.iter().flatten().filter_map(|x509| Certificate::from_x509(x509).ok());
    let mut meant = embedded.filter(|candidate| is_meant(candidate) && appointed(candidate));
    // A responder whose certificate was not valid when it answered does not count.
    let produced = UnixTime::from_x509(basic.data.produced_at.into());
    meant.find(|responder| responder.not_before() <= produced && produced <= responder.not_after())
}

impl CertificateId {
    fn of(certificate: &Certificate, issuer: &Certificate) -> der::Result<Self> {
        let tbs = issuer.as_x509().tbs_certificate();
        let key = tbs.subject_public_key_info().subject_public_key.raw_bytes();
        Ok(Self {
            hash_algorithm: AlgorithmIdentifierOwned { oid: oid::SHA_1, parameters: Some(Null.into()) },
            issuer_name_hash: OctetString::new(Sha1::digest(tbs.subject().to_der()?).to_vec())?,
            issuer_key_hash: OctetString::new(Sha1::digest(key).to_vec())?,
            serial_number: certificate.as_x509().tbs_certificate().serial_number().clone(),
        })
    }
}

fn is_about(id: &CertificateId, certificate: &Certificate, issuer: &Certificate) -> bool {
    let tbs = issuer.as_x509().tbs_certificate();
    let Ok(name) = tbs.subject().to_der() else { return false };
    let key = tbs.subject_public_key_info().subject_public_key.raw_bytes();
    let (name_hash, key_hash) = match id.hash_algorithm.oid {
        oid::SHA_1 => (Sha1::digest(&name).to_vec(), Sha1::digest(key).to_vec()),
        oid::SHA_256 => (Sha256::digest(&name).to_vec(), Sha256::digest(key).to_vec()),
        _ => return false,
    };
    id.issuer_name_hash.as_bytes() == name_hash
        && id.issuer_key_hash.as_bytes() == key_hash
        && id.serial_number == *certificate.as_x509().tbs_certificate().serial_number()
}
