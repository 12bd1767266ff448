//! The guarded HTTP client: the only way the server calls an address that a company chose (spec 4.17 and 6.2,
//! decisions 12).
//!
//! The guard stands at the socket. [`check_url`] judges the form of a URL where somebody enters it; [`Egress::post`]
//! judges it again before each dispatch, resolves the name, refuses when any answer is not public ([`is_public`]), and
//! connects to the very address it judged. What goes into a webhook, and which headers authenticate it, is decided
//! elsewhere. [`Egress::ask`] reads an answer too; with the guard switched off it is how the operator's own time-stamping
//! authorities are asked.

mod address;
mod client;
mod url;

pub use self::{
    address::{Refusal, is_public},
    client::{Answer, Delivery, Egress, EgressOptions, Outcome},
    url::{UrlError, UrlPolicy, check_url, is_plaintext},
};
