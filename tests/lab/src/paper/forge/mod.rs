//! The ways to forge papers, and the check that should detect each.

mod file;
mod page;
mod picture;
mod words;

pub(super) use self::{
    file::{change_file, change_information, sign},
    page::change_sheets,
    picture::change_picture,
    words::change_form,
};
use super::Quality;

/// A way to forge a paper.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Forgery {
    /// A value is set again in another font.
    OtherFont,
    /// A value is covered, and another one is written over it.
    Mask,
    /// A later revision draws something else over a value.
    AppendedRevision,
    /// A later revision puts a stamp with another value over the page.
    AppendedAnnotation,
    /// The file names an editor, or its dates contradict each other.
    EditedMetadata,
    /// Text that is visible only to machines.
    HiddenText,
    /// The machine-readable zone was changed without its check digits.
    WrongZone,
    /// An account number was changed.
    WrongAccount,
    /// Dates in an impossible order.
    WrongDates,
    /// A total was changed.
    WrongTotals,
    /// A signed file was changed.
    BrokenSignature,
    /// Part of a scanned picture was replaced.
    SplicedPicture,
    /// A scanned picture was saved by an editor.
    EditorTrace,
}

impl Forgery {
    pub const ALL: [Self; 13] = [
        Self::OtherFont,
        Self::Mask,
        Self::AppendedRevision,
        Self::AppendedAnnotation,
        Self::EditedMetadata,
        Self::HiddenText,
        Self::WrongZone,
        Self::WrongAccount,
        Self::WrongDates,
        Self::WrongTotals,
        Self::BrokenSignature,
        Self::SplicedPicture,
        Self::EditorTrace,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::OtherFont => "other-font",
            Self::Mask => "mask",
            Self::AppendedRevision => "appended-revision",
            Self::AppendedAnnotation => "appended-annotation",
            Self::EditedMetadata => "edited-metadata",
            Self::HiddenText => "hidden-text",
            Self::WrongZone => "wrong-mrz",
            Self::WrongAccount => "wrong-iban",
            Self::WrongDates => "wrong-dates",
            Self::WrongTotals => "wrong-totals",
            Self::BrokenSignature => "broken-signature",
            Self::SplicedPicture => "spliced-picture",
            Self::EditorTrace => "editor-trace",
        }
    }

    /// The check (decisions 13) that is meant for it.
    pub fn check(self) -> &'static str {
        match self {
            Self::OtherFont => "FONT_CONSISTENCY",
            Self::Mask => "TEXT_OVERLAY",
            Self::AppendedRevision | Self::AppendedAnnotation => "INCREMENTAL_EDITS",
            Self::EditedMetadata => "METADATA_CONSISTENCY",
            Self::HiddenText => "HIDDEN_CONTENT",
            Self::WrongZone => "MRZ_CHECKSUM",
            Self::WrongAccount => "IBAN_CHECKSUM",
            Self::WrongDates => "DATE_COHERENCE",
            Self::WrongTotals => "TOTALS_COHERENCE",
            Self::BrokenSignature => "SIGNATURE_INTEGRITY",
            Self::SplicedPicture => "IMAGE_RECOMPRESSION",
            Self::EditorTrace => "IMAGE_EDITOR_TRACE",
        }
    }

    /// Whether it changes the words, and so is visible in a scan too.
    pub fn is_of_words(self) -> bool {
        matches!(self, Self::WrongZone | Self::WrongAccount | Self::WrongDates | Self::WrongTotals)
    }

    pub(super) fn is_of_pictures(self) -> bool {
        matches!(self, Self::SplicedPicture | Self::EditorTrace)
    }

    pub(super) fn needs_plain_objects(self) -> bool {
        matches!(self, Self::AppendedRevision | Self::AppendedAnnotation | Self::BrokenSignature)
    }

    /// The forgeries that are possible for a paper of this type and quality.
    pub fn possible(kind: &str, quality: Quality) -> Vec<Self> {
        let fits = |forgery: &Self| match forgery {
            Self::WrongZone => matches!(kind, "IDENTITY_CARD" | "PASSPORT" | "RESIDENCE_PERMIT"),
            Self::WrongAccount => kind == "BANK_DETAILS",
            Self::WrongTotals => matches!(kind, "INVOICE" | "PROOF_OF_ADDRESS" | "PAYSLIP"),
            Self::WrongDates => matches!(
                kind,
                "PASSPORT" | "DRIVING_LICENCE" | "INVOICE" | "INSURANCE_CERTIFICATE" | "PROOF_OF_ADDRESS"
            ),
            // A recipe contains nothing worth changing.
            _ => kind != "OTHER",
        };
        let of_quality = |forgery: &Self| match quality {
            Quality::Clean => !forgery.is_of_pictures(),
            Quality::Scan | Quality::Photo => forgery.is_of_words() || forgery.is_of_pictures(),
            Quality::Unreadable => false,
        };
        Self::ALL.into_iter().filter(fits).filter(of_quality).collect()
    }
}
