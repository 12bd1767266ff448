//! A claim (C2PA 2.1, section 10): the statements of one manifest, by reference and hash.

use ciborium::value::Value;

use crate::{
    cbor,
    jumbf::{Store, Superbox},
    text::one_line,
};

/// Assertions of one claim; real ones have about ten.
const MAX_ASSERTIONS: usize = 512;

/// A reference to a box, with its hash (`hashed_uri`, C2PA 2.1, section 8.4.2).
#[derive(Clone, Debug)]
pub(crate) struct HashedUri {
    pub(crate) url: String,
    pub(crate) hash: Vec<u8>,
    /// The name of the hash; `None`: that of the claim.
    pub(crate) algorithm: Option<String>,
}

impl HashedUri {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        Some(Self {
            url: cbor::text(value, "url")?.to_owned(),
            hash: cbor::bytes(value, "hash")?.to_vec(),
            algorithm: cbor::text(value, "alg").map(str::to_owned),
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Claim<'a> {
    /// The signed bytes.
    pub(crate) bytes: &'a [u8],
    /// 1 or 2.
    pub(crate) version: u8,
    pub(crate) assertions: Vec<HashedUri>,
    pub(crate) algorithm: String,
    pub(crate) generator: Option<String>,
    /// The assertions of earlier manifests that it declares as removed.
    pub(crate) redacted: Vec<String>,
}

impl<'a> Claim<'a> {
    /// The claim of a manifest. `None` if it has no claim that can be read, or more than one.
    pub(crate) fn of_manifest(store: &Store<'a>, manifest: usize) -> Option<Self> {
        let mut claims = store.children(manifest).filter(|(_, found)| &found.kind == b"c2cl");
        let (_, found) = claims.next()?;
        if claims.next().is_some() {
            return None;
        }
        Self::read(found)
    }

    fn read(found: &Superbox<'a>) -> Option<Self> {
        let bytes = found.content(*b"cbor")?;
        let value = cbor::read(bytes)?;
        let version = if found.label == "c2pa.claim.v2" { 2 } else { 1 };
        let lists: &[&str] =
            if version == 2 { &["created_assertions", "gathered_assertions"] } else { &["assertions"] };
        let references = lists.iter().flat_map(|list| cbor::list(&value, list));
        let assertions: Vec<HashedUri> =
            references.take(MAX_ASSERTIONS + 1).map(HashedUri::read).collect::<Option<_>>()?;
        if assertions.len() > MAX_ASSERTIONS {
            return None;
        }
        let redacted = cbor::list(&value, "redacted_assertions").iter();
        Some(Self {
            bytes,
            version,
            assertions,
            algorithm: cbor::text(&value, "alg").unwrap_or("sha256").to_owned(),
            generator: generator(&value),
            redacted: redacted.filter_map(Value::as_text).map(str::to_owned).take(MAX_ASSERTIONS).collect(),
        })
    }
}

/// The program that made the claim: `claim_generator_info` is a map in version 2, a list of maps in version 1, which
/// also has a text like a browser's.
fn generator(claim: &Value) -> Option<String> {
    let info = cbor::field(claim, "claim_generator_info");
    let first = info.and_then(Value::as_array).and_then(|list| list.first()).or(info);
    let named = first.and_then(|info| {
        let name = cbor::text(info, "name")?;
        let version = cbor::text(info, "version").unwrap_or_default();
        Some(format!("{name} {version}"))
    });
    one_line(&named.or_else(|| cbor::text(claim, "claim_generator").map(str::to_owned))?)
}
