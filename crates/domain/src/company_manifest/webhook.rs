//! The `[webhook.…]` tables (spec 6.3, decisions 12).

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_base::toml_reader::{Field, Table};
use strum::VariantArray as _;

use super::{
    Credentials, PreviousSecret, Webhook, WebhookKind,
    lookup::Lookup,
    secret::{self, Given, SecretKeys},
    text,
};
use crate::{moment::parse_moment, retry_schedule::RetrySchedule};

/// An authentication mode of spec 6.3, or Standard Webhooks, and what it needs. Each is a built-in plugin of that name.
struct Mode {
    name: &'static str,
    needs: &'static [&'static SecretKeys],
}

const MODES: [Mode; 5] = [
    Mode { name: DEFAULT_MODE, needs: &[&secret::AUTH_TOKEN] },
    Mode { name: "security-token", needs: &[&secret::AUTH_TOKEN] },
    Mode { name: "partner-apikey", needs: &[&secret::API_KEY] },
    Mode { name: HMAC, needs: &[&secret::API_KEY, &secret::API_SECRET] },
    Mode { name: STANDARD_WEBHOOKS, needs: &[&secret::API_SECRET] },
];

const DEFAULT_MODE: &str = "bearer";
const HMAC: &str = "hmac-sha256";
const STANDARD_WEBHOOKS: &str = "standard-webhooks";

/// Whether a mode of spec 6.3 sends `auth_token`.
pub fn sends_auth_token(mode: &str) -> bool {
    let needs = MODES.iter().find(|known| known.name == mode).map(|known| known.needs);
    needs.is_some_and(|needs| needs.iter().any(|keys| keys.name() == secret::AUTH_TOKEN.name()))
}

/// Whether a mode may sign under two secrets while one replaces the other: Standard Webhooks, or a plugin's mode.
pub fn signs_with_each_secret(mode: &str) -> bool {
    mode == STANDARD_WEBHOOKS || MODES.iter().all(|known| known.name != mode)
}

/// Each webhook that the file has.
pub(super) fn read_all(table: &mut Table<'_>, lookup: &Lookup<'_>) -> BTreeMap<WebhookKind, Webhook> {
    let kinds = WebhookKind::VARIANTS.iter().copied();
    let webhooks = kinds.filter_map(|kind| {
        let field = table.optional(kind.into_str())?;
        field.table(|table| read(table, kind, lookup)).map(|webhook| (kind, webhook))
    });
    webhooks.collect()
}

fn read(table: &mut Table<'_>, kind: WebhookKind, lookup: &Lookup<'_>) -> Option<Webhook> {
    const ENDPOINT: &str = "the address that events are posted to, at most 2048 characters";
    let endpoint = table.required("endpoint", ENDPOINT).and_then(|field| {
        field.parsed(ENDPOINT, |text| {
            let is_printable = !text.chars().any(|c| c.is_control() || c.is_whitespace());
            (is_printable && (1..=2048).contains(&text.len())).then(|| text.to_owned())
        })
    });
    let auth_field = table.optional("auth");
    let auth = match &auth_field {
        Some(field) => text::slug(field),
        None => Some(DEFAULT_MODE.to_owned()),
    };
    if let Some(field) = auth_field.filter(|_| kind == WebhookKind::Analysis && auth.as_deref() == Some(HMAC)) {
        field.wrong::<()>("`bearer`, `security-token`, `partner-apikey` or a plugin's mode: the analysis webhook has no HMAC signature");
    }
    let auth_token = read_header_value(table, &secret::AUTH_TOKEN, lookup);
    let api_key = read_header_value(table, &secret::API_KEY, lookup);
    let is_standard = auth.as_deref() == Some(STANDARD_WEBHOOKS);
    let api_secret = read_secret(table, &secret::API_SECRET, lookup, is_standard);
    let previous = read_previous(table, lookup, is_standard);
    if previous.is_some() && auth.as_deref().is_some_and(|mode| !signs_with_each_secret(mode)) {
        table.warn("previous_api_secret", "has no effect: the mode uses one secret");
    }
    let retries =
        table.optional("retry_seconds").map_or_else(|| Some(RetrySchedule::default()), |field| read_retries(&field));
    if let Some(mode) = MODES.iter().find(|mode| auth.as_deref() == Some(mode.name)) {
        let given =
            [(&secret::AUTH_TOKEN, &auth_token), (&secret::API_KEY, &api_key), (&secret::API_SECRET, &api_secret)];
        check_needs(table, mode, given);
    }
    Some(Webhook {
        endpoint: endpoint?,
        auth: auth?,
        credentials: Credentials {
            auth_token: auth_token.value(),
            api_key: api_key.value(),
            api_secret: api_secret.value(),
            previous,
        },
        retries: retries?,
        line: table.line(),
    })
}

/// A secret to sign with. Standard Webhooks defines its form.
fn read_secret(table: &mut Table<'_>, keys: &SecretKeys, lookup: &Lookup<'_>, is_standard: bool) -> Given {
    const STANDARD_SECRET: &str = "`whsec_` and 24 to 64 bytes in base64";
    if is_standard {
        secret::read(table, keys, lookup, STANDARD_SECRET, is_standard_secret)
    } else {
        secret::read(table, keys, lookup, "a text that is not empty", |secret| !secret.is_empty())
    }
}

fn is_standard_secret(secret: &str) -> bool {
    let key = secret.strip_prefix("whsec_").and_then(|key| STANDARD.decode(key).ok());
    key.is_some_and(|key| (24..=64).contains(&key.len()))
}

/// The secret that is being replaced, with its end.
fn read_previous(table: &mut Table<'_>, lookup: &Lookup<'_>, is_standard: bool) -> Option<PreviousSecret> {
    const UNTIL: &str = "previous_until";
    const MOMENT: &str = "when the previous secret ends, for example \"2026-12-01T00:00:00Z\"";
    let previous = read_secret(table, &secret::PREVIOUS_API_SECRET, lookup, is_standard);
    let field = table.optional(UNTIL);
    match (previous.is_absent(), &field) {
        (false, None) => table.missing(UNTIL, MOMENT),
        (true, Some(_)) => table.missing("previous_api_secret", &secret::PREVIOUS_API_SECRET.alternatives()),
        _ => {}
    }
    let until = field.and_then(|field| field.parsed(MOMENT, parse_moment));
    previous.value().zip(until).map(|(secret, until)| PreviousSecret { secret, until })
}

fn read_retries(field: &Field<'_>) -> Option<RetrySchedule> {
    const SCHEDULE: &str = "at most 12 pauses, each of 1 to 86400 seconds";
    let pause = |element: Field<'_>| element.number(SCHEDULE, |seconds| u32::try_from(seconds).ok());
    let seconds: Option<Vec<u32>> = field.array(SCHEDULE)?.into_iter().map(pause).collect();
    RetrySchedule::new(seconds?).or_else(|| field.wrong(SCHEDULE))
}

/// A credential that is sent as (part of) a header: anything but visible ASCII would break or split it.
fn read_header_value(table: &mut Table<'_>, keys: &SecretKeys, lookup: &Lookup<'_>) -> Given {
    secret::read(table, keys, lookup, "1 to 4096 visible ASCII characters", |value| {
        (1..=4096).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic())
    })
}

fn check_needs(table: &Table<'_>, mode: &Mode, given: [(&SecretKeys, &Given); 3]) {
    for (keys, given) in given {
        let is_needed = mode.needs.iter().any(|needed| needed.name() == keys.name());
        if is_needed && given.is_absent() {
            table.missing(keys.name(), &format!("{}, which `{}` needs", keys.alternatives(), mode.name));
        } else if !is_needed && !given.is_absent() {
            table.warn(keys.name(), &format!("has no effect: `{}` does not use it", mode.name));
        }
    }
}
