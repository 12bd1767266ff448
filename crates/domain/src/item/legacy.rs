//! The legacy form of an item (spec 2.3): it always names its device, and never a client application. Its position is
//! required only for photo and video steps (decisions 8), which the use case checks.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use super::{Device, LATITUDE, LONGITUDE, MOST_DEGREES_LENGTH, NewEntry, NewItem, position};
use crate::{
    fields::{Fields, text},
    id::{CaseId, StepId},
    schema::{self, object, optional, required},
};

/// An entry in its legacy form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyEntry(pub NewEntry);

impl LegacyEntry {
    /// Reads the body of `POST /api/items`.
    pub fn read(body: &Value) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(body, "").map_err(|problem| vec![problem])?;
        let case = fields.required("caseId", CaseId::read);
        let step = fields.required("stepId", StepId::read);
        let data = fields.required("data", text);
        let device = Device {
            manufacturer: fields.required("userDeviceManufacturer", text),
            model: fields.required("userDeviceModel", text),
            name: fields.required("userDeviceName", text),
            platform: fields.required("userDevicePlatform", text),
            os: fields.required("userDeviceOs", text),
            os_version: fields.required("userDeviceOsVersion", text),
            carrier_ip_address: fields.optional("userDeviceCarrierIpAddress", text),
            wifi_ip_address: fields.optional("userDeviceWifiIpAddress", text),
        };
        let position = position(&mut fields);
        fields.finish()?;
        // `finish` has failed if one of the required fields is missing.
        let (Some(case), Some(step), Some(data)) = (case, step, data) else { return Err(Vec::new()) };
        let item = NewItem { company: None, step, data, client: None, device, position };
        Ok(Self(NewEntry { case, item }))
    }
}

impl JsonSchema for LegacyEntry {
    fn schema_name() -> Cow<'static, str> {
        "LegacyEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let device = |name, what| required(name, what, schema::text());
        object(
            "An item in its legacy form: what was entered or, for a file, its name.",
            [
                required("caseId", "The case that the item is added to.", generator.subschema_for::<CaseId>()),
                required("stepId", "A step of the case's frame.", generator.subschema_for::<StepId>()),
                required("data", "The entered value; for a file, its name.", schema::text()),
                device("userDeviceManufacturer", "The device's manufacturer."),
                device("userDeviceModel", "The device's model."),
                device("userDeviceName", "The device's name."),
                device("userDevicePlatform", "The device's platform."),
                device("userDeviceOs", "The device's operating system."),
                device("userDeviceOsVersion", "The operating system's version."),
                optional(
                    "userDeviceCarrierIpAddress",
                    "The device's address in the carrier's network.",
                    schema::text(),
                ),
                optional("userDeviceWifiIpAddress", "The device's address in the wireless network.", schema::text()),
                optional("geolocLatitude", LATITUDE, schema::decimal(MOST_DEGREES_LENGTH)),
                optional("geolocLongitude", LONGITUDE, schema::decimal(MOST_DEGREES_LENGTH)),
                optional("geolocAccuracy", "The accuracy of the position, in metres.", schema::text()),
            ],
        )
    }
}

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
