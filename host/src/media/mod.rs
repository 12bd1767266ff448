//! Files that people send: what they are ([`kind`]), how they are received ([`upload`]), what is made from them
//! ([`image`]) and what they say about themselves ([`exif`]).
//!
//! Nothing here knows a case, a step or HTTP; the bytes themselves lie in [`crate::blobs`].

pub mod exif;
pub mod image;
mod jpeg;
pub mod kind;
pub mod upload;
