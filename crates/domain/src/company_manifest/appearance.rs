//! The `[company.appearance]` table.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_base::toml_reader::{Field, Table};

use super::lookup::Lookup;
use crate::appearance::{Appearance, Colour, Logo};

const LOGO: &str = "a PNG or JPEG picture of at most 100 KiB";

pub(super) fn read(table: &mut Table<'_>, lookup: &Lookup<'_>) -> Appearance {
    let colour = table.optional("colour");
    let colour = colour.and_then(|field| field.parsed(Colour::EXPECTED, |text| text.parse().ok()));
    let (file, encoded) = (table.optional("logo_file"), table.optional("logo_base64"));
    if file.is_some() && encoded.is_some() {
        table.error("expected either `logo_file` or `logo_base64`, found both");
    }
    let file = file.and_then(|field| read_logo(&field, lookup.bytes(&field)?));
    let encoded = encoded.and_then(|field| {
        let bytes =
            field.parsed("the logo's file in base64 (RFC 4648, section 4)", |text| STANDARD.decode(text).ok())?;
        read_logo(&field, bytes)
    });
    Appearance { colour, logo: file.or(encoded) }
}

fn read_logo(field: &Field<'_>, bytes: Vec<u8>) -> Option<Logo> {
    Logo::new(bytes, field.line()).or_else(|| field.error(format!("the file is not {LOGO}")))
}
