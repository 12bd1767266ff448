//! The parameters of RSA-PSS (RFC 4055, section 3.1). Their defaults are for SHA-1, so all of them are required; and
//! both hashes must be the same (RFC 4056, section 3).

use der::{Sequence, asn1::ObjectIdentifier};
use spki::AlgorithmIdentifierOwned;

use super::{AlgorithmError, HashAlgorithm, Scheme};
use crate::asn1::decode_exactly;

#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct Parameters {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    hash: Option<AlgorithmIdentifierOwned>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    mask: Option<AlgorithmIdentifierOwned>,
    /// In bytes.
    #[asn1(context_specific = "2", tag_mode = "EXPLICIT", optional = "true")]
    salt_length: Option<u16>,
    #[asn1(context_specific = "3", tag_mode = "EXPLICIT", optional = "true")]
    trailer: Option<u8>,
}

const MGF_1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.8");
/// The hash of the defaults.
const SHA_1: &str = "1.3.14.3.2.26";

pub(super) fn read(
    algorithm: &AlgorithmIdentifierOwned,
    hash_of_cms: Option<HashAlgorithm>,
) -> Result<Scheme, AlgorithmError> {
    let sha_1 = || AlgorithmError::UnknownHash(SHA_1.to_owned());
    let unfit = |_| AlgorithmError::Parameters;
    let der = algorithm.parameters.as_ref().ok_or_else(sha_1)?;
    let Parameters { hash, mask, salt_length, trailer } =
        decode_exactly(&der::Encode::to_der(der).map_err(unfit)?).map_err(unfit)?;
    let hash = HashAlgorithm::from_identifier(&hash.ok_or_else(sha_1)?)?;
    let mask = mask.ok_or_else(sha_1)?;
    let mask_hash = mask.parameters.ok_or(AlgorithmError::Parameters)?.decode_as().map_err(unfit)?;
    let is_one_hash =
        HashAlgorithm::from_identifier(&mask_hash)? == hash && hash_of_cms.is_none_or(|of_cms| of_cms == hash);
    // The trailer's only value is the default, which DER omits.
    if mask.oid != MGF_1 || !is_one_hash || trailer.is_some() {
        return Err(AlgorithmError::Parameters);
    }
    // 20 is the default, which DER also omits.
    let salt_length = usize::from(salt_length.unwrap_or(20));
    if salt_length > 64 {
        return Err(AlgorithmError::Parameters);
    }
    Ok(Scheme::RsaPss(hash, salt_length))
}
