//! Checks the architecture: no floor imports one above it (`ARCHITECTURE.md`, "Who may import whom"). Floors that are
//! crates of their own are not checked here, because the compiler does that.

use std::{fs, path::Path};

/// Each floor, from the top, with those it may import. Everything may import the ground.
const FLOORS: &[(&str, &[&str])] = &[
    ("cli", &["http", "jobs", "app", "plugins", "otlp", "domain"]),
    ("http", &["app", "domain", "media", "blobs"]),
    ("jobs", &["app"]),
    (
        "app",
        &[
            "store",
            "db",
            "blobs",
            "media",
            "certificate",
            "plugins",
            "egress",
            "signing",
            "time_stamping",
            "revocation",
            "openid",
            "registry",
            "zip",
            "facts",
            "domain",
        ],
    ),
    ("store", &["db", "blobs", "domain"]),
    ("db", &[]),
    ("media", &["blobs", "domain"]),
    ("signing", &[]),
    ("time_stamping", &["egress"]),
    ("revocation", &["egress"]),
    ("openid", &["egress", "domain"]),
    ("registry", &["egress", "domain"]),
    ("otlp", &["egress"]),
    ("zip", &[]),
    ("facts", &[]),
];
const GROUND: &[&str] = &["clock", "config", "error", "request_id", "secrets", "test_database", "toml_reader"];

#[test]
fn no_floor_imports_one_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (floor, allowed) in FLOORS {
        for (file, text) in files_of(&source, floor) {
            for imported in imports(&text) {
                if imported != *floor && !allowed.contains(&imported.as_str()) && !GROUND.contains(&imported.as_str()) {
                    wrong.push(format!("{file} imports {imported}"));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn only_the_command_line_uses_the_tools() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for floor in ["app", "http", "jobs"] {
        for (file, text) in files_of(&source, floor) {
            if !file.contains("/app/tools/") && text.contains("tools::") {
                wrong.push(file);
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_module_belongs_to_a_floor() {
    let modules =
        include_str!("lib.rs").lines().filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        let known = FLOORS.iter().any(|(floor, _)| *floor == module) || GROUND.contains(&module);
        assert!(known, "{module} is on no floor");
    }
}

fn files_of(source: &Path, floor: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut waiting = vec![source.join(floor), source.join(format!("{floor}.rs"))];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.is_file() {
            files.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    files
}

/// The first segments of every `crate::…` in a file, those of `use crate::{…}` included.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(top_level(list)),
            None => found.push(first_word(rest)),
        }
    }
    found
}

/// The first words of a braced list's own elements, up to its closing brace.
fn top_level(list: &str) -> Vec<String> {
    let (mut depth, mut starts, mut found) = (0, true, Vec::new());
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts = true,
            character if starts && character.is_alphabetic() => {
                found.push(first_word(&list[at..]));
                starts = false;
            }
            _ => {}
        }
    }
    found
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

#[test]
fn imports_are_found_however_they_are_written() {
    let text =
        "use crate::db::Tx;\nuse crate::{\n    app::{self, case::x},\n    error::Error,\n};\nlet x = crate::http::y();";
    assert_eq!(imports(text), ["db", "app", "error", "http"]);
}
