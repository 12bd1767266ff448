//! An S3 server by other authors (crate `s3s-fs`) on loopback, with one bucket in a temporary folder: each object is a
//! file there, so a test can damage it.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::task::AbortOnDropHandle;

const BUCKET: &str = "backups";
const ACCESS_KEY: &str = "black-box";
const SECRET_KEY: &str = "known to this test only";

/// Listens until it is dropped.
pub(crate) struct S3Server {
    address: SocketAddr,
    folder: TempDir,
    _listening: AbortOnDropHandle<()>,
}

impl S3Server {
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join(BUCKET)).expect("create the bucket");
        let files = FileSystem::new(folder.path()).unwrap_or_else(|error| panic!("s3s-fs: {error:?}"));
        let mut builder = S3ServiceBuilder::new(files);
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
        let service = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listen on loopback");
        let address = listener.local_addr().expect("the address of a listener");
        let listening = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let service = service.clone();
                connections.spawn(async move {
                    // A client may hang up.
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Self { address, folder, _listening: AbortOnDropHandle::new(listening) }
    }

    /// The variables with which a program reaches it.
    pub(crate) fn variables(&self) -> [(&'static str, String); 5] {
        [
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
        ]
    }

    /// The address of the objects below a prefix.
    pub(crate) fn url(prefix: &str) -> String {
        format!("s3://{BUCKET}/{prefix}")
    }

    /// The folder with the objects below a prefix.
    pub(crate) fn objects(&self, prefix: &str) -> PathBuf {
        let bucket: &Path = self.folder.path();
        bucket.join(BUCKET).join(prefix)
    }
}
