//! The signing keys, the time-stamping authorities, and the log of seals.

use std::time::Duration;

use sealwright_seal::{Sha256Digest, UnixTime, tsp::Token};

use super::{certificates::Answer, check::Check};
use crate::{
    app::seal_log::{self, LogState, SealLog, WitnessReport},
    blobs::Blobs,
    clock::{Timestamp, random_bytes},
    config::WitnessSettings,
    db::Db,
    signing::{SealKeys, SigningError},
    store::log_witness::{WitnessAnswer, WitnessState},
    time_stamping::{SourceError, TimeSources, valid_until},
};

const TIME: &str = "time stamps";
const WITNESSES: &str = "witnesses";
/// How long before a certificate expires the operator is warned.
const WEEKS_BEFORE: Duration = Duration::from_hours(6 * 7 * 24);
/// How far the clocks of this machine and an authority may differ before the operator is warned.
const CLOCKS_APART: Duration = Duration::from_secs(30);

/// The key that certificates are signed with.
pub(in crate::app) fn keys(keys: &SealKeys, now: Timestamp) -> Vec<Check> {
    let mut checks = vec![signer(keys, now)];
    checks.extend(doubts(keys));
    checks
}

/// The result for a key that cannot be used.
pub(in crate::app) fn no_keys(error: &SigningError) -> Check {
    Check::broken("seal", error.to_string(), error.remedy())
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

/// Whether the log of seals continues.
pub(in crate::app) async fn log(log: &SealLog, db: &Db, blobs: &Blobs) -> Check {
    const PART: &str = "log of seals";
    let remedy = "restore a newer copy of the database, or start a new log with `sealwright log restart`; until then \
                  cases are sealed, but their entries in the log are pending";
    match seal_log::state(log, db, blobs).await {
        Err(error) => Check::broken(PART, error.to_string(), "check the folder log-heads in the blob store"),
        Ok(LogState { stopped: Some(stopped), .. }) => Check::broken(PART, stopped.to_string(), remedy),
        Ok(LogState { origin, entries, .. }) => Check::good(PART, format!("{origin}, {entries} entries")),
    }
}

/// Whether the witnesses in the settings cosign the log; nothing if there are none.
pub(in crate::app) async fn witnesses(log: &SealLog, settings: &WitnessSettings, db: &Db) -> Vec<Check> {
    match seal_log::witness_reports(log, settings, db).await {
        Err(error) => vec![Check::broken(WITNESSES, error.to_string(), "check database_url")],
        Ok(reports) => reports.iter().map(witness).collect(),
    }
}

fn witness(WitnessReport { name, last }: &WitnessReport) -> Check {
    let Some(WitnessAnswer { size, state, problem, asked_at, .. }) = last else {
        let finding = format!("{name} was not asked yet: the log is empty, or no server has run since it was named");
        return Check::good(WITNESSES, finding);
    };
    let problem = problem.as_deref().unwrap_or("no reason is known");
    match state {
        WitnessState::Cosigned => {
            Check::good(WITNESSES, format!("{name} has cosigned {size} entries, the last time at {asked_at}"))
        }
        WitnessState::Failed => Check::doubtful(
            WITNESSES,
            format!("{name} did not cosign at {asked_at}: {problem}"),
            "check seal.witnesses and the network; until enough witnesses answer, certificates get their cosignatures \
             later",
        ),
        WitnessState::Refused => Check::broken(
            WITNESSES,
            format!("{name} has seen another history of this log: {problem}"),
            "if the database was restored from a backup, restore a newer copy, or start a new log with `sealwright log \
             restart`; otherwise compare the log with the operator of the witness, because one of the two is wrong",
        ),
    }
}

/// Requests a time stamp from every authority.
pub(in crate::app) async fn ask(sources: &TimeSources) -> Vec<Answer> {
    sources.ask_each(Sha256Digest::of(random_bytes::<32>())).await
}

/// The result for authorities that cannot be asked.
pub(in crate::app) fn no_time(error: &anyhow::Error) -> Check {
    Check::broken(TIME, format!("{error:#}"), "check seal.tsa_url and seal.trust")
}

/// The result for each authority.
pub(in crate::app) fn time_stamps(answers: &[Answer], is_development: bool, now: Timestamp) -> Vec<Check> {
    answers.iter().map(|(name, answer)| time_stamp(name, answer, is_development, now)).collect()
}

fn time_stamp(name: &str, answer: &Result<Token, SourceError>, is_development: bool, now: Timestamp) -> Check {
    match answer {
        Err(error) => {
            let remedy = match error {
                SourceError::Untrusted(_) => {
                    "add the root of this authority to seal.trust if you trust it; until then its time stamps are \
                     refused and the next authority is asked"
                }
                SourceError::OtherTime { .. } => "set the clock of this machine, or configure another authority",
                _ => {
                    "check seal.tsa_url and the network; until an authority answers, certificates say that their time \
                     is pending, and they get their time stamp later"
                }
            };
            Check::doubtful(TIME, format!("{name}: {error}"), remedy)
        }
        Ok(_) if is_development => {
            let finding = "the development authority uses the clock of this machine, and certificates say so";
            Check::doubtful(TIME, finding, "set seal.tsa_url to get the time from an authority")
        }
        Ok(token) => authority(name, token, now),
    }
}

fn authority(name: &str, token: &Token, now: Timestamp) -> Check {
    let end = valid_until(token);
    if ends_soon(end, now) {
        let finding = format!("{name} answers with a certificate that expires at {end}");
        return Check::doubtful(
            TIME,
            finding,
            "configure another authority, or ask this one when it will renew its certificate",
        );
    }
    let apart = Duration::from_millis(token.time().as_millis().abs_diff(now.as_millis()));
    if apart > CLOCKS_APART {
        let finding =
            format!("{name} states {}, which is {} s off the clock of this machine", token.time(), apart.as_secs());
        return Check::doubtful(TIME, finding, "set the clock of this machine");
    }
    Check::good(TIME, format!("{name} answers, and its certificate is valid until {end}"))
}

fn ends_soon(end: UnixTime, now: Timestamp) -> bool {
    end.as_millis() < now.after(WEEKS_BEFORE).as_millis()
}
