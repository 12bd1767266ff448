//! Sealwright: turns what happened in the field into proof.
//!
//! The floors, from the top (`ARCHITECTURE.md` says who may import whom): [`http`], [`jobs`] and [`cli`] call use cases
//! in [`app`]; use cases call [`store`] and the machinery ([`blobs`], [`media`], [`facts`], [`certificate`],
//! [`plugins`], [`egress`], [`zip`]); everything uses [`domain`], [`error`], [`clock`], [`secrets`] and
//! [`toml_reader`].

pub mod app;
pub mod blobs;
pub mod certificate;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod domain;
pub mod egress;
pub mod error;
pub mod facts;
pub mod http;
pub mod jobs;
pub mod media;
pub mod plugins;
pub mod request_id;
pub mod revocation;
pub mod secrets;
pub mod signing;
pub mod store;
pub mod time_stamping;
pub mod toml_reader;
pub mod zip;

#[cfg(test)]
mod floors;
