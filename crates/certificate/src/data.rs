//! The content of a certificate: the contract between the server, which fills these types, and the Typst template,
//! which reads them as `/certificate.json` with the same field names.
//!
//! Everything is text to be shown, never markup. An absent optional field is `null` in the JSON. The types know neither
//! the database nor the use cases.

mod captures;
mod seal;
mod statement;

use jiff::{
    Timestamp as Instant,
    tz::{TimeZone, TimeZoneDatabase},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use sealwright_base::clock::Timestamp;
use sealwright_domain::{language::CertificateLanguage, time_zone::TimeZoneName};
use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeStruct};
use serde_json::{Map, Value};

pub use self::{
    captures::{CaptureSession, CaptureWithoutFile, Captures},
    seal::{ErasedItem, ItemTimeStamp, Seal, Signer, StampedTime},
};

/// One certificate: a closed case as it is shown to people.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CertificateData {
    /// The case's public reference, `CAS-<id>_CMP-<company id>` (spec 2.2).
    pub reference: String,
    /// The case's title, 1 to 255 characters.
    pub title: String,
    /// The language of the words and of the statements: `en`, `fr`, `de` or `es`. Entered texts may be in any.
    #[serde(default)]
    #[schemars(with = "String")]
    pub language: CertificateLanguage,
    /// Moments have their time in this zone next to UTC. A name of the IANA database, such as `Europe/Paris`.
    #[schemars(with = "Option<String>")]
    pub time_zone: Option<TimeZoneName>,
    pub company: Named,
    /// The index of the company's logo, from 0, in the list `pictures`. Absent if the company has none. `company-mark`
    /// shows it.
    pub logo: Option<usize>,
    pub frame: Named,
    /// When the case was opened.
    pub created: Moment,
    /// When the case was closed: nothing was added to it afterwards.
    pub closed: Moment,
    /// The report the case belongs to (spec 2.4).
    pub report_token: Option<String>,
    /// The address where the certificate is published. `/share.svg` is its QR code.
    pub share_url: String,
    /// `caseContext.visibleData` (spec 2.2).
    pub context: VisibleContext,
    /// Every step of the frame in the frame's order, with its items. A mandatory step without items is missing, and the
    /// certificate says so.
    pub steps: Vec<Step>,
    /// The capture records that devices signed. Absent if there are none.
    pub captures: Option<Captures>,
    /// Who signs this certificate, and whether its time is proven.
    pub seal: Seal,
    /// The program that made the certificate, for example `Sealwright 0.1.0` ([`PRODUCT`]).
    pub product: String,
}

impl CertificateData {
    /// Adds to the JSON of this data what depends on its language and time zone: the statements, and each moment's time
    /// in the zone.
    pub(super) fn localise(&self, json: &mut Value) -> anyhow::Result<()> {
        json["seal"]["statement"] = self.seal.statement(self.language).into();
        if let Some(captures) = &self.captures {
            json["captures"]["statement"] = captures.statement(self.language).into();
        }
        if let Some(zone) = &self.time_zone {
            add_local_times(json, &TimeZoneDatabase::bundled().get(zone.as_str())?);
        }
        Ok(())
    }
}

fn add_local_times(json: &mut Value, zone: &TimeZone) {
    match json {
        Value::Object(members) => {
            members.values_mut().for_each(|value| add_local_times(value, zone));
            if let Some(local) = local_time(members, zone) {
                members.insert("local".to_owned(), local.into());
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| add_local_times(value, zone)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The time in the zone, if these are the members of a [`Moment`].
fn local_time(members: &Map<String, Value>, zone: &TimeZone) -> Option<String> {
    let instant: Instant = members.get("iso")?.as_str()?.parse().ok()?;
    Some(instant.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

/// This program and its version, as [`CertificateData::product`] states it.
pub const PRODUCT: &str = concat!("Sealwright ", env!("CARGO_PKG_VERSION"));

/// A company or a frame.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    pub id: i64,
    pub name: String,
}

/// `caseContext.visibleData` (spec 2.2); every field is absent unless the integrator gave it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct VisibleContext {
    pub beneficiary: Option<Beneficiary>,
    pub issuer: Option<String>,
    pub photo_ref: Option<String>,
    pub report_ref: Option<String>,
    /// What the person in the field was asked to do. May have several lines.
    pub instructions: Option<String>,
    /// The name of the person in the field.
    pub user: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Beneficiary {
    pub last_name: Option<String>,
    pub first_name: Option<String>,
    pub address: Option<String>,
    pub city: Option<String>,
    pub post_code: Option<String>,
    pub email: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    pub id: i64,
    pub title: String,
    pub description: Option<String>,
    /// One of the ten step types of spec 2.1, for example `PHOTOGRAPHY`.
    pub action: String,
    pub mandatory: bool,
    /// In the order in which the server received them.
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// `ITM-<id>_CAS-<case id>` (decisions 8).
    pub reference: String,
    /// When the server received it.
    pub created: Moment,
    pub content: ItemContent,
    /// Over the uploaded file's bytes, or over an entry's text in UTF-8. Absent if there is nothing to hash.
    #[schemars(with = "Option<String>")]
    pub sha256: Option<Sha256Digest>,
    pub position: Option<Position>,
    pub device: Option<Device>,
    /// The capture-origin block: which program sent the item, and what its clock said.
    pub client: Option<Client>,
    /// The proof of when the file existed. Absent for an entry, and if the step has turned time stamps off.
    pub time_stamp: Option<ItemTimeStamp>,
}

/// What an item holds. In the JSON, `kind` distinguishes the cases (`entry`, `picture`, …).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ItemContent {
    /// A text, number, date, time, address or choice, as it was entered.
    Entry {
        value: String,
    },
    /// A photo or a drawn signature.
    Picture {
        /// The picture's index, from 0, in the list `pictures`. Absent if the picture cannot be shown, for example
        /// because it cannot be decoded.
        photo: Option<usize>,
        file: File,
    },
    Video {
        file: File,
    },
    Document {
        file: File,
        /// Its first pages, if the company has documents shown page by page. `pages-of(item)` finds their pictures.
        shown: Option<ShownPages>,
    },
    /// A legacy item for a step that takes a file: it named a file, and no file was received (decisions 8).
    NoFile {
        declared_name: String,
    },
}

/// The first pages of a document, as pictures.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShownPages {
    /// The index of each page's picture, from 0, in the list `pictures`, from the first page on. Empty if the document
    /// cannot be shown.
    pub pages: Vec<usize>,
    /// How many pages the document has. Absent if it cannot be read.
    pub count: Option<u32>,
}

/// A file as it was received.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// As declared by the client, not verified.
    pub name: Option<String>,
    /// In bytes.
    pub size: u64,
    /// Found from the file's own signature.
    pub media_type: String,
    /// Whether the step deletes the file after its analysis: the bytes are not kept, only their digest.
    #[serde(default)]
    pub deleted_after_analysis: bool,
    /// The name under which the file itself is attached to this PDF file. Absent if it is not attached.
    pub attachment: Option<String>,
}

/// Where the device said it was, as sent: decimal degrees, and metres of accuracy.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    pub latitude: String,
    pub longitude: String,
    pub accuracy: Option<String>,
}

/// What the device said it was.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Device {
    pub manufacturer: Option<String>,
    pub model: Option<String>,
    pub name: Option<String>,
    pub platform: Option<String>,
    pub os: Option<String>,
    pub os_version: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Client {
    pub application: String,
    pub version: String,
    /// `frontCreatedAt` as sent, with its own offset.
    pub clock: String,
}

/// A moment of the server's clock. In the JSON: `{"iso": "2026-11-20T10:00:00.000Z", "text": "20 November 2026, 10:00:00
/// UTC"}`, for programs and for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

impl From<Timestamp> for Moment {
    fn from(moment: Timestamp) -> Self {
        Self(moment)
    }
}

impl Moment {
    pub(crate) fn text(self) -> String {
        self.0.to_jiff().to_zoned(TimeZone::UTC).strftime("%-d %B %Y, %H:%M:%S UTC").to_string()
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "A moment of the server's clock, for programs and for people.",
            "properties": {
                "iso": { "type": "string", "description": "RFC 3339 in UTC with milliseconds, for example `2026-11-20T10:00:00.000Z`." },
                "text": { "type": "string", "description": "In English: `20 November 2026, 10:00:00 UTC`. `moment-text(moment)` says it in the certificate's language and time zone." },
                "local": { "type": ["string", "null"], "description": "In the certificate's time zone, with its offset: `2026-11-20T11:00:00+01:00`. Absent without a time zone." },
            },
            "required": ["iso", "text"],
        })
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut moment = serializer.serialize_struct("Moment", 2)?;
        moment.serialize_field("iso", &self.0)?;
        moment.serialize_field("text", &self.text())?;
        moment.end()
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Written {
            iso: String,
        }
        let Written { iso } = Written::deserialize(deserializer)?;
        let moment: Instant = iso.parse().map_err(de::Error::custom)?;
        Ok(Self(moment.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_its_time_in_the_zone_with_the_offset_of_its_season() {
        let zone = TimeZoneDatabase::bundled().get("Europe/Paris").unwrap();
        for (millis, local) in
            [(1_795_168_800_042, "2026-11-20T11:00:00+01:00"), (1_782_856_800_000, "2026-07-01T00:00:00+02:00")]
        {
            let mut json = serde_json::json!({ "times": [{ "moment": Moment(Timestamp::from_millis(millis)) }] });
            add_local_times(&mut json, &zone);
            assert_eq!(json["times"][0]["moment"]["local"], local);
            assert_eq!(json["times"][0].as_object().unwrap().len(), 1);
        }
    }

    #[test]
    fn a_moment_is_written_for_programs_and_for_people() {
        let moment = Moment(Timestamp::from_millis(1_795_168_800_042));
        let json = serde_json::to_value(moment).unwrap();
        assert_eq!(json["iso"], "2026-11-20T10:00:00.042Z");
        assert_eq!(json["text"], "20 November 2026, 10:00:00 UTC");
        assert_eq!(serde_json::from_value::<Moment>(json).unwrap(), moment);
    }
}
