//! The signing keys and the time-stamping authorities.

use std::time::Duration;

use sealwright_seal::{Sha256Digest, UnixTime, tsp::Token};

use super::Check;
use crate::{
    app::{
        open::time_sources,
        seal_log::{self, LogState, SealLog},
    },
    blobs::Blobs,
    clock::{Clock, Timestamp, random_bytes},
    config::Config,
    db::Db,
    secrets::SecretKey,
    signing::SealKeys,
    time_stamping::{SourceError, valid_until},
};

/// How long before a certificate expires the operator is warned.
const WEEKS_BEFORE: Duration = Duration::from_hours(6 * 7 * 24);
/// How far the clocks of this machine and an authority may differ before the operator is warned.
const CLOCKS_APART: Duration = Duration::from_secs(30);

/// Checks the signing key and requests a time stamp from every authority.
pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let clock = Clock::system();
    let keys = match SealKeys::load_or_create(&config.seal, &config.data_dir, clock.now()) {
        Ok(keys) => keys,
        Err(error) => return vec![Check::broken("seal", error.to_string(), error.remedy())],
    };
    let mut checks = vec![signer(&keys, clock.now())];
    checks.extend(doubts(&keys));
    checks.extend(time_stamps(config, &keys, &clock).await);
    checks
}

fn signer(keys: &SealKeys, now: Timestamp) -> Check {
    let (name, end) = (keys.signer().certificate().subject(), keys.valid_until());
    if ends_soon(end, now) {
        let remedy = "renew it and restart the server; existing seals stay valid";
        return Check::doubtful("seal", format!("the certificate of `{name}` expires at {end}"), remedy);
    }
    if keys.is_development() {
        let finding =
            format!("certificates are signed by the development authority (`{name}`), which no one outside trusts");
        return Check::doubtful("seal", finding, "set seal.key and seal.certificate_chain to make others trust them");
    }
    Check::good("seal", format!("certificates are signed by `{name}`, whose certificate is valid until {end}"))
}

/// What other PDF readers may reject in the certificate, though the server signs with it.
fn doubts(keys: &SealKeys) -> Option<Check> {
    let doubts = keys.doubts();
    let remedy = "get a certificate with the key usage nonRepudiation and CA:FALSE; if it has an extended key usage, \
                  this must include emailProtection";
    let name = keys.signer().certificate().subject();
    (!doubts.is_empty())
        .then(|| Check::doubtful("seal", format!("the certificate of `{name}`: {}", doubts.join("; ")), remedy))
}

/// Whether the log of seals continues. None if database or blob store cannot be read, which their own checks report.
pub(super) async fn log(config: &Config, secrets: &SecretKey) -> Option<Check> {
    const PART: &str = "log of seals";
    let db = Db::open(config.database_url.expose()).await.ok()?;
    let blobs = Blobs::open(config.blob_url.as_str()).ok()?;
    let log = SealLog::new(secrets, &config.base_url);
    let state = seal_log::state(&log, &db, &blobs).await;
    db.close().await;
    let remedy = "restore a newer copy of the database, or start a new log with `sealwright log restart`; until then \
                  cases are sealed, but their entries in the log are pending";
    Some(match state {
        Err(error) => Check::broken(PART, error.to_string(), "check the folder log-heads in the blob store"),
        Ok(LogState { stopped: Some(stopped), .. }) => Check::broken(PART, stopped.to_string(), remedy),
        Ok(LogState { origin, entries, .. }) => Check::good(PART, format!("{origin}, {entries} entries")),
    })
}

async fn time_stamps(config: &Config, keys: &SealKeys, clock: &Clock) -> Vec<Check> {
    const PART: &str = "time stamps";
    let sources = match time_sources(config, keys, clock) {
        Ok(sources) => sources,
        Err(error) => return vec![Check::broken(PART, format!("{error:#}"), "check seal.tsa_url and seal.trust")],
    };
    let mut checks = Vec::new();
    for (name, answer) in sources.ask_each(Sha256Digest::of(random_bytes::<32>())).await {
        checks.push(match answer {
            Err(error @ SourceError::Untrusted(_)) => {
                let remedy = "add the root of this authority to seal.trust if you trust it; until then its time stamps \
                              are refused and the next authority is asked";
                Check::doubtful(PART, format!("{name}: {error}"), remedy)
            }
            Err(error @ SourceError::OtherTime { .. }) => {
                let remedy = "set the clock of this machine, or configure another authority";
                Check::doubtful(PART, format!("{name}: {error}"), remedy)
            }
            Err(error) => {
                let remedy = "check seal.tsa_url and the network; until an authority answers, certificates say that \
                              their time is pending, and they get their time stamp later";
                Check::doubtful(PART, format!("{name}: {error}"), remedy)
            }
            Ok(_) if sources.is_development() => {
                let finding = "the development authority uses the clock of this machine, and certificates say so";
                Check::doubtful(PART, finding, "set seal.tsa_url to get the time from an authority")
            }
            Ok(token) => authority(PART, &name, &token, clock.now()),
        });
    }
    checks
}

fn authority(part: &'static str, name: &str, token: &Token, now: Timestamp) -> Check {
    let end = valid_until(token);
    if ends_soon(end, now) {
        let finding = format!("{name} answers with a certificate that expires at {end}");
        return Check::doubtful(
            part,
            finding,
            "configure another authority, or ask this one when it will renew its certificate",
        );
    }
    let apart = Duration::from_millis(token.time().as_millis().abs_diff(now.as_millis()));
    if apart > CLOCKS_APART {
        let finding =
            format!("{name} states {}, which is {} s off the clock of this machine", token.time(), apart.as_secs());
        return Check::doubtful(part, finding, "set the clock of this machine");
    }
    Check::good(part, format!("{name} answers, and its certificate is valid until {end}"))
}

fn ends_soon(end: UnixTime, now: Timestamp) -> bool {
    end.as_millis() < now.after(WEEKS_BEFORE).as_millis()
}
