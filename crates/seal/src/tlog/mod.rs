//! A transparency log of seals, as pure functions: signed notes and checkpoints ([`note`], [`Checkpoint`]), the layout
//! of a published log ([`tiles`]) and a proof of inclusion as text ([`proof`]), after the C2SP specifications
//! `signed-note`, `tlog-checkpoint`, `tlog-tiles` and `tlog-proof`, so that existing monitors and witnesses can read
//! it. Cosignatures of witnesses ([`cosignature`]) and the request for one ([`witness`]) follow `tlog-cosignature` and
//! `tlog-witness`. [`tree`] grows the tree from stored nodes, [`entry`] defines its content. Hashing is in [`crate::merkle`].
//!
//! The caller stores and serves the log and asks witnesses.

pub mod cosignature;
pub mod entry;
pub mod note;
pub mod proof;
pub mod tiles;
pub mod tree;
pub mod witness;

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::digest::Sha256Digest;

/// The size and root of a log at some time, as stated by its operator (C2SP `tlog-checkpoint`). The signature is over
/// its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which log: a name like a URL without a scheme. Not empty, in one line.
    pub origin: String,
    /// How many leaves it has.
    pub size: u64,
    /// The [Merkle root](crate::merkle::root) over them.
    pub root: Sha256Digest,
    /// Further lines, with a meaning outside this crate. None is empty.
    pub extensions: Vec<String>,
}

/// Why a text is not a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a checkpoint: {0}")]
pub struct CheckpointError(&'static str);

impl Checkpoint {
    /// Reads the text of a checkpoint, without signatures.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        let body = text.strip_suffix('\n').ok_or(CheckpointError("it does not end with a line break"))?;
        let mut lines = body.split('\n');
        let origin = lines.next().filter(|line| !line.is_empty()).ok_or(CheckpointError("it has no origin"))?;
        let size = lines.next().ok_or(CheckpointError("it has no size"))?;
        let number: u64 = size.parse().map_err(|_| CheckpointError("its size is not a number"))?;
        // Only one spelling for each number: no sign, no leading zero.
        if number.to_string() != size {
            return Err(CheckpointError("its size is not in the shortest form"));
        }
        let root = lines.next().and_then(|line| STANDARD.decode(line).ok()).and_then(|bytes| bytes.try_into().ok());
        let root = root.map(Sha256Digest).ok_or(CheckpointError("its root is not 32 bytes in base64"))?;
        let extensions: Vec<String> = lines.map(str::to_owned).collect();
        if extensions.iter().any(String::is_empty) {
            return Err(CheckpointError("it has an empty line"));
        }
        Ok(Self { origin: origin.to_owned(), size: number, root, extensions })
    }
}

/// The text to sign, including its last line break.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}\n", self.origin, self.size, STANDARD.encode(self.root.as_bytes()))?;
        self.extensions.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of C2SP `tlog-checkpoint`.
    const EXAMPLE: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

    #[test]
    fn the_specifications_example_is_read_and_written_again() {
        let checkpoint = Checkpoint::parse(EXAMPLE).unwrap();
        assert_eq!(checkpoint.origin, "example.com/behind-the-sofa");
        assert_eq!(checkpoint.size, 20_852_163);
        assert_eq!(checkpoint.to_string(), EXAMPLE);
        let extended = format!("{EXAMPLE}an extension\n");
        assert_eq!(Checkpoint::parse(&extended).unwrap().to_string(), extended);
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
            "log\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
            "log\n+1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
            "log\n1\nCsUY\n",
            "log\n1\n",
            EXAMPLE.trim_end(),
            &format!("{EXAMPLE}\n"),
        ] {
            assert!(Checkpoint::parse(text).is_err(), "{text:?}");
        }
    }
}
