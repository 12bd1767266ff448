//! Types and rules of the interface specification: pure, without async, I/O or a clock.

pub mod analysis;
pub mod apply_report;
pub mod case;
pub mod client_address;
pub mod company_manifest;
pub mod company_options;
pub mod context;
pub mod credentials;
pub mod document;
pub mod fields;
pub mod file_kind;
pub mod frozen;
pub mod id;
pub mod item;
pub mod link;
pub mod metadata;
pub mod moment;
pub mod operation;
pub mod rate_limit;
pub mod report;
pub mod resource;
pub mod right;
pub mod schema;
pub mod seal;
pub mod search;
pub mod step;
