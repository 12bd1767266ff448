//! Plugins written by hand in WebAssembly text, for behaviour that no honest toolchain produces.

use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// A component of the world `webhook-auth`. By default it answers without headers.
pub(super) struct Guest<'a> {
    pub(super) name: &'a str,
    pub(super) version: &'a str,
    /// Items of the module, in addition to those of every guest.
    pub(super) items: String,
    /// What `describe` does before it answers.
    pub(super) describe: &'a str,
    /// What `authenticate` does before it answers with the data at address 1024. It has the locals `$request` and
    /// `$credential`.
    pub(super) authenticate: String,
}

impl Default for Guest<'_> {
    fn default() -> Self {
        Self { name: "guest", version: "1.0.0", items: answer(&[]), describe: "", authenticate: String::new() }
    }
}

/// Where `authenticate`'s answer is.
const ANSWER: usize = 1024;
/// Where the headers of an answer and their texts are.
const HEADERS: usize = 2048;
const TEXTS: usize = 65_536;
/// Where the host's data goes; the pages before it are the guest's own.
const HEAP: usize = 131_072;

impl Guest<'_> {
    /// The guest as a component.
    pub(super) fn build(&self) -> Vec<u8> {
        component_of(&self.text(), None, "webhook-auth")
    }

    fn text(&self) -> String {
        let Self { name, version, items, describe, authenticate } = self;
        let description = words(
            &[256, name.len(), 512, version.len(), 768, "A guest.".len()].map(|word| u32::try_from(word).unwrap()),
        );
        format!(
            r#"(module
                (import "sealwright:plugin/log@0.1.3" "log" (func $log (param i32 i32 i32)))
                (import "sealwright:plugin/content@0.1.3" "[method]content.sha256"
                    (func $sha256 (param i32 i32)))
                (import "sealwright:plugin/credentials@0.1.3" "[method]credential.reveal"
                    (func $reveal (param i32 i32)))
                (import "sealwright:plugin/credentials@0.1.3" "[resource-drop]credential"
                    (func $drop_credential (param i32)))
                (import "sealwright:plugin/webhook@0.1.3" "[method]request.body"
                    (func $body (param i32) (result i32)))
                (import "sealwright:plugin/webhook@0.1.3" "[resource-drop]request"
                    (func $drop_request (param i32)))
                (memory (export "memory") 64)
                (global $heap (mut i32) (i32.const {HEAP}))
                (func (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
                    (global.get $heap)
                    (global.set $heap (i32.add (global.get $heap)
                        (i32.and (i32.add (local.get $size) (i32.const 7)) (i32.const -8)))))
                (data (i32.const 16) "{description}")
                (data (i32.const 256) {name:?})
                (data (i32.const 512) {version:?})
                (data (i32.const 768) "A guest.")
                {items}
                (func (export "sealwright:plugin/meta@0.1.3#describe") (result i32)
                    {describe}
                    (i32.const 16))
                (func (export "sealwright:plugin/webhook-authentication@0.1.3#authenticate")
                    (param $request i32) (param $credential i32) (result i32)
                    {authenticate}
                    (call $drop_request (local.get $request))
                    (call $drop_credential (local.get $credential))
                    (i32.const {ANSWER})))"#
        )
    }
}

/// The module as a component of a world of the contract, or of `package`, which may include the contract's worlds.
pub(super) fn component_of(module: &str, package: Option<&str>, world: &str) -> Vec<u8> {
    let mut module = wat::parse_str(module).unwrap();
    let mut contract = Resolve::default();
    let mut parents = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let wit = parents.find_map(|parent| Some(parent.join("wit")).filter(|wit| wit.is_dir())).unwrap();
    let (mut of_world, _) = contract.push_dir(wit).unwrap();
    if let Some(package) = package {
        of_world = contract.push_str("tests.wit", package).unwrap();
    }
    let world = contract.select_world(&[of_world], Some(world)).unwrap();
    embed_component_metadata(&mut module, &contract, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().validate(true).encode().unwrap()
}

/// A guest whose `authenticate` runs this code before it answers.
pub(super) fn doing(authenticate: &str) -> Guest<'static> {
    Guest { authenticate: authenticate.to_owned(), ..Guest::default() }
}

/// A guest that answers with these headers.
pub(super) fn answering(headers: &[(&[u8], &[u8])]) -> Guest<'static> {
    Guest { items: answer(headers), ..Guest::default() }
}

/// A guest that returns an error with this text; `case` is the position of the error in the contract.
pub(super) fn declining(case: u8, text: &str) -> Guest<'static> {
    let answer = words(&[1, u32::from(case), u32::try_from(TEXTS).unwrap(), u32::try_from(text.len()).unwrap()]);
    let items =
        format!(r#"(data (i32.const {ANSWER}) "{answer}") (data (i32.const {TEXTS}) "{}")"#, escaped(text.as_bytes()));
    Guest { items, ..Guest::default() }
}

/// Data segments with a successful answer.
pub(super) fn answer(headers: &[(&[u8], &[u8])]) -> String {
    let (mut records, mut texts) = (Vec::new(), Vec::new());
    for text in headers.iter().flat_map(|(name, value)| [name, value]) {
        records.push(u32::try_from(TEXTS + texts.len()).unwrap());
        records.push(u32::try_from(text.len()).unwrap());
        texts.extend_from_slice(text);
    }
    let answer = words(&[0, u32::try_from(HEADERS).unwrap(), u32::try_from(headers.len()).unwrap()]);
    format!(
        r#"(data (i32.const {ANSWER}) "{answer}") (data (i32.const {HEADERS}) "{}") (data (i32.const {TEXTS}) "{}")"#,
        words(&records),
        escaped(&texts)
    )
}

/// Numbers in little-endian order, for a data segment.
pub(super) fn words(words: &[u32]) -> String {
    words.iter().map(|word| escaped(&word.to_le_bytes())).collect()
}

pub(super) fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("\\{byte:02x}"))
}
