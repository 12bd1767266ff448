//! Sealwright: turns what happened in the field into proof.
//!
//! The floors, from the top (`ARCHITECTURE.md` says who may import whom): [`http`], [`jobs`] and [`cli`] call use cases
//! in [`app`]; use cases call [`store`] and the machinery ([`blobs`], [`media`], [`facts`], [`certificate`],
//! [`plugins`], [`egress`], [`registry`], [`otlp`], [`zip`]); everything uses [`domain`], [`error`], [`clock`], [`secrets`] and
//! [`toml_reader`]. Floors that need none of the others are crates of their own, under `crates/`.

pub use sealwright_base::{clock, secrets, toml_reader};
pub use sealwright_blobs as blobs;
pub use sealwright_certificate as certificate;
pub use sealwright_domain as domain;
pub use sealwright_egress as egress;
pub use sealwright_plugin_host as plugins;

pub mod app;
pub mod cli;
pub mod config;
pub mod db;
pub mod error;
pub mod facts;
pub mod http;
pub mod jobs;
pub mod media;
pub mod openid;
pub mod otlp;
pub mod registry;
pub mod request_id;
pub mod revocation;
pub mod signing;
pub mod store;
pub mod time_stamping;
pub mod zip;

#[cfg(test)]
mod floors;
#[cfg(test)]
mod test_database;
