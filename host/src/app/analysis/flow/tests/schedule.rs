//! What happens to a case in a random schedule, and what must be true at its end.

use super::*;
use crate::{
    app::analysis,
    domain::{
        analysis::{DocumentAnalysis, ProgressStatusLevel, judgement::judge_case},
        company_manifest::SignalWeights,
    },
    store::{
        analysis::Completed,
        job::{Claimant, JobKind},
    },
};

const LEASE: Duration = Duration::from_secs(30);
const MINUTE: Duration = Duration::from_mins(1);

impl World {
    pub(super) async fn begin(mut tx: Tx, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        // A schedule starts so late that earlier ones leave it nothing to sweep.
        let now = Timestamp::from_millis(1_795_168_800_000).after(Duration::from_hours(24 * 7 * seed));
        let (case,): (CaseId,) = tx
            .query(
                "insert into cases (company_id, frame_id, title, created_at, item_count) values (1, 1, 't', $1, 0) returning id",
            )
            .bind(now)
            .one()
            .await
            .unwrap();
        let mut items = Vec::new();
        for _ in 0..numbers.below(5) {
            let (id,): (ItemId,) = tx
                .query(
                    "insert into items (case_id, step_id, step_title, step_description, action, data, created_at, device)
                     values ($1, 1, 't', '', 'DOCUMENT_UPLOAD', 'd', $2, '{}') returning id",
                )
                .bind(case)
                .bind(now)
                .one()
                .await
                .unwrap();
            let fate = match numbers.below(10) {
                0 => Fate::Failure,
                1 => Fate::Never,
                _ => Fate::Answer(u8::try_from(numbers.below(101)).unwrap()),
            };
            items.push(Planned { id, is_document: numbers.below(3) > 0, fate, has_come: false, has_ended: false });
        }
        let company = CompanyId::new(1).unwrap();
        let (notices, held) = (Vec::new(), Vec::new());
        let is_late = numbers.one_in(8);
        Self { tx, numbers, now, company, case, is_late, items, closed_at: None, judged: None, notices, held }
    }

    pub(super) async fn act(&mut self) {
        if self.is_late && self.numbers.one_in(2) {
            return self.advance_to_late_result().await;
        }
        match self.numbers.below(12) {
            0 | 1 => self.upload().await,
            2 if self.numbers.one_in(2) => self.close().await,
            3 | 4 if !self.is_late || self.judged.is_some() => self.work_on_items().await,
            5 | 6 => self.work_on_cases().await,
            7 => self.work_on_notices().await,
            8 => self.write_held().await,
            9 if self.numbers.one_in(3) => self.sweep().await,
            9 => self.lose_a_signal().await,
            _ => {
                let longest = [2, 40, 400, 1200][usize::try_from(self.numbers.below(4)).unwrap()];
                self.now = self.now.after(Duration::from_secs(self.numbers.below(longest)));
            }
        }
    }

    /// The next step on the way to a late result: an upload, the case is closed, the deadline passes, the receiver is
    /// notified, and only then an analysis ends.
    async fn advance_to_late_result(&mut self) {
        match self.closed_at {
            None if self.items.iter().any(|item| item.has_come) => self.close().await,
            None => self.upload().await,
            Some(_) if self.judged.is_none() => {
                self.now = self.now.after(TIMEOUT / 2);
                self.work_on_cases().await;
            }
            Some(_) if self.notices.is_empty() => self.work_on_notices().await,
            Some(_) => self.work_on_items().await,
        }
    }

    async fn upload(&mut self) {
        let at = self.items.iter().position(|item| !item.has_come);
        let (Some(at), None) = (at, self.closed_at) else { return };
        let plan = serde_json::json!({ "document_types": ["PASSPORT"], "other_document": false,
            "timestamp_and_signature": true, "delete_after_analysis": false, "cross_check": [], "extract": [] });
        let plan: StepAnalysis = serde_json::from_value(plan).unwrap();
        let item = &mut self.items[at];
        item.has_come = true;
        let plan = item.is_document.then_some(&plan);
        expect(&mut self.tx, self.company, self.case, item.id, plan, self.now).await.unwrap();
    }

    async fn close(&mut self) {
        if self.closed_at.is_none() {
            self.closed_at = Some(self.now);
            begin(&mut self.tx, self.company, self.case, self.now, TIMEOUT).await.unwrap();
        }
    }

    async fn claim(&mut self, kind: JobKind) -> Option<Job> {
        for (id, claim) in store::job::overdue(&mut self.tx, self.now).await.unwrap() {
            store::job::release(&mut self.tx, id, claim).await.unwrap();
        }
        let by = Claimant { worker: None, lease: LEASE };
        let company = self.company.get();
        store::job::claim(&mut self.tx, kind, company, 1, self.now, by).await.unwrap().pop()
    }

    async fn work_on_items(&mut self) {
        let Some(job) = self.claim(JobKind::AnalyseItem).await else { return };
        match self.numbers.below(5) {
            0 => {}
            1 => self.held.push(Held::Item(job)),
            2 => {
                self.end_item(&job).await;
                self.end_item(&job).await;
            }
            _ => self.end_item(&job).await,
        }
    }

    async fn end_item(&mut self, job: &Job) {
        let at = self.items.iter().position(|item| item.id.get() == job.subject()).unwrap();
        let item = &mut self.items[at];
        let ending = match item.fate {
            Fate::Never => return,
            Fate::Failure => Ending::Failed("it cannot be read".to_owned()),
            Fate::Answer(score) => {
                let pending = DocumentAnalysis::without_answer(item.id, &[], ProgressStatusLevel::AnalysisCompleted);
                let result = item.is_document.then_some(DocumentAnalysis { trust_score: score, ..pending });
                Ending::Completed(Box::new(Completed { result, ..Completed::default() }))
            }
        };
        self.tx.begin_part().await.unwrap();
        let ended = end_item(&mut self.tx, self.company, self.case, item.id, &ending, self.now).await.unwrap();
        assert_eq!(ended, !item.has_ended, "an analysis ends once");
        let is_held = !is_lost(store::job::complete(&mut self.tx, job).await);
        item.has_ended |= is_held;
        self.tx.end_part(is_held).await.unwrap();
    }

    /// One look at the case, as `conclude` does it.
    async fn work_on_cases(&mut self) {
        let Some(job) = self.claim(JobKind::ConcludeAnalysis).await else { return };
        loop {
            let standing = store::analysis::standing(&mut self.tx, self.case).await.unwrap().unwrap();
            let next = standing.next(self.now);
            let Next::Conclude(progress) = next else {
                assert!(!self.is_due(), "{next:?}");
                if self.numbers.one_in(6) {
                    return;
                }
                let ended = check_later(&mut self.tx, self.company, self.case, &job, next, self.now).await.unwrap();
                assert!(ended, "nothing happened in between");
                return;
            };
            assert!(self.is_due(), "judged too early: {standing:?}");
            let verdict = self.judge(progress).await;
            match self.numbers.below(6) {
                0 => return,
                1 => return self.held.push(Held::Case(job, standing, verdict)),
                _ => {}
            }
            if self.settle(&job, &standing, &verdict).await != VerdictOutcome::Outdated {
                if self.numbers.one_in(6) {
                    let again = self.settle(&job, &standing, &verdict).await;
                    assert_eq!(again, VerdictOutcome::Outdated, "a verdict is stored once");
                }
                return;
            }
        }
    }

    async fn judge(&mut self, progress: AnalysisProgress) -> NewVerdict {
        let analyses = store::analysis::of_items(&mut self.tx, self.case).await.unwrap();
        let level = |_| ProgressStatusLevel::AnalysisRunning;
        let documents = analyses.iter().filter_map(|item| analysis::shown(item, level)).collect();
        let ended = analysis::ended(&analyses);
        let (analysis, account) = judge_case(self.case, ended, documents, &[], &SignalWeights::default(), None);
        NewVerdict { progress, analysis, account }
    }

    async fn settle(&mut self, job: &Job, seen: &Standing, verdict: &NewVerdict) -> VerdictOutcome {
        self.tx.begin_part().await.unwrap();
        let settled = settle(&mut self.tx, self.company, self.case, job, seen, verdict, self.now).await;
        self.tx.end_part(settled.is_ok()).await.unwrap();
        let settled = match settled {
            Ok(settled) => settled,
            lost => {
                assert!(is_lost(lost));
                return VerdictOutcome::Gone;
            }
        };
        if matches!(settled, VerdictOutcome::Notified | VerdictOutcome::Kept) {
            assert!(self.is_due(), "judged though nothing had happened");
            assert_eq!(verdict.progress, self.progress());
            assert_eq!(verdict.analysis.trust_score, self.score());
            self.judged = Some(self.ended());
        }
        settled
    }

    async fn work_on_notices(&mut self) {
        let Some(job) = self.claim(JobKind::DeliverAnalysis).await else { return };
        let verdict = store::analysis::verdict(&mut self.tx, self.case).await.unwrap().unwrap();
        let Verdict { revision, progress, analysis, .. } = verdict;
        if self.numbers.one_in(6) {
            return;
        }
        self.notices.push(Notice { revision, progress, analysis });
        match self.numbers.below(5) {
            // It was sent, but that was not recorded: it is sent again.
            0 => {}
            1 => self.held.push(Held::Notice(job, revision)),
            _ => end_notice(&mut self.tx, self.company, self.case, &job, revision, self.now).await.unwrap(),
        }
    }

    /// Lets a slow run write its work.
    async fn write_held(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let at = usize::try_from(self.numbers.below(self.held.len() as u64)).unwrap();
        match self.held.swap_remove(at) {
            Held::Item(job) => self.end_item(&job).await,
            Held::Case(job, standing, verdict) => {
                self.settle(&job, &standing, &verdict).await;
            }
            Held::Notice(job, sent) => {
                is_lost(end_notice(&mut self.tx, self.company, self.case, &job, sent, self.now).await);
            }
        }
    }

    async fn sweep(&mut self) {
        let lost = find_lost(&mut self.tx, self.now).await.unwrap();
        take_up(&mut self.tx, &lost, self.now).await.unwrap();
    }

    async fn lose_a_signal(&mut self) {
        for kind in [JobKind::AnalyseItem, JobKind::ConcludeAnalysis] {
            if self.numbers.one_in(2) {
                let subject = match kind {
                    JobKind::ConcludeAnalysis => self.case.get(),
                    _ => self.items.first().map_or(0, |item| item.id.get()),
                };
                let delete = self.tx.query("delete from jobs where kind = $1 and subject = $2");
                delete.bind(kind).bind(subject).execute().await.unwrap();
            }
        }
    }

    /// From now on nothing fails: everything is processed minute by minute, with a sweep in each, until the deadline is
    /// long over.
    pub(super) async fn settle_down(&mut self) {
        self.close().await;
        let start = self.now;
        let deadline = self.closed_at.unwrap().after(TIMEOUT);
        while !self.held.is_empty() {
            self.write_held().await;
        }
        self.numbers = Numbers(u64::MAX);
        // The leases of crashed runs have expired after the first, and lost work is found after the second.
        for moment in [
            start,
            start.after(MINUTE),
            start.after(2 * MINUTE),
            deadline.after(2 * MINUTE),
            deadline.after(3 * MINUTE),
        ] {
            self.now = moment.max(self.now);
            self.sweep().await;
            while let Some(job) = self.claim(JobKind::AnalyseItem).await {
                self.end_item(&job).await;
            }
            self.finish_cases().await;
            while let Some(job) = self.claim(JobKind::DeliverAnalysis).await {
                let verdict = store::analysis::verdict(&mut self.tx, self.case).await.unwrap().unwrap();
                let Verdict { revision, progress, analysis, .. } = verdict;
                self.notices.push(Notice { revision, progress, analysis });
                end_notice(&mut self.tx, self.company, self.case, &job, revision, self.now).await.unwrap();
            }
        }
    }

    async fn finish_cases(&mut self) {
        while let Some(job) = self.claim(JobKind::ConcludeAnalysis).await {
            let standing = store::analysis::standing(&mut self.tx, self.case).await.unwrap().unwrap();
            match standing.next(self.now) {
                Next::Conclude(progress) => {
                    let verdict = self.judge(progress).await;
                    let settled = self.settle(&job, &standing, &verdict).await;
                    assert!(matches!(settled, VerdictOutcome::Notified | VerdictOutcome::Kept));
                }
                next => {
                    assert!(!self.is_due());
                    check_later(&mut self.tx, self.company, self.case, &job, next, self.now).await.unwrap();
                }
            }
        }
    }

    pub(super) async fn check(&mut self) {
        let come: Vec<Planned> = self.items.iter().copied().filter(|item| item.has_come).collect();
        for item in &come {
            assert_eq!(item.has_ended, item.fate != Fate::Never, "every analysis that can end has ended: {come:?}");
        }
        assert!(!self.is_due(), "a verdict is due, but was not made");
        let verdict =
            store::analysis::verdict(&mut self.tx, self.case).await.unwrap().expect("a closed case has a verdict");
        assert_eq!(verdict.progress, self.progress(), "{come:?}");
        assert_eq!(verdict.analysis.trust_score, self.score(), "{come:?}");
        assert_eq!(usize::try_from(verdict.analysis.items_analyzed).unwrap(), self.ended());
        let documents = come.iter().filter(|item| item.is_document).count();
        assert_eq!(verdict.analysis.document_analyses.len(), documents);

        // The last notice agrees with the stored verdict, except for changes that are not worth a notice.
        let last = self.notices.last().expect("the receiver was notified");
        let notified = CaseNotice { progress: last.progress, analysis: &last.analysis };
        let newest = CaseNotice { progress: verdict.progress, analysis: &verdict.analysis };
        assert!(!notified.differs_from(newest), "{last:?} was the last notice, {verdict:?} is stored");
        assert!(self.notices.is_sorted_by_key(|notice| notice.revision), "the newer notice prevails");
        let ends = i64::try_from(self.ended()).unwrap();
        assert!(verdict.revision <= 1 + ends, "one verdict for each late result, and the first one");
        let (left,): (i64,) =
            self.tx.query("select count(*) from jobs where kind <> 'analyse-item'").one().await.unwrap();
        assert_eq!(left, 0, "the queue is empty");
    }

    /// Removes the case, so that the next schedule finds nothing of this one.
    pub(super) async fn end(mut self) -> Tx {
        store::job::delete_of_case(&mut self.tx, self.case).await.unwrap();
        store::case::delete(&mut self.tx, self.company, self.case).await.unwrap();
        let (left,): (i64,) = self
            .tx
            .query("select (select count(*) from item_analyses) + (select count(*) from case_analyses) + (select count(*) from jobs)")
            .one()
            .await
            .unwrap();
        assert_eq!(left, 0, "what belongs to a case goes with it");
        self.tx
    }
}
