//! What the package of a case proves in addition to the certificate in it.

use sealwright_seal::verify::{FindingCode, PackageFacts, PackageStampFacts, Report, Severity, State};

use super::{
    model::{Entry, Fact, Group, Mark, Sentence},
    witnesses,
};
use crate::words::{Language, fill};

pub(super) fn proven(report: &Report, language: Language) -> Vec<Sentence> {
    let Some(package) = &report.package else { return Vec::new() };
    let words = language.package();
    let mut proven = Vec::new();
    let is_against = report
        .findings
        .iter()
        .any(|finding| finding.code == FindingCode::Package && finding.severity > Severity::Notice);
    let PackageStampFacts { state, time, authority, .. } = &package.time_stamp;
    if let (State::Trusted, Some(time), false) = (*state, time, is_against) {
        let authority = authority.as_ref().map_or("", |authority| authority.subject.as_str());
        let count = package.files.len().to_string();
        let text = fill(words.together, &[&count, &time.to_string(), authority]);
        proven.push(Sentence::of(text, words.files_ground));
    }
    if let Some(log) = &package.log {
        let text = fill(words.logged, &[&log.name, &(log.index + 1).to_string(), &log.size.to_string()]);
        proven.push(Sentence::of(text, words.log_ground));
    }
    proven
}

pub(super) fn open(report: &Report, language: Language) -> Option<Sentence> {
    let words = language.package();
    let deleted = report.package.as_ref().map(|package| package.deleted.join(", "));
    deleted
        .filter(|deleted| !deleted.is_empty())
        .map(|deleted| Sentence::of(fill(words.deleted, &[&deleted]), words.deleted_ground))
}

pub(super) fn group(package: &PackageFacts, language: Language) -> Group {
    let (words, own) = (language.words(), language.package());
    let plain = |label, value| Fact { label, value, mark: Mark::Plain, is_code: false };
    let PackageStampFacts { state, time, authority, anchor, development, .. } = &package.time_stamp;
    let mark = match state {
        State::Trusted if *development => Mark::Doubtful,
        State::Trusted => Mark::Good,
        State::Untrusted => Mark::Doubtful,
        State::Broken => Mark::Bad,
    };
    let mut facts = vec![plain(own.files, package.files.len().to_string())];
    facts.extend(time.map(|time| Fact { mark, ..plain(words.time, time.to_string()) }));
    facts.extend(authority.as_ref().map(|authority| plain(words.authority, authority.subject.clone())));
    let leads_to = match anchor {
        Some(anchor) if *development => format!("{anchor} ({})", words.development_mark),
        Some(anchor) => anchor.clone(),
        None => words.no_one_trusted.to_owned(),
    };
    facts.push(Fact { mark, ..plain(words.leads_to, leads_to) });
    if let Some(log) = &package.log {
        // Entries are counted from 0 in the log and from 1 by people.
        let place = fill(words.log_place, &[&log.name, &(log.index + 1).to_string(), &log.size.to_string()]);
        facts.push(Fact { mark: Mark::Good, ..plain(words.log, place) });
        facts.extend(witnesses::of_place(log, language));
    }
    Group { title: own.title.to_owned(), entries: vec![Entry { title: None, facts }] }
}

#[cfg(test)]
mod tests {
    use sealwright_seal::{
        Sha256Digest, UnixTime,
        verify::{Finding, PackedFileFacts},
    };

    use super::*;

    fn packed() -> Report {
        let file = PackedFileFacts { name: "CAS-1_CMP-1.pdf".to_owned(), size: 3, sha256: Sha256Digest::of("pdf") };
        let time_stamp = PackageStampFacts {
            state: State::Trusted,
            time: Some(UnixTime::from_millis(1_795_168_800_000).unwrap()),
            authority: None,
            anchor: Some("CN=Root".to_owned()),
            development: false,
            sha256: Sha256Digest::of("token"),
            fault: None,
        };
        let package = PackageFacts { time_stamp, files: vec![file], deleted: Vec::new(), log: None };
        Report { package: Some(package), ..Report::default() }
    }

    #[test]
    fn the_time_of_a_package_is_proven_only_if_nothing_is_against_the_package() {
        let mut report = packed();
        let sentence = proven(&report, Language::English).remove(0).text;
        assert!(sentence.contains("package: 1. All of them were together no later than 2026-11-20"), "{sentence}");
        let finding = |severity| Finding { severity, code: FindingCode::Package, message: "x".to_owned() };
        report.findings.push(finding(Severity::Notice));
        assert_eq!(proven(&report, Language::French).len(), 1);
        report.findings.push(finding(Severity::Changed));
        assert!(proven(&report, Language::German).is_empty());
        assert!(proven(&Report::default(), Language::English).is_empty());
    }

    #[test]
    fn deleted_files_are_not_proven() {
        let mut report = packed();
        assert_eq!(open(&report, Language::English), None);
        report.package.as_mut().unwrap().deleted = vec!["ITM-1_CAS-1".to_owned(), "ITM-2_CAS-1".to_owned()];
        assert!(open(&report, Language::German).unwrap().text.contains("ITM-1_CAS-1, ITM-2_CAS-1"));
    }
}
