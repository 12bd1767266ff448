//! Finds the files of a crate that import each other in a circle. Imports are found by their text: `use` and paths with
//! `crate::`, `self::`, `super::` or a child's name. A file that only exports its children again does not import them.

use std::collections::{BTreeMap, BTreeSet};

/// A module's path in its crate.
type Module = Vec<String>;

/// Every file that a path of imports leads back to, with the files of the circle that it imports. `files` are the texts
/// of a crate's sources by their path in `src`.
pub(crate) fn files_in_circles(files: &BTreeMap<String, String>) -> Vec<String> {
    let files: BTreeMap<&str, &str> =
        files.iter().filter(|(file, _)| !is_test(file)).map(|(file, text)| (file.as_str(), text.as_str())).collect();
    // `lib.rs` comes before `main.rs`, and is the root of both.
    let mut modules = BTreeMap::<Module, &str>::new();
    for file in files.keys() {
        modules.entry(module_of(file)).or_insert(*file);
    }
    let imports: BTreeMap<&str, BTreeSet<&str>> =
        files.iter().map(|(file, text)| (*file, imports_of(file, text, &modules))).collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        files.keys().map(|file| (*file, reached_from(file, &imports))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|files| files.contains(to));
    let circle = |file: &&str| {
        let next: Vec<&str> = imports[file].iter().copied().filter(|next| reaches(next, file)).collect();
        (!next.is_empty()).then(|| format!("{file} imports {}", next.join(", ")))
    };
    files.keys().filter_map(circle).collect()
}

fn is_test(file: &str) -> bool {
    file.ends_with("tests.rs") || file.starts_with("tests/") || file.contains("/tests/")
}

fn module_of(file: &str) -> Module {
    let mut module: Module = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("lib" | "main" | "mod")) {
        module.pop();
    }
    module
}

fn reached_from<'a>(file: &str, imports: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&str> = imports[file].iter().copied().collect();
    while let Some(next) = waiting.pop() {
        if reached.insert(next) {
            waiting.extend(&imports[next]);
        }
    }
    reached
}

fn imports_of<'a>(file: &str, text: &str, modules: &BTreeMap<Module, &'a str>) -> BTreeSet<&'a str> {
    let own = module_of(file);
    let tokens = tokens(text);
    let mut imported = BTreeSet::new();
    let mut add = |path: &[&str], is_export: bool| {
        let Some(whole) = absolute(path, &own, modules) else { return };
        if is_export && whole.starts_with(&own) {
            return;
        }
        let file_of = |length: usize| modules.get(&whole[..length]).copied();
        imported.extend((0..=whole.len()).rev().find_map(file_of).filter(|target| *target != file));
    };
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            let is_export = at > 0 && matches!(tokens[at - 1], "pub" | ")");
            let mut paths = Vec::new();
            at = read_tree(&tokens, at + 1, &mut Vec::new(), &mut paths);
            for path in &paths {
                add(path, is_export);
            }
            continue;
        }
        let is_visibility = tokens[..at].ends_with(&["pub", "(", "in"]);
        let mut path = vec![tokens[at]];
        while let [name, "::", next, ..] = tokens[at..]
            && is_name(name)
            && is_name(next)
        {
            path.push(next);
            at += 2;
        }
        if path.len() > 1 && !is_visibility {
            add(&path, false);
        }
        at += 1;
    }
    imported
}

/// Reads the tree of a `use` to its end, and returns where it ends.
fn read_tree<'t>(tokens: &[&'t str], mut at: usize, prefix: &mut Vec<&'t str>, paths: &mut Vec<Vec<&'t str>>) -> usize {
    let length = prefix.len();
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token {
            "{" => {
                at = read_tree(tokens, at, prefix, paths);
                prefix.truncate(length);
            }
            "," | "}" | ";" => {
                if prefix.len() > length {
                    paths.push(prefix.clone());
                }
                prefix.truncate(length);
                if token != "," {
                    return at;
                }
            }
            // The new name is not a part of the path.
            "as" => at += 1,
            name if is_name(name) => prefix.push(name),
            _ => {}
        }
    }
    at
}

/// The path from the crate's root. None: it leads to another crate.
fn absolute(path: &[&str], own: &[String], modules: &BTreeMap<Module, &str>) -> Option<Module> {
    let up = path.iter().take_while(|name| **name == "super").count();
    let (base, rest) = match path.first()? {
        &"crate" => (&own[..0], &path[1..]),
        &"self" => (own, &path[1..]),
        &"super" => (&own[..own.len().checked_sub(up)?], &path[up..]),
        child => {
            let child = [own, &[(*child).to_owned()]].concat();
            modules.contains_key(&child).then_some((own, path))?
        }
    };
    Some(base.iter().cloned().chain(rest.iter().map(|name| (*name).to_owned())).collect())
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Names, `::` and single characters, without comments and the unit tests at the end.
fn tokens(text: &str) -> Vec<&str> {
    let text = text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.split_once("//").map_or(line, |(code, _)| code).trim_start();
        while let Some(first) = rest.chars().next() {
            let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
            let length = match first {
                _ if is_part(first) => rest.find(|character| !is_part(character)).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            tokens.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        files_in_circles(&files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect())
    }

    #[test]
    fn a_child_that_imports_from_the_parent_that_calls_it_is_in_a_circle() {
        let parent = "mod child;\npub struct Shared;\nfn run() { child::run(&Shared) }";
        let found = circles(&[("a.rs", parent), ("a/child.rs", "use super::Shared;"), ("lib.rs", "mod a;")]);
        assert_eq!(found, ["a.rs imports a/child.rs", "a/child.rs imports a.rs"]);
        let leaf = "use super::shared::Shared;";
        assert!(
            circles(&[("a.rs", parent), ("a/child.rs", leaf), ("a/shared.rs", ""), ("lib.rs", "mod a;")]).is_empty()
        );
    }

    #[test]
    fn a_circle_may_have_several_files_and_braces() {
        let found = circles(&[
            ("a.rs", "use crate::{\n    b::{One, Two as Other},\n    d,\n};"),
            ("b.rs", "fn f() -> crate::c::Three {}"),
            ("c.rs", "use super::a::Four;"),
            ("d.rs", "// use crate::a::Four;\nuse std::fmt;"),
            ("lib.rs", "mod a;"),
        ]);
        assert_eq!(found, ["a.rs imports b.rs", "b.rs imports c.rs", "c.rs imports a.rs"]);
    }

    #[test]
    fn exporting_children_and_importing_in_tests_make_no_circle() {
        let parent = "mod child;\npub use self::child::Child;\npub(crate) use child::Other;\npub struct Shared;";
        let child = "use super::Shared;\n#[cfg(test)]\nmod tests {\n    use super::*;\n}";
        assert!(circles(&[("a.rs", parent), ("a/child.rs", child), ("a/tests.rs", "use super::*;")]).is_empty());
    }
}
