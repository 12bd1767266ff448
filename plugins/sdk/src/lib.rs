//! What a Sealwright plugin in Rust needs: the contract's types (`wit/`), and a macro for each role that exports it.
//!
//! ```
//! use sealwright_plugin_sdk::webhook_auth::{Credential, Error, Header, Mode, Request, header};
//!
//! struct Stamped;
//!
//! impl Mode for Stamped {
//!     fn authenticate(request: &Request, credential: &Credential) -> Result<Vec<Header>, Error> {
//!         Ok(vec![header("X-Stamp", request.time().to_string()), header("X-Key", credential.require_key_id()?)])
//!     }
//! }
//! sealwright_plugin_sdk::export_webhook_auth!(Stamped);
//! ```
//!
//! A plugin's name, version and summary are its package's. What the host provides in the sandbox is provided natively
//! by the role's `testing` module, so `cargo test` runs a plugin's code as it is.

pub mod log;
pub mod webhook_auth;

#[doc(hidden)]
pub mod bindings {
    #![expect(
        clippy::pedantic,
        clippy::allow_attributes,
        clippy::allow_attributes_without_reason,
        reason = "generated from the contract"
    )]
    wit_bindgen::generate!({
        path: "../../wit",
        world: "webhook-auth",
        pub_export_macro: true,
        default_bindings_module: "sealwright_plugin_sdk::bindings",
    });
}
