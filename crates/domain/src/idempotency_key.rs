//! The value of the header `Idempotency-Key`.

/// A name that a client gives to one request, so that it can send it again. Only the same user's requests share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// What [`IdempotencyKey::parse`] accepts.
    pub const EXPECTED: &str = "1 to 255 visible ASCII characters";
    /// In characters.
    const LONGEST: usize = 255;

    pub fn parse(text: &str) -> Option<Self> {
        let is_valid = (1..=Self::LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_valid.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_1_to_255_visible_ascii_characters() {
        for valid in ["a", "8e03978e-40d5-43dd-bc93-6894a57f9324", "\"quoted\"", &"k".repeat(255)] {
            assert_eq!(IdempotencyKey::parse(valid).as_ref().map(IdempotencyKey::as_str), Some(valid));
        }
        for invalid in ["", " ", "two words", "tab\t", "clé", &"k".repeat(256)] {
            assert_eq!(IdempotencyKey::parse(invalid), None, "{invalid:?}");
        }
    }
}
