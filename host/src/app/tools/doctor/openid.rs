//! The OpenID Connect provider of the field app.

use super::Check;
use crate::{
    app::{open::open_provider, session::openid::CALLBACK},
    clock::Clock,
    config::Config,
};

const PART: &str = "sign-in provider";

/// Whether the provider answers; none if there is no provider. Passwords work without it, so it breaks nothing.
pub(super) async fn check(config: &Config) -> Option<Check> {
    let provider = match open_provider(config, &Clock::system()) {
        Ok(provider) => provider?,
        Err(error) => {
            let remedy = "correct the file or the variable with the client's secret";
            return Some(Check::broken(PART, format!("{error:#}"), remedy));
        }
    };
    Some(match provider.begin(false).await {
        Ok(_) => {
            let redirect = format!("{}{CALLBACK}", config.base_url);
            Check::good(PART, format!("{} answers; its redirect URI must be {redirect}", provider.issuer()))
        }
        Err(error) => Check::doubtful(
            PART,
            format!("{}: {error}", provider.issuer()),
            "check field.oidc_issuer and the network; list a private network in field.oidc_private_addresses",
        ),
    })
}
