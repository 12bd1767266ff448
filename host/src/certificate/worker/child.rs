//! The process that renders with somebody else's template: it waits for requests on its standard input until that ends.

use std::{
    io::{self, BufReader, BufWriter, Read, Write},
    sync::Arc,
};

use anyhow::Context;
use bytes::Bytes;
use rustix::process::{Resource, Rlimit, setrlimit};
use typst::foundations::Bytes as TypstBytes;

use super::{
    super::{
        render::{CertificateRenderer, RenderError, RenderedCertificate},
        template::Template,
        world::Fonts,
    },
    wire::{self, Answer, Job, Limits, Request},
};

/// Answers requests until the standard input ends.
pub fn run() -> anyhow::Result<()> {
    // No template can write a file, and no core of it is to lie about.
    for resource in [Resource::Fsize, Resource::Core] {
        setrlimit(resource, Rlimit { current: Some(0), maximum: Some(0) })?;
    }
    answer(&mut BufReader::new(io::stdin().lock()), &mut BufWriter::new(io::stdout().lock()))
}

fn answer(requests: &mut impl Read, answers: &mut impl Write) -> anyhow::Result<()> {
    let mut worker = Worker::default();
    while let Some((request, files)) = wire::read(requests)? {
        let (answer, document) = worker.answer(request, files);
        wire::write(answers, &answer, document.iter().map(Vec::as_slice))?;
    }
    Ok(())
}

#[derive(Default)]
struct Worker {
    renderer: Option<CertificateRenderer>,
    /// The template's own fonts as they came, and what was made of them with the built-in ones.
    fonts: Option<(Vec<TypstBytes>, Arc<Fonts>)>,
}

impl Worker {
    fn answer(&mut self, request: Request, files: Vec<Vec<u8>>) -> (Answer, Option<Vec<u8>>) {
        match request {
            Request::Load { files: paths, limits } => {
                let loaded = keep_to(limits).and_then(|()| self.load(paths, files));
                (loaded.map_or_else(|error| Answer::Failed(format!("{error:#}")), |()| Answer::Loaded), None)
            }
            Request::Render(job) => match self.render(*job, files) {
                Ok(rendered) => {
                    let RenderedCertificate { pdf, pages, unshown_photos, warnings, missing } = rendered;
                    (Answer::Rendered { pages, unshown_photos, warnings, missing }, Some(pdf))
                }
                Err(RenderError::Template(findings)) => (Answer::Template(findings), None),
                Err(RenderError::Export(findings)) => (Answer::Export(findings), None),
                Err(error) => (Answer::Failed(format!("{:#}", anyhow::Error::from(error))), None),
            },
        }
    }

    fn load(&mut self, paths: Vec<String>, files: Vec<Vec<u8>>) -> anyhow::Result<()> {
        let mut files = files.into_iter().map(TypstBytes::new);
        let named: Vec<_> = paths.into_iter().zip(files.by_ref()).collect();
        let own: Vec<TypstBytes> = files.collect();
        let fonts = match &self.fonts {
            Some((known, fonts)) if *known == own => Arc::clone(fonts),
            _ => Arc::new(Fonts::new(&own)?),
        };
        self.fonts = Some((own.clone(), Arc::clone(&fonts)));
        self.renderer = Some(CertificateRenderer::with_fonts(Template { files: named, fonts: own }, fonts)?);
        Ok(())
    }

    fn render(&self, job: Job, files: Vec<Vec<u8>>) -> Result<RenderedCertificate, RenderError> {
        keep_to(job.limits)?;
        let renderer = self.renderer.as_ref().context("no template was loaded")?;
        let mut files = files.into_iter();
        let photos: Vec<Bytes> = files.by_ref().take(job.photos).map(Bytes::from).collect();
        let mut attachments = job.attachments;
        for (attachment, bytes) in attachments.iter_mut().zip(files) {
            attachment.bytes = bytes;
        }
        renderer.make(&job.data, photos, &attachments, job.now.0, job.form)
    }
}

/// Limits what the next request may take. The kernel counts a process's time from its start, so what was used is added.
fn keep_to(limits: Limits) -> anyhow::Result<()> {
    let memory = Rlimit { current: Some(limits.memory), maximum: None };
    setrlimit(Resource::Data, memory).context("limiting the memory")?;
    if let Some(used) = used_seconds() {
        let time = Rlimit { current: Some(used + limits.seconds + 1), maximum: None };
        setrlimit(Resource::Cpu, time).context("limiting the time")?;
    }
    Ok(())
}

/// How long this process has used the processor, as Linux tells it; elsewhere only the clock on the wall limits it.
fn used_seconds() -> Option<u64> {
    /// `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux.
    const TICKS: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name in brackets, which may have spaces in it.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let (user, system) = (fields.next()?.parse::<u64>().ok()?, fields.next()?.parse::<u64>().ok()?);
    Some((user + system) / TICKS)
}
