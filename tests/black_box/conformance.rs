//! Checks the OpenAPI description with programs that know nothing else about the server: schemathesis sends thousands of
//! requests that the description allows, and a generated client takes a case from its token to its certificate.
//!
//! Both are Python programs (`tests/api/`). `.ci/run` installs them and names the interpreter in
//! `SEALWRIGHT_TEST_PYTHON`.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::support::{
    Database, TestServer,
    evidence::{identity_card, photo},
    skip_loudly,
};

const USERNAME: &str = "acme-api";
const PASSWORD: &str = "correct horse battery staple";
/// How long schemathesis asks where nothing else is said, in seconds.
const USUAL_SECONDS: u64 = 90;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_question_is_answered_outside_the_description() {
    let Some(python) = python() else { return };
    let server = acme().await;
    let token = server.sign_in(USERNAME, PASSWORD).await.token.unwrap();
    let (wanted, mut asked) = (number("SEALWRIGHT_TEST_FUZZ_REQUESTS").unwrap_or(1), 0);
    let mut seed = number("SEALWRIGHT_TEST_FUZZ_SEED").unwrap_or(1);
    while asked < wanted {
        let mut schemathesis = python_program(&python, "schemathesis.cli");
        schemathesis.arg("--config-file").arg(sources().join("schemathesis.toml"));
        schemathesis.args(["run", &format!("{}/openapi.json", server.base_url())]);
        schemathesis.args(["--header", &format!("Authorization: Bearer {token}")]);
        // What is right by the schema may still be refused: for a rule between fields, or for the state of a case. And a
        // request on a case that was just created is answered 404 if it names a step that does not exist.
        let excluded = "positive_data_acceptance,object_level_authorization,ensure_resource_availability";
        schemathesis.args(["--checks", "all", "--exclude-checks", excluded]);
        schemathesis.args(["--max-time", &number("SEALWRIGHT_TEST_FUZZ_SECONDS").unwrap_or(USUAL_SECONDS).to_string()]);
        schemathesis.args(["--seed", &seed.to_string(), "--continue-on-failure", "--warnings", "off"]);
        // Python 3.11 may fail when two threads parse at once.
        schemathesis.args(["--workers", "1"]);
        schemathesis.env("SCHEMATHESIS_HOOKS", "hooks").env("PYTHONPATH", sources());
        let output = run(schemathesis.current_dir(server.folder())).await;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}\n{said}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        asked += generated(&said);
        seed += 1;
    }
    assert!(asked >= 500, "schemathesis asked only {asked} times");
    let log = server.log();
    assert!(!log.contains("panic"), "a request made the program panic");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_generated_client_takes_a_case_to_its_certificate() {
    let Some(python) = python() else { return };
    let server = acme().await;
    server.sign_in(USERNAME, PASSWORD).await;
    let client = server.folder().join("client");
    fs::create_dir(&client).unwrap();
    let mut generator = python_program(&python, "openapi_python_client");
    generator.args(["generate", "--meta", "none", "--fail-on-warning"]);
    generator.arg("--url").arg(format!("{}/openapi.json", server.base_url()));
    generator
        .arg("--output-path")
        .arg(client.join("sealwright_client"))
        .arg("--config")
        .arg(sources().join("client.yml"));
    succeed(&run(&mut generator).await);

    let (picture, document) = (server.folder().join("photo.jpg"), server.folder().join("card.pdf"));
    fs::write(&picture, photo(1).bytes).unwrap();
    fs::write(&document, identity_card().bytes).unwrap();
    let mut journey = Command::new(&python);
    journey.arg(sources().join("journey.py")).arg(&client).arg(server.base_url()).args([picture, document]);
    let said = succeed(&run(&mut journey).await);
    assert!(said.contains("journey completed"), "{said}");
}

/// A server with the company that the description's examples use, and quotas that no client reaches.
async fn acme() -> TestServer {
    let server = TestServer::start(Database::Sqlite).await;
    let document = server.anonymous().get("/openapi.json").await.expect(200).json();
    server.must_apply(&company_manifest(&document));
    server
}

fn company_manifest(document: &serde_json::Value) -> String {
    let mut quotas = String::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let security = operation["security"].as_array().unwrap();
            let counted_for_companies =
                security.iter().any(|entry| entry.get("bearer").is_some()) || path == "/auth/token";
            if counted_for_companies {
                let path = path.replace('{', ":").replace('}', "");
                writeln!(quotas, "\"{} {path}\" = 1000000", method.to_uppercase()).unwrap();
            }
        }
    }
    format!(
        r#"
[company]
id = 7
name = "Acme Insurance"
document_analysis = true

[company.rate_limits]
{quotas}
[[user]]
id = "usr-acme-api"
kind = "api"
username = "{USERNAME}"
password = "{PASSWORD}"
name = "Back office"
email = "api@acme.example"
rights = ["p_api:*"]
logged_in = true

[[user]]
id = "usr-acme-field"
kind = "field"
name = "Flora Field"
email = "field@acme.example"
logged_in = true

[[frame]]
id = 70
name = "Water damage"

[[frame.step]]
id = 701
title = "Front of the house"
action = "PHOTOGRAPHY"
mandatory = true

[[frame.step]]
id = 702
title = "Last name"
action = "TEXT_FIELD"

[[frame.step]]
id = 703
title = "Identity document"
action = "DOCUMENT_UPLOAD"
mandatory = true
"#
    )
}

/// The interpreter that has the judges installed; none, which is reported, if there is none.
fn python() -> Option<PathBuf> {
    let python = env::var_os("SEALWRIGHT_TEST_PYTHON").map_or_else(|| PathBuf::from("python3"), PathBuf::from);
    let imports = Command::new(&python).args(["-c", "import schemathesis, openapi_python_client"]).output();
    if imports.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    skip_loudly("the description: no Python with tests/api/requirements.txt (SEALWRIGHT_TEST_PYTHON)");
    None
}

/// Where the judges' own files lie.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/api")
}

/// A Python program; the tools that it calls itself are found next to the interpreter.
fn python_program(python: &Path, module: &str) -> Command {
    let mut command = Command::new(python);
    let tools = python.parent().map(Path::to_path_buf).into_iter();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(tools.chain(env::split_paths(&path))).unwrap();
    command.arg("-m").arg(module).env("PATH", path).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Runs a program to its end, while the test's other tasks go on.
async fn run(command: &mut Command) -> Output {
    let mut command = std::mem::replace(command, Command::new("true"));
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[track_caller]
fn succeed(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", output.status);
    said
}

/// How many questions schemathesis says it has asked.
fn generated(said: &str) -> u64 {
    let line = said.lines().find(|line| line.contains(" generated")).expect("schemathesis counts its questions");
    line.trim().split(' ').next().and_then(|count| count.replace(',', "").parse().ok()).expect("a number")
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}
