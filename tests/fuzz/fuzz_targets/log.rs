//! Checkpoints, proofs, keys and tiles of a public log.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_seal::tlog::{
    Checkpoint,
    cosignature::{WitnessKey, count},
    note::NoteVerifier,
    proof::LogProof,
    tiles::{parse_index, read_bundle},
    witness::{AddCheckpoint, WitnessedLog, read_known_size},
};

fuzz_target!(|bytes: &[u8]| {
    let _ = read_bundle(bytes);
    let Ok(text) = str::from_utf8(bytes) else { return };
    let _ = parse_index(text);
    if let Ok(checkpoint) = Checkpoint::parse(text) {
        assert_eq!(Checkpoint::parse(&checkpoint.to_string()).as_ref(), Ok(&checkpoint));
    }
    let _ = (read_known_size(text), count(text));
    let request = text.parse::<AddCheckpoint>();
    if let Ok(request) = &request {
        assert_eq!(request.to_string().parse::<AddCheckpoint>().as_ref(), Ok(request));
    }
    let (key, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(witness) = key.parse::<WitnessKey>() {
        let _ = witness.open(rest);
        let _ = witness.verify("a checkpoint\n", rest);
    }
    let Ok(key) = key.parse::<NoteVerifier>() else { return };
    let _ = key.open(rest);
    if let Ok(request) = rest.parse::<AddCheckpoint>()
        && let Ok(opened) = request.open(&[WitnessedLog { origin: key.name().to_owned(), key: key.clone() }])
    {
        let _ = request.extends(opened.head, None);
    }
    if let Ok(proof) = rest.parse::<LogProof>() {
        let _ = proof.verify(b"an entry", &key);
    }
});
