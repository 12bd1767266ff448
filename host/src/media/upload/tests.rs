use std::fs;

use super::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR";
const PDF: &[u8] = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n";
const MP4: &[u8] = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom";

struct TestStore {
    folder: tempfile::TempDir,
    blobs: Blobs,
}

impl TestStore {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(&format!("file://{}", folder.path().display())).unwrap();
        Self { folder, blobs }
    }

    async fn receive(
        &self,
        accepts: Accepts,
        pieces: impl IntoIterator<Item = Bytes>,
    ) -> Result<StoredFile, UploadError> {
        let mut upload = Upload::new(&self.blobs, accepts);
        for piece in pieces {
            upload = upload.push(piece).await?;
        }
        upload.finish().await
    }

    async fn receive_whole(&self, accepts: Accepts, file: &[u8]) -> Result<StoredFile, UploadError> {
        self.receive(accepts, [Bytes::copy_from_slice(file)]).await
    }

    fn is_empty(&self) -> bool {
        let shards = fs::read_dir(self.folder.path().join("items")).unwrap();
        shards.into_iter().all(|shard| fs::read_dir(shard.unwrap().path()).unwrap().next().is_none())
    }
}

/// `start`, and zeros up to `length`, in pieces as they arrive from the network.
fn file(start: &'static [u8], length: u64) -> impl Iterator<Item = Bytes> {
    let zeros = length - start.len() as u64;
    let piece = Bytes::from(vec![0; 64 * 1024]);
    let whole = zeros / piece.len() as u64;
    let last = piece.slice(..usize::try_from(zeros % piece.len() as u64).unwrap());
    std::iter::once(Bytes::from_static(start))
        .chain(std::iter::repeat_n(piece, usize::try_from(whole).unwrap()))
        .chain([last])
}

#[tokio::test]
async fn a_file_is_stored_with_its_kind_size_and_hash() {
    let store = TestStore::new();
    let stored = store.receive_whole(Accepts::DOCUMENT, b"%PDF-1.4\n%%EOF\n").await.unwrap();
    assert_eq!((stored.kind, stored.size), (FileKind::Pdf, 15));
    // printf '%%PDF-1.4\n%%%%EOF\n' | sha256sum
    assert_eq!(stored.sha256.to_string(), "14bcd090baf31edba64e9cbd8cdfc15f943344aa72cb3675ad8e91bfcbce03ad");
    let key = stored.keep();
    assert_eq!(store.blobs.get(&key).await.unwrap().unwrap(), &b"%PDF-1.4\n%%EOF\n"[..]);
}

#[tokio::test]
async fn the_size_of_the_pieces_makes_no_difference() {
    let store = TestStore::new();
    let whole: Vec<u8> = PNG.iter().copied().chain((0..200_000u32).map(|at| at.to_le_bytes()[0])).collect();
    let expected = Sha256Digest::of(&whole);
    for length in [1, 7, 15, 16, 17, 65_536, whole.len()] {
        // One byte at a time only at the start, where it matters.
        let (start, rest) = whole.split_at(64);
        let pieces = start.chunks(length).chain(rest.chunks(length.max(1_000))).map(Bytes::copy_from_slice);
        let stored = store.receive(Accepts::CAPTURE, pieces).await.unwrap();
        assert_eq!((stored.sha256, stored.size), (expected, whole.len() as u64), "pieces of {length}");
        let key = stored.keep();
        assert_eq!(store.blobs.get(&key).await.unwrap().unwrap(), whole);
    }
}

#[tokio::test]
async fn a_file_of_exactly_the_limit_is_accepted_and_one_byte_more_is_not() {
    let store = TestStore::new();
    for (accepts, start, limit) in [(Accepts::DOCUMENT, PDF, 10_485_760), (Accepts::CAPTURE, PNG, 26_214_400)] {
        let stored = store.receive(accepts, file(start, limit)).await.unwrap();
        assert_eq!(stored.size, limit);
        store.blobs.delete(&stored.keep()).await.unwrap();

        let error = store.receive(accepts, file(start, limit + 1)).await.unwrap_err();
        assert_eq!(error.to_string(), format!("file is too large: at most {limit} bytes are accepted"));
        assert!(store.is_empty());
    }
}

#[tokio::test]
async fn the_limit_stops_the_reading() {
    let store = TestStore::new();
    let mut upload = Upload::new(&store.blobs, Accepts { kinds: &[(FileKind::Mp4, 100_000)] });
    upload = upload.push(Bytes::from_static(MP4)).await.unwrap();
    upload = upload.push(Bytes::from(vec![0; 100_000 - MP4.len()])).await.unwrap();
    assert!(matches!(upload.push(Bytes::from_static(b"x")).await, Err(UploadError::TooLarge { limit: 100_000 })));
    assert!(store.is_empty());
}

#[tokio::test]
async fn a_video_is_accepted_as_a_capture_and_not_as_a_document() {
    let store = TestStore::new();
    let stored = store.receive_whole(Accepts::CAPTURE, MP4).await.unwrap();
    assert_eq!(stored.kind, FileKind::Mp4);
    store.blobs.delete(&stored.keep()).await.unwrap();
    assert!(matches!(store.receive_whole(Accepts::DOCUMENT, MP4).await, Err(UploadError::Kind { .. })));
    assert!(store.is_empty());
}

#[tokio::test]
async fn a_foreign_file_is_refused_with_its_sixteenth_byte() {
    let store = TestStore::new();
    let upload = Upload::new(&store.blobs, Accepts::DOCUMENT);
    let upload = upload.push(Bytes::from_static(b"GIF89a123456789")).await.unwrap();
    let error = upload.push(Bytes::from_static(b"0")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "file type is not accepted: expected PDF, JPEG or PNG by the file's first bytes, got GIF"
    );
    assert!(store.is_empty());
}

#[tokio::test]
async fn refusals_name_what_was_expected_and_what_was_received() {
    let store = TestStore::new();
    for (accepts, content, message) in [
        (Accepts::DOCUMENT, &b""[..], "file is empty, expected PDF, JPEG or PNG"),
        (Accepts::CAPTURE, b"", "file is empty, expected JPEG, PNG or MP4"),
        (
            Accepts::CAPTURE,
            PDF,
            "file type is not accepted: expected JPEG, PNG or MP4 by the file's first bytes, got PDF",
        ),
        (
            Accepts::CAPTURE,
            b"\0\0\0\x14ftypqt  \0\0\0\0qt  ",
            "file type is not accepted: expected JPEG, PNG or MP4 by the file's first bytes, got QuickTime",
        ),
        (
            Accepts::CAPTURE,
            b"\0",
            "file type is not accepted: expected JPEG, PNG or MP4 by the file's first bytes, got unknown content beginning with 00",
        ),
    ] {
        let error = store.receive_whole(accepts, content).await.unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(matches!(Error::from(error), Error::Invalid(text) if text == message));
    }
    assert!(store.is_empty());
}

#[tokio::test]
async fn a_file_truncated_within_its_signature_is_refused() {
    let store = TestStore::new();
    for length in 1..PNG.len() {
        let error = store.receive_whole(Accepts::CAPTURE, &PNG[..length]).await.unwrap_err();
        assert!(matches!(error, UploadError::Kind { .. }), "{length}");
    }
    assert!(store.is_empty());
}

#[tokio::test]
async fn empty_pieces_change_nothing() {
    let store = TestStore::new();
    let pieces = [Bytes::new(), Bytes::from_static(PNG), Bytes::new()];
    let stored = store.receive(Accepts::CAPTURE, pieces).await.unwrap();
    assert_eq!(stored.size, PNG.len() as u64);
    let _ = stored.keep();
    assert!(matches!(store.receive(Accepts::CAPTURE, [Bytes::new()]).await, Err(UploadError::Empty { .. })));
}

#[tokio::test]
async fn a_failing_store_is_our_error_and_not_the_senders() {
    let store = TestStore::new();
    fs::remove_dir_all(store.folder.path()).unwrap();
    fs::write(store.folder.path(), "no folder").unwrap();
    let error = store.receive_whole(Accepts::DOCUMENT, PDF).await.unwrap_err();
    assert!(matches!(Error::from(error), Error::Unavailable { part: "blob store", .. }));
}

#[tokio::test]
async fn a_pdf_header_behind_other_bytes_is_waited_for() {
    let store = TestStore::new();
    let whole = [&[b'\n'; 900][..], PDF].concat();
    let stored = store.receive(Accepts::DOCUMENT, whole.chunks(100).map(Bytes::copy_from_slice)).await.unwrap();
    assert_eq!((stored.kind, stored.size), (FileKind::Pdf, whole.len() as u64));
    stored.discard().await;
    assert!(store.is_empty());
}
