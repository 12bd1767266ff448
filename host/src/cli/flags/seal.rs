//! The flags of the settings of seals.

use clap::Args;

use crate::config::Setting;

#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_field_names, reason = "a flag has the name of its setting")]
pub(super) struct SealFlags {
    /// The key that signs certificates (PEM) [default: a development authority's]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_key: Option<String>,

    /// The certificate chain of the key (PEM), starting with the key's own certificate
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_certificate_chain: Option<String>,

    /// Key and certificates in one PKCS #12 file, instead of --seal-key
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_pkcs12: Option<String>,

    /// The environment variable with the password of --seal-pkcs12
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true)]
    seal_pkcs12_password_env: Option<String>,

    /// A file with the password of --seal-pkcs12
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_pkcs12_password_file: Option<String>,

    /// The library of a smart card or HSM (PKCS #11) that holds the key, instead of --seal-key
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_pkcs11_module: Option<String>,

    /// The label of the token that holds the key
    #[arg(long, global = true, value_name = "LABEL", hide_short_help = true)]
    seal_pkcs11_token: Option<String>,

    /// The label of the private key in the token
    #[arg(long, global = true, value_name = "LABEL", hide_short_help = true)]
    seal_pkcs11_key: Option<String>,

    /// The environment variable with the token's PIN
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true)]
    seal_pkcs11_pin_env: Option<String>,

    /// A file with the token's PIN
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_pkcs11_pin_file: Option<String>,

    /// Time-stamping authorities (RFC 3161), tried in order [default: the development authority]
    #[arg(long, global = true, value_name = "URL[,URL…]", hide_short_help = true)]
    seal_tsa_url: Option<String>,

    /// Timeout for one request to a time-stamping authority [default: 10s]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    seal_tsa_timeout: Option<String>,

    /// How long to wait before asking a failed time-stamping authority again [default: 30s]
    #[arg(long, global = true, value_name = "DURATION", hide_short_help = true)]
    seal_tsa_pause: Option<String>,

    /// How many independent time-stamping authorities must have stamped a certificate [default: 1]
    #[arg(long, global = true, value_name = "NUMBER", hide_short_help = true)]
    seal_tsa_quorum: Option<String>,

    /// Roots (PEM): a time stamp counts only if its authority's chain leads to one of them
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_trust: Option<String>,

    /// Certificates (PEM) with which this installation signed earlier
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    seal_earlier_certificates: Option<String>,

    /// Whether certificates are renewed in rounds, by evidence records (RFC 4998) [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_short_help = true)]
    seal_evidence: Option<String>,

    /// Private networks from which issuers' revocation data may be fetched [default: none]
    #[arg(long, global = true, value_name = "NETWORK[,NETWORK…]", hide_short_help = true)]
    seal_revocation_private_addresses: Option<String>,

    /// Witnesses of the log of seals, each with its verifier key, a blank and its URL [default: none]
    #[arg(long, global = true, value_name = "KEY URL[,KEY URL…]", hide_short_help = true)]
    seal_witnesses: Option<String>,

    /// How many of the witnesses must have cosigned [default: more than half]
    #[arg(long, global = true, value_name = "NUMBER", hide_short_help = true)]
    seal_witness_quorum: Option<String>,
}

impl SealFlags {
    pub(super) fn all(self) -> [(Setting, Option<String>); 20] {
        [
            (Setting::SealKey, self.seal_key),
            (Setting::SealCertificateChain, self.seal_certificate_chain),
            (Setting::SealPkcs12, self.seal_pkcs12),
            (Setting::SealPkcs12PasswordEnv, self.seal_pkcs12_password_env),
            (Setting::SealPkcs12PasswordFile, self.seal_pkcs12_password_file),
            (Setting::SealPkcs11Module, self.seal_pkcs11_module),
            (Setting::SealPkcs11Token, self.seal_pkcs11_token),
            (Setting::SealPkcs11Key, self.seal_pkcs11_key),
            (Setting::SealPkcs11PinEnv, self.seal_pkcs11_pin_env),
            (Setting::SealPkcs11PinFile, self.seal_pkcs11_pin_file),
            (Setting::SealTsaUrl, self.seal_tsa_url),
            (Setting::SealTsaTimeout, self.seal_tsa_timeout),
            (Setting::SealTsaPause, self.seal_tsa_pause),
            (Setting::SealTsaQuorum, self.seal_tsa_quorum),
            (Setting::SealTrust, self.seal_trust),
            (Setting::SealEarlierCertificates, self.seal_earlier_certificates),
            (Setting::SealEvidence, self.seal_evidence),
            (Setting::SealRevocationPrivateAddresses, self.seal_revocation_private_addresses),
            (Setting::SealWitnesses, self.seal_witnesses),
            (Setting::SealWitnessQuorum, self.seal_witness_quorum),
        ]
    }
}
