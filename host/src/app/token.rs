//! Access tokens: JWTs signed with Ed25519 by a key that the server creates on its first start and keeps encrypted in
//! the database, so that all nodes share it (decisions 3).

mod ed25519;

use std::{fmt, sync::Arc, time::Duration};

use anyhow::Context;
use ed25519_dalek::SigningKey;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    clock::{Timestamp, random_bytes},
    db::Db,
    domain::id::{CompanyId, UserId},
    secrets::SecretKey,
    store,
};

/// The secret's name in the store, and the purpose it is encrypted for.
const SECRET: &str = "token-signing-key";
/// How many verified tokens are remembered. Verifying a signature costs more than most requests.
const REMEMBERED: usize = 10_000;
/// No token of ours is longer; longer ones are rejected unread.
const LONGEST: usize = 8 * 1024;

/// The claims of a token (decisions 3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claims {
    pub sub: UserId,
    pub company_id: CompanyId,
    /// The rights at the time of issue, for the client's information. The store decides.
    pub scope: String,
    /// Seconds since the Unix epoch (RFC 7519, section 4.1).
    pub iat: i64,
    pub exp: i64,
    pub iss: String,
}

/// Signs and verifies access tokens.
pub struct TokenKeys {
    key_id: String,
    issuer: String,
    encoding: EncodingKey,
    decoding: DecodingKey,
    public: [u8; 32],
    verified: Cache<String, Arc<Claims>>,
}

impl TokenKeys {
    /// Loads the key from the store, creating it on the first start.
    pub async fn load(db: &Db, secrets: &SecretKey, issuer: &str) -> anyhow::Result<Self> {
        let seed = Self::load_seed(db, secrets).await.context("the key that signs access tokens")?;
        Ok(Self::from_seed(seed, issuer))
    }

    /// Whether the key in the store, if there is one, was encrypted with `secrets`. None: nothing is in the store.
    pub async fn are_readable(db: &Db, secrets: &SecretKey) -> anyhow::Result<Option<bool>> {
        let mut reader = db.read().await?;
        let stored = store::secret::find(&mut reader, SECRET).await?;
        Ok(stored.map(|ciphertext| secrets.decrypt(SECRET, &ciphertext).is_ok()))
    }

    async fn load_seed(db: &Db, secrets: &SecretKey) -> anyhow::Result<[u8; 32]> {
        let mut reader = db.read().await?;
        let stored = store::secret::find(&mut reader, SECRET).await?;
        drop(reader);
        let ciphertext = if let Some(ciphertext) = stored {
            ciphertext
        } else {
            let fresh = secrets.encrypt(SECRET, &random_bytes::<32>());
            let mut tx = db.begin().await?;
            store::secret::insert_if_absent(&mut tx, SECRET, &fresh).await?;
            let stored = store::secret::find(&mut tx, SECRET).await?.context("was stored just now")?;
            tx.commit().await?;
            stored
        };
        let seed = secrets.decrypt(SECRET, &ciphertext)?;
        <[u8; 32]>::try_from(seed).map_err(|_| anyhow::anyhow!("is not 32 bytes long"))
    }

    fn from_seed(seed: [u8; 32], issuer: &str) -> Self {
        let key = SigningKey::from_bytes(&seed);
        let public = key.verifying_key();
        ed25519::install();
        Self {
            key_id: hex::encode(&Sha256::digest(public.as_bytes())[..8]),
            issuer: issuer.to_owned(),
            encoding: ed25519::encoding_key(&key),
            decoding: ed25519::decoding_key(&public),
            public: public.to_bytes(),
            verified: Cache::new(REMEMBERED),
        }
    }

    /// Issues a token for `user` that expires after `lifetime`.
    pub fn issue(
        &self,
        user: &UserId,
        company: CompanyId,
        scope: String,
        now: Timestamp,
        lifetime: Duration,
    ) -> anyhow::Result<String> {
        let iat = now.as_millis().div_euclid(1000);
        let exp = now.after(lifetime).as_millis().div_euclid(1000);
        let claims = Claims { sub: user.clone(), company_id: company, scope, iat, exp, iss: self.issuer.clone() };
        let header = Header { kid: Some(self.key_id.clone()), ..Header::new(Algorithm::EdDSA) };
        encode(&header, &claims, &self.encoding).context("signing a token")
    }

    /// Signs `payload` as a compact JWS. `kind` is its `typ`, which keeps it from being used as an access token.
    pub fn sign(&self, kind: &str, payload: &impl Serialize) -> anyhow::Result<String> {
        let header =
            Header { kid: Some(self.key_id.clone()), typ: Some(kind.to_owned()), ..Header::new(Algorithm::EdDSA) };
        encode(&header, payload, &self.encoding).with_context(|| format!("signing: {kind}"))
    }

    /// The identifier and the bytes of the public key, which verifies what [`Self::sign`] has signed.
    pub fn public_key(&self) -> (&str, &[u8; 32]) {
        (&self.key_id, &self.public)
    }

    /// The claims of a token, if this server signed it and it has not expired.
    pub fn verify(&self, token: &str, now: Timestamp) -> Option<Arc<Claims>> {
        let claims = match self.verified.get(token) {
            Some(claims) => claims,
            None if token.len() > LONGEST => return None,
            None => {
                let claims = Arc::new(self.decode(token)?);
                self.verified.insert(token.to_owned(), Arc::clone(&claims));
                claims
            }
        };
        let seconds = now.as_millis().div_euclid(1000);
        (seconds < claims.exp).then_some(claims)
    }

    fn decode(&self, token: &str) -> Option<Claims> {
        let mut validation = Validation::new(Algorithm::EdDSA);
        // Expiry is checked by our own clock, at every use.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "sub", "iss"]);
        validation.set_issuer(&[&self.issuer]);
        let header = decode_header(token).ok()?;
        if header.kid.as_ref() != Some(&self.key_id) {
            return None;
        }
        decode::<Claims>(token, &self.decoding, &validation).ok().map(|data| data.claims)
    }
}

impl fmt::Debug for TokenKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenKeys").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    use serde_json::{Value, json};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
    const HOUR: Duration = Duration::from_hours(1);

    fn keys(seed: u8) -> TokenKeys {
        TokenKeys::from_seed([seed; 32], "https://seal.example")
    }

    fn token(keys: &TokenKeys) -> String {
        let user = UserId::parse("usr-1").unwrap();
        keys.issue(&user, CompanyId::new(7).unwrap(), "p_api:*".to_owned(), NOW, HOUR).unwrap()
    }

    fn part(token: &str, index: usize) -> Value {
        let encoded = token.split('.').nth(index).unwrap();
        serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(encoded).unwrap()).unwrap()
    }

    #[test]
    fn decisions_3_a_token_carries_its_claims_and_key_id() {
        let keys = keys(1);
        let token = token(&keys);
        assert_eq!(part(&token, 0)["alg"], "EdDSA");
        assert_eq!(part(&token, 0)["kid"], keys.key_id.as_str());
        assert_eq!(
            part(&token, 1),
            json!({ "sub": "usr-1", "companyId": 7, "scope": "p_api:*", "iat": 1_795_168_800, "exp": 1_795_172_400,
                    "iss": "https://seal.example" })
        );
    }

    #[test]
    fn a_token_lives_until_it_expires() {
        let keys = keys(1);
        let token = token(&keys);
        assert_eq!(keys.verify(&token, NOW).unwrap().sub.as_str(), "usr-1");
        assert!(keys.verify(&token, NOW.after(HOUR).before(Duration::from_secs(1))).is_some());
        assert!(keys.verify(&token, NOW.after(HOUR)).is_none(), "also when it is remembered");
    }

    #[test]
    fn a_token_that_this_server_did_not_sign_is_refused() {
        let ours = keys(1);
        let token = token(&ours);
        assert!(ours.verify(&self::token(&keys(2)), NOW).is_none(), "another key");
        let parts: Vec<&str> = token.split('.').collect();
        let encoded = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let mut richer = part(&token, 1);
        richer["companyId"] = json!(8);
        let mut none = part(&token, 0);
        none["alg"] = json!("none");
        let mut symmetric = part(&token, 0);
        symmetric["alg"] = json!("HS256");
        for forged in [
            format!("{}.{}.{}", parts[0], encoded(richer), parts[2]),
            format!("{}.{}.", encoded(none.clone()), parts[1]),
            format!("{}.{}.{}", encoded(none), parts[1], parts[2]),
            format!("{}.{}.{}", encoded(symmetric), parts[1], parts[2]),
            format!("{}.{}", parts[0], parts[1]),
            format!("{token}x"),
            format!("{token}."),
            token[1..].to_owned(),
            token.to_uppercase(),
            String::new(),
            "a.b.c".to_owned(),
            "x".repeat(100_000),
        ] {
            assert!(ours.verify(&forged, NOW).is_none(), "{forged}");
        }
    }
}
