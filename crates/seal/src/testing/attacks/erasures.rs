//! Manifests by a signer who is trusted and claims what is not so: gaps that are not erasures, and successors that drop more
//! than they say.

use serde_json::{Value, json};

/// Changes the manifest of a successor from which the item at place 1 of three was erased. `whole` is the manifest before.
type Change = fn(successor: &mut Value, whole: &Value);

const CHANGES: [(&str, Change); 12] = [
    ("a gap that nothing speaks of", |successor, _| {
        successor.as_object_mut().unwrap().remove("erasure");
        successor["version"] = json!(2);
    }),
    ("a gap of version 3 that nothing speaks of", |successor, _| {
        successor.as_object_mut().unwrap().remove("erasure");
    }),
    ("an erasure without items", |successor, _| successor["erasure"]["items"] = json!([])),
    ("an erasure that an older reader ignores", |successor, _| successor["version"] = json!(2)),
    ("it drops another item", |successor, _| {
        successor["items"].as_array_mut().unwrap().remove(0);
    }),
    ("it drops another item and says that there were fewer", |successor, _| {
        successor["items"].as_array_mut().unwrap().remove(1);
        successor["commitments"]["size"] = json!(2);
    }),
    ("the item that is said to be erased is another one", |successor, _| {
        successor["erasure"]["items"][0]["index"] = json!(0);
    }),
    ("the erased item is beyond the end", |successor, _| successor["erasure"]["items"][0]["index"] = json!(7)),
    ("the erased item is there twice", |successor, _| {
        let erased = successor["erasure"]["items"][0].clone();
        successor["erasure"]["items"].as_array_mut().unwrap().push(erased);
    }),
    ("the commitment is another item's", |successor, whole| {
        successor["erasure"]["items"][0]["commitment"] = whole["items"][0]["salt"].clone();
    }),
    ("the erased item is still there", |successor, whole| successor["items"] = whole["items"].clone()),
    ("an item was changed too", |successor, _| successor["items"][1]["value"] = json!("Blood")),
];

/// Every change, by name.
pub(crate) fn manifests(successor: &Value, whole: &Value) -> Vec<(&'static str, Vec<u8>)> {
    let changed = |(what, change): &(&'static str, Change)| {
        let mut manifest = successor.clone();
        change(&mut manifest, whole);
        (*what, sealwright_seal::canonical::to_vec(&manifest).unwrap())
    };
    CHANGES.iter().map(changed).collect()
}
