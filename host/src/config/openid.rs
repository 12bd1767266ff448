//! The OpenID Connect provider of the field app.

use std::path::PathBuf;

use ipnet::IpNet;
use url::{Host, Url};

use super::{SecretSource, Setting, Values, value};

/// The provider by which field users may sign in. All of it is given, or nothing.
#[derive(Clone, Debug)]
pub struct OpenIdSettings {
    /// Exactly as the provider writes it: it is compared with the provider's own documents and tokens.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: SecretSource,
    /// What the button of the sign-in page calls the provider.
    pub name: String,
    /// Networks that are not public in which the provider may be.
    pub private_addresses: Vec<IpNet>,
}

/// Without one of these the others have no effect.
const TOGETHER: [Setting; 2] = [Setting::FieldOidcIssuer, Setting::FieldOidcClientId];
const SECRET: [Setting; 2] = [Setting::FieldOidcClientSecretEnv, Setting::FieldOidcClientSecretFile];
const WITH_ISSUER: [Setting; 2] = [Setting::FieldOidcName, Setting::FieldOidcPrivateAddresses];

/// The longest name that fits on a button of a telephone.
const LONGEST_NAME: usize = 40;

impl Values {
    /// `Some(None)` if there is no provider. `None` only after a problem was recorded.
    #[expect(clippy::option_option, reason = "outer: an error was recorded; inner: no provider is set")]
    pub(super) fn openid(&mut self, path: impl Fn(&str) -> Option<PathBuf>) -> Option<Option<OpenIdSettings>> {
        let issuer = self.read_optional(Setting::FieldOidcIssuer, "none", issuer);
        let client_id = self.read_optional(Setting::FieldOidcClientId, "none", client_id);
        let [variable, file] = SECRET;
        let client_secret = self.secret(variable, file, path);
        let name = self.read_optional(Setting::FieldOidcName, "the issuer's host", name);
        let private = self.read_optional(Setting::FieldOidcPrivateAddresses, "none", value::networks);
        let is_given = |setting: &Setting| self.given.contains_key(setting);
        if !TOGETHER.iter().chain(&SECRET).chain(&WITH_ISSUER).any(is_given) {
            return Some(None);
        }
        self.check_openid();
        let issuer = issuer?;
        let host = || Url::parse(&issuer).ok().and_then(|url| url.host_str().map(str::to_owned));
        Some(Some(OpenIdSettings {
            name: name.or_else(host)?,
            issuer,
            client_id: client_id?,
            client_secret: client_secret?,
            private_addresses: private.unwrap_or_default(),
        }))
    }

    fn check_openid(&mut self) {
        let expected = |setting: Setting| format!("{setting} ({}): missing, expected", setting.variable());
        for missing in TOGETHER.into_iter().filter(|setting| !self.given.contains_key(setting)) {
            let problem =
                format!("{} {} to go with the other field.oidc_… settings", expected(missing), missing.expected());
            self.problems.push(problem);
        }
        let [variable, file] = SECRET.map(|setting| self.given.get(&setting).map(|given| given.origin.clone()));
        match (variable, file) {
            (None, None) => self.problems.push(format!(
                "{} a file with the client's secret, or `{}`, to go with the other field.oidc_… settings",
                expected(SECRET[1]),
                SECRET[0]
            )),
            (Some(origin), Some(_)) => {
                self.problems.push(format!("{origin}: given together with `{}`, expected one of the two", SECRET[1]));
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
