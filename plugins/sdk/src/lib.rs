//! What a Sealwright plugin in Rust needs: the contract's types (`wit/`), and a macro for each role that exports it.
//!
//! A plugin that detects a club's membership cards:
//!
//! ```
//! use sealwright_plugin_sdk::{
//!     document_type::{Candidate, Detector, Error, candidate},
//!     facts::Document,
//! };
//!
//! struct Club;
//!
//! impl Detector for Club {
//!     fn detect(document: &Document, _settings: &str) -> Result<Vec<Candidate>, Error> {
//!         let is_card = document.full_text().to_lowercase().contains("membership card");
//!         Ok(vec![candidate("MEMBERSHIP_CARD", if is_card { 90 } else { 0 }), candidate("OTHER", 50)])
//!     }
//! }
//! sealwright_plugin_sdk::export_document_type!(Club);
//!
//! // Natively documents are plain values, so a plugin can be tested directly.
//! let candidates = Club::detect(&Document::of_text("Membership card No. 7"), "{}").unwrap();
//! assert_eq!(candidates[0].score, 90);
//! ```
//!
//! | role | trait | macro |
//! |---|---|---|
//! | detects types of documents | [`document_type::Detector`] | [`export_document_type!`] |
//! | reads and compares fields | [`cross_check::CrossChecker`] | [`export_cross_check!`] |
//! | in addition, verifies entered values | [`cross_check::Verifier`] | [`export_cross_verification!`] |
//! | in addition, reads what a document states | [`cross_check::StatementReader`] | [`export_cross_statement!`] |
//! | looks for forgeries | [`falsification::Inspector`] | [`export_falsification!`] |
//! | judges a case | [`signal::Assessor`] | [`export_signal!`] |
//! | authenticates webhooks | [`webhook_auth::Mode`] | [`export_webhook_auth!`] |
//!
//! A plugin's name, version and summary come from its package. [`export_settings!`] declares its settings. What the
//! host provides in the sandbox exists natively as plain values ([`facts`], [`webhook_auth`]), so `cargo test` runs a
//! plugin's unchanged code.

pub mod bindings;
pub mod cross_check;
pub mod document_type;
mod export;
pub mod facts;
pub mod falsification;
pub mod findings;
pub mod log;
pub mod reading;
pub mod signal;
pub mod webhook_auth;
