//! An `OpenID` Connect provider that we have not written: the npm package `oidc-provider`, with its own pages.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use hyper::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;
use url::{Url, form_urlencoded};

use super::{
    Answer, Api, TestServer,
    client::send,
    issuer::{CLIENT_ID, CLIENT_SECRET},
    toolchains::node_modules,
};

const PACKAGES: &str = r#"{ "private": true, "devDependencies": { "oidc-provider": "9.13.3" } }"#;

/// A sign-in takes about five.
const MOST_STEPS: usize = 12;

/// The beginning of a field that the page has filled in.
const HIDDEN: &str = "type=\"hidden\" name=\"";

/// Listens until it is dropped.
pub(crate) struct OidcProvider {
    pub(crate) url: String,
    /// For `oidc-provider.mjs`.
    settings: Value,
    modules: PathBuf,
    folder: TempDir,
    process: Child,
}

impl OidcProvider {
    /// With one client, which is this server. `people` has the claims of each person by `sub`. Prints a warning and
    /// returns `None` if npm or its registry is unavailable.
    pub(crate) fn start(server: &TestServer, algorithm: &str, people: &Value) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("package.json"), PACKAGES).expect("write package.json");
        let modules = node_modules(folder.path(), "oidc-provider")?;
        let root = server.base_url();
        let settings = json!({
            "port": 0,
            "algorithm": algorithm,
            "client": {
                "client_id": CLIENT_ID,
                "client_secret": CLIENT_SECRET,
                "redirect_uris": [
                    format!("{root}/console/sign-in/openid/callback"),
                    format!("{root}/field/signed-in"),
                ],
                "post_logout_redirect_uris": [format!("{root}/console/sign-in")],
            },
            "people": people,
        });
        let (process, url) = launch(&settings, &modules, folder.path());
        Some(Self { url, settings, modules, folder, process })
    }

    /// Starts it again at the same address, with another key. It does not know any browser then.
    pub(crate) fn restart_with(&mut self, algorithm: &str) {
        self.stop();
        let url = Url::parse(&self.url).expect("an address");
        self.settings["port"] = json!(url.port());
        self.settings["algorithm"] = json!(algorithm);
        let (process, url) = launch(&self.settings, &self.modules, self.folder.path());
        self.process = process;
        assert_eq!(url, self.url);
    }

    /// The key with which it signs.
    pub(crate) async fn key(&self) -> Value {
        Api::new(&self.url, None).get("/jwks").await.expect(200).json()["keys"][0].clone()
    }

    fn stop(&mut self) {
        // It may have ended by itself; then there is nothing left to do.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for OidcProvider {
    fn drop(&mut self) {
        self.stop();
        if std::thread::panicking() {
            let log = fs::read_to_string(log_path(self.folder.path())).unwrap_or_default();
            eprintln!("--- log of oidc-provider ---\n{log}--- end of the log ---");
        }
    }
}

/// Returns the process and its address.
fn launch(settings: &Value, modules: &Path, folder: &Path) -> (Child, String) {
    let log = log_path(folder);
    let errors = File::options().create(true).append(true).open(&log).expect("open the log");
    let mut process = Command::new("node")
        .current_dir(modules.parent().expect("the folder of the packages"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/api/oidc-provider.mjs"))
        .arg(settings.to_string())
        // It ends with the test, even if that is killed.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .expect("start node");
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("read the address");
    let url = line.trim().to_owned();
    assert!(url.starts_with("http://"), "{}", fs::read_to_string(&log).unwrap_or_default());
    (process, url)
}

fn log_path(folder: &Path) -> PathBuf {
    folder.join("provider.log")
}

/// A browser at the provider, with its cookies. It follows addresses and fills in forms.
pub(crate) struct Visitor {
    api: Api,
    /// By name and path.
    cookies: HashMap<(String, String), String>,
    /// How many forms it has filled in.
    pub(crate) forms: u32,
}

impl Visitor {
    pub(crate) fn new(provider: &OidcProvider) -> Self {
        Self { api: Api::new(&provider.url, None), cookies: HashMap::new(), forms: 0 }
    }

    /// Visits an address of the provider, says yes to everything as `person`, and returns where the provider leads to in
    /// the end.
    pub(crate) async fn agree(&mut self, address: &str, person: &str) -> String {
        let mut answer = self.get(address).await;
        for _ in 0..MOST_STEPS {
            answer = match self.onward(&answer) {
                Some(onward) if self.is_here(&onward) => self.get(&onward).await,
                Some(onward) => return onward,
                None => self.fill_in(&answer.expect(200).text(), person).await,
            };
        }
        panic!("the provider leads on and on from {address}")
    }

    /// Visits an address of the provider, cancels at its first page, and returns where the provider leads to in the end.
    pub(crate) async fn cancel(&mut self, address: &str) -> String {
        let answer = self.get(address).await.expect(303);
        let page = self.onward(&answer).expect("the page of the sign-in");
        let page = self.get(&page).await.expect(200).text();
        let mut links = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let cancel = links.find(|link| link.ends_with("/abort")).expect("a link to cancel").to_owned();
        self.agree(&cancel, "").await
    }

    /// Where an answer leads to.
    fn onward(&self, answer: &Answer) -> Option<String> {
        let base = Url::parse(&self.api.base).expect("an address");
        Some(base.join(answer.header("location")?).expect("an address").into())
    }

    fn is_here(&self, address: &str) -> bool {
        address.strip_prefix(&self.api.base).is_some_and(|rest| rest.starts_with('/'))
    }

    async fn get(&mut self, address: &str) -> Answer {
        self.send(Method::GET, address, |request| request).await
    }

    /// Sends the form of a page.
    async fn fill_in(&mut self, page: &str, person: &str) -> Answer {
        self.forms += 1;
        let body = fields(page, person);
        let in_form =
            |request: RequestBuilder| request.header("content-type", "application/x-www-form-urlencoded").body(body);
        self.send(Method::POST, value_after(page, "action=\""), in_form).await
    }

    async fn send(
        &mut self,
        method: Method,
        address: &str,
        complete: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let url = Url::parse(address).expect("an address");
        let fitting = self.cookies.iter().filter(|((_, path), _)| url.path().starts_with(path.as_str()));
        let cookies: Vec<String> = fitting.map(|((name, _), value)| format!("{name}={value}")).collect();
        let request = self.api.request(method, address).header("cookie", cookies.join("; "));
        let answer = send(complete(request)).await;
        self.keep_cookies(&answer);
        answer
    }

    fn keep_cookies(&mut self, answer: &Answer) {
        for line in answer.headers.get_all("set-cookie") {
            let mut parts = line.to_str().expect("text").split("; ");
            let (name, value) = parts.next().and_then(|pair| pair.split_once('=')).expect("a cookie");
            let path = parts.find_map(|part| part.strip_prefix("path=")).expect("a path");
            let key = (name.to_owned(), path.to_owned());
            if value.is_empty() {
                self.cookies.remove(&key);
            } else {
                self.cookies.insert(key, value.to_owned());
            }
        }
    }
}

/// The only form of a page, filled in: the provider takes any password.
fn fields(page: &str, person: &str) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for hidden in page.split(HIDDEN).skip(1) {
        let name = hidden.split('"').next().expect("the first part");
        form.append_pair(name, value_after(hidden, "value=\""));
    }
    for (name, value) in [("login", person), ("password", "any"), ("logout", "yes")] {
        // Before another person signs in, the provider signs the first one out and asks no one: the answer is hidden.
        if page.contains(&format!("name=\"{name}\"")) && !page.contains(&format!("{HIDDEN}{name}\"")) {
            form.append_pair(name, value);
        }
    }
    form.finish()
}

/// The text in a page from `start` to the next quotation mark.
fn value_after<'p>(page: &'p str, start: &str) -> &'p str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("{start} is not in {page}"));
    rest.split('"').next().expect("the first part")
}
