//! Certificates as the server makes them: photos scaled for the page, then the page rendered, each in a process of its
//! own to measure its peak memory. Compared with the same pages by Typst's compiler alone and by the Typst program, and
//! with similar pages by `WeasyPrint`.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use bytes::Bytes;
use sealwright::{
    certificate::{
        Attachment, CertificateData, CertificateRenderer, CertificateWorker, Template,
        data::{ItemContent, Moment},
    },
    clock::Timestamp,
    media::image,
};
use sealwright_lab::{PhotoOptions, photo};
use sealwright_seal::Sha256Digest;
use serde::{Deserialize, Serialize};

use crate::{
    ROUNDS, bare_typst, children,
    children::memory_mib,
    load::{median_ms, milliseconds},
    peers,
    report::{Figure, Goal, Samples, Unit},
};

pub(crate) const PHOTOS: usize = 12;
/// How many different scenes they show; drawing a scene takes longer than everything that is measured.
const SCENES: usize = 3;
/// As the server scales them (`app::seal`).
const PHOTO_SIDE: u32 = 1600;
/// The warm time is the median of this many runs.
const WARM: usize = 5;
pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

const SAMPLE: &str = include_str!("../../templates/samples/complete.json");
/// A minimal manifest, in its canonical form.
pub(crate) const SEAL_MANIFEST: &[u8] = br#"{"case":{"closedAt":"","createdAt":"","id":1,"title":""},"company":{"id":1,"name":""},"context":{"visibleData":{}},"format":"sealwright-seal-manifest","frame":{"id":1,"name":""},"items":[],"missingMandatorySteps":[],"reference":"CAS-1_CMP-1","steps":[],"version":1}"#;

/// The output of the child that scales.
#[derive(Serialize, Deserialize)]
struct ScaleResult {
    ms_each: f64,
    peak_mib: f64,
}

/// The output of the child that renders.
#[derive(Serialize, Deserialize)]
struct RenderResult {
    /// From loading the template to the first PDF.
    cold_ms: f64,
    cold_peak_mib: f64,
    warm_ms: f64,
    warm_peak_mib: f64,
    /// In a process of its own, as the server does it.
    apart_ms: f64,
    /// For each certificate, while two processes render side by side.
    side_by_side_ms: f64,
}

pub(crate) fn measure() -> anyhow::Result<Vec<Figure>> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    draw_photos(folder.path())?;
    let path = folder.path().to_string_lossy();
    let mut scaled = Vec::new();
    let (mut many, mut none) = (Vec::<RenderResult>::new(), Vec::new());
    let mut bare = Samples::new(Unit::Milliseconds);
    for _ in 0..ROUNDS {
        scaled.push(serde_json::from_value::<ScaleResult>(children::answer(&["scale", &path])?)?);
        many.push(serde_json::from_value(children::answer(&["render", &path, &PHOTOS.to_string()])?)?);
        bare.push(serde_json::from_value(children::answer(&["bare-typst", &path])?)?);
        none.push(serde_json::from_value(children::answer(&["render", &path, "0"])?)?);
    }
    let warm = Samples::of(Unit::Milliseconds, many.iter().map(|rendered| rendered.apart_ms));
    let mut compared = vec![Figure {
        what: "certificate with 12 photos, warm, in turn with Typst".to_owned(),
        measured: warm.clone(),
        against: Some(("the same files by Typst's compiler alone", bare)),
        goal: Some(Goal::AtMost(1.2)),
    }];
    for (task, what, goal) in [
        ("typst-cli", "the same files by Typst, a process each", None),
        ("typst-cli-jpeg", "the same, photos placed as JPEG", Some(Goal::AtMost(0.33))),
        ("weasyprint", "like pages by WeasyPrint, warm", Some(Goal::AtMost(0.1))),
    ] {
        compared.extend(peers::times(task, folder.path())?.map(|theirs| Figure {
            what: "certificate with 12 photos, warm".to_owned(),
            measured: warm.clone(),
            against: Some((what, theirs)),
            goal,
        }));
    }
    let figure = |what: String, unit, values: Vec<f64>| Figure {
        what,
        measured: Samples::of(unit, values),
        against: None,
        goal: None,
    };
    let mut figures = vec![
        figure(
            "photo of 7 megapixels scaled for the page".to_owned(),
            Unit::Milliseconds,
            scaled.iter().map(|scaled| scaled.ms_each).collect(),
        ),
        figure("… peak memory".to_owned(), Unit::Mebibytes, scaled.iter().map(|scaled| scaled.peak_mib).collect()),
    ];
    for (name, rendered) in [("with 12 photos", many), ("of one page", none)] {
        let values = |value: fn(&RenderResult) -> f64| rendered.iter().map(value).collect::<Vec<_>>();
        figures.extend([
            figure(format!("certificate {name}, cold"), Unit::Milliseconds, values(|it| it.cold_ms)),
            figure("… peak memory".to_owned(), Unit::Mebibytes, values(|it| it.cold_peak_mib)),
            figure(format!("certificate {name}, warm"), Unit::Milliseconds, values(|it| it.warm_ms)),
            figure("… peak memory".to_owned(), Unit::Mebibytes, values(|it| it.warm_peak_mib)),
            figure("… in a process of its own".to_owned(), Unit::Milliseconds, values(|it| it.apart_ms)),
            figure("… for each, two side by side".to_owned(), Unit::Milliseconds, values(|it| it.side_by_side_ms)),
        ]);
    }
    figures.extend(compared);
    Ok(figures)
}

/// Draws twelve photos of a few scenes, as `0.jpg` and so on.
pub(crate) fn draw_photos(folder: &Path) -> anyhow::Result<()> {
    for seed in 0..SCENES {
        let drawn = photo(&PhotoOptions { seed: seed as u64, ..PhotoOptions::default() })?;
        for number in (seed..PHOTOS).step_by(SCENES) {
            fs::write(folder.join(format!("{number}.jpg")), marked(&drawn, number))?;
        }
    }
    Ok(())
}

/// The attachment of every certificate.
pub(crate) fn seal_manifest() -> Attachment {
    Attachment::seal_manifest(SEAL_MANIFEST.to_vec())
}

/// Scales the photos of a folder as the server does, one after the other, and returns the times.
pub(crate) fn scale_photos(folder: &Path) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    for number in 0..PHOTOS {
        let sent = fs::read(folder.join(format!("{number}.jpg")))?;
        let start = Instant::now();
        let scaled = image::for_certificate(&sent, PHOTO_SIDE)?;
        times.push(start.elapsed());
        fs::write(folder.join(format!("{number}.scaled")), scaled.bytes)?;
    }
    Ok(times)
}

/// The child that scales the photos of `folder`.
pub(crate) fn scale(folder: &Path) -> anyhow::Result<()> {
    let times = scale_photos(folder)?;
    let result = ScaleResult { ms_each: median_ms(times), peak_mib: memory_mib("self", "VmHWM")? };
    Ok(serde_json::to_writer(std::io::stdout(), &result)?)
}

/// The child that renders certificates with the given number of scaled photos from `folder`.
pub(crate) fn render(folder: &Path, photos: usize) -> anyhow::Result<()> {
    let files = (0..photos).map(|number| fs::read(folder.join(format!("{number}.scaled"))));
    let files: Vec<Vec<u8>> = files.collect::<Result<_, _>>()?;
    let start = Instant::now();
    let renderer = CertificateRenderer::new(Template::built_in())?;
    let render = |case: usize| {
        let photos = files.iter().map(|photo| marked(photo, case)).collect();
        renderer.render(&data(case, files.len())?, photos, &[seal_manifest()], NOW).map_err(anyhow::Error::from)
    };
    render(0)?;
    let (cold_ms, cold_peak_mib) = (milliseconds(start.elapsed()), memory_mib("self", "VmHWM")?);
    let mut warm = Vec::new();
    for case in 1..=WARM {
        let start = Instant::now();
        render(case)?;
        warm.push(start.elapsed());
    }
    let warm_peak_mib = memory_mib("self", "VmHWM")?;
    let (apart_ms, side_by_side_ms) = (median_ms(apart(&files)?), side_by_side(&files)?);
    let warm_ms = median_ms(warm);
    let result = RenderResult { cold_ms, cold_peak_mib, warm_ms, warm_peak_mib, apart_ms, side_by_side_ms };
    Ok(serde_json::to_writer(std::io::stdout(), &result)?)
}

/// The times of warm certificates in a process of its own.
fn apart(files: &[Vec<u8>]) -> anyhow::Result<Vec<Duration>> {
    let program = Path::new(env!("CARGO_BIN_EXE_sealwright"));
    let mut worker = CertificateWorker::new(program, Template::built_in());
    let mut times = Vec::new();
    for case in 0..=WARM {
        let photos: Vec<Bytes> = files.iter().map(|photo| marked(photo, WARM + case)).collect();
        let start = Instant::now();
        worker.render(&data(case, files.len())?, &photos, &[seal_manifest()], NOW)?;
        // The first one starts the process.
        times.extend((case > 0).then(|| start.elapsed()));
    }
    Ok(times)
}

/// Milliseconds for each certificate while two processes render at a time.
fn side_by_side(files: &[Vec<u8>]) -> anyhow::Result<f64> {
    let work = || apart(files).map(|times| times.iter().sum::<Duration>());
    let [one, other] =
        thread::scope(|scope| [scope.spawn(work), scope.spawn(work)].map(thread::ScopedJoinHandle::join));
    let failed = |_| anyhow::anyhow!("a thread that renders panicked");
    let sum = one.map_err(failed)?? + other.map_err(failed)??;
    // Two at a time: the sum of both is twice the elapsed time.
    Ok(milliseconds(sum / 2 / u32::try_from(2 * WARM)?))
}

/// The child that makes the same certificates with Typst's compiler alone, and writes the last one's files to
/// `laid-out`.
pub(crate) fn render_bare(folder: &Path) -> anyhow::Result<()> {
    let photos = (0..PHOTOS).map(|number| fs::read(folder.join(format!("{number}.scaled"))));
    let photos: Vec<Vec<u8>> = photos.collect::<Result<_, _>>()?;
    let renderer = CertificateRenderer::new(Template::built_in())?;
    let files = |case: usize| {
        let photos = photos.iter().map(|photo| marked(photo, case)).collect();
        renderer.typst_files(&data(case, PHOTOS)?, photos, &[seal_manifest()], NOW)
    };
    let mut world = bare_typst::OneCertificate::new(files(0)?)?;
    let mut warm = Samples::new(Unit::Milliseconds);
    for case in 0..=WARM {
        world.replace(files(case)?)?;
        let took = world.compile()?;
        if case > 0 {
            warm.push(took);
        }
    }
    bare_typst::lay_out(&folder.join("laid-out"), files(WARM)?)?;
    Ok(serde_json::to_writer(std::io::stdout(), &warm.median())?)
}

/// The same picture in other bytes: with a comment after its first marker (ITU-T T.81, section B.2.4.5). Typst caches
/// pictures by their bytes, and no two cases share a photo.
pub(crate) fn marked(jpeg: &[u8], case: usize) -> Bytes {
    let comment = format!("{case:08}");
    let (start, rest) = jpeg.split_at(2);
    [start, &[0xff, 0xfe, 0, 10], comment.as_bytes(), rest].concat().into()
}

/// The sample's certificate as another case, and with the given number of photos instead of one.
pub(crate) fn data(case: usize, photos: usize) -> anyhow::Result<CertificateData> {
    let mut data: CertificateData = serde_json::from_str(SAMPLE)?;
    data.reference = format!("CAS-{case}_CMP-1");
    data.title = format!("{} ({case})", data.title);
    for step in &mut data.steps {
        let shown = step.items.iter().find(|item| matches!(item.content, ItemContent::Picture { .. })).cloned();
        step.items.retain(|item| !matches!(item.content, ItemContent::Picture { .. }));
        if step.action != "PHOTOGRAPHY" {
            continue;
        }
        step.items.extend((0..photos).filter_map(|number| {
            let mut item = shown.clone()?;
            if let ItemContent::Picture { photo, .. } = &mut item.content {
                *photo = Some(number);
            }
            Some(item)
        }));
    }
    make_different(&mut data, case);
    Ok(data)
}

/// Changes what differs between any two cases of one frame: Typst reuses what it has laid out for equal texts, and here
/// it must not find more of them than a server does.
fn make_different(data: &mut CertificateData, case: usize) {
    let later = |seconds: usize| Moment(NOW.after(Duration::from_secs(seconds as u64)));
    data.share_url = format!("{}{case:08}", data.share_url);
    data.closed = later(60 * case);
    for (number, item) in data.steps.iter_mut().flat_map(|step| &mut step.items).enumerate() {
        item.reference = format!("ITM-{}_CAS-{case}", 100 * case + number);
        item.created = later(60 * case + number);
        item.sha256 = item.sha256.map(|_| Sha256Digest::of(&item.reference));
        if let Some(client) = &mut item.client {
            client.clock = format!("2026-11-20T08:{:02}:{:02}.007+0000", case % 60, number % 60);
        }
        if let Some(position) = &mut item.position {
            position.longitude = format!("4.8{:04}", (97 * case + number) % 10_000);
        }
        if let ItemContent::Entry { value } = &mut item.content {
            *value = format!("{value} {case}");
        }
    }
}
