//! Plugins of the role `signal`, written by hand in WebAssembly text: the role through which the tests see what the host
//! does with plugins of analysis.

use super::guest::{component_of, escaped, words};

/// A component of the world `signal`. By default it answers with the signal `gps` and the score 90.
pub(super) struct Judge {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// Items of the module, in addition to those that every judge has. Must contain the answer at address 1024.
    pub(super) items: String,
    /// What `assess` does before it answers with what is at address 1024. It has the locals `$evidence`, `$settings` and
    /// `$length`.
    pub(super) assess: &'static str,
    /// What the allocator does before it returns memory.
    pub(super) allocate: &'static str,
    /// What the module does when it is instantiated.
    pub(super) start: &'static str,
    /// The schema of its settings, if it has settings.
    pub(super) schema: Option<String>,
}

impl Default for Judge {
    fn default() -> Self {
        Self {
            name: "judge",
            version: "1.0.0",
            items: answer(&[signal("gps", 90)]),
            assess: "",
            allocate: "",
            start: "",
            schema: None,
        }
    }
}

/// The addresses of the answer, its signals, their observations, and texts.
const ANSWER: usize = 1024;
const SIGNALS: usize = 2048;
const OBSERVATIONS: usize = 16_384;
const TEXTS: usize = 65_536;
const SCHEMA: usize = 131_072;
/// The address from which the judge allocates memory for the host's values.
const HEAP: usize = 262_144;

/// A signal to answer with.
#[derive(Clone, Default)]
pub(super) struct TestSignal {
    pub(super) kind: String,
    pub(super) score: u8,
    pub(super) item: Option<u64>,
    pub(super) code: Option<&'static str>,
    pub(super) state: u8,
    pub(super) page: Option<u32>,
    pub(super) text: String,
}

/// A signal without observations.
pub(super) fn signal(kind: &str, score: u8) -> TestSignal {
    TestSignal { kind: kind.to_owned(), score, ..TestSignal::default() }
}

/// A signal with one observation.
pub(super) fn observed(item: Option<u64>, code: &'static str, text: &str) -> TestSignal {
    TestSignal { item, code: Some(code), text: text.to_owned(), ..signal("gps", 40) }
}

/// A judge that gives this answer.
pub(super) fn answering(signals: &[TestSignal]) -> Judge {
    Judge { items: answer(signals), ..Judge::default() }
}

/// A judge that does this before it answers.
pub(super) fn doing(assess: &'static str) -> Judge {
    Judge { assess, ..Judge::default() }
}

/// Data segments that hold an answer.
pub(super) fn answer(given: &[TestSignal]) -> String {
    let (mut signals, mut observations, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    let mut place = |text: &str| {
        let at = u32::try_from(TEXTS + texts.len()).unwrap();
        texts.extend_from_slice(text.as_bytes());
        [at, u32::try_from(text.len()).unwrap()]
    };
    for one in given {
        let mut listed = [0, 0];
        let kind = place(&one.kind);
        if let Some(code) = one.code {
            listed = [u32::try_from(OBSERVATIONS + observations.len() * 4).unwrap(), 1];
            // Items of tests have small numbers; the upper half is 0.
            let item = u32::try_from(one.item.unwrap_or_default()).unwrap();
            observations.extend([u32::from(one.item.is_some()), 0, item, 0]);
            observations.extend(place(code));
            observations.push(u32::from(one.state));
            observations.extend([u32::from(one.page.is_some()), one.page.unwrap_or_default(), 0, 0, 0, 0, 0]);
            observations.extend(place(&one.text));
        }
        signals.extend(kind);
        signals.push(u32::from(one.score));
        signals.extend(listed);
    }
    let head = words(&[0, u32::try_from(SIGNALS).unwrap(), u32::try_from(given.len()).unwrap()]);
    format!(
        r#"(data (i32.const {ANSWER}) "{head}") (data (i32.const {SIGNALS}) "{}")
           (data (i32.const {OBSERVATIONS}) "{}") (data (i32.const {TEXTS}) "{}")"#,
        words(&signals),
        words(&observations),
        escaped(&texts)
    )
}

impl Judge {
    /// The judge as a component.
    pub(super) fn build(&self) -> Vec<u8> {
        let world = "package tests:judge;
            world judge { include sealwright:plugin/signal@0.1.3; }
            world configurable-judge {
                include sealwright:plugin/signal@0.1.3;
                include sealwright:plugin/configurable@0.1.3;
            }";
        let chosen = if self.schema.is_some() { "configurable-judge" } else { "judge" };
        component_of(&self.text(), Some(world), chosen)
    }

    fn text(&self) -> String {
        let Self { name, version, items, assess, allocate, start, schema } = self;
        let description = words(
            &[256, name.len(), 512, version.len(), 768, "A judge.".len()].map(|word| u32::try_from(word).unwrap()),
        );
        let settings = schema.as_ref().map(|schema| {
            let at = words(&[u32::try_from(SCHEMA).unwrap(), u32::try_from(schema.len()).unwrap()]);
            format!(
                r#"(data (i32.const 48) "{at}") (data (i32.const {SCHEMA}) "{}")
                   (func (export "sealwright:plugin/settings@0.1.3#schema") (result i32) (i32.const 48))"#,
                escaped(schema.as_bytes())
            )
        });
        let settings = settings.unwrap_or_default();
        let start = if start.is_empty() { String::new() } else { format!("(func $start {start}) (start $start)") };
        format!(
            r#"(module
                (import "sealwright:plugin/log@0.1.3" "log" (func $log (param i32 i32 i32)))
                (import "sealwright:plugin/evidence@0.1.3" "[method]evidence.item"
                    (func $item (param i32 i32 i32)))
                (import "sealwright:plugin/evidence@0.1.3" "[method]evidence.declarations"
                    (func $declarations (param i32 i32)))
                (import "sealwright:plugin/evidence@0.1.3" "[method]item.value" (func $value (param i32 i32)))
                (import "sealwright:plugin/evidence@0.1.3" "[resource-drop]item" (func $drop_item (param i32)))
                (import "sealwright:plugin/evidence@0.1.3" "[resource-drop]evidence"
                    (func $drop_evidence (param i32)))
                (memory (export "memory") 64)
                (global $heap (mut i32) (i32.const {HEAP}))
                (func (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
                    {allocate}
                    (global.get $heap)
                    (global.set $heap (i32.add (global.get $heap)
                        (i32.and (i32.add (local.get $size) (i32.const 7)) (i32.const -8)))))
                (data (i32.const 16) "{description}")
                (data (i32.const 256) {name:?})
                (data (i32.const 512) {version:?})
                (data (i32.const 768) "A judge.")
                {items}
                {settings}
                {start}
                (func (export "sealwright:plugin/meta@0.1.3#describe") (result i32) (i32.const 16))
                (func (export "sealwright:plugin/signal-assessment@0.1.3#assess")
                    (param $evidence i32) (param $settings i32) (param $length i32) (result i32)
                    {assess}
                    (call $drop_evidence (local.get $evidence))
                    (i32.const {ANSWER})))"#
        )
    }
}
