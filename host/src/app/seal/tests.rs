//! Sealing and renewing with a frozen clock, checked by the library's own verification.

mod erasure;
mod evidence;

use sealwright_seal::{
    pki::TrustAnchor,
    verify::{self, Expectations, FindingCode, Level, Outcome, Report},
};
use tempfile::TempDir;

use super::*;
use crate::{
    app::{queue::Claimant, test_app::open_in},
    clock::Clock,
    domain::{
        access_key::ShareToken, certificate_extras::CertificateExtras, frozen::FrozenCase, id::CompanyId,
        language::CertificateLanguage,
    },
    signing::{SealKeys, unix_time},
    time_stamping::{Authorities, TimeSources},
};

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);
const YEAR: Duration = Duration::from_hours(365 * 24);

/// An application in its own folder, with one closed case that waits to be sealed.
struct World {
    app: Arc<App>,
    case: CaseId,
    folder: TempDir,
}

/// The data of a case of company 7 that is frozen when the case is closed.
fn frozen() -> FrozenCase {
    FrozenCase {
        company: CompanyId::new(7).unwrap(),
        company_name: "Acme".to_owned(),
        certificate_template: "default".to_owned(),
        language: CertificateLanguage::default(),
        time_zone: None,
        logo: None,
        extras: CertificateExtras::default(),
        frame: crate::domain::id::FrameId::new(70).unwrap(),
        frame_name: "Water damage".to_owned(),
        steps: Vec::new(),
        link_context: None,
    }
}

/// Takes the due jobs of a kind.
async fn claimed(app: &App, kind: JobKind) -> Vec<Job> {
    let due = queue::due(app, kind).await.unwrap();
    let shares: Vec<(i64, usize)> = due.iter().map(|due| (due.company, 10)).collect();
    let by = Claimant { worker: None, lease: Duration::from_secs(30) };
    queue::claim(app, kind, &shares, by).await.unwrap()
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let app = open_in(folder.path(), Clock::held(NOW)).await;
        let mut tx = app.db.begin().await.unwrap();
        for sql in [
            "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
             values (7, 'Acme', false, 'default', '{}', '{}', 0)",
            "insert into frames (id, company_id, name, shared_with_children, active, position)
             values (70, 7, 'Water damage', false, true, 0)",
            "insert into cases (id, company_id, frame_id, title, created_at, closed_at, item_count)
             values (12, 7, 70, 'Burst pipe', 1795168700000, 1795168800000, 1)",
            "insert into items (case_id, step_id, step_title, step_description, action, data, created_at, device)
             values (12, 701, 'Cause', '', 'TEXT_FIELD', 'A pipe', 1795168750000, '{}')",
        ] {
            tx.query(sql).execute().await.unwrap();
        }
        let case = CaseId::new(12).unwrap();
        store::certificate::insert(&mut tx, case, &ShareToken::random(), &"5".repeat(64), &frozen()).await.unwrap();
        store::job::enqueue(&mut tx, Work::Seal(case), NOW).await.unwrap();
        tx.commit().await.unwrap();
        Self { app: Arc::new(app), case, folder }
    }

    /// Takes the job of a kind and runs it twice, as after a lost lease.
    async fn run_twice(&self, kind: JobKind) {
        let jobs = claimed(&self.app, kind).await;
        assert_eq!(jobs.len(), 1, "{kind:?}");
        for _ in 0..2 {
            match kind {
                JobKind::Seal => seal(&self.app, &jobs[0], self.case).await.unwrap(),
                _ => renew(&self.app, &jobs[0], self.case).await.unwrap(),
            }
        }
    }

    fn set_time(&mut self, time: TimeSources) {
        Arc::get_mut(&mut self.app).expect("it is not shared").time = time;
    }

    /// Another development authority, created at the clock's time in another folder.
    fn another_authority(&self, folder: &TempDir) -> (TimeSources, TrustAnchor) {
        let clock = &self.app.clock;
        let keys = SealKeys::load_or_create(&self.app.config.seal, folder.path(), clock.now()).unwrap();
        let anchor = TrustAnchor { certificate: keys.development_roots()[0].clone(), development: true };
        (TimeSources::development(keys.development_time_stamps().unwrap().unwrap(), clock.clone()), anchor)
    }

    fn anchor(&self) -> TrustAnchor {
        TrustAnchor { certificate: self.app.seal_keys.development_roots()[0].clone(), development: true }
    }

    async fn row(&self) -> CertificatePdf {
        let mut reader = self.app.db.read().await.unwrap();
        store::certificate::find(&mut reader, self.case).await.unwrap().unwrap().pdf.unwrap()
    }

    /// The certificate, after checking that its row is correct.
    async fn pdf(&self) -> Bytes {
        let row = self.row().await;
        let bytes = self.app.blobs.get(&row.blob_key).await.unwrap().unwrap();
        assert_eq!(row.size, i64::try_from(bytes.len()).unwrap());
        assert_eq!(row.sha256, Sha256Digest::of(&bytes));
        assert_eq!(row.crc32, Some(crc32fast::hash(&bytes).into()));
        bytes
    }

    fn verify(&self, pdf: &[u8], anchors: &[TrustAnchor]) -> Report {
        let now = unix_time(self.app.clock.now()).unwrap();
        verify::certificate(pdf, &Expectations::trusting(anchors, now, &[]))
    }

    fn blobs(&self) -> usize {
        fn files(folder: &std::path::Path) -> usize {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
        }
        files(&self.folder.path().join("blobs/certificates"))
    }
}

#[tokio::test]
async fn decisions_14_a_certificate_reaches_the_highest_level_and_a_second_run_changes_nothing() {
    let world = World::new().await;
    world.run_twice(JobKind::Seal).await;
    let pdf = world.pdf().await;
    let report = world.verify(&pdf, &[world.anchor()]);
    assert_eq!((report.outcome, report.level), (Outcome::Valid, Some(Level::BLta)), "{:?}", report.findings);
    assert_eq!(report.proven_time, Some(unix_time(NOW).unwrap()));
    assert_eq!(report.manifest.unwrap().version, 2);
    assert_eq!(world.row().await.level, Some(SealLevel::Archived));
    assert_eq!(world.blobs(), 1);
    let left = claimed(&world.app, JobKind::RenewSeal).await;
    assert!(left.is_empty(), "there is nothing to add");
    let metrics = crate::app::metrics::encode(&world.app).await.unwrap();
    let counted = "sealwright_seal_duration_seconds_count{outcome=\"B-LTA\"} 1";
    assert!(metrics.lines().any(|line| line == counted), "{metrics}");
}

#[tokio::test]
async fn decisions_14_without_an_answer_the_time_is_pending_and_added_later() {
    let mut world = World::new().await;
    let silent = Authorities {
        urls: vec!["http://127.0.0.1:1/".parse().unwrap()],
        timeout: Duration::from_secs(1),
        pause: Duration::from_secs(1),
        roots: None,
        quorum: 1,
    };
    world.set_time(TimeSources::authorities(silent, world.app.clock.clone()).unwrap());
    world.run_twice(JobKind::Seal).await;
    let before = world.pdf().await;
    let report = world.verify(&before, &[world.anchor()]);
    assert_eq!((report.outcome, report.level, report.proven_time), (Outcome::Valid, Some(Level::BB), None));
    assert!(report.findings.iter().any(|finding| finding.code == FindingCode::TimePending));

    // Still no answer: the job waits, and the certificate stays as it is.
    world.app.clock.advance(Duration::from_secs(10));
    let jobs = claimed(&world.app, JobKind::RenewSeal).await;
    renew(&world.app, &jobs[0], world.case).await.unwrap();
    assert_eq!(world.pdf().await, before);

    let other = tempfile::tempdir().unwrap();
    world.app.clock.advance(YEAR);
    let (time, anchor) = world.another_authority(&other);
    world.set_time(time);
    world.run_twice(JobKind::RenewSeal).await;
    let after = world.pdf().await;
    assert!(after.starts_with(&before));
    let report = world.verify(&after, &[world.anchor(), anchor]);
    assert_eq!((report.outcome, report.level), (Outcome::Valid, Some(Level::BLta)), "{:?}", report.findings);
    assert_eq!(report.proven_time, Some(unix_time(world.app.clock.now()).unwrap()), "no earlier time is claimed");
    assert_eq!(world.blobs(), 1, "the certificate before it is deleted");
}

#[tokio::test]
async fn an_archive_time_stamp_is_added_before_the_last_ones_certificate_expires() {
    let mut world = World::new().await;
    world.run_twice(JobKind::Seal).await;
    let before = world.pdf().await;
    world.app.clock.advance(YEAR * 9);
    assert_eq!(enqueue_renewals(&world.app).await.unwrap(), 0, "it is too early");
    world.app.clock.advance(Duration::from_hours(330 * 24));
    assert_eq!(enqueue_renewals(&world.app).await.unwrap(), 0, "the same authority's certificate expires just as soon");

    let other = tempfile::tempdir().unwrap();
    let (time, anchor) = world.another_authority(&other);
    world.set_time(time);
    assert_eq!(enqueue_renewals(&world.app).await.unwrap(), 1);
    world.run_twice(JobKind::RenewSeal).await;
    assert_eq!(enqueue_renewals(&world.app).await.unwrap(), 0, "once is enough");
    let after = world.pdf().await;
    assert!(after.starts_with(&before));
    // Years after the first time stamp's certificate has expired.
    world.app.clock.advance(YEAR * 5);
    let report = world.verify(&after, &[world.anchor(), anchor]);
    assert_eq!((report.outcome, report.time_stamps.len()), (Outcome::Valid, 3), "{:?}", report.findings);
    assert_eq!(report.proven_time, Some(unix_time(NOW).unwrap()));
    assert_eq!(world.blobs(), 1);
}

#[tokio::test]
async fn a_replaced_certificate_that_a_crash_left_behind_is_deleted() {
    let world = World::new().await;
    world.run_twice(JobKind::Seal).await;
    let left = BlobKey::random(BlobArea::Certificates);
    world.app.blobs.put(&left, Bytes::from_static(b"the one before")).await.unwrap();
    let mut tx = world.app.db.begin().await.unwrap();
    tx.query("update certificates set replaced_blob_key = $1").bind(left.to_string()).execute().await.unwrap();
    store::job::enqueue(&mut tx, Work::RenewSeal(world.case), NOW).await.unwrap();
    tx.commit().await.unwrap();
    let before = world.pdf().await;
    world.run_twice(JobKind::RenewSeal).await;
    assert_eq!((world.blobs(), world.pdf().await), (1, before));
    let mut reader = world.app.db.read().await.unwrap();
    assert_eq!(store::certificate::find(&mut reader, world.case).await.unwrap().unwrap().replaced_blob_key, None);
}

#[tokio::test]
async fn with_an_expired_key_nothing_is_sealed_and_the_case_is_not_given_up() {
    let world = World::new().await;
    world.app.clock.advance(YEAR * 11);
    let jobs = claimed(&world.app, JobKind::Seal).await;
    seal(&world.app, &jobs[0], world.case).await.unwrap();
    let mut reader = world.app.db.read().await.unwrap();
    let certificate = store::certificate::find(&mut reader, world.case).await.unwrap().unwrap();
    assert!(certificate.pdf.is_none() && certificate.failure.is_none());
    let counts = store::job::counts(&mut reader).await.unwrap();
    assert_eq!(counts, [store::job::Count { kind: JobKind::Seal, state: store::job::JobState::Ready, count: 1 }]);
}

/// On a served certificate, made by Typst: one byte in seven, and one in a hundred and twelve of padding. `seal` tries
/// every byte of a smaller one.
#[tokio::test]
async fn decisions_14_a_flipped_byte_of_a_served_certificate_is_detected() {
    let world = World::new().await;
    world.run_twice(JobKind::Seal).await;
    let pdf = world.pdf().await;
    let anchors = [world.anchor()];
    let is_padding = |at: usize| at >= 64 && pdf[at - 64..at].iter().all(|byte| *byte == b'0');
    let places: Vec<usize> = (0..pdf.len()).step_by(7).filter(|at| !is_padding(*at) || at % 16 == 0).collect();
    assert!(places.len() > 2000, "{}", places.len());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let (world, pdf, anchors) = (&world, &pdf, &anchors);
    std::thread::scope(|scope| {
        for share in places.chunks(places.len().div_ceil(threads)) {
            scope.spawn(move || {
                let mut changed = pdf.to_vec();
                for at in share {
                    changed[*at] ^= 1;
                    assert_eq!(world.verify(&changed, anchors).outcome, Outcome::ChangedOrNotOurs, "byte {at}");
                    changed[*at] ^= 1;
                }
            });
        }
    });
}
