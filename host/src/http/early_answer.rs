//! Answering before all of a request was read: a file that is too large, a missing right. The connection cannot be used
//! again then, and has to be closed in stages (RFC 9112, section 9.6): a socket closed with bytes unread is reset, and the
//! reset throws away the answer that its client has not read yet.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderValue, header::CONNECTION},
    middleware::Next,
    response::Response,
};
use hyper::body::{Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

/// Tells the client that the connection ends with this answer where the request was not read to its end. Without that
/// word it would send its next request on it, and lose that one.
pub(super) async fn close_unless_read(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let ended = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| Body::new(WatchedBody { body, ended: Arc::clone(&ended) }));
    let mut response = next.run(request).await;
    if !ended.load(Ordering::Relaxed) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// A request's body that says when it was read to its end.
#[derive(Debug)]
struct WatchedBody {
    body: Body,
    ended: Arc<AtomicBool>,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if frame.is_none() || self.body.is_end_stream() {
            self.ended.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A client that sends nothing for so long has nothing more to send.
const QUIET: Duration = Duration::from_secs(1);
/// One that goes on and on is cut off after so long.
const LONGEST: Duration = Duration::from_secs(10);

/// A connection that ends in stages when it is shut down: the sending half is closed first, and what still comes in is
/// read and thrown away until the client closes too.
#[derive(Debug)]
pub(super) struct LingeringStream {
    stream: TcpStream,
    lingering: Option<Lingering>,
}

#[derive(Debug)]
struct Lingering {
    ends: Instant,
    wait: Pin<Box<Sleep>>,
}

impl LingeringStream {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, lingering: None }
    }

    /// Ready when the client has closed its half, has been quiet, or has been heard long enough.
    fn poll_linger(stream: &mut TcpStream, lingering: &mut Lingering, cx: &mut Context<'_>) -> Poll<()> {
        let mut discarded = [0; 16 * 1024];
        while lingering.wait.as_mut().poll(cx).is_pending() {
            let mut buffer = ReadBuf::new(&mut discarded);
            match ready!(Pin::new(&mut *stream).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {
                    lingering.wait.as_mut().reset(lingering.ends.min(Instant::now() + QUIET));
                }
                // Closed, or reset by the client: either way it is gone.
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(())
    }
}

impl AsyncRead for LingeringStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for LingeringStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, lingering } = self.get_mut();
        let lingering = if let Some(lingering) = lingering {
            lingering
        } else {
            ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
            let now = Instant::now();
            lingering.insert(Lingering { ends: now + LONGEST, wait: Box::pin(sleep_until(now + QUIET)) })
        };
        Self::poll_linger(stream, lingering, cx).map(Ok)
    }
}
