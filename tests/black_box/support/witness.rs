//! A foreign witness of logs on loopback, made from the C2SP specifications alone. It can also misbehave.

use std::{
    convert::Infallible,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use ed25519_dalek::{Signer as _, SigningKey};
use futures_util::{StreamExt as _, stream};
use http_body_util::{BodyExt, Full, StreamBody, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode, body::Frame, body::Incoming, header::CONTENT_TYPE, server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

/// How the witness answers from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// As `tlog-witness` requires, but without a look at the proof.
    Good,
    /// A cosignature by another key, under the name and the hash of the right one.
    WrongKey,
    /// A valid cosignature of the year 2001.
    OldTime,
    Garbage,
    Endless,
    Status500,
    /// Never.
    Silent,
}

/// Listens until it is dropped.
pub(crate) struct Witness {
    url: String,
    shared: Arc<Shared>,
    _listening: AbortOnDropHandle<()>,
}

struct Shared {
    name: String,
    key: SigningKey,
    mood: Mutex<Mood>,
    /// The size of the newest cosigned checkpoint.
    seen: Mutex<u64>,
}

type Body = BoxBody<Bytes, Infallible>;

impl Witness {
    pub(crate) async fn start(name: &str, mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listen on loopback");
        let url = format!("http://{}/{name}", listener.local_addr().expect("the address of a listener"));
        let key = SigningKey::from_bytes(&Sha256::digest(name).into());
        let shared = Shared { name: name.to_owned(), key, mood: Mutex::new(mood), seen: Mutex::new(0) };
        let shared = Arc::new(shared);
        let listening = tokio::spawn(listen(listener, Arc::clone(&shared)));
        Self { url, shared, _listening: AbortOnDropHandle::new(listening) }
    }

    pub(crate) fn set_mood(&self, mood: Mood) {
        *self.shared.mood.lock() = mood;
    }

    /// As in `seal.witnesses`.
    pub(crate) fn setting(&self) -> String {
        format!("{} {}", self.key(), self.url)
    }

    /// The verifier key.
    pub(crate) fn key(&self) -> String {
        let key = [&[4_u8], self.shared.key.verifying_key().as_bytes().as_slice()].concat();
        format!("{}+{}+{}", self.shared.name, hex::encode(self.shared.hash()), STANDARD.encode(key))
    }
}

impl Shared {
    fn hash(&self) -> Vec<u8> {
        let key = self.key.verifying_key();
        Sha256::digest([self.name.as_bytes(), b"\n\x04", key.as_bytes()].concat())[..4].to_vec()
    }

    fn cosignature(&self, text: &str, seconds: u64, key: &SigningKey) -> Vec<u8> {
        let message = format!("cosignature/v1\ntime {seconds}\n{text}");
        let signature = key.sign(message.as_bytes()).to_bytes();
        let stamped = [self.hash(), seconds.to_be_bytes().to_vec(), signature.to_vec()].concat();
        format!("\u{2014} {} {}\n", self.name, STANDARD.encode(stamped)).into_bytes()
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        let answering = service_fn(move |request| {
            let shared = Arc::clone(&shared);
            async move { Ok::<_, Infallible>(answer(&shared, request).await) }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answering));
    }
}

async fn answer(shared: &Shared, request: Request<Incoming>) -> Response<Body> {
    assert_eq!(request.uri().path(), format!("/{}/add-checkpoint", shared.name));
    let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let body = String::from_utf8(body.to_vec()).expect("a request is text");
    let (head, note) = body.split_once("\n\n").expect("a request has a checkpoint");
    let old: u64 = head.lines().next().and_then(|line| line.strip_prefix("old ")?.parse().ok()).expect("an old size");
    let text = format!("{}\n", note.split_once("\n\n").expect("a checkpoint is signed").0);
    let size: u64 = text.lines().nth(1).and_then(|line| line.parse().ok()).expect("a checkpoint has a size");
    let mood = *shared.mood.lock();
    match mood {
        Mood::Good => {
            let mut seen = shared.seen.lock();
            if old != *seen {
                let mut response = of(409, format!("{seen}\n").into_bytes());
                response.headers_mut().insert(CONTENT_TYPE, "text/x.tlog.size".parse().expect("a header's value"));
                return response;
            }
            *seen = size;
            of(200, shared.cosignature(&text, seconds_now(), &shared.key))
        }
        Mood::WrongKey => of(200, shared.cosignature(&text, seconds_now(), &SigningKey::from_bytes(&[7; 32]))),
        Mood::OldTime => of(200, shared.cosignature(&text, 1_000_000_000, &shared.key)),
        Mood::Garbage => of(200, b"<html>Please sign in</html>".to_vec()),
        Mood::Status500 => of(500, b"sorry".to_vec()),
        Mood::Silent => std::future::pending().await,
        Mood::Endless => {
            let pieces = stream::repeat(Bytes::from_static(&[0; 4096])).map(|piece| Ok(Frame::data(piece)));
            Response::new(BodyExt::boxed(StreamBody::new(pieces)))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a witness has a clock of its own")]
fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

fn of(status: u16, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(BodyExt::boxed(Full::new(Bytes::from(body))));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
}
