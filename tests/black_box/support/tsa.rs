//! A foreign time-stamping authority: `openssl ts` behind HTTP, which can also misbehave.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http_body_util::{BodyExt, Full, StreamBody, combinators::BoxBody};
use hyper::{Request, Response, body::Frame, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::{net::TcpListener, time::sleep};
use tokio_util::task::AbortOnDropHandle;

use super::judges::must;

/// How the authority answers from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// As RFC 3161 requires, with fractions of a second.
    Good,
    Status500,
    /// After more time than any client waits.
    Slow,
    Endless,
    /// A valid token for another request.
    OtherNonce,
    /// A valid token with the right nonce for another digest.
    OtherDigest,
    /// With a certificate that had expired at the time of the stamp.
    Expired,
    /// `TimeStampResp` with a refusal.
    Refusing,
    /// The page of a captive portal.
    Html,
}

/// Listens until it is dropped.
pub(crate) struct Authority {
    url: String,
    shared: Arc<Shared>,
    _listening: AbortOnDropHandle<()>,
}

struct Shared {
    mood: Mutex<Mood>,
    asked: AtomicUsize,
    folder: TempDir,
}

type Body = BoxBody<Bytes, std::convert::Infallible>;

impl Authority {
    /// Prints a warning and returns `None` if OpenSSL is missing.
    pub(crate) async fn start() -> Option<Self> {
        Self::start_under("Foreign root").await
    }

    /// With a root of this name.
    pub(crate) async fn start_under(root: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        make_keys(folder.path(), root)?;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listen on loopback");
        let url = format!("http://{}/tsr", listener.local_addr().expect("the address of a listener"));
        let shared = Arc::new(Shared { mood: Mutex::new(Mood::Good), asked: AtomicUsize::new(0), folder });
        let listening = tokio::spawn(listen(listener, Arc::clone(&shared)));
        Some(Self { url, shared, _listening: AbortOnDropHandle::new(listening) })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn set_mood(&self, mood: Mood) {
        *self.shared.mood.lock() = mood;
    }

    /// The number of requests received.
    pub(crate) fn requests(&self) -> usize {
        self.shared.asked.load(Ordering::SeqCst)
    }

    /// The PEM of its root.
    pub(crate) fn root(&self) -> String {
        fs::read_to_string(self.shared.folder.path().join("root.pem")).expect("read the root")
    }
}

/// A root, a certificate that may stamp times, and an expired one.
fn make_keys(folder: &Path, root: &str) -> Option<()> {
    let sections = |name: &str, signer: &str| {
        format!(
            "[{name}]\nserial={name}.serial\ncrypto_device=builtin\nsigner_cert={signer}.pem\ncerts=root.pem\n\
             signer_key=tsa.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\n\
             accuracy=secs:1,millisecs:500\nclock_precision_digits=3\nordering=yes\ntsa_name=yes\n\
             ess_cert_id_chain=yes\ness_cert_id_alg=sha256\n"
        )
    };
    let config = format!(
        "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN={root}\n[root]\nbasicConstraints=critical,CA:true\n\
         keyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n[leaf]\nbasicConstraints=critical,CA:false\n\
         keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\nsubjectKeyIdentifier=hash\n\
         [ca]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\ncertificate=root.pem\n\
         private_key=root.key\npolicy=any\n[any]\ncommonName=supplied\n{}{}",
        sections("good", "tsa"),
        sections("expired", "expired"),
    );
    fs::write(folder.join("ts.cnf"), config).expect("write a configuration");
    let openssl = |arguments: &str| must("openssl", arguments, folder);
    openssl(
        "req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 900 -config ts.cnf -extensions root",
    )?;
    openssl("req -new -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj /CN=Foreign -config ts.cnf")?;
    let issue = "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -extfile ts.cnf -extensions leaf";
    openssl(&format!("{issue} -set_serial 7 -days 900 -out tsa.pem"))?;
    fs::write(folder.join("index.txt"), "").expect("write an empty list of certificates");
    let ended = "-startdate 20200101000000Z -enddate 20210101000000Z";
    openssl(&format!(
        "ca -batch -config ts.cnf -name ca -in tsa.csr -out expired.pem -notext -extensions leaf {ended}"
    ))?;
    for name in ["good", "expired"] {
        fs::write(folder.join(format!("{name}.serial")), "01\n").expect("write a serial number");
    }
    Some(())
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        let answering = service_fn(move |request| {
            let shared = Arc::clone(&shared);
            async move { Ok::<_, std::convert::Infallible>(answer(&shared, request).await) }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answering));
    }
}

async fn answer(shared: &Arc<Shared>, request: Request<Incoming>) -> Response<Body> {
    shared.asked.fetch_add(1, Ordering::SeqCst);
    assert_eq!(request.headers()["content-type"], "application/timestamp-query");
    let query = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let mood = *shared.mood.lock();
    match mood {
        Mood::Good => reply(shared, query.to_vec(), "good").await,
        Mood::Expired => reply(shared, query.to_vec(), "expired").await,
        Mood::Refusing => reply(shared, b"no request".to_vec(), "good").await,
        Mood::OtherNonce => reply(shared, changed(&query, NONCE_FROM_END), "good").await,
        Mood::OtherDigest => reply(shared, changed(&query, DIGEST_FROM_END), "good").await,
        Mood::Html => of(200, b"<html>Please sign in</html>".to_vec()),
        Mood::Status500 => of(500, b"sorry".to_vec()),
        Mood::Slow => {
            sleep(Duration::from_mins(10)).await;
            of(200, Vec::new())
        }
        Mood::Endless => {
            let pieces = stream::repeat(Bytes::from_static(&[0; 4096])).map(|piece| Ok(Frame::data(piece)));
            Response::new(BodyExt::boxed(StreamBody::new(pieces)))
        }
    }
}

/// The position of the last byte of a request's nonce, counted from the end: `BOOLEAN TRUE` (3 bytes) follows it.
const NONCE_FROM_END: usize = 4;
/// The digest's last byte. After it come the nonce (a length of 8 or 9, tag and length) and `BOOLEAN TRUE`.
const DIGEST_FROM_END: usize = 16;

/// The request with one byte changed. Nonce and digest are long enough that the change hits them.
fn changed(query: &[u8], from_end: usize) -> Vec<u8> {
    let mut query = query.to_vec();
    let at = query.len() - from_end;
    query[at] ^= 0x55;
    query
}

/// The answer of `openssl ts` to a request.
async fn reply(shared: &Arc<Shared>, query: Vec<u8>, section: &'static str) -> Response<Body> {
    let shared = Arc::clone(shared);
    let answered = tokio::task::spawn_blocking(move || {
        // One at a time: OpenSSL counts serial numbers in a file.
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = TURN.lock();
        let folder: PathBuf = shared.folder.path().to_owned();
        fs::write(folder.join("request.tsq"), query).expect("write the request");
        must(
            "openssl",
            &format!("ts -reply -queryfile request.tsq -out response.tsr -config ts.cnf -section {section}"),
            &folder,
        );
        fs::read(folder.join("response.tsr")).expect("read the response")
    });
    of(200, answered.await.expect("OpenSSL answers"))
}

fn of(status: u16, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(BodyExt::boxed(Full::new(Bytes::from(body))));
    *response.status_mut() = hyper::StatusCode::from_u16(status).expect("a status");
    response
}
