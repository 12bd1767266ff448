//! What the command line offers to operators, authors of plugins and designers of templates. Requests and jobs do not
//! use it.

pub mod check_backup;
pub mod deleted_since;
pub mod doctor;
pub mod installation;
mod needed_blobs;
pub mod preview;
pub mod replay;
pub mod restore;
pub mod trial;
