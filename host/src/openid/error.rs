//! Why a step of a sign-in failed.

/// Why a step of a sign-in failed. The texts are for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenIdError {
    /// The provider did not answer, or not as a provider does. The same may succeed later.
    #[error("{0}")]
    Unavailable(String),
    /// The provider, or the check of its token, rejected this sign-in.
    #[error("{0}")]
    Rejected(String),
}

/// An error and its causes on one line.
pub(super) fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
