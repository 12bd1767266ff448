//! The headers of tus 1.0.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header::CONTENT_TYPE};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::fmt::rfc2822::DateTimePrinter;

pub(super) use axum::http::header::LOCATION;

use crate::{
    clock::Timestamp,
    error::{Error, Result},
    media::Checksum,
};

pub(super) const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
pub(super) const VERSION: HeaderName = HeaderName::from_static("tus-version");
pub(super) const EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
pub(super) const MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
pub(super) const CHECKSUM_ALGORITHM: HeaderName = HeaderName::from_static("tus-checksum-algorithm");
pub(super) const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
pub(super) const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
pub(super) const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
const UPLOAD_DEFER_LENGTH: HeaderName = HeaderName::from_static("upload-defer-length");
const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const UPLOAD_CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");

/// The one supported version.
pub(super) const VERSION_NUMBER: HeaderValue = HeaderValue::from_static("1.0.0");

/// `Upload-Length`, in bytes.
pub(super) fn length(headers: &HeaderMap) -> Result<u64> {
    if headers.contains_key(UPLOAD_DEFER_LENGTH) {
        return Err(Error::invalid("Upload-Defer-Length is not supported: Upload-Length is required"));
    }
    number(headers, &UPLOAD_LENGTH, "Upload-Length")
}

/// `Upload-Offset`, in bytes.
pub(super) fn offset(headers: &HeaderMap) -> Result<u64> {
    number(headers, &UPLOAD_OFFSET, "Upload-Offset")
}

fn number(headers: &HeaderMap, header: &HeaderName, name: &str) -> Result<u64> {
    let text = one(headers, header, name)?.ok_or_else(|| Error::invalid(format!("{name} is required")))?;
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| Error::invalid(format!("{name} must be a whole number of bytes")))
}

/// `Upload-Checksum`, if there is one.
pub(super) fn checksum(headers: &HeaderMap) -> Result<Option<Checksum>> {
    let Some(text) = one(headers, &UPLOAD_CHECKSUM, "Upload-Checksum")? else { return Ok(None) };
    let checksum = Checksum::parse(text);
    let expected = "Upload-Checksum must be sha1 or sha256, a space, and the checksum in Base64";
    checksum.map(Some).ok_or_else(|| Error::invalid(expected))
}

/// The pairs of `Upload-Metadata`: `key base64`, separated by commas. A key without a value has an empty one.
pub(super) fn metadata(headers: &HeaderMap) -> Result<Vec<(String, String)>> {
    let text = one(headers, &UPLOAD_METADATA, "Upload-Metadata")?.unwrap_or_default();
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (key, encoded) = pair.split_once(' ').unwrap_or((pair, ""));
        if pairs.iter().any(|(known, _)| known == key) {
            return Err(Error::invalid(format!("Upload-Metadata has {key} more than once")));
        }
        let value = STANDARD.decode(encoded.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let value = value.ok_or_else(|| {
            Error::invalid(format!("Upload-Metadata: the value of {key} must be text, encoded in Base64"))
        })?;
        pairs.push((key.to_owned(), value));
    }
    Ok(pairs)
}

/// Whether `Content-Type` is this media type, ignoring parameters.
pub(super) fn has_type(headers: &HeaderMap, media_type: &str) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().is_some_and(|given| given.trim().eq_ignore_ascii_case(media_type))
}

/// A moment as an HTTP date (RFC 9110, section 5.6.7).
pub(super) fn date(moment: Timestamp) -> Result<HeaderValue> {
    let text = DateTimePrinter::new().timestamp_to_rfc9110_string(&moment.to_jiff()).map_err(Error::internal)?;
    HeaderValue::from_str(&text).map_err(Error::internal)
}

/// The only value of a header; none if it is absent.
fn one<'a>(headers: &'a HeaderMap, header: &HeaderName, name: &str) -> Result<Option<&'a str>> {
    let mut values = headers.get_all(header).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            value.to_str().map(Some).map_err(|_| Error::invalid(format!("{name} must be visible ASCII characters")))
        }
        (Some(_), Some(_)) => Err(Error::invalid(format!("{name} is given more than once"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &str) -> HeaderMap {
        [(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())].into_iter().collect()
    }

    #[test]
    fn metadata_is_a_list_of_keys_with_values_in_base64() {
        let read = |text: &str| metadata(&with("upload-metadata", text));
        let pairs = read("filename w6kuanBn, is_confidential,caseId Nw==").unwrap();
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(pairs, [("filename", "é.jpg"), ("is_confidential", ""), ("caseId", "7")]);
        assert_eq!(read("").unwrap(), []);
        assert_eq!(metadata(&HeaderMap::new()).unwrap(), []);
        for wrong in ["a !", "a /w==", "a Nw==,a Nw==", "a b c"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_digits_only() {
        assert_eq!(length(&with("upload-length", "18446744073709551615")).unwrap(), u64::MAX);
        for wrong in ["", "-1", "+1", "1.0", "0x1", "18446744073709551616"] {
            assert!(length(&with("upload-length", wrong)).is_err(), "{wrong}");
        }
        assert!(length(&with("upload-defer-length", "1")).is_err());
        assert!(offset(&HeaderMap::new()).is_err());
    }

    #[test]
    fn a_date_is_that_of_http() {
        assert_eq!(date(Timestamp::from_millis(784_111_777_000)).unwrap(), "Sun, 06 Nov 1994 08:49:37 GMT");
    }
}
