//! Collects the evidence when a run has settled: through the interface, and by the operator's commands.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use parking_lot::Mutex;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    client::{Shared, case_in, item_in, path_of},
    cluster::Operator,
    evidence::{Evidence, SeenCase, SeenCertificate},
    history::Content,
    public_log,
};

/// How many certificates are checked at once.
const CHECKS: usize = 2;
/// How long the quota of a company may be used up.
const QUOTA: Duration = Duration::from_mins(4);

pub(crate) struct Inspector {
    pub(crate) shared: Arc<Shared>,
    pub(crate) operator: Operator,
    /// Companies and their tokens.
    pub(crate) tokens: Vec<(i64, String)>,
    /// Certificates by the SHA-256 of their files: each file is checked once.
    pub(crate) verified: Arc<Mutex<BTreeMap<String, SeenCertificate>>>,
}

impl Inspector {
    /// Recorded attempts of the case webhook for each case.
    pub(crate) fn attempts(&self) -> anyhow::Result<BTreeMap<i64, usize>> {
        let output = self.operator.run(&["webhook", "list", "--json", "--limit", "1000000"])?;
        ensure!(output.status.success(), "webhook list: {}", String::from_utf8_lossy(&output.stderr));
        let attempts: Vec<Value> = serde_json::from_slice(&output.stdout)?;
        let mut counts = BTreeMap::new();
        for case in attempts.iter().filter(|attempt| attempt["kind"] == "case").filter_map(|it| it["caseId"].as_i64()) {
            *counts.entry(case).or_default() += 1;
        }
        Ok(counts)
    }

    pub(crate) async fn closed_cases(&self) -> anyhow::Result<Vec<i64>> {
        let mut closed = Vec::new();
        for (_, token) in &self.tokens {
            let listed = self.list(token).await?;
            closed.extend(listed.iter().filter(|case| case["closed"] == true).filter_map(|case| case["id"].as_i64()));
        }
        Ok(closed)
    }

    pub(crate) async fn gather(&self, folder: &Path) -> anyhow::Result<Evidence> {
        let mut evidence = Evidence { attempts: self.attempts()?, ..Evidence::default() };
        let mut urls = BTreeMap::new();
        for (company, token) in &self.tokens {
            let listed = self.list(token).await.with_context(|| format!("the cases of company {company}"))?;
            self.note_cases(*company, &listed, &mut evidence, &mut urls).await?;
        }
        let folder = folder.join("certificates");
        fs::create_dir_all(&folder)?;
        let mut fetched = Vec::new();
        for (case, url) in urls {
            match self.shared.look(path_of(&url), None).await {
                Ok(answer) if answer.status == 200 => {
                    fs::write(folder.join(format!("{case}.pdf")), &answer.body)?;
                    fetched.push((case, hex::encode(Sha256::digest(&answer.body))));
                }
                Ok(answer) => drop(evidence.certificates.insert(case, Err(format!("status {}", answer.status)))),
                Err(error) => drop(evidence.certificates.insert(case, Err(error.to_string()))),
            }
        }
        evidence.certificates.extend(self.verify_all(&folder, &fetched));
        let look = async |path: String| self.shared.look(&path, None).await;
        evidence.log = public_log::read(look).await.context("the public log")?;
        Ok(evidence)
    }

    /// All cases of a company; waits until its quota allows the request.
    async fn list(&self, token: &str) -> anyhow::Result<Vec<Value>> {
        let started = Instant::now();
        loop {
            let path = "/cases?format=metadata&hours=168&withReportToken=true";
            let answer = self.shared.look(path, Some(token)).await?;
            if answer.status == 429 && started.elapsed() < QUOTA {
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
            }
            ensure!(answer.status == 200, "GET /cases: {}", answer.status);
            return Ok(serde_json::from_slice(&answer.body)?);
        }
    }

    async fn note_cases(
        &self,
        company: i64,
        listed: &[Value],
        evidence: &mut Evidence,
        urls: &mut BTreeMap<i64, String>,
    ) -> anyhow::Result<()> {
        let reports: BTreeSet<&str> = listed.iter().filter_map(|case| case["reportId"].as_str()).collect();
        let mut items = BTreeMap::new();
        for report in reports {
            let answer = self.shared.look(&format!("/reports/{report}"), None).await?;
            ensure!(answer.status == 200, "GET /reports/{report}: {}", answer.status);
            let cases: Vec<Value> = serde_json::from_slice(&answer.body)?;
            for case in cases {
                let id = case["cfRef"].as_str().and_then(case_in).context("a case without a reference")?;
                items.insert(id, case["items"].as_array().into_iter().flatten().filter_map(item).collect());
            }
        }
        for case in listed {
            let id = case["id"].as_i64().context("a case without an identifier")?;
            let closed = case["closed"] == true;
            if closed {
                urls.insert(id, case["caseUrl"].as_str().unwrap_or_default().to_owned());
            }
            let mark = case["metadata"]["mark"].as_str().unwrap_or_default().to_owned();
            let items = items.remove(&id).unwrap_or_default();
            evidence.cases.push(SeenCase { company, id, mark, closed, items });
        }
        Ok(())
    }

    fn verify_all(&self, folder: &Path, fetched: &[(i64, String)]) -> Vec<(i64, Result<SeenCertificate, String>)> {
        let part = fetched.len().div_ceil(CHECKS).max(1);
        thread::scope(|scope| {
            let check = |part: &[(i64, String)]| -> Vec<_> {
                part.iter().map(|(case, sha256)| (*case, self.verify(folder, *case, sha256))).collect()
            };
            let running: Vec<_> = fetched.chunks(part).map(|part| scope.spawn(move || check(part))).collect();
            running.into_iter().filter_map(|part| part.join().ok()).flatten().collect()
        })
    }

    fn verify(&self, folder: &Path, case: i64, sha256: &str) -> Result<SeenCertificate, String> {
        if let Some(known) = self.verified.lock().get(sha256) {
            return Ok(known.clone());
        }
        let path = folder.join(format!("{case}.pdf")).display().to_string();
        let output = self.operator.run(&["verify", &path, "--json"]).map_err(|error| error.to_string())?;
        let report: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("verify: {error}: {}", String::from_utf8_lossy(&output.stderr)))?;
        let items = report["items"].as_array().into_iter().flatten();
        let seen = SeenCertificate {
            sha256: sha256.to_owned(),
            outcome: report["outcome"].as_str().unwrap_or("not checked").to_owned(),
            manifest_sha256: report["manifest"]["sha256"].as_str().unwrap_or_default().to_owned(),
            items: items.filter_map(sealed_item).collect(),
        };
        self.verified.lock().insert(sha256.to_owned(), seen.clone());
        Ok(seen)
    }
}

/// An item as a report shows it. Reports show hashes of photos and signatures, but nothing that identifies the bytes of
/// documents and videos.
fn item(item: &Value) -> Option<(i64, Option<Content>)> {
    let id = item["cfRef"].as_str().and_then(item_in)?;
    let content = match (item["imageHash"].as_str(), item["stepAction"].as_str()) {
        (Some(sha256), _) => Some(Content::File(sha256.to_owned())),
        (None, Some("TEXT_FIELD")) => item["data"].as_str().map(|text| Content::Text(text.to_owned())),
        _ => None,
    };
    Some((id, content))
}

/// An item as a certificate's manifest names it.
pub(crate) fn sealed_item(item: &Value) -> Option<(i64, Content)> {
    let id = item["reference"].as_str().and_then(item_in)?;
    let content = match item["file"]["sha256"].as_str() {
        Some(sha256) => Content::File(sha256.to_owned()),
        None => Content::Text(item["value"].as_str()?.to_owned()),
    };
    Some((id, content))
}
