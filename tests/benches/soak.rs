//! `cargo xtask soak`: thousands of certificates in one process, rendered, sealed and checked, to verify that its
//! memory does not grow. By default Typst caches results and paths for ever; this test detects that.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use anyhow::{Context as _, ensure};
use parking_lot::Mutex;
use sealwright::certificate::{CertificateRenderer, Template};

use crate::{
    certificate::{NOW, PHOTOS, data, draw_photos, marked, scale_photos, seal_manifest},
    children::memory_mib,
    seal::Sealer,
};

/// As in the server: one renders while the other reads its pictures (`jobs/kinds.rs`).
const AT_ONCE: usize = 2;
/// Memory settles in the first certificates: the template, the fonts and the allocator's arenas.
const SETTLED_AFTER: usize = 50;
/// Up to this factor, memory counts as flat.
const MOST_GROWTH: f64 = 1.25;
const LINES: usize = 20;

/// Makes `count` certificates of twelve photos each and regularly prints the memory in use. Fails if it grows.
pub(crate) fn run(count: usize) -> anyhow::Result<()> {
    ensure!(count > SETTLED_AFTER, "expected more than {SETTLED_AFTER} certificates");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    draw_photos(folder.path())?;
    scale_photos(folder.path())?;
    let photos = read(folder.path())?;
    // Only one renders at a time, as in `App::rendering`.
    let renderer = Mutex::new(CertificateRenderer::new(Template::built_in())?);
    let sealer = Sealer::new()?;
    let (made, settled) = (AtomicUsize::new(0), Mutex::new(None));
    let start = Instant::now();
    println!("{:>12}  {:>8}  {:>8}", "certificates", "RSS MiB", "seconds");
    let work = || -> anyhow::Result<()> {
        loop {
            let number = made.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(());
            }
            let files = photos.iter().map(|photo| marked(photo, number)).collect();
            let data = data(number, PHOTOS)?;
            let rendered = {
                let renderer = renderer.lock();
                renderer.render(&data, files, &[seal_manifest()], NOW)?
            };
            ensure!(
                rendered.unshown_photos.is_empty() && rendered.missing.is_empty(),
                "certificate {number} is incomplete"
            );
            sealer.check(&sealer.seal(&rendered.pdf)?)?;
            let memory = memory_mib("self", "VmRSS")?;
            let mut settled = settled.lock();
            if number == SETTLED_AFTER {
                *settled = Some(memory);
            }
            if number % (count / LINES).max(1) == 0 || number + 1 == count {
                println!("{:>12}  {memory:>8.0}  {:>8.0}", number + 1, start.elapsed().as_secs_f64());
            }
            if let Some(settled) = *settled {
                ensure!(memory <= settled * MOST_GROWTH, "memory grew from {settled:.0} to {memory:.0} MiB");
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))?)
    })?;
    println!("flat: the peak was {:.0} MiB", memory_mib("self", "VmHWM")?);
    Ok(())
}

fn read(folder: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    (0..PHOTOS).map(|number| fs::read(folder.join(format!("{number}.scaled"))).context("a scaled photo")).collect()
}
