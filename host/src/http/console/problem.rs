//! Errors of the console: [`guard`](super::guard) shows them as a page.

use axum::response::{IntoResponse, Response};

use crate::error::Error;

/// An error to show as a page.
#[derive(Debug)]
pub(super) struct PageError(Error);

/// What the page of an error says. An extension of the response, because only the guard knows the reader.
#[derive(Clone, Debug)]
pub(super) struct Problem(pub(super) String);

impl<E: Into<Error>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let problem = match &self.0 {
            Error::Internal(_) => String::new(),
            Error::Unavailable { part, .. } => (*part).to_string(),
            error => error.to_string(),
        };
        // The standard answer sets the status, and logs what failed.
        let mut response = self.0.into_response();
        response.extensions_mut().insert(Problem(problem));
        response
    }
}

/// Splits what a form may get wrong, and shows again, from what fails for other reasons.
pub(super) fn form_problem<T>(result: Result<T, Error>) -> Result<Result<T, String>, PageError> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(
            error @ (Error::Invalid(_)
            | Error::State(_)
            | Error::Conflict(_)
            | Error::Forbidden(_)
            | Error::NotFound(_)),
        ) => Ok(Err(error.to_string())),
        Err(error) => Err(error.into()),
    }
}
