//! The ASN.1 of RFC 3161, section 2.4. Written by hand: the `x509-tsp` crate depends on an older `der`.

use der::{
    Any, Sequence,
    asn1::{BitString, Int, ObjectIdentifier, OctetString},
};
use spki::AlgorithmIdentifierOwned;
use x509_cert::ext::Extensions;

use crate::{
    asn1::{algorithm, oid},
    digest::Sha256Digest,
};

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct MessageImprint {
    pub(super) hash_algorithm: AlgorithmIdentifierOwned,
    pub(super) hashed_message: OctetString,
}

impl MessageImprint {
    pub(super) fn of(digest: &Sha256Digest) -> der::Result<Self> {
        Ok(Self { hash_algorithm: algorithm(oid::SHA_256), hashed_message: OctetString::new(*digest.as_bytes())? })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct TimeStampReq {
    pub(super) version: u8,
    pub(super) message_imprint: MessageImprint,
    #[asn1(optional = "true")]
    pub(super) req_policy: Option<ObjectIdentifier>,
    #[asn1(optional = "true")]
    pub(super) nonce: Option<Int>,
    #[asn1(default = "Default::default")]
    pub(super) cert_req: bool,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    pub(super) extensions: Option<Extensions>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct PkiStatusInfo {
    pub(super) status: u8,
    #[asn1(optional = "true")]
    pub(super) status_string: Option<Vec<String>>,
    #[asn1(optional = "true")]
    pub(super) fail_info: Option<BitString>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct TimeStampResp {
    pub(super) status: PkiStatusInfo,
    #[asn1(optional = "true")]
    pub(super) time_stamp_token: Option<Any>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct Accuracy {
    #[asn1(optional = "true")]
    pub(super) seconds: Option<u64>,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    pub(super) millis: Option<u16>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    pub(super) micros: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(super) struct TstInfo {
    pub(super) version: u8,
    pub(super) policy: ObjectIdentifier,
    pub(super) message_imprint: MessageImprint,
    pub(super) serial_number: Int,
    /// A `GeneralizedTime`, undecoded: `der` rejects the fraction of a second that RFC 3161 allows.
    pub(super) gen_time: Any,
    #[asn1(optional = "true")]
    pub(super) accuracy: Option<Accuracy>,
    #[asn1(default = "Default::default")]
    pub(super) ordering: bool,
    #[asn1(optional = "true")]
    pub(super) nonce: Option<Int>,
    /// A `GeneralName`; the signer's certificate is the better source.
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    pub(super) tsa: Option<Any>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    pub(super) extensions: Option<Extensions>,
}

/// `PKIFailureInfo` (RFC 3161, section 2.4.2), by bit.
pub(super) const FAILURES: [(u8, &str); 9] = [
    (0, "badAlg: the hash algorithm is not supported"),
    (2, "badRequest: the transaction is not permitted"),
    (5, "badDataFormat: the request has the wrong format"),
    (14, "timeNotAvailable: the authority's time source is not available"),
    (15, "unacceptedPolicy: the policy is not supported"),
    (16, "unacceptedExtension: the extension is not supported"),
    (17, "addInfoNotAvailable: the additional information is not available"),
    (25, "systemFailure: the authority has an internal error"),
    (26, "systemUnavailable: the authority is not available"),
];
