//! A request's body as it comes in: how long it may bring nothing, what of it is held in memory, and what the client is told
//! where it was not read to its end.

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
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, Sleep, sleep_until, timeout},
};

use super::{bounds::Bounds, error::standard, rate_limit};
use crate::{
    app::session::Caller,
    error::{Error, Result},
};

/// So many bytes are progress. Were one enough, a client could hold a connection for weeks with a single file.
const PROGRESS: usize = 1024;
/// So much of a JSON body needs no permit: almost all are smaller.
const FREE: usize = 16 * 1024;
/// How long a larger one waits until others are done with.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads bodies within their time. A body that stopped coming is answered with 408. Where a request was not read to its end
/// the client is told that the connection ends with this answer: it would send its next request on it, and lose that one.
pub(super) async fn watch(State(bounds): State<Arc<Bounds>>, mut request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let terms = Terms { bounds: Arc::clone(&bounds), course: Arc::default() };
    let course = Arc::clone(&terms.course);
    request.extensions_mut().insert(terms);
    let idle = bounds.idle;
    let request = request.map(|body| Body::new(WatchedBody::new(body, Arc::clone(&course), idle)));
    let mut response = next.run(request).await;
    if course.stalled.load(Ordering::Relaxed) {
        bounds.traffic.stalled_bodies.add();
        let mut too_late = standard(StatusCode::REQUEST_TIMEOUT, "the body stopped coming before it was complete");
        rate_limit::keep(response.headers(), too_late.headers_mut());
        response = too_late;
    }
    if !course.ended.load(Ordering::Relaxed) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// What became of a body.
#[derive(Debug, Default)]
struct Course {
    ended: AtomicBool,
    stalled: AtomicBool,
}

/// By which a handler reads the body that it is given.
#[derive(Clone, Debug)]
struct Terms {
    bounds: Arc<Bounds>,
    course: Arc<Course>,
}

/// A body that is whole in memory, and its share of that.
#[derive(Debug)]
pub(super) struct WholeBody {
    pub(super) bytes: Bytes,
    _permit: Option<OwnedSemaphorePermit>,
}

/// Reads a body of at most `limit` bytes; the byte that is one too many stops the reading.
pub(super) async fn read_whole(request: Request, limit: usize) -> Result<WholeBody> {
    let (parts, body) = request.into_parts();
    let too_long = || Error::invalid(format!("the body must be at most {limit} bytes"));
    // The length that the client has told: nobody has to wait for bytes that nobody will read.
    if body.size_hint().lower() > limit as u64 {
        return Err(too_long());
    }
    // A request without a body has none.
    let Some(terms) = parts.extensions.get::<Terms>() else {
        return Ok(WholeBody { bytes: Bytes::new(), _permit: None });
    };
    let bounds = &terms.bounds;
    let is_known = parts.extensions.get::<Caller>().is_some();
    let permits = if is_known { &bounds.bodies_of_callers } else { &bounds.bodies_of_strangers };
    timeout(bounds.json_time, collect(body, limit, permits))
        .await
        .unwrap_or_else(|_| {
            terms.course.stalled.store(true, Ordering::Relaxed);
            Err(Error::invalid("the body was not complete in time"))
        })?
        .ok_or_else(too_long)
}

/// None where the body is too long.
async fn collect(mut body: Body, limit: usize, permits: &Arc<Semaphore>) -> Result<Option<WholeBody>> {
    let (mut bytes, mut permit) = (BytesMut::new(), None);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Error::invalid("the body ended before it was complete"))?;
        let Ok(piece) = frame.into_data() else { continue };
        if bytes.len() + piece.len() > limit {
            return Ok(None);
        }
        if permit.is_none() && bytes.len() + piece.len() > FREE {
            permit = Some(reserve(permits, limit).await?);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(Some(WholeBody { bytes: bytes.freeze(), _permit: permit }))
}

async fn reserve(permits: &Arc<Semaphore>, bytes: usize) -> Result<OwnedSemaphorePermit> {
    let kibibytes = u32::try_from(bytes.div_ceil(1024)).map_err(Error::internal)?;
    match timeout(PATIENCE, Arc::clone(permits).acquire_many_owned(kibibytes)).await {
        Ok(permit) => permit.map_err(Error::internal),
        Err(_) => Err(Error::NotReady {
            message: "too many large requests are being read; try again".to_owned(),
            retry_after_seconds: 5,
        }),
    }
}

/// A body that ends with an error when it brings nothing for too long. Only the time counts in which somebody waits for it.
#[derive(Debug)]
struct WatchedBody {
    body: Body,
    course: Arc<Course>,
    idle: Duration,
    /// Came since the last progress.
    came: usize,
    /// Waited since then, but for the present wait.
    waited: Duration,
    wait: Pin<Box<Sleep>>,
    waiting_since: Option<Instant>,
}

impl WatchedBody {
    fn new(body: Body, course: Arc<Course>, idle: Duration) -> Self {
        let wait = Box::pin(sleep_until(Instant::now()));
        Self { body, course, idle, came: 0, waited: Duration::ZERO, wait, waiting_since: None }
    }

    fn note_progress(&mut self, bytes: usize) {
        self.came += bytes;
        self.waited += self.waiting_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        if self.came >= PROGRESS {
            (self.came, self.waited) = (0, Duration::ZERO);
        }
    }

    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<()> {
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
            return this.poll_patience(cx).map(|()| {
                this.course.stalled.store(true, Ordering::Relaxed);
                Some(Err(axum::Error::new("the body stopped coming")))
            });
        };
        let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
        this.note_progress(bytes);
        if frame.is_none() || this.body.is_end_stream() {
            this.course.ended.store(true, Ordering::Relaxed);
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
