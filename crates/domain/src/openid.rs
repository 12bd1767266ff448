//! A person at an OpenID Connect provider.

use std::{fmt, str::FromStr};

/// The identifier that the provider gives a person, for good and to no one else: the claim `sub` (`OpenID` Connect Core 1.0,
/// section 2). It is compared exactly. Names and e-mail addresses can pass from one person to another; this cannot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OidcSubject(String);

impl OidcSubject {
    pub const EXPECTED: &'static str =
        "the claim `sub` of the person at the provider: 1 to 255 visible ASCII characters";

    pub fn parse(text: &str) -> Option<Self> {
        let is_subject = (1..=255).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        (is_subject && text.trim() == text).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OidcSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for OidcSubject {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::parse(text).ok_or(())
    }
}

sealwright_base::text_column!(OidcSubject, "subject of a provider");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_has_1_to_255_visible_characters() {
        let longest = "a".repeat(255);
        for right in ["1", "248289761001", "auth0|5f7c8ec7c33c6c004bbafe82", "a b", &longest] {
            assert_eq!(OidcSubject::parse(right).unwrap().as_str(), right);
        }
        for wrong in ["", " ", " a", "a ", "a\nb", "a\0", "é", &format!("{longest}a")] {
            assert_eq!(OidcSubject::parse(wrong), None, "{wrong:?}");
        }
    }
}
