//! Where the key that signs certificates is: in PEM files, in a PKCS #12 file, or in a device behind PKCS #11.

use std::{path::PathBuf, time::Duration};

use ipnet::IpNet;
use url::Url;

use super::{SecretSource, Setting, Values, value};

#[derive(Clone, Debug)]
pub struct SealSettings {
    /// `None`: the development authority signs, and certificates say so.
    pub signer: Option<SignerSource>,
    /// Time-stamping authorities in the order in which they are asked. None: the development authority stamps, and
    /// certificates say so.
    pub tsa_urls: Vec<Url>,
    /// For one whole request to a time-stamping authority.
    pub tsa_timeout: Duration,
    /// How long to wait before asking a failed authority again.
    pub tsa_pause: Duration,
    /// How many independent authorities must have stamped a certificate.
    pub tsa_quorum: usize,
    /// Roots in PEM, above all those of the time-stamping authorities. If it is set, a time stamp counts only with a
    /// path to one of them.
    pub trust: Option<PathBuf>,
    /// Certificates in PEM with which this installation signed before it kept a record of them.
    pub earlier_certificates: Option<PathBuf>,
    /// Whether certificates are renewed in rounds, by evidence records (RFC 4998), instead of one by one.
    pub evidence: bool,
    /// Private networks in which issuers may be asked for revocation data.
    pub revocation_private_addresses: Vec<IpNet>,
}

/// The operator's own signing key and its certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerSource {
    Pem(SignerFiles),
    /// Both in one file. Without a password, the empty one is tried.
    Pkcs12 {
        file: PathBuf,
        password: Option<SecretSource>,
    },
    /// The key in a smart card or an HSM, the certificates in PEM.
    Pkcs11 {
        /// The device's library.
        module: PathBuf,
        /// Labels, exactly as the device has them.
        token: String,
        key: String,
        pin: Option<SecretSource>,
        certificate_chain: PathBuf,
    },
}

/// A key and its certificates, both in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerFiles {
    pub key: PathBuf,
    pub certificate_chain: PathBuf,
}

/// Settings of a signer that need another one: the first has no effect without the second.
const TOGETHER: [(Setting, Setting, &str); 10] = [
    (Setting::SealKey, Setting::SealCertificateChain, "a PEM file"),
    (Setting::SealPkcs11Module, Setting::SealCertificateChain, "a PEM file"),
    (Setting::SealPkcs11Module, Setting::SealPkcs11Token, "the label of a token"),
    (Setting::SealPkcs11Module, Setting::SealPkcs11Key, "the label of a private key"),
    (Setting::SealPkcs11Token, Setting::SealPkcs11Module, "the device's library"),
    (Setting::SealPkcs11Key, Setting::SealPkcs11Module, "the device's library"),
    (Setting::SealPkcs11PinEnv, Setting::SealPkcs11Module, "the device's library"),
    (Setting::SealPkcs11PinFile, Setting::SealPkcs11Module, "the device's library"),
    (Setting::SealPkcs12PasswordEnv, Setting::SealPkcs12, "a PKCS #12 file"),
    (Setting::SealPkcs12PasswordFile, Setting::SealPkcs12, "a PKCS #12 file"),
];

/// Pairs of which at most one may be given.
const EITHER: [(Setting, Setting); 6] = [
    (Setting::SealKey, Setting::SealPkcs12),
    (Setting::SealKey, Setting::SealPkcs11Module),
    (Setting::SealPkcs12, Setting::SealPkcs11Module),
    (Setting::SealPkcs12, Setting::SealCertificateChain),
    (Setting::SealPkcs12PasswordEnv, Setting::SealPkcs12PasswordFile),
    (Setting::SealPkcs11PinEnv, Setting::SealPkcs11PinFile),
];

impl Values {
    pub(super) fn seal(&mut self, path: impl Fn(&str) -> Option<PathBuf>) -> Option<SealSettings> {
        let label = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let key = self.read_optional(Setting::SealKey, "the development authority's", &path);
        let certificate_chain = self.read_optional(Setting::SealCertificateChain, "the development authority's", &path);
        let pkcs12 = self.read_optional(Setting::SealPkcs12, "none", &path);
        let password = self.secret(Setting::SealPkcs12PasswordEnv, Setting::SealPkcs12PasswordFile, &path);
        let module = self.read_optional(Setting::SealPkcs11Module, "none", &path);
        let token = self.read_optional(Setting::SealPkcs11Token, "none", label);
        let token_key = self.read_optional(Setting::SealPkcs11Key, "none", label);
        let pin = self.secret(Setting::SealPkcs11PinEnv, Setting::SealPkcs11PinFile, &path);
        let tsa_urls = self.read_optional(Setting::SealTsaUrl, "the development authority", value::web_urls);
        let tsa_timeout = self.read(Setting::SealTsaTimeout, "10s", value::duration);
        let tsa_pause = self.read(Setting::SealTsaPause, "30s", value::duration);
        let tsa_quorum = self.read(Setting::SealTsaQuorum, "1", value::count);
        let trust = self.read_optional(Setting::SealTrust, "none", &path);
        let earlier_certificates = self.read_optional(Setting::SealEarlierCertificates, "none", &path);
        let evidence = self.read(Setting::SealEvidence, "false", value::boolean);
        let private = self.read_optional(Setting::SealRevocationPrivateAddresses, "none", value::networks);
        self.check_seal();
        self.check_quorum(Setting::SealTsaQuorum, tsa_quorum, tsa_urls.as_ref().map_or(1, Vec::len), "authorities");
        let signer = match (key, pkcs12, module.zip(token).zip(token_key), certificate_chain) {
            (Some(key), _, _, Some(certificate_chain)) => {
                Some(SignerSource::Pem(SignerFiles { key, certificate_chain }))
            }
            (_, Some(file), _, _) => Some(SignerSource::Pkcs12 { file, password }),
            (_, _, Some(((module, token), key)), Some(certificate_chain)) => {
                Some(SignerSource::Pkcs11 { module, token, key, pin, certificate_chain })
            }
            _ => None,
        };
        Some(SealSettings {
            signer,
            tsa_urls: tsa_urls.unwrap_or_default(),
            tsa_timeout: tsa_timeout?,
            tsa_pause: tsa_pause?,
            tsa_quorum: tsa_quorum?,
            trust,
            earlier_certificates,
            evidence: evidence?,
            revocation_private_addresses: private.unwrap_or_default(),
        })
    }

    /// A quorum is at most the number of those that are asked.
    pub(super) fn check_quorum(&mut self, setting: Setting, quorum: Option<usize>, most: usize, what: &str) {
        if let (Some(quorum), Some(given)) = (quorum, self.given.get(&setting))
            && quorum > most
        {
            let problem = format!("{}: found {quorum}, expected at most {most}, the number of {what}", given.origin);
            self.problems.push(problem);
        }
    }

    /// Settings that need others, and settings that exclude others.
    fn check_seal(&mut self) {
        for (given, missing, expected) in TOGETHER {
            if self.given.contains_key(&given) && !self.given.contains_key(&missing) {
                let variable = missing.variable();
                self.problems
                    .push(format!("{missing} ({variable}): missing, expected {expected} to go with `{given}`"));
            }
        }
        for (one, other) in EITHER {
            if let (Some(one_given), Some(_)) = (self.given.get(&one), self.given.get(&other)) {
                let origin = one_given.origin.clone();
                self.problems.push(format!("{origin}: given together with `{other}`, expected one of the two"));
            }
        }
        let key_given = [Setting::SealKey, Setting::SealPkcs11Module, Setting::SealPkcs12]
            .iter()
            .any(|setting| self.given.contains_key(setting));
        if self.given.contains_key(&Setting::SealCertificateChain) && !key_given {
            let (key, chain) = (Setting::SealKey, Setting::SealCertificateChain);
            let variable = key.variable();
            self.problems.push(format!("{key} ({variable}): missing, expected a PEM file to go with `{chain}`"));
        }
    }
}
