//! The socket of a connection: how it ends, and how long a client may stop reading an answer.
//!
//! If an answer was sent before its request was read completely (a file that is too large, a missing right), the
//! connection cannot be used again and must be closed in stages (RFC 9112, section 9.6): a socket closed with unread
//! bytes is reset, and the reset discards an answer that the client has not read yet.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

use crate::app::traffic::Traffic;

/// A client that sends nothing for this long has nothing more to send.
const QUIET_TIMEOUT: Duration = Duration::from_secs(1);
/// A client that keeps sending is cut off after this time.
const LINGER_LIMIT: Duration = Duration::from_secs(10);

/// A connection that closes in stages: the sending half is closed first, and what still arrives is read and discarded
/// until the client closes too. If the client reads nothing for too long, it ends with an error.
#[derive(Debug)]
pub(super) struct LingeringStream {
    stream: TcpStream,
    lingering: Option<Lingering>,
    write_timeout: Duration,
    /// Runs while nothing can be written.
    stalled: Pin<Box<Sleep>>,
    is_stalled: bool,
    traffic: Arc<Traffic>,
}

#[derive(Debug)]
struct Lingering {
    ends: Instant,
    wait: Pin<Box<Sleep>>,
}

impl LingeringStream {
    pub(super) fn new(stream: TcpStream, write_timeout: Duration, traffic: Arc<Traffic>) -> Self {
        let stalled = Box::pin(sleep_until(Instant::now()));
        Self { stream, lingering: None, write_timeout, stalled, is_stalled: false, traffic }
    }

    /// Passes on the result of a write; a write that is blocked for too long is an error.
    fn watch_write(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.is_stalled = false;
            return written;
        }
        if !self.is_stalled {
            self.is_stalled = true;
            self.stalled.as_mut().reset(Instant::now() + self.write_timeout);
        }
        ready!(self.stalled.as_mut().poll(cx));
        self.traffic.stalled_answers.add();
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client stopped reading the answer")))
    }

    /// Ready when the client has closed its half or gone quiet, or the time limit has passed.
    fn poll_linger(stream: &mut TcpStream, lingering: &mut Lingering, cx: &mut Context<'_>) -> Poll<()> {
        let mut discarded = [0; 16 * 1024];
        while lingering.wait.as_mut().poll(cx).is_pending() {
            let mut buffer = ReadBuf::new(&mut discarded);
            match ready!(Pin::new(&mut *stream).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {
                    lingering.wait.as_mut().reset(lingering.ends.min(Instant::now() + QUIET_TIMEOUT));
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
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch_write(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.watch_write(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, lingering, .. } = self.get_mut();
        let lingering = if let Some(lingering) = lingering {
            lingering
        } else {
            ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
            let now = Instant::now();
            lingering.insert(Lingering { ends: now + LINGER_LIMIT, wait: Box::pin(sleep_until(now + QUIET_TIMEOUT)) })
        };
        Self::poll_linger(stream, lingering, cx).map(Ok)
    }
}
