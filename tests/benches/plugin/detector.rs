//! A plugin's own work: the built-in `document-types` on a text of twenty pages, as a component and as native code. The
//! native one runs in a process of its own (`plugins/document-types/examples/native.rs`), built by the profile of the
//! plugins, and the two take turns.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
};

use anyhow::{Context as _, bail, ensure};
use sealwright::{
    domain::id::CompanyId,
    plugins::{
        Chosen, DocumentTypes, PluginHost,
        facts::{Document, PageFacts, Reading, Rectangle, TextRun, TextSource},
    },
};

use super::words::text;
use crate::report::{Figure, Goal, Samples, Unit, target_dir};

const ROUNDS: usize = 15;
const PAGES: u32 = 20;
const LINES: u32 = 50;
const DETECTOR: &str = "document-types";

pub(super) async fn measure(host: &PluginHost) -> anyhow::Result<Figure> {
    let mut native = Native::start()?;
    let document = Arc::new(document());
    let [mut own, mut theirs] = [const { Samples::new(Unit::Milliseconds) }; 2];
    for _ in 0..ROUNDS {
        let (milliseconds, found) = detect(host, &document).await?;
        own.push(milliseconds);
        let (milliseconds, theirs_found) = native.detect()?;
        ensure!(found == theirs_found, "the component returns {found}, the native code {theirs_found}");
        theirs.push(milliseconds);
    }
    Ok(Figure {
        what: format!("document type of {PAGES} pages, inside the plugin"),
        measured: own,
        against: Some(("the same code, native", theirs)),
        goal: Some(Goal::AtMost(2.0)),
    })
}

/// The same work on a host that counts it in fuel, and on one that does not. They take turns.
pub(super) async fn measure_fuel(counting: &PluginHost, without: &PluginHost) -> anyhow::Result<Figure> {
    let document = Arc::new(document());
    let [mut counted, mut uncounted] = [const { Samples::new(Unit::Milliseconds) }; 2];
    for _ in 0..ROUNDS {
        counted.push(detect(counting, &document).await?.0);
        uncounted.push(detect(without, &document).await?.0);
    }
    Ok(Figure {
        what: format!("document type of {PAGES} pages, counted in fuel"),
        measured: counted,
        against: Some(("the same, not counted", uncounted)),
        goal: Some(Goal::AtMost(1.3)),
    })
}

/// Returns how long the component took, in milliseconds, and what it detected.
async fn detect(host: &PluginHost, document: &Arc<Document>) -> anyhow::Result<(f64, String)> {
    let chosen = Chosen {
        company: CompanyId::new(1).expect("1 is a number"),
        plugin: DETECTOR.to_owned(),
        sha256: None,
        settings: serde_json::Map::new(),
    };
    let run = host.ask(&chosen, DocumentTypes { document: Arc::clone(document) }).await;
    let record = run.record.context("the detector was not called")?;
    Ok((f64::from(u32::try_from(record.micros)?) / 1000.0, run.outcome?.remove(0).document_type))
}

/// The running native detector.
struct Native {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Native {
    fn start() -> anyhow::Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins/Cargo.toml");
        let folder = target_dir().join("native-plugins");
        let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--release", "--quiet", "-p", DETECTOR, "--example", "native", "--manifest-path"])
            .arg(&manifest)
            .arg("--target-dir")
            .arg(&folder)
            // Set for the server's build, not for this one.
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .status()
            .context("building the native detector")?;
        ensure!(built.success(), "the native detector cannot be built: {built}");
        let mut process = Command::new(folder.join("release/examples/native"))
            .args([PAGES.to_string(), LINES.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting the native detector")?;
        let (Some(questions), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("the native detector has no pipes");
        };
        Ok(Self { process, questions, answers: BufReader::new(answers) })
    }

    /// Returns how long it took, in milliseconds, and what it detected.
    fn detect(&mut self) -> anyhow::Result<(f64, String)> {
        writeln!(self.questions)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let (nanoseconds, found) = answer.trim().split_once(' ').context("the native detector does not answer")?;
        Ok((nanoseconds.parse::<f64>()? / 1e6, found.to_owned()))
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing left to do then.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn document() -> Document {
    let page = |page: u32| PageFacts {
        width: 59_500,
        height: 84_200,
        rotation: 0,
        reading: Reading::Layer,
        image_cover: 0,
        text: (0..LINES).map(|line| text(page, line)).collect::<Vec<_>>().join("\n"),
        text_runs: (0..LINES).map(|line| run(&text(page, line), line)).collect(),
        shapes: Vec::new(),
    };
    Document {
        media_type: "application/pdf".to_owned(),
        received_at: 1_795_168_800_000,
        pages: (0..PAGES).map(page).collect(),
        ..Document::default()
    }
}

fn run(text: &str, line: u32) -> TextRun {
    let down = i32::try_from(line).unwrap_or_default();
    TextRun {
        text: text.to_owned(),
        area: Rectangle {
            left: 5_000,
            top: 4_000 + down * 1_300,
            width: u32::try_from(text.len()).unwrap_or_default() * 500,
            height: 1_000,
        },
        direction: 0,
        source: TextSource::Layer,
        font: Some(0),
        size: 1_000,
        colour: Some(0),
        opacity: 100,
        hidden: None,
        covered_by: None,
        order: 1,
        confidence: 100,
        unmapped: 0,
    }
}
