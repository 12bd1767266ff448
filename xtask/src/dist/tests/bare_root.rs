//! The Debian package in a whole Debian of its own. apt installs it with what it depends on. The server runs as its
//! user and seals a case. Then the package is upgraded, removed and purged. systemd does not run there.
//!
//! `SEALWRIGHT_TEST_DEBIAN_ROOT` names a root that was made with `debootstrap --variant=minbase bookworm ROOT`. The
//! test works on a copy. It needs root, namespaces, and a mirror of Debian that apt reaches.

use std::{
    net::TcpListener,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;
use ureq::Agent;

use super::*;

const SETTING: &str = "SEALWRIGHT_TEST_DEBIAN_ROOT";
/// Of the demo's company (host/demo/company.toml): its frame, and the step with a text.
const FRAME: i64 = 10;
const TEXT: i64 = 102;
/// How long a server of a debug build may take to start on a busy machine.
const START: Duration = Duration::from_mins(2);

/// A root, entered with a process tree and mounts of its own, which end with the process.
struct BareRoot {
    folder: PathBuf,
    port: u16,
}

/// A running server in a root.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // The processes of its namespace end with it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl BareRoot {
    fn command(&self, script: &str) -> Command {
        const ENTER: &str = r#"mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -ec "$2""#;
        let mut command = Command::new("unshare");
        command.args(["--pid", "--fork", "--kill-child", "--mount", "sh", "-c", ENTER, "sh"]);
        command.arg(&self.folder).arg(script).stdin(Stdio::null());
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("DEBIAN_FRONTEND", "noninteractive");
        command
    }

    fn run(&self, script: &str) -> String {
        run(&mut self.command(script))
    }

    /// A command of the program, run as the package's user like the unit runs it.
    fn sealwright(arguments: &str) -> String {
        format!(
            "cd /var/lib/sealwright && umask 077 && exec setpriv --reuid=sealwright --regid=sealwright --init-groups \
             sealwright {arguments} --config /etc/sealwright/sealwright.toml"
        )
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn serve(&self, agent: &Agent) -> Running {
        let log = fs::File::create(self.folder.join("server.log")).unwrap();
        let mut command = self.command(&Self::sealwright("serve"));
        command.stdout(log.try_clone().unwrap()).stderr(log);
        let running = Running(command.spawn().unwrap());
        let started = Instant::now();
        while !agent.get(self.url("/readyz")).call().is_ok_and(|answer| answer.status() == 200) {
            let log = || fs::read_to_string(self.folder.join("server.log")).unwrap_or_default();
            assert!(started.elapsed() < START, "the server does not start:\n{}", log());
            thread::sleep(Duration::from_millis(200));
        }
        running
    }

    /// Seals a case, and returns the path of its certificate.
    fn seal_a_case(&self, agent: &Agent) -> String {
        let post = |path: &str, token: &str, body: Value| -> Value {
            let mut request = agent.post(self.url(path));
            if !token.is_empty() {
                request = request.header("authorization", format!("Bearer {token}"));
            }
            let mut answer = request.send_json(&body).unwrap_or_else(|error| panic!("{path}: {error}"));
            answer.body_mut().read_json().unwrap()
        };
        let credentials = json!({ "username": "demo-api", "password": "demo-password" });
        let signed_in = post("/auth/token", "", credentials);
        let token = signed_in["token"].as_str().unwrap();
        let opened = post("/cases/create", token, json!({ "frameId": FRAME, "title": "Burst pipe" }));
        let case = opened["id"].as_i64().unwrap();
        let entry = json!({
            "caseId": case, "stepId": TEXT, "data": "It was raining.", "clientAppName": "test",
            "clientAppVersion": "1", "frontCreatedAt": "2026-11-20T10:00:00+01:00",
        });
        post("/v2/items/create", token, entry);
        let close = agent.get(self.url(&format!("/cases/close/{case}")));
        let mut closed = close.header("authorization", format!("Bearer {token}")).call().unwrap();
        let closed: Value = closed.body_mut().read_json().unwrap();
        let url = closed["pdfUrl"].as_str().unwrap();
        url.strip_prefix(&self.url("")).unwrap_or_else(|| panic!("{url}")).to_owned()
    }

    /// Reads a certificate and checks it with the installed program.
    fn check(&self, agent: &Agent, certificate: &str) {
        let mut answer = agent.get(self.url(certificate)).call().unwrap();
        fs::write(self.folder.join("certificate.pdf"), answer.body_mut().read_to_vec().unwrap()).unwrap();
        let report = self.run(&Self::sealwright("verify /certificate.pdf --json"));
        assert!(report.contains("\"valid\""), "{report}");
    }
}

#[test]
fn the_debian_package_is_installed_by_apt_and_seals_a_case_in_a_root_of_debootstrap() {
    let Some(original) = env::var_os(SETTING).map(PathBuf::from) else {
        return eprintln!("SKIPPED, NOT TESTED: {SETTING} does not name a root that debootstrap made");
    };
    assert!(original.join("usr/bin/apt-get").is_file(), "{} is not a Debian", original.display());
    let Some(mut release) = release() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("sealwright");
    run(Command::new("strip").arg("-o").arg(&program).arg(&release.program));
    (release.program, release.compression) = (program, 1);
    let root = BareRoot {
        folder: folder.path().join("root"),
        port: TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port(),
    };
    let admin = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    run(Command::new("cp").arg("-a").arg(&original).arg(&root.folder));
    for version in ["0.1.0-rc.1", "0.1.0"] {
        version.clone_into(&mut release.version);
        let package = debian::package(&release, b"{}").unwrap();
        fs::write(root.folder.join(format!("sealwright-{version}.deb")), package).unwrap();
    }
    let apt = "apt-get -qq install --yes --no-install-recommends";
    let agent: Agent =
        Agent::config_builder().timeout_global(Some(Duration::from_mins(1))).proxy(None).build().new_agent();

    root.run(&format!("apt-get -qq update && {apt} /sealwright-0.1.0-rc.1.deb"));
    // Another port than on a real machine, which may have a server already.
    let path = root.folder.join("etc/sealwright/sealwright.toml");
    let settings = fs::read_to_string(&path).unwrap();
    let port = root.port;
    let addresses = format!("listen = \"127.0.0.1:{port}\"\nadmin_listen = \"127.0.0.1:{admin}\"\n");
    let changed =
        settings.replacen("#listen = ", &format!("{addresses}base_url = \"{}\"\n#listen = ", root.url("")), 1);
    assert_ne!(changed, settings);
    fs::write(&path, &changed).unwrap();
    fs::copy(release.root.join("host/demo/company.toml"), root.folder.join("company.toml")).unwrap();

    let server = root.serve(&agent);
    root.run(&BareRoot::sealwright("apply /company.toml"));
    let certificate = root.seal_a_case(&agent);
    root.check(&agent, &certificate);
    drop(server);

    root.run(&format!("{apt} /sealwright-0.1.0.deb"));
    assert_eq!(fs::read_to_string(&path).unwrap(), changed, "an upgrade keeps the settings");
    let server = root.serve(&agent);
    root.check(&agent, &certificate);
    let another = root.seal_a_case(&agent);
    root.check(&agent, &another);
    drop(server);

    root.run("apt-get -qq remove --yes sealwright");
    assert!(!root.folder.join("usr/bin/sealwright").exists() && path.is_file());
    let printed = root.run("apt-get -qq purge --yes sealwright");
    assert!(printed.contains("the data in /var/lib/sealwright"), "{printed}");
    assert!(!path.exists() && root.folder.join("var/lib/sealwright/sealwright.db").is_file());
    assert!(root.folder.join("var/lib/sealwright/secret.key").is_file());
}
