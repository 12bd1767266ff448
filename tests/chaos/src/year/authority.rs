//! A certification authority of the year's operator, by OpenSSL: it issues the keys that sign, publishes their list of
//! revocations, and stamps times with certificates that expire within the year.

use std::{
    convert::Infallible,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Collected, Full};
use hyper::{Method, Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::net::TcpListener;

/// How long a certificate that stamps times is valid, in days. Certificates are renewed 60 days before that, or 90 days
/// before by evidence records.
const STAMPING_DAYS: u32 = 130;
/// Longer than the year.
const SIGNING_DAYS: u32 = 500;
const NEW_EC_KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";

pub(super) struct Authority {
    url: String,
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    /// Of its clock.
    variables: Vec<(&'static str, String)>,
    is_away: AtomicBool,
    /// OpenSSL counts serial numbers in a file.
    turn: Mutex<()>,
}

impl Authority {
    pub(super) async fn start(folder: &Path, variables: &[(&'static str, String)]) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        fs::write(folder.join("year.cnf"), configuration(&url))?;
        fs::write(folder.join("index.txt"), "")?;
        for name in ["number", "stamps.serial"] {
            fs::write(folder.join(name), "01\n")?;
        }
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            variables: variables.to_vec(),
            is_away: AtomicBool::new(false),
            turn: Mutex::default(),
        });
        let make = "req -x509 -newkey rsa:3072 -nodes -config year.cnf -extensions root -days 4000";
        shared.openssl(&format!("{make} -keyout root.key -out root.pem"))?;
        let authority = Self { url, shared };
        authority.renew()?;
        tokio::spawn(listen(listener, Arc::clone(&authority.shared)));
        Ok(authority)
    }

    pub(super) fn tsa_url(&self) -> String {
        format!("{}/tsr", self.url)
    }

    /// The file of its root's certificate.
    pub(super) fn root(&self) -> PathBuf {
        self.shared.folder.join("root.pem")
    }

    /// A new key and certificate that stamp times, and a current list of revocations.
    pub(super) fn renew(&self) -> anyhow::Result<()> {
        let _turn = self.shared.turn.lock();
        let openssl = |line: &str| self.shared.openssl(line);
        openssl(
            "req -new -newkey rsa:2048 -nodes -config year.cnf -subj /CN=Stamps -keyout stamps.key -out stamps.csr",
        )?;
        openssl(&issue("stamps", "stamping", STAMPING_DAYS))?;
        openssl("ca -gencrl -config year.cnf -cert root.pem -keyfile root.key -out list.pem")?;
        openssl("crl -in list.pem -outform DER -out root.crl")
    }

    /// A new key that signs certificates: the files of the key and of its chain.
    pub(super) fn signing_key(&self, name: &str) -> anyhow::Result<(PathBuf, PathBuf)> {
        let _turn = self.shared.turn.lock();
        let request =
            format!("req -new {NEW_EC_KEY} -config year.cnf -subj /CN=Acme -keyout {name}.key -out {name}.csr");
        self.shared.openssl(&request)?;
        self.shared.openssl(&issue(name, "signing", SIGNING_DAYS))?;
        let folder = &self.shared.folder;
        let chain = folder.join(format!("{name}-chain.pem"));
        let certificates = [folder.join(format!("{name}.pem")), self.root()].map(fs::read_to_string);
        fs::write(&chain, certificates.into_iter().collect::<Result<String, _>>()?)?;
        Ok((folder.join(format!("{name}.key")), chain))
    }

    /// From now on it stamps no time and answers 503, or it works again.
    pub(super) fn be_away(&self, is_away: bool) {
        self.shared.is_away.store(is_away, Ordering::SeqCst);
    }
}

fn configuration(url: &str) -> String {
    format!(
        "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=Authority of the year\n\
         [root]\nbasicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n\
         [stamping]\nbasicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature\n\
         extendedKeyUsage=critical,timeStamping\nsubjectKeyIdentifier=hash\n\
         [signing]\nbasicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature,nonRepudiation\n\
         extendedKeyUsage=emailProtection\nsubjectKeyIdentifier=hash\ncrlDistributionPoints=URI:{url}/root.crl\n\
         [ca]\ndefault_ca=authority\n[authority]\ndatabase=index.txt\ncrlnumber=number\ndefault_md=sha256\n\
         default_crl_days=60\n\
         [stamps]\nserial=stamps.serial\ncrypto_device=builtin\nsigner_cert=stamps.pem\ncerts=root.pem\n\
         signer_key=stamps.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\n\
         accuracy=secs:1,millisecs:500\nclock_precision_digits=3\nordering=yes\ntsa_name=yes\n\
         ess_cert_id_chain=yes\ness_cert_id_alg=sha256\n"
    )
}

fn issue(name: &str, extensions: &str, days: u32) -> String {
    format!(
        "x509 -req -in {name}.csr -CA root.pem -CAkey root.key -CAcreateserial -extfile year.cnf \
         -extensions {extensions} -days {days} -out {name}.pem"
    )
}

impl Shared {
    fn openssl(&self, line: &str) -> anyhow::Result<()> {
        let mut openssl = Command::new("openssl");
        openssl.args(line.split_whitespace()).current_dir(&self.folder);
        openssl.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let done = openssl.output().context("openssl cannot be started")?;
        ensure!(done.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&done.stderr));
        Ok(())
    }

    fn stamp(&self, query: &[u8]) -> anyhow::Result<Vec<u8>> {
        let _turn = self.turn.lock();
        fs::write(self.folder.join("request.tsq"), query)?;
        self.openssl("ts -reply -queryfile request.tsq -out response.tsr -config year.cnf -section stamps")?;
        Ok(fs::read(self.folder.join("response.tsr"))?)
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let shared = Arc::clone(&shared);
                async move { Ok::<_, Infallible>(answer(request, shared).await) }
            });
            // A client may hang up.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(request: Request<Incoming>, shared: Arc<Shared>) -> Response<Full<Bytes>> {
    if request.method() == Method::GET {
        let list = fs::read(shared.folder.join("root.crl"));
        return list.map_or_else(|_| respond(StatusCode::NOT_FOUND, Vec::new()), |list| respond(StatusCode::OK, list));
    }
    if shared.is_away.load(Ordering::SeqCst) {
        return respond(StatusCode::SERVICE_UNAVAILABLE, Vec::new());
    }
    let query = request.into_body().collect().await.map(Collected::to_bytes).unwrap_or_default();
    let stamped = tokio::task::spawn_blocking(move || shared.stamp(&query)).await;
    match stamped {
        Ok(Ok(token)) => respond(StatusCode::OK, token),
        failed => {
            eprintln!("the time-stamping authority: {failed:?}");
            respond(StatusCode::INTERNAL_SERVER_ERROR, Vec::new())
        }
    }
}

fn respond(status: StatusCode, body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response
}
