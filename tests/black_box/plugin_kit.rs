//! Tools for plugin authors: their guide (`docs/plugin-author.md`), and the projects that `sealwright plugin new`
//! creates in three languages.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::support::{
    AMPLE, Database, TestServer,
    analyst::Analyst,
    eventually,
    server::said,
    toolchains::{BUILDING, built_once, command, for_wasm, must, node_modules, python_programs, set_up_rust},
};

const GUIDE: &str = include_str!("../../docs/plugin-author.md");
const ROLES: [&str; 5] = ["document-type", "cross-check", "falsification", "signal", "webhook-auth"];

fn sealwright(folder: &Path) -> Command {
    command(env!("CARGO_BIN_EXE_sealwright"), folder)
}

/// Creates a project and returns its folder.
fn project(folder: &Path, name: &str, role: &str, language: &str) -> PathBuf {
    must(sealwright(folder).args(["plugin", "new", name, "--role", role, "--lang", language]));
    folder.join(name)
}

/// The answer of `plugin run` to the project's own sample.
fn run(project: &Path, installation: &Path, component: &Path, role: &str) -> Value {
    let sample = if matches!(role, "signal" | "webhook-auth") { "sample.json" } else { "sample.txt" };
    let mut run = plugin_run(project, installation);
    run.args(["--input", sample]).arg(component);
    match role {
        "cross-check" => run.args(["--field", "documentNumber=12 34"]),
        "webhook-auth" => run.args(["--secret", "Jefe"]),
        _ => &mut run,
    };
    let ran: Value = serde_json::from_slice(&must(&mut run).stdout).unwrap();
    assert!(ran["microseconds"].as_u64().unwrap() > 0 && ran["memory"].as_u64().unwrap() > 0, "{ran}");
    assert!((1..ran["allowedFuel"].as_u64().unwrap()).contains(&ran["fuel"].as_u64().unwrap()), "{ran}");
    ran
}

/// A place for compiled components: an installation whose server has ended. Dropping it removes it.
async fn installation() -> TestServer {
    let mut server = TestServer::start(Database::Sqlite).await;
    server.kill();
    server
}

/// `plugin run`, with an installation that keeps the compiled component: in Python and JavaScript it has an interpreter,
/// and compiling it takes a minute. `plugin check` stores it there, too.
fn plugin_run(project: &Path, installation: &Path) -> Command {
    let mut run = sealwright(project);
    run.args(["plugin", "run", "--json", "--data-dir"]).arg(installation);
    run
}

/// Checks the answer of each role's example to its sample, in any language.
fn assert_answers(role: &str, ran: &Value) {
    let answer = &ran["answer"];
    let expected = match role {
        "document-type" => {
            let card = &answer["candidates"][0];
            card["documentType"] == "MEMBERSHIP_CARD"
                && card["score"] == 90
                && card["findings"][0]["place"]["page"] == 1
        }
        "cross-check" => {
            let fields = &answer["fields"];
            fields["fields"][0]["value"] == "1234" && fields["comparisons"][0]["outcome"] == "MATCH"
        }
        "falsification" => answer["checks"][0]["verdict"] == "VALID",
        "signal" => {
            let signal = &answer["signals"][0];
            signal["score"] == 60 && signal["observations"][0]["item"] == 2
        }
        // printf '{"eventType":"CASE_CLOSED","caseId":1}' | openssl dgst -sha256 -hmac Jefe
        _ => answer["headers"][0]["value"] == "sha256=df4ac1239ba670ec67f13e3a2d267fda75d6698e4d23626daa49951f2eb44769",
    };
    assert!(expected, "{role}: {ran:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_author_s_guide_leads_from_nothing_to_a_loaded_plugin() {
    let server = TestServer::start(Database::Sqlite).await;
    let data_dir = server.data_dir();
    let output = tokio::task::spawn_blocking(move || {
        let _building = BUILDING.lock();
        let folder = tempfile::tempdir().unwrap();
        let blocks = blocks("sh");
        let (first, rest) = blocks.split_first().unwrap();
        let mut bash = command("bash", folder.path());
        must(bash.args(["-euo", "pipefail", "-c", first]));
        set_up_rust(&folder.path().join("club-cards"));
        let mut bash = command("bash", &folder.path().join("club-cards"));
        bash.args(["-euo", "pipefail", "-c", &rest.join("\n")]).env("DATA_DIR", data_dir);
        must(for_wasm(&mut bash))
    });
    let said = said(&output.await.unwrap());
    // The guide shows what is printed, except time, memory and fuel.
    let shown = GUIDE.lines().skip_while(|line| !line.starts_with("    club-cards 0.1.0 as"));
    for line in shown.take_while(|line| line.is_empty() || line.starts_with("    ")) {
        let line = line.strip_prefix("    ").unwrap_or_default();
        let is_measured = ["time", "memory", "fuel"].iter().any(|measured| line.starts_with(measured));
        assert!(is_measured || said.contains(line), "{line:?}: {said}");
    }
    assert!(said.contains("this host would load it"), "{said}");
    eventually("the plugin is loaded", AMPLE, async || {
        let list: Value = serde_json::from_slice(&server.run(&["plugin", "list", "--json"]).stdout).unwrap();
        list["plugins"].as_array().unwrap().iter().any(|plugin| plugin["name"] == "club-cards").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rust_projects_of_every_role_pass_their_tests_and_answer() {
    let installed = installation().await;
    let installation = installed.data_dir();
    let _building = BUILDING.lock();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let projects = ROLES.map(|role| (role, project(folder, &format!("try-{role}"), role, "rust")));
    // One workspace for all, with one copy of the SDK, builds faster than five projects.
    let sdk = folder.join("try-document-type/vendor/sealwright-plugin-sdk");
    for (_, project) in &projects {
        let manifest = fs::read_to_string(project.join("Cargo.toml")).unwrap();
        let (package, _) = manifest.split_once("# A small component").unwrap();
        fs::write(project.join("Cargo.toml"), package.replace("vendor/sealwright-plugin-sdk", sdk.to_str().unwrap()))
            .unwrap();
    }
    let members = ROLES.map(|role| format!("\"try-{role}\"")).join(", ");
    let workspace =
        format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n[profile.release]\npanic = \"abort\"\n");
    fs::write(folder.join("Cargo.toml"), workspace).unwrap();
    set_up_rust(folder);
    make_it_fail(
        &projects[0].1.join("src/lib.rs"),
        "        let mut card",
        &format!("if document.text(1) == \"a scan\" {{ {} }}\n", block("rust", "return Err", "")),
        "if document.text(1) == \"a fault\" { panic!(\"the card has no number\") }\n",
    );
    must(command("cargo", folder).args(["test", "--quiet", "--workspace", "--exclude", "sealwright-plugin-sdk"]));
    must(for_wasm(command("cargo", folder).args(["build", "--release", "--target", "wasm32-unknown-unknown"])));
    for (role, project) in &projects {
        let module = folder.join(format!("target/wasm32-unknown-unknown/release/try_{}.wasm", role.replace('-', "_")));
        if *role == "webhook-auth" {
            must(sealwright(project).args(["plugin", "build"]));
        } else {
            must(sealwright(project).args(["plugin", "pack"]).arg(module));
        }
        let component = project.join(format!("try-{role}.wasm"));
        must(sealwright(project).args(["plugin", "check"]).arg(&component));
        assert_answers(role, &run(project, &installation, &component, role));
    }
    let (_, project) = &projects[0];
    let component = project.join("try-document-type.wasm");
    assert_failures(project, &installation, &component, &[("a fault", "the card has no number")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn javascript_projects_of_every_role_pass_their_tests_and_one_is_built_and_answers() {
    let installed = installation().await;
    let installation = installed.data_dir();
    let folder = tempfile::tempdir().unwrap();
    for role in ROLES {
        let project = project(folder.path(), &format!("try-{role}"), role, "javascript");
        must(command("npm", &project).args(["test"]));
    }
    let project = folder.path().join("try-document-type");
    let Some(modules) = node_modules(&project, "javascript") else { return };
    symlink(modules, project.join("node_modules")).unwrap();
    make_it_fail(
        &project.join("plugin.js"),
        "    const card",
        &format!("if (document.text(1) === \"a scan\") {{ {} }}\n", block("javascript", "throw", "")),
        "if (document.text(1) === \"a fault\") throw new TypeError(\"the card has no number\");\n",
    );
    let sources = [project.join("plugin.js"), project.join("package.json"), project.join("wit/document.wit")];
    let component = built_once("javascript", &sources.each_ref().map(PathBuf::as_path), || {
        must(command("npm", &project).args(["run", "build"]));
        project.join("try-document-type.wasm")
    });
    must(sealwright(&project).args(["plugin", "check", "--data-dir"]).args([&installation, &component]));
    assert_answers("document-type", &run(&project, &installation, &component, "document-type"));
    assert_failures(&project, &installation, &component, &[("a fault", "TypeError: the card has no number")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn python_projects_of_every_role_pass_their_tests_and_one_is_built_and_answers() {
    let installed = installation().await;
    let installation = installed.data_dir();
    let folder = tempfile::tempdir().unwrap();
    let projects = ROLES.map(|role| (role, project(folder.path(), &format!("try-{role}"), role, "python")));
    let Some(programs) = python_programs(&projects[0].1) else { return };
    for (role, project) in &projects {
        let bindings = ["--wit-path", "wit", "--world", role, "bindings", "."];
        must(command(programs.join("componentize-py"), project).args(bindings));
        must(command(programs.join("python"), project).args(["-m", "unittest", "test_plugin"]));
    }
    let (role, project) = &projects[0];
    make_it_fail(
        &project.join("plugin.py"),
        "        card = ",
        &format!("        if document.text(1) == \"a scan\":\n{}", block("python", "from", "            ")),
        "        if document.text(1) == \"a fault\":\n            raise ValueError(\"the card has no number\")\n        \
         if document.text(1) == \"a file\":\n            import os\n            os.listdir(\".\")\n",
    );
    let sources = [project.join("plugin.py"), project.join("requirements.txt"), project.join("wit/document.wit")];
    let component = built_once("python", &sources.each_ref().map(PathBuf::as_path), || {
        let build = ["--wit-path", "wit", "--world", role, "componentize", "plugin", "--output", "built.wasm"];
        must(command(programs.join("componentize-py"), project).args(build));
        project.join("built.wasm")
    });
    must(sealwright(project).args(["plugin", "check", "--data-dir"]).args([&installation, &component]));
    assert_answers(role, &run(project, &installation, &component, role));
    let no_files = "FileNotFoundError: [Errno 44] No such file or directory: '.' (a plugin has no files";
    let uncaught = [("a fault", "ValueError: the card has no number"), ("a file", no_files)];
    assert_failures(project, &installation, &component, &uncaught);
}

#[test]
fn nothing_is_overwritten_and_a_wrong_name_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("taken")).unwrap();
    let new = |name: &str| {
        let output = sealwright(folder.path())
            .args(["plugin", "new", name, "--role", "signal", "--lang", "python"])
            .output()
            .unwrap();
        (output.status.code(), said(&output))
    };
    let (code, printed) = new("taken");
    assert!(code == Some(1) && printed.contains("taken already exists"), "{code:?}: {printed}");
    let (code, printed) = new("../elsewhere");
    assert!(code == Some(2) && printed.contains("starting with a letter"), "{code:?}: {printed}");
    let (code, printed) = new("club-");
    assert!(code == Some(2) && printed.contains("on both sides of every -"), "{code:?}: {printed}");
    let (code, printed) = new("signals");
    assert!(code == Some(2) && printed.contains("a built-in plugin has this name"), "{code:?}: {printed}");
    let mut rust = sealwright(folder.path());
    let output = rust.args(["plugin", "new", "core", "--role", "signal", "--lang", "rust"]).output().unwrap();
    let printed = said(&output);
    let refusal = "error: a plugin in Rust cannot be called core";
    assert!(output.status.code() == Some(1) && printed.contains(refusal), "{printed}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was written");
}

#[test]
fn packing_under_the_name_of_a_built_in_plugin_warns_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let module = Analyst::default().module();
    // As many letters as `analyst`, so that it fits in its place.
    let mut taken = module.clone();
    let name = taken.windows(7).position(|window| window == b"analyst").unwrap();
    taken[name..name + 7].copy_from_slice(b"signals");
    for (module, warns) in [(module, false), (taken, true)] {
        fs::write(folder.path().join("some_plugin.wasm"), module).unwrap();
        let printed = said(&must(sealwright(folder.path()).args(["plugin", "pack", "some_plugin.wasm"])));
        assert_eq!(printed.contains("its name signals is taken by a built-in plugin"), warns, "{printed}");
        assert!(folder.path().join("some-plugin.wasm").is_file());
    }
}

/// Makes the project's `detect` fail on a scan as the guide says, and on a fault with an unhandled error. The code is
/// inserted in front of `before`.
fn make_it_fail(source: &Path, before: &str, on_scan: &str, on_fault: &str) {
    let text = fs::read_to_string(source).unwrap();
    assert!(text.contains(before), "{text}");
    fs::write(source, text.replacen(before, &format!("{on_scan}{on_fault}{before}"), 1)).unwrap();
}

/// The guide's block that starts like this, indented.
fn block(language: &str, beginning: &str, indent: &str) -> String {
    let block = blocks(language).into_iter().find(|block| block.starts_with(beginning)).unwrap();
    block.lines().flat_map(|line| [indent, line, "\n"]).collect()
}

/// An error that the plugin returns is reported with its message, and an uncaught one with its output.
fn assert_failures(project: &Path, installation: &Path, component: &Path, uncaught: &[(&str, &str)]) {
    let failure = |text: &str| {
        fs::write(project.join("input.txt"), text).unwrap();
        let mut run = plugin_run(project, installation);
        let output = run.args(["--input", "input.txt"]).arg(component).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let ran: Value = serde_json::from_slice(&output.stdout).unwrap();
        (ran["failure"]["kind"].clone(), ran["failure"]["message"].as_str().unwrap().to_owned())
    };
    let (kind, message) = failure("a scan");
    assert_eq!(kind, "unsupported");
    assert_eq!(message, "it does not support this: scans are not read: send the PDF that the bank made");
    for (text, words) in uncaught {
        let (kind, message) = failure(text);
        assert_eq!(kind, "trap");
        assert!(message.starts_with("it was stopped: an error that it did not catch: "), "{message}");
        assert!(message.contains(words), "{message}");
    }
}

/// The guide's blocks in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let blocks = GUIDE.split("\n```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}
