//! A company manifest, which an operator may have received from a third party.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_domain::company_manifest::{Lookup, parse};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = str::from_utf8(bytes) else { return };
    let lookup = Lookup { env: &|_| None, file: &|_| Err("there are no files".to_owned()) };
    match parse("company.toml", source, &lookup) {
        Ok(_) => {}
        Err(problems) => {
            assert!(!problems.is_empty(), "a manifest was refused without a reason");
            for problem in problems {
                let _ = problem.to_string();
            }
        }
    }
});
