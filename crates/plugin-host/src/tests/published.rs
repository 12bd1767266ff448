//! Published plugins: what every node must have is in service, what was withdrawn is not, and what is not available
//! leaves in service what it replaces.

use std::collections::BTreeSet;

use super::{
    super::{Origin, WantedPlugin},
    judge::{Judge, answer, signal},
    *,
};

/// A judge of this version whose signal has the score `number`.
fn judge(version: &'static str, number: u8) -> Vec<u8> {
    Judge { version, items: answer(&[signal("gps", number)]), ..Judge::default() }.build()
}

fn wanted(component: &[u8], version: &str, revision: i64) -> WantedPlugin {
    let digest = Sha256Digest::of(component);
    WantedPlugin { name: "judge".to_owned(), version: version.to_owned(), digest, revision }
}

impl TestHost {
    /// The judges that are in service, the preferred one first, with their origins.
    fn judges(&self) -> Vec<(Sha256Digest, Origin)> {
        let judges = self.host.with_origins().into_iter().filter(|(plugin, _)| plugin.name == "judge");
        judges.map(|(plugin, origin)| (plugin.digest, origin)).collect()
    }

    fn keep(&self, wanted: &[WantedPlugin]) {
        self.host.keep_published(wanted, Vec::new(), BTreeSet::new());
    }
}

#[test]
fn what_is_published_is_in_service_and_what_is_withdrawn_is_not() {
    let test = TestHost::with(&[]);
    let component = judge("1.0.0", 1);
    let judge = wanted(&component, "1.0.0", 1);
    test.host.accept_published(&judge, &component);
    assert_eq!(test.judges(), [], "not before it is kept");
    test.keep(std::slice::from_ref(&judge));
    assert_eq!(test.judges(), [(judge.digest, Origin::Published)]);
    assert!(test.host.knows_published(judge.digest));
    test.keep(&[]);
    assert_eq!(test.judges(), []);
    assert!(!test.host.knows_published(judge.digest));
}

#[test]
fn of_one_version_the_component_that_was_published_last_is_called() {
    let (in_folder, first, second) = (judge("1.0.0", 1), judge("1.0.0", 2), judge("1.0.0", 3));
    let test = TestHost::with(&[("judge.wasm", in_folder.clone())]);
    let (first_wanted, second_wanted) = (wanted(&first, "1.0.0", 7), wanted(&second, "1.0.0", 8));
    test.host.accept_published(&first_wanted, &first);
    test.host.accept_published(&second_wanted, &second);
    test.keep(&[first_wanted.clone(), second_wanted.clone()]);
    let of_folder = (Sha256Digest::of(&in_folder), Origin::Folder);
    let published = |wanted: &WantedPlugin| (wanted.digest, Origin::Published);
    assert_eq!(test.judges(), [published(&second_wanted), published(&first_wanted), of_folder]);
    // If the first one is published again, it is the last.
    let again = WantedPlugin { revision: 9, ..first_wanted };
    test.keep(&[again.clone(), second_wanted.clone()]);
    assert_eq!(test.judges(), [published(&again), published(&second_wanted), of_folder]);
}

#[test]
fn an_unavailable_plugin_leaves_what_it_replaces_in_service() {
    let test = TestHost::with(&[]);
    let component = judge("1.0.0", 1);
    let (old, new) = (wanted(&component, "1.0.0", 1), wanted(&judge("1.1.0", 2), "1.1.0", 2));
    test.host.accept_published(&old, &component);
    test.keep(std::slice::from_ref(&old));
    test.host.keep_published(
        std::slice::from_ref(&new),
        vec![(new.clone(), "the blob store is unavailable".to_owned())],
        BTreeSet::from([old.digest]),
    );
    assert_eq!(test.judges(), [(old.digest, Origin::Published)]);
    let refused = test.host.refused();
    assert_eq!(refused[0].file, std::path::Path::new("published judge 1.1.0"), "{refused:?}");
    assert_eq!(refused[0].reason, "the blob store is unavailable");
    assert!(!test.host.knows_published(new.digest), "it is requested again");
}

#[test]
fn a_file_of_the_folder_that_was_withdrawn_everywhere_is_not_in_service() {
    let component = judge("1.0.0", 1);
    let test = TestHost::with(&[("judge.wasm", component.clone())]);
    let digest = Sha256Digest::of(&component);
    assert_eq!(test.judges(), [(digest, Origin::Folder)]);
    test.host.keep_published(&[], Vec::new(), BTreeSet::from([digest]));
    assert_eq!(test.judges(), []);
    assert!(test.host.refused()[0].reason.starts_with("it was withdrawn"), "{:?}", test.host.refused());
    assert_eq!(test.host.folder_plugins()[0].digest, digest, "it is still there to be published again");
    test.keep(&[]);
    assert_eq!(test.judges(), [(digest, Origin::Folder)]);
}

#[test]
fn a_component_with_another_digest_or_name_is_refused_for_good() {
    let test = TestHost::with(&[]);
    let component = judge("1.0.0", 1);
    let other = wanted(&judge("1.0.0", 2), "1.0.0", 1);
    test.host.accept_published(&other, &component);
    let renamed = WantedPlugin { name: "another".to_owned(), ..wanted(&component, "1.0.0", 2) };
    test.host.accept_published(&renamed, &component);
    test.keep(&[other.clone(), renamed.clone()]);
    assert_eq!(test.judges(), []);
    let reasons: Vec<String> = test.host.refused().into_iter().map(|refused| refused.reason).collect();
    assert_eq!(reasons.len(), 2);
    for reason in ["the stored bytes do not match their digest", "the name in its description is judge"] {
        assert!(reasons.iter().any(|one| one == reason), "{reasons:?}");
    }
    assert!(test.host.knows_published(other.digest) && test.host.knows_published(renamed.digest));
}
