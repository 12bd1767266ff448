//! The `[company]` table.

use std::collections::BTreeMap;

use sealwright_base::toml_reader::{Field, Table, nearest};

use super::{Company, appearance, lookup::Lookup, retention, text};
use crate::{
    certificate_extras::{CertificateExtras, EmbeddedSize, MOST_DOCUMENT_PAGES},
    id::{CompanyId, NUMBER_EXPECTED},
    language::CertificateLanguage,
    operation::{Operation, Properties, Quota},
    time_zone::TimeZoneName,
};

const DEFAULT_TEMPLATE: &str = "default";

/// No server accepts more than this in a minute; a higher number is a typo.
const MAX_QUOTA: u32 = 1_000_000;

/// The fewest days that a company's audit log is kept.
pub const SHORTEST_AUDIT_DAYS: u32 = 30;

const LONGEST_AUDIT_DAYS: u32 = 36_500;

pub(super) fn read(table: &mut Table<'_>, lookup: &Lookup<'_>) -> Option<Company> {
    let id = table.required("id", NUMBER_EXPECTED).and_then(|field| field.number(NUMBER_EXPECTED, CompanyId::new));
    let name = text::required_name(table, "name");
    let parent_field = table.optional("parent");
    let parent = parent_field.as_ref().and_then(|field| field.number(NUMBER_EXPECTED, CompanyId::new));
    if let Some(field) = parent_field.filter(|_| parent.is_some() && parent == id) {
        field.wrong::<()>("another company's identifier: a company cannot be its own parent");
    }
    let document_analysis = text::flag(table, "document_analysis", false);
    let certificate_template = match table.optional("certificate_template") {
        Some(field) => text::slug(&field),
        None => Some(DEFAULT_TEMPLATE.to_owned()),
    };
    let language = match table.optional("language") {
        Some(field) => field.parsed(CertificateLanguage::EXPECTED, |text| text.parse().ok()),
        None => Some(CertificateLanguage::default()),
    };
    let time_zone = table.optional("time_zone");
    let time_zone = time_zone.and_then(|field| field.parsed(TimeZoneName::EXPECTED, |text| text.parse().ok()));
    let extras = read_extras(table);
    let appearance = table
        .optional("appearance")
        .and_then(|field| field.table(|table| Some(appearance::read(table, lookup))))
        .unwrap_or_default();
    let rate_limits = table
        .optional("rate_limits")
        .and_then(|field| field.table(|table| Some(read_rate_limits(table))))
        .unwrap_or_default();
    let expected = format!("a number of days from {SHORTEST_AUDIT_DAYS} to {LONGEST_AUDIT_DAYS}");
    let audit_days = table.optional("audit_days").and_then(|field| {
        field.number(&expected, |number| {
            u32::try_from(number).ok().filter(|days| (SHORTEST_AUDIT_DAYS..=LONGEST_AUDIT_DAYS).contains(days))
        })
    });
    let retention = retention::read(table);
    Some(Company {
        id: id?,
        name: name?,
        parent,
        document_analysis,
        certificate_template: certificate_template?,
        language: language?,
        time_zone,
        extras,
        appearance,
        rate_limits,
        audit_days,
        retention,
        line: table.line(),
    })
}

fn read_extras(table: &mut Table<'_>) -> CertificateExtras {
    let embed_originals = table.optional("embed_originals");
    let embed_originals =
        embed_originals.and_then(|field| field.parsed(EmbeddedSize::EXPECTED, |text| text.parse().ok()));
    let expected = format!("a number of pages from 0 to {MOST_DOCUMENT_PAGES}");
    let show_documents = table.optional("show_documents").and_then(|field| {
        field.number(&expected, |number| u32::try_from(number).ok().filter(|pages| *pages <= MOST_DOCUMENT_PAGES))
    });
    CertificateExtras {
        embed_originals: embed_originals.unwrap_or_default(),
        show_documents: show_documents.unwrap_or_default(),
    }
}

fn read_rate_limits(table: &mut Table<'_>) -> BTreeMap<Operation, u32> {
    table.entries().into_iter().filter_map(|(key, field)| read_rate_limit(key, &field)).collect()
}

fn read_rate_limit(key: &str, field: &Field<'_>) -> Option<(Operation, u32)> {
    let Some(Properties { operation, quota, .. }) = Operation::by_key(key) else {
        let keys: Vec<_> = Operation::all().iter().map(Properties::key).collect();
        let hint = nearest(key, keys.iter().map(String::as_str)).unwrap_or_default();
        return field.error(format!("unknown operation, did you mean `{hint}`?"));
    };
    let Quota::PerCompany(default) = quota else {
        return field
            .error("this operation is public: its requests are not counted per company, so it has no quota here");
    };
    let limit = field.number(&format!("requests per minute, from 1 to {MAX_QUOTA}"), |number| {
        u32::try_from(number).ok().filter(|limit| (1..=MAX_QUOTA).contains(limit))
    })?;
    if limit < *default {
        field.warn(format!("{limit} requests per minute are fewer than the default {default}"));
    }
    Some((*operation, limit))
}
