//! The manifest of a case's package, an ASiC-E container with a time assertion (ETSI EN 319 162-1, annex A): the digest of
//! each file, under one time stamp.
//!
//! A manifest has one form. Only that form is read, so another program cannot find other files or digests in it.

use std::{collections::BTreeSet, fmt::Write as _};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::digest::Sha256Digest;

/// The media type of a package, which is also the content of its first file.
pub const MEDIA_TYPE: &str = "application/vnd.etsi.asic-e+zip";
/// The names that the standard gives to the parts of a container with a time assertion.
pub const MIMETYPE: &str = "mimetype";
pub const MANIFEST: &str = "META-INF/ASiCManifest.xml";
pub const TOKEN: &str = "META-INF/timestamp.tst";
/// The media type of a time-stamp token.
pub const TOKEN_MEDIA_TYPE: &str = "application/vnd.etsi.timestamp-token";
/// The folders of a package, and the one file in the last of them.
pub const ORIGINALS: &str = "originals/";
pub const TOKENS: &str = "tokens/";
pub const LOG_PROOF: &str = "proofs/log-of-seals.tlog-proof";
/// The end of the name of a text that takes the place of a deleted original.
pub const MISSING: &str = ".missing.txt";

/// Why a server deleted an original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// Its step deletes files after their analysis.
    AfterAnalysis,
    /// The company keeps files for a limited time.
    LimitedTime,
}

/// The text that takes the place of a deleted original.
pub fn deletion_text(item: &str, sha256: Sha256Digest, deletion: Deletion) -> String {
    let why = match deletion {
        Deletion::AfterAnalysis => "after its analysis, as its step requires",
        Deletion::LimitedTime => "because the company keeps files of closed cases for a limited time",
    };
    format!("The file of {item} was deleted {why}.\nIts SHA-256 was {sha256}.\n")
}

/// Whether a file of a package is the text for the deleted original of an item.
pub(crate) fn is_deletion(name: &str, bytes: &[u8], item: &str, sha256: Sha256Digest) -> bool {
    let texts = [Deletion::AfterAnalysis, Deletion::LimitedTime].map(|why| deletion_text(item, sha256, why));
    name == format!("{ORIGINALS}{item}{MISSING}") && texts.iter().any(|text| text.as_bytes() == bytes)
}

/// Whether an original has the name that a server gives it: no program should take a photo for another kind of file.
pub(crate) fn is_original(name: &str, item: &str, media_type: &str) -> bool {
    const ENDINGS: [(&str, &str); 4] =
        [("application/pdf", "pdf"), ("image/jpeg", "jpg"), ("image/png", "png"), ("video/mp4", "mp4")];
    ENDINGS.iter().any(|(kind, ending)| *kind == media_type && name == format!("{ORIGINALS}{item}.{ending}"))
}

/// What a manifest says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManifestEntry<'a> {
    /// ASCII letters, digits and `.`, `-`, `_`, `/`.
    pub name: &'a str,
    pub media_type: &'a str,
    pub sha256: Sha256Digest,
}

/// Why bytes are not a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    #[error("it does not have the form of a package's manifest")]
    Form,
    #[error("it names `{0}` twice")]
    Twice(String),
}

/// The manifest over these files. The first is the root of the container.
pub fn write<'a>(files: impl IntoIterator<Item = ManifestEntry<'a>>) -> String {
    let mut xml = head();
    for (position, ManifestEntry { name, media_type, sha256 }) in files.into_iter().enumerate() {
        let (root, digest) = (if position == 0 { ROOT } else { "" }, STANDARD.encode(sha256.as_bytes()));
        // Writing to a text cannot fail.
        let _ = write!(xml, "{NAME}{name}{TYPE}{media_type}\"{root}{DIGEST}{digest}{END_OF_FILE}");
    }
    xml.push_str(END);
    xml
}

/// Reads a manifest. The first file is the root of the container.
pub fn read(bytes: &[u8]) -> Result<Vec<ManifestEntry<'_>>, ManifestError> {
    let files = str::from_utf8(bytes).ok().and_then(read_all).ok_or(ManifestError::Form)?;
    let mut names = BTreeSet::new();
    match files.iter().find(|file| !names.insert(file.name)) {
        Some(twice) => Err(ManifestError::Twice(twice.name.to_owned())),
        None => Ok(files),
    }
}

const ROOT: &str = " Rootfile=\"true\"";
const NAME: &str = "  <asic:DataObjectReference URI=\"";
const TYPE: &str = "\" MimeType=\"";
const DIGEST: &str =
    ">\n    <ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/>\n    <ds:DigestValue>";
const END_OF_FILE: &str = "</ds:DigestValue>\n  </asic:DataObjectReference>\n";
const END: &str = "</asic:ASiCManifest>\n";

fn head() -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <asic:ASiCManifest xmlns:asic=\"http://uri.etsi.org/02918/v1.2.1#\" \
         xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\">\n  \
         <asic:SigReference URI=\"{TOKEN}\" MimeType=\"{TOKEN_MEDIA_TYPE}\"/>\n"
    )
}

fn read_all(text: &str) -> Option<Vec<ManifestEntry<'_>>> {
    let mut rest = text.strip_prefix(head().as_str())?;
    let mut files = Vec::new();
    while let Some(of_file) = rest.strip_prefix(NAME) {
        let (name, after) = of_file.split_once(TYPE)?;
        let (media_type, after) = after.split_once('"')?;
        let after = if files.is_empty() { after.strip_prefix(ROOT)? } else { after };
        let (digest, after) = after.strip_prefix(DIGEST)?.split_once(END_OF_FILE)?;
        let sha256 = Sha256Digest(STANDARD.decode(digest).ok()?.try_into().ok()?);
        if !is_plain(name) || !is_plain(&media_type.replace('+', "-")) {
            return None;
        }
        files.push(ManifestEntry { name, media_type, sha256 });
        rest = after;
    }
    (rest == END && !files.is_empty()).then_some(files)
}

/// Whether a text has no character with a meaning in XML, or in an address, or one that programs read differently.
fn is_plain(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    !text.is_empty() && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> [ManifestEntry<'static>; 2] {
        [
            ManifestEntry {
                name: "CAS-1_CMP-2.pdf",
                media_type: "application/pdf",
                sha256: Sha256Digest::of("the certificate"),
            },
            ManifestEntry { name: "a/b.jpg", media_type: "image/jpeg", sha256: Sha256Digest::of("a photo") },
        ]
    }

    #[test]
    fn the_manifest_has_the_form_of_the_standard() {
        let [pdf, photo] = files().map(|file| STANDARD.encode(file.sha256.as_bytes()));
        let expected = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
  <asic:SigReference URI="META-INF/timestamp.tst" MimeType="application/vnd.etsi.timestamp-token"/>
  <asic:DataObjectReference URI="CAS-1_CMP-2.pdf" MimeType="application/pdf" Rootfile="true">
    <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
    <ds:DigestValue>{pdf}</ds:DigestValue>
  </asic:DataObjectReference>
  <asic:DataObjectReference URI="a/b.jpg" MimeType="image/jpeg">
    <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
    <ds:DigestValue>{photo}</ds:DigestValue>
  </asic:DataObjectReference>
</asic:ASiCManifest>
"#
        );
        assert_eq!(write(files()), expected);
    }

    #[test]
    fn a_manifest_is_read_back() {
        assert_eq!(read(write(files()).as_bytes()).unwrap(), files());
    }

    #[test]
    fn another_form_is_not_a_manifest() {
        let text = write(files());
        for length in 0..text.len() {
            assert_eq!(read(&text.as_bytes()[..length]), Err(ManifestError::Form), "{length}");
        }
        for (from, to) in [
            ("a/b.jpg", "a&#47;b.jpg"),
            ("a/b.jpg", "a/b.jpg\" x=\""),
            ("a/b.jpg", ""),
            (ROOT, ""),
            ("image/jpeg\"", "image/jpeg\" Rootfile=\"true\""),
            ("xmlenc#sha256", "xmlenc#sha512"),
            ("</asic:ASiCManifest>", "<!-- more --></asic:ASiCManifest>"),
            ("META-INF/timestamp.tst", "META-INF/other.tst"),
            ("=</ds:DigestValue>", "</ds:DigestValue>"),
        ] {
            let changed = text.replace(from, to);
            assert_ne!(changed, text, "{from}");
            assert_eq!(read(changed.as_bytes()), Err(ManifestError::Form), "{from}");
        }
        assert_eq!(read(write([]).as_bytes()), Err(ManifestError::Form));
        assert_eq!(read(&[0xff]), Err(ManifestError::Form));
    }

    #[test]
    fn one_name_is_not_given_to_two_files() {
        let [pdf, photo] = files();
        let twice = write([pdf, photo, ManifestEntry { sha256: Sha256Digest::of("another"), ..photo }]);
        assert_eq!(read(twice.as_bytes()), Err(ManifestError::Twice("a/b.jpg".to_owned())));
    }
}
