//! Types and rules of the interface specification: pure, without async, I/O or a clock of their own.

<<<<<<< HEAD
pub mod case;
pub mod context;
pub mod credentials;
=======
pub mod apply_report;
pub mod company_manifest;
>>>>>>> config
pub mod document;
pub mod fields;
pub mod frozen;
pub mod id;
<<<<<<< HEAD
pub mod item;
pub mod link;
pub mod metadata;
pub mod moment;
pub mod report;
=======
pub mod operation;
>>>>>>> config
pub mod right;
pub mod step;
