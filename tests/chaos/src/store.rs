//! An S3-compatible blob store: this program itself, started as a server around the crate `s3s-fs`. It is a process of
//! its own so that it can be stopped, frozen and killed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, anyhow};
use hyper_util::rt::TokioIo;
use rustix::process::{Pid, Signal, kill_process};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

use crate::processes::free_port;

const BUCKET: &str = "sealwright";
const ACCESS_KEY: &str = "chaos";
const SECRET_KEY: &str = "not-a-secret-outside-of-this-run";

pub(crate) struct Store {
    folder: PathBuf,
    port: u16,
    process: Option<Child>,
}

impl Store {
    pub(crate) fn start(run: &Path) -> anyhow::Result<Self> {
        let folder = run.join("store");
        fs::create_dir_all(folder.join(BUCKET))?;
        let mut store = Self { folder, port: free_port()?, process: None };
        store.resume()?;
        Ok(store)
    }

    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        vec![
            named("SEALWRIGHT_BLOB_URL", &format!("s3://{BUCKET}/blobs")),
            named("AWS_ENDPOINT_URL", &format!("http://127.0.0.1:{}", self.port)),
            named("AWS_ALLOW_HTTP", "true"),
            named("AWS_REGION", "us-east-1"),
            named("AWS_ACCESS_KEY_ID", ACCESS_KEY),
            named("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
        ]
    }

    pub(crate) fn resume(&mut self) -> anyhow::Result<()> {
        let log = fs::File::options().create(true).append(true).open(self.folder.with_file_name("store.log"))?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--store").arg(&self.folder).arg(self.port.to_string());
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.process = Some(command.spawn().context("the blob store cannot be started")?);
        Ok(())
    }

    pub(crate) fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    pub(crate) fn freeze(&self, frozen: bool) -> anyhow::Result<()> {
        let process = self.process.as_ref().context("the blob store does not run")?;
        kill_process(Pid::from_child(process), if frozen { Signal::STOP } else { Signal::CONT })?;
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The server itself, until it is killed.
pub(crate) async fn serve(folder: &Path, port: u16) -> anyhow::Result<()> {
    let files = FileSystem::new(folder).map_err(|error| anyhow!("{error:?}"))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let service = builder.build();
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move {
            // A client may hang up.
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
