//! Whether the pages show what the seal manifest says: a certificate has two accounts of one case, a page for people
//! and a list for machines, and the signature covers both. Only this comparison detects that the signer made them
//! differ.
//!
//! Reading the text of a PDF file's pages takes a library that interprets content and fonts, which is not done here:
//! the caller passes in what the pages show ([`Pages`]).
//!
//! **Must agree**: the case's reference, every item's reference, the SHA-256 of its file or of its entry's text. A page
//! that does not show one of them, shows a reference that the manifest does not have, or shows another digest next to
//! an item *differs*. **Is reported**: further digests, which a template may print (for example that of a certificate);
//! a missing title or company's name, which a template may leave out. If the text cannot be read or seen, the pages are
//! *not compared*, which is never the same as agreeing.
//!
//! What it does not detect: letters drawn as shapes or in pictures, and fonts whose letters look like others.

mod reading;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::Value;

use self::{
    reading::{Letters, Token, squeezed},
    text::{adjacent_pairs, collect, is_comparable, listed, squeezed_lines, texts_of, written},
};
use super::{Finding, FindingCode, Report, Severity};
use crate::{
    capture::CaptureAccount,
    digest::Sha256Digest,
    manifest::{self, Item, SealManifest},
    pdf::{attachment, file::File},
};

/// The types of steps whose items have a file; a file that was never received has no digest (decisions 8).
const FILE_ACTIONS: [&str; 4] = ["PHOTOGRAPHY", "VIDEO", "SIGNATURE", "DOCUMENT_UPLOAD"];

/// The text that was read from the pages.
#[derive(Clone, Copy, Debug)]
pub enum Pages<'a> {
    /// All of them, from the first to the last. `is_complete`: nothing was left out.
    Read { pages: &'a [Page], is_complete: bool },
    /// Their text cannot be read.
    Unreadable,
}

/// The text of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// In the order in which they are painted.
    pub pieces: Vec<Piece>,
}

/// A piece of text on one line. A character that its font does not map to Unicode is U+FFFD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    /// Whether people see it.
    pub seen: bool,
    /// Whether it continues the piece before it without a gap.
    pub joined: bool,
}

/// The result of the comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PagesFacts {
    pub state: PagesState,
    /// Why they were not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<PagesReason>,
    /// SHA-256 digests that the pages show and the manifest does not have, in lowercase hexadecimal.
    pub other_digests: Vec<String>,
    /// Optional content of the manifest that the pages do not show.
    pub unshown: Vec<Unshown>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PagesState {
    /// The pages show every reference and digest of the manifest, and no other case's or item's reference.
    Agree,
    Differ,
    NotCompared,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PagesReason {
    /// The text of the pages, or a part of it, cannot be read.
    Unreadable,
    /// What must be shown is on the pages, but perhaps cannot be seen.
    Unseen,
    /// Everything is shown, but it is not clear which digest belongs to which item.
    Unpaired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Unshown {
    Title,
    Company,
    /// The title of a mandatory step without an item.
    MissingStep,
}

/// Whether there is something to compare: the content of a changed file is not vouched for. A given original that is
/// not a sealed file does not count against the certificate itself.
pub fn has_pages_to_compare(report: &Report) -> bool {
    let speaks_against =
        |finding: &Finding| finding.severity == Severity::Changed && finding.code != FindingCode::Original;
    report.manifest.is_some() && !report.findings.iter().any(speaks_against)
}

/// Compares what the pages of `pdf` show with its manifest, and adds the findings to its `report`, if [there is
/// something to compare](has_pages_to_compare).
pub fn compare_pages(pdf: &[u8], pages: Pages<'_>, report: &mut Report) {
    if !has_pages_to_compare(report) {
        return;
    }
    let Some((manifest, json)) = manifest_of(pdf) else { return };
    let known = ManifestText::of(&manifest, &json, report);
    let comparison = match pages {
        Pages::Unreadable => Comparison::not_compared(PagesReason::Unreadable),
        Pages::Read { pages, is_complete } => known.compare(pages, is_complete),
    };
    report.findings.extend(comparison.findings);
    report.pages = Some(comparison.facts);
    report.conclude();
}

fn manifest_of(pdf: &[u8]) -> Option<(SealManifest, Value)> {
    let attachments = attachment::read(&File::read(pdf).ok()?).ok()?;
    let attached = attachments.into_iter().find(|attachment| attachment.name == manifest::ATTACHMENT)?;
    Some((SealManifest::from_json(&attached.bytes).ok()?, serde_json::from_slice(&attached.bytes).ok()?))
}

/// The content of the manifest, as pages show it.
struct ManifestText<'m> {
    manifest: &'m SealManifest,
    /// What must be shown: squeezed, and as written.
    required: Vec<(String, String)>,
    /// The digest of each item that has one, by the item's reference.
    digests: HashMap<String, String>,
    /// All of its texts, and the additional digests of the report.
    texts: Vec<String>,
    words: HashSet<String>,
}

struct Comparison {
    facts: PagesFacts,
    findings: Vec<Finding>,
}

impl<'m> ManifestText<'m> {
    fn of(manifest: &'m SealManifest, json: &Value, report: &Report) -> Self {
        let mut required = vec![(squeezed(&manifest.reference), manifest.reference.clone())];
        let mut digests = HashMap::new();
        for item in &manifest.items {
            let reference = squeezed(&item.reference);
            required.push((reference.clone(), item.reference.clone()));
            if let Some(digest) = digest_of(item) {
                required.push((digest.clone(), digest.clone()));
                digests.insert(reference, digest);
            }
        }
        let mut texts = Vec::new();
        collect(json, &mut texts);
        let of_manifest = report.manifest.iter().map(|manifest| manifest.sha256);
        let of_signer = report.signature.iter().filter_map(|signature| Some(signature.signer.as_ref()?.sha256));
        let of_stamps = report.time_stamps.iter().filter_map(|stamp| Some(stamp.authority.as_ref()?.sha256));
        texts.extend(of_manifest.chain(of_signer).chain(of_stamps).map(|digest| digest.to_string()));
        texts.extend(report.captures.iter().flat_map(CaptureAccount::digests).map(|digest| digest.to_string()));
        // The manifest does not contain the digest of an entry.
        texts.extend(digests.values().cloned());
        let words = required.iter().map(|(text, _)| text.clone()).collect();
        Self { manifest, required, digests, texts, words }
    }

    fn compare(&self, pages: &[Page], is_complete: bool) -> Comparison {
        let (seen, all) = (Letters::of(pages, true), Letters::of(pages, false));
        let (shown, present) = (seen.tokens(&self.words), all.tokens(&self.words));
        let (shown_texts, present_texts) = (texts_of(&shown), texts_of(&present));
        let lacks = |texts: &HashSet<&str>| -> Vec<String> {
            let lacking = self.required.iter().filter(|(text, _)| !texts.contains(text.as_str()));
            lacking.map(|(_, written)| written.clone()).collect()
        };
        let (unseen, absent) = (lacks(&shown_texts), lacks(&present_texts));
        let (references, digests) = self.others(&shown);
        let misplaced = self.misplaced(&shown, &digests);
        let is_readable = is_complete && !all.has_unknown();
        let is_absent = !absent.is_empty() && (is_readable || !references.is_empty() || !digests.is_empty());

        let mut findings = Vec::new();
        if is_absent {
            let instead = references.first().or(digests.first());
            let instead = instead.map(|text| format!("; they show {text}")).unwrap_or_default();
            let message = format!("the pages do not show {}, which the seal manifest has{instead}", listed(&absent));
            findings.push(Finding::changed(FindingCode::Pages, message));
        }
        if !references.is_empty() {
            let message = format!("the pages show {}, which the seal manifest does not have", listed(&references));
            findings.push(Finding::changed(FindingCode::Pages, message));
        }
        for (reference, digest) in &misplaced {
            let message =
                format!("the pages show {digest} next to {reference}, but the seal manifest has another digest");
            findings.push(Finding::changed(FindingCode::Pages, message));
        }
        let (state, reason) = if !findings.is_empty() {
            (PagesState::Differ, None)
        } else if !absent.is_empty() {
            (PagesState::NotCompared, Some(PagesReason::Unreadable))
        } else if !unseen.is_empty() {
            (PagesState::NotCompared, Some(PagesReason::Unseen))
        } else if self.is_paired(&shown) {
            (PagesState::Agree, None)
        } else {
            (PagesState::NotCompared, Some(PagesReason::Unpaired))
        };
        let facts = PagesFacts { state, reason, other_digests: digests, unshown: self.unshown(&seen.lowercase()) };
        findings.extend(notices(&facts));
        Comparison { facts, findings }
    }

    /// The references and digests that do not occur in the manifest, not even inside an entered text.
    fn others(&self, shown: &[Token]) -> (Vec<String>, Vec<String>) {
        let squeezed_texts = squeezed_lines(&self.texts);
        let lowercase = squeezed_texts.to_ascii_lowercase();
        let (mut references, mut digests) = (Vec::new(), Vec::new());
        for token in shown {
            let (found, is_known) = match token {
                Token::Reference(text) => {
                    (&mut references, squeezed_texts.contains(text) || self.may_be_reordered(text))
                }
                Token::Digest(text) => (&mut digests, lowercase.contains(text)),
            };
            let text = written(token);
            if !is_known && !found.contains(&text) {
                found.push(text);
            }
        }
        (references, digests)
    }

    /// Whether a text that is drawn fully or partly from right to left may look like `reference`.
    fn may_be_reordered(&self, reference: &str) -> bool {
        let is_directed = |text: &&String| {
            text.chars().any(|character| {
                matches!(u32::from(character), 0x590..=0x8FF | 0x200E..=0x200F | 0x202A..=0x202E | 0x2066..=0x2069
                | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
            })
        };
        let mut directed = self.texts.iter().filter(is_directed);
        directed.any(|text| reference.chars().all(|character| text.contains(character)))
    }

    /// Items whose own digest is never next to their reference while another one is, if the pages show digests next to
    /// references. This only considers `others`: [`Self::is_paired`] assigns the manifest's own digests to items. A
    /// digest in the page's footer may be between a reference and its own digest; it does not separate them.
    fn misplaced(&self, shown: &[Token], others: &[String]) -> Vec<(String, String)> {
        let own = self.row(shown, |_| false);
        let is_own = |(reference, digest): &(&str, &str)| self.digests.get(*reference).is_some_and(|own| own == digest);
        let with_own: HashSet<&str> = adjacent_pairs(&own).filter(is_own).map(|(reference, _)| reference).collect();
        let row = self.row(shown, |digest| others.contains(digest));
        let is_other = |(_, digest): &(&str, &str)| others.iter().any(|other| other == digest);
        let mut adjacent: HashMap<&str, &str> = adjacent_pairs(&row).filter(is_other).collect();
        adjacent.retain(|reference, _| !with_own.contains(reference));
        if (with_own.len() + adjacent.len()) * 2 <= self.digests.len() {
            return Vec::new();
        }
        let in_order = self.manifest.items.iter().filter_map(|item| {
            let digest = adjacent.get(squeezed(&item.reference).as_str())?;
            Some((item.reference.clone(), (*digest).to_owned()))
        });
        in_order.collect()
    }

    /// Whether each digest can be assigned to its item: it follows the reference, or precedes it, or digests and
    /// references are listed in the same order.
    fn is_paired(&self, shown: &[Token]) -> bool {
        let row = self.row(shown, |_| false);
        let has_all = |pairs: HashSet<(&str, &str)>| {
            self.digests.iter().all(|(reference, digest)| pairs.contains(&(reference.as_str(), digest.as_str())))
        };
        let pairs = |first: usize, second: usize| {
            let pairs = row.windows(2).filter_map(|pair| match (&pair[first], &pair[second]) {
                (Token::Reference(reference), Token::Digest(digest)) => Some((reference.as_str(), digest.as_str())),
                _ => None,
            });
            pairs.collect::<HashSet<_>>()
        };
        let forward: Vec<&Token> = row.iter().collect();
        let backward: Vec<&Token> = row.iter().rev().collect();
        has_all(pairs(0, 1)) || has_all(pairs(1, 0)) || [forward, backward].iter().any(|row| self.is_in_one_order(row))
    }

    fn is_in_one_order(&self, row: &[&Token]) -> bool {
        let (mut expected, mut found): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for token in row {
            let (list, digest) = match token {
                Token::Reference(reference) => (&mut expected, self.digests.get(reference).map(String::as_str)),
                Token::Digest(digest) => (&mut found, Some(digest.as_str())),
            };
            list.extend(digest.filter(|digest| !list.contains(digest)));
        }
        expected == found
    }

    /// References of items that have a digest, and digests of items, or others that `or` selects.
    fn row(&self, shown: &[Token], or: impl Fn(&String) -> bool) -> Vec<Token> {
        let own: HashSet<&String> = self.digests.values().collect();
        let belongs = |token: &&Token| match token {
            Token::Reference(reference) => self.digests.contains_key(reference),
            Token::Digest(digest) => own.contains(digest) || or(digest),
        };
        shown.iter().filter(belongs).cloned().collect()
    }

    fn unshown(&self, seen: &str) -> Vec<Unshown> {
        let case = &self.manifest.case;
        let is_unshown = |text: &str| is_comparable(text) && !seen.contains(&squeezed(text).to_lowercase());
        let missing = |id: &i64| self.manifest.steps.iter().any(|step| step.id == *id && is_unshown(&step.title));
        let mut unshown = Vec::new();
        if is_unshown(&case.title) {
            unshown.push(Unshown::Title);
        }
        if is_unshown(&self.manifest.company.name) {
            unshown.push(Unshown::Company);
        }
        if self.manifest.missing_mandatory_steps.iter().any(missing) {
            unshown.push(Unshown::MissingStep);
        }
        unshown
    }
}

impl Comparison {
    fn not_compared(reason: PagesReason) -> Self {
        let facts = PagesFacts {
            state: PagesState::NotCompared,
            reason: Some(reason),
            other_digests: Vec::new(),
            unshown: Vec::new(),
        };
        Self { findings: notices(&facts), facts }
    }
}

/// Findings that do not count against the certificate.
fn notices(facts: &PagesFacts) -> Vec<Finding> {
    let mut messages = Vec::new();
    messages.extend(facts.reason.map(|reason| {
        let reason = match reason {
            PagesReason::Unreadable => "their text cannot be read",
            PagesReason::Unseen => "some of their text may not be visible",
            PagesReason::Unpaired => "it is not clear which digest belongs to which item",
        };
        format!("the pages were not compared with the seal manifest: {reason}")
    }));
    if facts.state == PagesState::Agree && !facts.other_digests.is_empty() {
        let digests = listed(&facts.other_digests);
        messages.push(format!("the pages also show {digests}, which the seal manifest does not have"));
    }
    if facts.reason.is_none() {
        messages.extend(facts.unshown.iter().map(|unshown| {
            let what = match unshown {
                Unshown::Title => "the case's title",
                Unshown::Company => "the company's name",
                Unshown::MissingStep => "the title of a missing mandatory step",
            };
            format!("the pages do not show {what} as the seal manifest has it")
        }));
    }
    messages.into_iter().map(|message| Finding::new(Severity::Notice, FindingCode::Pages, message)).collect()
}

/// The digest of the file, or of an entry's text (`docs/template-designer.md`, `sha256`).
fn digest_of(item: &Item) -> Option<String> {
    let of_entry = || {
        let value = item.value.as_ref().filter(|_| !FILE_ACTIONS.contains(&item.action.as_str()))?;
        Some(Sha256Digest::of(value))
    };
    item.file.as_ref().map(|file| file.sha256).or_else(of_entry).map(|digest| digest.to_string())
}
