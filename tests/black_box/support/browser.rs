//! A real browser: Debian's Chromium without a window, driven by `chromedriver` (W3C `WebDriver`). It has a made-up camera
//! and position.

use std::{
    env,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::{Client, Method};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{AMPLE, Api, eventually};

/// How `WebDriver` names an element in its answers (W3C `WebDriver`, section 12.2).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const FLAGS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
];

/// Whether Chromium and its driver are installed. If not, says so.
pub(crate) fn is_there() -> bool {
    let found = program("chromium").is_some() && program("chromedriver").is_some();
    if !found {
        super::skip_loudly("chromium and chromium-driver are not installed");
    }
    found
}

fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// A browser with a profile of its own. Dropping it ends both processes.
pub(crate) struct Browser {
    driver: Child,
    http: Client,
    /// The address of the session.
    session: String,
    /// The browser's main process.
    process: Option<Pid>,
    profile: TempDir,
}

impl Browser {
    /// A browser that has never been used, 390 pixels wide, in English.
    pub(crate) async fn start() -> Self {
        Self::start_with(tempfile::tempdir().expect("a folder for the profile")).await
    }

    async fn start_with(profile: TempDir) -> Self {
        // The same TLS provider as the client's, even for plain http.
        drop(Api::new("http://127.0.0.1", None));
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("start chromedriver");
        let mut lines = BufReader::new(driver.stdout.take().expect("its output is a pipe")).lines();
        let port: u16 = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok())
            .expect("chromedriver prints its port");
        // It prints more, and must not wait for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let http = Client::builder().no_proxy().timeout(AMPLE).build().expect("build the HTTP client");
        let mut browser =
            Self { driver, http, session: format!("http://127.0.0.1:{port}/session"), process: None, profile };
        let folder = format!("--user-data-dir={}", browser.profile.path().display());
        let arguments: Vec<&str> = FLAGS.into_iter().chain([folder.as_str(), "--window-size=390,844"]).collect();
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "unhandledPromptBehavior": "accept",
            "goog:chromeOptions": { "args": arguments, "prefs": { "intl.accept_languages": "en" } },
        } } });
        let answer = browser.call(Method::POST, "", &capabilities).await;
        browser.session = format!("{}/{}", browser.session, answer["sessionId"].as_str().expect("a session"));
        let process = answer["capabilities"]["goog:processID"].as_i64().and_then(|id| i32::try_from(id).ok());
        browser.process = process.and_then(Pid::from_raw);
        assert!(browser.process.is_some(), "chromedriver does not say which process the browser is: {answer}");
        browser.control("Browser.grantPermissions", json!({ "permissions": ["geolocation", "videoCapture"] })).await;
        browser.place().await;
        browser
    }

    /// Gives the tab a position.
    async fn place(&self) {
        let position = json!({ "latitude": 45.764, "longitude": 4.8357, "accuracy": 7 });
        self.control("Emulation.setGeolocationOverride", position).await;
    }

    /// Closes the tab, without asking the page, and opens an empty one.
    pub(crate) async fn replace_tab(&self) {
        let tab = self.call(Method::POST, "/window/new", &json!({ "type": "tab" })).await["handle"].clone();
        self.call(Method::DELETE, "/window", &json!({})).await;
        self.call(Method::POST, "/window", &json!({ "handle": tab })).await;
        self.place().await;
    }

    /// Takes the network from the tab, or gives it back.
    pub(crate) async fn set_offline(&self, offline: bool) {
        let conditions = json!({
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.control("Network.emulateNetworkConditions", conditions).await;
    }

    /// Kills the browser like a telephone whose battery is empty, and starts it again with the same profile.
    pub(crate) async fn crash(mut self) -> Self {
        self.end();
        let profile = std::mem::replace(&mut self.profile, tempfile::tempdir().expect("a folder"));
        // The locks of the killed browser.
        for lock in ["SingletonLock", "SingletonCookie", "SingletonSocket"] {
            let _ = std::fs::remove_file(profile.path().join(lock));
        }
        Self::start_with(profile).await
    }

    async fn call(&self, method: Method, path: &str, body: &Value) -> Value {
        self.try_call(method, path, body).await.unwrap_or_else(|error| panic!("{path} {body}: {error}"))
    }

    /// The `value` of the answer; an error's description.
    async fn try_call(&self, method: Method, path: &str, body: &Value) -> Result<Value, String> {
        let request = self.http.request(method.clone(), format!("{}{path}", self.session));
        let request = if method == Method::GET { request } else { request.json(body) };
        let answer = request.send().await.map_err(|error| error.to_string())?;
        let is_success = answer.status().is_success();
        let mut answer: Value = answer.json().await.map_err(|error| error.to_string())?;
        let value = answer["value"].take();
        if is_success { Ok(value) } else { Err(value.to_string()) }
    }

    /// A command of the Chrome `DevTools` Protocol.
    pub(crate) async fn control(&self, command: &str, parameters: Value) -> Value {
        self.call(Method::POST, "/goog/cdp/execute", &json!({ "cmd": command, "params": parameters })).await
    }

    pub(crate) async fn open(&self, url: &str) {
        self.call(Method::POST, "/url", &json!({ "url": url })).await;
    }

    /// Runs a function's body in the page, and returns its result.
    pub(crate) async fn run(&self, script: &str, arguments: Value) -> Value {
        self.call(Method::POST, "/execute/sync", &json!({ "script": script, "args": arguments })).await
    }

    /// Runs a function's body in the page, and returns what it gives to its last argument, a function.
    pub(crate) async fn run_async(&self, script: &str, arguments: Value) -> Value {
        self.call(Method::POST, "/execute/async", &json!({ "script": script, "args": arguments })).await
    }

    /// The text that a person sees.
    pub(crate) async fn text(&self) -> String {
        self.run("return document.body.innerText", json!([])).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page shows `text`.
    pub(crate) async fn wait_for_text(&self, text: &str) {
        let mut last = String::new();
        for _ in 0..600 {
            last = self.text().await;
            if last.contains(text) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{text} is not shown: {last}");
    }

    /// Clicks the element that the selector finds, as soon as it is there, visible and enabled.
    pub(crate) async fn click(&self, selector: &str) {
        eventually(&format!("{selector} can be clicked"), AMPLE, async || {
            let element = self.find(selector).await?;
            let path = format!("/element/{element}/click");
            let enabled = self.try_call(Method::GET, &format!("/element/{element}/enabled"), &json!({})).await;
            (enabled == Ok(json!(true))).then_some(())?;
            // The bar at the bottom may be over it.
            let shown = "arguments[0].scrollIntoView({ block: 'center' })";
            self.run(shown, json!([{ ELEMENT: element }])).await;
            self.try_call(Method::POST, &path, &json!({})).await.ok()
        })
        .await;
    }

    /// Types into the element that the selector finds. For a file field, `text` is the path of a file.
    pub(crate) async fn enter(&self, selector: &str, text: &str) {
        eventually(&format!("{selector} takes a text"), AMPLE, async || {
            let element = self.find(selector).await?;
            self.try_call(Method::POST, &format!("/element/{element}/value"), &json!({ "text": text })).await.ok()
        })
        .await;
    }

    async fn find(&self, selector: &str) -> Option<String> {
        let query = json!({ "using": "css selector", "value": selector });
        let found = self.try_call(Method::POST, "/element", &query).await.ok()?;
        found[ELEMENT].as_str().map(str::to_owned)
    }

    /// Writes a picture of the page to `<target>/screens/<name>.png`, to be looked at.
    pub(crate) async fn picture(&self, name: &str) {
        let encoded = self.call(Method::GET, "/screenshot", &json!({})).await;
        let encoded = encoded.as_str().expect("Base64");
        let bytes = STANDARD.decode(encoded).expect("Base64");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens");
        std::fs::create_dir_all(&folder).expect("make the folder");
        std::fs::write(folder.join(name).with_extension("png"), bytes).expect("write the picture");
    }

    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            let _ = kill_process(process, Signal::KILL);
        }
        // It may have ended by itself; there is nothing left to do then.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.end();
    }
}
