//! The integrators' side of webhooks: one listener with a path for each way to answer. It records when each case came
//! and when its sender knew the outcome.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Collected, Full};
use hyper::{Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::evidence::Dispatch;

/// How all receivers currently behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Behaviour {
    Usual,
    /// Accepts requests and does not answer.
    Silent,
    /// Ends each connection at once.
    Away,
}

const SLOW: Duration = Duration::from_secs(3);

pub(crate) struct Receivers {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    clock: Instant,
    behaviour: AtomicU8,
    dispatches: Mutex<Vec<Dispatch>>,
}

impl Receivers {
    pub(crate) async fn start(clock: Instant) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let behaviour = AtomicU8::new(Behaviour::Usual as u8);
        let shared = Arc::new(Shared { clock, behaviour, dispatches: Mutex::default() });
        tokio::spawn(listen(listener, Arc::clone(&shared)));
        Ok(Self { address, shared })
    }

    pub(crate) fn fast(&self) -> String {
        format!("http://{}/fast", self.address)
    }

    pub(crate) fn slow(&self) -> String {
        format!("http://{}/slow", self.address)
    }

    pub(crate) fn behave(&self, behaviour: Behaviour) {
        self.shared.behaviour.store(behaviour as u8, Ordering::SeqCst);
    }

    pub(crate) fn dispatches(&self) -> Vec<Dispatch> {
        self.shared.dispatches.lock().clone()
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        if shared.behaves(Behaviour::Away) {
            continue;
        }
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let shared = Arc::clone(&shared);
                async move { Ok::<_, Infallible>(answer(request, shared).await) }
            });
            // If the sender hangs up, the answer is dropped, which records the end.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(request: Request<Incoming>, shared: Arc<Shared>) -> Response<Full<Bytes>> {
    let is_slow = request.uri().path() == "/slow";
    let body = request.into_body().collect().await.map(Collected::to_bytes);
    let case = body.ok().and_then(|body| case_of(&body));
    let Some(case) = case else { return respond(StatusCode::BAD_REQUEST) };
    let guard = shared.note(case);
    while shared.behaves(Behaviour::Silent) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    if is_slow {
        tokio::time::sleep(SLOW).await;
    }
    drop(guard);
    respond(StatusCode::OK)
}

/// The identifier in `cfRef`, `CAS-<id>_CMP-<company>`.
fn case_of(body: &[u8]) -> Option<i64> {
    let payload: Value = serde_json::from_slice(body).ok()?;
    crate::client::case_in(payload["cfRef"].as_str()?)
}

fn respond(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}

impl Shared {
    fn behaves(&self, behaviour: Behaviour) -> bool {
        self.behaviour.load(Ordering::SeqCst) == behaviour as u8
    }

    /// Records a dispatch. Its end is recorded when the returned value is dropped: answered, or ended by the sender.
    fn note(self: &Arc<Self>, case: i64) -> DispatchGuard {
        let mut dispatches = self.dispatches.lock();
        dispatches.push(Dispatch { case, received: self.clock.elapsed(), ended: None });
        DispatchGuard { shared: Arc::clone(self), place: dispatches.len() - 1 }
    }
}

struct DispatchGuard {
    shared: Arc<Shared>,
    place: usize,
}

impl Drop for DispatchGuard {
    fn drop(&mut self) {
        let ended = Some(self.shared.clock.elapsed());
        self.shared.dispatches.lock()[self.place].ended = ended;
    }
}
