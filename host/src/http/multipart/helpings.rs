//! A body in small helpings. The parser of forms reads on for as long as bytes are there, and keeps what it cannot hand out
//! yet: a header of a part that never ends would take the memory.

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

/// After so much the parser has its turn, in bytes.
const HELPING: usize = 64 * 1024;
/// The most that may come without anything being handed out: no header of a part is nearly as long.
const MOST: usize = 4 * HELPING;

/// How many bytes came since the parser last handed something out.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread(Arc<AtomicUsize>);

impl Unread {
    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(super) struct Helpings {
    body: Body,
    unread: Unread,
    helping: usize,
}

impl Helpings {
    pub(super) fn new(body: Body, unread: Unread) -> Self {
        Self { body, unread, helping: 0 }
    }
}

impl HttpBody for Helpings {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.helping >= HELPING {
            self.helping = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
        self.helping += bytes;
        if self.unread.0.fetch_add(bytes, Ordering::Relaxed) + bytes > MOST {
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
