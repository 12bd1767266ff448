//! A proof that something is in a log, as a text that can be checked without the log (C2SP `tlog-proof`).

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    Checkpoint, CheckpointError,
    cosignature::WitnessKey,
    note::{NoteError, NoteVerifier},
};
use crate::{digest::Sha256Digest, merkle};

const HEADER: &str = "c2sp.org/tlog-proof@v1";
/// The height of a tree of 2^63 leaves.
const MOST_HASHES: usize = 63;

/// The place of an entry in a log, the path from there to the root, and the log's statement of that root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogProof {
    /// The entry's place, from 0.
    pub index: u64,
    /// The proof for [`merkle::verify_inclusion`].
    pub hashes: Vec<Sha256Digest>,
    /// A checkpoint as the log signed it, perhaps with cosignatures of witnesses.
    pub checkpoint: String,
}

/// Why a text is not a proof, or a proof is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogProofError {
    #[error("not a proof of inclusion: {0}")]
    Form(&'static str),
    #[error(transparent)]
    Note(#[from] NoteError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the checkpoint is from the log `{found}`, not from `{expected}`")]
    Origin { found: String, expected: String },
    #[error("the checkpoint's root does not contain the entry at this place")]
    NotIncluded,
}

impl LogProof {
    /// Checks that `entry` is in the log whose key is `log`, and returns the checkpoint that confirms it. The log's
    /// origin is the name of its key.
    pub fn verify(&self, entry: &[u8], log: &NoteVerifier) -> Result<Checkpoint, LogProofError> {
        let checkpoint = Checkpoint::parse(log.open(&self.checkpoint)?)?;
        if checkpoint.origin != log.name() {
            return Err(LogProofError::Origin { found: checkpoint.origin, expected: log.name().to_owned() });
        }
        let leaf = merkle::leaf_hash(entry);
        if !merkle::verify_inclusion(&leaf, self.index, checkpoint.size, &self.hashes, &checkpoint.root) {
            return Err(LogProofError::NotIncluded);
        }
        Ok(checkpoint)
    }

    /// How many of these witnesses have cosigned the checkpoint.
    pub fn cosigned_by(&self, witnesses: &[WitnessKey]) -> usize {
        witnesses.iter().filter(|witness| witness.open(&self.checkpoint).is_ok()).count()
    }
}

impl fmt::Display for LogProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{HEADER}\nindex {}\n", self.index)?;
        self.hashes.iter().try_for_each(|hash| writeln!(f, "{}", STANDARD.encode(hash.as_bytes())))?;
        write!(f, "\n{}", self.checkpoint)
    }
}

impl FromStr for LogProof {
    type Err = LogProofError;

    fn from_str(text: &str) -> Result<Self, LogProofError> {
        use LogProofError::Form;
        let (head, checkpoint) = text.split_once("\n\n").ok_or(Form("it has no checkpoint"))?;
        let mut lines = head.split('\n').peekable();
        if lines.next() != Some(HEADER) {
            return Err(Form("its first line is wrong"));
        }
        // Extra data of an application. It is ignored here, and nothing vouches for it.
        lines.next_if(|line| line.starts_with("extra "));
        let index = lines.next().and_then(|line| line.strip_prefix("index ")).ok_or(Form("it has no index"))?;
        let number: u64 = index.parse().map_err(|_| Form("its index is not a number"))?;
        if number.to_string() != index {
            return Err(Form("its index is not in the shortest form"));
        }
        let hash = |line: &str| STANDARD.decode(line).ok()?.try_into().ok().map(Sha256Digest);
        let hashes: Option<Vec<_>> = lines.take(MOST_HASHES + 1).map(hash).collect();
        let hashes = hashes.ok_or(Form("a hash is not 32 bytes in base64"))?;
        if hashes.len() > MOST_HASHES {
            return Err(Form("it has more hashes than the greatest height of a tree"));
        }
        Ok(Self { index: number, hashes, checkpoint: checkpoint.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        merkle::{inclusion_proof, leaf_hash, root},
        testing::random,
        tlog::note::NoteSigner,
    };

    const ORIGIN: &str = "log.example/seals";

    fn proof_of(origin: &str) -> (LogProof, NoteVerifier) {
        let leaves: Vec<_> = ["a", "b", "c", "d", "e"].map(|entry| leaf_hash(entry.as_bytes())).to_vec();
        let signer = NoteSigner::new(ORIGIN, &random("log key")).unwrap();
        let head = Checkpoint { origin: origin.to_owned(), size: 5, root: root(&leaves), extensions: vec![] };
        let checkpoint = signer.sign(&head.to_string()).unwrap();
        (LogProof { index: 2, hashes: inclusion_proof(&leaves, 2).unwrap(), checkpoint }, signer.verifier())
    }

    #[test]
    fn a_proof_round_trips_and_is_only_valid_for_its_entry_and_log() {
        let (proof, log) = proof_of(ORIGIN);
        let text = proof.to_string();
        assert!(text.starts_with("c2sp.org/tlog-proof@v1\nindex 2\n"), "{text}");
        let read: LogProof = text.parse().unwrap();
        assert_eq!(read, proof);
        let extended: LogProof = text.replace("\nindex", "\nextra Zm9v\nindex").parse().unwrap();
        assert_eq!(extended, proof);
        assert_eq!(read.verify(b"c", &log).unwrap().size, 5);
        assert_eq!(read.verify(b"d", &log), Err(LogProofError::NotIncluded));
        assert_eq!(LogProof { index: 3, ..read.clone() }.verify(b"c", &log), Err(LogProofError::NotIncluded));
        let stranger = NoteSigner::new(ORIGIN, &random("other key")).unwrap().verifier();
        assert!(matches!(read.verify(b"c", &stranger), Err(LogProofError::Note(_))));
        let (elsewhere, log) = proof_of("log.example/other");
        assert!(matches!(elsewhere.verify(b"c", &log), Err(LogProofError::Origin { .. })));
    }

    #[test]
    fn broken_texts_are_rejected() {
        let (proof, _) = proof_of(ORIGIN);
        let text = proof.to_string();
        for broken in [
            String::new(),
            text.replace("@v1", "@v2"),
            text.replace("index 2", "index 02"),
            text.replace("index 2", "index two"),
            text.replace("index 2\n", "index 2\nAAAA\n"),
            text.replace("index 2\n", &format!("index 2\n{}", format!("{}\n", STANDARD.encode([0; 32])).repeat(64))),
            text.replace("\n\n", "\n"),
        ] {
            assert!(broken.parse::<LogProof>().is_err(), "{broken}");
        }
    }
}
