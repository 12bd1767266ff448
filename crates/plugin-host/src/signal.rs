//! The role `signal`: signals about a whole case.

use std::{collections::BTreeSet, sync::Arc};

use serde::Serialize;
use wasmtime::{Store, component::Resource};

use super::{
    answers::{bounded, check_finding, check_score, check_word},
    call::CallState,
    component::Plugin,
    error::Failure,
    facts::{Evidence, Signal, shared_one},
    question::{Call, Function, Question},
    resources::HeldEvidence,
};

const MAX_SIGNALS: usize = 64;
const MAX_OBSERVATIONS: usize = 64;

/// What does the plugin say about the case? The answer has at most 64 signals, each kind once.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct CaseSignals {
    #[serde(serialize_with = "shared_one")]
    pub evidence: Arc<Evidence>,
}

impl Question for CaseSignals {
    const FUNCTION: Function = Function::Assess;
    type Answer = Vec<Signal>;
}

impl Call<Vec<Signal>> for CaseSignals {
    fn call(
        &self,
        plugin: &Plugin,
        store: &mut Store<CallState>,
        settings: &str,
    ) -> wasmtime::Result<Result<Vec<Signal>, Failure>> {
        let indices = plugin.signal()?;
        let items: BTreeSet<u64> = self.evidence.items.iter().map(|item| item.id).collect();
        let evidence = store.data_mut().resources.push(HeldEvidence(Arc::clone(&self.evidence)))?;
        let instance = plugin.linked.instantiate(&mut *store)?;
        let guest = indices.load(&mut *store, &instance)?;
        let answer = guest.call_assess(&mut *store, Resource::new_borrow(evidence.rep()), settings)?;
        Ok(store.data().judged(answer, |signals| check(signals, &items)))
    }
}

fn check(signals: Vec<Signal>, items: &BTreeSet<u64>) -> Result<Vec<Signal>, String> {
    bounded("signals", signals.len(), 0, MAX_SIGNALS)?;
    let mut seen = BTreeSet::new();
    for (index, signal) in signals.iter().enumerate() {
        let kind = &signal.kind;
        check_word(&format!("the kind of signal {}", index + 1), kind)?;
        if !seen.insert(kind) {
            return Err(format!("the signal {kind} occurs twice"));
        }
        check_score(kind, signal.score)?;
        bounded(&format!("observations of {kind}"), signal.observations.len(), 0, MAX_OBSERVATIONS)?;
        for (index, observation) in signal.observations.iter().enumerate() {
            let subject = format!("observation {} of {kind}", index + 1);
            if let Some(item) = observation.item.filter(|item| !items.contains(item)) {
                return Err(format!("{subject} names item {item}, which is not in this case"));
            }
            check_finding(&observation.finding).map_err(|reason| format!("{subject}: {reason}"))?;
        }
    }
    Ok(signals)
}
