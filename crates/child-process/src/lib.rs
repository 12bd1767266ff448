//! Child processes of this program. Untrusted input (documents, templates, components) is read in a separate process,
//! so that a failure there stays there.
//!
//! | module | what |
//! |---|---|
//! | [`role`] | which children exist, and what each one may do |
//! | [`confine`](mod@confine) | how a child confines itself before it reads the first byte |
//! | [`run`](mod@run) | one request: a child is started, gets its input, and returns its output |
//! | [`session`] | many requests: a child is kept for the next one |
//! | [`failure`] | why a child did not answer |
//! | [`probe`] | a child that tries forbidden operations, and reports what happened |
//!
//! A child confines itself, instead of being confined between `fork` and `exec`: that needs no `unsafe`, and the child
//! is this same program, so its first lines are our own code.

pub mod confine;
mod descendants;
pub mod failure;
mod files;
pub mod probe;
pub mod role;
pub mod run;
pub mod session;
mod system_calls;

pub use confine::{Confinement, Layer, confine};
pub use failure::{Cause, Failure};
pub use role::{ARGUMENT, Role, this_program};
pub use run::{Bounds, run};
pub use session::Session;
