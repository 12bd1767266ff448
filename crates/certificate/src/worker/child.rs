//! The process that renders: it waits for requests on its standard input until that ends. It is confined before it starts
//! (`sealwright-child-process`).

use std::{
    io::{self, BufReader, BufWriter, Read, Write},
    sync::Arc,
};

use anyhow::Context;
use bytes::Bytes;
use rayon::ThreadPoolBuilder;
use sealwright_child_process::Confinement;
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
pub fn run(confinement: &Confinement) -> anyhow::Result<()> {
    // Typst and its PDF writer give work to a pool of threads. As many of these processes run as there are cores, so more
    // threads gain nothing, and passing each page to another thread and back costs time.
    let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().context("keeping the work on this thread")?;
    answer(confinement, &mut BufReader::new(io::stdin().lock()), &mut BufWriter::new(io::stdout().lock()))
}

fn answer(confinement: &Confinement, requests: &mut impl Read, answers: &mut impl Write) -> anyhow::Result<()> {
    let mut worker = Worker { confinement, renderer: None, fonts: None };
    // The server wrote it, so its length needs no limit.
    while let Some((request, files)) = wire::read(requests, u64::MAX)? {
        let (answer, document) = worker.answer(request, files);
        wire::write(answers, &answer, document.iter().map(Vec::as_slice))?;
    }
    Ok(())
}

struct Worker<'a> {
    confinement: &'a Confinement,
    renderer: Option<CertificateRenderer>,
    /// The template's own font files, and the fonts loaded from them and the built-in ones.
    fonts: Option<(Vec<TypstBytes>, Arc<Fonts>)>,
}

impl Worker<'_> {
    fn answer(&mut self, request: Request, files: Vec<Vec<u8>>) -> (Answer, Option<Vec<u8>>) {
        match request {
            Request::Load { files: paths, limits } => {
                let loaded = self.keep_to(limits).and_then(|()| self.load(paths, files));
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

    fn keep_to(&self, limits: Limits) -> anyhow::Result<()> {
        self.confinement.limit_request(limits.seconds, limits.memory).context("limiting the time and the memory")
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
        self.keep_to(job.limits)?;
        let renderer = self.renderer.as_ref().context("no template was loaded")?;
        let mut files = files.into_iter();
        let photos: Vec<Bytes> = files.by_ref().take(job.photos).map(Bytes::from).collect();
        let mut attachments = job.attachments;
        for (attachment, bytes) in attachments.iter_mut().zip(files) {
            attachment.bytes = bytes.into();
        }
        renderer.make(&job.data, photos, &attachments, job.now.0, job.form)
    }
}
