//! What the export macros of all roles share.

/// Checks natively, where nothing is exported, that a type implements its role.
#[doc(hidden)]
#[macro_export]
macro_rules! native_check {
    ($role:path, $player:ty) => {
        #[cfg(not(target_family = "wasm"))]
        const _: () = {
            const fn plays_its_role<P: $role>() {}
            plays_its_role::<$player>();
        };
    };
}

/// Exports `meta` with the name, version and description of the plugin's package.
#[doc(hidden)]
#[macro_export]
macro_rules! describe {
    ($component:ident) => {
        const _: () = {
            use $crate::bindings::base::exports::sealwright::plugin::meta;
            impl meta::Guest for $component {
                fn describe() -> meta::Description {
                    meta::Description {
                        name: env!("CARGO_PKG_NAME").to_owned(),
                        version: env!("CARGO_PKG_VERSION").to_owned(),
                        summary: env!("CARGO_PKG_DESCRIPTION").to_owned(),
                    }
                }
            }
    $crate::bindings::base::export_base!($component with_types_in $crate::bindings::base);
        };
    };
}

/// Declares the plugin's settings: a JSON Schema (draft 2020-12) of an object, against which the host validates what an
/// operator sets. Use it in addition to the export of the plugin's role.
#[macro_export]
macro_rules! export_settings {
    ($schema:expr) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::bindings::configurable::exports::sealwright::plugin::settings;
            struct Component;
            impl settings::Guest for Component {
                fn schema() -> String {
                    let schema: &str = $schema;
                    schema.to_owned()
                }
            }
            $crate::bindings::configurable::export_configurable!(Component with_types_in $crate::bindings::configurable);
        };
    };
}
