//! What the command line offers to operators, authors of plugins and designers of templates. Requests and jobs do not
//! use it.

pub mod check_backup;
pub mod doctor;
pub mod installation;
pub mod preview;
pub mod replay;
pub mod restore;
pub mod trial;
