//! A certificate that is passed to `sealwright verify`: its revisions, signatures, time stamps and manifest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_seal::{UnixTime, verify};

fuzz_target!(|pdf: &[u8]| {
    let now = UnixTime::from_millis(1_795_168_800_573).expect("a time of this century");
    let report = verify::certificate(pdf, &verify::Expectations::trusting(&[], now, &[]));
    // Without an anchor no file is trusted.
    assert_ne!(report.outcome, verify::Outcome::Valid);
});
