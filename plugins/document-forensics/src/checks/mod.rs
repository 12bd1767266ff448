//! The checks, one in each file.

pub(crate) mod account_parts;
pub(crate) mod accounts;
pub(crate) mod codes;
pub(crate) mod companies;
pub(crate) mod contents;
pub(crate) mod dates;
pub(crate) mod editors;
pub(crate) mod fonts;
pub(crate) mod glyphs;
pub(crate) mod hidden;
pub(crate) mod invoices;
pub(crate) mod lateness;
pub(crate) mod layers;
pub(crate) mod metadata;
pub(crate) mod overlay;
pub(crate) mod parts;
pub(crate) mod pictures;
pub(crate) mod programs;
pub(crate) mod revisions;
pub(crate) mod signatures;
pub(crate) mod totals;
pub(crate) mod validity;
pub(crate) mod zones;
