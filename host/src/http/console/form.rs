//! The fields of a form, as browsers send them (`application/x-www-form-urlencoded`).

use axum::{extract::FromRequestParts, http::request::Parts};

use super::problem::PageError;
use crate::error::Error;

/// The name of the field that repeats the token of the session.
pub(super) const CSRF: &str = "csrf";

/// A form of more fields is not one of ours.
const MOST_FIELDS: usize = 4000;

/// The fields of a form. [`guard`](super::guard) reads it, because it needs the token.
#[derive(Clone, Debug, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        Self(url::form_urlencoded::parse(bytes).into_owned().take(MOST_FIELDS).collect())
    }

    /// The text of a field as it was entered; empty if the form does not have it.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }

    /// The text of a field without spaces around it; none if it is empty.
    pub(super) fn filled(&self, name: &str) -> Option<&str> {
        Some(self.text(name).trim()).filter(|text| !text.is_empty())
    }

    /// Every value of a field that may be sent several times.
    pub(super) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.0.iter().filter(move |(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Whether a box is ticked.
    pub(super) fn is_ticked(&self, name: &str) -> bool {
        self.0.iter().any(|(given, _)| given == name)
    }
}

impl<S: Sync> FromRequestParts<S> for Form {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, PageError> {
        let form = parts.extensions.get::<Self>().cloned();
        form.ok_or_else(|| Error::internal(anyhow::anyhow!("a route of the console is not guarded")).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_as_browsers_write_it() {
        let form = Form::parse("reason=too+dark%0D%0Aagain&name=%20Zo%C3%AB%20&box=on&reason=second".as_bytes());
        assert_eq!(form.text("reason"), "too dark\r\nagain");
        assert_eq!(form.filled("name"), Some("Zoë"));
        assert_eq!(form.filled("missing"), None);
        assert!(form.is_ticked("box") && !form.is_ticked("other"));
        assert_eq!(Form::parse(b"%ff=%").text("x"), "");
    }
}
