//! What the certificates of a company contain in addition to what each certificate has: original files, and documents
//! page by page (docs/adr/0058).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The most pages of one document that a certificate can show.
pub const MOST_DOCUMENT_PAGES: u32 = 20;

/// By default, certificates name files and do not contain them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CertificateExtras {
    /// The original files that are embedded have at most this size together.
    pub embed_originals: EmbeddedSize,
    /// The first pages of each document are shown, at most this many; 0: documents are only named.
    pub show_documents: u32,
}

impl CertificateExtras {
    /// Whether certificates have nothing in addition.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A size in bytes that original files in one certificate may have together. 0: none is embedded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct EmbeddedSize(u64);

impl EmbeddedSize {
    /// A certificate is held in memory when it is sealed and checked, and must stay below 256 MiB to be compared with its
    /// pages.
    pub const MOST: u64 = 50 * MEGABYTE;

    /// What [`FromStr`] accepts.
    pub const EXPECTED: &'static str = "a size from 0 to 50MB, such as \"20MB\", \"500kB\" or \"0\"";

    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// `None` for more than [`MOST`](Self::MOST).
    pub fn new(bytes: u64) -> Option<Self> {
        (bytes <= Self::MOST).then_some(Self(bytes))
    }
}

const KILOBYTE: u64 = 1_000;
const MEGABYTE: u64 = 1_000_000;

impl FromStr for EmbeddedSize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let unit = match unit.trim_start() {
            "" | "B" => 1,
            "kB" | "KB" => KILOBYTE,
            "MB" => MEGABYTE,
            _ => return Err(Self::EXPECTED),
        };
        let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
        bytes.and_then(Self::new).ok_or(Self::EXPECTED)
    }
}

impl TryFrom<u64> for EmbeddedSize {
    type Error = &'static str;

    fn try_from(bytes: u64) -> Result<Self, Self::Error> {
        Self::new(bytes).ok_or(Self::EXPECTED)
    }
}

impl From<EmbeddedSize> for u64 {
    fn from(size: EmbeddedSize) -> Self {
        size.0
    }
}

/// As it is read: in the largest unit that gives a whole number.
impl fmt::Display for EmbeddedSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("0"),
            bytes if bytes.is_multiple_of(MEGABYTE) => write!(f, "{}MB", bytes / MEGABYTE),
            bytes if bytes.is_multiple_of(KILOBYTE) => write!(f, "{}kB", bytes / KILOBYTE),
            bytes => write!(f, "{bytes}B"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_read_in_bytes_kilobytes_and_megabytes_and_written_as_it_is_read() {
        for (text, bytes, written) in [
            ("0", 0, "0"),
            ("0MB", 0, "0"),
            ("20MB", 20_000_000, "20MB"),
            ("20 MB", 20_000_000, "20MB"),
            ("50000kB", 50_000_000, "50MB"),
            ("1500KB", 1_500_000, "1500kB"),
            ("1234567", 1_234_567, "1234567B"),
            ("7B", 7, "7B"),
        ] {
            let size: EmbeddedSize = text.parse().unwrap();
            assert_eq!((size.bytes(), size.to_string().as_str()), (bytes, written), "{text}");
            assert_eq!(written.parse::<EmbeddedSize>(), Ok(size));
        }
    }

    #[test]
    fn what_was_frozen_is_read_again() {
        let extras = CertificateExtras { embed_originals: EmbeddedSize(20_000_000), show_documents: 5 };
        let json = serde_json::to_string(&extras).unwrap();
        assert_eq!(json, r#"{"embedOriginals":20000000,"showDocuments":5}"#);
        assert_eq!(serde_json::from_str::<CertificateExtras>(&json).unwrap(), extras);
        assert!(!extras.is_none() && CertificateExtras::default().is_none());
    }

    #[test]
    fn what_is_not_a_size_up_to_the_maximum_is_refused() {
        for wrong in
            ["", "MB", "51MB", "50000001", "1GB", "1MiB", "-1MB", "1.5MB", "1mb", "99999999999999999999", " 1MB"]
        {
            assert_eq!(wrong.parse::<EmbeddedSize>(), Err(EmbeddedSize::EXPECTED), "{wrong}");
        }
        assert!(EmbeddedSize::EXPECTED.contains(&EmbeddedSize(EmbeddedSize::MOST).to_string()));
        assert!(serde_json::from_str::<EmbeddedSize>("50000001").is_err());
    }
}
