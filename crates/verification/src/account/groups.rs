//! The facts behind an account's sentences, under their headings.

use sealwright_seal::{
    pki::Revocation,
    verify::{
        CertificateFacts, EvidenceStampFacts, ItemFacts, ManifestFacts, Report, SignatureFacts, State, TimeStampFacts,
        TimeStampKind, TokenState,
    },
};

use super::{
    disclosed, erased,
    model::{Entry, Fact, Group, Mark, Subject, readable_time},
    package, witnesses,
};
use crate::{
    CheckedCertificate,
    words::{Language, Words, fill},
};

pub(super) fn of(report: &Report, language: Language) -> Vec<Group> {
    let words = language.words();
    let mut groups = Vec::new();
    groups.extend(report.disclosed.as_ref().map(|facts| disclosed::group(report, facts, language)));
    if let Some(manifest) = &report.manifest {
        groups.push(Group { title: words.case.to_owned(), entries: vec![case(manifest, words)] });
        groups.push(Group { title: words.items.to_owned(), entries: items(report, language) });
        groups.extend(report.erasure.as_ref().map(|facts| erased::group(facts, language)));
    }
    if let Some(signature) = &report.signature {
        let entry = of_signature(report, signature, language);
        groups.push(Group { title: words.signature.to_owned(), entries: vec![entry] });
    }
    if !report.time_stamps.is_empty() {
        let entries = report.time_stamps.iter().map(|stamp| of_time_stamp(stamp, language)).collect();
        groups.push(Group { title: words.time_stamps.to_owned(), entries });
    }
    groups.extend(report.package.as_ref().map(|facts| package::group(facts, language)));
    for evidence in &report.evidence {
        let title = fill(words.evidence_record, &[&evidence.name]);
        let entries = evidence.time_stamps.iter().map(|stamp| of_evidence_stamp(stamp, words)).collect();
        groups.push(Group { title, entries });
    }
    groups
}

fn of_evidence_stamp(stamp: &EvidenceStampFacts, words: &Words) -> Entry {
    let mut facts = vec![
        Fact { mark: Mark::Good, ..plain(words.time, stamp.time.to_string()) },
        plain(words.authority, stamp.authority.subject.clone()),
        plain(words.algorithm, stamp.hash.to_owned()),
    ];
    if stamp.development {
        facts.push(Fact { mark: Mark::Doubtful, ..plain(words.leads_to, words.development_mark.to_owned()) });
    }
    Entry { title: None, facts }
}

/// The checked file, regardless of the result.
pub(super) fn of_file(checked: &CheckedCertificate, subject: &Subject, language: Language) -> Group {
    let words = language.words();
    let facts = vec![
        plain(words.name, subject.name.clone()),
        plain(words.size, fill(words.bytes, &[&checked.size.to_string()])),
        code(words.sha256, checked.sha256.to_string()),
        plain(words.checked_at, checked.at.to_string()),
    ];
    Group { title: words.this_file.to_owned(), entries: vec![Entry { title: None, facts }] }
}

fn case(manifest: &ManifestFacts, words: &Words) -> Entry {
    let mut facts = vec![plain(words.reference, manifest.reference.clone())];
    if !manifest.title.is_empty() {
        // A disclosure does not show it.
        facts.push(plain(words.title, manifest.title.clone()));
    }
    facts.extend([
        plain(words.company, manifest.company.name.clone()),
        plain(words.frame, manifest.frame.name.clone()),
        plain(words.created, manifest.created_at.clone()),
        plain(words.closed, manifest.closed_at.clone()),
    ]);
    if !manifest.missing_steps.is_empty() {
        facts.push(Fact { mark: Mark::Doubtful, ..plain(words.missing, manifest.missing_steps.join(", ")) });
    }
    facts.push(code(words.manifest_sha256, manifest.sha256.to_string()));
    facts.extend(manifest.root.map(|root| code(words.root, root.to_string())));
    facts.push(token(words.manifest_token, &manifest.token, words));
    Entry { title: None, facts }
}

fn items(report: &Report, language: Language) -> Vec<Entry> {
    if report.items.is_empty() {
        return vec![Entry { title: Some(language.words().no_items.to_owned()), facts: Vec::new() }];
    }
    report.items.iter().map(|item| of_item(item, language)).collect()
}

fn of_item(item: &ItemFacts, language: Language) -> Entry {
    let words = language.words();
    let title = match &item.step {
        Some(step) => format!("{} – {step}", item.reference),
        None => item.reference.clone(),
    };
    let mut facts = vec![plain(words.received, item.created_at.clone())];
    facts.extend(item.value.clone().map(|value| plain(words.value, value)));
    if let Some(file) = &item.file {
        let size = fill(words.bytes, &[&file.size.to_string()]);
        let name = file.name.as_ref().map(|name| format!("{name}, ")).unwrap_or_default();
        facts.push(plain(words.file, format!("{name}{}, {size}", file.media_type)));
        facts.push(code(words.sha256, file.sha256.to_string()));
        facts.push(token(words.own_time, &item.token, words));
    }
    let inside = |name: &String| Fact { mark: Mark::Good, ..plain(language.embedded().inside, name.clone()) };
    facts.extend(item.embedded.as_ref().map(inside));
    for original in &item.originals {
        facts.push(Fact { mark: Mark::Good, ..plain(words.your_file, original.clone()) });
    }
    Entry { title: Some(title), facts }
}

fn token(label: &'static str, state: &TokenState, words: &Words) -> Fact {
    let (value, mark) = match state {
        TokenState::None => (words.no_own_time.to_owned(), Mark::Plain),
        TokenState::Verified { time, authority } => (format!("{time}, {authority}"), Mark::Good),
        TokenState::Untrusted { time } => (format!("{time} ({})", words.untrusted_mark), Mark::Doubtful),
        TokenState::Broken => (words.broken_mark.to_owned(), Mark::Bad),
    };
    Fact { mark, ..plain(label, value) }
}

fn of_signature(report: &Report, signature: &SignatureFacts, language: Language) -> Entry {
    let words = language.words();
    let mut facts = Vec::new();
    if let Some(signer) = &signature.signer {
        facts.extend(certificate(words.signer, signer, signature.state, words));
    }
    facts.push(leads_to(signature.anchor.as_deref(), signature.development, words));
    facts.extend(signature.revocation.map(|status| revocation(status, words)));
    facts.extend(signature.algorithm.clone().map(|algorithm| plain(words.algorithm, algorithm)));
    facts.extend(report.level.map(|level| plain(words.level, language.level(level).to_owned())));
    if report.revisions > 0 {
        facts.push(plain(words.revisions, report.revisions.to_string()));
    }
    facts.extend(signature.claimed_time.as_deref().map(|time| plain(words.claimed_time, readable_time(time))));
    Entry { title: None, facts }
}

fn of_time_stamp(stamp: &TimeStampFacts, language: Language) -> Entry {
    let words = language.words();
    let title = match stamp.kind {
        TimeStampKind::Signature => words.on_signature.to_owned(),
        TimeStampKind::Document => fill(words.on_document, &[&stamp.revision.to_string()]),
    };
    let accuracy = stamp.accuracy_millis.map(|millis| format!(" ({})", fill(words.accuracy, &[&millis.to_string()])));
    let mut facts = Vec::new();
    if let Some(time) = stamp.time {
        let value = format!("{time}{}", accuracy.unwrap_or_default());
        facts.push(Fact { mark: mark(stamp.state), ..plain(words.time, value) });
    }
    if let Some(authority) = &stamp.authority {
        facts.extend(certificate(words.authority, authority, stamp.state, words));
    }
    facts.push(leads_to(stamp.anchor.as_deref(), stamp.development, words));
    facts.extend(stamp.revocation.map(|status| revocation(status, words)));
    facts.extend(stamp.log.as_ref().map(|log| {
        // Entries are counted from 0 in the log and from 1 by people.
        let place = fill(words.log_place, &[&log.name, &(log.index + 1).to_string(), &log.size.to_string()]);
        Fact { mark: Mark::Good, ..plain(words.log, place) }
    }));
    facts.extend(stamp.log.as_ref().and_then(|log| witnesses::of_place(log, language)));
    Entry { title: Some(title), facts }
}

fn certificate(label: &'static str, facts: &CertificateFacts, state: State, words: &Words) -> [Fact; 4] {
    let validity = fill(words.until, &[&facts.not_before.to_string(), &facts.not_after.to_string()]);
    [
        Fact { mark: mark(state), ..plain(label, facts.subject.clone()) },
        plain(words.issuer, facts.issuer.clone()),
        code(words.certificate_sha256, facts.sha256.to_string()),
        plain(words.validity, validity),
    ]
}

fn leads_to(anchor: Option<&str>, development: bool, words: &Words) -> Fact {
    match anchor {
        Some(anchor) if development => {
            Fact { mark: Mark::Doubtful, ..plain(words.leads_to, format!("{anchor} ({})", words.development_mark)) }
        }
        Some(anchor) => Fact { mark: Mark::Good, ..plain(words.leads_to, anchor.to_owned()) },
        None => Fact { mark: Mark::Doubtful, ..plain(words.leads_to, words.no_one_trusted.to_owned()) },
    }
}

fn revocation(status: Revocation, words: &Words) -> Fact {
    let (value, mark) = match status {
        Revocation::Unknown => (words.revocation_unknown.to_owned(), Mark::Doubtful),
        Revocation::NotRevoked { as_of } => (fill(words.not_revoked, &[&as_of.to_string()]), Mark::Good),
        Revocation::Revoked { since } => (fill(words.revoked_since, &[&since.to_string()]), Mark::Bad),
    };
    Fact { mark, ..plain(words.revoked, value) }
}

fn mark(state: State) -> Mark {
    match state {
        State::Trusted => Mark::Good,
        State::Untrusted => Mark::Doubtful,
        State::Broken => Mark::Bad,
    }
}

fn plain(label: &'static str, value: String) -> Fact {
    Fact { label, value, mark: Mark::Plain, is_code: false }
}

fn code(label: &'static str, value: String) -> Fact {
    Fact { is_code: true, ..plain(label, value) }
}
