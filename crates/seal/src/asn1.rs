//! ASN.1 as this crate uses it: the object identifiers, and decoding that accepts only one encoding.

use der::{
    Any, Decode, Encode,
    asn1::{ObjectIdentifier, SetOfVec},
};
use spki::AlgorithmIdentifierOwned;
use x509_cert::attr::Attribute;

/// Object identifiers, by the names of the documents that assign them.
pub(crate) mod oid {
    use der::asn1::ObjectIdentifier;

    const fn oid(text: &str) -> ObjectIdentifier {
        ObjectIdentifier::new_unwrap(text)
    }

    // RFC 5652, RFC 5035, RFC 3161
    pub(crate) const DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.1");
    pub(crate) const SIGNED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.2");
    pub(crate) const CONTENT_TYPE: ObjectIdentifier = oid("1.2.840.113549.1.9.3");
    pub(crate) const MESSAGE_DIGEST: ObjectIdentifier = oid("1.2.840.113549.1.9.4");
    pub(crate) const SIGNING_CERTIFICATE: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.12");
    pub(crate) const SIGNING_CERTIFICATE_V2: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.47");
    pub(crate) const TIME_STAMP_TOKEN: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.14");
    pub(crate) const TST_INFO: ObjectIdentifier = oid("1.2.840.113549.1.9.16.1.4");

    // FIPS 180-4 hashes; RFC 8017 and RFC 5758 signatures
    pub(crate) const SHA_256: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.1");
    pub(crate) const SHA_384: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.2");
    pub(crate) const SHA_512: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.3");
    pub(crate) const RSA_ENCRYPTION: ObjectIdentifier = oid("1.2.840.113549.1.1.1");
    pub(crate) const RSASSA_PSS: ObjectIdentifier = oid("1.2.840.113549.1.1.10");
    pub(crate) const SHA_256_WITH_RSA: ObjectIdentifier = oid("1.2.840.113549.1.1.11");
    pub(crate) const SHA_384_WITH_RSA: ObjectIdentifier = oid("1.2.840.113549.1.1.12");
    pub(crate) const SHA_512_WITH_RSA: ObjectIdentifier = oid("1.2.840.113549.1.1.13");
    pub(crate) const ECDSA_WITH_SHA_256: ObjectIdentifier = oid("1.2.840.10045.4.3.2");
    pub(crate) const ECDSA_WITH_SHA_384: ObjectIdentifier = oid("1.2.840.10045.4.3.3");
    pub(crate) const ECDSA_WITH_SHA_512: ObjectIdentifier = oid("1.2.840.10045.4.3.4");
    /// RFC 8410.
    pub(crate) const ED_25519: ObjectIdentifier = oid("1.3.101.112");

    /// Those whose parameters are NULL (RFC 4055, section 5).
    pub(crate) const WITH_NULL: [ObjectIdentifier; 4] =
        [RSA_ENCRYPTION, SHA_256_WITH_RSA, SHA_384_WITH_RSA, SHA_512_WITH_RSA];

    // RFC 5280: certificate extensions and purposes
    pub(crate) const EXTENDED_KEY_USAGE: ObjectIdentifier = oid("2.5.29.37");
    pub(crate) const KEY_USAGE: ObjectIdentifier = oid("2.5.29.15");
    pub(crate) const BASIC_CONSTRAINTS: ObjectIdentifier = oid("2.5.29.19");
    pub(crate) const SUBJECT_KEY_IDENTIFIER: ObjectIdentifier = oid("2.5.29.14");
    pub(crate) const AUTHORITY_KEY_IDENTIFIER: ObjectIdentifier = oid("2.5.29.35");
    pub(crate) const CRL_DISTRIBUTION_POINTS: ObjectIdentifier = oid("2.5.29.31");
    pub(crate) const AUTHORITY_INFO_ACCESS: ObjectIdentifier = oid("1.3.6.1.5.5.7.1.1");
    pub(crate) const CRL_NUMBER: ObjectIdentifier = oid("2.5.29.20");
    pub(crate) const SUBJECT_ALTERNATIVE_NAME: ObjectIdentifier = oid("2.5.29.17");
    pub(crate) const CERTIFICATE_POLICIES: ObjectIdentifier = oid("2.5.29.32");
    pub(crate) const NAME_CONSTRAINTS: ObjectIdentifier = oid("2.5.29.30");
    pub(crate) const EMAIL_ADDRESS: ObjectIdentifier = oid("1.2.840.113549.1.9.1");
    pub(crate) const PURPOSE_OCSP_SIGNING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.9");
    // RFC 6960
    pub(crate) const OCSP_BASIC: ObjectIdentifier = oid("1.3.6.1.5.5.7.48.1.1");
    pub(crate) const OCSP: ObjectIdentifier = oid("1.3.6.1.5.5.7.48.1");
    pub(crate) const SHA_1: ObjectIdentifier = oid("1.3.14.3.2.26");
    pub(crate) const PURPOSE_TIME_STAMPING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.8");
    pub(crate) const PURPOSE_EMAIL_PROTECTION: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.4");
    /// RFC 9336.
    pub(crate) const PURPOSE_DOCUMENT_SIGNING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.36");
    /// C2PA 2.1, section 14.5.1.
    pub(crate) const PURPOSE_CLAIM_SIGNING: ObjectIdentifier = oid("1.3.6.1.4.1.62558.2.1");
    pub(crate) const PURPOSE_ANY: ObjectIdentifier = oid("2.5.29.37.0");
}

/// Decodes `bytes` and requires that they are the only DER encoding of their value.
///
/// The decoder accepts a few things that DER does not allow (the order of a set). A check of the re-encoded value would
/// then not cover every byte, and a byte that is not checked can be changed.
pub(crate) fn decode_exactly<T: for<'a> Decode<'a, Error = der::Error> + Encode>(bytes: &[u8]) -> der::Result<T> {
    let value = T::from_der(bytes)?;
    if value.to_der()? != bytes {
        return Err(der::ErrorKind::Noncanonical { tag: der::Tag::Sequence }.into());
    }
    Ok(value)
}

/// An algorithm without parameters, as SHA-2 (RFC 5754, section 2) and ECDSA (RFC 5758) are encoded.
pub(crate) fn algorithm(oid: ObjectIdentifier) -> AlgorithmIdentifierOwned {
    AlgorithmIdentifierOwned { oid, parameters: None }
}

/// An algorithm whose parameters are NULL, as RSA's must be (RFC 4055, section 5).
pub(crate) fn algorithm_with_null(oid: ObjectIdentifier) -> AlgorithmIdentifierOwned {
    AlgorithmIdentifierOwned { oid, parameters: Some(Any::null()) }
}

/// Whether an algorithm's parameters are absent or NULL.
pub(crate) fn has_no_parameters(algorithm: &AlgorithmIdentifierOwned) -> bool {
    algorithm.parameters.as_ref().is_none_or(|parameters| *parameters == Any::null())
}

/// An attribute with one value.
pub(crate) fn attribute(oid: ObjectIdentifier, value: &impl Encode) -> der::Result<Attribute> {
    Ok(Attribute { oid, values: SetOfVec::try_from(vec![Any::from_der(&value.to_der()?)?])? })
}
