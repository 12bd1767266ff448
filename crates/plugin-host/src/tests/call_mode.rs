//! Calls that do not count: a shadow's do not affect those that do, a trial's leave no trace.

use super::{
    analysis::{case_signals, chosen, evidence},
    judge::{Judge, doing},
    *,
};
use crate::{Question as _, facts};

const TRAP: &str = "unreachable";
const LOOP: &str = "(loop (br 0))";

#[tokio::test]
async fn a_failing_shadow_does_not_put_the_active_plugin_out_of_service() {
    let host = TestHost::with(&[("judge.wasm", doing(TRAP).build())]).host;
    let shadow = host.as_shadow();
    let mut failures = Vec::new();
    for _ in 0..6 {
        failures.push(shadow.ask(&chosen(7), case_signals()).await.outcome.unwrap_err().failure.kind());
    }
    assert_eq!(failures, ["trap", "trap", "trap", "trap", "trap", "out-of-service"]);
    // The same component in the same company's service.
    let active = host.ask(&chosen(7), case_signals()).await.outcome.unwrap_err().failure;
    assert_eq!(active.kind(), "trap");
    let counted: Vec<(bool, u64, bool)> =
        host.statistics().iter().map(|one| (one.shadow, one.calls, one.out_of_service)).collect();
    assert_eq!(counted, [(false, 1, false), (true, 5, true)]);
}

#[tokio::test]
async fn a_different_answer_is_counted_with_the_shadows_calls() {
    let host = TestHost::with(&[("judge.wasm", Judge::default().build())]).host;
    let digest = host.digest_in_service("judge", None, Role::Signal).unwrap();
    let company = chosen(7).company;
    // The shadow was not called yet, so the difference is not counted.
    host.note_difference("judge", company, digest);
    host.as_shadow().ask(&chosen(7), case_signals()).await.outcome.unwrap();
    host.note_difference("judge", company, digest);
    let statistics = host.statistics();
    assert_eq!((statistics.len(), statistics[0].calls, statistics[0].differed), (1, 1, 1));
}

#[tokio::test]
async fn a_trial_is_neither_counted_nor_ever_out_of_service() {
    let host = TestHost::with(&[("judge.wasm", doing(TRAP).build())]).host;
    for _ in 0..8 {
        let failure = host.on_trial().ask(&chosen(7), case_signals()).await.outcome.unwrap_err().failure;
        assert_eq!(failure.kind(), "trap");
    }
    assert_eq!(host.statistics(), []);
    assert_eq!(host.ask(&chosen(7), case_signals()).await.outcome.unwrap_err().failure.kind(), "trap");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_active_call_does_not_wait_for_shadows() {
    let honest = Judge { name: "honest", ..Judge::default() }.build();
    let host = TestHost::with(&[("judge.wasm", doing(LOOP).build()), ("honest.wasm", honest)]).host;
    // One after the other, half a second each, in the name of the same company.
    let shadows: Vec<_> = (0..8)
        .map(|_| {
            let shadow = host.as_shadow();
            tokio::spawn(async move { shadow.ask(&chosen(7), case_signals()).await.outcome.is_err() })
        })
        .collect();
    let honest = Chosen { plugin: "honest".to_owned(), ..chosen(7) };
    host.ask(&honest, case_signals()).await.outcome.unwrap();
    assert!(shadows.iter().any(|shadow| !shadow.is_finished()), "it waited for all of them");
    for shadow in shadows {
        assert!(shadow.await.unwrap());
    }
}

#[test]
fn a_component_is_available_by_its_digest_after_its_file_is_gone() {
    let bytes = Judge { version: "1.0.9", ..Judge::default() }.build();
    let test = TestHost::with(&[("judge.wasm", bytes.clone())]);
    let digest = test.host.digest_in_service("judge", None, Role::Signal).unwrap();
    std::fs::remove_file(test.folder.path().join("plugins/judge.wasm")).unwrap();
    test.host.look().unwrap();
    assert_eq!(test.host.component(digest), Some(bytes));
    let built_in = test.host.plugins().into_iter().find(|plugin| plugin.built_in).unwrap();
    assert_eq!(test.host.component(built_in.digest).map(|bytes| bytes.len()), Some(built_in.size));
    assert_eq!(test.host.component(Sha256Digest([0; 32])), None);
}

#[tokio::test]
async fn a_question_has_the_same_digest_as_its_record() {
    let host = TestHost::with(&[("judge.wasm", Judge::default().build())]).host;
    let run = host.ask(&chosen(7), case_signals()).await;
    assert_eq!(run.outcome.unwrap()[0].kind, "gps");
    let record = run.record.unwrap();
    assert_eq!(record.input_hash, case_signals().digest());
    // As in the records of every release so far.
    assert_eq!(record.input_hash, facts::digest(&*evidence()));
    assert_eq!(record.role, Role::Signal);
}
