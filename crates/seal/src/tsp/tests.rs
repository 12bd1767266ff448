use super::*;
use crate::{
    digest::Sha256Digest,
    pki::{PathError, Usage},
    testing::{anchors, authority, days_ago, issued, now, random, stamps},
};

fn digest() -> Sha256Digest {
    Sha256Digest::of("a photo")
}

fn token() -> Token {
    stamps(authority("Example")).stamp(&digest(), random("serial"), now()).unwrap()
}

#[test]
fn a_token_states_what_was_stamped_when_and_by_whom() {
    let token = token();
    assert_eq!(token.time(), now());
    assert_eq!(token.accuracy_millis(), Some(1500));
    assert_eq!(token.stamped_digest(), Some(digest()));
    let verified = token.verify(&digest(), &anchors(&authority("Example"))).unwrap();
    assert_eq!(verified.time, now());
    assert_eq!(verified.path.certificates[0], authority("Example").time_stamping);
}

#[test]
fn a_token_over_another_digest_is_not_a_proof() {
    let error = token().verify(&Sha256Digest::of("another"), &anchors(&authority("Example"))).unwrap_err();
    assert_eq!(error, TokenError::OtherDigest);
    assert!(error.is_tampering());
}

#[test]
fn an_untrusted_authority_is_distinguished_from_a_changed_token() {
    let error = token().verify(&digest(), &anchors(&authority("Other"))).unwrap_err();
    assert!(matches!(error, TokenError::Path(PathError::Untrusted { .. })), "{error}");
    assert!(!error.is_tampering());
}

/// The chain counts at the time of the token, not today.
#[test]
fn a_token_outlives_its_authoritys_certificate_but_cannot_predate_it() {
    let example = authority("Example");
    let identity = issued(&example, Usage::TimeStamping, now(), now().plus_days(1));
    let stamps = TimeStampAuthority::new(identity, None);
    let at = |time| stamps.stamp(&digest(), random("serial"), time).unwrap().verify(&digest(), &anchors(&example));
    at(now().plus_days(1)).unwrap();
    assert!(matches!(at(now().plus_days(2)), Err(TokenError::Path(PathError::Expired { .. }))));
    assert!(matches!(at(days_ago(1)), Err(TokenError::Path(PathError::NotYetValid { .. }))));
}

#[test]
fn a_signing_certificate_cannot_stamp_times() {
    let example = authority("Example");
    let stamps = TimeStampAuthority::new(issued(&example, Usage::DocumentSigning, now(), now().plus_days(1)), None);
    let token = stamps.stamp(&digest(), random("serial"), now()).unwrap();
    let error = token.verify(&digest(), &anchors(&example)).unwrap_err();
    assert!(matches!(error, TokenError::Path(PathError::WrongUsage { .. })), "{error}");
}

#[test]
fn every_flipped_byte_of_a_token_is_detected_as_tampering() {
    let anchors = anchors(&authority("Example"));
    let der = token().der().to_vec();
    for position in 0..der.len() {
        for bit in [0x01, 0x20, 0x80] {
            let mut changed = der.clone();
            changed[position] ^= bit;
            let result = Token::from_der(&changed).and_then(|token| token.verify(&digest(), &anchors));
            let error = result.map(|verified| verified.time).expect_err(&format!("byte {position}"));
            assert!(error.is_tampering(), "byte {position}, bit {bit:x}: {error}");
        }
    }
}

#[test]
fn bytes_that_are_not_a_token_are_rejected() {
    let der = token().der().to_vec();
    for length in 0..der.len() {
        assert!(Token::from_der(&der[..length]).is_err(), "{length}");
    }
    assert!(Token::from_der(&[der.as_slice(), b"\0"].concat()).is_err());
}

#[test]
fn only_a_matching_answer_is_accepted() {
    let stamps = stamps(authority("Example"));
    let request = Request::new(digest(), random("nonce"));
    let response = stamps.respond(&request.to_der(), random("serial"), now()).unwrap();
    assert_eq!(request.accept(&response).unwrap().time(), now());

    let other_nonce = Request::new(digest(), random("other"));
    assert_eq!(other_nonce.accept(&response), Err(ResponseError::OtherNonce));
    let other_digest = Request::new(Sha256Digest::of("another"), random("nonce"));
    assert_eq!(other_digest.accept(&response), Err(ResponseError::Token(TokenError::OtherDigest)));
    assert_eq!(request.accept(&vec![0x30; 70_000]), Err(ResponseError::TooLarge(70_000)));
    for length in 0..response.len() {
        assert!(request.accept(&response[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_nonce_of_any_bits_has_an_encoding() {
    let stamps = stamps(authority("Example"));
    for nonce in [[0; 8], [0xFF; 8], [0, 0, 0, 0, 0, 0, 0, 1], [0, 0x80, 0, 0, 0, 0, 0, 0], [0x7F; 8]] {
        let request = Request::new(digest(), nonce);
        let response = stamps.respond(&request.to_der(), random("serial"), now()).unwrap();
        request.accept(&response).unwrap();
    }
}

#[test]
fn the_authority_refuses_with_a_reason() {
    let stamps = stamps(authority("Example"));
    let request = Request::new(digest(), random("nonce"));
    let refused = stamps.respond(b"nonsense", random("serial"), now()).unwrap();
    let error = request.accept(&refused).unwrap_err();
    assert!(matches!(error, ResponseError::Refused { status: 2, .. }), "{error}");
    assert!(error.to_string().contains("badDataFormat"), "{error}");

    // Change the last number of the hash algorithm from SHA-256 to an unassigned one.
    let mut unknown = request.to_der();
    let at = unknown.windows(3).position(|bytes| bytes == [0x04, 0x02, 0x01]).unwrap() + 2;
    unknown[at] = 0x63;
    let error = request.accept(&stamps.respond(&unknown, random("serial"), now()).unwrap()).unwrap_err();
    assert!(error.to_string().contains("badAlg"), "{error}");
}

#[test]
fn a_token_without_certificates_is_not_accepted() {
    let stamps = stamps(authority("Example"));
    let request = Request::new(digest(), random("nonce"));
    let mut der = request.to_der();
    // certReq TRUE is the last field; leaving it out means FALSE.
    assert_eq!(der.split_off(der.len() - 3), [0x01, 0x01, 0xFF]);
    der[1] -= 3;
    let response = stamps.respond(&der, random("serial"), now()).unwrap();
    assert!(matches!(request.accept(&response), Err(ResponseError::Token(_))));
}
