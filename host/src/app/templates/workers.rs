//! The processes that render: as many at a time as there are cores, and a few that stay warm.

use std::{
    collections::VecDeque,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread::available_parallelism,
    time::Duration,
};

use anyhow::Context;
use bytes::Bytes;
use sealwright_child_process::this_program;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    certificate::{
        Attachment, CertificateData, CertificateRenderer, CertificateWorker, RenderError, RenderedCertificate, Template,
    },
    clock::Timestamp,
};

/// How often one certificate is rendered if the system kills the process that does it.
const MOST_TRIES: usize = 3;

/// For a certificate with the built-in template, which computes no longer than its data need: only a machine that has no time
/// to spare makes it slow, and that costs no certificate.
const TIME_OF_BUILT_IN: Duration = Duration::from_mins(3);

/// What a certificate is made from, besides its template.
pub struct CertificateInput {
    pub data: CertificateData,
    /// `ItemContent::Picture::photo` counts from 0 in them.
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

/// Renders in processes of its own.
pub(super) struct Workers {
    /// This program. None: in this process, as unit tests do, whose program is not the server's.
    program: Option<PathBuf>,
    turns: Arc<Semaphore>,
    /// How many render at a time.
    places: usize,
    /// Processes that wait, with the version that each has loaded. The one that waits longest is the first.
    warm: Mutex<VecDeque<(u64, CertificateWorker)>>,
}

impl Workers {
    pub(super) fn new() -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let places = places(cores);
        let program = (!cfg!(test)).then(this_program);
        Self { program, turns: Arc::new(Semaphore::new(places)), places, warm: Mutex::default() }
    }

    /// How many of the places one template of a company may have: never all, so that another's certificate always finds
    /// one, however long this one takes.
    pub(super) fn share_of_one(&self) -> usize {
        share_of_one(self.places)
    }

    /// Waits until one more may render.
    pub(super) async fn turn(&self) -> anyhow::Result<OwnedSemaphorePermit> {
        Arc::clone(&self.turns).acquire_owned().await.context("waiting for a turn to render")
    }

    /// Starts a process with this template, and ends it: what is wrong with its files and fonts shows.
    pub(super) fn check(&self, template: Template) -> Result<(), RenderError> {
        match &self.program {
            Some(program) => CertificateWorker::new(program, template).warm_up(),
            None => Ok(CertificateRenderer::new(template).map(drop)?),
        }
    }

    /// Renders one certificate, in a process that is warm if there is one. Takes a while: call it on a blocking thread,
    /// with a turn in hand.
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
                        "the system killed the process that renders; a new one renders the certificate"
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
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        // The one that was used last: the others come to an end for having nothing to do.
        let place = warm.iter().rposition(|(id, worker)| *id == version.id && worker.is_warm());
        let worker = place.and_then(|place| warm.remove(place)).map(|(_, worker)| worker);
        worker.unwrap_or_else(|| {
            let worker = CertificateWorker::new(program, version.template.clone());
            if version.is_built_in { worker.with_time(TIME_OF_BUILT_IN) } else { worker }
        })
    }

    fn put_back(&self, id: u64, worker: CertificateWorker) {
        let mut ended = Vec::new();
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.push_back((id, worker));
        // Each holds about a hundred megabytes.
        warm.retain(|(_, worker)| worker.is_warm());
        while warm.len() > 2 * self.places {
            ended.extend(warm.pop_front());
        }
        // Nobody waits for the end of a process.
        drop(warm);
        drop(ended);
    }
}

/// On a single core two render at a time, each half as fast: else the slowest template would have it for itself.
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
