use serde_json::json;

use super::*;

fn dto() -> Value {
    json!({ "companyId": 7, "stepId": 703, "data": "id.pdf", "clientAppName": "Acme Field", "clientAppVersion": "4.2",
            "frontCreatedAt": "2026-11-20T11:00:00+01:00" })
}

fn with(field: &str, value: Value) -> Value {
    let mut dto = dto();
    dto[field] = value;
    dto
}

#[test]
fn spec_9_rule_2_version_2_requires_the_client_and_its_clock() {
    assert!(NewItem::read(&dto()).is_ok());
    for field in ["stepId", "data", "clientAppName", "clientAppVersion", "frontCreatedAt"] {
        let mut without = dto();
        without.as_object_mut().unwrap().remove(field);
        assert_eq!(NewItem::read(&without).unwrap_err(), [format!("{field} is required")]);
    }
}

#[test]
fn spec_4_13_a_malformed_front_created_at_is_rejected() {
    for wrong in [json!("yesterday"), json!("2026-11-20T11:00:00"), json!(1_795_168_800)] {
        let problems = NewItem::read(&with("frontCreatedAt", wrong)).unwrap_err();
        assert!(problems[0].starts_with("frontCreatedAt must be an ISO 8601 date-time"), "{problems:?}");
    }
}

#[test]
fn decisions_8_positions_are_decimal_text_within_the_globe() {
    let at = |latitude: Value, longitude: Value| {
        let mut dto = with("geolocLatitude", latitude);
        dto["geolocLongitude"] = longitude;
        NewItem::read(&dto)
    };
    assert!(at(json!("-90"), json!("180.0")).unwrap().position.is_some());
    for (latitude, longitude) in [("90.1", "0"), ("0", "-180.5"), ("NaN", "0"), ("1e1", "0"), ("", "0"), ("0x1", "0")] {
        assert!(at(json!(latitude), json!(longitude)).is_err(), "{latitude} {longitude}");
    }
    assert!(at(json!(45.0), json!("4")).is_err());
    assert_eq!(
        NewItem::read(&with("geolocLatitude", json!("45"))).unwrap_err(),
        ["geolocLatitude and geolocLongitude must be given together"]
    );
}

#[test]
fn decisions_8_values_are_checked_against_their_step() {
    let options = ["Roof".to_owned(), "Other".to_owned()];
    let right = |action, value: &str| check_value(action, &options, value).is_ok();
    for (action, good, bad) in [
        (StepAction::NumberField, vec!["12", "-3.5", "1e3", "+7"], vec!["", "twelve", "inf", "NaN", "0x10", "1,5"]),
        (StepAction::DateField, vec!["2026-11-20"], vec!["20/11/2026", "2026-13-01", "2026-11-20T00:00:00Z", ""]),
        (StepAction::Time, vec!["00:00", "23:59"], vec!["24:00", "12:60", "1:30", "12:3", "+1:00", "12:30:00"]),
        (StepAction::Email, vec!["lea@example.org"], vec!["lea", "@example.org", "a b@example.org", ""]),
        (StepAction::Select, vec!["Roof"], vec!["roof", "", "Burst pipe"]),
        (StepAction::TextField, vec!["", "anything"], vec![]),
        (StepAction::Photography, vec!["front.jpg"], vec![""]),
    ] {
        for value in good {
            assert!(right(action, value), "{action} {value}");
        }
        for value in bad {
            assert!(!right(action, value), "{action} {value}");
        }
    }
    assert_eq!(
        check_value(StepAction::Select, &options, "roof").unwrap_err(),
        "data must be one of \"Roof\", \"Other\", got the text \"roof\""
    );
}
