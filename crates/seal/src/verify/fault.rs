//! Why a signature or a time stamp does not count, by kind, for reports in the terms of EN 319 102-1. The messages of
//! the findings have the details.

use crate::{cms::CmsError, pki::PathError, tsp::TokenError};

/// Why a signature or a time stamp does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It does not have the form of one.
    Form,
    /// What it covers is not what was signed or stamped.
    Content,
    /// Its value, or that of a certificate in its chain, does not match.
    Value,
    /// No chain leads to a trusted certificate.
    NoChain,
    /// A certificate of its chain was not valid at the time.
    NotValidThen,
    /// A certificate of its chain may not be used for this, or breaks another rule for chains.
    ChainRules,
    /// A certificate of its chain was revoked.
    Revoked,
    /// It states a time in the future.
    Future,
}

impl From<&CmsError> for Fault {
    fn from(error: &CmsError) -> Self {
        match error {
            CmsError::Malformed(_)
            | CmsError::Shape(_)
            | CmsError::NoSignerCertificate
            | CmsError::OtherCertificate
            | CmsError::OtherCertificates => Self::Form,
            CmsError::OtherContent => Self::Content,
            CmsError::Signature(_) => Self::Value,
        }
    }
}

impl From<&PathError> for Fault {
    fn from(error: &PathError) -> Self {
        match error {
            PathError::Untrusted { .. } => Self::NoChain,
            PathError::NotYetValid { .. } | PathError::Expired { .. } => Self::NotValidThen,
            PathError::Forged { .. } => Self::Value,
            PathError::Stray { .. } | PathError::Malformed { .. } => Self::Form,
            PathError::NotAnAuthority { .. }
            | PathError::TooLong { .. }
            | PathError::WrongUsage { .. }
            | PathError::OutsideConstraints { .. }
            | PathError::Weak { .. }
            | PathError::UnknownCriticalExtension { .. } => Self::ChainRules,
        }
    }
}

impl From<&TokenError> for Fault {
    fn from(error: &TokenError) -> Self {
        match error {
            TokenError::Message(error) => Self::from(error),
            TokenError::Malformed(_) | TokenError::Time(_) => Self::Form,
            TokenError::OtherDigest => Self::Content,
            TokenError::Path(error) => Self::from(error),
        }
    }
}
