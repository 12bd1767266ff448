//! The sweep on a folder and a SQLite database, at a given time.

use bytes::Bytes;

use super::*;
use crate::clock::Clock;

struct World {
    db: Db,
    blobs: Blobs,
    secrets: SecretKey,
    _folder: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
        let blobs = Blobs::open(&format!("file://{}/blobs", folder.path().display())).unwrap();
        Self { db, blobs, secrets: SecretKey::throw_away(), _folder: folder }
    }

    async fn put(&self, area: BlobArea) -> BlobKey {
        let key = BlobKey::random(area);
        self.blobs.put(&key, Bytes::from_static(b"content")).await.unwrap();
        key
    }

    async fn change(&self, sql: &'static str, keys: &[&BlobKey]) {
        let mut tx = self.db.begin().await.unwrap();
        let mut query = tx.query(sql);
        for key in keys {
            query = query.bind(key.as_str());
        }
        query.execute().await.unwrap();
        tx.commit().await.unwrap();
    }

    /// An item with a file, its facts, and a certificate that was renewed.
    async fn refer_to(&self, item: &BlobKey, facts: &BlobKey, certificates: [&BlobKey; 2]) {
        for sql in [
            "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
             values (7, 'Acme', true, 'default', '{}', '{}', 0)",
            "insert into frames (id, company_id, name, shared_with_children, active, position)
             values (70, 7, 'Water', false, true, 0)",
            "insert into cases (id, company_id, frame_id, title, created_at, item_count) values (1, 7, 70, 'a', 0, 1)",
        ] {
            self.change(sql, &[]).await;
        }
        let sql = "insert into items (id, case_id, step_id, step_title, step_description, action, data, created_at,
                                      device, blob_key) values (1, 1, 1, '', '', '', '', 0, '{}', $1)";
        self.change(sql, &[item]).await;
        let sql = "insert into item_analyses (item_id, case_id, company_id, kind, deletes_file, state, requested_at,
                                              facts_key) values (1, 1, 7, 'picture', false, 'completed', 0, $1)";
        self.change(sql, &[facts]).await;
        let sql = "insert into certificates (case_id, share_token, frozen, blob_key, replaced_blob_key)
                   values (1, 'token', '{}', $1, $2)";
        self.change(sql, &certificates).await;
    }

    /// A piece of an upload to the case of [`Self::refer_to`].
    async fn refer_to_piece(&self, piece: &BlobKey) {
        let sql =
            "insert into uploads (id, upload_key, company_id, case_id, step_id, action, item, length, received, state,
                                        created_at, expires_at)
                   values (1, 'key', 7, 1, 1, 'VIDEO', '{}', 9, 7, 'receiving', 0, 0)";
        self.change(sql, &[]).await;
        let sql = "insert into upload_pieces (upload_id, start, size, blob_key) values (1, 0, 7, $1)";
        self.change(sql, &[piece]).await;
    }

    async fn sweep_all(&self, before: Timestamp) -> usize {
        let mut deleted = 0;
        for &area in BlobArea::VARIANTS {
            for part in 0..=u8::MAX {
                deleted += sweep_part(&self.db, &self.blobs, area, part, before).await.unwrap();
            }
        }
        deleted
    }

    async fn is_there(&self, key: &BlobKey) -> bool {
        self.blobs.size(key).await.unwrap().is_some()
    }
}

/// When the grace time of blobs written now has passed.
fn in_two_days() -> Timestamp {
    Clock::system().now().after(GRACE * 2)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_orphaned_blobs_are_deleted_after_their_grace_time() {
    let world = World::new().await;
    let mut needed = Vec::new();
    for area in [BlobArea::Items, BlobArea::Facts, BlobArea::Certificates, BlobArea::Certificates] {
        needed.push(world.put(area).await);
    }
    world.refer_to(&needed[0], &needed[1], [&needed[2], &needed[3]]).await;
    needed.push(needed[0].derivative());
    world.blobs.put(&needed[4], Bytes::from_static(b"made from it")).await.unwrap();
    needed.push(BlobKey::component(&[0x4F; 32]));
    world.blobs.put(&needed[5], Bytes::from_static(b"a component")).await.unwrap();
    needed.push(world.put(BlobArea::Pieces).await);
    world.refer_to_piece(&needed[6]).await;
    needed.push(needed[0].preview());
    world.blobs.put(&needed[7], Bytes::from_static(b"a small picture")).await.unwrap();
    let mut orphans = Vec::new();
    for area in [
        BlobArea::Items,
        BlobArea::Pieces,
        BlobArea::Facts,
        BlobArea::Certificates,
        BlobArea::Derivatives,
        BlobArea::Previews,
        BlobArea::Probes,
    ] {
        orphans.push(world.put(area).await);
    }
    let too_early = Clock::system().now().before(GRACE);
    assert_eq!(world.sweep_all(too_early).await, 0, "they are too young");
    assert_eq!(world.sweep_all(in_two_days().before(GRACE)).await, orphans.len());
    for key in &needed {
        assert!(world.is_there(key).await, "{key} is needed");
    }
    for key in &orphans {
        assert!(!world.is_there(key).await, "{key} is an orphan");
    }
    assert_eq!(world.sweep_all(in_two_days()).await, 0);

    // The bytes of a file that was deleted alone, if its job was lost: the original, and what was made from it.
    world.change("update items set file_deleted_at = 1", &[]).await;
    assert_eq!(world.sweep_all(in_two_days()).await, 3);
    for (position, key) in needed.iter().enumerate() {
        assert_eq!(world.is_there(key).await, ![0, 4, 7].contains(&position), "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_another_installation_uses_is_not_swept() {
    let (ours, others) = (World::new().await, World::new().await);
    let is_alone = async |world: &World, at| is_alone(&world.db, &ours.blobs, &world.secrets, at).await.unwrap();
    assert!(!is_alone(&ours, in_two_days()).await, "its name is not there yet");
    assert!(!is_alone(&ours, Clock::system().now()).await, "its name is not old enough");
    assert!(is_alone(&ours, in_two_days()).await);
    assert!(!is_alone(&others, in_two_days()).await);
    assert!(!is_alone(&ours, in_two_days()).await, "now there are two");
}
