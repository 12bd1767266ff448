//! The package of a case that is passed to `sealwright verify`: its archive, its manifest, and the rules for both.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_seal::{UnixTime, asic, verify::Outcome};
use sealwright_verification::{CasePackageReader, Trust, check_case_package};

fuzz_target!(|file: &[u8]| {
    // A manifest has one form.
    if let Ok(files) = asic::read(file) {
        assert_eq!(asic::write(files).as_bytes(), file);
    }
    let now = UnixTime::from_millis(1_795_168_800_573).expect("a time of this century");
    let check = |length: usize| {
        let mut reader = CasePackageReader::new(1 << 20);
        file.chunks(length).for_each(|piece| reader.update(piece));
        check_case_package(&reader.finish(), &Trust::default(), &[], now, |_, _| {}).report
    };
    let report = check(usize::MAX);
    // Without an anchor no package is trusted.
    assert_ne!(report.outcome, Outcome::Valid);
    assert_eq!(report, check(7), "the pieces in which it is read do not matter");
});
