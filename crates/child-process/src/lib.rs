//! Children of this program. What strangers send (documents, templates, components) is read in a process of its own, so
//! that what goes wrong there ends there.
//!
//! | module | what |
//! |---|---|
//! | [`role`] | which children exist, and what each one may do: the one table |
//! | [`confine`](mod@confine) | what a child does to itself before it reads the first byte |
//! | [`run`](mod@run) | one question: a child is started, gets its input, and gives its output |
//! | [`session`] | many questions: a child is kept for the next one |
//! | [`failure`] | why a child did not answer |
//! | [`probe`] | a child that tries what it may not do, and reports what happened |
//!
//! A child confines itself, instead of being confined between `fork` and `exec`: that needs no `unsafe`, and it is the same
//! program, whose first lines nobody else wrote.

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
