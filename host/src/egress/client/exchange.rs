//! One request and its answer on a connection that is open already, within bounds.

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt as _, Full};
use hyper::{Request, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout_at,
};
use tokio_util::task::AbortOnDropHandle;

use super::{Answer, Deadline, Undelivered};

/// How much of an answer is wanted.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// The status is the outcome: a body that is cut off, endless or slow does not change it.
    Status,
    /// All of the body, which has at most so many bytes.
    Whole { most: usize },
}

/// Sends the request and reads the answer.
pub(super) async fn exchange<S>(
    stream: S,
    request: Request<Full<Bytes>>,
    reading: Reading,
    deadline: Deadline,
) -> Result<Answer, Undelivered>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    /// Bounds the response's head: a receiver may not make us buffer what it likes.
    const MAX_HEAD_BYTES: usize = 64 * 1024;
    let (mut sender, connection) = deadline
        .hold("sending", http1::Builder::new().max_buf_size(MAX_HEAD_BYTES).handshake(TokioIo::new(stream)))
        .await?;
    // Dropped at the end of this function on every way out, and with it the connection.
    let _driver = AbortOnDropHandle::new(tokio::spawn(connection));
    let response = deadline.hold("waiting for the answer", sender.send_request(request)).await?;
    let status = response.status();
    let body = match reading {
        Reading::Status => {
            let _ = timeout_at(deadline.at, drain(response.into_body())).await;
            Bytes::new()
        }
        Reading::Whole { most } => deadline.hold("reading the answer", whole(response.into_body(), most)).await?,
    };
    Ok(Answer { status, body })
}

/// Reads a response to its end, so that the receiver does not see its answer cut off; an unreasonable one only in part.
async fn drain(mut body: Incoming) {
    const MAX_BODY_BYTES: usize = 64 * 1024;
    let mut drained = 0;
    while let Some(Ok(frame)) = body.frame().await {
        drained += frame.data_ref().map_or(0, Bytes::len);
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
