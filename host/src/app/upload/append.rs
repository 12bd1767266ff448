//! Receiving a piece: the bytes go to the blob store as they arrive.

use std::{pin::pin, sync::Arc};

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _};
use tracing::Instrument as _;

use super::{
    LIFETIME, Progress, find,
    finish::{self, accepts, end},
    progress,
};
use crate::{
    app::{App, item::Depositor},
    blobs::{BlobArea, BlobKey, BlobWriter, StoredBlob},
    domain::file_kind::{SIGNATURE_LENGTH, is_decided},
    error::{Error, Result},
    media::{Accepts, Checksum, RunningChecksum},
    request_id,
    store::{
        self,
        upload::{Piece, Upload},
    },
};

/// How many pieces an upload may have. Each is a blob.
const MOST_PIECES: i64 = 10_000;

/// The body of a request could not be read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenBody;

/// The bytes of a piece, and what the client says of them.
pub struct NewPiece<B> {
    /// Where they belong in the file.
    pub start: u64,
    /// How many they are, if that is known before they arrive.
    pub announced: Option<u64>,
    pub checksum: Option<Checksum>,
    pub body: B,
}

/// Appends a piece. If it is the last one, the upload becomes an item before this returns. What has arrived when the
/// connection breaks is kept, unless the piece has a checksum.
///
/// Runs as a separate task: a client that hangs up must not undo what has arrived.
///
/// # Errors
/// Those of [`look`](super::look); [`Error::Conflict`] if the upload has another offset, or another request was faster;
/// [`Error::WrongChecksum`]; [`Error::Invalid`] for more bytes than the file has, and for a file of the wrong kind. If
/// the file as a whole is refused, the upload is gone.
pub async fn append<B>(app: &Arc<App>, depositor: &Depositor, key: &str, piece: NewPiece<B>) -> Result<Progress>
where
    B: Stream<Item = Result<Bytes, BrokenBody>> + Send + 'static,
{
    let upload = find(app, depositor, key).await?;
    let (app, depositor) = (Arc::clone(app), depositor.clone());
    let work = async move { append_to(&app, &depositor, upload, piece).await };
    let task = tokio::spawn(request_id::scope(request_id::current(), work).in_current_span());
    task.await.map_err(Error::internal)?
}

async fn append_to<B>(app: &App, depositor: &Depositor, upload: Upload, piece: NewPiece<B>) -> Result<Progress>
where
    B: Stream<Item = Result<Bytes, BrokenBody>> + Send,
{
    let Progress { length, received, .. } = progress(&upload)?;
    if piece.start != received {
        return Err(Error::Conflict(format!("Upload-Offset is {}, but the upload has {received} bytes", piece.start)));
    }
    let room = length.saturating_sub(received);
    if piece.announced.is_some_and(|announced| announced > room) {
        return Err(surplus(length));
    }
    if upload.pieces >= MOST_PIECES && room > 0 {
        return Err(Error::state(format!("an upload has at most {MOST_PIECES} pieces; send it again in larger ones")));
    }
    let accepts = accepts(upload.action).ok_or_else(|| Error::internal(anyhow::anyhow!("the step takes no file")))?;
    let checksum = piece.checksum.map(Checksum::start);
    let start = (received == 0).then(|| Start { bytes: BytesMut::new(), whole: length, accepts });
    let writer = app.blobs.writer(BlobKey::random(BlobArea::Pieces));
    let receiving = Receiving { writer, size: 0, room, length, checksum, start };
    let arrived = match receiving.read(piece.body).await {
        Ok(arrived) => arrived,
        Err(Refused::Piece(error)) => return Err(error),
        Err(Refused::File(error)) => {
            end(app, &upload).await?;
            return Err(error);
        }
    };
    let upload = match arrived.blob {
        Some((blob, size)) => commit(app, upload, blob, size).await?,
        None => upload,
    };
    let upload = finish::make(app, depositor, upload).await?;
    if arrived.is_broken {
        return Err(Error::invalid("the body ended before it was complete; what has arrived is kept"));
    }
    progress(&upload)
}

/// Appends a stored piece to the upload. A request that was slower than another deletes its own.
async fn commit(app: &App, upload: Upload, blob: StoredBlob, size: i64) -> Result<Upload> {
    let expires_at = app.clock.now().after(LIFETIME);
    let piece = Piece { start: upload.received, size, blob_key: blob.key().clone() };
    let mut tx = app.db.begin().await?;
    let appended = store::upload::append(&mut tx, upload.id, &piece, expires_at).await;
    if matches!(appended, Ok(true)) {
        // Before the commit: its result may get lost, and a piece without its blob is worse than an orphaned blob.
        blob.keep();
        tx.commit().await?;
        return Ok(Upload { received: upload.received + size, expires_at, pieces: upload.pieces + 1, ..upload });
    }
    let appended = tx.settle(appended.map_err(Error::from)).await;
    blob.discard().await;
    appended?;
    Err(Error::Conflict("another request has appended to the upload, or ended it".to_owned()))
}

/// Why a piece is not appended.
enum Refused {
    /// The upload can continue with another piece.
    Piece(Error),
    /// No continuation can make the file acceptable.
    File(Error),
}

/// What has arrived of a piece.
struct Arrived {
    /// With its size in bytes; none if nothing has arrived.
    blob: Option<(StoredBlob, i64)>,
    is_broken: bool,
}

/// A piece that is being received.
struct Receiving {
    writer: BlobWriter,
    size: u64,
    /// How many bytes the file lacks.
    room: u64,
    /// Of the whole file, for messages.
    length: u64,
    checksum: Option<RunningChecksum>,
    /// For the first piece only.
    start: Option<Start>,
}

/// The first bytes of a file. They decide its kind.
struct Start {
    bytes: BytesMut,
    /// The length of the whole file.
    whole: u64,
    accepts: Accepts,
}

impl Receiving {
    async fn read(mut self, body: impl Stream<Item = Result<Bytes, BrokenBody>> + Send) -> Result<Arrived, Refused> {
        let mut body = pin!(body);
        let mut is_broken = false;
        while let Some(chunk) = body.next().await {
            let Ok(chunk) = chunk else {
                is_broken = true;
                break;
            };
            self = self.push(chunk).await?;
        }
        if let Some(checksum) = self.checksum.take() {
            let refusal = if is_broken {
                Some(Error::invalid("the body ended before it was complete, so its checksum is unknown"))
            } else {
                let wrong = || Error::WrongChecksum("the piece does not match Upload-Checksum".to_owned());
                (!checksum.is_right()).then(wrong)
            };
            if let Some(refusal) = refusal {
                self.writer.abort().await;
                return Err(Refused::Piece(refusal));
            }
            // The kind was not checked before: a damaged piece must not end the upload.
            self = self.check_kind().await?;
        }
        if self.size == 0 {
            return Ok(Arrived { blob: None, is_broken });
        }
        let size = i64::try_from(self.size).map_err(|error| Refused::Piece(Error::internal(error)))?;
        let blob = self.writer.finish().await.map_err(storage)?;
        Ok(Arrived { blob: Some((blob, size)), is_broken })
    }

    async fn push(mut self, chunk: Bytes) -> Result<Self, Refused> {
        self.size += chunk.len() as u64;
        if self.size > self.room {
            self.writer.abort().await;
            return Err(Refused::Piece(surplus(self.length)));
        }
        if let Some(start) = &mut self.start {
            let lacking = SIGNATURE_LENGTH.saturating_sub(start.bytes.len()).min(chunk.len());
            start.bytes.extend_from_slice(&chunk[..lacking]);
        }
        if let Some(checksum) = &mut self.checksum {
            checksum.update(&chunk);
        } else {
            self = self.check_kind().await?;
        }
        self.writer = self.writer.write(chunk).await.map_err(storage)?;
        Ok(self)
    }

    /// Checks the kind as soon as it can be known. Later pieces are not examined.
    async fn check_kind(mut self) -> Result<Self, Refused> {
        let Some(start) = &self.start else { return Ok(self) };
        let is_whole = start.bytes.len() as u64 >= start.whole;
        if !is_whole && !is_decided(&start.bytes) {
            return Ok(self);
        }
        let checked = start.accepts.check_start(&start.bytes);
        if let Err(refusal) = checked {
            self.writer.abort().await;
            return Err(Refused::File(refusal.into()));
        }
        self.start = None;
        Ok(self)
    }
}

fn surplus(length: u64) -> Error {
    Error::invalid(format!("the piece goes beyond the end of the file: Upload-Length is {length}"))
}

fn storage(cause: anyhow::Error) -> Refused {
    Refused::Piece(Error::internal(cause.context("storing a piece of an upload")))
}
