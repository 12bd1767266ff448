//! Writes signed files for tests: a claim with actions, a hash of the content, and a signature under a test authority.
//! Not for products: it signs whatever it is given.

mod file;
mod store;

#[cfg(test)]
pub(crate) use self::store::superbox;
pub use self::{
    file::{Binding, sign_jpeg, sign_png},
    store::{Content, TestSigner},
};
