//! The states of spec 3.3 as one question: given the progress of a closed case, what should be done with it now?
//!
//! The answer depends only on what is stored, never on the event that triggered it. So an event that is lost, repeated
//! or out of order changes nothing but the time, and a sweep that asks again repairs whatever was lost.

use std::time::Duration;

use sealwright_base::clock::Timestamp;

use super::{AnalysisProgress, CaseAnalysis};

/// How long after its closing a case without a pending document waits for the analyses of its pictures. By the
/// specification they delay nothing, and such a case is reported "a few seconds after closure" (spec 6.2): results that
/// return within these seconds are in the first notice instead of causing a second one.
pub const PICTURE_GRACE: Duration = Duration::from_secs(3);

/// How many analyses of one kind a case has, by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Not ended yet.
    pub awaited: u32,
    /// Ended with an answer.
    pub answered: u32,
    /// Ended without one, for good.
    pub failed: u32,
}

impl Tally {
    /// How many have ended. Falls only if the operator has a file examined again.
    pub const fn ended(self) -> u32 {
        self.answered + self.failed
    }
}

/// The progress of a closed case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub closed_at: Timestamp,
    /// When the case is finalised with the results so far (spec 3.3).
    pub deadline: Timestamp,
    /// Awaited.
    pub documents: Tally,
    /// Photos: they feed the score and delay nothing.
    pub pictures: Tally,
    /// How many analyses of either kind had ended when the last verdict was made; none before the first one.
    pub basis: Option<u32>,
}

/// What to do next with a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing before this moment, unless an analysis ends.
    Wait(Timestamp),
    /// Make a verdict, the first or a newer one.
    Conclude(AnalysisProgress),
    /// Nothing, unless an analysis ends.
    Rest,
}

impl Standing {
    /// The number of analyses that a verdict made now would be based on.
    pub const fn ended(&self) -> u32 {
        self.documents.ended() + self.pictures.ended()
    }

    /// What to do at `now`.
    pub fn next(&self, now: Timestamp) -> Next {
        // An analysis that ended without an answer has not returned in the sense of the specification: a receiver that
        // accepts cases by `completed` must not accept this one.
        let progress = if self.documents.awaited + self.documents.failed == 0 {
            AnalysisProgress::Completed
        } else {
            AnalysisProgress::Failed
        };
        if let Some(basis) = self.basis {
            return if self.ended() > basis { Next::Conclude(progress) } else { Next::Rest };
        }
        let (missing, until) = if self.documents.awaited > 0 {
            (true, self.deadline)
        } else {
            (self.pictures.awaited > 0, self.closed_at.after(PICTURE_GRACE).min(self.deadline))
        };
        if missing && now < until { Next::Wait(until) } else { Next::Conclude(progress) }
    }
}

/// A verdict as it was sent to a receiver.
#[derive(Clone, Copy, Debug)]
pub struct CaseNotice<'a> {
    pub progress: AnalysisProgress,
    pub analysis: &'a CaseAnalysis,
}

impl CaseNotice<'_> {
    /// Whether a newer verdict is worth a second notice (spec 3.3: "a second webhook may be sent with a different score"):
    /// the progress, the score or a document differs. A signal that leaves the score as it was does not.
    pub fn differs_from(self, newer: CaseNotice<'_>) -> bool {
        self.progress != newer.progress
            || self.analysis.trust_score != newer.analysis.trust_score
            || self.analysis.document_analyses != newer.analysis.document_analyses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::CaseId;

    const CLOSED: Timestamp = Timestamp::from_millis(1_795_168_800_000);
    const DEADLINE: Duration = Duration::from_mins(15);

    fn tally(awaited: u32, answered: u32, failed: u32) -> Tally {
        Tally { awaited, answered, failed }
    }

    fn standing(documents: Tally, pictures: Tally, basis: Option<u32>) -> Standing {
        Standing { closed_at: CLOSED, deadline: CLOSED.after(DEADLINE), documents, pictures, basis }
    }

    #[test]
    fn spec_3_3_a_case_is_complete_when_every_document_has_returned() {
        let running = standing(tally(1, 2, 0), Tally::default(), None);
        assert_eq!(running.next(CLOSED), Next::Wait(CLOSED.after(DEADLINE)));
        let returned = standing(tally(0, 3, 0), Tally::default(), None);
        assert_eq!(returned.next(CLOSED), Next::Conclude(AnalysisProgress::Completed));
    }

    #[test]
    fn spec_3_3_after_fifteen_minutes_the_result_is_degraded() {
        let running = standing(tally(1, 2, 0), tally(4, 0, 0), None);
        let deadline = CLOSED.after(DEADLINE);
        assert_eq!(running.next(deadline.before(Duration::from_millis(1))), Next::Wait(deadline));
        assert_eq!(running.next(deadline), Next::Conclude(AnalysisProgress::Failed));
        assert_eq!(running.next(deadline.after(DEADLINE)), Next::Conclude(AnalysisProgress::Failed));
    }

    #[test]
    fn spec_3_3_a_case_without_documents_is_complete_at_once() {
        let empty = standing(Tally::default(), Tally::default(), None);
        assert_eq!(empty.next(CLOSED), Next::Conclude(AnalysisProgress::Completed));
    }

    #[test]
    fn spec_6_2_pictures_get_only_seconds() {
        let pictures = standing(Tally::default(), tally(2, 1, 0), None);
        assert_eq!(pictures.next(CLOSED), Next::Wait(CLOSED.after(PICTURE_GRACE)));
        assert_eq!(pictures.next(CLOSED.after(PICTURE_GRACE)), Next::Conclude(AnalysisProgress::Completed));
        // Documents that have returned late are not held up once more.
        let both = standing(tally(0, 1, 0), tally(1, 0, 0), None);
        assert_eq!(both.next(CLOSED.after(PICTURE_GRACE)), Next::Conclude(AnalysisProgress::Completed));
    }

    #[test]
    fn spec_3_3_a_late_analysis_updates_the_result() {
        let notified = standing(tally(1, 1, 0), Tally::default(), Some(1));
        assert_eq!(notified.next(CLOSED.after(DEADLINE)), Next::Rest);
        let late = standing(tally(0, 2, 0), Tally::default(), Some(1));
        assert_eq!(late.next(CLOSED.after(DEADLINE)), Next::Conclude(AnalysisProgress::Completed));
        let one_of_two = standing(tally(1, 2, 0), Tally::default(), Some(1));
        assert_eq!(one_of_two.next(CLOSED.after(DEADLINE)), Next::Conclude(AnalysisProgress::Failed));
        let picture = standing(tally(0, 1, 0), tally(0, 1, 0), Some(1));
        assert_eq!(picture.next(CLOSED), Next::Conclude(AnalysisProgress::Completed));
    }

    #[test]
    fn a_document_without_an_answer_is_never_called_complete() {
        let failed = standing(tally(0, 1, 1), Tally::default(), None);
        assert_eq!(failed.next(CLOSED), Next::Conclude(AnalysisProgress::Failed));
        let picture = standing(tally(0, 1, 0), tally(0, 0, 1), None);
        assert_eq!(picture.next(CLOSED), Next::Conclude(AnalysisProgress::Completed));
    }

    #[test]
    fn a_deadline_shorter_than_the_pictures_seconds_holds() {
        let mut pictures = standing(Tally::default(), tally(1, 0, 0), None);
        pictures.deadline = CLOSED.after(Duration::from_secs(1));
        assert_eq!(pictures.next(CLOSED), Next::Wait(pictures.deadline));
        assert_eq!(pictures.next(pictures.deadline), Next::Conclude(AnalysisProgress::Completed));
    }

    /// Every standing with few analyses, at every relevant moment: every wait ends, and a verdict is never requested
    /// twice on the same basis.
    #[test]
    fn every_standing_comes_to_rest() {
        let few = 0..3_u32;
        let tallies: Vec<Tally> = few
            .clone()
            .flat_map(|awaited| {
                (0..3).flat_map(move |answered| (0..2).map(move |failed| tally(awaited, answered, failed)))
            })
            .collect();
        let moments = [0, 1, 2_999, 3_000, 3_001, 899_999, 900_000, 900_001, i64::MAX / 2];
        for (documents, pictures) in tallies.iter().flat_map(|d| tallies.iter().map(move |p| (*d, *p))) {
            for basis in [None, Some(0), Some(documents.ended() + pictures.ended())] {
                for passed in moments {
                    let (standing, now) =
                        (standing(documents, pictures, basis), Timestamp::from_millis(CLOSED.as_millis() + passed));
                    match standing.next(now) {
                        Next::Wait(until) => {
                            assert!(now < until && until <= standing.deadline, "{standing:?}");
                            assert!(basis.is_none(), "{standing:?}");
                            assert!(matches!(standing.next(until), Next::Conclude(_)), "{standing:?}");
                        }
                        Next::Conclude(progress) => {
                            let complete = documents.awaited + documents.failed == 0;
                            assert_eq!(progress == AnalysisProgress::Completed, complete, "{standing:?}");
                            let notified = Standing { basis: Some(standing.ended()), ..standing };
                            assert_eq!(notified.next(now), Next::Rest, "{standing:?}");
                        }
                        Next::Rest => assert_eq!(basis, Some(standing.ended()), "{standing:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_second_notice_is_sent_for_another_score_and_not_for_the_same() {
        let case = CaseId::new(9).unwrap();
        let before = CaseAnalysis::of_nothing(case);
        let notified = |progress, analysis| CaseNotice { progress, analysis };
        let (completed, failed) = (AnalysisProgress::Completed, AnalysisProgress::Failed);
        assert!(!notified(completed, &before).differs_from(notified(completed, &before)));
        assert!(notified(failed, &before).differs_from(notified(completed, &before)));
        let other_count = CaseAnalysis { items_analyzed: 1, ..before.clone() };
        assert!(!notified(completed, &before).differs_from(notified(completed, &other_count)));
        let other_score = CaseAnalysis { trust_score: 99, ..before.clone() };
        assert!(notified(completed, &before).differs_from(notified(completed, &other_score)));
    }
}
