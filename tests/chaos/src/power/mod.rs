//! Power loss: a kill leaves the page cache, so this needs another test. One node on SQLite runs on a shim that records
//! its file operations. From this trace, possible disks after a cut at some moment are made, the node is started on
//! each, and the judge compares what is there with what had been acknowledged before that moment.

mod disk;
#[cfg(test)]
mod tests;
mod trace;

use std::{
    collections::BTreeMap,
    fs,
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail, ensure};
use parking_lot::Mutex;
use rustix::time::{ClockId, clock_gettime};

use self::{disk::Disk, trace::Record};
use crate::{
    checker::{self, Rule, Violation},
    client::Shared,
    cluster::Operator,
    companies::{Company, companies},
    evidence::SeenCertificate,
    history::{Event, FaultRecord, History, Moment, Outcome},
    inspect::Inspector,
    node::Node,
    processes::free_port,
    random::Random,
    receiver::Receivers,
    run::{Options, settle, sign_in, start_clients},
    schedule::{Kind, Subject},
};

const SHIM: &str = include_str!("shim.c");
/// How long the node runs while its operations are recorded.
const LOAD: Duration = Duration::from_secs(15);
/// Losses of synced bytes must be detected within this many cuts.
const LYING_CUTS: usize = 20;
const ERRORS: u32 = 200;
/// One in this many writes and syncs fails.
const ONE_IN: u32 = 12;
const TIMEOUT: Duration = Duration::from_secs(90);

struct Bench {
    options: Options,
    node: Node,
    data: PathBuf,
    shim: PathBuf,
    trace: PathBuf,
    control: PathBuf,
    operator: Operator,
    companies: Vec<Company>,
    shared: Arc<Shared>,
    tokens: Vec<String>,
    verified: Arc<Mutex<BTreeMap<String, SeenCertificate>>>,
    /// The monotonic clock's nanoseconds at the start of the run's clock.
    offset: u64,
}

/// Whether everything acknowledged was found after every cut, and the negative control failed.
pub(crate) async fn run(options: &Options, cuts: usize) -> anyhow::Result<bool> {
    println!("one node on SQLite, {cuts} cuts of the power, seed {}, in {}", options.seed, options.folder.display());
    let clock = Instant::now();
    let receivers = Receivers::start(clock).await?;
    let mut bench = Bench::prepare(options, clock, &receivers).await?;
    let baseline = Disk::of(&bench.data)?;
    bench.load().await?;
    let (records, events) = (trace::read(&bench.trace)?, bench.shared.events());
    let acknowledged = crate::ledger::Ledger::of(&events).acknowledged;
    println!("{} operations on files, {acknowledged} acknowledged writes", records.len());
    ensure!(records.len() > 1000 && acknowledged > 50, "too few operations, or the shim records nothing");

    let mut violations = Vec::new();
    let mut random = Random::branch(options.seed, 7);
    for cut in 0..cuts {
        let found = bench.cut(&baseline, &records, &events, &mut random).await?;
        if !found.is_empty() || cut % 50 == 49 {
            println!("cut {} of {cuts}: {} violations", cut + 1, found.len());
        }
        violations.extend(found);
    }
    let mut lying = baseline.clone();
    lying.ignores_syncs = true;
    let mut detected = false;
    for _ in 0..LYING_CUTS {
        detected |= !bench.cut(&lying, &records, &events, &mut random).await?.is_empty();
        if detected {
            break;
        }
    }
    println!(
        "a disk that does not sync: {}",
        if detected { "detected" } else { "NOT DETECTED, so this test proves nothing" }
    );
    violations.extend(bench.inject_errors(&baseline, &mut random).await?);
    for violation in &violations {
        println!("VIOLATION (seed {}) {}: {}", options.seed, violation.rule.name(), violation.what);
    }
    Ok(violations.is_empty() && detected)
}

impl Bench {
    async fn prepare(options: &Options, clock: Instant, receivers: &Receivers) -> anyhow::Result<Self> {
        let folder = &options.folder;
        if folder.exists() {
            fs::remove_dir_all(folder).context("the folder of an earlier run")?;
        }
        fs::create_dir_all(folder)?;
        // The shim compares canonical paths.
        let folder = folder.canonicalize()?;
        let shim = compile(&folder)?;
        let companies: Vec<Company> =
            companies(receivers, &format!("http://127.0.0.1:{}/dead", free_port()?)).into_iter().take(2).collect();
        let mut node = Node::new(folder.join("node-0"), "all", &[])?;
        let base_url = format!("http://{}", node.address);
        node.set("SEALWRIGHT_BASE_URL", &base_url);
        let operator = Operator::new(&options.program, node.settings());
        let mut arguments = vec!["apply".to_owned()];
        for (place, company) in companies.iter().enumerate() {
            let file = folder.join(format!("company-{place}.toml"));
            fs::write(&file, company.manifest())?;
            arguments.push(file.display().to_string());
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let applied = operator.run(&arguments)?;
        ensure!(applied.status.success(), "apply: {}", String::from_utf8_lossy(&applied.stderr));
        let shared = Shared::new(clock, vec![(0, node.address)])?;
        let data = node.data_dir();
        let now = clock_gettime(ClockId::Monotonic);
        let nanoseconds = u64::try_from(now.tv_sec)? * 1_000_000_000 + u64::try_from(now.tv_nsec)?;
        let offset = nanoseconds - u64::try_from(clock.elapsed().as_nanos())?;
        let (trace, control) = (folder.join("trace"), folder.join("control"));
        fs::write(&control, vec![0; 4096])?;
        let mut bench = Self {
            options: options.clone(),
            node,
            data,
            shim,
            trace,
            control,
            operator,
            companies,
            shared,
            tokens: Vec::new(),
            verified: Arc::default(),
            offset,
        };
        // The first start compiles the plugins; later starts are typical.
        bench.start(false).await?;
        bench.tokens = sign_in(&bench.shared, &bench.companies).await?;
        bench.node.kill();
        Ok(bench)
    }

    async fn start(&mut self, shimmed: bool) -> anyhow::Result<()> {
        let text = |path: &Path| path.display().to_string();
        let of = |path: String| if shimmed { path } else { String::new() };
        self.node.set("LD_PRELOAD", &of(text(&self.shim)));
        for (name, path) in
            [("CHAOS_FOLDER", &self.data), ("CHAOS_TRACE", &self.trace), ("CHAOS_CONTROL", &self.control)]
        {
            self.node.set(name, &text(path));
        }
        self.node.start(&self.options.program)?;
        let started = Instant::now();
        while !self.node.is_ready() {
            if let Some(how) = self.node.ended() {
                bail!("the node ended with {how}: see its log");
            }
            ensure!(started.elapsed() < TIMEOUT, "the node is not ready after {TIMEOUT:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Runs under load on the shim for [`LOAD`], then kills the node.
    async fn load(&mut self) -> anyhow::Result<()> {
        self.start(true).await?;
        let clients = start_clients(self.options.seed, &self.shared, &self.companies, &self.tokens);
        tokio::time::sleep(LOAD).await;
        self.node.kill();
        self.shared.stopping.store(true, Ordering::SeqCst);
        clients.join_all().await;
        Ok(())
    }

    /// Cuts the power at some moment, starts the node on what is left, and judges.
    async fn cut(
        &mut self,
        baseline: &Disk,
        records: &[Record],
        events: &[Event],
        random: &mut Random,
    ) -> anyhow::Result<Vec<Violation>> {
        let kept = usize::try_from(random.below(records.len() as u64))?;
        let mut disk = baseline.clone();
        records[..kept].iter().for_each(|record| disk.replay(record));
        disk.write_after_cut(&self.data, random)?;
        let at = Duration::from_nanos(records[kept].time.saturating_sub(self.offset));
        if let Err(error) = self.start(false).await {
            self.node.kill();
            let what = format!("after a cut at {:.3} s the node does not start: {error:#}", at.as_secs_f64());
            return Ok(vec![Violation { rule: Rule::Process, at: Some(at), what }]);
        }
        let history = History { events: until(events, at), faults: vec![the_cut(at)], quotas: Vec::new() };
        let found = self.judge(history).await;
        self.node.kill();
        Ok(found)
    }

    async fn judge(&self, history: History) -> Vec<Violation> {
        let ids = self.companies.iter().map(|company| company.id);
        let inspector = Inspector {
            shared: Arc::clone(&self.shared),
            operator: self.operator.clone(),
            tokens: ids.zip(self.tokens.clone()).collect(),
            verified: Arc::clone(&self.verified),
        };
        let mut violations = settle(&inspector, &history.events, TIMEOUT).await;
        match inspector.gather(&self.options.folder).await {
            Ok(evidence) => violations.extend(checker::judge(&history, &evidence)),
            Err(error) => {
                violations.push(Violation {
                    rule: Rule::Lost,
                    at: None,
                    what: format!("nothing can be read: {error:#}"),
                });
            }
        }
        violations
    }

    /// Makes writes and syncs fail under load, then lets them succeed again.
    async fn inject_errors(&mut self, baseline: &Disk, random: &mut Random) -> anyhow::Result<Vec<Violation>> {
        baseline.write_after_cut(&self.data, random)?;
        self.shared = Shared::new(self.shared.clock, self.shared.apis.clone())?;
        self.start(true).await?;
        let started = self.shared.clock.elapsed();
        let clients = start_clients(self.options.seed, &self.shared, &self.companies, &self.tokens);
        self.control(ONE_IN)?;
        while self.failures()? < ERRORS && self.shared.clock.elapsed() < started + TIMEOUT {
            if self.node.ended().is_some() {
                self.node.start(&self.options.program)?;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.control(0)?;
        self.shared.stopping.store(true, Ordering::SeqCst);
        clients.join_all().await;
        println!("{} writes and syncs failed", self.failures()?);
        ensure!(self.failures()? >= ERRORS, "too few operations failed");
        self.node.kill();
        self.start(false).await?;
        let faults = vec![FaultRecord { ended: self.shared.clock.elapsed(), ..the_cut(started) }];
        let found = self.judge(History { events: self.shared.events(), faults, quotas: Vec::new() }).await;
        self.node.kill();
        Ok(found)
    }

    fn control(&self, one_in: u32) -> anyhow::Result<()> {
        let mut file = fs::File::options().write(true).open(&self.control)?;
        Ok(file.write_all(&one_in.to_le_bytes())?)
    }

    fn failures(&self) -> anyhow::Result<u32> {
        let mut file = fs::File::open(&self.control)?;
        file.seek(SeekFrom::Start(4))?;
        let mut count = [0; 4];
        file.read_exact(&mut count)?;
        Ok(u32::from_le_bytes(count))
    }
}

fn the_cut(at: Moment) -> FaultRecord {
    FaultRecord { kind: Kind::Kill, subject: Subject::Node(0), started: at, ended: at }
}

/// The history up to a moment: requests without an answer by then were cut off.
fn until(events: &[Event], at: Moment) -> Vec<Event> {
    let started = events.iter().filter(|event| event.started <= at).cloned();
    started
        .map(|event| {
            let is_answered = event.ended <= at;
            if is_answered { event } else { Event { ended: at, outcome: Outcome::Cut, ..event } }
        })
        .collect()
}

fn compile(folder: &Path) -> anyhow::Result<PathBuf> {
    let (source, library) = (folder.join("shim.c"), folder.join("shim.so"));
    fs::write(&source, SHIM)?;
    let compiled =
        Command::new("cc").args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl").output();
    let compiled = compiled.context("cc cannot be started")?;
    ensure!(compiled.status.success(), "cc: {}", String::from_utf8_lossy(&compiled.stderr));
    Ok(library)
}
