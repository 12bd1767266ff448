//! The witnesses of this installation's log of seals, and the logs of others for which it is a witness itself.

use sealwright_seal::tlog::{cosignature::WitnessKey, note::NoteVerifier, witness::WitnessedLog};
use url::Url;

use super::{Setting, Values, value};

#[derive(Clone, Debug)]
pub struct WitnessSettings {
    /// The witnesses that are asked to cosign this installation's log.
    pub of_log: Vec<LogWitness>,
    /// How many of them must have cosigned.
    pub quorum: usize,
    /// The name under which this installation cosigns. `None`: that of its address.
    pub name: Option<String>,
    /// The logs of others that it cosigns.
    pub logs: Vec<WitnessedLog>,
}

/// A witness of this installation's log.
#[derive(Clone, Debug)]
pub struct LogWitness {
    pub key: WitnessKey,
    /// Where it takes checkpoints.
    pub url: Url,
}

impl Values {
    pub(super) fn witnesses(&mut self) -> WitnessSettings {
        let of_log = self.read_optional(Setting::SealWitnesses, "none", witnesses);
        let quorum = self.read_optional(Setting::SealWitnessQuorum, "more than half of seal.witnesses", value::count);
        let name = self.read_optional(Setting::WitnessName, "the address in base_url, followed by /witness", name);
        let logs = self.read_optional(Setting::WitnessLogs, "none", logs);
        let of_log = of_log.unwrap_or_default();
        self.check_quorum(Setting::SealWitnessQuorum, quorum, of_log.len(), "witnesses");
        let quorum = quorum.unwrap_or(of_log.len() / 2 + 1);
        WitnessSettings { of_log, quorum, name, logs: logs.unwrap_or_default() }
    }
}

/// One or several witnesses, separated by commas, each with a key of its own.
fn witnesses(text: &str) -> Option<Vec<LogWitness>> {
    let all: Vec<LogWitness> = text.split(',').map(|one| witness(one.trim())).collect::<Option<_>>()?;
    let is_repeated = |(place, witness): (usize, &LogWitness)| {
        all[..place].iter().any(|earlier| earlier.key.is_same_witness(&witness.key))
    };
    let has_repeated = all.iter().enumerate().any(is_repeated);
    (!has_repeated).then_some(all)
}

/// A verifier key and, after a blank, the URL prefix below which the witness takes checkpoints.
fn witness(text: &str) -> Option<LogWitness> {
    let (key, url) = text.split_once(' ')?;
    let prefix = value::base_url(url.trim())?;
    Some(LogWitness { key: key.parse().ok()?, url: Url::parse(&format!("{prefix}/add-checkpoint")).ok()? })
}

/// One or several logs, separated by commas.
fn logs(text: &str) -> Option<Vec<WitnessedLog>> {
    text.split(',').map(|one| log(one.trim())).collect()
}

/// A log's verifier key and, if it is not the name of the key, its origin after a blank.
fn log(text: &str) -> Option<WitnessedLog> {
    let (key, origin) = text.split_once(' ').map_or((text, None), |(key, origin)| (key, Some(origin.trim())));
    let key: NoteVerifier = key.parse().ok()?;
    let origin = origin.unwrap_or_else(|| key.name()).to_owned();
    Some(WitnessedLog { origin, key })
}

/// A name that may be part of a verifier key.
fn name(text: &str) -> Option<String> {
    let is_usable = !text.is_empty() && !text.contains(|character: char| character.is_whitespace() || character == '+');
    is_usable.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use sealwright_seal::tlog::{cosignature::Cosigner, note::NoteSigner};

    use super::*;

    fn key(name: &str, random: u8) -> String {
        Cosigner::new(name, &[random; 32]).unwrap().verifier().to_string()
    }

    #[test]
    fn witnesses_are_keys_with_urls_and_no_key_counts_twice() {
        let (one, two) = (key("w.example/1", 1), key("w.example/2", 2));
        let read = witnesses(&format!("{one} https://w.example/1/, {two} http://127.0.0.1:8080")).unwrap();
        let urls: Vec<&str> = read.iter().map(|witness| witness.url.as_str()).collect();
        assert_eq!(urls, ["https://w.example/1/add-checkpoint", "http://127.0.0.1:8080/add-checkpoint"]);
        assert_eq!(read[1].key.to_string(), two);
        let again = key("w.example/3", 1);
        let log = NoteSigner::new("w.example/1", &[1; 32]).unwrap().verifier();
        for wrong in [
            String::new(),
            one.clone(),
            format!("{one} w.example"),
            format!("https://w.example {one}"),
            format!("{one} https://w.example,"),
            format!("{one} https://w.example, {again} https://w.example"),
            format!("{log} https://w.example"),
        ] {
            assert!(witnesses(&wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_log_is_its_key_and_may_have_another_origin() {
        let log = NoteSigner::new("log.example", &[1; 32]).unwrap().verifier().to_string();
        let read = logs(&format!("{log}, {log} the old log.example")).unwrap();
        let origins: Vec<&str> = read.iter().map(|log| log.origin.as_str()).collect();
        assert_eq!(origins, ["log.example", "the old log.example"]);
        for wrong in ["", "log.example", &key("w.example/1", 1)] {
            assert!(logs(wrong).is_none(), "{wrong}");
        }
        assert!(name("w.example/1").is_some() && name("a b").is_none() && name("").is_none());
    }
}
