//! Lines for the operator: 8 KiB a call, shown with the plugin's name.

#[cfg(target_family = "wasm")]
pub use crate::bindings::base::sealwright::plugin::log::{Level, log};

#[cfg(not(target_family = "wasm"))]
pub use self::native::log;
#[cfg(not(target_family = "wasm"))]
pub use crate::bindings::base::sealwright::plugin::log::Level;

/// Logs panic messages before the plugin traps, because a trap has no message. The export macros call it.
#[doc(hidden)]
#[cfg(target_family = "wasm")]
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| log(Level::Error, &panic.to_string().replace('\n', " "))));
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use super::Level;

    /// Writes one line to the host's log; in a native test, to standard error.
    pub fn log(level: Level, text: &str) {
        eprintln!("{level:?}: {text}");
    }
}
