//! The sentences of an account in German. `{}` is replaced by a value, in order.

mod grounds;
mod package;
mod parts;
mod sentences;
mod times;

pub(super) use self::{
    grounds::GROUNDS,
    package::PACKAGE,
    parts::{DISCLOSURE, DISCLOSURE_ANSWERS, DISCLOSURE_GROUNDS, DISCLOSURE_WORDS, ERASURE},
    sentences::{ANSWERS, WORDS},
    times::{AUTHORITIES, WITNESSES},
};
