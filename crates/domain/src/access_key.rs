//! The keys at the end of public addresses. Anyone who knows a key can read what it belongs to (spec 4.16, decisions 9).

use std::fmt;

use sealwright_base::clock::random_key;

/// In hexadecimal digits.
const LENGTH: usize = 32;

macro_rules! access_keys {
    ($($(#[$doc:meta])* $name:ident, $text:literal);+ $(;)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            pub fn random() -> Self {
                Self(random_key())
            }

            /// Reads 32 hexadecimal digits. No key has capital ones, so a text with them names nothing.
            pub fn parse(text: &str) -> Option<Self> {
                let is_key = text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_key.then(|| Self(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        sealwright_base::text_column!($name, $text, Self::to_string, Self::parse);
    )+};
}

access_keys! {
    /// The last part of a certificate's address.
    ShareToken, "share token";
    /// The last part of the address of an item's file.
    MediaKey, "media key";
    /// The last part of the address of an upload by pieces.
    UploadKey, "upload key";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_32_hexadecimal_digits() {
        let key = MediaKey::random();
        assert_eq!(MediaKey::parse(&key.to_string()), Some(key));
        for wrong in ["", "a", &"a".repeat(33), &"g".repeat(32), &"\u{e9}".repeat(16)] {
            assert_eq!(ShareToken::parse(wrong), None, "{wrong}");
        }
    }
}
