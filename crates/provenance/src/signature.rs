//! The signature of a claim (C2PA 2.1, section 13.2): `COSE_Sign1` (RFC 9052) with the signer's certificates (RFC 9360) and
//! a time stamp (RFC 3161).

use ciborium::value::Value;
use sealwright_seal::{
    AlgorithmError, Certificate, CoseAlgorithm, UnixTime,
    pki::{PathError, Purpose, TrustAnchor, verify_path},
    tsp::Token,
};

use crate::{
    cbor,
    model::{Signer, TimeStamp},
};

/// Certificates of one signature, and bytes of each.
const MAX_CERTIFICATES: usize = 8;
const MAX_CERTIFICATE_BYTES: usize = 16 << 10;
const MAX_TOKEN_BYTES: usize = 64 << 10;
/// The header parameter `x5chain` (RFC 9360).
const X5CHAIN: i64 = 33;
const ALGORITHM: i64 = 1;

/// What was found out about a signature.
#[derive(Clone, Debug)]
pub(crate) struct SignatureCheck {
    pub(crate) outcome: SignatureOutcome,
    pub(crate) signer: Option<Signer>,
    /// Why the time stamp does not count, if there is one.
    pub(crate) time_stamp_problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SignatureOutcome {
    Valid,
    Mismatch,
    /// It is not a signature that can be read, or its algorithm is not supported.
    Unsupported(String),
}

impl SignatureCheck {
    fn unsupported(reason: &str) -> Self {
        let outcome = SignatureOutcome::Unsupported(reason.to_owned());
        Self { outcome, signer: None, time_stamp_problem: None }
    }
}

/// The parts of a `COSE_Sign1` structure.
struct Sign1 {
    protected_bytes: Vec<u8>,
    protected: Value,
    unprotected: Value,
    signature: Vec<u8>,
}

impl Sign1 {
    fn read(bytes: &[u8]) -> Option<Self> {
        let value = cbor::read(bytes)?;
        let [protected, unprotected, _payload, signature] = cbor::untagged(&value).as_array()?.as_slice() else {
            return None;
        };
        let protected_bytes = protected.as_bytes()?.clone();
        Some(Self {
            protected: cbor::read(&protected_bytes)?,
            protected_bytes,
            unprotected: unprotected.clone(),
            signature: signature.as_bytes()?.clone(),
        })
    }

    /// The bytes that a signature is over (RFC 9052, section 4.4); the payload is detached.
    fn to_be_signed(&self, context: &str, payload: &[u8]) -> Vec<u8> {
        cbor::write(&Value::Array(vec![
            Value::Text(context.to_owned()),
            Value::Bytes(self.protected_bytes.clone()),
            Value::Bytes(Vec::new()),
            Value::Bytes(payload.to_vec()),
        ]))
    }

    /// The signer's certificate first. Older files have them in the unprotected header, under a text.
    fn certificates(&self) -> Vec<Certificate> {
        let found = [&self.protected, &self.unprotected]
            .into_iter()
            .find_map(|header| cbor::numbered(header, X5CHAIN).or_else(|| cbor::field(header, "x5chain")));
        let encoded: Vec<&Vec<u8>> = match found {
            Some(Value::Bytes(one)) => vec![one],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_bytes).take(MAX_CERTIFICATES).collect(),
            _ => Vec::new(),
        };
        let fits = encoded.into_iter().filter(|der| der.len() <= MAX_CERTIFICATE_BYTES);
        fits.map_while(|der| Certificate::from_der(der).ok()).collect()
    }

    /// The first time-stamp token, and the forms of the bytes that it may stamp.
    fn time_stamp(&self, claim: &[u8]) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        let token = |name| {
            let tokens = cbor::list(cbor::field(&self.unprotected, name)?, "tstTokens");
            Some(cbor::bytes(tokens.first()?, "val")?.to_vec())
        };
        if let Some(token) = token("sigTst2") {
            // The standard has the signature as it is (RFC 9921, section 3.1); the reference implementation wraps it.
            let signature = cbor::write(&Value::Bytes(self.signature.clone()));
            let wrapped = self.to_be_signed("CounterSignature", &signature);
            return Some((token, vec![signature, wrapped]));
        }
        Some((token("sigTst")?, vec![self.to_be_signed("CounterSignature", claim)]))
    }
}

/// Checks the signature over a claim. `anchors` are the roots that the operator trusts.
pub(crate) fn check(signature: &[u8], claim: &[u8], anchors: &[TrustAnchor]) -> SignatureCheck {
    let Some(sign1) = Sign1::read(signature) else { return SignatureCheck::unsupported("it is not a COSE signature") };
    let number = cbor::numbered(&sign1.protected, ALGORITHM).and_then(cbor::integer);
    let Some(algorithm) = number.and_then(CoseAlgorithm::of_number) else {
        return SignatureCheck::unsupported("its algorithm is not supported");
    };
    let certificates = sign1.certificates();
    let Some(own) = certificates.first() else {
        return SignatureCheck::unsupported("it has no certificate that can be read");
    };
    let outcome = match algorithm.verify(own, &sign1.to_be_signed("Signature1", claim), &sign1.signature) {
        Ok(()) => SignatureOutcome::Valid,
        Err(AlgorithmError::Mismatch) => SignatureOutcome::Mismatch,
        Err(error) => SignatureOutcome::Unsupported(error.to_string()),
    };
    let stamp = sign1.time_stamp(claim).map(|(token, stamped)| time_stamp(&token, &stamped, anchors));
    let (time_stamp, time_stamp_problem) = match stamp {
        Some(Ok(stamp)) => (Some(stamp), None),
        Some(Err(problem)) => (None, Some(problem)),
        None => (None, None),
    };
    let distrust = distrust(&certificates, anchors, time_stamp.as_ref().map(|(time, _)| *time));
    let signer = Signer {
        subject: own.subject(),
        issuer: own.issuer(),
        algorithm: algorithm.name().to_owned(),
        fingerprint: own.fingerprint().to_string(),
        trusted: !anchors.is_empty() && distrust.is_none(),
        distrust: distrust.filter(|_| !anchors.is_empty()).map(|error| error.to_string()),
        time_stamp: time_stamp.map(|(_, stamp)| stamp),
    };
    SignatureCheck { outcome, signer: Some(signer), time_stamp_problem }
}

/// Why the signer's chain does not end at one of `anchors`. There is no clock here: without a time stamp the moment is
/// the first one at which the whole chain was valid, so a certificate that expired meanwhile is accepted.
fn distrust(certificates: &[Certificate], anchors: &[TrustAnchor], stamped: Option<UnixTime>) -> Option<PathError> {
    let own = certificates.first()?;
    // Those that are not a link of the chain are left out, because a path with strays is rejected.
    let mut links: Vec<Certificate> = Vec::new();
    for next in &certificates[1..] {
        if links.last().unwrap_or(own).is_issued_by(next) {
            links.push(next.clone());
        }
    }
    let first_valid = std::iter::once(own).chain(&links).map(Certificate::not_before).max();
    let at = stamped.or(first_valid)?;
    verify_path(own, &links, anchors, at, Purpose::ClaimSigning).err()
}

/// Checks a token, and says why it does not count.
fn time_stamp(token: &[u8], stamped: &[Vec<u8>], anchors: &[TrustAnchor]) -> Result<(UnixTime, TimeStamp), String> {
    if token.len() > MAX_TOKEN_BYTES {
        return Err("the time stamp is too large".to_owned());
    }
    let token = Token::from_foreign_answer(token).map_err(|error| error.to_string())?;
    let stamped = stamped.iter().find(|stamped| token.stamps(stamped)).ok_or("it stamps something else")?;
    let authority = token.verify_signature_over(stamped).map_err(|error| error.to_string())?;
    let trusted = token.verify_over(stamped, anchors).is_ok();
    let stamp = TimeStamp { time: token.time().to_string(), authority: authority.subject(), trusted };
    Ok((token.time(), stamp))
}
