//! Items: evidence added to a case for a step (spec 2.3, 4.13). The legacy form is in `legacy.rs`.

mod legacy;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    fields::{Fields, filled_text, text},
    id::{CaseId, CompanyId, ItemId, StepId},
    moment::{parse_date, parse_moment},
    schema::{self, Property, object, optional, required},
    step::StepAction,
};

pub use self::legacy::LegacyEntry;

/// An item's public reference: `ITM-<id>_CAS-<case id>` (decisions 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemReference {
    pub item: ItemId,
    pub case: CaseId,
}

impl fmt::Display for ItemReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ITM-{}_CAS-{}", self.item, self.case)
    }
}

/// The device that captured an item, as the client names it (spec 2.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Device {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier_ip_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wifi_ip_address: Option<String>,
}

/// Capture origin and position are sealed as received, so the seal's types are used here.
pub use sealwright_seal::manifest::{Client, Position};

/// A new item as a client describes it, without its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewItem {
    pub company: Option<CompanyId>,
    pub step: StepId,
    /// The entered value; for a file, its name.
    pub data: String,
    /// None in the legacy form.
    pub client: Option<Client>,
    pub device: Device,
    pub position: Option<Position>,
}

impl NewItem {
    /// Reads the `createItemDto` of version 2, or the body of an entry item (`POST /v2/items/create`).
    pub fn read(body: &Value, path: &str) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(body, path).map_err(|problem| vec![problem])?;
        let company = fields.optional("companyId", CompanyId::read);
        let step = fields.required("stepId", StepId::read);
        let data = fields.required("data", text);
        let application = fields.required("clientAppName", filled_text);
        let version = fields.required("clientAppVersion", filled_text);
        let clock = fields.required("frontCreatedAt", client_clock);
        let device = Device {
            manufacturer: fields.optional("userDeviceManufacturer", text),
            model: fields.optional("userDeviceModel", text),
            name: fields.optional("userDeviceName", text),
            platform: fields.optional("userDevicePlatform", text),
            os: fields.optional("userDeviceOs", text),
            os_version: fields.optional("userDeviceOsVersion", text),
            carrier_ip_address: fields.optional("userDeviceCarrierIpAddress", text),
            wifi_ip_address: fields.optional("userDeviceWifiIpAddress", text),
        };
        let position = position(&mut fields);
        fields.finish()?;
        // `finish` has failed if one of the required fields is missing.
        let (Some(step), Some(data), Some(application), Some(version), Some(clock)) =
            (step, data, application, version, clock)
        else {
            return Err(Vec::new());
        };
        let client = Some(Client { application, version, clock });
        Ok(Self { company, step, data, client, device, position })
    }
}

impl JsonSchema for NewItem {
    fn schema_name() -> Cow<'static, str> {
        "NewItem".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        object("An item without its file.", properties(generator))
    }
}

fn properties(generator: &mut SchemaGenerator) -> Vec<Property> {
    let device = |name, what| optional(name, what, schema::text());
    vec![
        optional(
            "companyId",
            "The company of the case; any other is rejected.",
            generator.subschema_for::<CompanyId>(),
        ),
        required("stepId", "A step of the case's frame.", generator.subschema_for::<StepId>()),
        required("data", "The entered value; for a file, its name.", schema::text()),
        required(
            "clientAppName",
            "The application that captured the item. The certificate shows it.",
            schema::filled_text(),
        ),
        required("clientAppVersion", "The application's version.", schema::filled_text()),
        required(
            "frontCreatedAt",
            "When the item was captured, by the client's clock: a date-time with its offset.",
            schema::moment(),
        ),
        device("userDeviceManufacturer", "The device's manufacturer."),
        device("userDeviceModel", "The device's model."),
        device("userDeviceName", "The device's name."),
        device("userDevicePlatform", "The device's platform."),
        device("userDeviceOs", "The device's operating system."),
        device("userDeviceOsVersion", "The operating system's version."),
        device("userDeviceCarrierIpAddress", "The device's address in the carrier's network."),
        device("userDeviceWifiIpAddress", "The device's address in the wireless network."),
        optional("geolocLatitude", LATITUDE, schema::decimal(MOST_DEGREES_LENGTH)),
        optional("geolocLongitude", LONGITUDE, schema::decimal(MOST_DEGREES_LENGTH)),
        optional("geolocAccuracy", "The accuracy of the position, in metres.", schema::text()),
    ]
}

const LATITUDE: &str =
    "Degrees from -90 to 90, as decimal text. With `geolocLongitude`; both are required for photos and videos.";
const LONGITUDE: &str = "Degrees from -180 to 180, as decimal text. With `geolocLatitude`.";

/// An entry item: a value entered for a step of a case (spec 4.13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    pub case: CaseId,
    pub item: NewItem,
}

impl NewEntry {
    /// Reads the body of `POST /v2/items/create`.
    pub fn read(body: &Value) -> Result<Self, Vec<String>> {
        let mut fields = Fields::of(body, "").map_err(|problem| vec![problem])?;
        let case = fields.required("caseId", CaseId::read);
        match (case, fields.finish(), NewItem::read(body, "")) {
            (Some(case), Ok(()), Ok(item)) => Ok(Self { case, item }),
            (_, case_problems, item) => Err(case_problems.err().into_iter().chain(item.err()).flatten().collect()),
        }
    }
}

impl JsonSchema for NewEntry {
    fn schema_name() -> Cow<'static, str> {
        "NewEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let case = required("caseId", "The case that the item is added to.", generator.subschema_for::<CaseId>());
        object("An entered value.", std::iter::once(case).chain(properties(generator)))
    }
}

fn position(fields: &mut Fields<'_>) -> Option<Position> {
    let latitude = fields.optional("geolocLatitude", latitude);
    let longitude = fields.optional("geolocLongitude", longitude);
    let accuracy = fields.optional("geolocAccuracy", text);
    if fields.has("geolocLatitude") != fields.has("geolocLongitude") {
        fields.refuse("geolocLatitude and geolocLongitude must be given together");
    }
    Some(Position { latitude: latitude?, longitude: longitude?, accuracy })
}

/// Checks an entered value against its step (decisions 8); the error says what was expected. `options` are a SELECT
/// step's. For a file, the value is its name.
pub fn check_value(action: StepAction, options: &[String], value: &str) -> Result<(), String> {
    let expected = match action {
        action if action.carries_file() && value.is_empty() => "the name of a file".to_owned(),
        StepAction::NumberField if !is_number(value) => "a number such as 12.5".to_owned(),
        StepAction::DateField if parse_date(value).is_none() => "an ISO 8601 date, yyyy-mm-dd".to_owned(),
        StepAction::Time if !is_time(value) => "a time, hh:mm".to_owned(),
        StepAction::Email if !email_address::EmailAddress::is_valid(value) => "an e-mail address".to_owned(),
        StepAction::Select if !options.iter().any(|option| option == value) => {
            let quoted: Vec<String> = options.iter().map(|option| format!("\"{option}\"")).collect();
            format!("one of {}", quoted.join(", "))
        }
        _ => return Ok(()),
    };
    Err(format!("data must be {expected}, got {}", super::fields::describe(&Value::from(value))))
}

/// A decimal number: an optional sign, digits, an optional fraction after a point, an optional exponent.
fn is_number(text: &str) -> bool {
    let allowed = |character: char| character.is_ascii_digit() || "+-.eE".contains(character);
    text.chars().all(allowed) && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// `hh:mm` from 00:00 to 23:59.
fn is_time(text: &str) -> bool {
    let part = |digits: &str, below: u8| {
        digits.len() == 2
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && digits.parse::<u8>().is_ok_and(|number| number < below)
    };
    text.split_once(':').is_some_and(|(hours, minutes)| part(hours, 24) && part(minutes, 60))
}

fn client_clock(value: &Value) -> Result<String, String> {
    let moment = value.as_str().filter(|text| parse_moment(text).is_some());
    moment.map(str::to_owned).ok_or_else(|| "an ISO 8601 date-time with its offset".to_owned())
}

fn latitude(value: &Value) -> Result<String, String> {
    degrees(value, 90.0)
}

fn longitude(value: &Value) -> Result<String, String> {
    degrees(value, 180.0)
}

/// A hundred digits are no more precise than fifteen, only longer.
const MOST_DEGREES_LENGTH: usize = 32;

fn degrees(value: &Value, most: f64) -> Result<String, String> {
    let expected = || format!("a decimal number from -{most} to {most}, as text");
    let text = value.as_str().ok_or_else(expected)?;
    let plain = text.chars().all(|character| character.is_ascii_digit() || "+-.".contains(character));
    let within =
        plain && text.len() <= MOST_DEGREES_LENGTH && text.parse::<f64>().is_ok_and(|degrees| degrees.abs() <= most);
    if within { Ok(text.to_owned()) } else { Err(expected()) }
}
