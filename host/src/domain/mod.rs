//! Types and rules of the interface specification: pure, without async, I/O or a clock of their own.

pub mod apply_report;
pub mod company_manifest;
pub mod document;
pub mod id;
pub mod operation;
pub mod right;
pub mod step;
