//! Finds or installs what the tasks need on the machine in addition to a Rust toolchain and a C compiler. This is the
//! only place that names packages; `.ci/run` has no list of its own.

mod debian;
mod geckodriver;
mod packages;
mod python;
mod tests;
mod wasm;

pub(crate) use self::{
    geckodriver::prepare as prepare_geckodriver,
    packages::prepare as prepare_packages,
    python::{foreign_witness, judges},
    tests::prepare as prepare_tests,
    wasm::{TARGET as WASM_TARGET, Toolchain},
};

/// Whether a task may install what is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Install {
    Allowed,
    /// `--no-install`: something missing is an error, or is skipped if the task can do without it.
    Refused,
}

/// The flag that every task takes.
pub(crate) const NO_INSTALL: &str = "--no-install";

impl Install {
    pub(crate) fn is_allowed(self) -> bool {
        self == Self::Allowed
    }
}

/// Prints in one line what is installed now, and how to prevent it the next time.
fn announce(what: &str, by: &str) {
    eprintln!("Installing {what} with {by} ({NO_INSTALL} prevents this)");
}
