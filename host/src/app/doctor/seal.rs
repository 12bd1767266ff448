//! The keys that sign, and the authorities that stamp.

use std::time::Duration;

use sealwright_seal::{Sha256Digest, UnixTime, tsp::Token};

use super::Check;
use crate::{
    app::open::time_sources,
    clock::{Clock, Timestamp, random_bytes},
    config::Config,
    signing::SealKeys,
    time_stamping::valid_until,
};

/// How long before a certificate ends the operator is told.
const WEEKS_BEFORE: Duration = Duration::from_hours(6 * 7 * 24);
/// How far this machine's clock and an authority's may be apart before the operator is told.
const CLOCKS_APART: Duration = Duration::from_secs(30);

/// Looks at the signing key and asks every authority for a time stamp.
pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let clock = Clock::system();
    let keys = match SealKeys::load_or_create(&config.seal, &config.data_dir, clock.now()) {
        Ok(keys) => keys,
        Err(error) => return vec![Check::broken("seal", error.to_string(), error.remedy())],
    };
    let mut checks = vec![signer(&keys, clock.now())];
    checks.extend(time_stamps(config, &keys, &clock).await);
    checks
}

fn signer(keys: &SealKeys, now: Timestamp) -> Check {
    let (name, end) = (keys.signer().certificate().subject(), keys.valid_until());
    if ends_soon(end, now) {
        let remedy = "have it renewed and restart the server; what was sealed before stays valid";
        return Check::doubtful("seal", format!("the certificate of `{name}` ends at {end}"), remedy);
    }
    if keys.is_development() {
        let finding =
            format!("certificates are signed by the development authority (`{name}`), which nobody outside trusts");
        return Check::doubtful("seal", finding, "set seal.key and seal.certificate_chain to have others trust them");
    }
    Check::good("seal", format!("certificates are signed by `{name}`, until {end}"))
}

async fn time_stamps(config: &Config, keys: &SealKeys, clock: &Clock) -> Vec<Check> {
    const PART: &str = "time stamps";
    let sources = match time_sources(config, keys, clock) {
        Ok(sources) => sources,
        Err(error) => return vec![Check::broken(PART, format!("{error:#}"), "look at seal.tsa_url")],
    };
    let mut checks = Vec::new();
    for (name, answer) in sources.ask_each(Sha256Digest::of(random_bytes::<32>())).await {
        checks.push(match answer {
            Err(error) => {
                let remedy = "look at seal.tsa_url and at the way there; until one answers, certificates say that their \
                              time is pending, and get it later";
                Check::doubtful(PART, format!("{name}: {error}"), remedy)
            }
            Ok(_) if sources.is_development() => {
                let finding = "the development authority repeats the clock of this machine, and certificates say so";
                Check::doubtful(PART, finding, "set seal.tsa_url to have an authority state the time")
            }
            Ok(token) => authority(PART, &name, &token, clock.now()),
        });
    }
    checks
}

fn authority(part: &'static str, name: &str, token: &Token, now: Timestamp) -> Check {
    let end = valid_until(token);
    if ends_soon(end, now) {
        let finding = format!("{name} answers with a certificate that ends at {end}");
        return Check::doubtful(
            part,
            finding,
            "name another authority, or ask this one when it renews its certificate",
        );
    }
    let apart = Duration::from_millis(token.time().as_millis().abs_diff(now.as_millis()));
    if apart > CLOCKS_APART {
        let finding =
            format!("{name} states {}, which is {} s from the clock of this machine", token.time(), apart.as_secs());
        return Check::doubtful(part, finding, "set the clock of this machine");
    }
    Check::good(part, format!("{name} answers, with a certificate until {end}"))
}

fn ends_soon(end: UnixTime, now: Timestamp) -> bool {
    end.as_millis() < now.after(WEEKS_BEFORE).as_millis()
}
