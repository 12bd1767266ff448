//! The three engines: how each driver is started, what it is asked for, and what it leaves on the machine.

use std::{
    env,
    io::{BufRead as _, BufReader, Read as _},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Instant,
};

use serde_json::{Value, json};

use crate::support::{AMPLE, ports, skip_loudly};

/// The position that a browser with a made-up one reports.
pub(crate) const POSITION: (f64, f64) = (45.764, 4.8357);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// Debian's Chromium, with a made-up camera and position.
    Chromium,
    /// Debian's Firefox ESR, driven by the crate `geckodriver`, with a made-up camera and position.
    Firefox,
    /// `WebKitGTK` in its test browser, with a made-up camera and without a position.
    WebKit,
}

/// The flags of Chromium.
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

/// The test browser of `WebKitGTK` has no entry in `PATH`; the folder has the version of its interface in its name.
const WEBKIT: [&str; 2] = ["webkit2gtk-4.1/MiniBrowser", "webkit2gtk-4.0/MiniBrowser"];

/// A driver that listens.
pub(super) struct Driver {
    pub(super) process: Child,
    pub(super) port: u16,
    /// The screen of a browser that cannot do without one.
    pub(super) screen: Option<Child>,
}

impl Engine {
    /// Whether the browser and its driver are installed. If not, says so.
    pub(crate) fn is_there(self) -> bool {
        let (found, packages) = match self {
            Self::Chromium => (
                program("chromium").is_some() && program("chromedriver").is_some(),
                "chromium and chromium-driver are not installed",
            ),
            Self::Firefox => (
                program("firefox-esr").is_some() && geckodriver().is_some(),
                "firefox-esr and geckodriver are not installed",
            ),
            Self::WebKit => (
                program("WebKitWebDriver").is_some() && program("Xvfb").is_some() && mini_browser().is_some(),
                "webkit2gtk-driver and xvfb are not installed",
            ),
        };
        if !found {
            skip_loudly(packages);
        }
        found
    }

    pub(super) fn start_driver(self) -> Driver {
        match self {
            Self::Chromium => start_talkative("chromedriver".as_ref(), "successfully on port "),
            Self::Firefox => start_talkative(&geckodriver().expect("geckodriver"), "Listening on 127.0.0.1:"),
            Self::WebKit => start_webkit_driver(),
        }
    }

    /// What a session is asked for: a browser in English, with the profile in this folder.
    pub(super) fn capabilities(self, profile: &Path) -> Value {
        let specific = match self {
            Self::Chromium => {
                let folder = format!("--user-data-dir={}", profile.display());
                let arguments: Vec<&str> =
                    FLAGS.into_iter().chain([folder.as_str(), "--window-size=390,844"]).collect();
                json!({ "goog:chromeOptions": { "args": arguments, "prefs": { "intl.accept_languages": "en" } } })
            }
            Self::Firefox => json!({ "moz:firefoxOptions": {
                "binary": program("firefox-esr").expect("Firefox is installed"),
                "args": ["-headless", "-profile", profile, "--width=390", "--height=844"],
                "prefs": firefox_settings(),
            } }),
            Self::WebKit => json!({ "webkitgtk:browserOptions": {
                "binary": mini_browser().expect("WebKitGTK is installed"),
                "args": ["--automation", "--enable-media-stream=true", "--enable-mock-capture-devices=true"],
            } }),
        };
        let mut wanted = json!({ "unhandledPromptBehavior": "accept" });
        for (name, value) in specific.as_object().expect("an object") {
            wanted[name] = value.clone();
        }
        json!({ "capabilities": { "alwaysMatch": wanted } })
    }

    /// Which capability of a session is the identifier of the browser's main process.
    pub(super) fn process_capability(self) -> Option<&'static str> {
        match self {
            Self::Chromium => Some("goog:processID"),
            Self::Firefox => Some("moz:processID"),
            Self::WebKit => None,
        }
    }
}

/// The position service of Firefox is an address; this one is its own answer.
fn firefox_settings() -> Value {
    let (latitude, longitude) = POSITION;
    let place = json!({ "location": { "lat": latitude, "lng": longitude }, "accuracy": 7.0 });
    json!({
        "intl.accept_languages": "en",
        "media.navigator.streams.fake": true,
        "media.navigator.permission.disabled": true,
        "permissions.default.geo": 1,
        "geo.enabled": true,
        "geo.provider.testing": true,
        "geo.provider.network.url": format!("data:application/json,{place}"),
        // Nothing from other hosts.
        "app.update.enabled": false,
        "browser.safebrowsing.update.enabled": false,
        "datareporting.policy.dataSubmissionEnabled": false,
        "network.captive-portal-service.enabled": false,
        "network.connectivity-service.enabled": false,
        "services.settings.server": "data:,",
    })
}

fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Debian has no package of geckodriver: `cargo xtask test` installs the crate in the target folder.
fn geckodriver() -> Option<PathBuf> {
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("tools/bin/geckodriver");
    program("geckodriver").or_else(|| installed.is_file().then_some(installed))
}

fn mini_browser() -> Option<PathBuf> {
    let libraries = std::fs::read_dir("/usr/lib").ok()?.filter_map(Result::ok);
    let mut paths = libraries.flat_map(|folder| WEBKIT.map(|name| folder.path().join(name)));
    paths.find(|path| path.is_file())
}

/// How often a driver is started that ends before it listens.
const MOST_STARTS: usize = 10;

/// Starts a driver that chooses a port and prints it after `words`.
fn start_talkative(program: &Path, words: &str) -> Driver {
    // Chromium's driver wants the same port for IPv4 and IPv6, and ends if another program has one of the two.
    let mut starts = (0..MOST_STARTS).map(|_| try_talkative(program, words));
    starts.find_map(|driver| driver).unwrap_or_else(|| panic!("{} does not print its port", program.display()))
}

/// None if the driver ends before it has printed a port.
fn try_talkative(program: &Path, words: &str) -> Option<Driver> {
    let mut command = Command::new(program);
    command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut process = command.spawn().unwrap_or_else(|error| panic!("start {}: {error}", program.display()));
    let mut lines = BufReader::new(process.stdout.take().expect("its output is a pipe")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let digits: String = line.split_once(words)?.1.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    });
    let Some(port) = port else {
        process.wait().expect("wait for the driver");
        return None;
    };
    // It prints more, and must not wait for a reader.
    std::thread::spawn(move || lines.for_each(drop));
    Some(Driver { process, port, screen: None })
}

/// Starts the driver of `WebKitGTK`, which prints nothing, and a screen for its browser.
fn start_webkit_driver() -> Driver {
    let (screen, display) = start_screen();
    let started = Instant::now();
    loop {
        // Another program may take the port in between. Then the driver ends, and the next port is tried.
        let port = ports::next_address().port();
        let mut command = Command::new("WebKitWebDriver");
        command.args([format!("--port={port}"), "--host=127.0.0.1".to_owned()]).process_group(0);
        command.env("DISPLAY", &display).env_remove("WAYLAND_DISPLAY").env("LC_ALL", "C.UTF-8");
        // A virtual screen has no graphics card.
        command.env("WEBKIT_DISABLE_COMPOSITING_MODE", "1").env("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn().expect("start WebKitWebDriver");
        loop {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Driver { process, port, screen: Some(screen) };
            }
            assert!(started.elapsed() < AMPLE, "WebKitWebDriver does not listen");
            if process.try_wait().expect("ask for the driver's state").is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

/// A virtual screen, and its name. It chooses a free number by itself, and prints it.
fn start_screen() -> (Child, String) {
    let mut command = Command::new("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", "800x1024x24", "-nolisten", "tcp"]).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut screen = command.spawn().expect("start Xvfb");
    let mut number = String::new();
    let mut output = screen.stdout.take().expect("its output is a pipe");
    let mut byte = [0];
    while output.read_exact(&mut byte).is_ok() && byte != *b"\n" {
        number.push(char::from(byte[0]));
    }
    assert!(!number.is_empty(), "Xvfb does not print the number of its screen");
    (screen, format!(":{number}"))
}
