//! A certificate that is passed to `sealwright verify`: its revisions, signatures, time stamps and manifest; or a signed
//! disclosure.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_seal::{UnixTime, verify};

fuzz_target!(|file: &[u8]| {
    let now = UnixTime::from_millis(1_795_168_800_573).expect("a time of this century");
    let expectations = verify::Expectations::trusting(&[], now, &[]);
    // Without an anchor no file is trusted.
    assert_ne!(verify::certificate(file, &expectations).outcome, verify::Outcome::Valid);
    assert_ne!(verify::disclosure(file, &expectations).outcome, verify::Outcome::Valid);
});
