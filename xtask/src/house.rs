//! Counts what makes the house worse to live in: phrases of a translated idiom, long files, circles of imports.
//! Each count has a ceiling, which a change may lower and must not exceed.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use anyhow::{Context as _, ensure};

use crate::{circles, hygiene::tracked_files};

/// Words in their order, in lowercase. Names in snake case count as words too.
struct Idiom {
    phrases: &'static [&'static [&'static str]],
    /// The words before and after it that make it good English.
    unless_after: &'static [&'static str],
    unless_followed_by: &'static [&'static str],
    instead: &'static str,
    ceiling: usize,
}

const IDIOMS: [Idiom; 6] = [
    Idiom {
        phrases: &[&["is", "no"], &["are", "no"]],
        unless_after: &["there"],
        unless_followed_by: &["longer", "more", "less", "fewer", "later", "such", "one"],
        instead: "is not a",
        ceiling: 4,
    },
    Idiom {
        phrases: &[&["told"], &["tells"], &["telling"]],
        unless_after: &[],
        unless_followed_by: &[],
        instead: "report, print, return, show",
        ceiling: 2,
    },
    Idiom {
        phrases: &[&["lies", "in"], &["stands", "in"], &["lie", "in"], &["stand", "in"]],
        unless_after: &[],
        unless_followed_by: &[],
        instead: "is in",
        ceiling: 0,
    },
    Idiom {
        phrases: &[&["where", "there", "is"]],
        unless_after: &[],
        unless_followed_by: &[],
        instead: "if there is",
        ceiling: 0,
    },
    Idiom { phrases: &[&["beside"]], unless_after: &[], unless_followed_by: &[], instead: "next to, with", ceiling: 6 },
    Idiom {
        phrases: &[&["whoever"], &["nobody"], &["somebody"]],
        unless_after: &[],
        unless_followed_by: &[],
        instead: "anyone who, no one",
        ceiling: 25,
    },
];

/// A file of more lines is read with difficulty.
const LONG_FILE: usize = 400;
const MAX_LONG_FILES: usize = 1;

/// Files of a crate that import each other in a circle: none of them can be read, moved or tested without the others.
/// A crate that is not listed has none.
const CIRCLES: [(&str, usize); 10] = [
    ("crates/blobs", 3),
    ("crates/certificate", 2),
    ("crates/child-process", 3),
    ("crates/domain", 17),
    ("crates/egress", 2),
    ("crates/plugin-host", 18),
    ("crates/seal", 28),
    ("host", 73),
    ("tests/chaos", 6),
    ("tests/lab", 18),
];

/// Files whose words are examples, or not ours.
const QUOTING: [&str; 2] = ["CONTRIBUTING.md", "xtask/src/house.rs"];
/// Folders whose files must not change: the published contract, and migrations, which databases remember by their hash.
const FIXED: [&str; 2] = ["tests/fixtures/contract/", "host/migrations/"];
const PROSE: [&str; 12] = ["rs", "md", "wit", "typ", "py", "js", "html", "css", "toml", "sql", "template", "txt"];

/// Counts in every tracked file of the repository at `root`, and prints the table.
///
/// # Errors
/// If a count is above its ceiling; every place is named.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let mut counts = [const { Vec::new() }; IDIOMS.len()];
    let mut long_files = Vec::new();
    let mut sources = BTreeMap::<String, BTreeMap<String, String>>::new();
    for name in tracked_files(root)? {
        let extension = Path::new(&name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_fixed = FIXED.iter().any(|folder| name.starts_with(folder));
        if is_fixed || !PROSE.contains(&extension) {
            continue;
        }
        let text = fs::read_to_string(root.join(&name)).with_context(|| format!("{name} cannot be read"))?;
        let idioms = IDIOMS.iter().zip(&mut counts).filter(|_| !QUOTING.contains(&name.as_str()));
        for (idiom, places) in idioms {
            places.extend(lines_with(&text, idiom).map(|line| format!("{name}:{line}")));
        }
        let lines = text.lines().count();
        if extension == "rs" && lines > LONG_FILE {
            long_files.push(format!("{name}: {lines} lines"));
        }
        if let Some((folder, file)) = name.split_once("/src/").filter(|_| extension == "rs") {
            sources.entry(folder.to_owned()).or_default().insert(file.to_owned(), text);
        }
    }
    let mut excess = String::new();
    let mut row = |what: &str, places: &[String], ceiling: usize| {
        eprintln!("{:5} of at most {ceiling:5}  {what}", places.len());
        if places.len() > ceiling {
            let _ = writeln!(excess, "{what}: {} places, at most {ceiling}\n  {}", places.len(), places.join("\n  "));
        }
    };
    for (idiom, places) in IDIOMS.iter().zip(&counts) {
        let phrases: Vec<String> = idiom.phrases.iter().map(|words| words.join(" ")).collect();
        row(&format!("{} (write: {})", phrases.join(", "), idiom.instead), places, idiom.ceiling);
    }
    row(&format!("Rust files of more than {LONG_FILE} lines"), &long_files, MAX_LONG_FILES);
    for (folder, files) in &sources {
        let ceiling = CIRCLES.iter().find(|(listed, _)| listed == folder).map_or(0, |(_, ceiling)| *ceiling);
        let places = circles::files_in_circles(files);
        if ceiling > 0 || !places.is_empty() {
            row(&format!("files of {folder}/src that import each other in a circle"), &places, ceiling);
        }
    }
    ensure!(excess.is_empty(), "{excess}");
    Ok(())
}

/// The numbers of the lines where the idiom begins, from 1. An idiom may go on in the next line.
fn lines_with(text: &str, idiom: &Idiom) -> impl Iterator<Item = usize> {
    let words: Vec<(usize, String)> = text
        .lines()
        .enumerate()
        .flat_map(|(number, line)| {
            let words = line.split(|character: char| !character.is_ascii_alphabetic()).filter(|word| !word.is_empty());
            words.map(move |word| (number + 1, word.to_ascii_lowercase()))
        })
        .collect();
    let begins = |at: usize, phrase: &[&str]| {
        let is_phrase = words[at..].iter().map(|(_, word)| word.as_str()).take(phrase.len()).eq(phrase.iter().copied());
        let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |(_, word)| word.as_str());
        let (before, after) = (word(at.checked_sub(1)), word(Some(at + phrase.len())));
        is_phrase && !idiom.unless_after.contains(&before) && !idiom.unless_followed_by.contains(&after)
    };
    let lines = (0..words.len()).filter(|at| idiom.phrases.iter().any(|phrase| begins(*at, phrase)));
    lines.map(|at| words[at].0).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idioms_are_found_in_prose_and_in_names() {
        let lines = |text: &str, idiom: usize| lines_with(text, &IDIOMS[idiom]).collect::<Vec<_>>();
        assert_eq!(lines("It is no file.\nIt is\nno longer here.\n// This is no more.", 0), [1]);
        assert_eq!(lines("It is\n/// no file. There is no file.", 0), [1]);
        assert_eq!(lines("fn a_user_is_told_why() {}\nstruct Retold;", 1), [1]);
    }
}
