//! The guarded HTTP client: the only way the server calls an address that a company chose (spec 4.17 and 6.2,
//! decisions 12).
//!
//! The guard is at the socket. [`check_url`] judges the form of a URL when it is entered; [`Egress::post`] judges it
//! again before each dispatch, resolves the name, refuses if any answer is not public ([`is_public`]), and connects to
//! exactly the address that it judged. The content of a webhook and its authentication headers are decided elsewhere.
//! [`Egress::ask`] also reads the answer; with the guard switched off it is used for the operator's own time-stamping
//! authorities.

mod address;
mod client;
mod url;

pub use self::{
    address::{Refusal, is_public},
    client::{Answer, Delivery, Egress, EgressOptions, Outcome},
    url::{UrlError, UrlPolicy, check_url, is_plaintext},
};
