//! The role `webhook-authentication`: what the host provides to a mode, and what it accepts as an answer.

use hyper::header::{self, HeaderName, HeaderValue};
use wasmtime::{Store, component::Resource};

use super::{
    PluginHost,
    bindings::exports::sealwright::plugin::webhook_authentication::Header,
    built_in,
    call::CallState,
    component::{Plugin, Role},
    error::{Failure, PluginError},
    host::{CallResult, Entry},
    limits,
    resources::{HeldCredential, HeldRequest},
    webhook::{WebhookCredential, WebhookRequest},
};

/// The most headers that a mode may answer with.
const MAX_HEADERS: usize = 16;
/// The most bytes that the names and values of those headers may have in all.
const MAX_HEADER_BYTES: usize = 8 * 1024;

/// Headers that frame or route the message: only the HTTP client sets them.
const RESERVED_HEADERS: [HeaderName; 9] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::UPGRADE,
    header::TE,
    header::TRAILER,
    header::EXPECT,
];

impl PluginHost {
    /// Whether a company manifest may name this webhook mode.
    pub fn has_webhook_mode(&self, mode: &str) -> bool {
        self.plays(mode, None, Role::WebhookAuth)
    }

    /// The webhook modes that a company manifest may name, in order.
    pub fn webhook_modes(&self) -> Vec<String> {
        self.names(Role::WebhookAuth)
    }

    /// The headers with which `mode` authenticates the webhook, in the mode's order. Their values are marked sensitive.
    pub async fn authenticate_webhook(
        &self,
        mode: &str,
        request: WebhookRequest,
        credential: WebhookCredential,
    ) -> Result<Vec<(HeaderName, HeaderValue)>, PluginError> {
        self.enter_webhook_mode(mode, request, credential).await.outcome
    }

    pub(super) async fn enter_webhook_mode(
        &self,
        mode: &str,
        request: WebhookRequest,
        credential: WebhookCredential,
    ) -> CallResult<Vec<(HeaderName, HeaderValue)>> {
        let entry = Entry {
            company: credential.company,
            plugin: mode,
            sha256: None,
            role: Role::WebhookAuth,
            deadline: limits::WEBHOOK_AUTH_DEADLINE,
            private: credential
                .secret
                .iter()
                .chain(&credential.previous_secret)
                .chain(&credential.key_id)
                .cloned()
                .collect(),
        };
        self.enter(entry, move |plugin, store| authenticate(plugin, store, request, credential)).await
    }
}

/// Asks the mode for the headers.
pub(super) fn authenticate(
    plugin: &Plugin,
    store: &mut Store<CallState>,
    request: WebhookRequest,
    credential: WebhookCredential,
) -> wasmtime::Result<Result<Vec<(HeaderName, HeaderValue)>, Failure>> {
    let may_reveal =
        if plugin.info.built_in { built_in::reveals_secret(&plugin.info.name) } else { credential.grant_reveal };
    let resources = &mut store.data_mut().resources;
    let request = resources.push(HeldRequest(request))?;
    let credential = resources.push(HeldCredential { credential, may_reveal })?;
    let instance = plugin.linked.instantiate(&mut *store)?;
    let guest = plugin.webhook_auth()?.load(&mut *store, &instance)?;
    let answer = guest.call_authenticate(
        &mut *store,
        Resource::new_borrow(request.rep()),
        Resource::new_borrow(credential.rep()),
    )?;
    Ok(match answer {
        Ok(headers) => check(&headers).map_err(Failure::InvalidAnswer),
        Err(error) => Err(store.data().declined(error)),
    })
}

/// Checks an answer against the contract's rules. The reason names headers, never their values.
fn check(headers: &[Header]) -> Result<Vec<(HeaderName, HeaderValue)>, String> {
    if headers.len() > MAX_HEADERS {
        return Err(format!("{} headers; at most {MAX_HEADERS} are allowed", headers.len()));
    }
    let bytes: usize = headers.iter().map(|header| header.name.len() + header.value.len()).sum();
    if bytes > MAX_HEADER_BYTES {
        return Err(format!("{bytes} bytes of headers; at most {MAX_HEADER_BYTES} are allowed"));
    }
    let mut checked: Vec<(HeaderName, HeaderValue)> = Vec::with_capacity(headers.len());
    for (index, header) in headers.iter().enumerate() {
        // An invalid name is not repeated: if a mode mixed up name and value, its token would be in the log.
        let name = HeaderName::from_bytes(header.name.as_bytes())
            .map_err(|_| format!("the name of header {} is not a token (RFC 9110, section 5.6.2)", index + 1))?;
        if RESERVED_HEADERS.contains(&name) {
            return Err(format!("a mode may not set the header {name}"));
        }
        if checked.iter().any(|(earlier, _)| *earlier == name) {
            return Err(format!("the header {name} occurs twice"));
        }
        let value = checked_value(&header.value).ok_or_else(|| {
            format!("the value of {name} is not visible ASCII text without leading or trailing space")
        })?;
        checked.push((name, value));
    }
    Ok(checked)
}

fn checked_value(value: &str) -> Option<HeaderValue> {
    let allowed = |byte| byte == b'\t' || (b' '..=b'~').contains(&byte);
    if !value.bytes().all(allowed) || value.trim_matches([' ', '\t']).len() != value.len() {
        return None;
    }
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}
