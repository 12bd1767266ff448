//! Code generated from the contract: one module for the exports of each role, one for `meta`, which all have, and one
//! for each optional interface. Shared types are generated once, so that a plugin with two roles, and a library for
//! plugins, sees one `Document`.
//!
//! With the feature `serde`, the records that the host fills in can be stored and hashed.
//!
//! The contract's worlds include `meta`; the worlds here do not, because two of them in one crate would export it twice.
#![expect(clippy::pedantic, reason = "generated from the contract")]

pub mod base {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "base",
        pub_export_macro: true,
        export_macro_name: "export_base",
        default_bindings_module: "sealwright_plugin_sdk::bindings::base",
    });
}

pub mod configurable {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "configurable",
        pub_export_macro: true,
        export_macro_name: "export_configurable",
        default_bindings_module: "sealwright_plugin_sdk::bindings::configurable",
    });
}

pub mod webhook_auth {
    wit_bindgen::generate!({
        inline: "package sealwright:sdk; world webhook-auth { import sealwright:plugin/content@0.1.3; import sealwright:plugin/credentials@0.1.3; import sealwright:plugin/webhook@0.1.3; export sealwright:plugin/webhook-authentication@0.1.3; }",
        path: "../../wit",
        world: "webhook-auth",
        pub_export_macro: true,
        export_macro_name: "export_webhook_auth",
        default_bindings_module: "sealwright_plugin_sdk::bindings::webhook_auth",
        generate_all,
        with: {
        },
    });
}

pub mod document_type {
    macro_rules! generated {
        ($($derive:tt)*) => {
            wit_bindgen::generate!({
                inline: "package sealwright:sdk; world document-type { import sealwright:plugin/content@0.1.3; import sealwright:plugin/findings@0.1.3; import sealwright:plugin/facts@0.1.3; import sealwright:plugin/image@0.1.3; import sealwright:plugin/document@0.1.3; export sealwright:plugin/document-type-detection@0.1.3; }",
                path: "../../wit",
                world: "document-type",
                pub_export_macro: true,
                export_macro_name: "export_document_type",
                default_bindings_module: "sealwright_plugin_sdk::bindings::document_type",
                additional_derives: [PartialEq $($derive)*],
                generate_all,
                with: {
                    "sealwright:plugin/types@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::types,
                    "sealwright:plugin/content@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::content,
                },
            });
        };
    }

    #[cfg(not(feature = "serde"))]
    generated!();
    #[cfg(feature = "serde")]
    generated!(, Eq, serde::Serialize, serde::Deserialize);
}

pub mod cross_check {
    wit_bindgen::generate!({
        inline: "package sealwright:sdk; world cross-check { import sealwright:plugin/content@0.1.3; import sealwright:plugin/findings@0.1.3; import sealwright:plugin/facts@0.1.3; import sealwright:plugin/image@0.1.3; import sealwright:plugin/document@0.1.3; export sealwright:plugin/cross-checking@0.1.3; }",
        path: "../../wit",
        world: "cross-check",
        pub_export_macro: true,
        export_macro_name: "export_cross_check",
        default_bindings_module: "sealwright_plugin_sdk::bindings::cross_check",
        additional_derives: [PartialEq],
        generate_all,
        with: {
            "sealwright:plugin/types@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::types,
            "sealwright:plugin/content@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::content,
            "sealwright:plugin/findings@0.1.3": crate::bindings::document_type::sealwright::plugin::findings,
            "sealwright:plugin/facts@0.1.3": crate::bindings::document_type::sealwright::plugin::facts,
            "sealwright:plugin/provenance@0.1.3": crate::bindings::document_type::sealwright::plugin::provenance,
            "sealwright:plugin/image@0.1.3": crate::bindings::document_type::sealwright::plugin::image,
            "sealwright:plugin/document@0.1.3": crate::bindings::document_type::sealwright::plugin::document,
        },
    });
}

pub mod cross_verification {
    wit_bindgen::generate!({
        inline: "package sealwright:sdk; world cross-verification { import sealwright:plugin/content@0.1.3; import sealwright:plugin/findings@0.1.3; import sealwright:plugin/facts@0.1.3; import sealwright:plugin/image@0.1.3; import sealwright:plugin/document@0.1.3; export sealwright:plugin/cross-verification@0.1.3; }",
        path: "../../wit",
        world: "cross-verification",
        pub_export_macro: true,
        export_macro_name: "export_cross_verification",
        default_bindings_module: "sealwright_plugin_sdk::bindings::cross_verification",
        additional_derives: [PartialEq],
        generate_all,
        with: {
            "sealwright:plugin/types@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::types,
            "sealwright:plugin/content@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::content,
            "sealwright:plugin/findings@0.1.3": crate::bindings::document_type::sealwright::plugin::findings,
            "sealwright:plugin/facts@0.1.3": crate::bindings::document_type::sealwright::plugin::facts,
            "sealwright:plugin/provenance@0.1.3": crate::bindings::document_type::sealwright::plugin::provenance,
            "sealwright:plugin/image@0.1.3": crate::bindings::document_type::sealwright::plugin::image,
            "sealwright:plugin/document@0.1.3": crate::bindings::document_type::sealwright::plugin::document,
        },
    });
}

pub mod falsification {
    wit_bindgen::generate!({
        inline: "package sealwright:sdk; world falsification { import sealwright:plugin/content@0.1.3; import sealwright:plugin/findings@0.1.3; import sealwright:plugin/facts@0.1.3; import sealwright:plugin/image@0.1.3; import sealwright:plugin/document@0.1.3; export sealwright:plugin/falsification-inspection@0.1.3; }",
        path: "../../wit",
        world: "falsification",
        pub_export_macro: true,
        export_macro_name: "export_falsification",
        default_bindings_module: "sealwright_plugin_sdk::bindings::falsification",
        additional_derives: [PartialEq],
        generate_all,
        with: {
            "sealwright:plugin/types@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::types,
            "sealwright:plugin/content@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::content,
            "sealwright:plugin/findings@0.1.3": crate::bindings::document_type::sealwright::plugin::findings,
            "sealwright:plugin/facts@0.1.3": crate::bindings::document_type::sealwright::plugin::facts,
            "sealwright:plugin/provenance@0.1.3": crate::bindings::document_type::sealwright::plugin::provenance,
            "sealwright:plugin/image@0.1.3": crate::bindings::document_type::sealwright::plugin::image,
            "sealwright:plugin/document@0.1.3": crate::bindings::document_type::sealwright::plugin::document,
        },
    });
}

pub mod signal {
    macro_rules! generated {
        ($($derive:tt)*) => {
            wit_bindgen::generate!({
                inline: "package sealwright:sdk; world signal { import sealwright:plugin/content@0.1.3; import sealwright:plugin/findings@0.1.3; import sealwright:plugin/facts@0.1.3; import sealwright:plugin/image@0.1.3; import sealwright:plugin/evidence@0.1.3; export sealwright:plugin/signal-assessment@0.1.3; }",
                path: "../../wit",
                world: "signal",
                pub_export_macro: true,
                export_macro_name: "export_signal",
                default_bindings_module: "sealwright_plugin_sdk::bindings::signal",
                additional_derives: [PartialEq $($derive)*],
                generate_all,
                with: {
                    "sealwright:plugin/types@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::types,
                    "sealwright:plugin/content@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::content,
                    "sealwright:plugin/findings@0.1.3": crate::bindings::document_type::sealwright::plugin::findings,
                    "sealwright:plugin/facts@0.1.3": crate::bindings::document_type::sealwright::plugin::facts,
                    "sealwright:plugin/provenance@0.1.3": crate::bindings::document_type::sealwright::plugin::provenance,
                    "sealwright:plugin/image@0.1.3": crate::bindings::document_type::sealwright::plugin::image,
                },
            });
        };
    }

    #[cfg(not(feature = "serde"))]
    generated!();
    #[cfg(feature = "serde")]
    generated!(, Eq, serde::Serialize, serde::Deserialize);
}

/// Attached files and signed codes: what later interfaces add to a document. It has imports only, so a plugin of any role
/// can use it.
pub mod document_parts {
    macro_rules! generated {
        ($($derive:tt)*) => {
            wit_bindgen::generate!({
                inline: "package sealwright:sdk; world document-parts { import sealwright:plugin/attachments@0.1.3; import sealwright:plugin/codes@0.1.3; }",
                path: "../../wit",
                world: "document-parts",
                default_bindings_module: "sealwright_plugin_sdk::bindings::document_parts",
                additional_derives: [PartialEq $($derive)*],
                generate_all,
                with: {
                    "sealwright:plugin/content@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::content,
                    "sealwright:plugin/findings@0.1.3": crate::bindings::document_type::sealwright::plugin::findings,
                    "sealwright:plugin/facts@0.1.3": crate::bindings::document_type::sealwright::plugin::facts,
                    "sealwright:plugin/image@0.1.3": crate::bindings::document_type::sealwright::plugin::image,
                    "sealwright:plugin/document@0.1.3": crate::bindings::document_type::sealwright::plugin::document,
                },
            });
        };
    }

    #[cfg(not(feature = "serde"))]
    generated!();
    #[cfg(feature = "serde")]
    generated!(, Eq, serde::Serialize, serde::Deserialize);
}

pub mod cross_statement {
    wit_bindgen::generate!({
        inline: "package sealwright:sdk; world cross-statement { import sealwright:plugin/content@0.1.3; import sealwright:plugin/findings@0.1.3; import sealwright:plugin/facts@0.1.3; import sealwright:plugin/image@0.1.3; import sealwright:plugin/document@0.1.3; import sealwright:plugin/stated@0.1.3; export sealwright:plugin/cross-statement@0.1.3; }",
        path: "../../wit",
        world: "cross-statement",
        pub_export_macro: true,
        export_macro_name: "export_cross_statement",
        default_bindings_module: "sealwright_plugin_sdk::bindings::cross_statement",
        generate_all,
        with: {
            "sealwright:plugin/types@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::types,
            "sealwright:plugin/content@0.1.3": crate::bindings::webhook_auth::sealwright::plugin::content,
            "sealwright:plugin/findings@0.1.3": crate::bindings::document_type::sealwright::plugin::findings,
            "sealwright:plugin/facts@0.1.3": crate::bindings::document_type::sealwright::plugin::facts,
            "sealwright:plugin/image@0.1.3": crate::bindings::document_type::sealwright::plugin::image,
            "sealwright:plugin/document@0.1.3": crate::bindings::document_type::sealwright::plugin::document,
            "sealwright:plugin/stated@0.1.3": crate::bindings::signal::sealwright::plugin::stated,
        },
    });
}
