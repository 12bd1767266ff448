//! The `[company.appearance]` table.

use sealwright_base::toml_reader::Table;

use super::lookup::Lookup;
use crate::appearance::{Appearance, Colour, Logo};

const LOGO: &str = "a PNG or JPEG picture of at most 100 KiB";

pub(super) fn read(table: &mut Table<'_>, lookup: &Lookup<'_>) -> Appearance {
    let colour = table.optional("colour");
    let colour = colour.and_then(|field| field.parsed(Colour::EXPECTED, |text| text.parse().ok()));
    let logo = table.optional("logo_file").and_then(|field| {
        let logo = Logo::new(lookup.bytes(&field)?, field.line());
        logo.or_else(|| field.error(format!("the file is not {LOGO}")))
    });
    Appearance { colour, logo }
}
