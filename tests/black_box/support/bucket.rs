//! A bucket on loopback that implements as much of S3 as the server needs, and that can stop answering.

use std::{collections::BTreeMap, convert::Infallible, net::SocketAddr, sync::Arc};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::{Method, Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};
use tokio_util::task::AbortOnDropHandle;

/// Listens until it is dropped.
pub(crate) struct Bucket {
    address: SocketAddr,
    is_frozen: Arc<watch::Sender<bool>>,
    _listening: AbortOnDropHandle<()>,
}

type Objects = Arc<Mutex<BTreeMap<String, Bytes>>>;

impl Bucket {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listen on loopback");
        let address = listener.local_addr().expect("the address of a listener");
        let is_frozen = Arc::new(watch::Sender::new(false));
        let listening = tokio::spawn(listen(listener, Objects::default(), Arc::clone(&is_frozen)));
        Self { address, is_frozen, _listening: AbortOnDropHandle::new(listening) }
    }

    /// The settings and variables for this bucket.
    pub(crate) fn settings(&self) -> [(&'static str, String); 6] {
        [
            ("SEALWRIGHT_BLOB_URL", "s3://evidence/prefix".to_owned()),
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "eu-west-3".to_owned()),
            ("AWS_ACCESS_KEY_ID", "key".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
        ]
    }

    /// From now on, accepts connections and requests but does not answer.
    pub(crate) fn freeze(&self) {
        self.is_frozen.send_replace(true);
    }

    /// Answers again, including pending requests.
    pub(crate) fn thaw(&self) {
        self.is_frozen.send_replace(false);
    }
}

async fn listen(listener: TcpListener, objects: Objects, is_frozen: Arc<watch::Sender<bool>>) {
    let mut connections = JoinSet::new();
    loop {
        let (socket, _) = listener.accept().await.expect("accept a connection");
        let (objects, is_frozen) = (Arc::clone(&objects), is_frozen.subscribe());
        connections.spawn(async move {
            let service = service_fn(|request| answer(request, Arc::clone(&objects), is_frozen.clone()));
            // A client may disconnect early.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(socket), service).await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    objects: Objects,
    mut is_frozen: watch::Receiver<bool>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    // The sender lives as long as the bucket.
    let _ = is_frozen.wait_for(|frozen| !frozen).await;
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let key = uri.path().trim_start_matches("/evidence").trim_start_matches('/').to_owned();
    let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let mut objects = objects.lock();
    let answer = match method {
        Method::PUT => {
            objects.insert(key, body);
            answered(200, Bytes::new())
        }
        Method::GET if key.is_empty() => answered(200, list(&objects, uri.query().unwrap_or_default())),
        Method::GET | Method::HEAD => match objects.get(&key) {
            Some(object) if method == Method::GET => answered(200, object.clone()),
            Some(object) => {
                let mut answer = answered(200, Bytes::new());
                answer.headers_mut().insert("content-length", object.len().into());
                answer
            }
            None => answered(404, Bytes::new()),
        },
        // Deletes the objects in the body.
        _ => {
            let text = String::from_utf8_lossy(&body);
            let keys = text.split("<Key>").skip(1).filter_map(|named| named.split("</Key>").next());
            let deleted = keys.map(|key| {
                objects.remove(key);
                format!("<Deleted><Key>{key}</Key></Deleted>")
            });
            let deleted: String = deleted.collect();
            answered(200, format!("<DeleteResult>{deleted}</DeleteResult>").into())
        }
    };
    Ok(answer)
}

fn list(objects: &BTreeMap<String, Bytes>, query: &str) -> Bytes {
    let prefix = query.split('&').find_map(|pair| pair.strip_prefix("prefix=")).unwrap_or_default().replace("%2F", "/");
    let contents = objects.iter().filter(|(key, _)| key.starts_with(&prefix)).map(|(key, object)| {
        format!(
            "<Contents><Key>{key}</Key><Size>{}</Size><LastModified>2026-11-20T10:00:00.000Z</LastModified>\
             <ETag>\"1\"</ETag></Contents>",
            object.len()
        )
    });
    let contents: String = contents.collect();
    format!("<ListBucketResult><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>").into()
}

fn answered(status: u16, body: Bytes) -> Response<Full<Bytes>> {
    Response::builder()
        .status(status)
        .header("etag", "\"1\"")
        .header("last-modified", "Fri, 20 Nov 2026 10:00:00 GMT")
        .body(Full::new(body))
        .expect("an answer of fixed parts")
}
