//! Components that are not accepted: the reason says what to fix, and the others are still loaded.

use super::{
    guest::{Guest, doing},
    *,
};

/// The reason why the only file of a plugin folder is not loaded.
fn refusal_of(component: Vec<u8>) -> String {
    let TestHost { host, folder } = TestHost::with(&[("guest.wasm", component)]);
    let [refused] = &host.refused()[..] else { panic!("it was loaded") };
    assert_eq!(refused.file, folder.path().join("plugins/guest.wasm"));
    assert_eq!(host.webhook_modes().len(), 5);
    refused.reason.clone()
}

fn text(component: &str) -> Vec<u8> {
    wat::parse_str(component).unwrap()
}

#[test]
fn what_is_not_a_component_is_refused() {
    assert!(refusal_of(b"\x7fELF".to_vec()).contains("not a WebAssembly component"));
    assert!(refusal_of(Vec::new()).contains("not a WebAssembly component"));
    assert!(refusal_of(text("(module)")).contains("not a WebAssembly component"));
}

#[test]
fn a_file_larger_than_a_component_may_be_is_refused_unread() {
    assert!(refusal_of(vec![0; (24 << 20) + 1]).contains("more than 25165824 bytes"));
}

#[test]
fn an_unsupported_wasi_is_refused_and_the_reason_says_how_to_build_without() {
    for import in ["wasi:cli/stdout@0.4.0", "wasi:keyvalue/store@0.2.0"] {
        let reason = refusal_of(text(&format!(r#"(component (import "{import}" (instance)))"#)));
        assert!(reason.contains(import), "{reason}");
        assert!(reason.contains("Build it without") && reason.contains("--stub-wasi"), "{reason}");
    }
}

#[test]
fn imports_outside_the_contract_are_refused_by_name() {
    for import in ["sealwright:plugin/files@0.1.0", "other:package/log@0.1.0", "log"] {
        let reason = refusal_of(text(&format!(r#"(component (import "{import}" (instance)))"#)));
        assert!(reason.contains(&format!("it imports {import}, which")), "{reason}");
    }
}

#[test]
fn another_version_of_the_contract_is_refused() {
    let component = r#"(component
        (import "sealwright:plugin/log@0.2.0" (instance (export "log" (func (param "text" string)))))
        (component $empty)
        (instance $role (instantiate $empty))
        (export "sealwright:plugin/webhook-authentication@0.2.0" (instance $role)))"#;
    let reason = refusal_of(text(component));
    assert!(reason.contains("sealwright:plugin/log@0.2.0"), "{reason}");
}

#[test]
fn a_role_in_name_only_is_refused() {
    assert!(refusal_of(text("(component)")).contains("exports no role"));
    let component = r#"(component
        (component $empty)
        (instance $role (instantiate $empty))
        (export "sealwright:plugin/webhook-authentication@0.1.0" (instance $role)))"#;
    assert!(refusal_of(text(component)).contains("its exports do not fit"));
}

#[test]
fn descriptions_that_break_the_rules_are_refused() {
    let named = ["", "Guest", "guest_1", "1guest", "gu est", "../guest"].map(|name| Guest { name, ..Guest::default() });
    let versions = ["", "1", "1.0", "v1.0.0", "1.0.0 beta", "1.0.0.0", "1..0"];
    let versioned = versions.map(|version| Guest { version, ..Guest::default() });
    for (guests, expected) in [(named.as_slice(), "its name"), (versioned.as_slice(), "its version")] {
        let files: Vec<String> = (0..guests.len()).map(|n| format!("{n}.wasm")).collect();
        let components: Vec<_> = files.iter().map(String::as_str).zip(guests.iter().map(Guest::build)).collect();
        let host = TestHost::with(&components).host;
        assert_eq!(host.refused().len(), guests.len());
        for refused in host.refused() {
            assert!(refused.reason.contains(expected), "{refused:?}");
        }
    }
}

#[test]
fn an_endless_describe_is_stopped_and_the_file_named() {
    let reason = refusal_of(Guest { describe: "(loop (br 0))", ..Guest::default() }.build());
    assert_eq!(reason, "plugin guest.wasm: it did not answer within 2s and was stopped");
}

#[test]
fn more_memory_than_allowed_from_the_start_is_refused() {
    let greedy = Guest { items: "(memory 1025)".to_owned(), ..Guest::default() };
    let reason = refusal_of(greedy.build());
    assert!(reason.contains("memory"), "{reason}");
}

#[test]
fn the_name_of_a_built_in_plugin_is_taken() {
    let reason = refusal_of(Guest { name: "bearer", ..Guest::default() }.build());
    assert_eq!(reason, "its name bearer is taken by a built-in plugin: return another name from `meta.describe`");
}

#[test]
fn versions_of_one_name_coexist_and_the_highest_is_used() {
    let guest = |version| Guest { version, ..Guest::default() }.build();
    let (old, new) = (guest("1.9.0"), guest("1.10.0"));
    let files = [("a.wasm", new.clone()), ("b.wasm", old.clone()), ("copy.wasm", new)];
    let host = TestHost::with(&files).host;
    assert_eq!(host.refused(), []);
    let guests: Vec<_> = host.plugins().into_iter().filter(|plugin| plugin.name == "guest").collect();
    assert_eq!(guests.iter().map(|guest| guest.version.as_str()).collect::<Vec<_>>(), ["1.10.0", "1.9.0"]);
    let pinned = |digest: Sha256Digest| {
        host.find("guest", Some(digest), Role::WebhookAuth).map(|found| found.version.to_string())
    };
    assert_eq!(host.find("guest", None, Role::WebhookAuth).unwrap().version.to_string(), "1.10.0");
    assert_eq!(pinned(guests[1].digest).as_deref(), Some("1.9.0"));
    assert_eq!(pinned(Sha256Digest([0; 32])), None);
}

#[test]
fn a_bad_file_leaves_the_good_ones_loaded() {
    let host = TestHost::with(&[
        ("a.wasm", b"junk".to_vec()),
        ("b.wasm", doing("").build()),
        ("notes.txt", b"not a plugin".to_vec()),
    ])
    .host;
    assert_eq!(host.refused().len(), 1);
    let guest = host.plugins().into_iter().find(|plugin| plugin.name == "guest").unwrap();
    assert!(!guest.built_in && guest.roles == [Role::WebhookAuth]);
}

#[test]
fn a_plugin_folder_need_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let options = PluginOptions {
        plugin_dir: Some(folder.path().join("absent")),
        ..PluginOptions::new(folder.path().join("new/cache"), [7; 32])
    };
    assert_eq!(PluginHost::new(options).unwrap().refused(), []);
}
