//! The result of a check, for people: what is proven, by whom, since when, and what is not.

mod answers;
mod disclosed;
mod erased;
mod groups;
mod model;
mod package;
mod witnesses;

use sealwright_seal::{
    capture::{CaptureAccount, SessionAccount},
    verify::{
        EvidenceFacts, FindingCode, Outcome, PagesFacts, PagesReason, PagesState, Report, Severity, State, TokenState,
    },
};

pub use self::model::{Account, Answer, Entry, Fact, Group, Mark, Sentence, Subject};
use self::model::{Reliance, authority_of, first_stamp, readable_time};
use crate::{
    CheckedCertificate,
    words::{Ground, Language, Words, fill},
};

impl Account {
    pub fn of(checked: &CheckedCertificate, subject: &Subject, language: Language) -> Self {
        let report = &checked.report;
        let words = language.words_for(report);
        let only_evidence = only_against(report, &[FindingCode::Evidence]);
        let only_package = only_against(report, &[FindingCode::Package]);
        let only_originals = only_against(report, &GIVEN);
        let only_pages = only_against(report, &[GIVEN.as_slice(), &[FindingCode::Pages]].concat());
        let (mark, [headline, explanation]) = match report.outcome {
            Outcome::Valid if is_development(report) => (Mark::Doubtful, [words.valid[0], words.valid_development]),
            Outcome::Valid => (Mark::Good, words.valid),
            Outcome::IntactButUntrusted => (Mark::Doubtful, words.untrusted),
            Outcome::ChangedOrNotOurs if only_evidence => (Mark::Bad, words.other_evidence),
            Outcome::ChangedOrNotOurs if only_package => (Mark::Bad, language.package().other),
            Outcome::ChangedOrNotOurs if only_originals => (Mark::Bad, words.other_original),
            Outcome::ChangedOrNotOurs if only_pages => (Mark::Bad, words.contradictory),
            Outcome::ChangedOrNotOurs => (Mark::Bad, words.changed),
        };
        let against = report.findings.iter().filter(|finding| finding.severity > Severity::Notice);
        let reasons = against
            .map(|finding| format!("{}{} {}.", language.reason(finding.code), words.colon, finding.message))
            .collect();
        let holds = report.outcome != Outcome::ChangedOrNotOurs || only_originals;
        let reliance = match (holds, only_pages) {
            (true, _) => Reliance::Content,
            (false, true) => Reliance::Signature,
            (false, false) => Reliance::Nothing,
        };
        let (proven, open) = if holds {
            (proven(report, language), open(report, language))
        } else {
            let ground = language.grounds().changed;
            let not_compared = |name: &String| Sentence::of(fill(words.original_not_compared, &[name]), ground);
            (Vec::new(), checked.originals.iter().map(not_compared).collect())
        };
        let mut groups = Vec::new();
        if holds {
            groups.extend(groups::of(report, language));
        }
        groups.push(groups::of_file(checked, subject, language));
        Self {
            language,
            mark,
            headline: headline.to_owned(),
            explanation: explanation.to_owned(),
            answers: answers::of(report, reliance, language),
            reasons,
            proven,
            open,
            groups,
        }
    }
}

/// Findings about files that were given with the certificate, or are with it in a package.
const GIVEN: [FindingCode; 4] =
    [FindingCode::Original, FindingCode::Disclosure, FindingCode::Evidence, FindingCode::Package];

/// Whether there are findings against the certificate, and all of them are of these kinds.
fn only_against(report: &Report, codes: &[FindingCode]) -> bool {
    let mut changed = report.findings.iter().filter(|finding| finding.severity == Severity::Changed).peekable();
    changed.peek().is_some() && changed.all(|finding| codes.contains(&finding.code))
}

fn has(report: &Report, code: FindingCode) -> bool {
    report.findings.iter().any(|finding| finding.code == code)
}

fn is_development(report: &Report) -> bool {
    has(report, FindingCode::Development)
}

fn proven(report: &Report, language: Language) -> Vec<Sentence> {
    let (words, grounds) = (language.words_for(report), language.grounds_for(report));
    let mut proven = Vec::new();
    let mut add = |text: String, ground: Ground| proven.push(Sentence::of(text, ground));
    if let Some(signature) = &report.signature {
        let signer = signature.signer.as_ref().map_or("", |signer| signer.subject.as_str());
        let is_trusted = signature.state == State::Trusted;
        add(fill(if is_trusted { words.signed_by } else { words.signed_by_untrusted }, &[signer]), grounds.signed);
    }
    if let Some(time) = report.proven_time {
        let authority = authority_of(first_stamp(report, time));
        add(fill(words.existed, &[&time.to_string(), authority]), grounds.existed);
    }
    if report.time_authorities.len() > 1 {
        let words = language.authorities();
        let named = report.time_authorities.iter().map(|authority| format!("{} ({})", authority.root, authority.time));
        let named: Vec<String> = named.collect();
        add(fill(words.agree, &[&named.len().to_string(), &named.join(", ")]), words.ground);
    }
    if let Some(manifest) = &report.manifest {
        let text = match report.items.len() {
            0 => fill(words.no_items_fixed, &[&manifest.reference]),
            1 => fill(words.one_item_fixed, &[&manifest.reference]),
            count => fill(words.items_fixed, &[&count.to_string(), &manifest.reference]),
        };
        add(text, grounds.items_fixed);
    }
    if report.pages.as_ref().is_some_and(|pages| pages.state == PagesState::Agree) {
        add(words.pages_agree.to_owned(), grounds.pages_agree);
    }
    let (stamped, files) = (stamped_files(report), files(report));
    if stamped > 0 {
        add(fill(words.tokens_hold, &[&stamped.to_string(), &files.to_string()]), grounds.tokens_hold);
    }
    if let Some(captures) = &report.captures {
        add(of_captures(captures, words), grounds.captures);
    }
    let embedded = embedded_files(report);
    if embedded > 0 {
        let words = language.embedded();
        add(fill(words.held, &[&embedded.to_string(), &files.to_string()]), words.ground);
    }
    for original in report.originals.iter().filter(|original| !original.items.is_empty()) {
        add(fill(words.is_original, &[&original.name, &original.items.join(", ")]), grounds.is_original);
    }
    for disclosure in &report.disclosures {
        add(fill(words.is_disclosed, &[&disclosure.name, &disclosure.items.join(", ")]), grounds.is_disclosed);
    }
    for EvidenceFacts { name, time, renew_before, continues, .. } in &report.evidence {
        let text = if *continues { words.evidence_continues } else { words.evidence_apart };
        add(fill(text, &[name, &time.to_string(), &renew_before.to_string()]), grounds.evidence);
    }
    proven.extend(erased::proven(report, language));
    proven.extend(disclosed::proven(report, language));
    proven.extend(package::proven(report, language));
    proven.extend(witnesses::proven(report, language));
    proven
}

fn open(report: &Report, language: Language) -> Vec<Sentence> {
    let (words, grounds) = (language.words_for(report), language.grounds_for(report));
    let mut open = Vec::new();
    if has(report, FindingCode::TimePending) {
        let claimed = report.signature.as_ref().and_then(|signature| signature.claimed_time.as_deref());
        let text = fill(words.time_pending, &[&claimed.map_or("?".to_owned(), readable_time)]);
        open.push(Sentence::of(text, grounds.time_pending));
    }
    if is_development(report) {
        open.push(Sentence::of(words.development.to_owned(), grounds.development));
    }
    if has(report, FindingCode::Revocation) {
        open.push(Sentence::of(words.revocation.to_owned(), grounds.revocation));
    }
    if let Some(ended) = report.renew_before.filter(|_| has(report, FindingCode::RenewalOverdue)) {
        open.push(Sentence::of(fill(words.renewal, &[&ended.to_string()]), grounds.renewal));
    }
    open.extend(report.pages.iter().flat_map(|pages| of_pages(pages, language)));
    let without = files(report) - stamped_files(report);
    if without > 0 {
        open.push(Sentence::of(fill(words.without_token, &[&without.to_string()]), grounds.without_token));
    }
    if report.originals.is_empty() && files(report) > embedded_files(report) {
        open.push(Sentence::of(words.originals_not_given.to_owned(), grounds.originals_not_given));
    }
    if let Some(captures) = &report.captures {
        let open_ended = captures.sessions.iter().filter(|session| !session.is_ended).count();
        if open_ended > 0 {
            let total = captures.sessions.len();
            let text = fill(words.captures_not_ended, &[&open_ended.to_string(), &total.to_string()]);
            open.push(Sentence::of(text, grounds.captures));
        }
        open.push(Sentence::of(words.captures_limits.to_owned(), grounds.captures_limits));
    }
    open.extend(erased::open(report, language));
    open.extend(disclosed::open(report, language));
    open.extend(package::open(report, language));
    open.extend(witnesses::open(report, language));
    open.push(Sentence::of(words.not_the_truth.to_owned(), grounds.not_the_truth));
    open.push(Sentence::of(words.of_devices.to_owned(), grounds.of_devices));
    open
}

/// One line on the capture records, which are intact.
fn of_captures(captures: &CaptureAccount, words: &Words) -> String {
    let CaptureAccount { sessions, recorded, unrecorded } = captures;
    let sum = |list: fn(&SessionAccount) -> usize| sessions.iter().map(list).sum::<usize>();
    let numbers = [
        *recorded,
        recorded + unrecorded,
        sessions.len(),
        sum(|session| session.retaken.len()),
        sum(|session| session.deleted.len()),
        sum(|session| session.missing.len()),
    ];
    let numbers = numbers.map(|number| number.to_string());
    fill(words.captures, &numbers.each_ref().map(String::as_str))
}

fn of_pages(pages: &PagesFacts, language: Language) -> Vec<Sentence> {
    let (words, grounds) = (language.words(), language.grounds());
    let reason = pages.reason.map(|reason| match reason {
        PagesReason::Unreadable => words.pages_unreadable,
        PagesReason::Unseen => words.pages_unseen,
        PagesReason::Unpaired => words.pages_unpaired,
    });
    let mut open = Vec::new();
    if let Some(reason) = reason {
        open.push(Sentence::of(fill(words.pages_not_compared, &[reason]), grounds.pages_not_compared));
    }
    if !pages.other_digests.is_empty() {
        let text = fill(words.other_digests, &[&pages.other_digests.join(", ")]);
        open.push(Sentence::of(text, grounds.other_on_pages));
    }
    if !pages.unshown.is_empty() {
        open.push(Sentence::of(words.unshown.to_owned(), grounds.other_on_pages));
    }
    open
}

fn files(report: &Report) -> usize {
    report.items.iter().filter(|item| item.file.is_some()).count()
}

fn embedded_files(report: &Report) -> usize {
    report.items.iter().filter(|item| item.embedded.is_some()).count()
}

fn stamped_files(report: &Report) -> usize {
    let verified = |token: &TokenState| matches!(token, TokenState::Verified { .. });
    report.items.iter().filter(|item| item.file.is_some() && verified(&item.token)).count()
}
