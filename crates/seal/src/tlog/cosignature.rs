//! Cosignatures (C2SP `tlog-cosignature`, Ed25519): a witness states that, at some time, a checkpoint was of the largest
//! consistent tree that it had seen of a log. They are signature lines of the checkpoint's note.

use std::fmt;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use super::note::{
    NoteError, NoteSignature, check_name, check_text, key_has_text_form, key_hash, signature_line, signatures, split,
};
use crate::time::UnixTime;

/// The signature type of a cosignature with Ed25519.
const ED25519: u8 = 4;
/// A time in seconds, and an Ed25519 signature.
const LENGTH: usize = 8 + 64;

/// The key with which a witness cosigns.
pub struct Cosigner {
    name: String,
    key: SigningKey,
}

/// The key that verifies a witness's cosignatures. Its text form is `name+hash+base64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessKey {
    name: String,
    key: VerifyingKey,
}

/// A cosignature that a key has verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cosignature<'n> {
    /// When it was made, by the witness's clock.
    pub time: UnixTime,
    /// Without its line break.
    pub line: &'n str,
}

impl Cosigner {
    /// A key from 32 bytes of the caller's randomness, kept secret.
    pub fn new(name: &str, random: &[u8; 32]) -> Result<Self, NoteError> {
        Ok(Self { name: check_name(name)?, key: SigningKey::from_bytes(random) })
    }

    pub fn verifier(&self) -> WitnessKey {
        WitnessKey { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// The signature line of `text`, a checkpoint without signatures, with its line break.
    pub fn cosign(&self, text: &str, now: UnixTime) -> Result<String, NoteError> {
        check_text(text)?;
        let seconds = now.as_millis().unsigned_abs() / 1000;
        let signature = self.key.sign(message(text, seconds).as_bytes()).to_bytes();
        let stamped = [&seconds.to_be_bytes()[..], &signature].concat();
        Ok(signature_line(&self.name, self.verifier().hash(), &stamped))
    }
}

impl fmt::Debug for Cosigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cosigner({})", self.verifier())
    }
}

impl WitnessKey {
    /// The witness's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether `other` is the same key, perhaps under another name. A cosignature does not contain the name, so two names
    /// of one key are one witness.
    pub fn is_same_witness(&self, other: &Self) -> bool {
        self.key == other.key
    }

    fn hash(&self) -> [u8; 4] {
        key_hash(&self.name, ED25519, &self.key)
    }

    /// This witness's cosignature of a signed note. Other signatures are ignored.
    pub fn open<'n>(&self, note: &'n str) -> Result<Cosignature<'n>, NoteError> {
        let (text, signatures) = split(note)?;
        self.find(text, &signatures)
    }

    /// This witness's cosignature of a checkpoint's `text` among signature lines, such as a witness's answer.
    pub fn verify<'n>(&self, text: &str, lines: &'n str) -> Result<Cosignature<'n>, NoteError> {
        self.find(text, &signatures(lines)?)
    }

    fn find<'n>(&self, text: &str, signatures: &[NoteSignature<'n>]) -> Result<Cosignature<'n>, NoteError> {
        let ours = signatures.iter().find(|signature| signature.is_by(&self.name, self.hash()));
        let ours = ours.ok_or_else(|| NoteError::NotSigned(self.name.clone()))?;
        let mismatch = || NoteError::Mismatch(self.name.clone());
        let (time, signature) = ours.signature.split_first_chunk().ok_or_else(mismatch)?;
        let seconds = u64::from_be_bytes(*time);
        let signature = Signature::from_slice(signature).map_err(|_| mismatch())?;
        self.key.verify_strict(message(text, seconds).as_bytes(), &signature).map_err(|_| mismatch())?;
        let time = i64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1000));
        let time = time.and_then(|millis| UnixTime::from_millis(millis).ok());
        let time = time.ok_or(NoteError::Form("a cosignature states a time after the year 9999"))?;
        Ok(Cosignature { time, line: ours.line })
    }
}

/// How many of a note's signatures have the length of a cosignature. They are not verified.
pub fn count(note: &str) -> usize {
    split(note)
        .map_or(0, |(_, signatures)| signatures.iter().filter(|signature| signature.signature.len() == LENGTH).count())
}

/// What a witness signs.
fn message(text: &str, seconds: u64) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

key_has_text_form!(WitnessKey, ED25519);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    /// The example of C2SP `tlog-cosignature`, without its key, which the document does not give.
    const EXAMPLE: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
        \u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\
        \u{2014} witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n";

    fn witness() -> Cosigner {
        Cosigner::new("witness.example/w1", &random("witness key")).unwrap()
    }

    fn at(millis: i64) -> UnixTime {
        UnixTime::from_millis(millis).unwrap()
    }

    #[test]
    fn the_specifications_example_has_one_cosignature_at_its_time() {
        assert_eq!(count(EXAMPLE), 1);
        let (text, signatures) = split(EXAMPLE).unwrap();
        let (seconds, signature) = signatures[1].signature.split_first_chunk().unwrap();
        assert_eq!(u64::from_be_bytes(*seconds), 1_679_315_147);
        assert_eq!(signature.len(), 64);
        // The message of the document.
        assert_eq!(
            message(text, 1_679_315_147),
            "cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n20852163\n\
             CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
        );
        let hash = [0x8d, 0x66, 0xcf, 0x3f];
        assert!(signatures[1].is_by("witness.example.com/w1", hash));
    }

    /// The key of the bytes 0 to 31, and its cosignature of the example's text at the example's time, both made by another
    /// implementation (`aics-tlog` 0.2.1).
    const FOREIGN_KEY: &str = "witness.example/w1+e75f6532+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
    const FOREIGN_LINE: &str = "\u{2014} witness.example/w1 519lMgAAAABkGFDLBuRDazBLVac2NE+Y+IjbjQOcXLfF9CSDZVUIoS83rE1nFZsVE8YiWV6Ngr7lV8H6bdoBQGP/l73euDMQ9k+bBQ==";

    #[test]
    fn another_implementation_makes_the_same_cosignature() {
        let (text, _) = split(EXAMPLE).unwrap();
        let key: WitnessKey = FOREIGN_KEY.parse().unwrap();
        let line = format!("{FOREIGN_LINE}\n");
        let found = key.verify(text, &line).unwrap();
        assert_eq!((found.time, found.line), (at(1_679_315_147_000), FOREIGN_LINE));
        let bytes: Vec<u8> = (0..32).collect();
        let same = Cosigner::new("witness.example/w1", &bytes.try_into().unwrap()).unwrap();
        assert_eq!(same.verifier(), key);
        assert_eq!(same.cosign(text, found.time).unwrap().trim_end(), FOREIGN_LINE);
    }

    #[test]
    fn a_cosignature_is_verified_by_its_witness_s_key_only() {
        let (text, _) = split(EXAMPLE).unwrap();
        let line = witness().cosign(text, at(1_679_315_147_999)).unwrap();
        let key: WitnessKey = witness().verifier().to_string().parse().unwrap();
        assert_eq!(key, witness().verifier());
        let note = format!("{EXAMPLE}{line}");
        let found = key.open(&note).unwrap();
        assert_eq!((found.time, found.line), (at(1_679_315_147_000), line.trim_end()));
        assert_eq!(key.verify(text, &line).unwrap().time, found.time);
        assert_eq!(count(&note), 2);
        assert_eq!(key.open(EXAMPLE), Err(NoteError::NotSigned("witness.example/w1".into())));
        let other = text.replace("20852163", "20852164");
        assert_eq!(key.verify(&other, &line), Err(NoteError::Mismatch("witness.example/w1".into())));
        for (position, _) in line.char_indices().filter(|(_, character)| character.is_ascii_alphanumeric()) {
            let mut changed = line.clone().into_bytes();
            changed[position] ^= 1;
            assert!(key.verify(text, &String::from_utf8(changed).unwrap()).is_err(), "{position}");
        }
    }

    #[test]
    fn the_key_of_a_log_is_not_that_of_a_witness() {
        let log = crate::tlog::note::NoteSigner::new("witness.example/w1", &random("witness key")).unwrap().verifier();
        assert!(log.to_string().parse::<WitnessKey>().is_err());
        let renamed = Cosigner::new("witness.example/w2", &random("witness key")).unwrap().verifier();
        assert!(renamed != witness().verifier() && renamed.is_same_witness(&witness().verifier()));
    }

    #[test]
    fn answers_that_are_not_signature_lines_are_rejected() {
        let key = witness().verifier();
        let (text, _) = split(EXAMPLE).unwrap();
        let line = witness().cosign(text, at(0)).unwrap();
        for answer in ["", "\n", "ok\n", line.trim_end(), &format!("\n{line}"), "\u{2014} witness.example/w1 AAAA\n"] {
            assert!(key.verify(text, answer).is_err(), "{answer:?}");
        }
        assert_eq!(count("no note"), 0);
    }
}
