//! Rendering with a template that somebody else wrote, in a process of its own.
//!
//! A template is code: it can run for ever, take all memory, or nest until the stack ends. So it runs in a child of the
//! same program (`sealwright certificate-worker`) that limits its own memory and processor time and is killed when it does
//! not answer. The child gets the template, data and pictures through its standard input, and has no environment. It is
//! kept for the next certificate, because a warm one is many times faster.

mod child;
mod wire;

use std::{
    io::{BufReader, BufWriter, Read},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use anyhow::Context;
use bytes::Bytes;
use rustix::process::Signal;
use typst::foundations::Bytes as TypstBytes;

pub use self::child::run;
use self::wire::{Answer, Job, Limits, Request};
use super::{
    attachment::Attachment,
    data::{CertificateData, Moment},
    render::{Form, RenderError, RenderedCertificate},
    template::Template,
};
use crate::clock::Timestamp;

/// The first argument of the program that makes it such a child.
pub const ARGUMENT: &str = "certificate-worker";

/// For one certificate; each photo adds to it.
const TIME: Duration = Duration::from_secs(20);
const TIME_FOR_A_PHOTO: Duration = Duration::from_millis(500);
/// Of memory that is not files; measured 90 MiB for the built-in template with twelve photos.
const MEMORY: u64 = 1 << 30;
/// Of a picture's bytes: they are held, decoded and written again.
const MEMORY_FOR_A_BYTE: u64 = 8;

/// A template with the process that renders with it.
pub struct CertificateWorker {
    program: PathBuf,
    template: Template,
    time: Duration,
    process: Option<Process>,
}

/// A child that has loaded the template.
struct Process {
    child: Arc<Mutex<Child>>,
    requests: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// What it wrote to its standard error, which is why it died.
    last_words: Option<thread::JoinHandle<String>>,
}

impl CertificateWorker {
    /// `program` is the path of this program. Starts nothing yet.
    pub fn new(program: &Path, template: Template) -> Self {
        Self { program: program.to_owned(), template, time: TIME, process: None }
    }

    /// This program, also after its file was replaced by a newer one.
    pub fn this_program() -> anyhow::Result<PathBuf> {
        let running = Path::new("/proc/self/exe");
        if running.exists() { Ok(running.to_owned()) } else { Ok(std::env::current_exe()?) }
    }

    /// With another time for one certificate than the usual 20 s.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Goes on with another version of the template, in the same process: its fonts are still warm.
    pub fn replace_template(&mut self, template: Template) -> Result<(), RenderError> {
        self.template = template;
        let Some(mut process) = self.process.take() else { return Ok(()) };
        process.load(&self.template, self.time)?;
        self.process = Some(process);
        Ok(())
    }

    /// As [`CertificateRenderer::render`](super::CertificateRenderer::render), under limits.
    pub fn render(
        &mut self,
        data: &CertificateData,
        photos: &[Bytes],
        attachments: &[Attachment],
        now: Timestamp,
    ) -> Result<RenderedCertificate, RenderError> {
        self.make(data, photos, attachments, now, Form::Certificate)
    }

    /// As [`CertificateRenderer::picture`](super::CertificateRenderer::picture), under limits.
    pub fn picture(
        &mut self,
        data: &CertificateData,
        photos: &[Bytes],
        now: Timestamp,
    ) -> Result<RenderedCertificate, RenderError> {
        self.make(data, photos, &[], now, Form::Picture)
    }

    fn make(
        &mut self,
        data: &CertificateData,
        photos: &[Bytes],
        attachments: &[Attachment],
        now: Timestamp,
        form: Form,
    ) -> Result<RenderedCertificate, RenderError> {
        let limits = limits(self.time, photos);
        let job = Job {
            data: data.clone(),
            photos: photos.len(),
            attachments: attachments.to_vec(),
            now: Moment(now),
            form,
            limits,
        };
        let files = photos.iter().map(|photo| &photo[..]).chain(attachments.iter().map(|attached| &attached.bytes[..]));
        let mut process = match self.process.take() {
            Some(process) if process.is_alive() => process,
            _ => Process::start(&self.program, &self.template, self.time)?,
        };
        let (answer, files) = process.ask(&Request::Render(Box::new(job)), files, limits.time())?;
        // Only a process that answered is used again.
        self.process = Some(process);
        match answer {
            Answer::Rendered { pages, unshown_photos, warnings, missing } => Ok(RenderedCertificate {
                pdf: files.into_iter().next().context("the process answered without a document")?,
                pages,
                unshown_photos,
                warnings,
                missing,
            }),
            Answer::Template(findings) => Err(RenderError::Template(findings)),
            Answer::Export(findings) => Err(RenderError::Export(findings)),
            Answer::Failed(reason) => Err(RenderError::Internal(anyhow::anyhow!(reason))),
            Answer::Loaded => Err(RenderError::Internal(anyhow::anyhow!("the process answered another question"))),
        }
    }
}

fn limits(time: Duration, photos: &[Bytes]) -> Limits {
    let photos_time = TIME_FOR_A_PHOTO * u32::try_from(photos.len()).unwrap_or(u32::MAX);
    let bytes: u64 = photos.iter().map(|photo| photo.len() as u64).sum();
    Limits { seconds: (time + photos_time).as_secs().max(1), memory: MEMORY + MEMORY_FOR_A_BYTE * bytes }
}

impl Process {
    fn start(program: &Path, template: &Template, time: Duration) -> Result<Self, RenderError> {
        let mut child = Command::new(program)
            .arg(ARGUMENT)
            .env_clear()
            // Ctrl-C is for the server, which lets what is under way end.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("starting a process for the certificate template")?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(mut stderr)) = pipes else {
            return Err(RenderError::Internal(anyhow::anyhow!("the process for the template has no pipes")));
        };
        let last_words = thread::spawn(move || {
            let mut words = Vec::new();
            // More than this says nothing more; the pipe is emptied all the same.
            let _ = stderr.by_ref().take(4096).read_to_end(&mut words);
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            String::from_utf8_lossy(&words).into_owned()
        });
        let mut process = Self {
            child: Arc::new(Mutex::new(child)),
            requests: BufWriter::new(stdin),
            answers: BufReader::new(stdout),
            last_words: Some(last_words),
        };
        process.load(template, time)?;
        Ok(process)
    }

    fn load(&mut self, template: &Template, time: Duration) -> Result<(), RenderError> {
        let request = Request::Load {
            files: template.files.iter().map(|(path, _)| path.clone()).collect(),
            limits: limits(time, &[]),
        };
        let files = template.files.iter().map(|(_, content)| content.as_slice());
        let (answer, _) = self.ask(&request, files.chain(template.fonts.iter().map(TypstBytes::as_slice)), time)?;
        match answer {
            Answer::Loaded => Ok(()),
            Answer::Failed(reason) => Err(RenderError::Internal(anyhow::anyhow!(reason))),
            _ => Err(RenderError::Internal(anyhow::anyhow!("the process answered another question"))),
        }
    }

    fn is_alive(&self) -> bool {
        matches!(locked(&self.child).try_wait(), Ok(None))
    }

    /// Sends a request and waits for its answer. A process that does not answer in time is killed.
    fn ask<'a>(
        &mut self,
        request: &Request,
        files: impl Iterator<Item = &'a [u8]>,
        time: Duration,
    ) -> Result<(Answer, Vec<Vec<u8>>), RenderError> {
        let (done, waits) = mpsc::channel::<()>();
        let child = Arc::clone(&self.child);
        let guard = thread::spawn(move || {
            let late = waits.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                // Gone already: then it did answer, or died by itself.
                let _ = locked(&child).kill();
            }
            late
        });
        let answer = wire::write(&mut self.requests, request, files).and_then(|()| wire::read(&mut self.answers));
        drop(done);
        let late = guard.join().unwrap_or(false);
        match answer {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) | Err(_) if late => Err(RenderError::Limit(format!("took longer than {} s", time.as_secs()))),
            Ok(None) | Err(_) => Err(self.cause_of_death()),
        }
    }

    fn cause_of_death(&mut self) -> RenderError {
        let status = {
            let mut child = locked(&self.child);
            // Whatever happened, it is of no use any more.
            let _ = child.kill();
            child.wait()
        };
        let words = self.last_words.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if words.contains("memory allocation of") || words.contains("out of memory") {
            return RenderError::Limit(format!("wanted more memory than the {} MiB it may have", MEMORY >> 20));
        }
        if words.contains("has overflowed its stack") {
            return RenderError::Limit("nests deeper than the stack is".to_owned());
        }
        let signal = status.as_ref().ok().and_then(ExitStatusExt::signal);
        if [Signal::TERM, Signal::INT, Signal::HUP].map(Signal::as_raw).iter().any(|end| signal == Some(*end)) {
            return RenderError::Interrupted;
        }
        if signal == Some(Signal::XCPU.as_raw()) {
            return RenderError::Limit("took more time of the processor than it may have".to_owned());
        }
        let ended = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let words: String = words.chars().take(500).collect();
        RenderError::Limit(format!("ended its process ({ended}) {}", words.trim()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut child = locked(&self.child);
        // It has nothing to lose, and nobody left to answer.
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn locked(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}
