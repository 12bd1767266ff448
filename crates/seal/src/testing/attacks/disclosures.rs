//! Ways to pass off a signed disclosure as something that it is not: by someone who changes a file, and by a signer who is
//! trusted and signs any statement.

use serde_json::{Value, json};

/// What an attacker has.
pub(crate) struct Disclosures<'a> {
    /// Of two items of a case.
    pub(crate) own: &'a [u8],
    /// Of two items of another case, by the same signer.
    pub(crate) other: &'a [u8],
    /// The trusted signer.
    pub(crate) sign: &'a dyn Fn(Value) -> Vec<u8>,
}

/// One changed disclosure.
pub(crate) struct Forgery {
    pub(crate) variant: &'static str,
    pub(crate) file: Vec<u8>,
    /// Whether the trusted signer has signed it.
    pub(crate) is_signed: bool,
}

/// Changes `own`, which may use what `other` says.
type Change = fn(own: &mut Value, other: &Value);

const CHANGES: [(&str, Change); 14] = [
    ("another case's item is added", |own, other| {
        let item = other["disclosure"]["items"][0].clone();
        own["disclosure"]["items"].as_array_mut().unwrap().push(item);
    }),
    ("another case's item takes the place of one", |own, other| {
        own["disclosure"]["items"][0] = other["disclosure"]["items"][0].clone();
    }),
    ("another case's item with the proof of one", |own, other| {
        own["disclosure"]["items"][0]["item"] = other["disclosure"]["items"][0]["item"].clone();
    }),
    ("another case's root", |own, other| {
        own["disclosure"]["commitments"]["root"] = other["disclosure"]["commitments"]["root"].clone();
    }),
    ("another case's tree", |own, other| {
        own["disclosure"]["commitments"] = other["disclosure"]["commitments"].clone();
        own["disclosure"]["items"][0] = other["disclosure"]["items"][0].clone();
    }),
    ("an item has another value", |own, _| own["disclosure"]["items"][1]["item"]["value"] = json!("Blood")),
    ("an item has another digest", |own, other| {
        let digest = other["disclosure"]["items"][0]["item"]["file"]["sha256"].clone();
        own["disclosure"]["items"][0]["item"]["file"]["sha256"] = digest;
    }),
    ("an item has moved", |own, _| own["disclosure"]["items"][0]["index"] = json!(1)),
    ("an item is there twice", |own, _| {
        let item = own["disclosure"]["items"][0].clone();
        own["disclosure"]["items"].as_array_mut().unwrap().insert(0, item);
    }),
    ("the certificate has more items", |own, _| own["disclosure"]["commitments"]["size"] = json!(300)),
    ("an item's token is left out", |own, _| own["tokens"] = json!([])),
    ("an item's token is another's", |own, other| own["tokens"] = other["tokens"].clone()),
    ("the token of another certificate", |own, other| {
        own["certificate"]["sealManifestToken"] = other["certificate"]["sealManifestToken"].clone();
    }),
    ("a log without the certificate", |own, _| {
        own["certificate"]["log"] = json!({ "key": "log+00000000+AAAA", "proof": "c2sp.org/tlog-proof@v1\n" });
    }),
];

/// Every change, without and with the help of the signer, and changes of the file's form.
pub(crate) fn forgeries(given: &Disclosures<'_>) -> Vec<Forgery> {
    let read = |file: &[u8]| serde_json::from_slice::<Value>(file).unwrap();
    let (own, other) = (read(given.own), read(given.other));
    let mut forgeries = Vec::new();
    for (variant, change) in CHANGES {
        let mut changed = own.clone();
        change(&mut changed["statement"], &other["statement"]);
        let file = sealwright_seal::canonical::to_vec(&changed).unwrap();
        forgeries.push(Forgery { variant, file, is_signed: false });
        let file = (given.sign)(changed["statement"].take());
        forgeries.push(Forgery { variant, file, is_signed: true });
    }
    let mut add = |variant, file| forgeries.push(Forgery { variant, file, is_signed: false });
    let mut swapped = own.clone();
    swapped["signature"] = other["signature"].clone();
    add("the signature of another", sealwright_seal::canonical::to_vec(&swapped).unwrap());
    let mut unsigned = own.clone();
    unsigned["signature"] = json!("");
    add("the signature is empty", sealwright_seal::canonical::to_vec(&unsigned).unwrap());
    let mut extended = own.clone();
    extended["note"] = json!("valid");
    add("an unknown member", sealwright_seal::canonical::to_vec(&extended).unwrap());
    add("a space at the end", [given.own, b" "].concat());
    add("other spaces", serde_json::to_vec_pretty(&own).unwrap());
    let text = String::from_utf8(given.own.to_vec()).unwrap();
    let doubled = text.replacen('{', r#"{"signature":"","#, 1);
    add("a member is there twice", doubled.into_bytes());
    add("cut off", given.own[..given.own.len() / 2].to_vec());
    forgeries
}
