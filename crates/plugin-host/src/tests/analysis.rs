//! Plugins of analysis that misbehave: each is stopped and named, its company gets a "not run", and the others are not
//! affected. What holds for one role here holds for all, because all are called through the same function.

use std::{sync::Arc, time::Duration};

use serde_json::Map;

use super::{
    judge::{Judge, TestSignal, answer, answering, doing, observed, signal},
    *,
};
use crate::{
    CaseSignals,
    facts::{Declaration, Evidence, Item, State},
};

/// The judge, chosen by a company.
pub(super) fn chosen(company: i64) -> Chosen {
    Chosen { company: CompanyId::new(company).unwrap(), plugin: "judge".to_owned(), sha256: None, settings: Map::new() }
}

/// A case with one entry, item 5.
pub(super) fn evidence() -> Arc<Evidence> {
    let item = Item {
        id: 5,
        step: 701,
        step_title: "Cause".to_owned(),
        action: "TEXT_FIELD".to_owned(),
        value: Some("Burst pipe".to_owned()),
        received_at: 1_795_168_800_000,
        position: None,
        device: None,
        client: None,
        media_type: None,
        size: None,
        sha256: None,
        image: None,
        near_duplicates: None,
        document_outcome: None,
        stated: None,
        field_codes: Vec::new(),
    };
    Arc::new(Evidence {
        reference: "CAS-1_CMP-7".to_owned(),
        frame: "Water damage".to_owned(),
        opened_at: 1_795_168_700_000,
        closed_at: None,
        declarations: vec![Declaration { name: "issuer".to_owned(), value: "i".repeat(60_000) }],
        items: vec![Arc::new(item)],
    })
}

/// The question about this case.
pub(super) fn case_signals() -> CaseSignals {
    CaseSignals { evidence: evidence() }
}

/// The host's failure for a judge; checks that the failure names the judge, and that another company's call is served.
async fn failure_of(judge: Judge) -> PluginError {
    let honest = Judge { name: "honest", ..Judge::default() }.build();
    let host = TestHost::with(&[("judge.wasm", judge.build()), ("honest.wasm", honest)]).host;
    assert_eq!(host.refused(), []);
    let error = host.ask(&chosen(7), case_signals()).await.outcome.unwrap_err();
    assert_eq!(error.plugin, "judge");
    let honest = Chosen { plugin: "honest".to_owned(), ..chosen(8) };
    host.ask(&honest, case_signals()).await.outcome.unwrap();
    error
}

#[tokio::test]
async fn an_honest_judges_answer_is_returned_and_its_run_recorded() {
    let given = TestSignal { state: 1, page: Some(2), ..observed(Some(5), "FAR_AWAY", "1,200 km off") };
    let host = TestHost::with(&[("judge.wasm", answering(&[given]).build())]).host;
    let run = host.ask(&chosen(7), case_signals()).await;
    let signals = run.outcome.unwrap();
    let observation = &signals[0].observations[0];
    assert_eq!((signals[0].kind.as_str(), signals[0].score, observation.item), ("gps", 40, Some(5)));
    assert_eq!(observation.finding.state, State::NotFound);
    assert_eq!(observation.finding.place.as_ref().unwrap().page, 2);
    let record = run.record.unwrap();
    assert_eq!((record.role, record.plugin.as_str(), record.contract.as_str()), (Role::Signal, "judge", "0.1.3"));
    assert_eq!(record.input_hash, crate::facts::digest(&*evidence()));
    assert!(record.memory >= 64 << 16, "{record:?}");
    let again = host.ask(&chosen(7), case_signals()).await.record.unwrap();
    assert_eq!((again.input_hash, again.settings_hash), (record.input_hash, record.settings_hash));
}

#[tokio::test]
async fn the_settings_are_part_of_what_is_recorded() {
    let host = TestHost::with(&[("judge.wasm", Judge::default().build())]).host;
    let plain = host.ask(&chosen(7), case_signals()).await.record.unwrap();
    let settings = Map::from_iter([("strict".to_owned(), true.into())]);
    let strict = Chosen { settings, ..chosen(7) };
    let strict = host.ask(&strict, case_signals()).await.record.unwrap();
    assert_ne!(plain.settings_hash, strict.settings_hash);
    assert_eq!(plain.input_hash, strict.input_hash);
}

#[tokio::test]
async fn every_endless_loop_is_stopped_at_the_deadline() {
    let deadline = Duration::from_millis(500);
    let loops = [
        ("in the call", doing("(loop (br 0))")),
        (
            "when it is instantiated",
            Judge { start: "(if (i32.eqz (i32.const 0)) (then (loop (br 0))))", ..Judge::default() },
        ),
        ("when it allocates memory for the host's values", Judge { allocate: "(loop (br 0))", ..Judge::default() }),
        (
            "asking for the same thing",
            doing(
                "(loop (call $declarations (local.get $evidence) (i32.const 4096)) (global.set $heap (i32.const 262144)) (br 0))",
            ),
        ),
        ("filling memory", doing("(loop (memory.fill (i32.const 200000) (i32.const 0) (i32.const 3000000)) (br 0))")),
        (
            "copying memory",
            doing("(loop (memory.copy (i32.const 200000) (i32.const 300000) (i32.const 3000000)) (br 0))"),
        ),
        (
            "taking and dropping items",
            doing(
                "(loop (call $item (local.get $evidence) (i32.const 0) (i32.const 4096))
                   (call $drop_item (i32.load (i32.const 4100))) (br 0))",
            ),
        ),
        (
            "after its answer",
            Judge {
                items: answer(&[])
                    + r#"(func (export "cabi_post_sealwright:plugin/signal-assessment@0.1.3#assess")
                                    (param i32) (loop (br 0)))"#,
                ..Judge::default()
            },
        ),
    ];
    for (what, judge) in loops {
        // A judge that loops when it is instantiated is not accepted at all.
        if !judge.start.is_empty() {
            let host = TestHost::with(&[("judge.wasm", judge.build())]).host;
            assert!(host.refused()[0].reason.contains("did not answer within 2s"), "{what}");
            continue;
        }
        let started = std::time::Instant::now();
        let error = failure_of(judge).await;
        // A bulk operation uses a unit of fuel for each byte, and a core moves about as many gigabytes in a second as a call
        // may use in fuel.
        let is_bulk = what.ends_with("memory");
        let is_stopped =
            error.failure == Failure::Deadline(deadline) || is_bulk && matches!(error.failure, Failure::Fuel(_));
        assert!(is_stopped, "{what}: {error}");
        // Compiling and the honest calls are in this time, so the bound is generous; the deadline itself is exact.
        assert!(started.elapsed() < Duration::from_secs(20), "{what}");
    }
}

#[tokio::test]
async fn every_violation_of_memory_rules_traps() {
    let traps = [
        ("an allocator that refuses", Judge { allocate: "unreachable", ..Judge::default() }),
        (
            "memory beyond the end for the host's values",
            Judge { allocate: "(return (i32.const -8))", ..Judge::default() },
        ),
        (
            "memory that is not aligned",
            Judge {
                allocate: "(return (i32.const 262145))",
                ..doing("(call $declarations (local.get $evidence) (i32.const 4096))")
            },
        ),
        ("an answer beyond the end", doing("(return (i32.const -4))")),
        ("an answer that is not aligned", doing("(return (i32.const 1026))")),
        ("a result that is neither", doing("(i32.store (i32.const 1024) (i32.const 7))")),
        ("a list of four billion", doing("(i32.store (i32.const 1032) (i32.const -1))")),
        ("a list of more than may pass", doing("(i32.store (i32.const 1032) (i32.const 100000))")),
        ("texts of more than may pass", answering(&vec![signal(&"g".repeat(30_000), 1); 50])),
        (
            "a text that is not UTF-8",
            Judge { items: answer(&[signal("gps", 1)]), ..doing("(i32.store8 (i32.const 65536) (i32.const 255))") },
        ),
        (
            "a case that the enum does not have",
            Judge { items: answer(&[TestSignal { state: 9, ..observed(None, "CODE", "text") }]), ..Judge::default() },
        ),
        ("a handle that it was not given", doing("(call $drop_item (i32.const 77))")),
        (
            "the same handle twice",
            doing(
                "(call $item (local.get $evidence) (i32.const 0) (i32.const 4096))
             (call $drop_item (i32.load (i32.const 4100))) (call $drop_item (i32.load (i32.const 4100)))",
            ),
        ),
        ("a handle of another kind", doing("(call $value (local.get $evidence) (i32.const 4096))")),
        (
            "more handles than it may have",
            doing("(loop (call $item (local.get $evidence) (i32.const 0) (i32.const 4096)) (br 0))"),
        ),
        ("division by zero", doing("(drop (i32.div_u (i32.const 1) (i32.const 0)))")),
        (
            "a table index that is not there",
            Judge {
                items: answer(&[]) + "(table 1 funcref) (type $void (func))",
                ..doing("(call_indirect (type $void) (i32.const 0))")
            },
        ),
        ("a return area where nothing is", doing("(call $declarations (local.get $evidence) (i32.const -4))")),
        ("leaving the evidence undropped", doing("(return (i32.const 1024))")),
    ];
    for (what, judge) in traps {
        let error = failure_of(judge).await;
        assert!(matches!(error.failure, Failure::Trap(_)), "{what}: {error}");
    }
}

#[tokio::test]
async fn answers_that_the_contract_does_not_allow_are_refused_with_the_rule() {
    let long = "x".repeat(501);
    let many: Vec<TestSignal> = (0..65).map(|n| signal(&format!("kind-{n}"), 50)).collect();
    let cases = [
        (vec![signal("gps", 101)], "the score 101 of gps is not 0 to 100"),
        (vec![signal("GPS", 50)], "the kind of signal 1 is not"),
        (vec![signal("", 50)], "it has 0"),
        (vec![signal(&"g".repeat(65), 50)], "it has 65"),
        (vec![signal("gps\n", 50)], "its character 4 is"),
        (vec![signal("gps", 50), signal("gps", 60)], "the signal gps occurs twice"),
        (many, "65 signals; 0 to 64 are allowed"),
        (vec![observed(Some(6), "CODE", "text")], "names item 6, which is not in this case"),
        (vec![observed(None, "code", "text")], "its code is not"),
        (vec![observed(None, "CODE", &long)], "a text of 501 characters; at most 500 are allowed"),
        (vec![observed(None, "CODE", "two\nlines")], "a control character, at position 4"),
        (vec![observed(None, "CODE", "\u{1b}[2J")], "a text with a control character"),
        (vec![TestSignal { page: Some(0), ..observed(None, "CODE", "text") }], "on page 0"),
    ];
    for (given, rule) in cases {
        let error = failure_of(answering(&given)).await;
        assert!(matches!(&error.failure, Failure::InvalidAnswer(why) if why.contains(rule)), "{rule}: {error}");
    }
}

#[tokio::test]
async fn requesting_too_much_memory_is_named_as_the_cause() {
    let cases = [
        (
            "memory",
            doing("(loop (br_if 0 (i32.ne (memory.grow (i32.const 64)) (i32.const -1)))) unreachable"),
            "at most 64 are allowed",
        ),
        (
            "a table",
            Judge {
                items: answer(&[]) + "(table $table 0 funcref)",
                ..doing("(drop (table.grow $table (ref.null func) (i32.const 1000000))) unreachable")
            },
            "a table of 1000000 elements",
        ),
    ];
    for (what, judge, expected) in cases {
        let error = failure_of(judge).await;
        assert!(matches!(&error.failure, Failure::Memory(why) if why.contains(expected)), "{what}: {error}");
    }
}

#[tokio::test]
async fn five_failures_in_a_row_put_a_plugin_out_of_its_companys_service_and_the_statistics_show_it() {
    let host = TestHost::with(&[("judge.wasm", doing("unreachable").build())]).host;
    for _ in 0..5 {
        let failure = host.ask(&chosen(7), case_signals()).await.outcome.unwrap_err().failure;
        assert!(matches!(failure, Failure::Trap(_)), "{failure}");
    }
    let run = host.ask(&chosen(7), case_signals()).await;
    assert_eq!(run.outcome.unwrap_err().failure, Failure::OutOfService);
    assert_eq!(run.record, None);
    let another = host.ask(&chosen(8), case_signals()).await.outcome.unwrap_err().failure;
    assert!(matches!(another, Failure::Trap(_)), "another company has its own count");

    let statistics = host.statistics();
    let [of_seven, of_eight] = &statistics[..] else { panic!("{statistics:?}") };
    assert_eq!((of_seven.company, of_seven.calls, of_seven.out_of_service), (7, 5, true));
    assert_eq!(of_seven.failures.get("trap"), Some(&5));
    assert!(of_seven.last_failure.as_ref().unwrap().contains("unreachable"));
    assert_eq!((of_eight.company, of_eight.calls, of_eight.out_of_service), (8, 1, false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_company_whose_plugin_hangs_leaves_turns_to_the_others() {
    let honest = Judge { name: "honest", ..Judge::default() }.build();
    let host = TestHost::with(&[("judge.wasm", doing("(loop (br 0))").build()), ("honest.wasm", honest)]).host;
    let hanging: Vec<_> = (0..4)
        .map(|_| {
            let host = host.clone();
            tokio::spawn(async move { host.ask(&chosen(7), case_signals()).await.outcome })
        })
        .collect();
    let honest = Chosen { plugin: "honest".to_owned(), ..chosen(8) };
    // On one core both companies share the only turn, and the honest one waits for a deadline at most.
    for _ in 0..20 {
        host.ask(&honest, case_signals()).await.outcome.unwrap();
    }
    for call in hanging {
        assert!(matches!(call.await.unwrap().unwrap_err().failure, Failure::Deadline(_)));
    }
}

#[test]
fn settings_are_checked_against_the_schema_that_the_plugin_declares() {
    let schema =
        r#"{"type":"object","properties":{"radius":{"type":"integer","maximum":100}},"additionalProperties":false}"#;
    let judge = Judge { schema: Some(schema.to_owned()), ..Judge::default() };
    let host = TestHost::with(&[("judge.wasm", judge.build())]).host;
    assert_eq!(host.refused(), []);
    let problems = |name: &str, value: i32| {
        let settings = Map::from_iter([(name.to_owned(), value.into())]);
        host.settings_problems("judge", None, Role::Signal, &settings)
    };
    assert_eq!(problems("radius", 100), []);
    assert_eq!(problems("radius", 101)[0].path, ".radius");
    assert!(problems("radios", 1)[0].message.contains("radios"));

    let plain = TestHost::with(&[("judge.wasm", Judge::default().build())]).host;
    assert_eq!(plain.settings_problems("judge", None, Role::Signal, &Map::new()), []);
    let settings = Map::from_iter([("radius".to_owned(), 1.into())]);
    let problems = plain.settings_problems("judge", None, Role::Signal, &settings);
    assert_eq!(problems[0].message, "the plugin judge takes no settings");
}

#[test]
fn a_plugin_with_an_invalid_or_endless_schema_is_refused() {
    let huge = format!(r#"{{"description":"{}"}}"#, "x".repeat(70_000));
    for (schema, reason) in
        [("{", "not JSON"), (r##"{"$ref":"#"}"##, "without end"), (huge.as_str(), "65536 are allowed")]
    {
        let judge = Judge { schema: Some(schema.to_owned()), ..Judge::default() };
        let host = TestHost::with(&[("judge.wasm", judge.build())]).host;
        let refused = &host.refused()[0].reason;
        assert!(refused.contains(reason), "{reason}: {refused}");
    }
}
