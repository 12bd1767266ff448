//! Meters a body for the form parser, which reads as long as bytes are available and buffers what it cannot hand out
//! yet: an endless part header would fill the memory.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

/// After this many bytes the body yields to the parser.
const YIELD_AFTER: usize = 64 * 1024;
/// The most that may arrive before the parser hands anything out: real part headers are far shorter.
const UNREAD_LIMIT: usize = 4 * YIELD_AFTER;

/// How many bytes have arrived since the parser last handed something out.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread(Arc<AtomicUsize>);

impl Unread {
    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(super) struct MeteredBody {
    body: Body,
    unread: Unread,
    since_yield: usize,
}

impl MeteredBody {
    pub(super) fn new(body: Body, unread: Unread) -> Self {
        Self { body, unread, since_yield: 0 }
    }
}

impl HttpBody for MeteredBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.since_yield >= YIELD_AFTER {
            self.since_yield = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
        self.since_yield += bytes;
        if self.unread.0.fetch_add(bytes, Ordering::Relaxed) + bytes > UNREAD_LIMIT {
            return Poll::Ready(Some(Err(axum::Error::new("the header of a part is too long"))));
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
