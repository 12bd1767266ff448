//! The OpenID Connect providers: that of the field app, and that of the console.

use std::path::PathBuf;

use ipnet::IpNet;
use url::{Host, Url};

use super::{SecretSource, Setting, Values, value};
use crate::domain::claims::RoleMap;

/// A provider, and the credentials of this server at the provider. Either all fields are set, or none.
#[derive(Clone, Debug)]
pub struct OpenIdSettings {
    /// Exactly as the provider writes it: it is compared with the provider's own documents and tokens.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: SecretSource,
    /// Networks that are not public in which the provider may be.
    pub private_addresses: Vec<IpNet>,
}

/// The provider by which field users may sign in.
#[derive(Clone, Debug)]
pub struct FieldOpenIdSettings {
    pub provider: OpenIdSettings,
    /// What the button of the sign-in page calls the provider.
    pub name: String,
}

/// The provider by which users of the console may sign in, and which of its claims say what they may do.
#[derive(Clone, Debug)]
pub struct ConsoleOpenIdSettings {
    pub provider: OpenIdSettings,
    pub role_claim: String,
    pub company_claim: String,
    pub role_map: RoleMap,
}

/// The settings of one provider.
struct ProviderKeys {
    issuer: Setting,
    client_id: Setting,
    secret_variable: Setting,
    secret_file: Setting,
    private_addresses: Setting,
    /// Without a provider these have no effect.
    others: &'static [Setting],
    /// What the names of all of them have in common, for messages.
    family: &'static str,
}

const FIELD: ProviderKeys = ProviderKeys {
    issuer: Setting::FieldOidcIssuer,
    client_id: Setting::FieldOidcClientId,
    secret_variable: Setting::FieldOidcClientSecretEnv,
    secret_file: Setting::FieldOidcClientSecretFile,
    private_addresses: Setting::FieldOidcPrivateAddresses,
    others: &[Setting::FieldOidcName],
    family: "field.oidc_…",
};

const CONSOLE: ProviderKeys = ProviderKeys {
    issuer: Setting::ConsoleOpenIdIssuer,
    client_id: Setting::ConsoleOpenIdClientId,
    secret_variable: Setting::ConsoleOpenIdClientSecretEnv,
    secret_file: Setting::ConsoleOpenIdClientSecretFile,
    private_addresses: Setting::ConsoleOpenIdPrivateAddresses,
    others: &[Setting::ConsoleOpenIdRoleClaim, Setting::ConsoleOpenIdCompanyClaim, Setting::ConsoleOpenIdRoleMap],
    family: "console.openid.…",
};

/// The longest name that fits on a button of a telephone.
const LONGEST_NAME: usize = 40;

/// In characters.
const LONGEST_CLAIM: usize = 200;

impl Values {
    /// `Some(None)` if the field app has no provider. `None` only after a problem was recorded.
    #[expect(clippy::option_option, reason = "outer: an error was recorded; inner: no provider is set")]
    pub(super) fn field_openid(
        &mut self,
        path: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<Option<FieldOpenIdSettings>> {
        let provider = self.provider(&FIELD, path);
        let name = self.read_optional(Setting::FieldOidcName, "the issuer's host", name);
        let Some(provider) = provider? else { return Some(None) };
        let host = || Url::parse(&provider.issuer).ok().and_then(|url| url.host_str().map(str::to_owned));
        Some(Some(FieldOpenIdSettings { name: name.or_else(host)?, provider }))
    }

    /// `Some(None)` if the console has no provider. `None` only after a problem was recorded.
    #[expect(clippy::option_option, reason = "outer: an error was recorded; inner: no provider is set")]
    pub(super) fn console_openid(
        &mut self,
        path: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<Option<ConsoleOpenIdSettings>> {
        let provider = self.provider(&CONSOLE, path);
        let role_claim = self.read(Setting::ConsoleOpenIdRoleClaim, "sealwright_role", claim);
        let company_claim = self.read(Setting::ConsoleOpenIdCompanyClaim, "sealwright_company", claim);
        let role_map = self.read_optional(
            Setting::ConsoleOpenIdRoleMap,
            "the value of the claim is the name of the role",
            RoleMap::parse,
        );
        let Some(provider) = provider? else { return Some(None) };
        Some(Some(ConsoleOpenIdSettings {
            provider,
            role_claim: role_claim?,
            company_claim: company_claim?,
            role_map: role_map.unwrap_or(RoleMap::Names),
        }))
    }

    /// `Some(None)` if no provider is set. `None` only after a problem was recorded.
    #[expect(clippy::option_option, reason = "outer: an error was recorded; inner: no provider is set")]
    fn provider(
        &mut self,
        keys: &ProviderKeys,
        path: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<Option<OpenIdSettings>> {
        let issuer = self.read_optional(keys.issuer, "none", issuer);
        let client_id = self.read_optional(keys.client_id, "none", client_id);
        let client_secret = self.secret(keys.secret_variable, keys.secret_file, path);
        let private = self.read_optional(keys.private_addresses, "none", value::networks);
        let own = [keys.issuer, keys.client_id, keys.secret_variable, keys.secret_file, keys.private_addresses];
        if !own.iter().chain(keys.others).any(|setting| self.given.contains_key(setting)) {
            return Some(None);
        }
        self.check_provider(keys);
        Some(Some(OpenIdSettings {
            issuer: issuer?,
            client_id: client_id?,
            client_secret: client_secret?,
            private_addresses: private.unwrap_or_default(),
        }))
    }

    fn check_provider(&mut self, keys: &ProviderKeys) {
        let expected = |setting: Setting| format!("{setting} ({}): missing, expected", setting.variable());
        let others = format!("to go with the other {} settings", keys.family);
        for missing in [keys.issuer, keys.client_id] {
            if !self.given.contains_key(&missing) {
                self.problems.push(format!("{} {} {others}", expected(missing), missing.expected()));
            }
        }
        let secrets = [keys.secret_variable, keys.secret_file];
        let [variable, file] = secrets.map(|setting| self.given.get(&setting).map(|given| given.origin.clone()));
        match (variable, file) {
            (None, None) => self.problems.push(format!(
                "{} a file with the client's secret, or `{}`, {others}",
                expected(keys.secret_file),
                keys.secret_variable
            )),
            (Some(origin), Some(_)) => {
                let problem = format!("{origin}: given together with `{}`, expected one of the two", keys.secret_file);
                self.problems.push(problem);
            }
            _ => {}
        }
    }
}

/// Whether a URL of the provider may be used: https, or http to this machine, for development and tests.
pub fn is_safe_provider_url(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_here)
}

/// Kept as it is written: providers differ in whether their issuer ends with a slash.
fn issuer(text: &str) -> Option<String> {
    let url = value::web_url(text).filter(|url| url.query().is_none())?;
    is_safe_provider_url(&url).then(|| text.to_owned())
}

fn client_id(text: &str) -> Option<String> {
    let is_visible = !text.is_empty() && text.chars().all(|c| c.is_ascii() && !c.is_control());
    is_visible.then(|| text.to_owned())
}

fn claim(text: &str) -> Option<String> {
    let fits = (1..=LONGEST_CLAIM).contains(&text.chars().count());
    (fits && text.trim() == text && !text.chars().any(char::is_control)).then(|| text.to_owned())
}

fn name(text: &str) -> Option<String> {
    let fits = (1..=LONGEST_NAME).contains(&text.chars().count());
    (fits && !text.trim().is_empty() && !text.chars().any(char::is_control)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_https_or_on_this_machine_and_keeps_its_form() {
        for right in [
            "https://login.example",
            "https://login.example/",
            "https://login.example/realms/field",
            "http://127.0.0.1:9000",
            "http://[::1]:9000/x",
            "http://localhost:9000",
        ] {
            assert_eq!(issuer(right).as_deref(), Some(right));
        }
        for wrong in [
            "",
            "login.example",
            "http://login.example",
            "http://localhost.example",
            "http://10.0.0.1",
            "ftp://login.example",
            "https://user@login.example",
            "https://login.example/?tenant=1",
            "https://login.example/#x",
        ] {
            assert_eq!(issuer(wrong), None, "{wrong}");
        }
    }
}
