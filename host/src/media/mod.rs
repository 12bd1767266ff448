//! Files that people send: what they are ([`kind`]), how they are received ([`upload`]) and what is made from them
//! ([`image`]). What they say about themselves is read in `facts`, a part of its own.
//!
//! Nothing here knows a case, a step or HTTP; the bytes themselves lie in [`crate::blobs`].

pub mod image;
mod jpeg;
pub mod kind;
pub mod upload;

pub use self::{
    kind::FileKind,
    upload::{Accepts, StoredFile, Upload},
};
