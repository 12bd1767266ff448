//! The loss test: a person fills a case of ten items, one of them a video of 60 MB, in a real browser. At random moments
//! the browser, the tab, the network or the server ends. Nothing that the page has kept is lost or doubled, every
//! receipt is true, the case can be closed, and its capture records are one unbroken session.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    AMPLE, Api, Database, TestServer,
    browser::{self, Browser},
    company_manifest::{
        DOCUMENT_UPLOAD, EMAIL, FRAME, NUMBER_FIELD, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, VIDEO, acme_on,
    },
    eventually,
    evidence::{identity_card, long_video},
    random::Random,
    setting,
};

/// How many times something ends, over all cases, if nothing else is said.
const USUAL_POINTS: u64 = 50;
/// How many times something ends while one case is filled.
const POINTS_PER_CASE: u64 = 10;
/// After this time the page has finished what it had begun when something ended.
const SETTLED: Duration = Duration::from_secs(2);
const VIDEO_BYTES: usize = 60 << 20;

/// What the person does, in this order.
const ACTIONS: [(i64, Action); 10] = [
    (TEXT_FIELD, Action::Enter("Flora Martinel")),
    (PHOTOGRAPHY, Action::Photograph),
    (VIDEO, Action::Choose),
    (PHOTOGRAPHY, Action::Photograph),
    (SIGNATURE, Action::Sign),
    (NUMBER_FIELD, Action::Enter("12.5")),
    (PHOTOGRAPHY, Action::Photograph),
    (DOCUMENT_UPLOAD, Action::Choose),
    (EMAIL, Action::Enter("flora@mail.example")),
    (PHOTOGRAPHY, Action::Photograph),
];

#[derive(Clone, Copy)]
enum Action {
    Enter(&'static str),
    Photograph,
    Sign,
    Choose,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_whatever_ends_and_whenever() {
    if !browser::is_there() {
        return;
    }
    let points = setting("SEALWRIGHT_TEST_LOSS_POINTS", USUAL_POINTS);
    let seed = setting("SEALWRIGHT_TEST_LOSS_SEED", 1);
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let files = Files::make();
    let browser = Some(Browser::start().await);
    let mut walk = Walk {
        api,
        link: Api::new("http://127.0.0.1", None),
        url: String::new(),
        server,
        browser,
        random: Random::new(seed),
        files,
        ended: BTreeMap::new(),
    };
    let mut left = points;
    while left > 0 {
        let of_case = left.min(POINTS_PER_CASE);
        walk.fill_a_case(of_case).await;
        left -= of_case;
    }
    println!("seed {seed}: {:?}", walk.ended);
}

/// The files that the person chooses.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn make() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("card.pdf"), identity_card().bytes).expect("write the document");
        fs::write(folder.path().join("film.mp4"), long_video(VIDEO_BYTES)).expect("write the video");
        Self { folder }
    }

    fn path(&self, step: i64) -> PathBuf {
        self.folder.path().join(if step == VIDEO { "film.mp4" } else { "card.pdf" })
    }
}

/// The person, the device and the server.
struct Walk {
    server: TestServer,
    api: Api,
    /// The holder of the link.
    link: Api,
    url: String,
    browser: Option<Browser>,
    random: Random,
    files: Files,
    /// How many times each thing has ended.
    ended: BTreeMap<&'static str, u64>,
}

/// A capture in the device's store: what it holds, and whether the person has kept it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    step: i64,
    /// The digest of a file, or the entered value.
    content: String,
}

impl Walk {
    fn browser(&self) -> &Browser {
        self.browser.as_ref().expect("a browser")
    }

    async fn fill_a_case(&mut self, points: u64) {
        let body = json!({ "frameId": FRAME, "maxUses": 1 });
        let link = self.api.post("/link/create", &body).await.expect(201).json();
        self.link = self.api.with_token(link["token"].as_str());
        link["magicLinkUrl"].as_str().expect("a URL").clone_into(&mut self.url);
        self.open_page().await;
        self.browser().wait_for_worker().await;
        // At which actions something ends; the closing is the last one.
        let mut moments = vec![0_u64; ACTIONS.len() + 1];
        for _ in 0..points {
            let moment = self.random.below(moments.len() as u64);
            moments[usize::try_from(moment).expect("small")] += 1;
        }
        let mut promised: BTreeMap<String, Kept> = BTreeMap::new();
        for ((step, action), ends) in ACTIONS.into_iter().zip(&moments) {
            let before = promised.len();
            let mut ends = *ends;
            while promised.len() == before {
                let cut = (ends > 0).then(|| self.random.below(6));
                self.act(step, action, cut).await;
                if ends > 0 {
                    self.end_something().await;
                    ends -= 1;
                }
                // Without an end in between, the page keeps what the person does.
                let patience = if cut.is_none() { AMPLE } else { SETTLED };
                let store = self.settled_store(before, patience).await;
                for (id, kept) in &promised {
                    assert_eq!(store.get(id), Some(kept), "a kept capture is not on the device any more");
                }
                assert!(cut.is_some() || store.len() > before, "the page has not kept step {step}");
                promised = store;
                assert!(promised.len() <= before + 1, "a capture was doubled: {promised:?}");
            }
            for _ in 0..ends {
                self.end_something().await;
            }
        }
        self.close(&promised, moments[ACTIONS.len()]).await;
    }

    async fn open_page(&self) {
        self.browser().open(&self.url).await;
        self.browser().wait_for_text("Front of the house").await;
    }

    /// Does what the person would do, or only the first `cut` parts of it.
    async fn act(&mut self, step: i64, action: Action, cut: Option<u64>) {
        let browser = self.browser();
        let open = || browser.run("location.hash = arguments[0]", json!([format!("#step-{step}")]));
        browser.run("location.hash = ''", json!([])).await;
        open().await;
        let mut parts: Vec<(&str, Option<String>)> = match action {
            Action::Enter(value) => vec![("#entry", Some(value.to_owned())), ("#save-entry", None)],
            Action::Photograph => vec![("#camera", None), ("#shutter", None), ("#keep", None)],
            Action::Sign => vec![("#mode", None), ("#typed", Some("Flora Martinel".to_owned())), ("#use", None)],
            Action::Choose => {
                let field = if step == VIDEO { "#system-camera" } else { "#choose-file" };
                let file = self.files.path(step).display().to_string();
                vec![(field, Some(file)), ("#keep", None)]
            }
        };
        // A draft of the last try is shown again.
        if self.has_draft(step).await {
            if matches!(action, Action::Sign) {
                // The person had decided to use it, so the page keeps it by itself.
                let kept = async || (!self.has_draft(step).await).then_some(());
                return eventually("the signature is kept", AMPLE, kept).await;
            }
            parts = vec![("#look-now", None), ("#keep", None)];
        }
        let count = cut.map_or(parts.len(), |cut| usize::try_from(cut).expect("small").min(parts.len()));
        for (selector, text) in parts.iter().take(count) {
            match text {
                Some(text) if selector.starts_with("#c") || selector.starts_with("#s") => {
                    browser.enter(&format!("input[type=file]{selector}, {selector} input[type=file]"), text).await;
                }
                Some(text) => browser.enter(selector, text).await,
                None => browser.click(selector).await,
            }
        }
    }

    /// Ends one of the four, a moment from now, and brings it back.
    async fn end_something(&mut self) {
        tokio::time::sleep(Duration::from_millis(self.random.below(1500))).await;
        let away = Duration::from_millis(self.random.below(2000));
        let what = match self.random.below(4) {
            0 => {
                let browser = self.browser.take().expect("a browser");
                self.browser = Some(browser.crash().await);
                self.open_page().await;
                "browser"
            }
            1 => {
                self.browser().replace_tab().await;
                self.open_page().await;
                "tab"
            }
            2 => {
                self.browser().set_offline(true).await;
                tokio::time::sleep(away).await;
                self.browser().set_offline(false).await;
                "network"
            }
            _ => {
                self.server.kill();
                tokio::time::sleep(away).await;
                self.server.restart().await;
                "server"
            }
        };
        *self.ended.entry(what).or_default() += 1;
    }

    /// The captures that the page has kept, by identifier.
    async fn store(&self) -> BTreeMap<String, Kept> {
        let captures = self.captures().await;
        let kept = captures.iter().filter(|capture| capture["state"] != "draft").map(|capture| {
            assert_ne!(capture["state"], "refused", "{capture}");
            let content = if capture["media"].is_null() { &capture["data"] } else { &capture["sha256"] };
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let kept = Kept { step: capture["stepId"].as_i64().expect("a step"), content: text(content) };
            (text(&capture["captureId"]), kept)
        });
        kept.collect()
    }

    /// The store once it has more than `before` captures, or after `limit`.
    async fn settled_store(&self, before: usize, limit: Duration) -> BTreeMap<String, Kept> {
        let started = Instant::now();
        loop {
            let store = self.store().await;
            if store.len() > before || started.elapsed() > limit {
                return store;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn has_draft(&self, step: i64) -> bool {
        self.captures().await.iter().any(|capture| capture["stepId"] == step && capture["state"] == "draft")
    }

    /// All captures of the link in the device's store.
    async fn captures(&self) -> Vec<Value> {
        let read = "const done = arguments[arguments.length - 1];
            const opening = indexedDB.open('sealwright-capture');
            opening.onsuccess = () => {
                const db = opening.result;
                const reading = db.transaction('captures').objectStore('captures').getAll();
                reading.onsuccess = () => {
                    db.close();
                    done(reading.result.map(({ thumbnail, ...capture }) => capture));
                };
                reading.onerror = () => done([]);
            };";
        let all = self.browser().run_async(read, json!([])).await;
        let open = self.browser().run("return location.pathname", json!([])).await;
        assert!(open.as_str().is_some_and(|path| path.contains("/link/")), "{open}");
        let name = name_of(self.url.rsplit('/').next().expect("a token"));
        let all = all.as_array().expect("a list").iter();
        all.filter(|capture| capture["link"] == name.as_str()).cloned().collect()
    }

    async fn close(&mut self, promised: &BTreeMap<String, Kept>, mut ends: u64) {
        eventually("everything has arrived", AMPLE * 3, async || {
            let captures = self.captures().await;
            captures.iter().all(|capture| capture["state"] == "done").then_some(())
        })
        .await;
        for capture in self.captures().await {
            check_receipt(&capture);
        }
        let case = self.link.get("/v2/capture").await.expect(200).json()["openCases"][0]["caseId"].clone();
        let seen = self.link.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
        assert_stored(&seen, promised);
        // Something may end while the person closes.
        loop {
            self.browser().run("location.hash = '#review'", json!([])).await;
            self.browser().click("#close").await;
            self.browser().click("#close-now").await;
            if ends == 0 {
                break;
            }
            self.end_something().await;
            ends -= 1;
            if self.link.get(&format!("/v2/capture/cases/{case}")).await.status == 403 {
                break;
            }
        }
        eventually("the page shows the certificate's address", AMPLE, async || {
            let shown =
                self.browser().run("return document.querySelector('#certificate')?.href ?? ''", json!([])).await;
            shown.as_str().filter(|address| address.contains("/share/case/")).map(str::to_owned)
        })
        .await;
        self.check_certificate(promised).await;
    }

    /// The certificate is valid, and its capture records are one unbroken session with all files.
    async fn check_certificate(&self, promised: &BTreeMap<String, Kept>) {
        let address = self.browser().run("return document.querySelector('#certificate').href", json!([])).await;
        let address = address.as_str().expect("an address").to_owned();
        // Of a video of 60 MB, on a machine that does other work.
        let pdf = eventually("the certificate", 3 * AMPLE, async || {
            let answer = self.api.with_token(None).get(&address).await;
            (answer.status == 200).then_some(answer.body)
        })
        .await;
        let path = self.server.folder().join("certificate.pdf");
        fs::write(&path, pdf).expect("write the certificate");
        let (path, data) = (path.display().to_string(), self.server.data_dir().display().to_string());
        let output = self.server.run(&["verify", &path, "--data-dir", &data, "--json"]);
        assert!(output.status.success(), "{output:?}");
        let facts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let files = promised.values().filter(|kept| ![TEXT_FIELD, NUMBER_FIELD, EMAIL].contains(&kept.step)).count();
        let captures = &facts["captures"];
        assert_eq!((&captures["recorded"], &captures["unrecorded"]), (&json!(files), &json!(0)), "{captures}");
        assert_eq!(captures["sessions"].as_array().map(Vec::len), Some(1), "{captures}");
        assert_eq!(captures["sessions"][0]["missing"], json!([]), "{captures}");
        assert_eq!(captures["sessions"][0]["isEnded"], true, "{captures}");
    }
}

/// How the page names a link in the device's store.
fn name_of(token: &str) -> String {
    hex::encode(Sha256::digest(format!("sealwright-capture {token}")))[..32].to_owned()
}

/// Each promised capture is one item with the same content, and there is no other item.
fn assert_stored(case: &Value, promised: &BTreeMap<String, Kept>) {
    let items = case["items"].as_array().expect("a list");
    let stored = items.iter().map(|item| {
        let content = if item["sha256"].is_null() { &item["data"] } else { &item["sha256"] };
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let kept = Kept { step: item["stepId"].as_i64().expect("a step"), content: text(content) };
        (text(&item["captureId"]), kept)
    });
    assert_eq!(&stored.collect::<BTreeMap<_, _>>(), promised);
    assert_eq!(items.len(), promised.len());
}

/// A file's receipt states what the device computed at the shutter.
fn check_receipt(capture: &Value) {
    let Some(receipt) = capture["receipt"].as_str() else {
        assert!(capture["media"].is_null(), "a file without a receipt: {capture}");
        return;
    };
    let payload = BASE64_URL_SAFE_NO_PAD.decode(receipt.split('.').nth(1).expect("a JWS")).expect("base64url");
    let payload: Value = serde_json::from_slice(&payload).expect("JSON");
    for member in ["captureId", "sha256", "size", "stepId"] {
        assert_eq!(payload[member], capture[member], "{member}");
    }
}
