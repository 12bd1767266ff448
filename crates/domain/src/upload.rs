//! Uploads by pieces (decisions 16): what a client says of a file before it sends it, as the metadata of tus 1.0. The
//! rules and messages are those of a `createItemDto`, under the names that the metadata has.

use sealwright_seal::Sha256Digest;
use serde_json::{Map, Value};

use super::{capture::CaptureId, fields::describe, id::CaseId, item::NewItem};

/// The names in the metadata, and in a `createItemDto`.
const ITEM_FIELDS: [(&str, &str); 8] = [
    ("stepId", "stepId"),
    ("filename", "data"),
    ("clientAppName", "clientAppName"),
    ("clientAppVersion", "clientAppVersion"),
    ("frontCreatedAt", "frontCreatedAt"),
    ("latitude", "geolocLatitude"),
    ("longitude", "geolocLongitude"),
    ("accuracy", "geolocAccuracy"),
];

/// What a certificate shows of a client that does not name itself. A client of tus may not be able to.
const NOT_STATED: &str = "not stated";

/// A file that a client is about to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewUpload {
    pub case: CaseId,
    pub capture: Option<CaptureId>,
    /// Of the whole file, if the client declares it.
    pub sha256: Option<Sha256Digest>,
    pub item: NewItem,
    /// The item as a `createItemDto`: [`NewItem::read`] reads it again when the file is complete.
    pub description: Value,
}

impl NewUpload {
    /// Reads the pairs of the metadata, whose names differ; returns every problem. Unknown names are ignored.
    pub fn read(metadata: &[(String, String)]) -> Result<Self, Vec<String>> {
        let mut problems = Vec::new();
        let case = if let Some(text) = find(metadata, "caseId") {
            read("caseId", text, CaseId::parse, super::id::NUMBER_EXPECTED, &mut problems)
        } else {
            problems.push("caseId is required".to_owned());
            None
        };
        let capture = find(metadata, "captureId")
            .and_then(|text| read("captureId", text, CaptureId::parse, "a UUID v4", &mut problems));
        let digest = |text: &str| text.to_ascii_lowercase().parse().ok();
        let sha256 = find(metadata, "sha256")
            .and_then(|text| read("sha256", text, digest, "64 hexadecimal characters", &mut problems));
        let description = description(metadata);
        let item =
            NewItem::read(&description).map_err(|more| problems.extend(more.iter().map(|text| in_its_words(text))));
        match (case, item) {
            (Some(case), Ok(item)) if problems.is_empty() => Ok(Self { case, capture, sha256, item, description }),
            _ => Err(problems),
        }
    }
}

/// A message about an item, with the names that the metadata has. What it quotes from the client stays.
pub fn in_its_words(message: &str) -> String {
    let (rule, quoted) = message.find(", got ").map_or((message, ""), |at| message.split_at(at));
    let rule = match rule.strip_prefix("data ") {
        Some(rest) => format!("filename {rest}"),
        None => rule.to_owned(),
    };
    let positions = ITEM_FIELDS.iter().filter(|(_, field)| field.starts_with("geoloc"));
    positions.fold(rule, |rule, (name, field)| rule.replace(field, name)) + quoted
}

fn find<'a>(metadata: &'a [(String, String)], name: &str) -> Option<&'a str> {
    metadata.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
}

fn read<T>(
    name: &str,
    text: &str,
    read: impl Fn(&str) -> Option<T>,
    expected: &str,
    problems: &mut Vec<String>,
) -> Option<T> {
    let value = read(text);
    if value.is_none() {
        problems.push(format!("{name} must be {expected}, got {}", describe(&Value::from(text))));
    }
    value
}

fn description(metadata: &[(String, String)]) -> Value {
    let mut fields: Map<String, Value> = Map::new();
    for (name, field) in ITEM_FIELDS {
        let value = match (name, find(metadata, name)) {
            // The metadata is text only, and a step is a number in JSON.
            ("stepId", Some(text)) => {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let number = text.parse::<i64>().ok().filter(|_| digits);
                number.map_or_else(|| Value::from(text), Value::from)
            }
            (_, Some(text)) => Value::from(text),
            ("clientAppName" | "clientAppVersion", None) => Value::from(NOT_STATED),
            (_, None) => continue,
        };
        fields.insert(field.to_owned(), value);
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Vec<(String, String)> {
        let pairs = [
            ("caseId", "7"),
            ("stepId", "701"),
            ("captureId", "0D7C3A5E-54A3-4B8A-9D6E-2F1B8C7D6E5F"),
            ("filename", "front.jpg"),
            ("frontCreatedAt", "2026-11-20T10:42:17.000+01:00"),
            ("latitude", "45.7"),
            ("longitude", "4.8"),
            ("somethingElse", "x"),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    }

    fn with(name: &str, value: Option<&str>) -> Result<NewUpload, Vec<String>> {
        let mut pairs = metadata();
        pairs.retain(|(given, _)| given != name);
        pairs.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        NewUpload::read(&pairs)
    }

    #[test]
    fn metadata_describes_an_item() {
        let upload = NewUpload::read(&metadata()).unwrap();
        assert_eq!(upload.case.get(), 7);
        assert_eq!(upload.capture.unwrap().to_string(), "0d7c3a5e-54a3-4b8a-9d6e-2f1b8c7d6e5f");
        assert_eq!((upload.item.step.get(), upload.item.data.as_str()), (701, "front.jpg"));
        assert_eq!(upload.item.client.as_ref().unwrap().application, NOT_STATED);
        assert_eq!(NewItem::read(&upload.description), Ok(upload.item));
        let digest = "AB".repeat(32);
        assert_eq!(with("sha256", Some(&digest)).unwrap().sha256.unwrap().to_string(), "ab".repeat(32));
    }

    #[test]
    fn a_problem_names_the_key_of_the_metadata() {
        for (name, value, problem) in [
            ("caseId", None, "caseId is required"),
            ("caseId", Some("x"), "caseId must be a positive whole number, got the text \"x\""),
            ("stepId", None, "stepId is required"),
            ("stepId", Some("+7"), "stepId must be a positive whole number, got the text \"+7\""),
            ("filename", None, "filename is required"),
            ("frontCreatedAt", None, "frontCreatedAt is required"),
            ("captureId", Some("x"), "captureId must be a UUID v4, got the text \"x\""),
            ("sha256", Some("x"), "sha256 must be 64 hexadecimal characters, got the text \"x\""),
            (
                "latitude",
                Some("north"),
                "latitude must be a decimal number from -90 to 90, as text, got the text \"north\"",
            ),
            ("longitude", None, "latitude and longitude must be given together"),
        ] {
            assert_eq!(with(name, value).unwrap_err(), [problem]);
        }
        let quoted = in_its_words("frontCreatedAt must be a date, got the text \"geolocLatitude\"");
        assert_eq!(quoted, "frontCreatedAt must be a date, got the text \"geolocLatitude\"");
    }
}
