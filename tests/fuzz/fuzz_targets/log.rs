//! Checkpoints, proofs, keys and tiles of a public log.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_seal::tlog::{
    Checkpoint,
    note::NoteVerifier,
    proof::LogProof,
    tiles::{parse_index, read_bundle},
};

fuzz_target!(|bytes: &[u8]| {
    let _ = read_bundle(bytes);
    let Ok(text) = str::from_utf8(bytes) else { return };
    let _ = parse_index(text);
    if let Ok(checkpoint) = Checkpoint::parse(text) {
        assert_eq!(Checkpoint::parse(&checkpoint.to_string()).as_ref(), Ok(&checkpoint));
    }
    let (key, rest) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(key) = key.parse::<NoteVerifier>() else { return };
    let _ = key.open(rest);
    if let Ok(proof) = rest.parse::<LogProof>() {
        let _ = proof.verify(b"an entry", &key);
    }
});
