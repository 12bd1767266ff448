//! The plugins' share of the time of an analysis: a file's facts are prepared in a process of their own, as in the
//! server, and then the built-in plugins get every call that the server makes for the file.

use std::{path::Path, sync::Arc, time::Instant};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use sealwright::{
    app::tools::trial::input::{case_of_photo, document_of_facts},
    domain::id::CompanyId,
    facts::prepare,
    plugins::{
        CaseSignals, Chosen, DocumentChecks, DocumentFields, DocumentTypes, FieldComparisons, FieldVerifications,
        PluginHost, PluginOptions, Run,
        facts::{Document, Entry, Pair},
    },
};
use sealwright_facts::child::FactsScope;

use crate::{
    ROUNDS,
    load::milliseconds,
    report::{Figure, Samples, Unit},
};

/// Fields that a step may compare; papers have some of them.
const FIELDS: [&str; 5] = ["lastName", "firstName", "address", "issueDate", "totalAmount"];

/// Measures each file under its name; photos are those with [`FactsScope::PicturesOnly`].
pub(super) async fn measure(program: &Path, files: &[(&str, &[u8], FactsScope)]) -> anyhow::Result<Vec<Figure>> {
    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let options = PluginOptions::new(cache.path().join("cache"), [7; 32]);
    let host = tokio::task::spawn_blocking(move || PluginHost::new(options)).await??;
    let mut samples = vec![[const { Samples::new(Unit::Milliseconds) }; 2]; files.len()];
    // A plugin's first call is slower than all later ones.
    for (_, file, wanted) in files {
        analyse(&host, program, file, *wanted).await?;
    }
    for _ in 0..ROUNDS {
        for ((_, file, wanted), [plugins, whole]) in files.iter().zip(&mut samples) {
            let (asked, all) = analyse(&host, program, file, *wanted).await?;
            plugins.push(asked);
            whole.push(all);
        }
    }
    let figures = files.iter().zip(samples).map(|((what, ..), [plugins, whole])| Figure {
        what: format!("plugins of an analysis, {what}"),
        measured: plugins,
        against: Some(("the whole analysis", whole)),
        goal: None,
    });
    Ok(figures.collect())
}

/// The time that the plugins took, and the total, in milliseconds.
async fn analyse(host: &PluginHost, program: &Path, file: &[u8], wanted: FactsScope) -> anyhow::Result<(f64, f64)> {
    let start = Instant::now();
    let facts = prepare(program, file, wanted, "")?;
    let asking = Instant::now();
    if wanted == FactsScope::PicturesOnly {
        let evidence = Arc::new(case_of_photo(&facts));
        answer(host.ask(&chosen("signals"), CaseSignals { evidence }).await)?;
    } else {
        let document = document_of_facts(&facts, Bytes::copy_from_slice(file)).context("not a document")?;
        ask(host, Arc::new(document)).await?;
    }
    Ok((milliseconds(asking.elapsed()), milliseconds(start.elapsed())))
}

/// The calls that the server makes for a document whose step compares fields.
async fn ask(host: &PluginHost, document: Arc<Document>) -> anyhow::Result<()> {
    let question = DocumentTypes { document: Arc::clone(&document) };
    let types = answer(host.ask(&chosen("document-types"), question).await)?;
    let document_type = types.first().map_or("UNKNOWN", |candidate| &candidate.document_type).to_owned();
    cross_check(host, Arc::clone(&document), document_type.clone()).await?;
    let question = DocumentChecks { document, document_type };
    let checks = answer(host.ask(&chosen("document-forensics"), question).await)?;
    ensure!(!checks.is_empty(), "no check was made");
    Ok(())
}

/// One call of a plugin that verifies; two of another one.
async fn cross_check(host: &PluginHost, document: Arc<Document>, document_type: String) -> anyhow::Result<()> {
    const ENTERED: &str = "something else";
    let cross_check = chosen("cross-check");
    if host.verifies(&cross_check) {
        let entries = FIELDS.map(|code| Entry { code: code.to_owned(), value: ENTERED.to_owned() }).to_vec();
        answer(host.ask(&cross_check, FieldVerifications::new(document, document_type, entries)).await)?;
        return Ok(());
    }
    let wanted = FIELDS.map(str::to_owned).to_vec();
    let read = answer(host.ask(&cross_check, DocumentFields::new(document, document_type, wanted)).await)?;
    let pair = |code: &str| Pair {
        code: code.to_owned(),
        entered: Some(ENTERED.to_owned()),
        extracted: read.iter().find(|field| field.code == code).map(|field| field.value.clone()),
    };
    answer(host.ask(&cross_check, FieldComparisons { pairs: FIELDS.map(pair).to_vec() }).await)?;
    Ok(())
}

fn answer<T>(run: Run<T>) -> anyhow::Result<T> {
    Ok(run.outcome?)
}

fn chosen(plugin: &str) -> Chosen {
    Chosen {
        company: CompanyId::new(1).expect("1 is a number"),
        plugin: plugin.to_owned(),
        sha256: None,
        settings: serde_json::Map::new(),
    }
}
