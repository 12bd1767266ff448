//! The parts of the server that read a stranger's bytes and need nothing else of it, compiled from its own sources: the whole
//! server would take minutes to compile with coverage counters, for readers that use none of it.

#![expect(dead_code, reason = "most of these modules is for the server")]

#[path = "../../../host/src"]
mod host {
    pub mod clock;
    pub mod domain;
    pub mod error;
    #[path = "media/kind.rs"]
    pub mod kind;
    pub mod secrets;
    pub mod toml_reader;
}

// The sources name each other from the root of their crate.
pub use host::*;
