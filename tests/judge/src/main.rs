//! The command line of the judge: prints the tables of `docs/judging.md`.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use anyhow::Context as _;

use clap::Parser;
use sealwright_judge::{
    Corpus, JudgedPackage, Packages, PaperVerdict, case_table, corpus_tables, judge_case, judge_file, judge_package,
    judge_paper, judge_photo, judge_photo_file, package_tables, paper_tables, photo_table, signs_line,
    wrong_judgements,
};
use sealwright_lab::{Editing, JUDGING, PaperOptions, labelled_photo, paper};

/// Evaluates the built-in analysis plugins on labelled documents (papers) and photographs.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The first seed. Papers with seeds from 1000000 on use wordings that no paper for tuning has.
    #[arg(long, default_value_t = JUDGING)]
    seed: u64,
    #[arg(long, default_value_t = 390)]
    papers: u64,
    #[arg(long, default_value_t = 200)]
    photos: u64,
    /// How many cases to judge by their places, clocks, devices and duplicates.
    #[arg(long, default_value_t = 2_000)]
    cases: u64,
    /// How many packages of papers of one case to judge by the signal `consistency`.
    #[arg(long, default_value_t = 58)]
    packages: u64,
    /// Judge only papers of these qualities: clean, scan, photo, unreadable.
    #[arg(long)]
    quality: Vec<String>,
    /// Cache the facts of papers in this folder, for repeated runs while only plugins change. The cache is never
    /// updated; empty the folder when the code that reads facts has changed.
    #[arg(long)]
    facts: Option<PathBuf>,
    /// Print the details of each wrong judgement.
    #[arg(long)]
    wrong: bool,
    /// Also print the text that was read from papers with a wrong field.
    #[arg(long)]
    text: bool,
    /// Write the signs of each labelled document to this file, a line of JSON for each: for fitting their strengths
    /// (`tests/judge/fit/strengths.py`).
    #[arg(long)]
    signs: Option<PathBuf>,
    /// Judge these instead: files (a picture is judged both as a document and as a photograph), or folders with a
    /// `labels.json` or a `packages.json`.
    paths: Vec<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Some(folder) = &arguments.facts {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    if !arguments.paths.is_empty() {
        let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = arguments.paths.iter().partition(|path| path.is_dir());
        files.into_iter().try_for_each(|file| print_file(file))?;
        let (packages, corpora): (Vec<&PathBuf>, Vec<&PathBuf>) =
            folders.into_iter().partition(|folder| folder.join(Packages::FILE).is_file());
        if !packages.is_empty() {
            print_packages(&packages, &arguments)?;
        }
        return if corpora.is_empty() { Ok(()) } else { print_corpora(&corpora, &arguments) };
    }
    let wanted: Vec<PaperOptions> = (0..arguments.papers)
        .map(|index| PaperOptions::of_set(arguments.seed, index))
        .filter(|options| {
            arguments.quality.is_empty() || arguments.quality.iter().any(|name| name == options.quality.as_str())
        })
        .collect();
    let papers = in_parallel(wanted.len() as u64, |index| {
        judge_paper(paper(&wanted[usize::try_from(index)?])?, arguments.facts.as_deref())
    })?;
    let photos = in_parallel(arguments.photos, |index| {
        judge_photo(&labelled_photo(arguments.seed.wrapping_add(index), Editing::of_set(index))?)
    })?;
    let cases = in_parallel(arguments.cases, |index| judge_case(arguments.seed, index))?;
    let packages = in_parallel(arguments.packages, |index| judge_package(arguments.seed, index))?;
    if arguments.wrong {
        for paper in &papers {
            print_errors(paper, arguments.text);
        }
        for (index, photo) in photos.iter().enumerate() {
            if photo.editing.is_some_and(|editing| editing.is_genuine() == photo.alarm()) {
                println!("photo {index} {:?}: {} {:?}", photo.editing, photo.score, photo.seen);
            }
        }
    }
    println!("{}\n{}\n{}", paper_tables(&papers), photo_table(&photos), case_table(&cases));
    report_packages(&packages, &arguments);
    Ok(())
}

fn print_corpora(folders: &[&PathBuf], arguments: &Arguments) -> anyhow::Result<()> {
    let mut judged = Vec::new();
    for folder in folders {
        let corpus = Corpus::load(folder)?;
        judged.extend(in_parallel(corpus.documents.len() as u64, |index| {
            corpus.judge(folder, &corpus.documents[usize::try_from(index)?], arguments.facts.as_deref())
        })?);
    }
    if arguments.wrong {
        judged.iter().flat_map(wrong_judgements).for_each(|line| println!("{line}"));
    }
    if let Some(file) = &arguments.signs {
        let lines: Vec<String> = judged.iter().map(signs_line).collect();
        fs::write(file, lines.join("\n") + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    println!("{}", corpus_tables(&judged));
    Ok(())
}

fn print_packages(folders: &[&PathBuf], arguments: &Arguments) -> anyhow::Result<()> {
    let mut judged = Vec::new();
    for folder in folders {
        let packages = Packages::load(folder)?;
        judged.extend(in_parallel(packages.packages.len() as u64, |index| {
            packages.judge(folder, &packages.packages[usize::try_from(index)?], arguments.facts.as_deref())
        })?);
    }
    report_packages(&judged, arguments);
    Ok(())
}

fn report_packages(judged: &[JudgedPackage], arguments: &Arguments) {
    for package in judged.iter().filter(|package| arguments.wrong && !package.is_right()) {
        let kind = package.package.kind.as_deref().unwrap_or("unknown");
        let score = package.score.map_or_else(|| "nothing compared".to_owned(), |score| score.to_string());
        println!("{} {} {:?} ({kind}): {score}", package.maker, package.package.id, package.package.class);
        for doubt in &package.doubts {
            println!("  {doubt}");
        }
        for value in package.stated.iter().filter(|_| arguments.text) {
            println!("    {value}");
        }
    }
    println!("{}", package_tables(judged));
}

fn print_file(file: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    if !bytes.starts_with(b"%PDF") {
        let photo = judge_photo_file(&bytes)?;
        println!("{}: as a photograph {} {:?} {:?}", file.display(), photo.score, photo.seen, photo.measures);
    }
    let document = judge_file(bytes)?;
    println!("{}: {}, suspicion {} {:?}", file.display(), document.detected, document.suspicion, document.raised());
    Ok(())
}

fn print_errors(verdict: &PaperVerdict, with_text: bool) {
    let Some(label) = &verdict.label else { return };
    let forgery = label.forgery.map(sealwright_lab::Forgery::name);
    let name = format!("{} {} {} {} layout {}", label.seed, label.kind, label.language, label.quality, label.layout);
    if !verdict.type_is_right() {
        println!("{name}: detected as {}", verdict.judgement.detected);
    }
    if verdict.alarm() != forgery.is_some() {
        let (suspicion, raised) = (verdict.judgement.suspicion, verdict.judgement.raised());
        println!("{name} by {}: {forgery:?} suspicion {suspicion} {raised:?}", label.producer);
    }
    for field in verdict.compared.iter().filter(|field| forgery.is_none() && !field.is_right()) {
        println!("{name}: {} is {:?}, read as {:?}", field.code, field.value, field.read);
    }
    if with_text && forgery.is_none() && verdict.compared.iter().any(|field| !field.is_right()) {
        verdict.judgement.text.iter().for_each(|piece| println!("    {piece}"));
    }
}

/// Makes and judges on all processors; the verdicts are in the order of the seeds.
fn in_parallel<T: Send>(count: u64, judge: impl Fn(u64) -> anyhow::Result<T> + Sync) -> anyhow::Result<Vec<T>> {
    let next = AtomicU64::new(0);
    let verdicts = Mutex::new(Vec::new());
    let work = || -> anyhow::Result<()> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return Ok(());
            }
            let verdict = judge(index)?;
            verdicts.lock().map_err(|_| anyhow::anyhow!("another thread failed"))?.push((index, verdict));
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))?)
    })?;
    let mut verdicts = verdicts.into_inner().map_err(|_| anyhow::anyhow!("a worker panicked"))?;
    verdicts.sort_by_key(|(index, _)| *index);
    Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
}
