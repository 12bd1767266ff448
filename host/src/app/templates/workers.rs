//! The rendering processes: as many at a time as there are cores, and a few that stay warm.

use std::{
    collections::VecDeque,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    thread::available_parallelism,
    time::Duration,
};

use anyhow::Context;
use bytes::Bytes;
use parking_lot::Mutex;
use sealwright_child_process::this_program;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    certificate::{
        Attachment, CertificateData, CertificateRenderer, CertificateWorker, RenderError, RenderedCertificate, Template,
    },
    clock::Timestamp,
};

/// How often one certificate is tried if the system kills its rendering process.
const MOST_TRIES: usize = 3;

/// The time limit for a certificate with the built-in template, which is slow only on an overloaded machine. That must
/// not cost a certificate.
const TIME_OF_BUILT_IN: Duration = Duration::from_mins(3);

/// What a certificate is made from, in addition to its template.
pub struct CertificateInput {
    pub data: CertificateData,
    /// `ItemContent::Picture::photo` is an index into them, from 0.
    pub photos: Vec<Bytes>,
    pub attachments: Vec<Attachment>,
    pub now: Timestamp,
}

/// One state of a template.
pub(super) struct Version {
    pub(super) id: u64,
    pub(super) template: Template,
    pub(super) is_built_in: bool,
}

/// Renders in separate processes.
pub(super) struct Workers {
    /// This program. None: renders in this process, for unit tests, whose program is not the server.
    program: Option<PathBuf>,
    turns: Arc<Semaphore>,
    /// How many may render at a time.
    places: usize,
    /// Idle processes, each with the version that it has loaded. The one idle for longest is the first.
    warm: Mutex<VecDeque<(u64, CertificateWorker)>>,
}

impl Workers {
    pub(super) fn new() -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let places = places(cores);
        let program = (!cfg!(test)).then(this_program);
        Self { program, turns: Arc::new(Semaphore::new(places)), places, warm: Mutex::default() }
    }

    /// How many of the places one company's template may take: never all, so that other certificates always find one,
    /// however long this one takes.
    pub(super) fn share_of_one(&self) -> usize {
        share_of_one(self.places)
    }

    /// Waits for a free place.
    pub(super) async fn turn(&self) -> anyhow::Result<OwnedSemaphorePermit> {
        Arc::clone(&self.turns).acquire_owned().await.context("waiting for a turn to render")
    }

    /// Starts and ends a process with this template, to detect problems with its files and fonts.
    pub(super) fn check(&self, template: Template) -> Result<(), RenderError> {
        match &self.program {
            Some(program) => CertificateWorker::new(program, template).warm_up(),
            None => Ok(CertificateRenderer::new(template).map(drop)?),
        }
    }

    /// Renders one certificate, in a warm process if possible. Slow: call it on a blocking thread, holding a turn.
    pub(super) fn render(
        &self,
        version: &Version,
        input: &CertificateInput,
    ) -> Result<RenderedCertificate, RenderError> {
        let CertificateInput { data, photos, attachments, now } = input;
        let Some(program) = &self.program else {
            let renderer = CertificateRenderer::new(version.template.clone())?;
            return renderer.render(data, photos.clone(), attachments, *now);
        };
        let mut tries = 1;
        loop {
            let mut worker = self.take(program, version);
            match worker.render(data, photos, attachments, *now) {
                Err(error) if error.is_worth_another_process() && tries < MOST_TRIES => {
                    tries += 1;
                    tracing::warn!(
                        reference = %data.reference,
                        "the system killed the rendering process; a new one renders the certificate"
                    );
                }
                rendered => {
                    self.put_back(version.id, worker);
                    return rendered;
                }
            }
        }
    }

    fn take(&self, program: &Path, version: &Version) -> CertificateWorker {
        let mut warm = self.warm.lock();
        // The most recently used one: the others end when they are idle for too long.
        let place = warm.iter().rposition(|(id, worker)| *id == version.id && worker.is_warm());
        let worker = place.and_then(|place| warm.remove(place)).map(|(_, worker)| worker);
        worker.unwrap_or_else(|| {
            let worker = CertificateWorker::new(program, version.template.clone());
            if version.is_built_in { worker.with_time(TIME_OF_BUILT_IN) } else { worker }
        })
    }

    fn put_back(&self, id: u64, worker: CertificateWorker) {
        let mut ended = Vec::new();
        let mut warm = self.warm.lock();
        warm.push_back((id, worker));
        // Each holds about a hundred megabytes.
        warm.retain(|(_, worker)| worker.is_warm());
        while warm.len() > 2 * self.places {
            ended.extend(warm.pop_front());
        }
        // Dropped without the lock: no one waits for the end of a process.
        drop(warm);
        drop(ended);
    }
}

/// On a single core two render at a time, each half as fast: otherwise the slowest template would block all others.
const fn places(cores: usize) -> usize {
    if cores < 2 { 2 } else { cores }
}

const fn share_of_one(places: usize) -> usize {
    if places < 3 { 1 } else { places - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_template_never_has_every_place() {
        for cores in 1..100 {
            let places = places(cores);
            assert!(places >= cores);
            assert!((1..places).contains(&share_of_one(places)), "{cores} cores");
        }
    }
}
