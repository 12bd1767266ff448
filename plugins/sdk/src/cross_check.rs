//! The role `cross-checking`: reads fields from documents, and compares them with what people entered.

pub use crate::bindings::{
    cross_check::exports::sealwright::plugin::cross_checking::{Comparison, ExtractedField, Outcome, Pair},
    webhook_auth::sealwright::plugin::types::Error,
};
use crate::facts::Document;

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
