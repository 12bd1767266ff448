//! Evidence rounds with a frozen clock, and their statements on both databases.

use sealwright_seal::evidence::{EvidenceExpectations, EvidenceRecord, tree};

use super::*;
use crate::{
    config::{Config, Sources},
    db::Db,
    test_database,
};

const DAY: Duration = Duration::from_hours(24);

/// A world whose certificate is sealed and expires in 65 days, and another authority that now stamps.
async fn expiring(folder: &TempDir) -> (World, Vec<TrustAnchor>) {
    let mut world = World::new().await;
    Arc::get_mut(&mut world.app).expect("it is not shared").config.seal.evidence = true;
    world.run_twice(JobKind::Seal).await;
    world.app.clock.advance(DAY * (3650 - 65));
    let (time, anchor) = world.another_authority(folder);
    let anchors = vec![world.anchor(), anchor];
    world.set_time(time);
    (world, anchors)
}

/// Takes steps until none follows; returns how many followed another.
async fn finish_round(app: &App) -> usize {
    let mut steps = 0;
    while advance_evidence(app).await.unwrap() {
        steps += 1;
    }
    steps
}

impl World {
    async fn record(&self) -> Option<EvidenceRecord> {
        evidence_record(&self.app.db, self.case).await.unwrap()
    }

    /// The report on the certificate with its record.
    async fn verify_with_record(&self, anchors: &[TrustAnchor]) -> Report {
        let (pdf, record) = (self.pdf().await, self.record().await.unwrap().to_der());
        let mut report = self.verify(&pdf, anchors);
        let now = unix_time(self.app.clock.now()).unwrap();
        report.add_evidence("record.ers", &pdf, &record, &Expectations::trusting(anchors, now, &[]));
        report
    }
}

fn is_overdue(report: &Report) -> bool {
    report.findings.iter().any(|finding| finding.code == FindingCode::RenewalOverdue)
}

#[tokio::test]
async fn a_round_extends_certificates_without_changing_them() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (mut world, mut anchors) = expiring(&folders[0]).await;
    let before = world.pdf().await;
    assert_eq!(finish_round(&world.app).await, 2, "it was started, and a subtree was added");
    assert_eq!(finish_round(&world.app).await, 0, "once is enough");
    assert_eq!(renew_evidence(&world.app).await.unwrap(), 0, "it is too early");

    world.app.clock.advance(DAY * 100);
    assert_eq!(enqueue_renewals(&world.app).await.unwrap(), 0, "the round renewed it");
    assert_eq!(world.pdf().await, before);
    assert!(is_overdue(&world.verify(&before, &anchors)));
    let report = world.verify_with_record(&anchors).await;
    assert_eq!((report.outcome, is_overdue(&report)), (Outcome::Valid, false), "{:?}", report.findings);
    assert_eq!(report.evidence[0].time_stamps.len(), 1);

    // Near the end of the second authority's certificate.
    world.app.clock.advance(DAY * (3650 - 100 - 65));
    assert_eq!(renew_evidence(&world.app).await.unwrap(), 0, "the same authority's certificate expires just as soon");
    let (time, anchor) = world.another_authority(&folders[1]);
    anchors.push(anchor);
    world.set_time(time);
    assert_eq!(renew_evidence(&world.app).await.unwrap(), 1);
    assert_eq!(renew_evidence(&world.app).await.unwrap(), 0, "once is enough");
    world.app.clock.advance(DAY * 100);
    let report = world.verify_with_record(&anchors).await;
    assert_eq!((report.outcome, is_overdue(&report)), (Outcome::Valid, false), "{:?}", report.findings);
    assert_eq!(report.evidence[0].time_stamps.len(), 2);
    assert_eq!(world.pdf().await, before);
}

#[tokio::test]
async fn without_the_setting_no_round_is_started() {
    let folder = tempfile::tempdir().unwrap();
    let (mut world, _) = expiring(&folder).await;
    Arc::get_mut(&mut world.app).expect("it is not shared").config.seal.evidence = false;
    assert_eq!(finish_round(&world.app).await, 0);
    assert_eq!(world.record().await, None);
}

#[tokio::test]
async fn a_round_waits_for_an_authority() {
    let folder = tempfile::tempdir().unwrap();
    let (mut world, _) = expiring(&folder).await;
    let silent = Authorities {
        quorum: 1,
        urls: vec!["http://127.0.0.1:1/".parse().unwrap()],
        timeout: Duration::from_secs(1),
        pause: Duration::from_secs(1),
        roots: None,
    };
    let silent = TimeSources::authorities(silent, world.app.clock.clone()).unwrap();
    world.set_time(silent);
    assert_eq!(finish_round(&world.app).await, 0, "no authority answers");
    let (time, _) = world.another_authority(&folder);
    world.set_time(time);
    assert_eq!(finish_round(&world.app).await, 2);
    assert!(world.record().await.is_some());
}

#[tokio::test]
async fn a_round_that_is_stamped_late_leaves_out_what_has_expired() {
    let folder = tempfile::tempdir().unwrap();
    let (world, _) = expiring(&folder).await;
    for step in ["it is started", "a subtree is added"] {
        assert!(advance_evidence(&world.app).await.unwrap(), "{step}");
    }
    world.app.clock.advance(DAY * 70);
    assert!(!advance_evidence(&world.app).await.unwrap(), "it is stamped");
    assert_eq!(world.record().await, None);
}

#[tokio::test]
async fn a_replaced_certificate_is_not_in_the_round_of_the_one_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let (world, _) = expiring(&folder).await;
    finish_round(&world.app).await;
    assert!(world.record().await.is_some());
    let row = world.row().await;
    let other = CertificatePdf { blob_key: BlobKey::random(BlobArea::Certificates), ..row.clone() };
    let mut tx = world.app.db.begin().await.unwrap();
    assert!(store::certificate::replace_pdf(&mut tx, world.case, &row.blob_key, &other).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(world.record().await, None);
}

#[tokio::test]
async fn certificates_of_a_round_that_was_not_renewed_get_time_stamps_of_their_own_again() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (mut world, _) = expiring(&folders[0]).await;
    finish_round(&world.app).await;
    assert!(world.record().await.is_some());
    world.app.clock.advance(DAY * 3700);
    let (time, _) = world.another_authority(&folders[1]);
    world.set_time(time);
    assert_eq!(renew_evidence(&world.app).await.unwrap(), 0, "it is too late");
    assert_eq!(world.record().await, None);
    assert_eq!(enqueue_renewals(&world.app).await.unwrap(), 1);
}

/// Closed cases with certificates whose PDF is this text: `PDF` and the case's number.
async fn add_certificates(db: &Db, count: usize) -> Vec<CaseId> {
    let mut tx = db.begin().await.unwrap();
    for sql in [
        "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
         values (7, 'Acme', false, 'default', '{}', '{}', 0)",
        "insert into frames (id, company_id, name, shared_with_children, active, position)
         values (70, 7, 'Water damage', false, true, 0)",
    ] {
        tx.query(sql).execute().await.unwrap();
    }
    let mut cases = Vec::new();
    for _ in 0..count {
        let (case,): (CaseId,) = tx
            .query(
                "insert into cases (company_id, frame_id, title, created_at, closed_at, item_count)
                 values (7, 70, 'Burst pipe', 1, 2, 0) returning id",
            )
            .one()
            .await
            .unwrap();
        store::certificate::insert(&mut tx, case, &ShareToken::random(), &"5".repeat(64), &frozen()).await.unwrap();
        let pdf = CertificatePdf {
            blob_key: BlobKey::random(BlobArea::Certificates),
            size: 1,
            sha256: Sha256Digest::of(text_of(case)),
            crc32: Some(1),
            pages: 1,
            rendered_at: NOW,
            level: Some(SealLevel::Archived),
            renew_before: Some(NOW.after(DAY)),
            manifest: None,
        };
        assert!(store::certificate::set_pdf(&mut tx, case, &pdf).await.unwrap());
        cases.push(case);
    }
    tx.commit().await.unwrap();
    cases
}

fn text_of(case: CaseId) -> String {
    format!("PDF {case}")
}

/// A round over five certificates with subtrees of two leaves, and its renewal by hand.
async fn check_statements(db: &Db) {
    let folder = tempfile::tempdir().unwrap();
    let sources = Sources { working_dir: folder.path().to_owned(), ..Sources::default() };
    let settings = Config::load(&sources).unwrap().config.seal;
    let keys = SealKeys::load_or_create(&settings, folder.path(), NOW).unwrap();
    let roots = [TrustAnchor { certificate: keys.development_roots()[0].clone(), development: true }];
    let time = TimeSources::development(keys.development_time_stamps().unwrap().unwrap(), Clock::held(NOW));
    let cases = add_certificates(db, 5).await;
    let mut tx = db.begin().await.unwrap();
    let is_due = store::evidence::is_round_due(&mut tx, NOW, NOW.after(DAY * 2), NOW.before(DAY)).await.unwrap();
    assert!(is_due);
    for _ in 0..2 {
        store::evidence::start(&mut tx, NOW).await.unwrap();
    }
    for expected in [2, 2, 1, 0] {
        let round = store::evidence::open(&mut tx).await.unwrap().unwrap();
        assert!(store::evidence::lock(&mut tx, round).await.unwrap());
        let next = store::evidence::next_leaves(&mut tx, round, 2).await.unwrap();
        assert_eq!(next.last_end, (expected > 0).then(|| NOW.after(DAY)));
        let leaves = store::evidence::add_leaves(&mut tx, round, next).await.unwrap();
        assert_eq!((leaves.len(), next.count), (expected, i64::try_from(expected).unwrap()));
        let hashes: Vec<_> = leaves.into_iter().map(|(_, sha256)| sha256).collect();
        if let Some(root) = tree::root(&hashes) {
            store::evidence::finish_subtree(&mut tx, round, root).await.unwrap();
            assert!(!store::evidence::lock(&mut tx, round).await.unwrap(), "it has gone on");
        } else {
            store::evidence::complete(&mut tx, round).await.unwrap();
        }
    }
    let round = store::evidence::open(&mut tx).await.unwrap().unwrap();
    assert_eq!((round.subtrees, round.is_complete), (3, true));
    let root = tree::root(&store::evidence::roots(&mut tx, round.id).await.unwrap()).unwrap();
    let first = time.stamp(root).await.unwrap();
    assert!(store::evidence::close(&mut tx, round, first.der(), NOW, NOW.after(DAY * 3)).await.unwrap());
    assert!(!store::evidence::close(&mut tx, round, first.der(), NOW, NOW.after(DAY * 3)).await.unwrap());
    assert_eq!(store::evidence::open(&mut tx).await.unwrap(), None);

    let due = store::evidence::rounds_to_renew(&mut tx, NOW, NOW.after(DAY * 4)).await.unwrap();
    assert_eq!(due.iter().map(|due| due.renew_before).collect::<Vec<_>>(), [NOW.after(DAY * 3)]);
    let second = time.stamp(first.sha256()).await.unwrap();
    let stamp = store::evidence::RoundStamp { path: Vec::new(), der: second.der().to_vec() };
    assert!(store::evidence::renew(&mut tx, round.id, 1, &stamp, NOW.after(DAY * 5)).await.unwrap());
    assert!(!store::evidence::renew(&mut tx, round.id, 1, &stamp, NOW.after(DAY * 6)).await.unwrap());
    // The others' records do not need the certificate of a deleted case.
    store::certificate::delete(&mut tx, cases[1]).await.unwrap();
    tx.commit().await.unwrap();

    assert_eq!(evidence_record(db, cases[1]).await.unwrap(), None);
    let now = unix_time(NOW).unwrap();
    let expectations = EvidenceExpectations { time_roots: &roots, now, too_weak_from: &[] };
    for case in [cases[0], cases[2], cases[3], cases[4]] {
        let record = evidence_record(db, case).await.unwrap().unwrap();
        let proven = record.verify(text_of(case).as_bytes(), &expectations).unwrap();
        assert_eq!((proven.time(), proven.stamps.len()), (now, 2));
    }
    let mut tx = db.begin().await.unwrap();
    assert!(!store::evidence::has_lapsed(&mut tx, NOW).await.unwrap());
    assert!(store::evidence::has_lapsed(&mut tx, NOW.after(DAY * 5)).await.unwrap());
    assert_eq!(store::evidence::release_lapsed(&mut tx, NOW.after(DAY * 5)).await.unwrap(), 4);
}

#[tokio::test]
async fn a_rounds_statements_work_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    check_statements(&Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap()).await;
}

#[tokio::test]
async fn a_rounds_statements_work_on_postgres() {
    if !test_database::is_there() {
        return;
    }
    let database = test_database::FreshDatabase::create();
    check_statements(&Db::open(&database.url()).await.unwrap()).await;
}
