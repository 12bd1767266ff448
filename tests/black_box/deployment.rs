//! The files of `deploy/` fit the program: the manifests, and what packages make from the program's own commands.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use serde_json::Value;

use crate::support::{TestServer, client::Api, on_both_databases, server::said, toolchains};

on_both_databases!(the_addresses_that_kubernetes_probes_answer, workers_are_scaled_by_a_metric_that_the_server_exposes,);

fn deployed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documents of a YAML file.
fn documents(name: &str) -> Vec<Value> {
    let text = deployed(name);
    let documents = text.split("\n---\n").map(serde_yaml::from_str);
    documents.map(|document| document.unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// The deployments of the Kubernetes manifests.
fn deployments() -> Vec<Value> {
    let all = documents("kubernetes/sealwright.yaml").into_iter();
    let found: Vec<Value> = all.filter(|document| document["kind"] == "Deployment").collect();
    assert_eq!(found.len(), 2);
    found
}

/// The only container of a deployment.
fn container(deployment: &Value) -> &Value {
    let containers = deployment["spec"]["template"]["spec"]["containers"].as_array().unwrap();
    assert_eq!(containers.len(), 1);
    &containers[0]
}

async fn the_addresses_that_kubernetes_probes_answer(server: TestServer) {
    let mut probed = 0;
    for deployment in deployments() {
        for name in ["startupProbe", "livenessProbe", "readinessProbe"] {
            let Some(request) = container(&deployment).get(name).map(|probe| &probe["httpGet"]) else { continue };
            let root = match request["port"].as_str() {
                Some("http") => server.base_url(),
                Some("admin") => server.admin_url(),
                other => panic!("{name}: {other:?}"),
            };
            let path = request["path"].as_str().unwrap();
            // Only `/healthz` answers without the database: a process is not restarted because the database is slow.
            assert!(name == "readinessProbe" || path == "/healthz", "{name}: {path}");
            Api::new(&root, None).get(path).await.expect(200);
            probed += 1;
        }
    }
    assert_eq!(probed, 5);
}

async fn workers_are_scaled_by_a_metric_that_the_server_exposes(server: TestServer) {
    let [scaled] = documents("kubernetes/autoscaling.yaml").try_into().unwrap();
    let spec = &scaled["spec"];
    let target = deployments().into_iter().find(|one| one["metadata"]["name"] == spec["scaleTargetRef"]["name"]);
    let target = target.expect("it names a deployment");
    assert!(container(&target)["args"].as_array().unwrap().iter().any(|argument| argument == "worker"));
    // Without a worker no periodic work is done, and no one would look at the queue.
    assert!(spec["minReplicaCount"].as_u64().unwrap() >= 1);
    let trigger = &spec["triggers"][0];
    assert_eq!(trigger["type"], "prometheus");
    assert_eq!(trigger["metricType"], "Value", "the age is the same for all workers");
    let query = trigger["metadata"]["query"].as_str().unwrap();
    let metric = query.strip_prefix("max(").and_then(|rest| rest.split('{').next()).unwrap();
    let threshold: i64 = trigger["metadata"]["threshold"].as_str().unwrap().parse().unwrap();
    assert!(server.metric(metric).await < threshold, "an idle server needs no further worker");
}

#[test]
fn kubernetes_runs_the_server_without_rights() {
    for deployment in deployments() {
        let pod = &deployment["spec"]["template"]["spec"];
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        assert_eq!(pod["securityContext"]["runAsUser"], 65532);
        assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
        assert_eq!(pod["automountServiceAccountToken"], false);
        let container = container(&deployment);
        let context = &container["securityContext"];
        assert_eq!(context["readOnlyRootFilesystem"], true);
        assert_eq!(context["allowPrivilegeEscalation"], false);
        assert_eq!(context["capabilities"]["drop"][0], "ALL");
        // Each mount is one of the pod's volumes; the data directory is one of them, because the root is read-only.
        let volumes: BTreeSet<&str> =
            pod["volumes"].as_array().unwrap().iter().filter_map(|volume| volume["name"].as_str()).collect();
        let mounts: BTreeMap<&str, &str> = container["volumeMounts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mount| (mount["name"].as_str().unwrap(), mount["mountPath"].as_str().unwrap()))
            .collect();
        assert_eq!(mounts.keys().copied().collect::<BTreeSet<_>>(), volumes);
        assert_eq!(mounts["data"], "/var/lib/sealwright");
        assert_eq!(deployment["spec"]["selector"]["matchLabels"], deployment["spec"]["template"]["metadata"]["labels"]);
    }
}

#[test]
fn compose_runs_the_server_without_rights_and_publishes_it_locally() {
    let [file] = documents("compose/compose.yaml").try_into().unwrap();
    let server = &file["services"]["server"];
    assert_eq!(server["read_only"], true);
    assert_eq!(server["user"], "65532:65532");
    assert_eq!(server["cap_drop"][0], "ALL");
    assert_eq!(server["ports"], serde_json::json!(["127.0.0.1:8080:8080"]));
    for service in server["depends_on"].as_object().unwrap().keys() {
        assert!(file["services"].get(service).is_some(), "{service}");
    }
    // No password is in the file: each is a variable without a default.
    let text = deployed("compose/compose.yaml");
    let secrets = text.lines().filter(|line| line.contains("PASSWORD") || line.contains("SECRET"));
    for line in secrets {
        assert!(line.contains(":?a password}"), "{line}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_command_and_completions() {
    let folder = tempfile::tempdir().unwrap();
    let manual = |name: &str| {
        let output =
            toolchains::command(env!("CARGO_BIN_EXE_sealwright"), folder.path()).args(["manual", name]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let entries = fs::read_dir(folder.path().join(name)).unwrap().map(|entry| entry.unwrap());
        let files =
            entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()));
        files.collect::<BTreeMap<String, String>>()
    };
    let files = manual("first");
    assert_eq!(files, manual("second"));
    for (page, expected) in [
        ("sealwright.1", "SUBCOMMANDS"),
        ("sealwright-serve.1", "--database-url"),
        ("sealwright-plugin-check.1", "sealwright plugin check"),
        ("sealwright.bash", "--data-dir"),
        ("sealwright.fish", "plugin"),
        ("_sealwright", "#compdef sealwright"),
    ] {
        let text = files.get(page).unwrap_or_else(|| panic!("{page} is missing: {:?}", files.keys()));
        // A man page writes a hyphen as `\-`.
        let text = text.replace('\\', "");
        assert!(text.contains(expected), "{page}: {text}");
    }
    assert!(!files.contains_key("sealwright-manual.1"));
    assert!(!files.keys().any(|name| name.contains("help")), "{:?}", files.keys());
    let syntax = Command::new("bash").arg("-n").arg(folder.path().join("first/sealwright.bash")).output().unwrap();
    assert!(syntax.status.success(), "{}", said(&syntax));
}
