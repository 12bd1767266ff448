//! A request's body as it arrives: how long it may stall, how much of it is held in memory, and how the connection ends
//! if the body was not read completely.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header::CONNECTION},
    middleware::Next,
    response::Response,
};
use bytes::BytesMut;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, Sleep, sleep_until, timeout},
};

use super::{bounds::Bounds, error::standard, rate_limit};
use crate::{
    app::{memory_budget::MemoryBudget, session::Caller},
    error::{Error, Result},
};

/// This many bytes count as progress. If one were enough, a single file could occupy a connection for weeks.
const PROGRESS_BYTES: usize = 1024;
/// JSON bodies up to this size need no permit: almost all are smaller.
const FREE_BYTES: usize = 16 * 1024;
/// How long a larger body waits for a permit.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Reads bodies within their time. A stalled body is answered with 408. If a request was not read completely, the
/// answer says that the connection closes: otherwise the client would send its next request on it, and lose that
/// request.
pub(super) async fn watch(State(bounds): State<Arc<Bounds>>, mut request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let context = BodyContext { bounds: Arc::clone(&bounds), body_state: Arc::default() };
    let body_state = Arc::clone(&context.body_state);
    request.extensions_mut().insert(context);
    let idle = bounds.idle;
    let request = request.map(|body| Body::new(WatchedBody::new(body, Arc::clone(&body_state), idle)));
    let mut response = next.run(request).await;
    if body_state.stalled.load(Ordering::Relaxed) {
        bounds.traffic.stalled_bodies.add();
        let mut timed_out = standard(StatusCode::REQUEST_TIMEOUT, "the body stalled before it was complete");
        rate_limit::keep(response.headers(), timed_out.headers_mut());
        response = timed_out;
    }
    if !body_state.ended.load(Ordering::Relaxed) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// How reading a body ended.
#[derive(Debug, Default)]
struct BodyState {
    ended: AtomicBool,
    stalled: AtomicBool,
}

/// What a handler needs to read its request's body.
#[derive(Clone, Debug)]
struct BodyContext {
    bounds: Arc<Bounds>,
    body_state: Arc<BodyState>,
}

/// A complete body in memory, with its permit for that memory.
#[derive(Debug)]
pub(super) struct WholeBody {
    pub(super) bytes: Bytes,
    _permit: Option<OwnedSemaphorePermit>,
}

/// Reads a body of at most `limit` bytes; reading stops at the first byte beyond.
pub(super) async fn read_whole(request: Request, limit: usize) -> Result<WholeBody> {
    let (parts, body) = request.into_parts();
    let too_long = || Error::invalid(format!("the body must be at most {limit} bytes"));
    // If the declared length is too large, do not wait for bytes that will not be read.
    if body.size_hint().lower() > limit as u64 {
        return Err(too_long());
    }
    // A request without a body has none.
    let Some(context) = parts.extensions.get::<BodyContext>() else {
        return Ok(WholeBody { bytes: Bytes::new(), _permit: None });
    };
    let bounds = &context.bounds;
    let is_known = parts.extensions.get::<Caller>().is_some();
    let budget = if is_known { &bounds.traffic.bodies.of_callers } else { &bounds.traffic.bodies.of_strangers };
    timeout(bounds.json_time, collect(body, limit, budget))
        .await
        .unwrap_or_else(|_| {
            context.body_state.stalled.store(true, Ordering::Relaxed);
            Err(Error::invalid("the body was not complete in time"))
        })?
        .ok_or_else(too_long)
}

/// None if the body is too long.
async fn collect(mut body: Body, limit: usize, budget: &MemoryBudget) -> Result<Option<WholeBody>> {
    let (mut bytes, mut permit) = (BytesMut::new(), None);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Error::invalid("the body ended before it was complete"))?;
        let Ok(piece) = frame.into_data() else { continue };
        if bytes.len() + piece.len() > limit {
            return Ok(None);
        }
        if permit.is_none() && bytes.len() + piece.len() > FREE_BYTES {
            permit = Some(reserve(budget, limit).await?);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(Some(WholeBody { bytes: bytes.freeze(), _permit: permit }))
}

async fn reserve(budget: &MemoryBudget, bytes: usize) -> Result<OwnedSemaphorePermit> {
    match timeout(PERMIT_TIMEOUT, budget.reserve(bytes as u64)).await {
        Ok(permit) => permit,
        Err(_) => Err(Error::NotReady {
            message: "too many large requests are being read; try again".to_owned(),
            retry_after_seconds: 5,
        }),
    }
}

/// A body that ends with an error if it stalls for too long. Only time spent waiting for it counts.
#[derive(Debug)]
struct WatchedBody {
    body: Body,
    body_state: Arc<BodyState>,
    idle: Duration,
    /// Received since the last progress.
    received: usize,
    /// Waited since then, without the current wait.
    waited: Duration,
    wait: Pin<Box<Sleep>>,
    waiting_since: Option<Instant>,
}

impl WatchedBody {
    fn new(body: Body, body_state: Arc<BodyState>, idle: Duration) -> Self {
        let wait = Box::pin(sleep_until(Instant::now()));
        Self { body, body_state, idle, received: 0, waited: Duration::ZERO, wait, waiting_since: None }
    }

    fn note_progress(&mut self, bytes: usize) {
        self.received += bytes;
        self.waited += self.waiting_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        if self.received >= PROGRESS_BYTES {
            (self.received, self.waited) = (0, Duration::ZERO);
        }
    }

    fn poll_timeout(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.waiting_since.is_none() {
            let now = Instant::now();
            self.waiting_since = Some(now);
            self.wait.as_mut().reset(now + self.idle.saturating_sub(self.waited));
        }
        self.wait.as_mut().poll(cx)
    }
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(cx) else {
            return this.poll_timeout(cx).map(|()| {
                this.body_state.stalled.store(true, Ordering::Relaxed);
                Some(Err(axum::Error::new("the body stalled")))
            });
        };
        let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
        this.note_progress(bytes);
        if frame.is_none() || this.body.is_end_stream() {
            this.body_state.ended.store(true, Ordering::Relaxed);
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
