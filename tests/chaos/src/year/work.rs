//! The work of a company in a month: cases are opened, filled and closed.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{
    api::Api,
    ledger::{ClosedCase, Delivery, Fate, Owner, fate},
};
use crate::{
    client::path_of,
    files::{self, File},
    history::Content,
    random::Random,
};

/// How often the addition of an item is repeated.
const ATTEMPTS: usize = 400;

/// What a company does in a month.
pub(super) struct Work {
    pub(super) owner: Owner,
    pub(super) api: Api,
    pub(super) random: Random,
    /// How many cases it has opened before.
    pub(super) before: usize,
    pub(super) count: usize,
    pub(super) day: u64,
    /// In a month with such a fault.
    pub(super) delivery: Delivery,
    /// How many cases both companies have closed in this month.
    pub(super) closed: Arc<AtomicUsize>,
}

/// A case that is being filled.
struct Filled {
    id: i64,
    items: Vec<(i64, Content)>,
    uncertain: BTreeSet<Content>,
}

impl Work {
    pub(super) async fn run(mut self) -> anyhow::Result<Vec<ClosedCase>> {
        let mut cases = Vec::new();
        for number in self.before..self.before + self.count {
            let case = self.one(number).await;
            cases.push(case.with_context(|| format!("case {number} of {:?}", self.owner))?);
            self.closed.fetch_add(1, Ordering::SeqCst);
        }
        Ok(cases)
    }

    async fn one(&mut self, number: usize) -> anyhow::Result<ClosedCase> {
        let (owner, key) = (self.owner, format!("{:?}-{number}-{:016x}", self.owner, self.random.next()));
        let body = json!({ "frameId": owner.frame(), "title": format!("Case {number}") });
        let opened = self.once(Method::POST, "/cases/create", &format!("open-{key}"), Some(&body)).await?;
        let id = opened["id"].as_i64().context("a case without an identifier")?;
        let mut case = Filled { id, items: Vec::new(), uncertain: BTreeSet::new() };
        self.add_text(&mut case).await?;
        let photo = format!("/v2/items/{id}");
        self.add_file(&mut case, &photo, owner.photo_step(), files::photo()).await?;
        if number % 4 == 2 {
            let document = format!("/v2/items/{id}/document");
            self.add_file(&mut case, &document, owner.document_step(), files::document()).await?;
        }
        let closed = self.once(Method::GET, &format!("/cases/close/{id}"), &format!("close-{key}"), None).await?;
        let url = closed["pdfUrl"].as_str().context("a closed case without a certificate")?;
        Ok(ClosedCase {
            owner,
            id,
            path: path_of(url).to_owned(),
            closed_on: self.day,
            items: case.items,
            uncertain: case.uncertain,
            fate: fate(owner, number),
            delivery: self.delivery,
            erased: BTreeSet::new(),
            is_deleted: false,
            is_held: false,
        })
    }

    /// A request that the server carries out once for its key.
    async fn once(&self, method: Method, path: &str, key: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let request = || {
            let request = self.api.request(method.clone(), path).header("idempotency-key", key);
            match body {
                Some(body) => request.json(body),
                None => request,
            }
        };
        self.api.until_answered(path, request).await
    }

    async fn add_text(&mut self, case: &mut Filled) -> anyhow::Result<()> {
        let text = format!("entered {:016x}", self.random.next());
        let mut body = self.describe(self.owner.text_step(), &text);
        body["caseId"] = json!(case.id);
        let api = self.api.clone();
        let request = || api.request(Method::POST, "/v2/items/create").json(&body);
        add(case, Content::Text(text), request).await
    }

    async fn add_file(&mut self, case: &mut Filled, path: &str, step: i64, file: &File) -> anyhow::Result<()> {
        let mut bytes = file.bytes.clone();
        // After its end, so that each file is different.
        bytes.extend(self.random.next().to_le_bytes());
        let content = Content::File(hex::encode(Sha256::digest(&bytes)));
        let description = self.describe(step, file.name);
        let api = self.api.clone();
        let request = || api.upload(path, &description, file, bytes.clone());
        add(case, content, request).await
    }

    fn describe(&self, step: i64, data: &str) -> Value {
        json!({
            "companyId": self.owner.company(), "stepId": step, "data": data,
            "clientAppName": "Field Companion", "clientAppVersion": "4.2.0",
            "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
            "geolocLatitude": "45.764043", "geolocLongitude": "4.835659", "geolocAccuracy": "5",
        })
    }
}

/// Adds an item, and repeats it until one answer says that it was added. Without an answer it may have been added, too.
async fn add(case: &mut Filled, content: Content, request: impl Fn() -> reqwest::RequestBuilder) -> anyhow::Result<()> {
    for _ in 0..ATTEMPTS {
        match Api::send(request()).await {
            Some(answer) if answer.status < 300 => {
                let id = answer.json()["itemId"].as_i64().context("an item without an identifier")?;
                case.items.push((id, content));
                return Ok(());
            }
            Some(answer) if answer.status < 500 => {
                anyhow::bail!("an item: status {}: {}", answer.status, String::from_utf8_lossy(&answer.body));
            }
            _ => {
                case.uncertain.insert(content.clone());
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
    anyhow::bail!("an item was not added in {ATTEMPTS} attempts");
}

/// The item to erase: the first file of the case.
pub(super) fn to_erase(case: &ClosedCase) -> Option<i64> {
    let is_file = |(_, content): &&(i64, Content)| matches!(content, Content::File(_));
    (case.fate == Fate::Erased).then(|| case.items.iter().find(is_file).map(|(id, _)| *id)).flatten()
}
