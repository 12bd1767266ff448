//! Plugins and templates that every node of an installation has (operator's page, "Plugins of your own"), and what waits
//! for a plugin that is not there.

use std::{fs, path::Path, time::Duration};

use serde_json::{Value, json};

use crate::{
    plugins::{judged_document, listed, mode},
    support::{
        AMPLE, Receiver, TestServer,
        analyst::{Analyst, EVALUATION, analysed},
        company_manifest::{ACME_API, SHORT_FRAME, acme},
        eventually,
        evidence::{close, open_case},
        on_both_databases, postgres,
        rows::Rows,
        server::{Database, files_below, said},
    },
    templates::{certificate, template, with_template, write},
};

on_both_databases!(
    a_loaded_plugin_reaches_every_running_server_and_an_unloaded_one_leaves_it,
    a_webhook_waits_for_its_mode_and_is_sent_once,
    a_document_waits_for_its_plugin,
    a_crash_between_bytes_and_row_leaves_nothing_half,
    a_loaded_template_reaches_every_node,
    what_cannot_be_used_is_not_published,
);

const MODE: &str = "custom-apikeys";
/// How long a running server may take to notice: "a few seconds", on a busy machine.
const SECONDS: Duration = Duration::from_secs(20);

/// A file with a component of [`MODE`].
fn component(server: &TestServer) -> String {
    let file = server.folder().join("custom.wasm");
    fs::write(&file, mode(MODE)).unwrap();
    file.display().to_string()
}

#[track_caller]
pub(crate) fn must(server: &TestServer, arguments: &[&str]) -> String {
    let output = server.run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    said(&output)
}

pub(crate) async fn until_listed(server: &TestServer, name: &str, there: bool) -> Option<Value> {
    let awaited = format!("{name} is {}", if there { "loaded" } else { "gone" });
    eventually(&awaited, SECONDS, async || {
        let found = listed(server, name);
        (found.is_some() == there).then_some(found)
    })
    .await
}

async fn metric(server: &TestServer, name: &str) -> i64 {
    let metrics = reqwest::get(format!("{}/metrics", server.admin_url())).await.unwrap().text().await.unwrap();
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} is not in {metrics}")).parse().unwrap()
}

fn is_shared(server: &TestServer) -> bool {
    server.database_url().starts_with("postgres")
}

fn with_mode(receiver: &Receiver) -> String {
    acme(receiver).replace("auth = \"hmac-sha256\"", &format!("auth = \"{MODE}\""))
}

async fn a_loaded_plugin_reaches_every_running_server_and_an_unloaded_one_leaves_it(mut server: TestServer) {
    // The command runs next to one server, and another server sends the webhook.
    let mut node = if is_shared(&server) { Some(server.another_node().await) } else { None };
    if node.is_some() {
        server.restart_as("api").await;
    }
    let file = component(&server);
    let printed = must(&server, &["plugin", "load", &file]);
    assert!(printed.starts_with("custom-apikeys "), "{printed}");
    for server in [Some(&server), node.as_ref()].into_iter().flatten() {
        let plugin = until_listed(server, MODE, true).await.unwrap();
        assert_eq!(plugin["origin"], "published", "{plugin}");
    }
    let receiver = Receiver::start().await;
    server.must_apply(&with_mode(&receiver));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    receiver.wait_for(1).await;
    assert_eq!(server.webhook_attempts().len(), 1);

    // It is there again after a restart, also without the blob store: a copy is on the machine.
    let blobs = server.data_dir().join("blobs/components");
    fs::rename(&blobs, server.folder().join("away")).unwrap();
    let last = node.as_mut().unwrap_or(&mut server);
    last.restart().await;
    until_listed(last, MODE, true).await;
    let printed = must(last, &["plugin", "unload", MODE]);
    assert!(printed.contains("warning: company 7 names custom-apikeys as webhook-auth"), "{printed}");
    until_listed(last, MODE, false).await;
    let refused = last.run(&["plugin", "unload", MODE]);
    assert!(said(&refused).contains("no published plugin is called \"custom-apikeys\""), "{}", said(&refused));
}

async fn a_webhook_waits_for_its_mode_and_is_sent_once(server: TestServer) {
    let (file, receiver) = (component(&server), Receiver::start().await);
    must(&server, &["plugin", "load", &file]);
    server.must_apply(&with_mode(&receiver));
    must(&server, &["plugin", "unload", MODE]);
    until_listed(&server, MODE, false).await;
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let case = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, case).await.expect(200);
    let waiting = "sealwright_jobs_waiting_for_plugins";
    eventually("the webhook waits", AMPLE, async || (metric(&server, waiting).await >= 1).then_some(())).await;
    assert_eq!(metric(&server, "sealwright_plugins_missing").await, 1);
    let doctor = said(&server.run(&["doctor"]));
    assert!(doctor.contains("jobs wait for a plugin"), "{doctor}");
    assert!(server.log().contains("part=\"plugin\""), "the operator reads it in the log");
    assert_eq!((server.webhook_attempts().len(), receiver.received().len()), (0, 0), "nothing failed yet");

    must(&server, &["plugin", "load", &file]);
    receiver.wait_for(1).await;
    let attempt = eventually("the attempt is recorded", AMPLE, async || server.webhook_attempts().pop()).await;
    assert_eq!(attempt["status"], 200, "{attempt}");
    eventually("nothing waits", AMPLE, async || (metric(&server, waiting).await == 0).then_some(())).await;
    assert_eq!((server.webhook_attempts().len(), receiver.received().len()), (1, 1));
}

async fn a_document_waits_for_its_plugin(server: TestServer) {
    let (file, receiver) = (server.folder().join("analyst.wasm"), Receiver::start().await);
    fs::write(&file, Analyst::default().component()).unwrap();
    let file = file.display().to_string();
    must(&server, &["plugin", "load", &file]);
    server.must_apply(&analysed(&receiver));
    must(&server, &["plugin", "unload", "analyst"]);
    until_listed(&server, "analyst", false).await;
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let case = judged_document(&api).await;
    let waiting = "sealwright_jobs_waiting_for_plugins";
    eventually("the document waits", AMPLE, async || (metric(&server, waiting).await >= 1).then_some(())).await;
    assert_eq!(receiver.analyses_of(case).len(), 0);
    must(&server, &["plugin", "load", &file]);
    let printed = receiver.wait_for_analyses(case, 1).await.remove(0).json();
    assert_eq!(printed["analysis"]["documentAnalyses"][0]["evaluation"], EVALUATION, "{printed}");
}

async fn a_crash_between_bytes_and_row_leaves_nothing_half(server: TestServer) {
    let file = component(&server);
    let components = server.data_dir().join("blobs/components");
    // An upload that is under way, or that a crash left, has a `#` and a number after its name; the sweep removes it.
    let stored = || files_below(&components).iter().filter(|file| !file.to_string_lossy().contains('#')).count();
    assert_eq!(stored(), 0);
    let held = Rows::hold_published(&server).await;
    let mut loading = server.spawn(&["plugin", "load", &file]);
    eventually("the bytes are there", AMPLE, async || (stored() == 1).then_some(())).await;
    loading.kill().unwrap();
    loading.wait().unwrap();
    drop(held);
    let mut rows = Rows::of(&server).await;
    let count: Vec<(i64,)> = rows.all("select count(*) from published").await;
    assert_eq!(count, [(0,)], "no row names bytes that may not be whole");
    assert_eq!(listed(&server, MODE), None);
    must(&server, &["plugin", "load", &file]);
    until_listed(&server, MODE, true).await;
    assert_eq!(stored(), 1, "the same bytes are kept once");
}

async fn a_loaded_template_reaches_every_node(mut server: TestServer) {
    // A folder of the same name, which the published one takes the place of.
    let own = server.folder().join("templates/acme");
    write(&own, "main.typ", &template("Of the folder"));
    server.set("SEALWRIGHT_TEMPLATE_DIR", &own.parent().unwrap().display().to_string());
    server.restart().await;
    let mut node = if is_shared(&server) { Some(server.another_node().await) } else { None };
    if let Some(node) = &mut node {
        node.set("SEALWRIGHT_TEMPLATE_DIR", &node.folder().display().to_string());
        node.restart_as("worker").await;
        server.restart_as("api").await;
    }
    let receiver = Receiver::start().await;
    let draft = server.folder().join("draft");
    write(&draft, "main.typ", "#import \"/sealwright.typ\": *\n#include \"/parts/page.typ\"");
    write(&draft.join("parts"), "page.typ", &template("First published"));
    let load = ["template", "load", &draft.display().to_string(), "--name", "acme"].map(str::to_owned);
    let load = load.each_ref().map(String::as_str);
    must(&server, &load);
    server.must_apply(&acme(&receiver));
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    server.must_apply(&with_template("acme"));
    if certificate(&api).await.is_none() {
        return;
    }
    eventually("it is used", SECONDS, async || {
        certificate(&api).await.unwrap().contains("First published").then_some(())
    })
    .await;
    let list = said(&server.run(&["template", "list"]));
    assert!(list.contains("published") && list.contains("the folder acme in template_dir is not used"), "{list}");

    write(&draft.join("parts"), "page.typ", &template("Second published"));
    must(&server, &load);
    eventually("the next version is used", SECONDS, async || {
        certificate(&api).await.unwrap().contains("Second published").then_some(())
    })
    .await;
    must(&server, &["template", "unload", "acme"]);
    // The other node has no folder of this name.
    let expected = if node.is_some() { "How to read and check" } else { "Of the folder" };
    eventually("the withdrawn one is not used", SECONDS, async || {
        certificate(&api).await.unwrap().contains(expected).then_some(())
    })
    .await;
}

async fn what_cannot_be_used_is_not_published(server: TestServer) {
    let broken = server.folder().join("broken.wasm");
    fs::write(&broken, "no component").unwrap();
    let refused = server.run(&["plugin", "load", &broken.display().to_string()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said(&refused).contains("no server would load it: it is not a WebAssembly component"),
        "{}",
        said(&refused)
    );
    let folder = server.folder().join("acme");
    write(&folder, "main.typ", "#unknown");
    let refused = server.run(&["template", "load", &folder.display().to_string()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said(&refused).contains("main.typ:1:2"), "{}", said(&refused));
    let refused = server.run(&["template", "load", &folder.display().to_string(), "--name", "../acme"]);
    assert!(said(&refused).contains("is not a name for a template"), "{}", said(&refused));
    let mut rows = Rows::of(&server).await;
    assert_eq!(rows.all::<(i64,)>("select count(*) from published").await, [(0,)]);
}

/// Puts a file there in one step.
fn put(folder: &Path, component: &[u8]) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("custom.part"), component).unwrap();
    fs::rename(folder.join("custom.part"), folder.join("custom.wasm")).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_folder_of_one_node_reaches_the_others() {
    if !postgres::is_there() {
        return;
    }
    let server = TestServer::start(Database::Postgres).await;
    let mut node = server.another_node().await;
    let folder = |server: &TestServer| server.data_dir().join("plugins");
    put(&folder(&node), &mode(MODE));
    let there = until_listed(&server, MODE, true).await.unwrap();
    assert_eq!(there["origin"], "published", "{there}");
    // The same component in another node's folder is nothing new.
    put(&folder(&server), &mode(MODE));
    // A node that saw the file only after the other one was replaced would publish it again.
    eventually("the other node has seen its file", SECONDS, async || {
        server.log().contains("a plugin of the folder is already published").then_some(())
    })
    .await;

    // Replaced on one node: the other one has the new component, and the old one is gone.
    let old = listed(&node, MODE).unwrap()["digest"].clone();
    put(&folder(&node), &mode("custom-modekey"));
    until_listed(&server, "custom-modekey", true).await;
    for server in [&server, &node] {
        until_listed(server, MODE, false).await;
    }
    let list = said(&server.run(&["plugin", "list"]));
    assert!(list.contains("custom.wasm is not loaded: it was withdrawn"), "{old}: {list}");

    // Replaced while the node is stopped: the same.
    node.kill();
    put(&folder(&node), &mode("custom-latekey"));
    node.restart().await;
    until_listed(&server, "custom-latekey", true).await;
    until_listed(&server, "custom-modekey", false).await;

    // Removed on one node: it stays, until it is unloaded.
    fs::remove_file(folder(&node).join("custom.wasm")).unwrap();
    eventually("the node says what a removed file means", SECONDS, async || {
        node.log().contains("its component stays published").then_some(())
    })
    .await;
    assert!(listed(&server, "custom-latekey").is_some() && listed(&node, "custom-latekey").is_some());
    must(&node, &["plugin", "unload", "custom-latekey"]);
    for server in [&server, &node] {
        until_listed(server, "custom-latekey", false).await;
    }
}
