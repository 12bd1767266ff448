use serde_json::json;

use super::*;

pub(crate) fn manifest() -> SealManifest {
    SealManifest {
        format: FORMAT.to_owned(),
        version: VERSION_1,
        reference: "CAS-12_CMP-7".to_owned(),
        case: Case {
            id: 12,
            title: "Dégât des eaux \u{202E}\u{1F4A7}\u{0007}".to_owned(),
            created_at: "2026-11-20T10:00:00.000Z".to_owned(),
            closed_at: "2026-11-20T10:05:00.000Z".to_owned(),
            report_token: None,
        },
        company: Named { id: 7, name: "Acme".to_owned() },
        frame: Named { id: 70, name: "Water damage".to_owned() },
        steps: vec![Step {
            id: 701,
            title: "Front".to_owned(),
            description: None,
            action: "PHOTOGRAPHY".to_owned(),
            mandatory: true,
        }],
        missing_mandatory_steps: vec![],
        context: Context { metadata_sha256: Some(Sha256Digest::of("{}")), ..Context::default() },
        items: vec![Item {
            reference: "ITM-1_CAS-12".to_owned(),
            step_id: 701,
            action: "PHOTOGRAPHY".to_owned(),
            created_at: "2026-11-20T10:01:00.000Z".to_owned(),
            value: None,
            file: Some(File {
                sha256: Sha256Digest::of("photo"),
                size: 5,
                media_type: "image/jpeg".to_owned(),
                name: None,
            }),
            position: None,
            device: None,
            client: None,
            capture_id: None,
            time_stamp_token: None,
            salt: None,
        }],
        capture_sessions: vec![],
        commitments: None,
        erasure: None,
        log: None,
    }
}

#[test]
fn every_text_is_read_back_exactly_as_it_was_sealed() {
    let bytes = manifest().to_canonical_json().unwrap();
    assert_eq!(SealManifest::from_json(&bytes).unwrap(), manifest());
}

#[test]
fn absent_fields_are_absent_rather_than_null() {
    let json = String::from_utf8(manifest().to_canonical_json().unwrap()).unwrap();
    assert!(!json.contains("null"), "{json}");
    assert!(json.contains(r#""mediaType":"image/jpeg""#), "{json}");
}

#[test]
fn members_added_by_a_later_release_are_ignored() {
    let mut value = serde_json::to_value(manifest()).unwrap();
    value["items"][0]["weather"] = json!("…");
    assert_eq!(SealManifest::from_json(value.to_string().as_bytes()).unwrap(), manifest());
}

#[test]
fn another_format_and_a_later_version_are_distinguished() {
    let mut value = serde_json::to_value(manifest()).unwrap();
    value["version"] = json!(4);
    value["items"] = json!("something else altogether");
    assert!(matches!(SealManifest::from_json(value.to_string().as_bytes()), Err(ReadError::OtherVersion(4))));
    value["format"] = json!("invoice");
    assert!(matches!(SealManifest::from_json(value.to_string().as_bytes()), Err(ReadError::OtherFormat(_))));
    assert!(matches!(SealManifest::from_json(b"%PDF-1.7"), Err(ReadError::NotAManifest(_))));
}
