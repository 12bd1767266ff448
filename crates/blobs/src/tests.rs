use std::{fs, path::Path};

use tokio::runtime::Handle;

use super::*;

struct TestStore {
    folder: tempfile::TempDir,
    blobs: Blobs,
}

impl TestStore {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let blobs = open(folder.path());
        Self { folder, blobs }
    }

    /// Every file in the folder, staging files included.
    fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        collect(self.folder.path(), &mut files);
        files
    }

    /// The files after all background work, as after a drop, has ended.
    async fn files_in_the_end(&self) -> Vec<String> {
        while Handle::current().metrics().num_alive_tasks() > 0 {
            tokio::task::yield_now().await;
        }
        self.files()
    }
}

fn open(folder: &Path) -> Blobs {
    Blobs::open(Url::from_directory_path(folder).unwrap().as_str()).unwrap()
}

fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path.display().to_string());
        }
    }
}

fn item() -> BlobKey {
    BlobKey::random(BlobArea::Items)
}

async fn read_all(stream: BlobStream) -> Vec<u8> {
    let chunks: Vec<Bytes> = stream.bytes.try_collect().await.unwrap();
    chunks.concat()
}

/// Bytes in which every position differs from its neighbours, so that a shifted range is detected.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|at| u8::try_from((at ^ (at >> 8) ^ (at >> 16)) & 0xFF).unwrap()).collect()
}

#[tokio::test]
async fn a_blob_that_was_put_is_read_back_and_deleted_for_good() {
    let store = TestStore::new();
    let key = item();
    assert_eq!(store.blobs.get(&key).await.unwrap(), None);
    assert_eq!(store.blobs.size(&key).await.unwrap(), None);
    assert!(store.blobs.stream(&key, None).await.unwrap().is_none());

    store.blobs.put(&key, "first").await.unwrap();
    store.blobs.put(&key, "second time").await.unwrap();
    assert_eq!(store.blobs.get(&key).await.unwrap().unwrap(), "second time");
    assert_eq!(store.blobs.size(&key).await.unwrap(), Some(11));

    store.blobs.delete(&key).await.unwrap();
    store.blobs.delete(&key).await.unwrap();
    assert_eq!(store.blobs.get(&key).await.unwrap(), None);
    assert!(store.files().is_empty());
}

#[tokio::test]
async fn operations_are_counted_by_their_outcome() {
    let store = TestStore::new();
    let key = item();
    store.blobs.get(&key).await.unwrap();
    store.blobs.put(&key, "content").await.unwrap();
    store.blobs.get(&key).await.unwrap();
    store
        .blobs
        .writer(item())
        .write(pattern(LOCAL_PART_LENGTH + 1).into())
        .await
        .unwrap()
        .finish()
        .await
        .unwrap()
        .keep();
    let mut registry = prometheus_client::registry::Registry::default();
    registry.register("blobs", "", store.blobs.durations());
    let mut text = String::new();
    prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
    for (operation, outcome, count) in [
        ("read", "missing", 1),
        ("read", "done", 1),
        ("write", "done", 2),
        ("write-part", "done", 1),
        ("write", "failed", 0),
    ] {
        let line = format!("blobs_count{{operation=\"{operation}\",outcome=\"{outcome}\"}} {count}");
        assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
    }
}

#[tokio::test]
async fn pieces_of_any_size_become_one_blob() {
    let store = TestStore::new();
    let content = pattern(3 * LOCAL_PART_LENGTH + 17);
    for piece_length in [1_000, LOCAL_PART_LENGTH - 1, LOCAL_PART_LENGTH, LOCAL_PART_LENGTH + 1, content.len()] {
        let mut writer = store.blobs.writer(item());
        for piece in content.chunks(piece_length) {
            writer = writer.write(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        let key = writer.finish().await.unwrap().keep();
        assert_eq!(store.blobs.get(&key).await.unwrap().unwrap(), content, "pieces of {piece_length}");
    }
}

#[tokio::test]
async fn a_blob_of_whole_parts_and_an_empty_one_are_complete() {
    let store = TestStore::new();
    for length in [0, LOCAL_PART_LENGTH, 2 * LOCAL_PART_LENGTH] {
        let writer = store.blobs.writer(item()).write(pattern(length).into()).await.unwrap();
        let key = writer.finish().await.unwrap().keep();
        assert_eq!(store.blobs.size(&key).await.unwrap(), Some(length as u64));
    }
}

#[tokio::test]
async fn a_blob_cannot_be_read_before_it_is_finished() {
    let store = TestStore::new();
    let key = item();
    let writer = store.blobs.writer(key.clone()).write(pattern(LOCAL_PART_LENGTH * 2).into()).await.unwrap();
    assert_eq!(store.files().len(), 1, "the staging file");
    assert_eq!(store.blobs.get(&key).await.unwrap(), None);
    writer.abort().await;
}

#[tokio::test]
async fn an_aborted_blob_leaves_no_file() {
    let store = TestStore::new();
    for length in [0, 10, LOCAL_PART_LENGTH * 3 + 1] {
        let writer = store.blobs.writer(item()).write(pattern(length).into()).await.unwrap();
        writer.abort().await;
        assert!(store.files().is_empty(), "{:?}", store.files());
    }
}

#[tokio::test]
async fn a_dropped_writer_leaves_no_file() {
    let store = TestStore::new();
    let writer = store.blobs.writer(item()).write(pattern(LOCAL_PART_LENGTH * 3 + 1).into()).await.unwrap();
    assert_eq!(store.files().len(), 1);
    drop(writer);
    assert!(store.files_in_the_end().await.is_empty());
}

#[tokio::test]
async fn a_finished_blob_that_is_not_kept_leaves_no_file() {
    let store = TestStore::new();
    for length in [10, LOCAL_PART_LENGTH * 3 + 1] {
        let writer = store.blobs.writer(item()).write(pattern(length).into()).await.unwrap();
        let stored = writer.finish().await.unwrap();
        assert_eq!(store.files().len(), 1);
        drop(stored);
        assert!(store.files_in_the_end().await.is_empty());
    }
}

/// The caller may be dropped at any await point; here at the first ones of `finish`.
#[tokio::test]
async fn a_cancelled_finish_leaves_no_file() {
    let store = TestStore::new();
    for length in [10, LOCAL_PART_LENGTH * 3 + 1] {
        for polls in 0..3 {
            let writer = store.blobs.writer(item()).write(pattern(length).into()).await.unwrap();
            let mut finishing = Box::pin(writer.finish());
            for _ in 0..polls {
                let stored = futures_util::poll!(finishing.as_mut());
                if stored.is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
            drop(finishing);
            assert!(store.files_in_the_end().await.is_empty(), "{length} bytes, {polls} polls");
        }
    }
}

#[tokio::test]
async fn a_blob_that_cannot_be_completed_leaves_no_file() {
    let store = TestStore::new();
    let key = item();
    let writer = store.blobs.writer(key.clone()).write(pattern(LOCAL_PART_LENGTH * 2).into()).await.unwrap();
    // A folder in the destination's place makes the rename fail.
    fs::create_dir_all(store.folder.path().join(key.as_str())).unwrap();
    assert!(writer.finish().await.is_err());
    assert!(store.files().is_empty(), "{:?}", store.files());
}

#[tokio::test]
async fn ranges_contain_the_requested_bytes() {
    let store = TestStore::new();
    let content = pattern(5 * LOCAL_PART_LENGTH + 3);
    let size = content.len() as u64;
    let key = item();
    store.blobs.put(&key, content.clone()).await.unwrap();
    for (asked, given) in [
        (None, 0..size),
        (Some(0..1), 0..1),
        (Some(0..size), 0..size),
        (Some(65_535..65_537), 65_535..65_537),
        (Some(size - 1..size), size - 1..size),
        (Some(100..u64::MAX), 100..size),
    ] {
        let stream = store.blobs.stream(&key, asked.clone()).await.unwrap().unwrap();
        assert_eq!((stream.size, stream.range.clone()), (size, given.clone()));
        let (start, end) = (usize::try_from(given.start).unwrap(), usize::try_from(given.end).unwrap());
        assert!(read_all(stream).await == content[start..end], "{asked:?}");
    }
    assert!(store.blobs.stream(&key, Some(size..size + 1)).await.is_err());
    assert!(store.blobs.stream(&key, Some(5..5)).await.is_err());
}

#[tokio::test]
async fn a_large_blob_streams_in_bounded_chunks() {
    let store = TestStore::new();
    let piece = Bytes::from(pattern(1024 * 1024));
    let mut writer = store.blobs.writer(item());
    for _ in 0..32 {
        writer = writer.write(piece.clone()).await.unwrap();
        assert!(writer.buffered() < LOCAL_PART_LENGTH);
    }
    let key = writer.finish().await.unwrap().keep();

    let stream = store.blobs.stream(&key, None).await.unwrap().unwrap();
    assert_eq!(stream.size, 32 * 1024 * 1024);
    let (mut bytes, mut at) = (stream.bytes, 0);
    while let Some(chunk) = bytes.try_next().await.unwrap() {
        assert!(chunk.len() <= LOCAL_PART_LENGTH);
        for byte in chunk.chunks(4096) {
            let start = at % piece.len();
            assert!(byte.iter().zip(piece[start..].iter().chain(&piece[..])).all(|(read, written)| read == written));
            at += byte.len();
        }
    }
    assert_eq!(at, 32 * 1024 * 1024);
}

#[tokio::test]
async fn the_check_succeeds_on_a_usable_store_only_and_leaves_nothing() {
    let store = TestStore::new();
    store.blobs.check().await.unwrap();
    assert!(store.files().is_empty());
    fs::remove_dir_all(store.folder.path()).unwrap();
    fs::write(store.folder.path(), "no folder").unwrap();
    let error = store.blobs.check().await.unwrap_err();
    assert_eq!(error.to_string(), "the blob store cannot be written");
}

#[tokio::test]
async fn the_sweep_removes_only_old_staging_files() {
    let store = TestStore::new();
    let blob = item();
    store.blobs.put(&blob, "stays").await.unwrap();
    let old = |name: String| {
        let path = store.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = fs::File::create(path).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    };
    old(format!("{}#1", item()));
    old(format!("{}#27", BlobKey::random(BlobArea::Certificates)));
    let running = store.blobs.writer(item()).write(pattern(LOCAL_PART_LENGTH).into()).await.unwrap();
    assert_eq!(store.files().len(), 4);

    assert_eq!(store.blobs.sweep_unfinished().await.unwrap(), 2);
    let key = running.finish().await.unwrap().keep();
    assert!(store.blobs.get(&key).await.unwrap().is_some());
    assert_eq!(store.blobs.get(&blob).await.unwrap().unwrap(), "stays");
}

#[tokio::test]
async fn a_store_opened_again_has_the_same_blobs() {
    let store = TestStore::new();
    let key = item();
    store.blobs.put(&key, "kept").await.unwrap();
    assert_eq!(open(store.folder.path()).get(&key).await.unwrap().unwrap(), "kept");
}

#[tokio::test]
async fn a_missing_folder_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = open(&folder.path().join("one/two three/blobs"));
    blobs.check().await.unwrap();
    assert!(folder.path().join("one/two three/blobs/certificates").is_dir());
    // Also one that is removed while the store is open.
    let key = item();
    blobs.put(&key, "kept").await.unwrap();
    fs::remove_dir_all(folder.path().join("one/two three/blobs/items")).unwrap();
    blobs.put(&key, "kept").await.unwrap();
    assert_eq!(blobs.get(&key).await.unwrap().unwrap(), "kept");
}

#[test]
fn a_wrong_address_says_what_was_expected() {
    for (address, part) in [
        ("blobs", "not an address"),
        ("https://example.org/blobs", "expected file:///absolute/folder or s3://bucket/prefix, got `https:`"),
        ("file://server/share", "expected file:///absolute/folder"),
        ("s3:///prefix", "lacks the bucket"),
    ] {
        let error = format!("{:#}", Blobs::open(address).unwrap_err());
        assert!(error.contains(part), "{address}: {error}");
    }
}

#[test]
fn a_bucket_opens_with_ring_and_puts_keys_under_its_prefix() {
    let blobs = Blobs::open("s3://evidence/tenants/one/").unwrap();
    let key = item();
    assert_eq!(blobs.path(&key).as_ref(), format!("tenants/one/{key}"));
    assert!(rustls::crypto::CryptoProvider::get_default().is_some());
    assert_eq!(Blobs::open("s3://evidence").unwrap().path(&key).as_ref(), key.as_str());
}

/// The same store in a real bucket: `SEALWRIGHT_TEST_BLOB_URL=s3://…`, with credentials and endpoint in `AWS_*`.
#[tokio::test]
async fn a_bucket_behaves_like_a_folder() {
    let Ok(address) = std::env::var("SEALWRIGHT_TEST_BLOB_URL") else {
        eprintln!("SKIPPED: SEALWRIGHT_TEST_BLOB_URL names no bucket");
        return;
    };
    let blobs = Blobs::open(&address).unwrap();
    blobs.check().await.unwrap();
    assert!(blobs.get(&item()).await.unwrap().is_none());
    assert!(blobs.size(&item()).await.unwrap().is_none());
    blobs.delete(&item()).await.unwrap();

    // One request, whole parts, and a last part that is shorter.
    for length in [0, 100, S3_PART_LENGTH, 2 * S3_PART_LENGTH, 2 * S3_PART_LENGTH + 100] {
        let content = pattern(length);
        let mut writer = blobs.writer(item());
        for piece in content.chunks(100_000) {
            writer = writer.write(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        let key = writer.finish().await.unwrap().keep();
        assert_eq!(blobs.size(&key).await.unwrap(), Some(length as u64));
        assert!(blobs.get(&key).await.unwrap().unwrap() == content, "{length}");
        if length > 10 {
            let stream = blobs.stream(&key, Some(10..u64::MAX)).await.unwrap().unwrap();
            assert_eq!((stream.size, stream.range.clone()), (length as u64, 10..length as u64));
            assert!(read_all(stream).await == content[10..]);
        }
        blobs.delete(&key).await.unwrap();
        assert!(blobs.get(&key).await.unwrap().is_none());
    }

    let aborted = item();
    let writer = blobs.writer(aborted.clone()).write(pattern(S3_PART_LENGTH + 1).into()).await.unwrap();
    writer.abort().await;
    assert!(blobs.get(&aborted).await.unwrap().is_none());
}
