//! Asking a witness for a cosignature, and what a witness checks before it gives one (C2SP `tlog-witness`).

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    Checkpoint,
    note::{NoteError, NoteVerifier, split},
};
use crate::{digest::Sha256Digest, merkle};

/// The media type of an answer that has only the size of the newest cosigned checkpoint.
pub const SIZE_MEDIA_TYPE: &str = "text/x.tlog.size";
/// The most hashes of a consistency proof.
const MOST_HASHES: usize = 63;

/// The request for a cosignature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size of the newest checkpoint that the witness has cosigned.
    pub old_size: u64,
    /// The proof for [`merkle::verify_consistency`].
    pub proof: Vec<Sha256Digest>,
    /// As the log signed it.
    pub checkpoint: String,
}

/// A log for which a witness cosigns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessedLog {
    pub origin: String,
    pub key: NoteVerifier,
}

/// The newest head of a log that a witness has cosigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WitnessedHead {
    pub size: u64,
    pub root: Sha256Digest,
}

/// A checkpoint that its log has signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint<'r> {
    /// To be cosigned.
    pub text: &'r str,
    /// The lines of the valid signatures.
    pub signatures: Vec<&'r str>,
    pub origin: String,
    pub head: WitnessedHead,
}

/// Why a witness does not cosign.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WitnessRefusal {
    #[error("{0}")]
    Malformed(String),
    #[error("this witness does not know the log `{0}`")]
    UnknownLog(String),
    /// Also if one of several signatures by known keys is not valid.
    #[error("no key that this witness knows of the log `{0}` has signed the checkpoint")]
    NotSigned(String),
    #[error("the newest checkpoint that this witness has cosigned has {0} entries")]
    OtherSize(u64),
    #[error("this witness has cosigned another root over {0} entries")]
    OtherRoot(u64),
    #[error("the consistency proof does not hold")]
    Inconsistent,
}

impl AddCheckpoint {
    /// The checkpoint of the request, if one of `logs` has signed it.
    pub fn open<'r>(&'r self, logs: &[WitnessedLog]) -> Result<SignedCheckpoint<'r>, WitnessRefusal> {
        let malformed = |error: &dyn fmt::Display| WitnessRefusal::Malformed(error.to_string());
        let (text, lines) = split(&self.checkpoint).map_err(|error| malformed(&error))?;
        let Checkpoint { origin, size, root, .. } = Checkpoint::parse(text).map_err(|error| malformed(&error))?;
        let mut known = logs.iter().filter(|log| log.origin == origin).peekable();
        if known.peek().is_none() {
            return Err(WitnessRefusal::UnknownLog(origin));
        }
        let mut signatures = Vec::new();
        for log in known {
            match log.key.open(&self.checkpoint) {
                Ok(_) => signatures.extend(log.key.find(&lines).map(|signature| signature.line)),
                Err(NoteError::NotSigned(_)) => {}
                // A signature under the name of a known key has to be valid.
                Err(_) => return Err(WitnessRefusal::NotSigned(origin)),
            }
        }
        if signatures.is_empty() {
            return Err(WitnessRefusal::NotSigned(origin));
        }
        if self.old_size > size {
            let message = format!("the old size {} is larger than the checkpoint's size {size}", self.old_size);
            return Err(WitnessRefusal::Malformed(message));
        }
        Ok(SignedCheckpoint { text, signatures, origin, head: WitnessedHead { size, root } })
    }

    /// Checks that the tree of `head`, the request's checkpoint, starts with the one that the witness has `seen`.
    pub fn extends(&self, head: WitnessedHead, seen: Option<WitnessedHead>) -> Result<(), WitnessRefusal> {
        let seen = seen.unwrap_or(WitnessedHead { size: 0, root: Sha256Digest::of("") });
        if self.old_size != seen.size {
            return Err(WitnessRefusal::OtherSize(seen.size));
        }
        if head.size == seen.size && head.root != seen.root {
            return Err(WitnessRefusal::OtherRoot(seen.size));
        }
        let holds = if seen.size == 0 || head.size == seen.size {
            self.proof.is_empty()
        } else {
            merkle::verify_consistency(seen.size, head.size, &seen.root, &head.root, &self.proof)
        };
        if holds { Ok(()) } else { Err(WitnessRefusal::Inconsistent) }
    }
}

impl SignedCheckpoint<'_> {
    /// The checkpoint as a note with the log's valid signatures and a cosignature, whose line has its line break.
    pub fn with_cosignature(&self, line: &str) -> String {
        format!("{}\n{}\n{line}", self.text, self.signatures.join("\n"))
    }
}

impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old_size)?;
        self.proof.iter().try_for_each(|hash| writeln!(f, "{}", STANDARD.encode(hash.as_bytes())))?;
        write!(f, "\n{}", self.checkpoint)
    }
}

impl FromStr for AddCheckpoint {
    type Err = WitnessRefusal;

    fn from_str(text: &str) -> Result<Self, WitnessRefusal> {
        let malformed = |message: &str| WitnessRefusal::Malformed(message.to_owned());
        let (head, checkpoint) = text.split_once("\n\n").ok_or_else(|| malformed("the request has no checkpoint"))?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old "));
        let old_size = old.and_then(read_size).ok_or_else(|| malformed("the first line is not `old` and a size"))?;
        let hash = |line: &str| STANDARD.decode(line).ok()?.try_into().ok().map(Sha256Digest);
        let proof: Option<Vec<_>> = lines.take(MOST_HASHES + 1).map(hash).collect();
        let proof = proof.ok_or_else(|| malformed("a hash of the proof is not 32 bytes in base64"))?;
        if proof.len() > MOST_HASHES {
            return Err(malformed("the proof has more than 63 hashes"));
        }
        Ok(Self { old_size, proof, checkpoint: checkpoint.to_owned() })
    }
}

/// A size in decimal, in its shortest form.
fn read_size(text: &str) -> Option<u64> {
    text.parse().ok().filter(|size: &u64| size.to_string() == text)
}

/// The size in a witness's answer with the media type [`SIZE_MEDIA_TYPE`].
pub fn read_known_size(body: &str) -> Option<u64> {
    read_size(body.strip_suffix('\n')?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::random, tlog::note::NoteSigner};

    /// The example of C2SP `tlog-witness`.
    const EXAMPLE: &str = "old 20852014\n\
        PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n\
        jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n\
        5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=\n\
        /6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=\n\
        \n\
        example.com/behind-the-sofa\n\
        20852163\n\
        CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\
        \n\
        \u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\
        \u{2014} example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=\n";

    const ORIGIN: &str = "log.example/seals";

    fn log() -> NoteSigner {
        NoteSigner::new(ORIGIN, &random("log key")).unwrap()
    }

    fn known() -> Vec<WitnessedLog> {
        vec![WitnessedLog { origin: ORIGIN.to_owned(), key: log().verifier() }]
    }

    /// A log in which entry 5 is `fifth`.
    fn leaves(count: usize, fifth: &str) -> Vec<Sha256Digest> {
        let entry = |number: usize| if number == 5 { fifth.to_owned() } else { number.to_string() };
        (0..count).map(|number| merkle::leaf_hash(entry(number).as_bytes())).collect()
    }

    fn request(leaves: &[Sha256Digest], old_size: usize) -> AddCheckpoint {
        let checkpoint = Checkpoint {
            origin: ORIGIN.to_owned(),
            size: leaves.len() as u64,
            root: merkle::root(leaves),
            extensions: Vec::new(),
        };
        AddCheckpoint {
            old_size: old_size as u64,
            proof: merkle::consistency_proof(leaves, old_size).unwrap_or_default(),
            checkpoint: log().sign(&checkpoint.to_string()).unwrap(),
        }
    }

    fn head(leaves: &[Sha256Digest]) -> WitnessedHead {
        WitnessedHead { size: leaves.len() as u64, root: merkle::root(leaves) }
    }

    /// What a witness that has seen `seen` answers, after the request's way over the wire.
    fn answer(request: &AddCheckpoint, seen: Option<&[Sha256Digest]>) -> Result<(), WitnessRefusal> {
        let request: AddCheckpoint = request.to_string().parse()?;
        let logs = known();
        let opened = request.open(&logs)?;
        request.extends(opened.head, seen.map(head))
    }

    #[test]
    fn the_specifications_example_is_read_and_written_again() {
        let request: AddCheckpoint = EXAMPLE.parse().unwrap();
        assert_eq!((request.old_size, request.proof.len()), (20_852_014, 4));
        assert_eq!(request.to_string(), EXAMPLE);
        let unknown = WitnessRefusal::UnknownLog("example.com/behind-the-sofa".to_owned());
        assert_eq!(request.open(&known()), Err(unknown));
        let foreign = [WitnessedLog { origin: "example.com/behind-the-sofa".to_owned(), key: log().verifier() }];
        assert!(matches!(request.open(&foreign), Err(WitnessRefusal::NotSigned(_))));
    }

    #[test]
    fn each_signature_by_a_known_key_has_to_be_valid() {
        let submitted = request(&leaves(3, "5"), 0);
        let other = NoteSigner::new(ORIGIN, &random("second key")).unwrap();
        let both = [known(), vec![WitnessedLog { origin: ORIGIN.to_owned(), key: other.verifier() }]].concat();
        let note = submitted.open(&both).unwrap().with_cosignature("line\n");
        assert_eq!(note, format!("{}line\n", submitted.checkpoint), "one of the two keys is enough");
        let elsewhere = other.sign("other\n").unwrap();
        let forged = AddCheckpoint {
            checkpoint: submitted.checkpoint.clone() + elsewhere.split_once("\n\n").unwrap().1,
            ..submitted
        };
        assert!(forged.open(&known()).is_ok(), "an unknown key does not matter");
        assert!(matches!(forged.open(&both), Err(WitnessRefusal::NotSigned(_))));
    }

    #[test]
    fn a_log_that_grows_is_cosigned() {
        let log = leaves(20, "5");
        for size in 1..=20 {
            for old in 1..=size {
                assert_eq!(answer(&request(&log[..size], old), Some(&log[..old])), Ok(()), "{old} to {size}");
            }
            assert_eq!(answer(&request(&log[..size], 0), None), Ok(()), "first at {size}");
        }
        assert_eq!(answer(&request(&[], 0), None), Ok(()));
    }

    #[test]
    fn a_forked_a_rewound_and_a_rewritten_log_are_refused() {
        let (log, other) = (leaves(20, "5"), leaves(20, "five"));
        // Forked: both histories have the same size.
        assert_eq!(answer(&request(&other[..10], 10), Some(&log[..10])), Err(WitnessRefusal::OtherRoot(10)));
        // Rewritten: the other history has grown.
        assert_eq!(answer(&request(&other, 10), Some(&log[..10])), Err(WitnessRefusal::Inconsistent));
        // Rewound: with the old size that the witness knows, and with the one that the log remembers.
        assert!(matches!(answer(&request(&log[..8], 10), Some(&log[..10])), Err(WitnessRefusal::Malformed(_))));
        assert_eq!(answer(&request(&log[..8], 8), Some(&log[..10])), Err(WitnessRefusal::OtherSize(10)));
        // As if the witness had never seen the log.
        assert_eq!(answer(&request(&other, 0), Some(&log[..10])), Err(WitnessRefusal::OtherSize(10)));
        // A proof too many.
        let padded = AddCheckpoint { proof: vec![merkle::root(&log)], ..request(&log, 0) };
        assert_eq!(answer(&padded, None), Err(WitnessRefusal::Inconsistent));
        let padded = AddCheckpoint { proof: vec![merkle::root(&log)], ..request(&log, 20) };
        assert_eq!(answer(&padded, Some(&log)), Err(WitnessRefusal::Inconsistent));
        let missing = AddCheckpoint { proof: Vec::new(), ..request(&log, 10) };
        assert_eq!(answer(&missing, Some(&log[..10])), Err(WitnessRefusal::Inconsistent));
    }

    #[test]
    fn broken_requests_are_rejected() {
        for broken in [
            String::new(),
            EXAMPLE.replace("old 20852014", "old 020852014"),
            EXAMPLE.replace("old 20852014", "old +1"),
            EXAMPLE.replace("old 20852014", "new 1"),
            EXAMPLE.replace("jrJZ", "jr"),
            EXAMPLE.replace("\n\n", "\n"),
            EXAMPLE
                .replace("old 20852014\n", &format!("old 1\n{}", format!("{}\n", STANDARD.encode([0; 32])).repeat(60))),
        ] {
            assert!(matches!(broken.parse::<AddCheckpoint>(), Err(WitnessRefusal::Malformed(_))), "{broken}");
        }
        let no_checkpoint: AddCheckpoint = "old 0\n\nlog\n\n\u{2014} log AAAAAA==\n".parse().unwrap();
        assert!(matches!(no_checkpoint.open(&known()), Err(WitnessRefusal::Malformed(_))));
        assert_eq!(read_known_size("20852014\n"), Some(20_852_014));
        for broken in ["", "1", "01\n", "-1\n", "1\n\n", "one\n"] {
            assert_eq!(read_known_size(broken), None, "{broken:?}");
        }
    }
}
