// The published ways to change a signed PDF file, each in its variants, as files. Shared with `tests/judges`, where
// other programs check the same files, so it only uses the public interface of this crate.
//
// Incremental saving, universal signature forgery and signature wrapping: Mladenov, Mainka, Meyer zu Selhausen, Grothe,
// Schwenk, "1 Trillion Dollar Refund: How To Spoof PDF Signatures", CCS 2019. Shadow documents: Mainka, Mladenov, Rohlmann,
// "Shadow Attacks: Hiding and Replacing Content in Signed PDFs", NDSS 2021. Evil annotation and sneaky signature: Rohlmann,
// Mladenov, Mainka, Schwenk, "Breaking the Specification: PDF Certification", S&P 2021.

mod certification;
mod contents;
mod files;
mod forgery;
mod incremental;
mod messages;
mod pdf;
mod shadow;
mod stamps;
mod structure;
mod wrapping;

use sealwright_seal::{Sha256Digest, tsp::Token};

/// A certificate, and the other files of an attacker. All of them have the form that `base_pdf` writes.
pub(crate) struct Victim<'a> {
    /// Before it was signed.
    pub(crate) base: Vec<u8>,
    /// Only signed (B-B).
    pub(crate) signed: Vec<u8>,
    /// Signed and stamped (B-T).
    pub(crate) stamped: Vec<u8>,
    /// With an archive time stamp (B-LTA), and with a second one.
    pub(crate) archived: Vec<u8>,
    pub(crate) renewed: Vec<u8>,
    /// Another certificate of the same signer, stamped.
    pub(crate) other: Vec<u8>,
    /// The attacker's own, stamped by an untrusted authority.
    pub(crate) foreign: Vec<u8>,
    /// A certificate whose base has invisible objects, as a document prepared by an attacker would, and their first
    /// number. See [`shadow`].
    pub(crate) prepared: (Vec<u8>, u32),
    /// The trusted time-stamping authority: it stamps whatever it receives.
    pub(crate) stamp: &'a dyn Fn(&Sha256Digest) -> Token,
}

/// Invisible objects, for [`Victim::prepared`].
pub(crate) use shadow::DORMANT;

/// One changed file.
pub(crate) struct Attack {
    /// The published name of the class, or the usual one.
    pub(crate) class: &'static str,
    pub(crate) variant: String,
    pub(crate) pdf: Vec<u8>,
}

pub(crate) const INCREMENTAL_SAVING: &str = "incremental saving";
pub(crate) const UNIVERSAL_FORGERY: &str = "universal signature forgery";
pub(crate) const SIGNATURE_WRAPPING: &str = "signature wrapping";
pub(crate) const SHADOW_HIDE: &str = "shadow: hide";
pub(crate) const SHADOW_REPLACE: &str = "shadow: replace";
pub(crate) const SHADOW_HIDE_AND_REPLACE: &str = "shadow: hide and replace";
pub(crate) const EVIL_ANNOTATION: &str = "evil annotation";
pub(crate) const SNEAKY_SIGNATURE: &str = "sneaky signature";
pub(crate) const STRUCTURE: &str = "cross-reference and trailer";
pub(crate) const PARSER_CONFUSION: &str = "parser confusion";
pub(crate) const STAMP_ABUSE: &str = "time stamp and security store";
pub(crate) const CONTENT_SWAP: &str = "attachments and manifest";
pub(crate) const MESSAGE: &str = "signed message";
pub(crate) const POLYGLOT: &str = "polyglot and concatenation";
pub(crate) const TRUNCATION: &str = "truncation";
pub(crate) const IN_PLACE: &str = "in-place change";

/// Every class.
pub(crate) fn corpus(victim: &Victim<'_>) -> Vec<Attack> {
    let mut attacks = Vec::new();
    incremental::add(victim, &mut attacks);
    forgery::add(victim, &mut attacks);
    wrapping::add(victim, &mut attacks);
    shadow::add(victim, &mut attacks);
    certification::add(victim, &mut attacks);
    structure::add(victim, &mut attacks);
    stamps::add(victim, &mut attacks);
    contents::add(victim, &mut attacks);
    messages::add(victim, &mut attacks);
    files::add(victim, &mut attacks);
    attacks
}

impl Attack {
    fn new(class: &'static str, variant: impl Into<String>, pdf: Vec<u8>) -> Self {
        Self { class, variant: variant.into(), pdf }
    }
}
