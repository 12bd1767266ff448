//! Plugins of the role `cross-check` with the optional interface `cross-verification`, written by hand in WebAssembly
//! text: when they are asked, and which answers are allowed.

use std::sync::Arc;

use super::{
    analysis::chosen,
    guest::{component_of, escaped, words},
    *,
};
use crate::{
    FieldVerifications, Question as _,
    facts::{Document, Entry, VerificationOutcome},
};

/// A verification to answer with.
struct TestVerification {
    /// The position in the enum `outcome`.
    outcome: u32,
    score: u32,
    page: Option<u32>,
    text: String,
}

fn different(score: u32, page: Option<u32>, text: &str) -> TestVerification {
    TestVerification { outcome: 1, score, page, text: text.to_owned() }
}

/// The addresses of the answer, its records, and texts.
const ANSWER: usize = 1024;
const RECORDS: usize = 2048;
const TEXTS: usize = 16_384;

/// A component with this answer to `verify`. None: without the interface.
fn verifier(answer: Option<&[TestVerification]>) -> Vec<u8> {
    let (name, version, summary) = ("judge", "1.0.0", "A judge.");
    let number = |number: usize| u32::try_from(number).unwrap();
    let description = words(&[256, name.len(), 512, version.len(), 768, summary.len()].map(number));
    let (mut records, mut texts) = (Vec::new(), Vec::new());
    for one in answer.unwrap_or_default() {
        records.push(one.outcome | one.score << 8);
        records.extend([u32::from(one.page.is_some()), one.page.unwrap_or_default(), 0, 0, 0, 0, 0]);
        records.extend([number(TEXTS + texts.len()), number(one.text.len())]);
        texts.extend_from_slice(one.text.as_bytes());
    }
    let head = words(&[0, number(RECORDS), number(answer.unwrap_or_default().len())]);
    let (records, texts) = (words(&records), escaped(&texts));
    let verify = format!(
        r#"(data (i32.const {ANSWER}) "{head}") (data (i32.const {RECORDS}) "{records}")
           (data (i32.const {TEXTS}) "{texts}")
           (func (export "sealwright:plugin/cross-verification@0.1.3#verify")
               (param $document i32) (param i32 i32 i32 i32 i32 i32) (result i32)
               (call $drop_document (local.get $document))
               (i32.const {ANSWER}))"#
    );
    let (world, verify) = match answer {
        Some(_) => ("verifying-cross-check", verify),
        None => ("cross-check", String::new()),
    };
    let module = format!(
        r#"(module
            (import "sealwright:plugin/document@0.1.3" "[resource-drop]document" (func $drop_document (param i32)))
            (memory (export "memory") 16)
            (global $heap (mut i32) (i32.const 65536))
            (func (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
                (global.get $heap)
                (global.set $heap (i32.add (global.get $heap)
                    (i32.and (i32.add (local.get $size) (i32.const 7)) (i32.const -8)))))
            (data (i32.const 16) "{description}")
            (data (i32.const 256) {name:?})
            (data (i32.const 512) {version:?})
            (data (i32.const 768) {summary:?})
            (func (export "sealwright:plugin/meta@0.1.3#describe") (result i32) (i32.const 16))
            (func (export "sealwright:plugin/cross-checking@0.1.3#extract")
                (param i32 i32 i32 i32 i32 i32 i32) (result i32) unreachable)
            (func (export "sealwright:plugin/cross-checking@0.1.3#compare")
                (param i32 i32 i32 i32) (result i32) unreachable)
            {verify})"#
    );
    component_of(&module, None, world)
}

/// The question about this many entered values.
fn question(entries: usize) -> FieldVerifications {
    let entry = |n: usize| Entry { code: "documentNumber".to_owned(), value: format!("ZX-{n}") };
    FieldVerifications::new(Arc::new(Document::default()), "PASSPORT".to_owned(), (0..entries).map(entry).collect())
}

#[tokio::test]
async fn entered_values_are_verified_and_the_run_is_recorded() {
    let same = TestVerification { outcome: 0, score: 100, page: None, text: "It is there.".to_owned() };
    let answer = [same, different(40, Some(2), "It is another number.")];
    let host = TestHost::with(&[("judge.wasm", verifier(Some(answer.as_slice())))]).host;
    assert_eq!(host.refused(), []);
    assert!(host.verifies(&chosen(7)));
    let run = host.ask(&chosen(7), question(2)).await;
    let verified = run.outcome.unwrap();
    let outcomes: Vec<_> = verified.iter().map(|one| (one.outcome, one.score)).collect();
    assert_eq!(outcomes, [(VerificationOutcome::Same, 100), (VerificationOutcome::Different, 40)]);
    assert_eq!(verified[0].place, None);
    assert_eq!(verified[1].place.as_ref().unwrap().page, 2);
    let record = run.record.unwrap();
    assert_eq!((record.role, record.contract.as_str()), (Role::CrossCheck, "0.1.3"));
    assert_eq!(record.input_hash, question(2).digest());
}

#[tokio::test]
async fn a_plugin_without_the_interface_is_not_asked_to_verify() {
    let host = TestHost::with(&[("judge.wasm", verifier(None))]).host;
    assert_eq!(host.refused(), []);
    assert!(host.plays("judge", None, Role::CrossCheck) && !host.verifies(&chosen(7)));
    assert!(!host.verifies(&Chosen { plugin: "another".to_owned(), ..chosen(7) }));
    // As if it had just replaced one that verifies.
    let failure = host.ask(&chosen(7), question(1)).await.outcome.unwrap_err().failure;
    assert_eq!(failure, Failure::NotLoaded);
}

#[tokio::test]
async fn verifications_that_the_contract_does_not_allow_are_refused_with_the_rule() {
    let valid = || different(0, Some(1), "It is another number.");
    let cases = [
        (vec![], "0 verifications for 1 entries"),
        (vec![valid(), valid()], "2 verifications for 1 entries"),
        (vec![different(101, None, "text")], "the score 101 of verification 1 is not 0 to 100"),
        (vec![different(0, Some(0), "text")], "verification 1: it is on page 0"),
        (vec![different(0, None, "two\nlines")], "verification 1: a text with a control character"),
        (vec![different(0, None, &"x".repeat(501))], "verification 1: a text of 501 characters"),
    ];
    for (given, rule) in cases {
        let host = TestHost::with(&[("judge.wasm", verifier(Some(given.as_slice())))]).host;
        let failure = host.ask(&chosen(7), question(1)).await.outcome.unwrap_err().failure;
        assert!(matches!(&failure, Failure::InvalidAnswer(why) if why.contains(rule)), "{rule}: {failure}");
    }
}
