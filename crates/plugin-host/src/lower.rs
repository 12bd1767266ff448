//! The records of the facts as those of the bindings. Both are generated from the contract, so the conversion is too:
//! `build.rs` reads `wit/` and writes an implementation for each record and enum, field by field.

use super::bindings::analysis::sealwright::plugin as contract;
use sealwright_plugin_sdk::facts as shape;

/// A value of the facts as the bindings pass it to a plugin.
pub(super) trait Lower {
    type Lowered;

    fn lower(&self) -> Self::Lowered;
}

macro_rules! lowered_by_clone {
    ($($type:ty),*) => {
        $(impl Lower for $type {
            type Lowered = Self;

            fn lower(&self) -> Self {
                Clone::clone(self)
            }
        })*
    };
}

lowered_by_clone!(bool, u8, u16, u32, u64, i32, i64, String, (String, String));

impl<T: Lower> Lower for Option<T> {
    type Lowered = Option<T::Lowered>;

    fn lower(&self) -> Self::Lowered {
        self.as_ref().map(Lower::lower)
    }
}

impl<T: Lower> Lower for Vec<T> {
    type Lowered = Vec<T::Lowered>;

    fn lower(&self) -> Self::Lowered {
        self.iter().map(Lower::lower).collect()
    }
}

include!(concat!(env!("OUT_DIR"), "/lower.rs"));
