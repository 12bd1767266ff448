//! The numbers of decisions 13, one rule at a time.

use super::*;
use crate::{
    analysis::{AnalysisProgress, DocumentAnalysis, ProgressStatusLevel, SuspicionLevel},
    company_manifest::SignalWeights,
    id::{CaseId, StepId},
    step::{CrossCheck, ExtractedField, StepAnalysis},
};

fn plan(types: &[&str], cross_check: &[&str]) -> StepAnalysis {
    StepAnalysis {
        document_types: types.iter().map(|&name| name.to_owned()).collect(),
        other_document: false,
        timestamp_and_signature: true,
        delete_after_analysis: false,
        cross_check: cross_check
            .iter()
            .map(|&field| CrossCheck {
                field: field.to_owned(),
                label: field.to_uppercase(),
                step: StepId::new(1).unwrap(),
            })
            .collect(),
        extract: Vec::<ExtractedField>::new(),
    }
}

fn item() -> ItemId {
    ItemId::new(5).unwrap()
}

fn case() -> CaseId {
    CaseId::new(9).unwrap()
}

fn given<T>(answer: T) -> Vec<Asked<T>> {
    vec![Asked { plugin: "p".to_owned(), answer: Answer::Given(answer) }]
}

fn not_run<T>() -> Vec<Asked<T>> {
    vec![Asked { plugin: "p".to_owned(), answer: Answer::NotRun("it trapped".to_owned()) }]
}

fn types(candidates: &[(&str, u8)]) -> Vec<Asked<Vec<Candidate>>> {
    given(
        candidates
            .iter()
            .map(|&(name, score)| Candidate { document_type: name.to_owned(), score, findings: Vec::new() })
            .collect(),
    )
}

fn check(code: &str, status: CheckStatus, evaluation: u8, weight: u32) -> Check {
    Check { code: code.to_owned(), label: code.to_owned(), status, evaluation, weight, findings: Vec::new() }
}

fn falsification_of(evaluation: u8) -> Vec<Asked<Vec<Check>>> {
    given(vec![check("FONT_CONSISTENCY", CheckStatus::Valid, evaluation, 10)])
}

fn compared(fields: &[(&str, Match)]) -> Vec<Asked<Vec<Comparison>>> {
    given(fields.iter().map(|&(code, outcome)| comparison(code, true, outcome)).collect())
}

fn comparison(code: &str, entered: bool, outcome: Match) -> Comparison {
    Comparison { code: code.to_owned(), entered, outcome, text: "said why".to_owned() }
}

fn assessed(signals: &[(&str, u8)]) -> Vec<Asked<Vec<Assessment>>> {
    let assessment = |&(kind, score): &(&str, u8)| Assessment { kind: kind.to_owned(), score, findings: Vec::new() };
    given(signals.iter().map(assessment).collect())
}

fn document(answers: &DocumentAnswers, cross_check: &[&str]) -> DocumentAnalysis {
    judge_document(item(), &plan(&["PASSPORT"], cross_check), answers).0
}

fn case_score(documents: Vec<DocumentAnalysis>, signals: &[(&str, u8)]) -> u8 {
    judge_case(case(), 0, documents, &assessed(signals), &SignalWeights::default(), None).0.trust_score
}

#[test]
fn decisions_13_a_document_is_half_falsification_three_tenths_type_and_two_tenths_cross_check() {
    let answers = DocumentAnswers {
        types: types(&[("PASSPORT", 80)]),
        cross_checks: compared(&[("lastName", Match::Match), ("firstName", Match::Missing)]),
        falsifications: falsification_of(90),
    };
    let judged = document(&answers, &["lastName", "firstName"]);
    // 0.5 × 90 + 0.3 × 80 + 0.2 × 75
    assert_eq!(judged.trust_score, 84);
    assert_eq!((judged.suspicion_score, judged.suspicion_level, judged.evaluation), (10, SuspicionLevel::Low, 90));
    assert_eq!((judged.type_match_score, judged.cross_check_score), (80, Some(75)));
    assert_eq!(judged.progress_status_level, ProgressStatusLevel::AnalysisCompleted);
}

#[test]
fn decisions_13_without_a_cross_check_the_other_two_share_its_weight() {
    let answers = DocumentAnswers {
        types: types(&[("PASSPORT", 60)]),
        cross_checks: Vec::new(),
        falsifications: falsification_of(100),
    };
    let judged = document(&answers, &[]);
    // (0.5 × 100 + 0.3 × 60) / 0.8
    assert_eq!(judged.trust_score, 85);
    assert_eq!((judged.cross_check_results, judged.cross_check_score), (None, None));
}

#[test]
fn a_plugin_that_did_not_run_is_ignored_and_not_a_fraud() {
    let right = DocumentAnswers {
        types: types(&[("PASSPORT", 100)]),
        cross_checks: compared(&[("lastName", Match::Match)]),
        falsifications: falsification_of(100),
    };
    let without = [
        DocumentAnswers { types: not_run(), ..right.clone() },
        DocumentAnswers { cross_checks: not_run(), ..right.clone() },
        DocumentAnswers { falsifications: not_run(), ..right.clone() },
        DocumentAnswers { falsifications: not_run(), types: not_run(), ..right.clone() },
    ];
    for answers in without {
        let judged = document(&answers, &["lastName"]);
        assert_eq!(judged.trust_score, 100, "{answers:?}");
        assert_eq!(judged.suspicion_level, SuspicionLevel::None);
        assert_eq!(judged.progress_status_level, ProgressStatusLevel::AnalysisCompleted);
    }
    let none_ran = DocumentAnswers { types: not_run(), cross_checks: not_run(), falsifications: not_run() };
    let judged = document(&none_ran, &["lastName"]);
    assert_eq!(judged.progress_status_level, ProgressStatusLevel::AnalysisFailed);
    assert_eq!(case_score(vec![judged], &[("gps", 80)]), 80, "it is in no score");
}

#[test]
fn a_plugin_that_did_not_run_is_named_in_the_details_and_in_the_account() {
    let answers =
        DocumentAnswers { types: types(&[("PASSPORT", 90)]), cross_checks: Vec::new(), falsifications: not_run() };
    let (judged, account) = judge_document(item(), &plan(&["PASSPORT"], &[]), &answers);
    assert_eq!(judged.analysis_details[0].status, CheckStatus::NotApplicable);
    assert!(judged.analysis_details[0].weight < f64::EPSILON);
    assert_eq!(account.falsification.parts[0].note.as_deref(), Some("it trapped"));
}

#[test]
fn decisions_13_a_check_that_does_not_apply_has_no_weight() {
    let checks = vec![
        check("FONT_CONSISTENCY", CheckStatus::Valid, 100, 30),
        check("TEXT_OVERLAY", CheckStatus::Invalid, 0, 10),
        check("MRZ_CHECKSUM", CheckStatus::NotApplicable, 100, 60),
    ];
    let answers = DocumentAnswers { types: Vec::new(), cross_checks: Vec::new(), falsifications: given(checks) };
    let judged = document(&answers, &[]);
    assert_eq!((judged.evaluation, judged.suspicion_score), (75, 25));
    let weights: Vec<f64> = judged.analysis_details.iter().map(|detail| detail.weight).collect();
    assert_eq!(weights, [0.75, 0.25, 0.0]);
}

#[test]
fn the_most_suspicious_of_several_inspectors_counts() {
    let inspector = |name: &str, evaluation| Asked {
        plugin: name.to_owned(),
        answer: Answer::Given(vec![check("FONT_CONSISTENCY", CheckStatus::Warning, evaluation, 1)]),
    };
    let answers = DocumentAnswers {
        falsifications: vec![inspector("lenient", 95), inspector("strict", 40)],
        ..DocumentAnswers::default()
    };
    let judged = document(&answers, &[]);
    assert_eq!(judged.suspicion_score, 60);
    let shares: Vec<f64> = judged.analysis_details.iter().map(|detail| detail.weight).collect();
    assert_eq!(shares, [0.0, 1.0]);
}

#[test]
fn the_type_is_measured_by_what_the_step_asks_for() {
    let score = |candidates: &[(&str, u8)], other_document: bool| {
        let plan = StepAnalysis { other_document, ..plan(&["PASSPORT", "IDENTITY_CARD"], &[]) };
        let answers = DocumentAnswers { types: types(candidates), ..DocumentAnswers::default() };
        let judged = judge_document(item(), &plan, &answers).0;
        (judged.detected_document_type, judged.type_match_score)
    };
    assert_eq!(score(&[("PASSPORT", 97)], false), ("PASSPORT".to_owned(), 97));
    assert_eq!(score(&[("INVOICE", 96), ("IDENTITY_CARD", 12)], false), ("INVOICE".to_owned(), 12));
    assert_eq!(score(&[("INVOICE", 96)], false), ("INVOICE".to_owned(), 0));
    assert_eq!(score(&[("INVOICE", 96)], true), ("INVOICE".to_owned(), 96));
    assert_eq!(score(&[("OTHER", 70)], true), ("OTHER".to_owned(), 70));
    // Nothing could be read: not even a step that takes anything knows what it has got.
    assert_eq!(score(&[("UNKNOWN", 100)], true), ("UNKNOWN".to_owned(), 0));
    // Of equal ones the first.
    assert_eq!(score(&[("PASSPORT", 50), ("INVOICE", 50)], false), ("PASSPORT".to_owned(), 50));
}

#[test]
fn decisions_13_the_cross_check_score_is_the_mean_over_the_fields_for_which_a_value_was_entered() {
    use Match::{Match as Same, Mismatch, Missing};

    let outcome_on = |types: Vec<Asked<Vec<Candidate>>>, fields: &[(&str, bool, Match)]| {
        let comparisons = fields.iter().map(|&(code, entered, outcome)| comparison(code, entered, outcome)).collect();
        let answers =
            DocumentAnswers { types, falsifications: falsification_of(100), cross_checks: given(comparisons) };
        let judged = document(&answers, &["lastName", "iban"]);
        let results: Vec<Match> = judged.cross_check_results.unwrap().iter().map(|result| result.outcome).collect();
        (results, judged.cross_check_score)
    };
    let passport = || types(&[("PASSPORT", 100)]);
    let outcome = |fields: &[(&str, bool, Match)]| outcome_on(passport(), fields);
    assert_eq!(outcome(&[("lastName", true, Same), ("iban", false, Missing)]), (vec![Same, Missing], Some(100)));
    assert_eq!(outcome(&[("lastName", true, Same), ("iban", true, Missing)]), (vec![Same, Missing], Some(75)));
    assert_eq!(outcome(&[("lastName", true, Mismatch), ("iban", true, Missing)]), (vec![Mismatch, Missing], Some(25)));
    assert_eq!(outcome(&[("lastName", true, Missing), ("iban", false, Missing)]), (vec![Missing, Missing], Some(50)));
    // A field of which nothing was said, and one that was not asked for.
    assert_eq!(outcome(&[("lastName", true, Mismatch), ("bic", true, Same)]), (vec![Mismatch, Missing], Some(0)));
    // Without a value there is nothing to differ from, whatever a plugin says.
    assert_eq!(outcome(&[("lastName", false, Mismatch), ("iban", false, Missing)]), (vec![Missing, Missing], None));
    // What could not be read neither confirms nor denies.
    let unread = [("lastName", true, Missing), ("iban", true, Missing)];
    for types in [types(&[("UNKNOWN", 100)]), not_run(), Vec::new()] {
        assert_eq!(outcome_on(types, &unread), (vec![Missing, Missing], None));
    }
    let read = [("lastName", true, Same), ("iban", true, Missing)];
    assert_eq!(outcome_on(types(&[("UNKNOWN", 100)]), &read), (vec![Same, Missing], Some(75)), "one value was read");
}

#[test]
fn decisions_13_a_case_is_the_weighted_mean_of_the_available_signals() {
    assert_eq!(case_score(Vec::new(), &[]), 100, "nothing was analysed");
    assert_eq!(case_score(Vec::new(), &[("gps", 40)]), 40);
    // (3 × 100 + 2 × 90 + 2 × 80 + 70 + 60 + 50) / 10
    let all = [("document", 100), ("image", 90), ("duplicate", 80), ("gps", 70), ("device", 60), ("motion", 50)];
    assert_eq!(case_score(Vec::new(), &all), 82);
    // (10 × 82 + 2 × 40) / 12
    assert_eq!(case_score(Vec::new(), &[&all[..], &[("consistency", 40)]].concat()), 75);
    let weights = SignalWeights { gps: 0, ..SignalWeights::default() };
    let weightless = judge_case(case(), 0, Vec::new(), &assessed(&[("gps", 40)]), &weights, None).0;
    assert_eq!(weightless.trust_score, 100, "a signal without weight does not count");
    assert_eq!(weightless.signals[0].score, 40, "and is shown");
}

#[test]
fn decisions_13_certain_fraud_is_never_averaged_away() {
    let good = [("image", 100), ("duplicate", 100), ("gps", 100), ("device", 100)];
    let with = |motion| [&good[..], &[("motion", motion)]].concat();
    assert_eq!(case_score(Vec::new(), &with(10)), 69, "87, and not more than one level better than its motion");
    assert_eq!(case_score(Vec::new(), &with(9)), 29);
    assert_eq!(case_score(Vec::new(), &[("gps", 3)]), 3, "the cap raises nothing");
    let forged = |evaluation| {
        let answers = DocumentAnswers {
            types: types(&[("PASSPORT", 100)]),
            cross_checks: Vec::new(),
            falsifications: falsification_of(evaluation),
        };
        document(&answers, &[])
    };
    // Of the right type, so the mean is 41: its falsification score alone betrays it.
    assert_eq!(forged(5).trust_score, 29);
    assert_eq!(case_score(vec![forged(5)], &good), 29);
    assert_eq!(case_score(vec![forged(10)], &good), 69);
}

#[test]
fn decisions_13_a_contradiction_in_a_document_is_never_averaged_away() {
    let of = |evaluation, type_score, outcome| DocumentAnswers {
        types: types(&[("PASSPORT", type_score)]),
        cross_checks: compared(&[("lastName", outcome), ("firstName", Match::Match), ("iban", Match::Match)]),
        falsifications: falsification_of(evaluation),
    };
    let fields = ["lastName", "firstName", "iban"];
    for (answers, expected, why) in [
        (of(100, 100, Match::Match), 100, None),
        (of(100, 100, Match::Missing), 97, None),
        (of(100, 100, Match::Mismatch), 69, Some("93 lowered to 69: lastName is not what was entered")),
        (of(100, 50, Match::Match), 85, None),
        (of(100, 49, Match::Match), 69, Some("85 lowered to 69: the type scores less than 50")),
        (of(71, 100, Match::Match), 86, None),
        (of(70, 100, Match::Match), 69, Some("85 lowered to 69: the suspicion of a falsification is MEDIUM")),
        (of(31, 100, Match::Match), 66, None),
        (of(30, 100, Match::Match), 29, Some("65 lowered to 29: the suspicion of a falsification is HIGH")),
        (of(30, 100, Match::Mismatch), 29, Some("58 lowered to 29: the suspicion of a falsification is HIGH")),
    ] {
        let (judged, account) = judge_document(item(), &plan(&["PASSPORT"], &fields), &answers);
        assert_eq!(judged.trust_score, expected, "{answers:?}");
        assert_eq!(account.trust.notes.first().map(String::as_str), why, "{answers:?}");
        assert_eq!(account.trust.notes.len(), usize::from(why.is_some()), "{:?}", account.trust.notes);
    }
}

#[test]
fn decisions_13_a_case_is_at_most_one_level_better_than_its_worst_document_or_signal() {
    let good = [("image", 100), ("duplicate", 100), ("gps", 100)];
    let with = |motion| case_score(Vec::new(), &[&good[..], &[("motion", motion)]].concat());
    assert_eq!((with(29), with(30)), (69, 88), "the second is SUSPICIOUS, which one level above is GOOD");
    // A plugin's own signal of documents does not hide one that is CRITICAL.
    let document = |trust_score| DocumentAnalysis {
        trust_score,
        ..document(&DocumentAnswers { falsifications: falsification_of(100), ..DocumentAnswers::default() }, &[])
    };
    let signals = [&good[..], &[("document", 100)]].concat();
    assert_eq!(case_score(vec![document(100), document(29)], &signals), 69);
    assert_eq!(case_score(vec![document(100), document(30)], &signals), 100);
    let (_, account) = judge_case(case(), 1, vec![document(29)], &assessed(&signals), &SignalWeights::default(), None);
    assert_eq!(account.trust.notes, ["100 lowered to 69: CRITICAL: the document of item 5"]);
    // The strictest cap is the one that is named.
    let (_, account) = judge_case(case(), 1, vec![document(4)], &assessed(&signals), &SignalWeights::default(), None);
    assert_eq!(account.trust.notes, ["100 lowered to 29: certain fraud: the document of item 5"]);
    // A signal without weight can still cap the score.
    let weights = SignalWeights { gps: 0, ..SignalWeights::default() };
    let weightless = |gps| judge_case(case(), 0, Vec::new(), &assessed(&[("gps", gps)]), &weights, None).0.trust_score;
    assert_eq!((weightless(9), weightless(29), weightless(30)), (29, 69, 100));
}

#[test]
fn decisions_13_what_was_not_examined_lowers_no_score() {
    let unanswered = |level| DocumentAnalysis::without_answer(item(), &[], level);
    let good = [("image", 100), ("duplicate", 100), ("gps", 100)];
    for level in [
        ProgressStatusLevel::AnalysisPending,
        ProgressStatusLevel::AnalysisRunning,
        ProgressStatusLevel::AnalysisFailed,
    ] {
        let judge = |progress| {
            judge_case(case(), 0, vec![unanswered(level)], &assessed(&good), &SignalWeights::default(), progress)
        };
        let (open, _) = judge(None);
        assert_eq!((open.trust_score, open.signals.len()), (100, 3), "{level:?}");
        let (degraded, account) = judge(Some(AnalysisProgress::Failed));
        assert_eq!((degraded.trust_score, degraded.signals.len()), (69, 3), "{level:?}");
        assert_eq!(
            account.trust.notes,
            [
                "the document of item 5 has no answer and is not counted",
                "100 lowered to 69: progress is failed: not every document was examined"
            ]
        );
    }
    // With nothing to judge the score is 100, unless there was something to look at.
    let nothing = |progress| {
        let documents = vec![unanswered(ProgressStatusLevel::AnalysisRunning)];
        judge_case(case(), 0, documents, &[], &SignalWeights::default(), progress).0.trust_score
    };
    assert_eq!((nothing(None), nothing(Some(AnalysisProgress::Failed))), (100, 69));
    assert_eq!(case_score(Vec::new(), &[("gps", 3)]), 3, "and no cap raises anything");
    // Nor does a plugin that did not run: neither the type nor a suspicion is held against the document.
    let untyped = DocumentAnswers { types: not_run(), falsifications: not_run(), ..DocumentAnswers::default() };
    let compared = DocumentAnswers { cross_checks: compared(&[("lastName", Match::Match)]), ..untyped };
    assert_eq!(document(&compared, &["lastName"]).trust_score, 100);
}

#[test]
fn the_document_signal_is_the_lowest_document_unless_a_plugin_gives_one() {
    let of = |evaluation| {
        let answers = DocumentAnswers { falsifications: falsification_of(evaluation), ..DocumentAnswers::default() };
        document(&answers, &[])
    };
    let documents = vec![of(95), of(60)];
    let (judged, account) = judge_case(case(), 2, documents.clone(), &[], &SignalWeights::default(), None);
    assert_eq!((judged.trust_score, judged.items_analyzed), (60, 2));
    assert_eq!(judged.signals[0].key, "document");
    assert_eq!(account.trust.parts[0].plugin, None);
    let (judged, account) =
        judge_case(case(), 2, documents, &assessed(&[("document", 77)]), &SignalWeights::default(), None);
    assert_eq!(judged.trust_score, 77);
    assert_eq!(account.trust.parts[0].plugin.as_deref(), Some("p"));
}

#[test]
fn signals_come_in_the_order_of_the_specification_and_the_lower_of_two_counts() {
    let mut two = assessed(&[("duplicate", 80), ("weather", 50), ("gps", 90)]);
    two.extend(assessed(&[("gps", 70), ("duplicate", 85)]));
    two.extend(not_run());
    let (judged, account) = judge_case(case(), 1, Vec::new(), &two, &SignalWeights::default(), None);
    let keys: Vec<(&str, u8)> = judged.signals.iter().map(|signal| (signal.key.as_str(), signal.score)).collect();
    assert_eq!(keys, [("gps", 70), ("duplicate", 80), ("weather", 50)]);
    assert_eq!(account.not_run, [NotRun { plugin: "p".to_owned(), reason: "it trapped".to_owned() }]);
}
