//! What is asked of a legal hold: why a case must not be deleted (decisions 21).

use schemars::json_schema;

use super::body::{Body, Fields, Kind, request_bodies};

/// The body of a request to hold a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldRequest {
    /// One line.
    pub reason: String,
}

impl HoldRequest {
    /// In characters.
    pub const LONGEST_REASON: usize = 500;

    /// Reads a reason without spaces around it; none unless it is one line that is not too long.
    pub fn new(reason: &str) -> Option<Self> {
        let reason = reason.trim();
        let is_short = (1..=Self::LONGEST_REASON).contains(&reason.chars().count());
        (is_short && !reason.contains(char::is_control)).then(|| Self { reason: reason.to_owned() })
    }
}

impl Body for HoldRequest {
    const NAME: &'static str = "HoldRequest";
    const DESCRIPTION: &'static str = "Why the case must not be deleted.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const REASON: Kind<String> = Kind::value(
            |value| {
                let request = value.as_str().and_then(HoldRequest::new);
                let expected = || format!("one line of 1 to {} characters", HoldRequest::LONGEST_REASON);
                request.map(|request| request.reason).ok_or_else(expected)
            },
            |_| json_schema!({ "type": "string", "minLength": 1, "maxLength": HoldRequest::LONGEST_REASON }),
        );
        let reason = fields.required("reason", REASON, "For people, for example the number of a lawsuit.");
        Some(Self { reason: reason? })
    }
}

request_bodies!(HoldRequest);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reason_is_one_line() {
        let read = |reason: &str| HoldRequest::read(&json!({ "reason": reason }));
        assert_eq!(read(" lawsuit 12/345 ").unwrap().reason, "lawsuit 12/345");
        assert_eq!(read(&"é".repeat(500)).unwrap().reason.chars().count(), 500);
        for wrong in ["", "  ", "two\nlines", "x".repeat(501).as_str()] {
            assert!(read(wrong).unwrap_err()[0].contains("reason must be one line"), "{wrong}");
        }
    }
}
