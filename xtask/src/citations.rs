//! Citations of the interface pages. Comments, pages and names of tests cite `spec 4.3, rule 2` and `decisions 12`.
//! Each citation must lead to a heading, or to a numbered rule below it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs, iter,
    path::Path,
};

use anyhow::{Context as _, ensure};

use crate::hygiene::tracked_files;

const SPECIFICATION: &str = "docs/interface/specification.md";
const DECISIONS: &str = "docs/interface/decisions.md";

/// The extensions of the files that cite.
const CITING: [&str; 10] = ["rs", "md", "wit", "typ", "py", "js", "html", "toml", "sql", "sh"];
/// Files whose citations are examples.
const QUOTING: [&str; 1] = ["xtask/src/citations.rs"];
/// A line of a comment begins with some of these.
const COMMENT_MARKS: [char; 7] = ['/', '!', '#', '*', '-', '>', ';'];

/// Checks every citation in the tracked files of the repository at `root`, and prints how many there are.
///
/// # Errors
/// If a citation has no such section or rule; every place is named.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let read = |name: &str| fs::read_to_string(root.join(name)).with_context(|| format!("{name} cannot be read"));
    let pages = Pages { specification: sections(&read(SPECIFICATION)?), decisions: sections(&read(DECISIONS)?) };
    let mut count = 0;
    let mut dangling = Vec::new();
    for name in tracked_files(root)? {
        let extension = Path::new(&name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if QUOTING.contains(&name.as_str()) || !CITING.contains(&extension) {
            continue;
        }
        for citation in citations(&read(&name)?) {
            count += 1;
            if !pages.have(&citation) {
                dangling.push(format!("{name}:{citation}"));
            }
        }
    }
    eprintln!("{count:5} citations of the interface pages");
    ensure!(dangling.is_empty(), "No such section or rule is in docs/interface:\n  {}", dangling.join("\n  "));
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    Specification,
    Decisions,
}

impl Page {
    fn named(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "spec" | "specification" => Some(Self::Specification),
            "decisions" => Some(Self::Decisions),
            _ => None,
        }
    }
}

/// The sections of a page by their numbers, each with the numbers of its rules.
type Sections = BTreeMap<String, BTreeSet<String>>;

struct Pages {
    specification: Sections,
    decisions: Sections,
}

impl Pages {
    fn have(&self, citation: &Citation) -> bool {
        let sections = match citation.page {
            Page::Specification => &self.specification,
            Page::Decisions => &self.decisions,
        };
        let rules = sections.get(&citation.section);
        rules.is_some_and(|rules| citation.rule.as_ref().is_none_or(|rule| rules.contains(rule)))
    }
}

/// A section, or one of its rules, as a line of a file cites it.
struct Citation {
    line: usize,
    page: Page,
    section: String,
    rule: Option<String>,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let page = match self.page {
            Page::Specification => "spec",
            Page::Decisions => "decisions",
        };
        write!(f, "{}: {page} {}", self.line, self.section)?;
        match &self.rule {
            Some(rule) => write!(f, ", rule {rule}"),
            None => Ok(()),
        }
    }
}

/// Reads the headings of a page (`## 4. Endpoints`, `### 4.3 Search cases`) and the rules below them: lines such as
/// `2. A rule.` that are not indented.
fn sections(page: &str) -> Sections {
    let mut sections = Sections::new();
    let mut current = None;
    for line in page.lines() {
        if line.starts_with('#') {
            let number = line.trim_start_matches('#').split_whitespace().next().unwrap_or_default();
            current = Some(number.trim_end_matches('.')).filter(|number| is_number(number));
            if let Some(section) = current {
                sections.entry(section.to_owned()).or_default();
            }
        } else if let Some(section) = current
            && let Some((rule, _)) = line.split_once(". ")
            && is_whole(rule)
        {
            sections.entry(section.to_owned()).or_default().insert(rule.to_owned());
        }
    }
    sections
}

/// A word, a number such as `4.3`, or any other character. A line without text is an empty token: it ends a paragraph.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// The tokens of a file, without the marks at which the lines of a comment begin: a citation may go on in the next
/// line.
fn tokens(file: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (index, line) in file.lines().enumerate() {
        let mut rest = line.trim_start().trim_start_matches(COMMENT_MARKS).trim();
        if rest.is_empty() {
            tokens.push(Token { text: rest, line: index + 1 });
        }
        while let Some(first) = rest.chars().next() {
            let length = if first.is_ascii_digit() {
                number_length(rest)
            } else if is_in_words(first) {
                rest.find(|character: char| !is_in_words(character)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (text, after) = rest.split_at(length);
            tokens.push(Token { text, line: index + 1 });
            rest = after.trim_start();
        }
    }
    tokens
}

fn is_in_words(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of the number with which `text` begins: of `4.3` in `4.3. And so on`.
fn number_length(text: &str) -> usize {
    let end = text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    text[..end].trim_end_matches('.').len()
}

fn is_number(text: &str) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_whole(text: &str) -> bool {
    is_number(text) && !text.contains('.')
}

fn is_rule(word: &str) -> bool {
    matches!(word, "rule" | "rules")
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "or" | "to")
}

/// Every citation of a file. One of a rule cites its section too.
fn citations(file: &str) -> Vec<Citation> {
    let tokens = tokens(file);
    let mut citations = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if let Some(page) = Page::named(token.text) {
            cited(page, &tokens[index + 1..], &mut citations);
        } else if token.text.contains('_') {
            cited_in_name(*token, &mut citations);
        }
    }
    citations
}

/// What a name in snake case cites: `spec_4_14_a_report`, `spec_4_8_rules_2_and_3_null`, `decisions_15_a_text`.
fn cited_in_name(name: Token<'_>, citations: &mut Vec<Citation>) {
    let parts: Vec<&str> = name.text.split('_').collect();
    for (index, part) in parts.iter().enumerate() {
        let Some(page) = Page::named(part) else { continue };
        let (section, rest) = match &parts[index + 1..] {
            [chapter, section, rest @ ..] if page == Page::Specification && is_whole(chapter) && is_whole(section) => {
                (format!("{chapter}.{section}"), rest)
            }
            [section, rest @ ..] => ((*section).to_owned(), rest),
            [] => continue,
        };
        let words = iter::once(section.as_str()).chain(rest.iter().copied());
        let words: Vec<Token<'_>> = words.map(|text| Token { text, line: name.line }).collect();
        cited(page, &words, citations);
    }
}

/// What the words after a page's name cite: `4.3`, `4.3, rule 2`, `4.4, rules 1 to 3`, `4.5, 4.9 and 4.11`.
fn cited(page: Page, words: &[Token<'_>], citations: &mut Vec<Citation>) {
    let mut cite = |line: usize, section: &str, rule: Option<&str>| {
        citations.push(Citation { line, page, section: section.to_owned(), rule: rule.map(str::to_owned) });
    };
    let (first, mut rest) = match words {
        [first, rest @ ..] if is_number(first.text) => (first, rest),
        [comma, first, rest @ ..] if comma.text == "," && is_number(first.text) => (first, rest),
        _ => return,
    };
    let mut section = first.text;
    cite(first.line, section, None);
    let mut are_rules = false;
    while let Some((number, begins_rules, after)) = next_number(rest) {
        rest = after;
        // After `rule`, a whole number is another rule and `4.6` is a section again.
        are_rules = begins_rules || (are_rules && is_whole(number.text));
        if are_rules {
            cite(number.line, section, Some(number.text));
        } else {
            section = number.text;
            cite(number.line, section, None);
        }
    }
}

/// The next number if the list goes on, whether it is the first of some rules, and what follows it.
fn next_number<'a>(rest: &'a [Token<'a>]) -> Option<(Token<'a>, bool, &'a [Token<'a>])> {
    let item = match rest {
        [comma, joint, item @ ..] if comma.text == "," && is_joint(joint.text) => item,
        [joint, item @ ..] if joint.text == "," || is_joint(joint.text) => item,
        [word, ..] if is_rule(word.text) => rest,
        _ => return None,
    };
    match item {
        [number, after @ ..] if is_number(number.text) => Some((*number, false, after)),
        [word, number, after @ ..] if is_rule(word.text) && is_whole(number.text) => Some((*number, true, after)),
        // `delivery rule 1`, in a section with several lists.
        [list, word, number, after @ ..] if !list.text.is_empty() && is_rule(word.text) && is_whole(number.text) => {
            Some((*number, true, after))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME_SECTIONS: &str = "# The page\n\n1. Of no section.\n\n## 4. Endpoints\n\n### 4.3 Search cases\n\n\
        1. A rule\n   of two lines.\n2. Another.\n   3. Indented.\n\n## 5. Sign-in\n\n2.5 is a number, not a rule.\n";
    const SOME_DECISIONS: &str = "# Decisions\n\n## 5. Cases\n\n- A decision.\n\n## 12. Webhooks\n";

    fn found(text: &str) -> Vec<String> {
        citations(text).iter().map(ToString::to_string).collect()
    }

    fn dangling(text: &str) -> Vec<String> {
        let pages = Pages { specification: sections(SOME_SECTIONS), decisions: sections(SOME_DECISIONS) };
        citations(text).iter().filter(|citation| !pages.have(citation)).map(ToString::to_string).collect()
    }

    #[test]
    fn a_page_has_its_numbered_headings_and_the_rules_below_them() {
        let sections = sections(SOME_SECTIONS);
        let rules = |section: &str| sections[section].iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(sections.keys().map(String::as_str).collect::<Vec<_>>(), ["4", "4.3", "5"]);
        assert_eq!(rules("4.3"), ["1", "2"]);
        assert!(rules("5").is_empty());
    }

    #[test]
    fn prose_cites_sections_and_rules() {
        assert_eq!(found("A case (spec 4.3; decisions 5)."), ["1: spec 4.3", "1: decisions 5"]);
        assert_eq!(found("Specification 4.3: a search."), ["1: spec 4.3"]);
        assert_eq!(found("spec 4.3, rule 2"), ["1: spec 4.3", "1: spec 4.3, rule 2"]);
        assert_eq!(
            found("spec 4.4, rules 1 to 3; decisions 5 and 4"),
            ["1: spec 4.4", "1: spec 4.4, rule 1", "1: spec 4.4, rule 3", "1: decisions 5", "1: decisions 4"]
        );
        assert_eq!(found("spec 4.5, 4.9, and 4.11"), ["1: spec 4.5", "1: spec 4.9", "1: spec 4.11"]);
        assert_eq!(found("spec 6.1, delivery rule 1"), ["1: spec 6.1", "1: spec 6.1, rule 1"]);
    }

    #[test]
    fn a_citation_goes_on_behind_the_marks_of_the_next_line() {
        assert_eq!(found("//! As (spec\n//! 4.3) says."), ["2: spec 4.3"]);
        assert_eq!(
            found("# spec 4 and 5,\n    # rule 5; decisions 2,\n    # 12"),
            ["1: spec 4", "1: spec 5", "2: spec 5, rule 5", "2: decisions 2", "3: decisions 12"]
        );
        assert!(found("It takes decisions\n\n12 of them.").is_empty());
    }

    #[test]
    fn other_numbers_are_not_cited() {
        assert_eq!(found("spec 6.3, RFC 6750 section 2.1"), ["1: spec 6.3"]);
        assert_eq!(found("decisions 12: 10 s"), ["1: decisions 12"]);
        assert_eq!(found("decisions 3 allows 5 s"), ["1: decisions 3"]);
        assert!(found("inspect 4.3, decision 5, many decisions, specification + 1").is_empty());
    }

    #[test]
    fn names_of_tests_cite() {
        assert_eq!(found("fn spec_4_14_a_report() {}"), ["1: spec 4.14"]);
        assert_eq!(found("fn spec_5_rule_5_one_s_own() {}"), ["1: spec 5", "1: spec 5, rule 5"]);
        assert_eq!(found("spec_4_8_rules_2_and_3_null"), ["1: spec 4.8", "1: spec 4.8, rule 2", "1: spec 4.8, rule 3"]);
        assert_eq!(found("decisions_5_of_64_closings, decisions_15_2_texts"), ["1: decisions 5", "1: decisions 15"]);
        assert_eq!(found("the_quotas_are_those_of_spec_8()"), ["1: spec 8"]);
        assert!(found("inspect_4, spec_of_4, decisions_taken").is_empty());
    }

    #[test]
    fn what_leads_nowhere_is_named_with_its_line() {
        assert_eq!(dangling("spec 4, 4.3, rules 1 and 2, and 5; decisions 5, 12"), ["1: spec 4.3, rule 5"]);
        assert_eq!(dangling("\nspec 4.4 or spec 4.3, rule 3"), ["2: spec 4.4", "2: spec 4.3, rule 3"]);
        assert_eq!(dangling("spec_12_x\ndecisions_4_x"), ["1: spec 12", "2: decisions 4"]);
        assert_eq!(dangling("spec 5, rule 2"), ["1: spec 5, rule 2"]);
    }
}
