//! The legacy form of an item (spec 2.3): it always names its device, and never a client application. Its position is
//! required only for photo and video steps (decisions 8), which the use case checks.

use super::{NewEntry, NewItem, case, device, position, step_and_data};
use crate::body::{Body, Fields, request_bodies};

/// An entry in its legacy form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyEntry(pub NewEntry);

impl Body for LegacyEntry {
    const NAME: &'static str = "LegacyEntry";
    const DESCRIPTION: &'static str = "An item in its legacy form: what was entered or, for a file, its name.";

    /// The body of `POST /api/items`.
    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let case = case(fields);
        let (step, data) = step_and_data(fields);
        let device = device(fields, F::required);
        let position = position(fields);
        let item = NewItem { company: None, step: step?, data: data?, client: None, device, position };
        Some(Self(NewEntry { case: case?, item }))
    }
}

request_bodies!(LegacyEntry);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn decisions_8_the_legacy_form_requires_its_device_and_no_position_and_no_client() {
        let body = json!({
            "caseId": 12, "stepId": 701, "data": "front.jpg", "userDeviceManufacturer": "Fairphone",
            "userDeviceModel": "FP5", "userDeviceName": "", "userDevicePlatform": "Android", "userDeviceOs": "Android",
            "userDeviceOsVersion": "15", "geolocLatitude": "45.764043", "geolocLongitude": "4.835659",
        });
        let LegacyEntry(entry) = LegacyEntry::read(&body).unwrap();
        assert_eq!(entry.item.client, None);
        assert_eq!(entry.item.position.unwrap().latitude, "45.764043");
        assert_eq!(entry.item.device.os_version.as_deref(), Some("15"));
        for field in body.as_object().unwrap().keys() {
            let mut without = body.clone();
            without.as_object_mut().unwrap().remove(field);
            let expected = if field.starts_with("geoloc") {
                "geolocLatitude and geolocLongitude must be given together".to_owned()
            } else {
                format!("{field} is required")
            };
            assert_eq!(LegacyEntry::read(&without).unwrap_err(), [expected]);
        }
        let mut nowhere = body;
        nowhere.as_object_mut().unwrap().retain(|field, _| !field.starts_with("geoloc"));
        let LegacyEntry(entry) = LegacyEntry::read(&nowhere).unwrap();
        assert_eq!(entry.item.position, None);
        assert_eq!(LegacyEntry::read(&json!({})).unwrap_err().len(), 9);
    }
}
