//! Items: evidence added to a case for a step (spec 2.3, 4.13). The legacy form is in `legacy.rs`.

mod legacy;
#[cfg(test)]
mod tests;

use std::fmt;

use schemars::{Schema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    body::{Body, Fields, Kind, request_bodies},
    fields::{FILLED_TEXT, TEXT},
    id::{CaseId, CompanyId, ItemId, StepId},
    moment::{parse_date, parse_moment},
    schema,
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

impl Body for NewItem {
    const NAME: &'static str = "NewItem";
    const DESCRIPTION: &'static str = "An item without its file.";

    /// The `createItemDto` of version 2, or the body of an entry item (`POST /v2/items/create`).
    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let company = fields.optional("companyId", CompanyId::KIND, "The company of the case; any other is rejected.");
        let (step, data) = step_and_data(fields);
        let client = client(fields);
        let device = device(fields, F::optional);
        let position = position(fields);
        Some(Self { company, step: step?, data: data?, client: Some(client?), device, position })
    }
}

/// What a [`NewPhoto`](super::photo::NewPhoto) says of its item. The frame gives the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PhotoParts {
    name: String,
    client: Client,
    device: Device,
    position: Option<Position>,
}

impl PhotoParts {
    pub(super) fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let name = fields.optional("data", FILLED_TEXT, "The file's name. Default: `photo`.");
        let client = client(fields);
        let device = device(fields, F::optional);
        let position = position(fields);
        Some(Self { name: name.unwrap_or_else(|| "photo".to_owned()), client: client?, device, position })
    }

    pub(super) fn item(self, step: StepId) -> NewItem {
        let Self { name, client, device, position } = self;
        NewItem { company: None, step, data: name, client: Some(client), device, position }
    }
}

/// An entry item: a value entered for a step of a case (spec 4.13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    pub case: CaseId,
    pub item: NewItem,
}

impl Body for NewEntry {
    const NAME: &'static str = "NewEntry";
    const DESCRIPTION: &'static str = "An entered value.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let case = case(fields);
        let item = NewItem::walk(fields);
        Some(Self { case: case?, item: item? })
    }
}

request_bodies!(NewItem, NewEntry);

fn case(fields: &mut impl Fields) -> Option<CaseId> {
    fields.required("caseId", CaseId::KIND, "The case that the item is added to.")
}

fn step_and_data(fields: &mut impl Fields) -> (Option<StepId>, Option<String>) {
    (
        fields.required("stepId", StepId::KIND, "A step of the case's frame."),
        fields.required("data", TEXT, "The entered value; for a file, its name."),
    )
}

fn client(fields: &mut impl Fields) -> Option<Client> {
    const CLOCK: Kind<String> = Kind::value(client_clock, |_| schema::moment());
    let application = fields.required(
        "clientAppName",
        FILLED_TEXT,
        "The application that captured the item. The certificate shows it.",
    );
    let version = fields.required("clientAppVersion", FILLED_TEXT, "The application's version.");
    let clock = fields.required(
        "frontCreatedAt",
        CLOCK,
        "When the item was captured, by the client's clock: a date-time with its offset.",
    );
    Some(Client { application: application?, version: version?, clock: clock? })
}

/// How a field is visited: as a required one, or as an optional one.
type Visit<F, T> = fn(&mut F, &'static str, Kind<T>, &str) -> Option<T>;

fn device<F: Fields>(fields: &mut F, visit: Visit<F, String>) -> Device {
    Device {
        manufacturer: visit(fields, "userDeviceManufacturer", TEXT, "The device's manufacturer."),
        model: visit(fields, "userDeviceModel", TEXT, "The device's model."),
        name: visit(fields, "userDeviceName", TEXT, "The device's name."),
        platform: visit(fields, "userDevicePlatform", TEXT, "The device's platform."),
        os: visit(fields, "userDeviceOs", TEXT, "The device's operating system."),
        os_version: visit(fields, "userDeviceOsVersion", TEXT, "The operating system's version."),
        carrier_ip_address: fields.optional(
            "userDeviceCarrierIpAddress",
            TEXT,
            "The device's address in the carrier's network.",
        ),
        wifi_ip_address: fields.optional(
            "userDeviceWifiIpAddress",
            TEXT,
            "The device's address in the wireless network.",
        ),
    }
}

fn position(fields: &mut impl Fields) -> Option<Position> {
    const LATITUDE: Kind<String> = Kind::value(|value| degrees(value, 90.0), |_| decimal());
    const LONGITUDE: Kind<String> = Kind::value(|value| degrees(value, 180.0), |_| decimal());
    let latitude = fields.optional(
        "geolocLatitude",
        LATITUDE,
        "Degrees from -90 to 90, as decimal text. With `geolocLongitude`; both are required for photos and videos.",
    );
    let longitude = fields.optional(
        "geolocLongitude",
        LONGITUDE,
        "Degrees from -180 to 180, as decimal text. With `geolocLatitude`.",
    );
    let accuracy = fields.optional("geolocAccuracy", TEXT, "The accuracy of the position, in metres.");
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

/// A hundred digits are no more precise than fifteen, only longer.
const MOST_DEGREES_LENGTH: usize = 32;

fn decimal() -> Schema {
    json_schema!({ "type": "string", "pattern": r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$", "maxLength": MOST_DEGREES_LENGTH })
}

fn degrees(value: &Value, most: f64) -> Result<String, String> {
    let expected = || format!("a decimal number from -{most} to {most}, as text");
    let text = value.as_str().ok_or_else(expected)?;
    let plain = text.chars().all(|character| character.is_ascii_digit() || "+-.".contains(character));
    let within =
        plain && text.len() <= MOST_DEGREES_LENGTH && text.parse::<f64>().is_ok_and(|degrees| degrees.abs() <= most);
    if within { Ok(text.to_owned()) } else { Err(expected()) }
}
