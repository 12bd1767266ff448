//! One request and its answer on an open connection, within limits.

use std::mem;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt as _, Full};
use hyper::{Request, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout_at,
};
use tokio_util::task::AbortOnDropHandle;

use super::{Answer, Deadline, SendError};

/// How much of an answer is read.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// The status is the outcome: a truncated, endless or slow body does not change it. Its first bytes are kept.
    Status { kept: usize },
    /// The whole body, which may have at most `most` bytes.
    Whole { most: usize },
}

/// Sends the request and reads the answer.
pub(super) async fn exchange<S>(
    stream: S,
    request: Request<Full<Bytes>>,
    reading: Reading,
    deadline: Deadline,
) -> Result<Answer, SendError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    /// Limits the response's head, which is buffered.
    const MAX_HEAD_BYTES: usize = 64 * 1024;
    let (mut sender, connection) = deadline
        .run("sending", http1::Builder::new().max_buf_size(MAX_HEAD_BYTES).handshake(TokioIo::new(stream)))
        .await?;
    // Dropped at the end of this function in every case, which closes the connection.
    let _driver = AbortOnDropHandle::new(tokio::spawn(connection));
    let mut response = deadline.run("waiting for the answer", sender.send_request(request)).await?;
    let status = response.status();
    let headers = mem::take(response.headers_mut());
    let body = match reading {
        Reading::Status { kept } => {
            let mut excerpt = BytesMut::new();
            let _ = timeout_at(deadline.at, drain(response.into_body(), &mut excerpt, kept)).await;
            excerpt.freeze()
        }
        Reading::Whole { most } => deadline.run("reading the answer", whole(response.into_body(), most)).await?,
    };
    Ok(Answer { status, headers, body })
}

/// Reads a response to its end, so that the receiver does not see an aborted connection; a very long one only in part.
/// Keeps its first `kept` bytes.
async fn drain(mut body: Incoming, excerpt: &mut BytesMut, kept: usize) {
    const MAX_BODY_BYTES: usize = 64 * 1024;
    let mut drained = 0;
    while let Some(Ok(frame)) = body.frame().await {
        let Some(piece) = frame.data_ref() else { continue };
        let room = kept - excerpt.len();
        excerpt.extend_from_slice(&piece[..piece.len().min(room)]);
        drained += piece.len();
        if drained >= MAX_BODY_BYTES {
            return;
        }
    }
}

async fn whole(mut body: Incoming, most: usize) -> Result<Bytes, String> {
    let mut read = BytesMut::new();
    while let Some(frame) = body.frame().await {
        if let Ok(piece) = frame.map_err(|error| error.to_string())?.into_data() {
            if read.len() + piece.len() > most {
                return Err(format!("it has more than {most} bytes"));
            }
            read.extend_from_slice(&piece);
        }
    }
    Ok(read.freeze())
}
