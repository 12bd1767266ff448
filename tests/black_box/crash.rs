//! Kills the server with `kill -9` during creations, uploads and closings, again and again: what was acknowledged is
//! there afterwards, and each closing leads to one certificate and one recorded webhook (decisions 5, 8 and 12).
//!
//! A seed decides what is done and after how many acknowledgements the server is killed. For longer runs, set
//! `SEALWRIGHT_TEST_KILLS`, `SEALWRIGHT_TEST_WRITES` (acknowledged writes in total) and `SEALWRIGHT_TEST_SEED`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use hyper::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinSet,
};

use crate::support::{
    AMPLE, Api, Receiver, TestServer,
    client::{Upload, try_send},
    company_manifest::{ACME, DOCUMENT_UPLOAD, FRAME, SIGNATURE, TEXT_FIELD, acme_on},
    eventually,
    evidence::{create_item, identity_card, signature},
    on_both_databases,
    random::Random,
    rows::Rows,
    server::files_below,
    setting,
};

on_both_databases!(nothing_acknowledged_is_lost_by_kills_under_load);

/// How many clients work in parallel.
const CLIENTS: u64 = 6;
/// How many acknowledgements come before a kill, on average.
const USUAL_WRITES: u64 = 45;
/// The maximum of one request.
const BULK: u64 = 50;
/// How many seals the server makes in parallel. Each may have stored its PDF when it is killed.
const SEALS: usize = 2;

async fn nothing_acknowledged_is_lost_by_kills_under_load(mut server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    // On PostgreSQL, others detect only after seconds that a worker was killed.
    let kills = setting("SEALWRIGHT_TEST_KILLS", if server.database_url().starts_with("sqlite:") { 30 } else { 6 });
    let seed = setting("SEALWRIGHT_TEST_SEED", 20_261_120);
    let writes = setting("SEALWRIGHT_TEST_WRITES", kills * USUAL_WRITES);
    println!("{kills} kills and about {writes} writes with seed {seed}");
    let (most, mix) = (2 * writes.div_ceil(kills), Mix::of(writes / kills));
    let mut random = Random::new(seed);
    let mut ledger = Ledger::default();
    for kill in 0..kills {
        let (acknowledge, mut acknowledged) = unbounded_channel();
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            let random = Random::new(seed ^ (kill * CLIENTS + client + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            clients.spawn(work(api.clone(), random, mix, acknowledge.clone()));
        }
        drop(acknowledge);
        let enough = ledger.writes() + random.below(most);
        while ledger.writes() <= enough {
            ledger.note(acknowledged.recv().await.expect("the clients continue until the server is gone"));
        }
        server.kill();
        // What was answered before the kill is also acknowledged.
        drain(&mut acknowledged, &mut ledger).await;
        while let Some(client) = clients.join_next().await {
            client.expect("a client failed only because the server ended");
        }
        Rows::of(&server).await.assert_intact().await;
        server.restart().await;
    }
    wait_for_jobs(&server).await;
    println!("{}", ledger.summary());
    assert!(ledger.closed.len() > 3 && ledger.files.len() > 3, "too little was done: {}", ledger.summary());
    let mut rows = Rows::of(&server).await;
    check_cases_and_entries(&mut rows, &ledger).await;
    check_files(&server, &mut rows, &api, &ledger, kills).await;
    check_closings(&server, &mut rows, &api, &ledger, &receiver).await;
    rows.assert_intact().await;
}

/// What the server has acknowledged.
#[derive(Debug, Default)]
struct Ledger {
    cases: BTreeSet<i64>,
    /// Item → its case and what was entered.
    entries: BTreeMap<i64, (i64, String)>,
    /// Item → its case, its public address and the SHA-256 of its bytes.
    files: BTreeMap<i64, (i64, String, String)>,
    /// Case → the address of its certificate.
    closed: BTreeMap<i64, String>,
}

enum Write {
    Case(i64),
    Entry { item: i64, case: i64, data: String },
    File { item: i64, case: i64, url: String, sha256: String },
    Closing { case: i64, pdf_url: String },
}

impl Ledger {
    fn note(&mut self, acknowledged: Write) {
        let is_new = match acknowledged {
            Write::Case(case) => self.cases.insert(case),
            Write::Entry { item, case, data } => self.entries.insert(item, (case, data)).is_none(),
            Write::File { item, case, url, sha256 } => self.files.insert(item, (case, url, sha256)).is_none(),
            Write::Closing { case, pdf_url } => self.closed.insert(case, pdf_url).is_none(),
        };
        assert!(is_new, "an identifier was given out twice");
    }

    fn writes(&self) -> u64 {
        (self.cases.len() + self.entries.len() + self.files.len() + self.closed.len()) as u64
    }

    fn summary(&self) -> String {
        let Self { cases, entries, files, closed } = self;
        let parts = format!("{} cases, {} entries, {} files", cases.len(), entries.len(), files.len());
        format!("{} writes: {parts}, {} closings", self.writes(), closed.len())
    }
}

/// How often, in percent, each kind of write is done.
#[derive(Clone, Copy)]
struct Mix {
    bulk_creations: u64,
    files: u64,
    closings: u64,
}

impl Mix {
    /// With many writes per kill, most writes are small: files and certificates cost a hundred times as much, and the
    /// kills are what is tested.
    fn of(writes_for_each_kill: u64) -> Self {
        if writes_for_each_kill > 2 * USUAL_WRITES {
            Self { bulk_creations: 30, files: 5, closings: 5 }
        } else {
            Self { bulk_creations: 2, files: 50, closings: 33 }
        }
    }
}

/// Opens cases, fills them and closes some until the server stops answering.
async fn work(api: Api, mut random: Random, mix: Mix, acknowledge: UnboundedSender<Write>) {
    let mut outcome = Some(());
    while outcome.is_some() {
        outcome = if random.below(100) < mix.bulk_creations {
            open_many_cases(&api, &acknowledge).await
        } else {
            fill_a_case(&api, &mut random, mix, &acknowledge).await
        };
    }
}

async fn open_many_cases(api: &Api, acknowledge: &UnboundedSender<Write>) -> Option<()> {
    let cases: Vec<Value> = (0..BULK).map(|_| json!({ "frameId": FRAME })).collect();
    let created = ask(api.request(Method::POST, "/cases/bulk-create").json(&cases), 200).await?;
    let created = created["success"].as_array().expect("success is an array");
    assert_eq!(created.len() as u64, BULK, "each case is created");
    for case in created {
        let case = case["caseId"].as_i64().expect("caseId is a number");
        acknowledge.send(Write::Case(case)).expect("the test is receiving");
    }
    Some(())
}

async fn fill_a_case(api: &Api, random: &mut Random, mix: Mix, acknowledge: &UnboundedSender<Write>) -> Option<()> {
    let report = |acknowledged| acknowledge.send(acknowledged).expect("the test is receiving");
    let create = api.request(Method::POST, "/cases/create").json(&json!({ "frameId": FRAME }));
    let case = ask(create, 201).await?["id"].as_i64().expect("id is a number");
    report(Write::Case(case));
    for _ in 0..random.below(4) {
        if random.below(100) >= mix.files {
            let data = format!("value {}", random.next());
            let mut body = create_item(TEXT_FIELD, &data);
            body["caseId"] = json!(case);
            let added = ask(api.request(Method::POST, "/v2/items/create").json(&body), 201).await?;
            report(Write::Entry { item: added["itemId"].as_i64().expect("itemId is a number"), case, data });
        } else {
            let (path, step, file, field) = if random.below(2) == 0 {
                (format!("/v2/items/{case}"), SIGNATURE, signature(), "imageUrl")
            } else {
                (format!("/v2/items/{case}/document"), DOCUMENT_UPLOAD, identity_card(), "documentUrl")
            };
            let file = padded(file, random);
            let sha256 = hex::encode(Sha256::digest(&file.bytes));
            let added = ask(api.upload_request(&path, &create_item(step, file.name), file), 200).await?;
            let url = added[field].as_str().expect("a URL").to_owned();
            let item = added["itemId"].as_i64().expect("itemId is a number");
            report(Write::File { item, case, url, sha256 });
        }
    }
    if random.below(100) < mix.closings {
        let closed = ask(api.request(Method::GET, &format!("/cases/close/{case}")), 200).await?;
        report(Write::Closing { case, pdf_url: closed["pdfUrl"].as_str().expect("pdfUrl is a URL").to_owned() });
    }
    Some(())
}

/// The answer to a request, or `None` if the server is gone. Panics on any other status than the expected one.
async fn ask(request: RequestBuilder, status: u16) -> Option<Value> {
    let answer = try_send(request).await.ok()?;
    Some(answer.expect(status).json())
}

/// The file with up to a few hundred kilobytes appended, which make it a different file.
fn padded(mut file: Upload, random: &mut Random) -> Upload {
    let length = 8 + random.below(300_000);
    let filler = random.next().to_le_bytes();
    file.bytes.extend(filler.iter().cycle().take(usize::try_from(length).expect("a short length")));
    file
}

async fn drain(acknowledged: &mut UnboundedReceiver<Write>, ledger: &mut Ledger) {
    while let Some(acknowledged) = acknowledged.recv().await {
        ledger.note(acknowledged);
    }
}

/// Waits until no job is left. A job that was given up stays and fails the test here.
async fn wait_for_jobs(server: &TestServer) {
    let mut rows = Rows::of(server).await;
    // Twice the ample time: work from all kills may have piled up.
    eventually("every job is done", 2 * AMPLE, async || {
        let jobs: Vec<(String, String)> = rows.all("select kind, state from jobs").await;
        assert!(jobs.iter().all(|(_, state)| state != "failed" && state != "quarantined"), "{jobs:?}");
        jobs.is_empty().then_some(())
    })
    .await;
}

async fn check_cases_and_entries(rows: &mut Rows, ledger: &Ledger) {
    let cases: Vec<(i64,)> = rows.all("select id from cases").await;
    let cases: BTreeSet<i64> = cases.into_iter().map(|(id,)| id).collect();
    let lost: Vec<_> = ledger.cases.difference(&cases).collect();
    assert!(lost.is_empty(), "of {} acknowledged cases these are lost: {lost:?}", ledger.cases.len());
    let entries: Vec<(i64, i64, String)> = rows.all("select id, case_id, data from items where blob_key is null").await;
    let entries: BTreeMap<i64, (i64, String)> =
        entries.into_iter().map(|(item, case, data)| (item, (case, data))).collect();
    for (item, entry) in &ledger.entries {
        assert_eq!(entries.get(item), Some(entry), "item {item}");
    }
}

async fn check_files(server: &TestServer, rows: &mut Rows, api: &Api, ledger: &Ledger, kills: u64) {
    let public = api.with_token(None);
    for (item, (_, url, sha256)) in &ledger.files {
        let original = public.get(&format!("{url}?original=1")).await.expect(200);
        assert_eq!(&hex::encode(Sha256::digest(&original.body)), sha256, "item {item}");
    }
    let blobs = server.data_dir().join("blobs");
    // Every row has its blob, acknowledged or not.
    let items: Vec<(i64, i64, String, String)> =
        rows.all("select id, case_id, blob_key, file_sha256 from items where blob_key is not null").await;
    let certificates: Vec<(i64, i64, String, String)> =
        rows.all("select case_id, case_id, blob_key, sha256 from certificates where blob_key is not null").await;
    let mut named = BTreeSet::new();
    for (id, _, key, sha256) in items.iter().chain(&certificates) {
        let bytes = fs::read(blobs.join(key)).unwrap_or_else(|error| panic!("the blob of {id}: {error}"));
        assert_eq!(&hex::encode(Sha256::digest(&bytes)), sha256, "{key}");
        named.insert(blobs.join(key));
    }
    let stored: BTreeMap<i64, i64> = items.iter().map(|(item, case, ..)| (*item, *case)).collect();
    for (item, (case, ..)) in &ledger.files {
        assert_eq!(stored.get(item), Some(case), "item {item}");
    }
    // A blob without a row was being written when the server was killed.
    let files = ["items", "certificates"].map(|area| files_below(&blobs.join(area))).concat();
    let nameless = files.iter().filter(|file| !named.contains(*file)).count();
    let under_way = usize::try_from(kills * CLIENTS).expect("a short test") + usize::try_from(kills).unwrap() * SEALS;
    assert!(nameless <= under_way, "{nameless} blobs without a row after {kills} kills");
}

async fn check_closings(server: &TestServer, rows: &mut Rows, api: &Api, ledger: &Ledger, receiver: &Receiver) {
    let closed: Vec<(i64,)> = rows.all("select id from cases where closed_at is not null").await;
    let closed: BTreeSet<i64> = closed.into_iter().map(|(id,)| id).collect();
    let lost: Vec<_> = ledger.closed.keys().filter(|case| !closed.contains(case)).collect();
    assert!(lost.is_empty(), "these acknowledged closings are lost: {lost:?}");
    let public = api.with_token(None);
    for (case, pdf_url) in &ledger.closed {
        let certificate = public.get(pdf_url).await.expect(200);
        assert!(certificate.body.starts_with(b"%PDF-"), "case {case}");
    }
    let mut outcomes = BTreeMap::new();
    for attempt in server.webhook_attempts() {
        assert_eq!(attempt["status"], 200, "{attempt}");
        *outcomes.entry(attempt["caseId"].as_i64().expect("caseId is a number")).or_insert(0) += 1;
    }
    assert_eq!(outcomes, closed.iter().map(|case| (*case, 1)).collect(), "one outcome for each closing");

    // A dispatch that a kill interrupted may have arrived twice, with the same content (decisions 12).
    let mut payloads: BTreeMap<String, Value> = BTreeMap::new();
    for webhook in receiver.received() {
        let payload = webhook.json();
        let reference = payload["cfRef"].as_str().expect("cfRef is text").to_owned();
        if let Some(before) = payloads.insert(reference.clone(), payload.clone()) {
            assert_eq!(before, payload, "{reference} arrived twice");
        }
    }
    let references: BTreeSet<String> = closed.iter().map(|case| format!("CAS-{case}_CMP-{ACME}")).collect();
    assert_eq!(payloads.keys().cloned().collect::<BTreeSet<_>>(), references);
    // What was acknowledged before the closing is in the payload.
    let items = ledger.entries.iter().map(|(item, (case, _))| (item, case));
    for (item, case) in items.chain(ledger.files.iter().map(|(item, (case, ..))| (item, case))) {
        if let Some(payload) = payloads.get(&format!("CAS-{case}_CMP-{ACME}")) {
            let sent = payload["items"].as_array().expect("items is an array");
            let reference = format!("ITM-{item}_CAS-{case}");
            assert!(sent.iter().any(|sent| sent["cfRef"] == reference.as_str()), "{reference} is not in {payload}");
        }
    }
}
