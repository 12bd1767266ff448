//! What components run on: an engine with the contract's imports. Most components share one. Those that import WASI 0.3
//! have another, because they need the component model's streams and futures, and the others should neither pay for
//! these nor be able to use them. It is made when the first such component is loaded.

use std::{sync::Arc, time::Duration};

use anyhow::Result;
use parking_lot::Mutex;
use wasmtime::{
    Engine,
    component::{HasSelf, Linker},
};

use super::{
    bindings::{
        WebhookAuth,
        analysis::sealwright::plugin::{
            attachments, codes, document, evidence, facts as contract_facts, findings, image, provenance, stated,
        },
    },
    call::CallState,
    engine::{self, Profile},
    limits::Budget,
    sections, wasi,
};

/// An engine, and the contract's imports as this host provides them.
pub(super) struct Runtime {
    pub(super) engine: Engine,
    pub(super) linker: Linker<CallState>,
    pub(super) profile: Profile,
}

/// The runtimes of a host.
pub(super) struct Runtimes {
    usual: Arc<Runtime>,
    concurrent: Mutex<Option<Arc<Runtime>>>,
    fuel_per_second: Option<u64>,
}

impl Runtime {
    fn new(wanted: Profile) -> Result<Self> {
        let (engine, profile) = engine::new(wanted)?;
        Ok(Self { linker: linker(&engine)?, engine, profile })
    }
}

impl Runtimes {
    /// `fuel_per_second` is what a call may use for each second of its deadline; without it, fuel is not counted.
    pub(super) fn new(fuel_per_second: Option<u64>) -> Result<Self> {
        let profile = Profile { without_fuel: fuel_per_second.is_none(), ..Profile::default() };
        Ok(Self { usual: Arc::new(Runtime::new(profile)?), concurrent: Mutex::default(), fuel_per_second })
    }

    /// The runtime for the component in `bytes`.
    pub(super) fn for_component(&self, bytes: &[u8]) -> Result<Arc<Runtime>> {
        if !sections::imports(bytes).any(wasi::names_concurrent) {
            return Ok(Arc::clone(&self.usual));
        }
        let mut concurrent = self.concurrent.lock();
        if let Some(runtime) = concurrent.as_ref() {
            return Ok(Arc::clone(runtime));
        }
        let runtime = Arc::new(Runtime::new(Profile { concurrent: true, ..self.usual.profile })?);
        Ok(Arc::clone(concurrent.insert(runtime)))
    }

    /// What a call with this deadline may use.
    pub(super) fn budget(&self, deadline: Duration) -> Budget {
        Budget::new(deadline, self.fuel_per_second)
    }
}

/// The contract's imports.
fn linker(engine: &Engine) -> Result<Linker<CallState>> {
    let mut linker = Linker::new(engine);
    WebhookAuth::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    // The interfaces that both worlds share are linked already.
    findings::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    contract_facts::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    provenance::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    image::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    document::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    stated::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    evidence::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    attachments::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    codes::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
    Ok(linker)
}
