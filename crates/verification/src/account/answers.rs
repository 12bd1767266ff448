//! The three answers: unchanged, by whom, since when. They are never one, because each can fail by itself.

use sealwright_seal::verify::{Report, State};

use super::model::{Answer, Mark, Reliance, Sentence, authority_of, first_stamp, readable_time};
use crate::words::{Ground, Language, fill};

pub(super) fn of(report: &Report, reliance: Reliance, language: Language) -> [Answer; 3] {
    let (words, grounds) = (language.answers_for(report), language.grounds_for(report));
    let unchanged = unchanged(report, reliance, language);
    if reliance == Reliance::Nothing {
        let none = |question| Answer {
            question,
            mark: Mark::Bad,
            sentence: Sentence::of(words.not_answered.to_owned(), grounds.changed),
        };
        return [unchanged, none(words.by_whom), none(words.since_when)];
    }
    [unchanged, by_whom(report, language), since_when(report, language)]
}

fn unchanged(report: &Report, reliance: Reliance, language: Language) -> Answer {
    let (words, grounds) = (language.answers_for(report), language.grounds_for(report));
    let (mark, text, ground) = match reliance {
        Reliance::Content => (Mark::Good, words.is_unchanged, grounds.signed),
        Reliance::Signature => (Mark::Bad, words.contradicts_itself, grounds.other_on_pages),
        Reliance::Nothing => (Mark::Bad, words.is_changed, grounds.changed),
    };
    Answer { question: words.unchanged, mark, sentence: Sentence::of(text.to_owned(), ground) }
}

fn by_whom(report: &Report, language: Language) -> Answer {
    let (words, grounds) = (language.answers_for(report), language.grounds_for(report));
    let signature = report.signature.as_ref();
    let signer = signature.and_then(|facts| facts.signer.as_ref()).map_or("", |signer| signer.subject.as_str());
    let trusted = signature.filter(|facts| facts.state == State::Trusted);
    let (mark, text, ground) = match trusted {
        Some(facts) => {
            let anchor = facts.anchor.as_deref().unwrap_or_default();
            if facts.development {
                (Mark::Doubtful, fill(words.development_signer, &[signer, anchor]), grounds.development)
            } else {
                (Mark::Good, fill(words.signer, &[signer, anchor]), grounds.signer)
            }
        }
        None => (Mark::Doubtful, fill(words.untrusted_signer, &[signer]), grounds.signer),
    };
    Answer { question: words.by_whom, mark, sentence: Sentence::of(text, ground) }
}

fn since_when(report: &Report, language: Language) -> Answer {
    let (mark, text, ground) = time(report, language);
    Answer { question: language.answers().since_when, mark, sentence: Sentence::of(text, ground) }
}

fn time(report: &Report, language: Language) -> (Mark, String, Ground) {
    let (words, grounds) = (language.answers_for(report), language.grounds_for(report));
    if let Some(time) = report.proven_time {
        let first = first_stamp(report, time);
        let authority = authority_of(first);
        return if first.is_some_and(|stamp| stamp.development) {
            (Mark::Doubtful, fill(words.development_time, &[&time.to_string(), authority]), grounds.development)
        } else {
            (Mark::Good, fill(words.time, &[&time.to_string(), authority]), grounds.existed)
        };
    }
    let stated = report.time_stamps.iter().filter(|stamp| stamp.state == State::Untrusted);
    if let Some(time) = stated.filter_map(|stamp| stamp.time).min() {
        return (Mark::Doubtful, fill(words.untrusted_time, &[&time.to_string()]), grounds.existed);
    }
    let claimed = report.signature.as_ref().and_then(|signature| signature.claimed_time.as_deref());
    let claimed = claimed.map_or("?".to_owned(), readable_time);
    (Mark::Doubtful, fill(words.claimed_time, &[&claimed]), grounds.time_pending)
}

#[cfg(test)]
mod tests {
    use sealwright_seal::{
        Sha256Digest, UnixTime,
        verify::{CertificateFacts, Level, SignatureFacts, TimeStampFacts, TimeStampKind},
    };

    use super::*;

    fn at(millis: i64) -> UnixTime {
        UnixTime::from_millis(millis).unwrap()
    }

    fn certificate(subject: &str) -> CertificateFacts {
        CertificateFacts {
            subject: subject.to_owned(),
            issuer: "CN=Root".to_owned(),
            serial_number: "1".to_owned(),
            sha256: Sha256Digest::of(subject),
            not_before: at(0),
            not_after: at(1),
        }
    }

    fn signature(state: State, development: bool) -> SignatureFacts {
        SignatureFacts {
            state,
            signer: Some(certificate("CN=Acme")),
            algorithm: None,
            anchor: (state == State::Trusted).then(|| "CN=Root".to_owned()),
            development,
            revocation: None,
            claimed_time: Some("D:20261120100000Z".to_owned()),
            value: None,
            fault: None,
        }
    }

    fn stamp(state: State) -> TimeStampFacts {
        TimeStampFacts {
            kind: TimeStampKind::Signature,
            revision: 2,
            level: Level::BT,
            state,
            time: Some(at(1_795_168_800_000)),
            accuracy_millis: None,
            authority: Some(certificate("CN=Clock")),
            anchor: None,
            development: false,
            revocation: None,
            log: None,
            sha256: Sha256Digest::of("token"),
            fault: None,
        }
    }

    fn answers(report: &Report, reliance: Reliance) -> [(Mark, String); 3] {
        of(report, reliance, Language::English).map(|answer| (answer.mark, answer.sentence.text))
    }

    #[test]
    fn each_answer_can_fail_by_itself() {
        let mut report = Report { signature: Some(signature(State::Trusted, false)), ..Report::default() };
        let [unchanged, signer, time] = answers(&report, Reliance::Content);
        assert_eq!(unchanged, (Mark::Good, "Yes. Every byte is as it was signed.".to_owned()));
        assert_eq!(signer, (Mark::Good, "CN=Acme. CN=Root, which is trusted here, vouches for the name.".to_owned()));
        assert!(time.0 == Mark::Doubtful && time.1.contains("own clock (2026-11-20T10:00:00Z)"), "{time:?}");

        report.time_stamps = vec![stamp(State::Untrusted)];
        let [_, _, time] = answers(&report, Reliance::Content);
        assert!(time.0 == Mark::Doubtful && time.1.contains("not trusted here"), "{time:?}");

        report.time_stamps = vec![stamp(State::Trusted)];
        report.proven_time = Some(at(1_795_168_800_000));
        report.signature = Some(signature(State::Untrusted, false));
        let [_, signer, time] = answers(&report, Reliance::Content);
        assert!(signer.0 == Mark::Doubtful && signer.1.contains("No one who is trusted here"), "{signer:?}");
        assert_eq!(time, (Mark::Good, "No later than 2026-11-20T10:00:00.000Z, according to CN=Clock.".to_owned()));

        report.signature = Some(signature(State::Trusted, true));
        let [_, signer, _] = answers(&report, Reliance::Signature);
        assert!(signer.0 == Mark::Doubtful && signer.1.contains("a development authority"), "{signer:?}");
    }

    #[test]
    fn a_changed_file_answers_nothing() {
        let report = Report { signature: Some(signature(State::Trusted, false)), ..Report::default() };
        for (mark, text) in answers(&report, Reliance::Nothing) {
            assert!(mark == Mark::Bad && !text.contains("Acme"), "{text}");
        }
    }
}
