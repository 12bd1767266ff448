//! The secret of a session that a browser keeps in a cookie: of a field user, or of a user of the console.

use sealwright_base::clock::random_bytes;
use sealwright_seal::Sha256Digest;

/// The secret of a person's session: 256 random bits as 64 lowercase hexadecimal characters. Not `Debug`: it belongs
/// in no log.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    pub fn random() -> Self {
        Self(hex::encode(random_bytes::<32>()))
    }

    pub fn parse(text: &str) -> Option<Self> {
        let is_token = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_token.then(|| Self(text.to_owned()))
    }

    /// The text of the cookie.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What the database has of it. The token is random, so its digest cannot be guessed from.
    pub fn digest(&self) -> Sha256Digest {
        Sha256Digest::of(&self.0)
    }

    /// The token that a page sends in `X-CSRF-Token`. A page of another origin can make the browser send the cookie, but
    /// knows neither.
    pub fn csrf(&self) -> String {
        Sha256Digest::of(format!("sealwright CSRF {}", self.0)).to_string()
    }

    /// Whether `given` is the CSRF token of this session. Digests are compared, so the time says nothing about the token.
    pub fn is_csrf(&self, given: &str) -> bool {
        Sha256Digest::of(given) == Sha256Digest::of(self.csrf())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_s_token_is_256_bits_and_its_csrf_token_is_another() {
        let token = SessionToken::random();
        assert!(SessionToken::parse(token.expose()).is_some_and(|read| read == token));
        assert!(token != SessionToken::random());
        assert_ne!(token.csrf(), token.digest().to_string());
        assert!(token.is_csrf(&token.csrf()));
        for wrong in ["", token.expose(), &SessionToken::random().csrf()] {
            assert!(!token.is_csrf(wrong), "{wrong}");
        }
        for wrong in ["", "a", &"g".repeat(64), &"A".repeat(64), &"a".repeat(65)] {
            assert!(SessionToken::parse(wrong).is_none(), "{wrong}");
        }
    }
}
