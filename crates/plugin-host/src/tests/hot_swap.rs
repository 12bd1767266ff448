//! The watched plugin folder: a new file is loaded, a replaced one is swapped without losing a call, a removed one is
//! unloaded.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use super::{
    analysis::{case_signals, chosen},
    judge::{Judge, answer, signal},
    *,
};

/// A judge whose version and two signals all say the same number.
fn judge(number: u8) -> Vec<u8> {
    let version = ["1.0.0", "1.0.1", "1.0.2", "1.0.3"][usize::from(number)];
    Judge { version, items: answer(&[signal("gps", number), signal("motion", number)]), ..Judge::default() }.build()
}

impl TestHost {
    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join("plugins").join(file)
    }

    /// Scans twice: a file is loaded once it is unchanged from one scan to the next.
    fn look_twice(&self) {
        self.host.look().unwrap();
        self.host.look().unwrap();
    }

    fn versions(&self) -> Vec<String> {
        let plugins = self.host.plugins().into_iter();
        plugins.filter(|plugin| plugin.name == "judge").map(|plugin| plugin.version).collect()
    }
}

/// Replaces a file atomically, as operators should.
fn put(path: &Path, bytes: &[u8]) {
    let temporary = path.with_extension("new");
    std::fs::write(&temporary, bytes).unwrap();
    std::fs::rename(temporary, path).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swap_under_load_loses_no_call_mixes_no_answers_and_drops_the_old_version() {
    let test = TestHost::with(&[("judge.wasm", judge(1))]);
    let old = Arc::downgrade(&test.host.find("judge", None, Role::Signal).unwrap());
    let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let callers: Vec<_> = (1..=4)
        .map(|company| {
            let (host, stop, calls) = (test.host.clone(), Arc::clone(&stop), Arc::clone(&calls));
            tokio::spawn(async move {
                let mut scores = Vec::new();
                while !stop.load(Ordering::SeqCst) {
                    let run = host.ask(&chosen(company), case_signals()).await;
                    let signals = run.outcome.unwrap();
                    assert_eq!(signals[0].score, signals[1].score, "half of one version, half of another");
                    let version = run.record.unwrap().version;
                    assert_eq!(version, format!("1.0.{}", signals[0].score));
                    scores.push(signals[0].score);
                    calls.fetch_add(1, Ordering::SeqCst);
                }
                scores
            })
        })
        .collect();
    for number in [2, 3] {
        let seen = calls.load(Ordering::SeqCst);
        while calls.load(Ordering::SeqCst) < seen + 100 {
            tokio::task::yield_now().await;
        }
        put(&test.path("judge.wasm"), &judge(number));
        let host = test.host.clone();
        tokio::task::spawn_blocking(move || (host.look().unwrap(), host.look().unwrap())).await.unwrap();
        assert_eq!(test.versions(), [format!("1.0.{number}")]);
    }
    let seen = calls.load(Ordering::SeqCst);
    while calls.load(Ordering::SeqCst) < seen + 100 {
        tokio::task::yield_now().await;
    }
    stop.store(true, Ordering::SeqCst);
    for caller in callers {
        let scores = caller.await.unwrap();
        assert!(scores.is_sorted(), "an old version after a new one: {scores:?}");
        assert_eq!((scores.first(), scores.last()), (Some(&1), Some(&3)));
    }
    assert!(old.upgrade().is_none(), "something still holds the old version");
}

#[tokio::test]
async fn a_component_put_into_the_folder_is_loaded_and_a_removed_one_is_unloaded() {
    let test = TestHost::with(&[]);
    assert!(matches!(test.host.ask(&chosen(1), case_signals()).await.outcome.unwrap_err().failure, Failure::NotLoaded));
    put(&test.path("judge.wasm"), &judge(1));
    test.look_twice();
    test.host.ask(&chosen(1), case_signals()).await.outcome.unwrap();
    std::fs::remove_file(test.path("judge.wasm")).unwrap();
    test.host.look().unwrap();
    assert_eq!(test.versions(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_still_being_written_is_left_alone() {
    let test = TestHost::with(&[]);
    let bytes = judge(1);
    for length in [0, 8, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        std::fs::write(test.path("judge.wasm"), &bytes[..length]).unwrap();
        test.host.look().unwrap();
        assert_eq!((test.host.refused(), test.versions().len()), (Vec::new(), 0), "{length} bytes");
    }
    test.host.look().unwrap();
    assert_eq!(test.versions(), ["1.0.1"]);
}

#[tokio::test]
async fn what_a_bad_file_replaces_stays_in_service_until_a_good_file_comes() {
    let test = TestHost::with(&[("judge.wasm", judge(1))]);
    let bytes = judge(2);
    put(&test.path("judge.wasm"), &bytes[..bytes.len() / 2]);
    test.look_twice();
    let reason = &test.host.refused()[0].reason;
    assert!(reason.ends_with("the earlier component stays in service"), "{reason}");
    assert_eq!(test.host.ask(&chosen(1), case_signals()).await.outcome.unwrap()[0].score, 1);
    put(&test.path("judge.wasm"), &bytes);
    test.look_twice();
    assert_eq!((test.host.refused(), test.versions()), (Vec::new(), vec!["1.0.2".to_owned()]));
}

#[tokio::test]
async fn a_pinned_digest_gets_that_component_and_no_other() {
    let test = TestHost::with(&[("a.wasm", judge(1)), ("b.wasm", judge(2))]);
    let digest = test.host.plugins().into_iter().find(|plugin| plugin.version == "1.0.1").unwrap().digest;
    let pinned = Chosen { sha256: Some(digest), ..chosen(1) };
    let run = test.host.ask(&pinned, case_signals()).await;
    assert_eq!((run.outcome.unwrap()[0].score, run.record.unwrap().digest), (1, digest));
    assert_eq!(test.host.ask(&chosen(1), case_signals()).await.outcome.unwrap()[0].score, 2);
    std::fs::remove_file(test.path("a.wasm")).unwrap();
    test.look_twice();
    let failure = test.host.ask(&pinned, case_signals()).await.outcome.unwrap_err().failure;
    assert_eq!(failure, Failure::NotLoaded, "another version is not what was pinned");
}

#[tokio::test]
async fn a_candidate_is_called_by_its_digest_while_another_is_in_service() {
    let test = TestHost::with(&[("judge.wasm", judge(2))]);
    let candidate = test.host.admit("candidate", &judge(1)).unwrap();
    let pinned = Chosen { sha256: Some(candidate.digest), ..chosen(1) };
    assert_eq!(test.host.ask(&pinned, case_signals()).await.outcome.unwrap()[0].score, 1);
    assert_eq!(test.host.ask(&chosen(1), case_signals()).await.outcome.unwrap()[0].score, 2);
}

#[tokio::test]
async fn a_watched_folder_is_scanned_automatically() {
    let test = TestHost::with(&[]);
    test.host.watch().unwrap();
    put(&test.path("judge.wasm"), &judge(1));
    let started = std::time::Instant::now();
    while test.versions().is_empty() {
        assert!(started.elapsed().as_secs() < 30, "it was never loaded");
        tokio::task::yield_now().await;
    }
}
