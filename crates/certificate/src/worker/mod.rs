//! Rendering in a process of its own.
//!
//! A template is code: it can run for ever, take all memory, or overflow the stack, and the compiler itself can crash.
//! So certificates are rendered in confined children of this program (`sealwright-child-process`), under limits of time
//! and memory, and killed if they do not answer. A child gets the template, data and pictures through its standard
//! input. It is kept for the next certificate, because a warm one is many times faster, and ended after it was idle for
//! a while, because it holds about a hundred megabytes.

mod child;
mod wire;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, anyhow};
use bytes::Bytes;
use sealwright_base::clock::Timestamp;
use sealwright_child_process::{Cause, Role, Session, session::SessionError};
use typst::foundations::Bytes as TypstBytes;

pub use self::child::run;
use self::wire::{Answer, Job, Limits, Request};
use super::{
    attachment::Attachment,
    data::{CertificateData, Moment},
    render::{Form, RenderError, RenderedCertificate},
    template::Template,
};

/// For one certificate without photos.
const TIME: Duration = Duration::from_secs(20);
const TIME_FOR_A_PHOTO: Duration = Duration::from_millis(500);
/// Of memory that is not files; measured 90 MiB for the built-in template with twelve photos.
const MEMORY: u64 = 1 << 30;
/// Large attachments are compressed.
const TIME_FOR_AN_ATTACHED_MEBIBYTE: Duration = Duration::from_millis(200);
/// Of a picture's or an attachment's bytes: they are held, decoded or compressed, and written again.
const MEMORY_FOR_A_BYTE: u64 = 8;

/// How long a process waits for the next certificate before it is ended.
const IDLE: Duration = Duration::from_mins(1);
/// The most that is accepted from it: far larger than any certificate.
const MAX_ANSWER_BYTES: u64 = 1 << 30;

/// A template with its rendering process.
pub struct CertificateWorker {
    program: PathBuf,
    template: Template,
    time: Duration,
    process: Option<Process>,
}

/// A child that has loaded the template.
struct Process(Session);

impl CertificateWorker {
    /// `program` is the path of this program. Starts nothing yet.
    pub fn new(program: &Path, template: Template) -> Self {
        Self { program: program.to_owned(), template, time: TIME, process: None }
    }

    /// Whether its process is running and has loaded the template.
    pub fn is_warm(&self) -> bool {
        self.process.as_ref().is_some_and(|process| !process.0.has_ended())
    }

    /// Starts the process, unless it runs, and has it load the template: errors in its files and fonts are reported
    /// here.
    pub fn warm_up(&mut self) -> Result<(), RenderError> {
        if !self.is_warm() {
            self.process = Some(Process::start(&self.program, &self.template, self.time)?);
        }
        Ok(())
    }

    /// With another time for one certificate than the usual 20 s.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Replaces the template in the same process, which keeps its loaded fonts.
    pub fn replace_template(&mut self, template: Template) -> Result<(), RenderError> {
        self.template = template;
        let Some(mut process) = self.process.take().filter(|process| !process.0.has_ended()) else { return Ok(()) };
        process.load(&self.template, self.time)?;
        self.process = Some(process);
        Ok(())
    }

    /// Like [`CertificateRenderer::render`](super::CertificateRenderer::render), under limits.
    pub fn render(
        &mut self,
        data: &CertificateData,
        photos: &[Bytes],
        attachments: &[Attachment],
        now: Timestamp,
    ) -> Result<RenderedCertificate, RenderError> {
        self.make(data, photos, attachments, now, Form::Certificate)
    }

    /// Like [`CertificateRenderer::picture`](super::CertificateRenderer::picture), under limits.
    pub fn picture(
        &mut self,
        data: &CertificateData,
        photos: &[Bytes],
        now: Timestamp,
        page: Option<usize>,
    ) -> Result<RenderedCertificate, RenderError> {
        self.make(data, photos, &[], now, Form::Picture(page))
    }

    fn make(
        &mut self,
        data: &CertificateData,
        photos: &[Bytes],
        attachments: &[Attachment],
        now: Timestamp,
        form: Form,
    ) -> Result<RenderedCertificate, RenderError> {
        let limits = limits(self.time, photos, attachments);
        let job = Job {
            data: data.clone(),
            photos: photos.len(),
            attachments: attachments.iter().map(Attachment::without_bytes).collect(),
            now: Moment(now),
            form,
            limits,
        };
        let files = photos.iter().map(|photo| &photo[..]).chain(attachments.iter().map(|attached| &attached.bytes[..]));
        let request = Request::Render(Box::new(job));
        let mut process = match self.process.take() {
            Some(process) if !process.0.has_ended() => process,
            _ => Process::start(&self.program, &self.template, self.time)?,
        };
        let (answer, files) = match process.ask(&request, files.clone(), limits) {
            // It was just ended for being idle.
            Err(SessionError::Ended) => {
                process = Process::start(&self.program, &self.template, self.time)?;
                process.ask(&request, files, limits).map_err(|error| failed(error, limits))?
            }
            answered => answered.map_err(|error| failed(error, limits))?,
        };
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
            Answer::Failed(reason) => Err(RenderError::Internal(anyhow!(reason))),
            Answer::Loaded => Err(RenderError::Internal(anyhow!("the process answered another question"))),
        }
    }
}

fn limits(time: Duration, photos: &[Bytes], attachments: &[Attachment]) -> Limits {
    let photos_time = TIME_FOR_A_PHOTO * u32::try_from(photos.len()).unwrap_or(u32::MAX);
    let photo_bytes: u64 = photos.iter().map(|photo| photo.len() as u64).sum();
    let attached_bytes: u64 = attachments.iter().map(|attachment| attachment.bytes.len() as u64).sum();
    let attached_time = TIME_FOR_AN_ATTACHED_MEBIBYTE * u32::try_from(attached_bytes >> 20).unwrap_or(u32::MAX);
    Limits {
        seconds: (time + photos_time + attached_time).as_secs().max(1),
        memory: MEMORY + MEMORY_FOR_A_BYTE * (photo_bytes + attached_bytes),
    }
}

impl Process {
    fn start(program: &Path, template: &Template, time: Duration) -> Result<Self, RenderError> {
        let session = Session::start(Role::Render.command(program), IDLE).map_err(RenderError::NotStarted)?;
        let mut process = Self(session);
        process.load(template, time)?;
        Ok(process)
    }

    fn load(&mut self, template: &Template, time: Duration) -> Result<(), RenderError> {
        let limits = limits(time, &[], &[]);
        let request = Request::Load { files: template.files.iter().map(|(path, _)| path.clone()).collect(), limits };
        let files = template.files.iter().map(|(_, content)| content.as_slice());
        let files = files.chain(template.fonts.iter().map(TypstBytes::as_slice));
        match self.ask(&request, files, limits).map_err(|error| failed(error, limits))? {
            (Answer::Loaded, _) => Ok(()),
            (Answer::Failed(reason), _) => Err(RenderError::Internal(anyhow!(reason))),
            _ => Err(RenderError::Internal(anyhow!("the process answered another question"))),
        }
    }

    /// Sends a request and waits for its answer. A process that does not answer in time is killed.
    fn ask<'a>(
        &mut self,
        request: &Request,
        files: impl Iterator<Item = &'a [u8]>,
        limits: Limits,
    ) -> Result<(Answer, Vec<Vec<u8>>), SessionError> {
        self.0.ask(limits.time(), |requests, answers| {
            wire::write(requests, request, files)?;
            wire::read(answers, MAX_ANSWER_BYTES)
        })
    }
}

/// The error for a failed process.
fn failed(error: SessionError, limits: Limits) -> RenderError {
    let failure = match error {
        SessionError::Failed(failure) => failure,
        SessionError::Ended => return RenderError::Internal(anyhow!("the rendering process had just ended")),
    };
    match failure.cause {
        Cause::OutOfTime => RenderError::Limit(format!("took longer than {} s", limits.seconds)),
        Cause::OutOfMemory | Cause::TooMuchOutput => {
            RenderError::Limit(format!("needed more memory than its limit of {} MiB", limits.memory >> 20))
        }
        Cause::Killed(_) => RenderError::Killed(failure.into_retry()),
        Cause::Ended(status) => {
            let errors: String = failure.errors.chars().take(500).collect();
            RenderError::Limit(format!("ended its process ({status}) {}", errors.trim()))
        }
    }
}
