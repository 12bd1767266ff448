//! What a plugin reports, and where.

pub use crate::bindings::document_type::sealwright::plugin::findings::{Finding, Place, Rectangle, State};

/// The maximum number of characters of a finding's text.
const TEXT_LIMIT: usize = 500;

/// It was looked for, and is there.
pub fn found(code: &str, text: impl Into<String>) -> Finding {
    finding(code, State::Found, text)
}

/// It was looked for, and is not there.
pub fn not_found(code: &str, text: impl Into<String>) -> Finding {
    finding(code, State::NotFound, text)
}

/// It could not be looked for.
pub fn not_run(code: &str, text: impl Into<String>) -> Finding {
    finding(code, State::NotRun, text)
}

fn finding(code: &str, state: State, text: impl Into<String>) -> Finding {
    let text = text.into().chars().filter(|letter| !letter.is_control()).take(TEXT_LIMIT).collect();
    Finding { code: code.to_owned(), state, place: None, text }
}

impl Finding {
    /// The finding, on a page and in a part of it.
    #[must_use]
    pub fn at(self, page: u32, area: impl Into<Option<Rectangle>>) -> Self {
        Self { place: Some(Place { page, area: area.into() }), ..self }
    }
}
