//! The `[webhook.…]` tables (spec 6.3).

use std::collections::BTreeMap;

use sealwright_base::toml_reader::Table;
use strum::VariantArray as _;

use super::{
    Credentials, Webhook, WebhookKind,
    lookup::Lookup,
    secret::{self, Given, SecretKeys},
    text,
};

/// An authentication mode of spec 6.3 and what it needs. Each is a built-in plugin of that name.
struct Mode {
    name: &'static str,
    needs: &'static [&'static SecretKeys],
}

const MODES: [Mode; 4] = [
    Mode { name: DEFAULT_MODE, needs: &[&secret::AUTH_TOKEN] },
    Mode { name: "security-token", needs: &[&secret::AUTH_TOKEN] },
    Mode { name: "partner-apikey", needs: &[&secret::API_KEY] },
    Mode { name: HMAC, needs: &[&secret::API_KEY, &secret::API_SECRET] },
];

const DEFAULT_MODE: &str = "bearer";
const HMAC: &str = "hmac-sha256";

/// Whether a mode of spec 6.3 sends `auth_token`.
pub fn sends_auth_token(mode: &str) -> bool {
    let needs = MODES.iter().find(|known| known.name == mode).map(|known| known.needs);
    needs.is_some_and(|needs| needs.iter().any(|keys| keys.name() == secret::AUTH_TOKEN.name()))
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
    let api_secret = secret::read(table, &secret::API_SECRET, lookup, "a text that is not empty", |s| !s.is_empty());
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
        },
        line: table.line(),
    })
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
