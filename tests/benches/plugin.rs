//! One call of the built-in mode `hmac-sha256`: through the host with its limits, its queue and its fresh store, on
//! plain wasmtime from the same component, and by Extism if a Python for it is available. Also a plugin's own work, what
//! counting in fuel costs, and many companies.

mod companies;
mod detector;
mod extism;
mod words;

use std::{fs, time::Instant};

use anyhow::Context as _;
use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sealwright::{
    clock::Timestamp,
    domain::id::CompanyId,
    plugins::{PluginHost, PluginOptions, WebhookCredential, WebhookRequest},
};
use sha2::Sha256;
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Store,
    component::{Component, HasSelf, Linker, Resource},
};

use crate::{
    abuse,
    load::milliseconds,
    report::{Figure, Goal, Samples, Unit, target_dir},
};

use contract::{
    WebhookAuth, WebhookAuthPre,
    sealwright::plugin::{content, credentials, log, types, webhook},
};

const ROUNDS: usize = 15;
const CALLS: u32 = 200;

pub(crate) const MODE: &str = "hmac-sha256";
const SECRET: &str = "a secret to sign with, long enough";
/// About the size of the webhook of a case with a few items.
const BODY: &[u8] = &[b'x'; 4096];

pub(crate) async fn measure() -> anyhow::Result<Vec<Figure>> {
    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let options = PluginOptions::new(cache.path().join("cache"), [7; 32]);
    let host = tokio::task::spawn_blocking(move || PluginHost::new(options)).await??;
    let bare = BareCall::new()?;
    let options = PluginOptions { fuel_per_second: None, ..PluginOptions::new(cache.path().join("cache"), [7; 32]) };
    let without_fuel = tokio::task::spawn_blocking(move || PluginHost::new(options)).await??;

    let [mut own, mut uncounted, mut theirs] = [const { Samples::new(Unit::Microseconds) }; 3];
    for _ in 0..ROUNDS {
        for (host, samples) in [(&host, &mut own), (&without_fuel, &mut uncounted)] {
            let start = Instant::now();
            for _ in 0..CALLS {
                host.authenticate_webhook(MODE, request(), credential()).await?;
            }
            samples.push(microseconds_a_call(start));
        }
        let start = Instant::now();
        for _ in 0..CALLS {
            bare.call()?;
        }
        theirs.push(microseconds_a_call(start));
    }
    let against_extism = extism::measure(&own)?;
    let mut figures = vec![
        Figure {
            what: "plugin call, fresh instance, hmac-sha256".to_owned(),
            measured: own.clone(),
            against: Some(("wasmtime InstancePre, same component", theirs)),
            goal: Some(Goal::AtMost(3.0)),
        },
        Figure {
            what: "plugin call counted in fuel, hmac-sha256".to_owned(),
            measured: own,
            against: Some(("the same, not counted", uncounted)),
            goal: Some(Goal::AtMost(1.3)),
        },
    ];
    figures.extend(against_extism);
    figures.push(detector::measure_fuel(&host, &without_fuel).await?);
    figures.push(detector::measure(&host).await?);
    figures.extend(companies::measure().await?);
    figures.push(abuse::measure(&host).await?);
    Ok(figures)
}

fn microseconds_a_call(start: Instant) -> f64 {
    milliseconds(start.elapsed()) * 1000.0 / f64::from(CALLS)
}

pub(crate) fn request() -> WebhookRequest {
    WebhookRequest {
        url: "https://hooks.example/cases".to_owned(),
        body: Bytes::from_static(BODY),
        now: Timestamp::from_millis(1_795_168_800_000),
        delivery_id: "CAS-1_CMP-7_case".to_owned(),
    }
}

pub(crate) fn credential() -> WebhookCredential {
    WebhookCredential {
        company: CompanyId::new(1).expect("1 is a number"),
        label: "the case webhook of Bench Insurance".to_owned(),
        key_id: Some("bench-key".into()),
        secret: Some(SECRET.into()),
        grant_reveal: false,
        previous_secret: None,
    }
}

mod contract {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "webhook-auth",
        imports: { default: trappable },
    });
}

/// The component on an engine with pooled instances and without any restriction: no deadline, no limits, no queue.
struct BareCall {
    engine: Engine,
    component: WebhookAuthPre<BareHost>,
}

/// The imports of the plugin. There is only one of each resource, so handles need no table.
struct BareHost;

impl BareCall {
    fn new() -> anyhow::Result<Self> {
        let file = target_dir().join("plugins").join(MODE).with_extension("wasm");
        let bytes = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        let mut config = Config::new();
        config
            .concurrency_support(false)
            .allocation_strategy(InstanceAllocationStrategy::Pooling(PoolingAllocationConfig::new()));
        let engine = Engine::new(&config)?;
        let mut linker = Linker::new(&engine);
        WebhookAuth::add_to_linker::<_, HasSelf<_>>(&mut linker, |host| host)?;
        let linked = linker.instantiate_pre(&Component::new(&engine, bytes)?)?;
        Ok(Self { component: WebhookAuthPre::new(linked)?, engine })
    }

    fn call(&self) -> anyhow::Result<()> {
        let mut store = Store::new(&self.engine, BareHost);
        let instance = self.component.instantiate(&mut store)?;
        let answer = instance.sealwright_plugin_webhook_authentication().call_authenticate(
            &mut store,
            Resource::new_borrow(0),
            Resource::new_borrow(0),
        )?;
        answer.map_err(|error| anyhow::anyhow!("the plugin fails: {error:?}"))?;
        Ok(())
    }
}

impl types::Host for BareHost {}
impl content::Host for BareHost {}
impl credentials::Host for BareHost {}
impl webhook::Host for BareHost {}

impl log::Host for BareHost {
    fn log(&mut self, _: log::Level, _: String) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl content::HostContent for BareHost {
    fn size(&mut self, _: Resource<content::Content>) -> wasmtime::Result<u64> {
        Ok(BODY.len() as u64)
    }

    fn read(&mut self, _: Resource<content::Content>, _: u64, _: u32) -> wasmtime::Result<Vec<u8>> {
        Ok(BODY.to_vec())
    }

    fn sha256(&mut self, _: Resource<content::Content>) -> wasmtime::Result<Vec<u8>> {
        wasmtime::bail!("this mode signs, and does not hash content itself")
    }

    fn drop(&mut self, _: Resource<content::Content>) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl credentials::HostCredential for BareHost {
    fn label(&mut self, _: Resource<credentials::Credential>) -> wasmtime::Result<String> {
        Ok(credential().label)
    }

    fn key_id(&mut self, _: Resource<credentials::Credential>) -> wasmtime::Result<Option<String>> {
        Ok(Some("bench-key".to_owned()))
    }

    fn hmac_sha256(
        &mut self,
        _: Resource<credentials::Credential>,
        _: Vec<credentials::Part>,
    ) -> wasmtime::Result<Result<Vec<u8>, credentials::Refusal>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes())?;
        mac.update(BODY);
        Ok(Ok(mac.finalize().into_bytes().to_vec()))
    }

    fn hmac_sha256_each(
        &mut self,
        _: Resource<credentials::Credential>,
        _: Vec<credentials::Part>,
    ) -> wasmtime::Result<Result<Vec<Vec<u8>>, credentials::Refusal>> {
        wasmtime::bail!("this mode signs under one secret")
    }

    fn reveal(
        &mut self,
        _: Resource<credentials::Credential>,
    ) -> wasmtime::Result<Result<String, credentials::Refusal>> {
        Ok(Err(credentials::Refusal::Denied))
    }

    fn drop(&mut self, _: Resource<credentials::Credential>) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl webhook::HostRequest for BareHost {
    fn method(&mut self, _: Resource<webhook::Request>) -> wasmtime::Result<String> {
        Ok("POST".to_owned())
    }

    fn url(&mut self, _: Resource<webhook::Request>) -> wasmtime::Result<String> {
        Ok(request().url)
    }

    fn body(&mut self, _: Resource<webhook::Request>) -> wasmtime::Result<Resource<content::Content>> {
        Ok(Resource::new_own(0))
    }

    fn time(&mut self, _: Resource<webhook::Request>) -> wasmtime::Result<u64> {
        Ok(request().now.as_millis().cast_unsigned())
    }

    fn delivery_id(&mut self, _: Resource<webhook::Request>) -> wasmtime::Result<String> {
        Ok(request().delivery_id)
    }

    fn drop(&mut self, _: Resource<webhook::Request>) -> wasmtime::Result<()> {
        Ok(())
    }
}
