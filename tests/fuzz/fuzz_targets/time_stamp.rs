//! The answers of a time-stamping authority, and their check by our client.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_seal::{
    Sha256Digest,
    tsp::{Request, Token},
};

fuzz_target!(|bytes: &[u8]| {
    let digest = Sha256Digest::of("a file");
    for token in [Token::from_der(bytes), Token::from_foreign_der(bytes)].into_iter().flatten() {
        let _ = (token.time(), token.accuracy_millis(), token.serial_number(), token.policy(), token.certificates());
        let _ = (token.stamped_digest(), token.verify_signature(&digest), token.verify(&digest, &[]));
    }
    let _ = Request::new(digest, [7; 8]).accept(bytes);
});
