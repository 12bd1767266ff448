//! Where a component is in a registry of the Open Container Initiative: `registry.example/team/plugin@sha256:…`.

use std::{fmt, str::FromStr};

use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A registry's host with its port if it has one, a repository there, and the digest of a manifest. Without a digest,
/// the registry would decide which component it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegistryReference {
    registry: String,
    repository: String,
    digest: Sha256Digest,
}

/// Why a text is not a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", EXPECTED)]
pub struct ParseReferenceError;

impl RegistryReference {
    /// What a reference looks like, for messages.
    pub const EXPECTED: &str = EXPECTED;

    /// The registry: `registry.example` or `127.0.0.1:5000`.
    pub fn registry(&self) -> &str {
        &self.registry
    }

    /// The repository: `team/plugin`.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// SHA-256 of the manifest, which has that of the component.
    pub const fn digest(&self) -> Sha256Digest {
        self.digest
    }

    /// Whether the registry is on this machine.
    pub fn is_on_this_machine(&self) -> bool {
        is_this_machine(host_of(&self.registry))
    }
}

const EXPECTED: &str = "a component in a registry, with the digest of its manifest, such as \
                        \"registry.example/team/plugin@sha256:4f3c…\" (64 lowercase hexadecimal digits)";

/// The most characters of a registry and of a repository.
const MOST: usize = 255;

/// Whether `host` is a name or an address of this machine; an IPv6 address may be in brackets.
pub fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// The host without its port.
fn host_of(registry: &str) -> &str {
    match registry.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !host.is_empty() => host,
        _ => registry,
    }
}

impl FromStr for RegistryReference {
    type Err = ParseReferenceError;

    fn from_str(text: &str) -> Result<Self, ParseReferenceError> {
        let (name, digest) = text.split_once("@sha256:").ok_or(ParseReferenceError)?;
        let (registry, repository) = name.split_once('/').ok_or(ParseReferenceError)?;
        let digest = digest.parse().map_err(|_| ParseReferenceError)?;
        if !is_registry(registry) || !is_repository(repository) {
            return Err(ParseReferenceError);
        }
        Ok(Self { registry: registry.to_owned(), repository: repository.to_owned(), digest })
    }
}

/// A host with a dot or a port, or `localhost`: any other first part is a repository without its registry.
fn is_registry(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".:[]-".contains(&byte);
    let is_host = text == "localhost" || text.contains(['.', ':']);
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
    is_host && starts_well && text.len() <= MOST && text.bytes().all(is_plain)
}

/// The specification's rule: parts of a-z and 0-9, with one `.`, `_` or `__` or any number of `-` between two of these.
fn is_repository(text: &str) -> bool {
    let is_part = |part: &str| {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let ends_well = part.bytes().next().is_some_and(is_word) && part.bytes().last().is_some_and(is_word);
        let mut separators = part.split(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        let is_separator = |text: &str| matches!(text, "" | "." | "_" | "__") || text.bytes().all(|byte| byte == b'-');
        ends_well && separators.all(is_separator)
    };
    text.len() <= MOST && text.split('/').all(is_part)
}

impl fmt::Display for RegistryReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { registry, repository, digest } = self;
        write!(f, "{registry}/{repository}@sha256:{digest}")
    }
}

impl Serialize for RegistryReference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RegistryReference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(name: &str) -> Result<RegistryReference, ParseReferenceError> {
        format!("{name}@sha256:{}", "0a".repeat(32)).parse()
    }

    #[test]
    fn a_reference_has_a_registry_a_repository_and_a_digest() {
        let read = reference("registry.example:5000/team/club-cards").unwrap();
        assert_eq!((read.registry(), read.repository()), ("registry.example:5000", "team/club-cards"));
        assert_eq!(read.digest().to_string(), "0a".repeat(32));
        assert_eq!(read.to_string().parse(), Ok(read.clone()));
        let json = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<RegistryReference>(&json).unwrap(), read);
        for right in ["localhost/a", "127.0.0.1:5000/a", "[::1]:5000/a", "r.example/a/b__c/d.e_f--g"] {
            assert!(reference(right).is_ok(), "{right}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for wrong in [
            "",
            "plugin",
            "team/plugin",
            "registry.example",
            "registry.example/",
            "https://registry.example/a",
            "u:p@registry.example/a",
            "registry.example/A",
            "registry.example/a//b",
            "registry.example/../a",
            "registry.example/a?b",
            "registry.example/a:1.0",
            "registry.example/-a",
            "registry.example/a._b",
        ] {
            assert!(reference(wrong).is_err(), "{wrong}");
        }
        for wrong in ["registry.example/a", "registry.example/a:1", "registry.example/a@sha256:12", "a@sha512:00"] {
            assert_eq!(wrong.parse::<RegistryReference>(), Err(ParseReferenceError), "{wrong}");
        }
    }

    #[test]
    fn a_registry_may_be_on_this_machine() {
        for own in ["localhost/a", "localhost:5000/a", "127.0.0.1:5000/a", "127.9.9.9/a", "[::1]:5000/a"] {
            assert!(reference(own).unwrap().is_on_this_machine(), "{own}");
        }
        for other in ["registry.example/a", "10.0.0.1:5000/a", "localhost.example/a"] {
            assert!(!reference(other).unwrap().is_on_this_machine(), "{other}");
        }
    }
}
