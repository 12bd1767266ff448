//! The role `signal`: signals about a whole case.

use std::{collections::BTreeSet, sync::Arc};

use wasmtime::component::Resource;

use super::{
    PluginHost,
    answers::{bounded, check_finding, check_score, check_word},
    component::Role,
    facts::{Evidence, Signal},
    limits,
    resources::HeldEvidence,
    run::{Chosen, Run},
};

const MAX_SIGNALS: usize = 64;
const MAX_OBSERVATIONS: usize = 64;

impl PluginHost {
    /// The plugin's signals for the case: at most 64, each kind once.
    pub async fn assess_signals(&self, chosen: &Chosen, evidence: Arc<Evidence>) -> Run<Vec<Signal>> {
        let input = Arc::clone(&evidence);
        self.run(chosen, Role::Signal, limits::SIGNAL_DEADLINE, input, move |plugin, store, settings| {
            let indices = plugin.signal()?;
            let items: BTreeSet<u64> = evidence.items.iter().map(|item| item.id).collect();
            let evidence = store.data_mut().resources.push(HeldEvidence(evidence))?;
            let instance = plugin.linked.instantiate(&mut *store)?;
            let guest = indices.load(&mut *store, &instance)?;
            let answer = guest.call_assess(&mut *store, Resource::new_borrow(evidence.rep()), settings)?;
            Ok(store.data().judged(answer, |signals| check(signals, &items)))
        })
        .await
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
