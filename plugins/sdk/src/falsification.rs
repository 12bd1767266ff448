//! The role `falsification-inspection`: looks for signs that a document was forged or changed.

pub use crate::bindings::{
    falsification::exports::sealwright::plugin::falsification_inspection::{Check, Verdict},
    webhook_auth::sealwright::plugin::types::Error,
};
use crate::facts::Document;

/// Inspects documents; [`export_falsification!`](crate::export_falsification) turns it into a plugin.
pub trait Inspector {
    /// The result of each check, each code once. The rules of the answer are those of `inspect` in the contract.
    fn inspect(document: &Document, document_type: &str, settings: &str) -> Result<Vec<Check>, Error>;
}

/// Makes the crate a component of the world `falsification` that plays the given
/// [`Inspector`](crate::falsification::Inspector).
#[macro_export]
macro_rules! export_falsification {
    ($inspector:ty) => {
        $crate::native_check!($crate::falsification::Inspector, $inspector);

        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::{bindings::falsification::exports::sealwright::plugin, facts::Document, falsification};
            struct Component;
            $crate::describe!(Component);
            impl plugin::falsification_inspection::Guest for Component {
                fn inspect(
                    document: &Document,
                    document_type: String,
                    settings: String,
                ) -> Result<Vec<falsification::Check>, falsification::Error> {
                    $crate::log::log_panics();
                    <$inspector as falsification::Inspector>::inspect(document, &document_type, &settings)
                }
            }
            $crate::bindings::falsification::export_falsification!(Component with_types_in $crate::bindings::falsification);
        };
    };
}
