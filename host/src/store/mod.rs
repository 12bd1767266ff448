//! SQL, one file for each resource. A function that only reads takes a [`Reader`](crate::db::Reader), which a
//! [`Tx`](crate::db::Tx) also is; one that writes or locks takes a `Tx`. If a company owns a row, the company is the
//! first argument, so that no query can forget the tenant.
//!
//! No rule of the specification is implemented here; this module only reads and writes rows.

pub mod analysis;
pub mod audit;
pub mod backtest;
pub mod backup_turn;
pub mod blob_reference;
pub mod capture_record;
pub mod case;
mod case_names;
pub mod case_package;
pub mod case_search;
pub mod case_word;
pub mod certificate;
pub mod company;
pub mod console_filter;
pub mod console_passkey;
pub mod console_session;
pub mod console_user;
pub mod decision;
pub mod deleted_case;
pub mod erasure;
pub mod event;
pub mod evidence;
pub mod field_session;
pub mod finished_sign_in;
pub mod frame;
pub mod growth;
pub mod idempotent_request;
pub mod item;
pub mod item_token;
pub mod job;
pub mod legal_hold;
pub mod link;
pub mod log_witness;
pub mod logo;
pub mod near_duplicate;
pub mod overview;
pub mod plugin_run;
pub mod published;
pub mod rate_limit;
pub mod report;
pub mod retake;
pub mod retention;
pub mod seal_log;
pub mod secret;
pub mod shadow_day;
pub mod signing_certificate;
pub mod upload;
pub mod user;
pub mod webhook;
pub mod witnessed_log;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::de::DeserializeOwned;

/// Reads a JSON column. This program wrote it, so a failure means a damaged database.
fn from_json<T: DeserializeOwned>(column: &str, json: &str) -> sqlx::Result<T> {
    serde_json::from_str(json)
        .map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(error) })
}

/// Reads a column of base64, the form of bytes that both databases have. This program wrote it, so a failure means a
/// damaged database.
fn from_base64(column: &str, text: &str) -> sqlx::Result<Vec<u8>> {
    let bytes = STANDARD.decode(text);
    bytes.map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(error) })
}

/// Writes a JSON column.
///
/// # Panics
/// Never: the product's own types only have text keys, as JSON requires.
fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("types with text keys always become JSON")
}
