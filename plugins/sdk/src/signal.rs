//! The role `signal-assessment`: judges a whole case.

pub use crate::bindings::{
    signal::exports::sealwright::plugin::signal_assessment::{Observation, Signal},
    webhook_auth::sealwright::plugin::types::Error,
};
use crate::{facts::Evidence, findings::Finding};

/// Judges cases; [`export_signal!`](crate::export_signal) turns it into a plugin.
pub trait Assessor {
    /// The signals that apply to the case, each kind once. The rules of the answer are those of `assess` in the
    /// contract.
    fn assess(evidence: &Evidence, settings: &str) -> Result<Vec<Signal>, Error>;
}

/// A finding about one item of the case.
pub fn of_item(item: u64, finding: Finding) -> Observation {
    Observation { item: Some(item), finding }
}

/// A finding about the whole case.
pub fn of_case(finding: Finding) -> Observation {
    Observation { item: None, finding }
}

/// Makes the crate a component of the world `signal` that plays the given [`Assessor`](crate::signal::Assessor).
#[macro_export]
macro_rules! export_signal {
    ($assessor:ty) => {
        $crate::native_check!($crate::signal::Assessor, $assessor);

        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::{bindings::signal::exports::sealwright::plugin, facts::Evidence, signal};
            struct Component;
            $crate::describe!(Component);
            impl plugin::signal_assessment::Guest for Component {
                fn assess(evidence: &Evidence, settings: String) -> Result<Vec<signal::Signal>, signal::Error> {
                    $crate::log::log_panics();
                    <$assessor as signal::Assessor>::assess(evidence, &settings)
                }
            }
    $crate::bindings::signal::export_signal!(Component with_types_in $crate::bindings::signal);
        };
    };
}
