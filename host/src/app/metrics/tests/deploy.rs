//! The guide and `deploy/` name exactly the metrics and alerts that exist.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::*;

/// What the server exposes of a metric.
#[derive(Debug, Default)]
struct Exposed {
    metric_type: String,
    /// The labels of its samples, without `le`; none without samples.
    labels: Option<BTreeSet<String>>,
}

/// Each metric of a new server by the name that the guide uses: a counter's ends in `_total`.
async fn exposed() -> BTreeMap<String, Exposed> {
    let (app, _folder) = new_app().await;
    // Families without a value are left out of the text.
    app.metrics.start_request();
    app.metrics.end_request(&hyper::Method::GET, "/cases", 429, Duration::from_millis(3));
    app.metrics.rate_limit_refusal(&hyper::Method::GET, "/cases", "company");
    app.metrics.job_run(JobKind::Seal, JobRunOutcome::Done, Duration::from_secs(2));
    let text = encode(&app).await.unwrap();
    let mut metrics: BTreeMap<String, Exposed> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(declared) = line.strip_prefix("# TYPE ") {
            let (base, metric_type) = declared.split_once(' ').unwrap();
            name = if metric_type == "counter" { format!("{base}_total") } else { base.to_owned() };
            let known = metrics.insert(name.clone(), Exposed { metric_type: metric_type.to_owned(), labels: None });
            assert!(known.is_none(), "{name} is declared twice");
        } else if !line.starts_with('#') {
            let (series, _) = line.rsplit_once(' ').unwrap();
            assert!(series.starts_with(&name), "{series} is not a series of {name}");
            let labels = series.split_once('{').map_or("", |(_, labels)| labels);
            let labels = labels.split("\",").filter_map(|label| Some(label.split_once('=')?.0.to_owned()));
            metrics.get_mut(&name).unwrap().labels.get_or_insert_default().extend(labels.filter(|label| label != "le"));
        }
    }
    metrics
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The files in `deploy/` with this extension: `(name, text)`.
fn deployed(extension: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(root().join("deploy")).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|found| found == extension));
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).unwrap());
    let files: Vec<_> = files.map(read).collect();
    assert!(!files.is_empty(), "deploy/ has no .{extension}");
    files
}

/// The section of the guide that describes the alerts.
fn described_alerts() -> String {
    let guide = read("docs/operator.md");
    let (_, section) = guide.split_once("\n## Alerts\n").expect("the guide has a section about alerts");
    section.split("\n## ").next().unwrap().to_owned()
}

/// The names of our metrics in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|character: char| !character.is_ascii_lowercase() && character != '_');
    words.filter(|word| word.starts_with("sealwright_")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn dashboards_and_alerts_use_only_metrics_that_exist() {
    let exposed = Box::pin(exposed()).await;
    let series: BTreeSet<String> = exposed
        .iter()
        .flat_map(|(name, exposed)| match exposed.metric_type.as_str() {
            "histogram" => ["_bucket", "_sum", "_count"].map(|suffix| format!("{name}{suffix}")).to_vec(),
            _ => vec![name.clone()],
        })
        .collect();
    let mut used = BTreeSet::new();
    for (file, text) in deployed("json").into_iter().chain(deployed("yml")) {
        let unknown: Vec<&str> = names(&text).into_iter().filter(|name| !series.contains(*name)).collect();
        assert!(unknown.is_empty(), "{file} uses {unknown:?}, which the server does not expose");
        used.extend(names(&text).into_iter().map(str::to_owned));
    }
    let is_shown = |name: &String| series.iter().any(|one| one.starts_with(name.as_str()) && used.contains(one));
    let unused: Vec<&String> = exposed.keys().filter(|name| names(name).len() == 1 && !is_shown(name)).collect();
    assert!(unused.is_empty(), "neither a dashboard nor an alert uses {unused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guide_lists_each_metric_with_its_labels_and_type() {
    let mut exposed = Box::pin(exposed()).await;
    let guide = read("docs/operator.md");
    let rows = guide.lines().filter(|line| line.starts_with("| `sealwright_") || line.starts_with("| `process_"));
    for row in rows {
        let mut cells = row.split(" | ");
        let (metrics, metric_type) = (cells.next().unwrap(), cells.next().unwrap());
        for metric in metrics.split('`').skip(1).step_by(2) {
            let (name, labels) = metric.trim_end_matches('}').split_once('{').unwrap_or((metric, ""));
            let found = exposed.remove(name).unwrap_or_else(|| panic!("{name} is not exposed, or listed twice"));
            assert_eq!(found.metric_type, metric_type, "{name}");
            let labels: BTreeSet<String> = labels.split(',').filter(|one| !one.is_empty()).map(str::to_owned).collect();
            assert_eq!(found.labels.unwrap_or_else(|| labels.clone()), labels, "{name}");
        }
    }
    assert!(exposed.is_empty(), "the guide does not list {:?}", exposed.keys());
}

#[test]
fn each_alert_has_a_rule_and_a_paragraph_in_the_guide() {
    let rules = read("deploy/alerts.yml");
    let mut alerts = BTreeSet::new();
    let mut lines = rules.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some(alert) = line.strip_prefix("- alert: ") else { continue };
        assert!(alerts.insert(alert), "{alert} is defined twice");
        let expression = lines.next().and_then(|line| line.strip_prefix("expr: "));
        assert!(expression.is_some_and(|text| !text.is_empty()), "{alert} has no expression on its next line");
    }
    let section = described_alerts();
    let described: Vec<&str> =
        section.lines().filter_map(|line| Some(line.strip_prefix("**")?.split_once("**")?.0)).collect();
    let unique: BTreeSet<&str> = described.iter().copied().collect();
    assert_eq!(unique.len(), described.len(), "an alert has two paragraphs");
    assert_eq!(unique, alerts);
}

#[test]
fn dashboards_name_no_data_source_and_each_panel_has_a_query() {
    for (file, text) in deployed("json") {
        let dashboard: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        // 39 is the schema of Grafana 11.
        assert!(dashboard["schemaVersion"].as_u64() >= Some(39), "{file}");
        let variables = dashboard["templating"]["list"].as_array().unwrap();
        assert!(variables.iter().any(|variable| variable["type"] == "datasource" && variable["name"] == "datasource"));
        let panels = dashboard["panels"].as_array().unwrap();
        let identifiers: BTreeSet<u64> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
        assert_eq!(identifiers.len(), panels.len(), "{file}: two panels have the same identifier");
        for panel in panels.iter().filter(|panel| panel["type"] != "row") {
            let title = &panel["title"];
            assert_eq!(panel["datasource"]["uid"], "${datasource}", "{file}: {title}");
            let targets = panel["targets"].as_array().unwrap();
            assert!(!targets.is_empty() && targets.iter().all(|target| target["expr"].is_string()), "{file}: {title}");
        }
    }
}
