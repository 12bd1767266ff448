//! A plugin with every analysis role, written by hand in WebAssembly text. Its answers never change, so the score of a
//! case can be worked out on paper. Parts of it can be made to fail.

use std::{fs, path::Path};

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use super::{Receiver, TestServer, company_manifest::acme};

/// The answers of the plugin. A given body runs before the answer of its function.
#[derive(Clone, Copy)]
pub(crate) struct Analyst {
    pub(crate) version: &'static str,
    /// The result of its one check.
    pub(crate) evaluation: i64,
    pub(crate) detect: &'static str,
    pub(crate) extract: &'static str,
    pub(crate) inspect: &'static str,
    pub(crate) assess: &'static str,
}

impl Default for Analyst {
    fn default() -> Self {
        Self { version: "1.0.0", evaluation: EVALUATION, detect: "", extract: "", inspect: "", assess: "" }
    }
}

/// It detects an `IDENTITY_CARD`.
pub(crate) const TYPE_SCORE: i64 = 97;
/// It runs one check, `FONT_CONSISTENCY`.
pub(crate) const EVALUATION: i64 = 96;
/// It returns one signal, `gps`.
pub(crate) const GPS_SCORE: i64 = 90;
/// It reads these values from every document, for `documentNumber` and for `lastName`.
pub(crate) const DOCUMENT_NUMBER: &str = "ZX-4711-QUUX";
pub(crate) const LAST_NAME: &str = "Mirabellon";

/// Never ends.
pub(crate) const LOOP: &str = "(loop $again (br $again))";
pub(crate) const TRAP: &str = "unreachable";

const NAME: &str = "analyst";
const PACKAGE: &str = "package tests:analyst;
    world analyst {
        include sealwright:plugin/document-type@0.1.3;
        include sealwright:plugin/cross-check@0.1.3;
        include sealwright:plugin/falsification@0.1.3;
        include sealwright:plugin/signal@0.1.3;
    }";

impl Analyst {
    /// Loads this plugin on the server and applies Acme with it in every role.
    pub(crate) async fn install_on(self, server: &mut TestServer) -> (super::Api, Receiver) {
        let receiver = Receiver::start().await;
        let folder = server.data_dir().join("plugins");
        fs::create_dir_all(&folder).expect("make the plugin folder");
        fs::write(folder.join("analyst.wasm"), self.component()).expect("write the plugin");
        server.restart().await;
        server.must_apply(&analysed(&receiver));
        let user = super::company_manifest::ACME_API;
        (server.sign_in(user.username, user.password).await, receiver)
    }

    pub(crate) fn component(self) -> Vec<u8> {
        let module = self.module();
        ComponentEncoder::default().module(&module).expect("a core module").encode().expect("it can be a component")
    }

    /// The core module that `plugin pack` turns into the component.
    pub(crate) fn module(self) -> Vec<u8> {
        let mut module = wat::parse_str(self.text()).expect("the module is well formed");
        let mut contract = Resolve::default();
        contract.push_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit")).expect("read the contract");
        let of_world = contract.push_str("tests.wit", PACKAGE).expect("the world is well formed");
        let world = contract.select_world(&[of_world], Some("analyst")).expect("the world is there");
        embed_component_metadata(&mut module, &contract, world, StringEncoding::UTF8)
            .expect("the module fits the world");
        module
    }

    fn text(self) -> String {
        let Self { version, evaluation, detect, extract, inspect, assess } = self;
        let mut memory = Memory::default();
        let description = [NAME, version, "Always says the same."].map(|text| memory.text(text));
        let description = memory.place(&description.concat());
        let number = |number: i64| i32::try_from(number).expect("a small number");

        let candidate = [&memory.text("IDENTITY_CARD")[..], &[number(TYPE_SCORE), 0, 0]].concat();
        let detected = memory.list(&candidate, 1);

        let names = [memory.text("FONT_CONSISTENCY"), memory.text("Fonts")].concat();
        // The verdict `valid`, the evaluation and a weight of 10 share four bytes.
        let check = [&names[..], &[number(evaluation) << 8 | 10 << 16, 0, 0]].concat();
        let inspected = memory.list(&check, 1);

        let field = |memory: &mut Memory, code: &str, value: &str| {
            [&memory.text(code)[..], &memory.text(value)[..], &[0, 0, 0, 0, 0, 0, 0, 90]].concat()
        };
        let fields = [field(&mut memory, "lastName", LAST_NAME), field(&mut memory, "documentNumber", DOCUMENT_NUMBER)];
        let extracted = memory.list(&fields.concat(), 2);

        let comparison = [&[100 << 8][..], &memory.text("It begins alike, or does not.")[..]].concat();
        let (compared, comparison) = memory.list_at(&comparison, 1);

        let signal = [&memory.text("gps")[..], &[number(GPS_SCORE), 0, 0]].concat();
        let assessed = memory.list(&signal, 1);
        let data = memory.data();
        format!(
            r#"(module
                (import "sealwright:plugin/document@0.1.3" "[resource-drop]document" (func $drop_document (param i32)))
                (import "sealwright:plugin/evidence@0.1.3" "[resource-drop]evidence" (func $drop_evidence (param i32)))
                (memory (export "memory") 16)
                (global $heap (mut i32) (i32.const 65536))
                (func (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
                    (global.get $heap)
                    (global.set $heap (i32.add (global.get $heap)
                        (i32.and (i32.add (local.get $size) (i32.const 7)) (i32.const -8)))))
                {data}
                (func (export "sealwright:plugin/meta@0.1.3#describe") (result i32) (i32.const {description}))
                (func (export "sealwright:plugin/document-type-detection@0.1.3#detect")
                    (param $document i32) (param i32 i32) (result i32)
                    {detect}
                    (call $drop_document (local.get $document))
                    (i32.const {detected}))
                (func (export "sealwright:plugin/cross-checking@0.1.3#extract")
                    (param $document i32) (param i32 i32 i32 i32 i32 i32) (result i32)
                    {extract}
                    (call $drop_document (local.get $document))
                    (i32.const {extracted}))
                (func (export "sealwright:plugin/cross-checking@0.1.3#compare")
                    (param $pairs i32) (param i32 i32 i32) (result i32)
                    ;; Missing if nothing was entered, else the same if it starts with an M.
                    (i32.store8 (i32.const {comparison})
                        (if (result i32) (i32.load8_u offset=8 (local.get $pairs))
                            (then (i32.ne (i32.const 77) (i32.load8_u (i32.load offset=12 (local.get $pairs)))))
                            (else (i32.const 2))))
                    (i32.const {compared}))
                (func (export "sealwright:plugin/falsification-inspection@0.1.3#inspect")
                    (param $document i32) (param i32 i32 i32 i32) (result i32)
                    {inspect}
                    (call $drop_document (local.get $document))
                    (i32.const {inspected}))
                (func (export "sealwright:plugin/signal-assessment@0.1.3#assess")
                    (param $evidence i32) (param i32 i32) (result i32)
                    {assess}
                    (call $drop_evidence (local.get $evidence))
                    (i32.const {assessed})))"#
        )
    }
}

/// Acme's company manifest with the plugin in every role.
pub(crate) fn analysed(receiver: &Receiver) -> String {
    let plugin = |role: &str| format!("\n[[analysis.plugin]]\nname = \"{NAME}\"\nrole = \"{role}\"\n");
    acme(receiver) + &["document-type", "cross-check", "falsification", "signal"].map(plugin).concat()
}

/// The start of the module's memory, as laid out by the canonical ABI. Address 0 is unused.
struct Memory(Vec<u8>);

impl Default for Memory {
    fn default() -> Self {
        Self(vec![0; 16])
    }
}

impl Memory {
    /// Adds a text; returns its address and length.
    fn text(&mut self, text: &str) -> [i32; 2] {
        let at = self.end();
        self.0.extend_from_slice(text.as_bytes());
        while !self.0.len().is_multiple_of(4) {
            self.0.push(0);
        }
        [at, i32::try_from(text.len()).expect("a short text")]
    }

    /// Adds words of four bytes; returns their address.
    fn place(&mut self, words: &[i32]) -> i32 {
        let at = self.end();
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        at
    }

    /// A successful answer with a list of `count` records.
    fn list(&mut self, records: &[i32], count: i32) -> i32 {
        self.list_at(records, count).0
    }

    /// The same, with the address of the records.
    fn list_at(&mut self, records: &[i32], count: i32) -> (i32, i32) {
        let records = self.place(records);
        (self.place(&[0, records, count]), records)
    }

    fn end(&self) -> i32 {
        i32::try_from(self.0.len()).expect("a small memory")
    }

    fn data(&self) -> String {
        let bytes = self.0.iter().map(|byte| format!("\\{byte:02x}")).collect::<Vec<_>>().concat();
        format!("(data (i32.const 0) \"{bytes}\")")
    }
}
