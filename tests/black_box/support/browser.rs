//! A real browser, driven by W3C `WebDriver`: Debian's Chromium, Firefox ESR or `WebKitGTK`, each with a profile of its own.

mod engine;
mod keyboard;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::{Client, Method};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};
use tempfile::TempDir;

use self::engine::Driver;
pub(crate) use self::{
    engine::{Engine, POSITION},
    keyboard::{ARROW_DOWN, ARROW_UP, ENTER, ESCAPE, SPACE},
};
use super::{AMPLE, Api};

/// How `WebDriver` names an element in its answers (W3C `WebDriver`, section 12.2).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// How elements are found by a selector (W3C `WebDriver`, section 12.3.1).
const CSS: &str = "css selector";

/// Whether Chromium and its driver are installed. If not, says so.
pub(crate) fn is_there() -> bool {
    Engine::Chromium.is_there()
}

/// A browser. Dropping it ends all its processes.
pub(crate) struct Browser {
    engine: Engine,
    driver: Driver,
    http: Client,
    /// The address of the session.
    session: String,
    /// The browser's main process, if the driver says which one it is.
    process: Option<Pid>,
    profile: TempDir,
}

impl Browser {
    /// A Chromium that has never been used, 390 pixels wide, in English.
    pub(crate) async fn start() -> Self {
        Self::start_engine(Engine::Chromium).await
    }

    /// A browser that has never been used, in English.
    pub(crate) async fn start_engine(engine: Engine) -> Self {
        Self::start_with(engine, tempfile::tempdir().expect("a folder for the profile")).await
    }

    async fn start_with(engine: Engine, profile: TempDir) -> Self {
        // The same TLS provider as the client's, even for plain http.
        drop(Api::new("http://127.0.0.1", None));
        let driver = engine.start_driver();
        let http = Client::builder().no_proxy().tls_certs_only([]).timeout(AMPLE).build();
        let http = http.expect("build the HTTP client");
        let session = format!("http://127.0.0.1:{}/session", driver.port);
        let mut browser = Self { engine, driver, http, session, process: None, profile };
        let answer = browser.call(Method::POST, "", &engine.capabilities(browser.profile.path())).await;
        browser.session = format!("{}/{}", browser.session, answer["sessionId"].as_str().expect("a session"));
        if let Some(name) = engine.process_capability() {
            let process = answer["capabilities"][name].as_i64().and_then(|id| i32::try_from(id).ok());
            browser.process = process.and_then(Pid::from_raw);
            assert!(browser.process.is_some(), "the driver does not say which process the browser is: {answer}");
        }
        if engine == Engine::Chromium {
            let permissions = json!({ "permissions": ["geolocation", "videoCapture"] });
            browser.control("Browser.grantPermissions", permissions).await;
            browser.place().await;
        }
        browser
    }

    /// Gives the tab a position.
    async fn place(&self) {
        let (latitude, longitude) = POSITION;
        let position = json!({ "latitude": latitude, "longitude": longitude, "accuracy": 7 });
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
        for lock in ["SingletonLock", "SingletonCookie", "SingletonSocket", "lock", ".parentlock"] {
            let _ = std::fs::remove_file(profile.path().join(lock));
        }
        Self::start_with(self.engine, profile).await
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
        let shows = async || self.text().await.contains(text).then_some(());
        self.soon(&format!("{text} is shown"), shows).await;
    }

    /// Calls `attempt` until it returns a value, for an ample time.
    ///
    /// If that is exceeded: the message has what the page shows.
    pub(crate) async fn soon<T>(&self, awaited: &str, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
        let started = Instant::now();
        loop {
            if let Some(result) = attempt().await {
                return result;
            }
            let is_late = started.elapsed() > AMPLE;
            assert!(!is_late, "{awaited}: not within {AMPLE:?}. The page shows: {}", self.text().await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the page has an element that the selector finds.
    pub(crate) async fn wait_for(&self, selector: &str) {
        let query = "return document.querySelector(arguments[0]) !== null";
        self.soon(&format!("{selector} is in the page"), async || {
            (self.run(query, json!([selector])).await == json!(true)).then_some(())
        })
        .await;
    }

    /// Waits until the service worker keeps the page for the time without a network.
    pub(crate) async fn wait_for_worker(&self) {
        self.soon("the service worker keeps the page", async || {
            let kept = self.run("return navigator.serviceWorker.controller !== null", json!([])).await;
            (kept == json!(true)).then_some(())
        })
        .await;
    }

    /// Clicks the element that the selector finds, as soon as it is there, visible and enabled.
    pub(crate) async fn click(&self, selector: &str) {
        self.click_found(CSS, selector).await;
    }

    /// Clicks the link, the button or the fold that has exactly this text, as soon as it is there, visible and enabled.
    pub(crate) async fn click_named(&self, name: &str) {
        let path = format!("//*[self::a or self::button or self::summary][normalize-space() = \"{name}\"]");
        self.click_found("xpath", &path).await;
    }

    async fn click_found(&self, strategy: &str, value: &str) {
        self.soon(&format!("{value} can be clicked"), async || {
            let element = self.find(strategy, value).await?;
            let path = format!("/element/{element}/click");
            let enabled = self.try_call(Method::GET, &format!("/element/{element}/enabled"), &json!({})).await;
            (enabled == Ok(json!(true))).then_some(())?;
            // The bar at the bottom may be over it.
            let script = "arguments[0].scrollIntoView({ block: 'center' })";
            // The page may have replaced the element since it was found.
            let scroll = json!({ "script": script, "args": [{ ELEMENT: element }] });
            self.try_call(Method::POST, "/execute/sync", &scroll).await.ok()?;
            self.try_call(Method::POST, &path, &json!({})).await.ok()
        })
        .await;
    }

    /// Types into the element that the selector finds. For a file field, `text` is the path of a file.
    pub(crate) async fn enter(&self, selector: &str, text: &str) {
        self.soon(&format!("{selector} takes a text"), async || {
            let element = self.find(CSS, selector).await?;
            self.try_call(Method::POST, &format!("/element/{element}/value"), &json!({ "text": text })).await.ok()
        })
        .await;
    }

    async fn find(&self, strategy: &str, value: &str) -> Option<String> {
        let query = json!({ "using": strategy, "value": value });
        let found = self.try_call(Method::POST, "/element", &query).await.ok()?;
        found[ELEMENT].as_str().map(str::to_owned)
    }

    /// Writes a picture of the page to `<target>/screens/<name>.png`, to be looked at.
    pub(crate) async fn picture(&self, name: &str) {
        self.picture_in(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens"), name).await;
    }

    pub(crate) async fn picture_in(&self, folder: &Path, name: &str) {
        let encoded = self.call(Method::GET, "/screenshot", &json!({})).await;
        let bytes = STANDARD.decode(encoded.as_str().expect("Base64")).expect("Base64");
        std::fs::create_dir_all(folder).expect("make the folder");
        std::fs::write(folder.join(format!("{name}.png")), bytes).expect("write the picture");
    }

    /// The identifier of the browser's main process.
    pub(crate) fn pid(&self) -> Pid {
        self.process.expect("the driver says which process the browser is")
    }

    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            let _ = kill_process(process, Signal::KILL);
        }
        // They may have ended by themselves; there is nothing left to do then. The group of a driver has its browser.
        for child in std::iter::once(&mut self.driver.process).chain(&mut self.driver.screen) {
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            let _ = child.wait();
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.end();
    }
}
