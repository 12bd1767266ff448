//! What every certificate must show: its reference, the reference and digest of every item, the statement of its seal,
//! and which mandatory steps are missing.
//!
//! A template can lay these out freely. Afterwards the visible text ([`super::visible`]) is searched for them.

use super::{
    data::{CertificateData, Step},
    finding::Finding,
};

/// The required parts that cannot be seen in `pages`, one finding for each kind. Spaces, line breaks and hyphens do not
/// matter.
pub(super) fn missing_parts(data: &CertificateData, pages: &[String]) -> Vec<Finding> {
    let shown = squeezed(&pages.concat());
    let shows = |text: &str| shown.contains(&squeezed(text));
    let mut missing = Vec::new();
    if !shows(&data.reference) {
        missing.push(
            Finding::error(format!("the certificate's reference cannot be seen: {}", data.reference))
                .with_hint("show it with `#data.reference`"),
        );
    }
    let items = || data.steps.iter().flat_map(|step| &step.items);
    let unnamed = items().map(|item| item.reference.as_str()).filter(|reference| !shows(reference));
    missing.extend(several("references of items", "`#item.reference`", unnamed.map(str::to_owned)));
    let digests = items().filter_map(|item| item.sha256).map(|digest| digest.to_string());
    missing.extend(several("SHA-256 digests of items", "`#item.sha256`", digests.filter(|digest| !shows(digest))));
    let statement = data.seal.statement(data.language);
    let unsaid = sentences(&statement).filter(|sentence| !shows(sentence));
    missing.extend(several("sentences of the seal's statement", "`#data.seal.statement`", unsaid.map(str::to_owned)));
    // Titles in other scripts may be drawn in another order than they are stored, so only ASCII titles are checked.
    let unlisted = data.steps.iter().filter(|step| is_missing(step) && is_plain(&step.title) && !shows(&step.title));
    missing.extend(several(
        "titles of missing mandatory steps",
        "`#step.title` of every step with `mandatory` and no `items`",
        unlisted.map(|step| step.title.clone()),
    ));
    missing
}

fn several(what: &str, with: &str, values: impl Iterator<Item = String>) -> Option<Finding> {
    let values: Vec<String> = values.collect();
    let first = values.first()?;
    let others = match values.len() - 1 {
        0 => String::new(),
        1 => " and another one".to_owned(),
        more => format!(" and {more} others"),
    };
    Some(Finding::error(format!("{what} that cannot be seen: {first}{others}")).with_hint(format!(
        "show {with}, on the paper, in at least 4 pt, in a colour that stands out, with nothing over it"
    )))
}

fn is_missing(step: &Step) -> bool {
    step.mandatory && step.items.is_empty()
}

fn is_plain(title: &str) -> bool {
    title.chars().all(|c| c.is_ascii_graphic() || c == ' ')
}

/// A page break with its header may come between two sentences.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// The text without characters that a layout adds or removes.
fn squeezed(text: &str) -> String {
    text.chars()
        .filter(|&c| {
            !c.is_whitespace() && !matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{AD}' | '\u{200B}' | '\u{2060}')
        })
        .collect()
}
