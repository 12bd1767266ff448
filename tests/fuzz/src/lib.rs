//! The server's self-contained parsers of untrusted bytes, compiled from its own sources: the whole server would take
//! minutes to compile with coverage counters, and these parsers use none of it.

#![expect(dead_code, reason = "only the server uses most of these modules")]

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

// The sources refer to each other from the root of their crate.
pub use host::*;
