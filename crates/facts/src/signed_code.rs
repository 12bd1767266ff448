//! Codes whose content was signed by their issuer: 2D-Doc, which France puts on bills, tax notices, payslips and bank
//! details (France Titres, "Spécifications techniques des codes à barres 2D-Doc", versions 2 to 4 in C40).
//!
//! Here is what a code says. Whether its signature is right depends on the operator's certificates ([`trust`]), so the
//! reader of a file leaves it unchecked.

mod date;
mod fields;
#[cfg(test)]
mod tests;
pub mod trust;

use serde::{Deserialize, Serialize};

use crate::model::Area;

/// The most data fields of one code. The largest symbol has 2,335 characters, and a field has an identifier of two.
const MAX_FIELDS: usize = 64;
/// The most characters of a code: more than the largest symbol has.
const MAX_CHARACTERS: usize = 4_000;
/// Of the elliptic curves P-256 and P-384: two numbers of 32 or 48 bytes.
const SIGNATURE_BYTES: [usize; 2] = [64, 96];
/// Between a signature and data that it does not cover, and after each field of variable length.
const GROUP: char = '\u{1d}';
/// After a value that was cut to fit.
const RECORD: char = '\u{1e}';
/// Before the signature.
const UNIT: char = '\u{1f}';

/// One signed code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedCode {
    /// From 1.
    pub page: u32,
    pub area: Area,
    /// `2d-doc`.
    pub kind: String,
    /// 2 to 4.
    pub version: u8,
    /// The certification authority: `FR01`, …
    pub authority: String,
    /// The certificate of the issuer among those of the authority, four characters.
    pub certificate: String,
    /// When the document was issued, `yyyy-mm-dd`. `None` if the code does not say.
    pub issued_on: Option<String>,
    /// When the code was signed, `yyyy-mm-dd`.
    pub signed_on: Option<String>,
    /// Two characters: `01` is a bill, `06` a payslip, …
    pub document_type: String,
    /// Which list of document types and fields it uses: `01` is that of the French state.
    pub perimeter: String,
    /// ISO 3166-1, two letters.
    pub country: String,
    /// In the order of the code, at most 64.
    pub fields: Vec<CodeField>,
    /// The text that the signature covers.
    pub signed: String,
    /// The two numbers of the ECDSA signature one after the other, lowercase hexadecimal.
    pub signature: String,
    pub state: SignatureState,
}

/// One value of a signed code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeField {
    /// Two characters: `1D` is the total of a bill.
    pub id: String,
    /// What it is, in English. Empty for an identifier that the specification does not have.
    pub name: String,
    /// The value without padding. Dates are `yyyy-mm-dd`, amounts have a point before their decimals.
    pub value: String,
    /// Whether the issuer cut it to fit.
    pub cut: bool,
}

/// Whether the signature of a code is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SignatureState {
    /// There is no list of certificates to check it with.
    NotChecked,
    /// The list does not have the certificate that the code names.
    UnknownCertificate,
    /// The certificate was not valid on the day on which the code says that it was signed.
    OutsideValidity,
    /// The signature is right, and the certificate is in the list.
    Valid,
    /// The content is not what the owner of the certificate signed.
    Invalid,
}

/// Reads the content of a machine-readable code. `None` if it is not a 2D-Doc in C40.
pub fn read(text: &str, page: u32, area: Area) -> Option<SignedCode> {
    if !text.is_ascii() || text.len() > MAX_CHARACTERS {
        return None;
    }
    let (signed, rest) = text.split_once(UNIT)?;
    let header = Header::read(signed)?;
    let signature = base32(rest.split(GROUP).next().unwrap_or_default())?;
    if !SIGNATURE_BYTES.contains(&signature.len()) {
        return None;
    }
    Some(SignedCode {
        page,
        area,
        kind: "2d-doc".to_owned(),
        version: header.version,
        authority: header.authority.to_owned(),
        certificate: header.certificate.to_owned(),
        issued_on: header.issued_on,
        signed_on: header.signed_on,
        document_type: header.document_type.to_owned(),
        perimeter: header.perimeter.to_owned(),
        country: header.country.to_owned(),
        fields: fields(&signed[header.length..], header.perimeter),
        signed: signed.to_owned(),
        signature: hex::encode(signature),
        state: SignatureState::NotChecked,
    })
}

/// The fixed part at the start.
struct Header<'t> {
    version: u8,
    authority: &'t str,
    certificate: &'t str,
    issued_on: Option<String>,
    signed_on: Option<String>,
    document_type: &'t str,
    perimeter: &'t str,
    country: &'t str,
    /// In characters.
    length: usize,
}

impl<'t> Header<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let version = match text.get(..4)? {
            "DC02" => 2,
            "DC03" => 3,
            "DC04" => 4,
            _ => return None,
        };
        let length = [22, 24, 26][usize::from(version) - 2];
        if !text.get(..length)?.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        Some(Self {
            version,
            authority: &text[4..8],
            certificate: &text[8..12],
            issued_on: date::of_days(&text[12..16]),
            signed_on: date::of_days(&text[16..20]),
            document_type: &text[20..22],
            perimeter: if version >= 3 { &text[22..24] } else { "01" },
            country: if version >= 4 { &text[24..26] } else { "FR" },
            length,
        })
    }
}

/// The data fields. A field is its identifier and its value; a value of variable length ends with a separator, or at
/// its greatest length.
fn fields(mut data: &str, perimeter: &str) -> Vec<CodeField> {
    let mut fields = Vec::new();
    while let (Some(id), true) = (data.get(..2), fields.len() < MAX_FIELDS) {
        let definition = if perimeter == "01" { fields::definition(id) } else { None };
        let rest = &data[2..];
        let most = definition.and_then(|definition| definition.most).unwrap_or(rest.len()).min(rest.len());
        let end = rest[..most].find([GROUP, RECORD]).unwrap_or(most);
        let raw = &rest[..end];
        let behind = &rest[end..];
        let cut = behind.starts_with(RECORD);
        data = behind.strip_prefix([GROUP, RECORD]).unwrap_or(behind);
        fields.push(CodeField {
            id: id.to_owned(),
            name: definition.map_or(String::new(), |definition| definition.name.to_owned()),
            value: definition.map_or_else(|| raw.trim().to_owned(), |definition| definition.value(raw)),
            cut,
        });
    }
    fields
}

/// RFC 4648, section 6, without padding or with it. `None` if a character does not belong.
fn base32(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() * 5 / 8);
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return None,
        };
        buffer = (buffer << 5 | u32::from(value)) & 0xFFFF;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits).to_le_bytes()[0]);
        }
    }
    Some(bytes)
}
