//! The built-in modes answer what the specification says; hostile components are stopped and named, and the host goes
//! on.

use bytes::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use sealwright_base::clock::Timestamp;
use sealwright_base::secrets::SecretString;
use sealwright_domain::id::CompanyId;
use sealwright_seal::digest::Sha256Digest;
use tempfile::TempDir;

use super::{Chosen, Failure, PluginError, PluginHost, PluginOptions, Role, WebhookCredential, WebhookRequest};

mod acceptance;
mod analysis;
mod built_in_modes;
mod call_mode;
mod contract;
mod document_parts;
mod empty_wasi;
mod fuel;
#[path = "../../../tests/hostile/guest.rs"]
mod guest;
mod hostile;
mod hot_swap;
mod judge;
mod published;
mod signatures;
mod verification;

/// Compiled components, kept from run to run, because compiling the built-in ones takes most of a test's time.
const CACHE: &str = concat!(env!("OUT_DIR"), "/compiled-plugins");

/// A host with a plugin folder of its own, which is deleted with it.
struct TestHost {
    host: PluginHost,
    folder: TempDir,
}

impl TestHost {
    /// A host whose plugin folder holds these components.
    fn with(components: &[(&str, Vec<u8>)]) -> Self {
        Self::with_options(components, PluginOptions::new(CACHE.into(), [7; 32]))
    }

    /// The same, with other options.
    fn with_options(components: &[(&str, Vec<u8>)], options: PluginOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let plugin_dir = folder.path().join("plugins");
        std::fs::create_dir(&plugin_dir).unwrap();
        for (file, bytes) in components {
            std::fs::write(plugin_dir.join(file), bytes).unwrap();
        }
        let options = PluginOptions { plugin_dir: Some(plugin_dir), ..options };
        Self { host: PluginHost::new(options).unwrap(), folder }
    }

    async fn authenticate(&self, mode: &str) -> Result<Vec<(String, String)>, PluginError> {
        authenticate(&self.host, mode, credential()).await
    }
}

/// RFC 4231, section 4.3: test case 2.
const BODY: &[u8] = b"what do ya want for nothing?";
const SECRET: &str = "Jefe";
const SIGNATURE: &str = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

fn request() -> WebhookRequest {
    WebhookRequest {
        url: "https://hooks.acme.example/cases".to_owned(),
        body: Bytes::from_static(BODY),
        now: Timestamp::from_millis(1_795_168_800_000),
        delivery_id: "CAS-1_CMP-7_case".to_owned(),
    }
}

fn credential() -> WebhookCredential {
    WebhookCredential {
        company: CompanyId::new(7).unwrap(),
        label: "the case webhook of acme".to_owned(),
        key_id: Some(SecretString::from("acme-key")),
        secret: Some(SecretString::from(SECRET)),
        previous_secret: None,
        grant_reveal: false,
    }
}

async fn authenticate(
    host: &PluginHost,
    mode: &str,
    credential: WebhookCredential,
) -> Result<Vec<(String, String)>, PluginError> {
    let headers = host.authenticate_webhook(mode, request(), credential).await?;
    let text = |(name, value): &(HeaderName, HeaderValue)| {
        assert!(value.is_sensitive(), "{name} must not be logged");
        (name.to_string(), value.to_str().unwrap().to_owned())
    };
    Ok(headers.iter().map(text).collect())
}

fn pair(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}
