//! What the settings and the files that they name say by themselves.

use sealwright_facts::signed_code::trust::TrustList;

use super::check::Check;
use crate::{app::private_files::open_to_others, config::Config};

pub(in crate::app) fn addresses(config: &Config) -> Check {
    let finding = format!("base_url is {}", config.base_url);
    if config.webhook.allow_private_addresses {
        let finding = "webhook.allow_private_addresses is on: webhooks can be sent to private networks";
        return Check::doubtful("addresses", finding, "switch it off outside development and tests");
    }
    if config.base_url.starts_with("http://") {
        return Check::doubtful("addresses", finding, "set base_url to the https address that clients use");
    }
    Check::good("addresses", finding)
}

pub(in crate::app) fn data_dir(config: &Config) -> Check {
    match std::fs::create_dir_all(&config.data_dir) {
        Ok(()) => Check::good("data directory", config.data_dir.display().to_string()),
        Err(error) => Check::broken(
            "data directory",
            format!("{}: {error}", config.data_dir.display()),
            "set data_dir to a folder that the server can write to",
        ),
    }
}

/// The files that other users of this machine can read.
pub(in crate::app) fn permissions(config: &Config) -> Vec<Check> {
    let open = open_to_others(config).into_iter().map(|open| {
        let remedy = format!(
            "run: chmod {:o} '{}'; the server does it at its next start",
            open.narrow_mode(),
            open.path.display()
        );
        Check::doubtful("permissions", format!("{open}: other users of this machine can read it"), remedy)
    });
    open.collect()
}

/// Whether the certificates of the issuers of signed codes can be read; none if there are none.
pub(in crate::app) fn codes_trust(config: &Config) -> Option<Check> {
    const PART: &str = "signed codes";
    let path = config.analysis.codes_trust.as_deref()?;
    Some(match TrustList::read(path) {
        Ok(list) if list.rejected.is_empty() => Check::good(PART, format!("{} certificates of issuers", list.len())),
        Ok(list) => Check::doubtful(
            PART,
            format!("{} certificates of issuers; not used: {}", list.len(), list.rejected.join("; ")),
            "replace these files in analysis.codes_trust, or remove them",
        ),
        Err(error) => {
            Check::broken(PART, error.to_string(), "set analysis.codes_trust to a file or folder of certificates")
        }
    })
}
