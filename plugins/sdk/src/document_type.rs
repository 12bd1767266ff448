//! The role `document-type-detection`: detects the type of a document.

pub use crate::bindings::{
    document_type::exports::sealwright::plugin::document_type_detection::Candidate,
    webhook_auth::sealwright::plugin::types::Error,
};
use crate::facts::Document;

/// Detects types of documents; [`export_document_type!`](crate::export_document_type) turns it into a plugin.
pub trait Detector {
    /// The types that `document` may be of; the one with the highest score counts. The rules of the answer are those of
    /// `detect` in the contract.
    fn detect(document: &Document, settings: &str) -> Result<Vec<Candidate>, Error>;
}

/// A type, and how well it fits: 0 to 100. Add findings to it.
pub fn candidate(document_type: &str, score: u8) -> Candidate {
    Candidate { document_type: document_type.to_owned(), score, findings: Vec::new() }
}

/// Makes the crate a component of the world `document-type` that plays the given
/// [`Detector`](crate::document_type::Detector).
#[macro_export]
macro_rules! export_document_type {
    ($detector:ty) => {
        $crate::native_check!($crate::document_type::Detector, $detector);

        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::{bindings::document_type::exports::sealwright::plugin, document_type, facts::Document};
            struct Component;
            $crate::describe!(Component);
            impl plugin::document_type_detection::Guest for Component {
                fn detect(
                    document: &Document,
                    settings: String,
                ) -> Result<Vec<document_type::Candidate>, document_type::Error> {
                    $crate::log::log_panics();
                    <$detector as document_type::Detector>::detect(document, &settings)
                }
            }
            $crate::bindings::document_type::export_document_type!(Component with_types_in $crate::bindings::document_type);
        };
    };
}
