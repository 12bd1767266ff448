//! The role `cross-check`: reads fields from documents, and compares them with what people entered, or verifies on the
//! document what people entered.

pub use crate::bindings::{
    cross_check::exports::sealwright::plugin::cross_checking::{Comparison, ExtractedField, Outcome, Pair},
    cross_verification::exports::sealwright::plugin::cross_verification::Entry,
    webhook_auth::sealwright::plugin::types::Error,
};
use crate::{
    bindings::cross_verification::exports::sealwright::plugin::cross_verification as contract,
    facts::{Document, StatedValue},
    findings::Place,
};

/// Reads and compares; [`export_cross_check!`](crate::export_cross_check) turns it into a plugin.
pub trait CrossChecker {
    /// The fields `wanted` that the document has. The rules of the answer are those of `extract` in the contract.
    fn extract(
        document: &Document,
        document_type: &str,
        wanted: &[String],
        settings: &str,
    ) -> Result<Vec<ExtractedField>, Error>;

    /// One comparison for each pair, in their order.
    fn compare(pairs: &[Pair], settings: &str) -> Result<Vec<Comparison>, Error>;
}

/// What a document says about one entered value. The record of the contract, with the [`Outcome`] of comparisons.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// `Same`: it states the value, in a role that the field allows. `Different`: it states another value for the
    /// field. `Missing`: it states neither.
    pub outcome: Outcome,
    /// How similar the entered value and the document's are: 0 to 100. 100 for `Same`; 0 for `Missing`.
    pub score: u8,
    /// The part of the document that the outcome is based on.
    pub place: Option<Place>,
    /// Why, in one sentence of at most 500 characters, without any value, entered or read.
    pub text: String,
}

impl From<Verification> for contract::Verification {
    fn from(verification: Verification) -> Self {
        let Verification { outcome, score, place, text } = verification;
        let outcome = match outcome {
            Outcome::Same => contract::Outcome::Same,
            Outcome::Different => contract::Outcome::Different,
            Outcome::Missing => contract::Outcome::Missing,
        };
        Self { outcome, score, place, text }
    }
}

/// Verifies entered values on a document; [`export_cross_verification!`](crate::export_cross_verification) adds it to a
/// plugin that is a [`CrossChecker`]. The host then does not call [`CrossChecker::compare`].
pub trait Verifier {
    /// One verification for each entry, in their order. The rules of the answer are those of `verify` in the contract.
    fn verify(
        document: &Document,
        document_type: &str,
        entries: &[Entry],
        settings: &str,
    ) -> Result<Vec<Verification>, Error>;
}

/// Reads everything that a document states; [`export_cross_statement!`](crate::export_cross_statement) adds it to a plugin
/// that is a [`CrossChecker`].
pub trait StatementReader {
    /// The values that the document states. The rules of the answer are those of `state` in the contract.
    fn state(document: &Document, document_type: &str, settings: &str) -> Result<Vec<StatedValue>, Error>;
}

/// Makes the crate a component of the world `cross-check` that plays the given
/// [`CrossChecker`](crate::cross_check::CrossChecker).
#[macro_export]
macro_rules! export_cross_check {
    ($checker:ty) => {
        $crate::native_check!($crate::cross_check::CrossChecker, $checker);

        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::{bindings::cross_check::exports::sealwright::plugin, cross_check, facts::Document};
            struct Component;
            $crate::describe!(Component);
            impl plugin::cross_checking::Guest for Component {
                fn extract(
                    document: &Document,
                    document_type: String,
                    wanted: Vec<String>,
                    settings: String,
                ) -> Result<Vec<cross_check::ExtractedField>, cross_check::Error> {
                    $crate::log::log_panics();
                    <$checker as cross_check::CrossChecker>::extract(document, &document_type, &wanted, &settings)
                }

                fn compare(
                    pairs: Vec<cross_check::Pair>,
                    settings: String,
                ) -> Result<Vec<cross_check::Comparison>, cross_check::Error> {
                    $crate::log::log_panics();
                    <$checker as cross_check::CrossChecker>::compare(&pairs, &settings)
                }
            }
    $crate::bindings::cross_check::export_cross_check!(Component with_types_in $crate::bindings::cross_check);
        };
    };
}

/// Exports the optional interface `cross-verification`, played by the given
/// [`Verifier`](crate::cross_check::Verifier). Use it in addition to
/// [`export_cross_check!`](crate::export_cross_check).
#[macro_export]
macro_rules! export_cross_verification {
    ($verifier:ty) => {
        $crate::native_check!($crate::cross_check::Verifier, $verifier);

        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::{
                bindings::cross_verification::exports::sealwright::plugin::cross_verification as contract, cross_check,
                facts::Document,
            };
            struct Component;
            impl contract::Guest for Component {
                fn verify(
                    document: &Document,
                    document_type: String,
                    entries: Vec<cross_check::Entry>,
                    settings: String,
                ) -> Result<Vec<contract::Verification>, cross_check::Error> {
                    $crate::log::log_panics();
                    let verified =
                        <$verifier as cross_check::Verifier>::verify(document, &document_type, &entries, &settings);
                    verified.map(|all| all.into_iter().map(contract::Verification::from).collect())
                }
            }
            $crate::bindings::cross_verification::export_cross_verification!(
                Component with_types_in $crate::bindings::cross_verification
            );
        };
    };
}

/// Exports the optional interface `cross-statement`, played by the given
/// [`StatementReader`](crate::cross_check::StatementReader). Use it in addition to
/// [`export_cross_check!`](crate::export_cross_check).
#[macro_export]
macro_rules! export_cross_statement {
    ($reader:ty) => {
        $crate::native_check!($crate::cross_check::StatementReader, $reader);

        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::{
                bindings::cross_statement::exports::sealwright::plugin::cross_statement as contract,
                cross_check,
                facts::{Document, StatedValue},
            };
            struct Component;
            impl contract::Guest for Component {
                fn state(
                    document: &Document,
                    document_type: String,
                    settings: String,
                ) -> Result<Vec<StatedValue>, cross_check::Error> {
                    $crate::log::log_panics();
                    <$reader as cross_check::StatementReader>::state(document, &document_type, &settings)
                }
            }
            $crate::bindings::cross_statement::export_cross_statement!(
                Component with_types_in $crate::bindings::cross_statement
            );
        };
    };
}
