//! The manifest of an ASiC-E container (ETSI EN 319 162-1, annex A): the digest of each file, under one time stamp.

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::members::{Described, TIME_STAMP_TOKEN};

/// The names that the standard gives to the parts of a container with a time assertion.
pub(super) const MANIFEST: &str = "META-INF/ASiCManifest.xml";
pub(super) const TOKEN: &str = "META-INF/timestamp.tst";

/// The manifest over the certificate, the root of the container, and the other files. Names, media types and digests are
/// this program's own, without a character that has a meaning in XML.
pub(super) fn of<'a>(certificate: &'a Described, others: impl Iterator<Item = &'a Described>) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <asic:ASiCManifest xmlns:asic=\"http://uri.etsi.org/02918/v1.2.1#\" \
         xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\">\n  \
         <asic:SigReference URI=\"{TOKEN}\" MimeType=\"{TIME_STAMP_TOKEN}\"/>\n"
    );
    add(&mut xml, certificate, " Rootfile=\"true\"");
    for described in others {
        add(&mut xml, described, "");
    }
    xml.push_str("</asic:ASiCManifest>\n");
    xml
}

fn add(xml: &mut String, Described { file, media_type, sha256 }: &Described, more: &str) {
    let (name, digest) = (&file.name, STANDARD.encode(sha256.as_bytes()));
    // Writing to a text cannot fail.
    let _ = write!(
        xml,
        "  <asic:DataObjectReference URI=\"{name}\" MimeType=\"{media_type}\"{more}>\n    \
         <ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/>\n    \
         <ds:DigestValue>{digest}</ds:DigestValue>\n  \
         </asic:DataObjectReference>\n"
    );
}

#[cfg(test)]
mod tests {
    use sealwright_seal::Sha256Digest;

    use super::*;
    use crate::{clock::Timestamp, zip::ZipFile};

    fn described(name: &str, media_type: &'static str) -> Described {
        let modified = Timestamp::from_millis(0);
        let file = ZipFile { name: name.to_owned(), size: 3, crc32: 0, modified };
        Described { file, media_type, sha256: Sha256Digest::of(name) }
    }

    #[test]
    fn the_manifest_has_the_form_of_the_standard() {
        let (pdf, photo) = (described("CAS-1_CMP-2.pdf", "application/pdf"), described("a/b.jpg", "image/jpeg"));
        let digest = |described: &Described| STANDARD.encode(described.sha256.as_bytes());
        let expected = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
  <asic:SigReference URI="META-INF/timestamp.tst" MimeType="application/vnd.etsi.timestamp-token"/>
  <asic:DataObjectReference URI="CAS-1_CMP-2.pdf" MimeType="application/pdf" Rootfile="true">
    <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
    <ds:DigestValue>{}</ds:DigestValue>
  </asic:DataObjectReference>
  <asic:DataObjectReference URI="a/b.jpg" MimeType="image/jpeg">
    <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
    <ds:DigestValue>{}</ds:DigestValue>
  </asic:DataObjectReference>
</asic:ASiCManifest>
"#,
            digest(&pdf),
            digest(&photo)
        );
        assert_eq!(of(&pdf, [&photo].into_iter()), expected);
    }
}
