//! The public log of seals and deletions, read as a monitor would: from the C2SP specifications `tlog-tiles`,
//! `tlog-checkpoint` and `signed-note` alone, with its own Merkle tree.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signature, VerifyingKey};
use hyper::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    AMPLE, Api, TestServer,
    client::send,
    company_manifest::{ACME_API, FRAME, PHOTOGRAPHY, acme_on},
    eventually,
    evidence::{add_capture, close, open_case, photo},
    on_both_databases, pdf,
    proofs::{certificate, checked},
    rows::Rows,
    server::said,
};

on_both_databases!(
    the_log_grows_with_every_deletion_and_is_append_only,
    a_log_of_many_entries_is_read_in_tiles,
    an_empty_log_says_so_and_unknown_tiles_are_404,
    the_log_keeps_its_key_when_the_server_starts_again,
    every_seal_is_in_the_log_and_in_its_certificate_and_a_deletion_names_it,
    a_log_restored_from_a_backup_signs_nothing_twice_and_certificates_are_still_made,
);

/// The state that a monitor keeps of a log.
struct Monitor {
    api: Api,
    name: String,
    key: VerifyingKey,
    key_hash: Vec<u8>,
}

/// A checkpoint with a verified signature.
#[derive(Debug, PartialEq)]
struct Head {
    size: usize,
    root: Vec<u8>,
}

impl Monitor {
    async fn of(server: &TestServer) -> Self {
        let api = server.anonymous();
        let text = api.get("/log/key").await.expect(200).text();
        let mut parts = text.trim_end().splitn(3, '+');
        let (name, hash, key) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let key = STANDARD.decode(key).unwrap();
        assert_eq!(key[0], 1, "an Ed25519 key");
        let named = [name.as_bytes(), b"\n", &key].concat();
        let key_hash = Sha256::digest(named)[..4].to_vec();
        assert_eq!(hex::encode(&key_hash), hash);
        let key = VerifyingKey::from_bytes(key[1..].try_into().unwrap()).unwrap();
        Self { api, name: name.to_owned(), key, key_hash }
    }

    async fn head(&self) -> Head {
        let answer = self.api.get("/log/checkpoint").await.expect(200);
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        let note = answer.text();
        let (text, signature) = note.split_once("\n\n").unwrap();
        let signature = signature.strip_prefix(&format!("\u{2014} {} ", self.name)).unwrap();
        let signature = STANDARD.decode(signature.trim_end()).unwrap();
        assert_eq!(signature[..4], self.key_hash);
        let signed = format!("{text}\n");
        self.key.verify_strict(signed.as_bytes(), &Signature::from_slice(&signature[4..]).unwrap()).unwrap();
        let lines: Vec<_> = text.split('\n').collect();
        assert_eq!(lines[0], self.name);
        Head { size: lines[1].parse().unwrap(), root: STANDARD.decode(lines[2]).unwrap() }
    }

    /// All entries, checked against the head.
    async fn entries(&self, head: &Head) -> Vec<Value> {
        let mut entries = Vec::new();
        for start in (0..head.size).step_by(256) {
            let width = (head.size - start).min(256);
            let answer = self.api.get(&format!("/log/tile/entries/{}", path(start / 256, width))).await.expect(200);
            assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
            let mut bytes = &answer.body[..];
            while let Some((length, rest)) = bytes.split_first_chunk::<2>() {
                let (entry, rest) = rest.split_at(u16::from_be_bytes(*length).into());
                entries.push(entry.to_vec());
                bytes = rest;
            }
        }
        let leaves: Vec<_> = entries.iter().map(|entry| hash(0, &[entry])).collect();
        assert_eq!(leaves.len(), head.size);
        assert_eq!(root(&leaves), head.root);
        for (level, nodes) in
            [(0, leaves.clone()), (1, leaves.as_chunks::<256>().0.iter().map(|leaves| root(leaves)).collect())]
        {
            for (index, tile) in nodes.chunks(256).enumerate() {
                let tile_path = format!("/log/tile/{level}/{}", path(index, tile.len()));
                assert_eq!(self.api.get(&tile_path).await.expect(200).body, tile.concat(), "{tile_path}");
            }
        }
        entries.iter().map(|entry| serde_json::from_slice(entry).unwrap()).collect()
    }

    async fn wait_for(&self, size: usize) -> Head {
        eventually("the log has grown", AMPLE, async || {
            let head = self.head().await;
            (head.size >= size).then_some(head)
        })
        .await
    }
}

fn path(index: usize, width: usize) -> String {
    if width == 256 { format!("{index:03}") } else { format!("{index:03}.p/{width}") }
}

fn hash(prefix: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = Sha256::new();
    hasher.update([prefix]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().to_vec()
}

fn root(leaves: &[Vec<u8>]) -> Vec<u8> {
    match leaves {
        [] => Sha256::digest(b"").to_vec(),
        [leaf] => leaf.clone(),
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            hash(1, &[&root(left), &root(right)])
        }
    }
}

async fn delete(api: &Api, case: i64) {
    send(api.request(Method::DELETE, &format!("/cases/delete/{case}"))).await.expect(200);
}

async fn the_log_grows_with_every_deletion_and_is_append_only(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let monitor = Monitor::of(&server).await;
    let mut seen: Vec<Value> = Vec::new();
    for number in 1..=3 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        add_capture(&api, case, PHOTOGRAPHY, photo(7)).await.expect(200);
        delete(&api, case).await;
        let head = monitor.wait_for(number).await;
        let entries = monitor.entries(&head).await;
        assert_eq!(entries[..seen.len()], seen);
        assert_eq!(entries.len(), number);
        let last = &entries[number - 1];
        assert_eq!(last["kind"], "deletion");
        assert_eq!(last["format"], "sealwright-log-entry");
        assert!(last.get("sealManifestSha256").is_none(), "it was never sealed: {last}");
        assert!(last["recordSha256"].as_str().is_some_and(|digest| digest.len() == 64));
        let text = last.to_string();
        assert!(!text.contains("Acme") && !text.contains("CAS-"), "{text}");
        seen = entries;
    }
}

async fn a_log_of_many_entries_is_read_in_tiles(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let monitor = Monitor::of(&server).await;
    for _ in 0..6 {
        let cases: Vec<Value> = (0..50).map(|_| json!({ "frameId": FRAME, "userId": ACME_API.user_id })).collect();
        let created = api.post("/cases/bulk-create", &json!(cases)).await.expect(200).json();
        let ids: Vec<_> = created["success"].as_array().unwrap().iter().map(|case| case["caseId"].clone()).collect();
        assert_eq!(ids.len(), 50);
        api.post("/cases/bulk-delete", &json!({ "caseIds": ids })).await.expect(200);
    }
    let head = monitor.wait_for(300).await;
    assert_eq!(monitor.entries(&head).await.len(), 300);
    // A partial tile that has grown is still available under its old width, for late readers.
    assert_eq!(monitor.api.get("/log/tile/0/001.p/7").await.expect(200).body.len(), 7 * 32);
    monitor.api.get("/log/tile/0/001.p/45").await.expect(404).error_message();
}

async fn an_empty_log_says_so_and_unknown_tiles_are_404(server: TestServer) {
    let monitor = Monitor::of(&server).await;
    let head = monitor.head().await;
    assert_eq!(head, Head { size: 0, root: Sha256::digest(b"").to_vec() });
    for unknown in [
        "/log/tile/0/000",
        "/log/tile/0/000.p/1",
        "/log/tile/entries/000.p/1",
        "/log/tile/0/0",
        "/log/tile/00/000",
        "/log/tile/-1/000",
        "/log/tile/256/000",
        "/log/tile/40/000",
        "/log/tile/0/x018/x446/x744/x073/x709/x551/615",
        "/log/tile/0/..%2f000",
        "/log/tile/0/",
        "/log/tile/entries/x",
        "/log",
    ] {
        monitor.api.get(unknown).await.expect(404).error_message();
    }
    send(monitor.api.request(Method::POST, "/log/checkpoint")).await.expect(405).error_message();
}

async fn the_log_keeps_its_key_when_the_server_starts_again(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    delete(&api, open_case(&api, &json!({ "frameId": FRAME })).await).await;
    let before = Monitor::of(&server).await;
    let head = before.wait_for(1).await;
    server.restart().await;
    let after = Monitor::of(&server).await;
    assert_eq!((after.key, &after.name), (before.key, &before.name));
    assert_eq!(after.head().await, head);
}

async fn every_seal_is_in_the_log_and_in_its_certificate_and_a_deletion_names_it(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let monitor = Monitor::of(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(7)).await.expect(200);
    let pdf_url = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    let certificate = monitor.api.get(&pdf_url).await.expect(200).body;
    let Some(content) = pdf::read(&certificate) else { return };
    let manifest = &content.json_attachments[0];
    let key = monitor.api.get("/log/key").await.expect(200).text();
    assert_eq!(manifest["log"], json!({ "key": key.trim_end() }));

    // The manifest is attached in its canonical form, which is how `serde_json` writes what it has read.
    let digest = hex::encode(Sha256::digest(serde_json::to_vec(manifest).unwrap()));
    let head = monitor.wait_for(1).await;
    let entries = monitor.entries(&head).await;
    let seal = json!({ "format": "sealwright-log-entry", "kind": "seal", "sealManifestSha256": digest });
    assert_eq!(entries, [seal]);

    // The certificate contains its proof: for a log with one entry, only the checkpoint.
    let checkpoint = monitor.api.get("/log/checkpoint").await.expect(200).text();
    let proof = hex::encode(format!("c2sp.org/tlog-proof@v1\nindex 0\n\n{checkpoint}"));
    let written = String::from_utf8_lossy(&certificate).to_lowercase();
    assert!(written.contains(&proof), "no proof in the certificate");

    delete(&api, case).await;
    let head = monitor.wait_for(2).await;
    assert_eq!(monitor.entries(&head).await[1]["sealManifestSha256"], digest);
}

/// Restores the database as if from a backup that was made when the log had one entry.
pub(crate) async fn restore_log(server: &TestServer, [size, peaks, checkpoint]: [&str; 3]) {
    Rows::change(
        server,
        &format!(
            "delete from log_entries where position >= {size}; delete from log_nodes where level > 0 or position >= {size};
             update log_head set size = {size}, peaks = '{peaks}', checkpoint = '{checkpoint}'"
        ),
    )
    .await;
}

async fn log_size(server: &TestServer) -> i64 {
    let sizes: Vec<(i64,)> = Rows::of(server).await.all("select size from log_head").await;
    sizes[0].0
}

fn log_check(server: &TestServer) -> Value {
    let diagnosis: Value = serde_json::from_slice(&server.run(&["doctor", "--json"]).stdout).unwrap();
    diagnosis["checks"].as_array().unwrap().iter().find(|check| check["part"] == "log of seals").unwrap().clone()
}

async fn a_log_restored_from_a_backup_signs_nothing_twice_and_certificates_are_still_made(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    certificate(&api, "one").await;
    let heads: Vec<(i64, String, String)> =
        Rows::of(&server).await.all("select size, peaks, checkpoint from log_head").await;
    let (size, peaks, old_checkpoint) = &heads[0];
    certificate(&api, "two").await;
    let before = Monitor::of(&server).await;
    let published = before.wait_for(2).await;
    assert_eq!(log_check(&server)["state"], "good");

    server.kill();
    restore_log(&server, [&size.to_string(), peaks, old_checkpoint]).await;
    server.restart().await;
    let pending = certificate(&api, "three").await;
    assert_eq!(checked(&server, "pending.pdf", &pending, &[], 0)["level"], "B-LTA");
    assert_eq!(log_size(&server).await, 1, "a second checkpoint of size 2 was signed");
    let refused = before.api.get("/log/checkpoint").await.expect(503);
    assert!(refused.text().contains("restored from a backup"), "{}", refused.text());
    let metrics = Api::new(&server.admin_url(), None).get("/metrics").await.expect(200).text();
    assert!(metrics.contains("sealwright_seal_log_stopped 1"), "{metrics}");
    assert!(server.log().contains("its entry in the log of seals is pending"));
    let check = log_check(&server);
    assert!(
        check["state"] == "broken" && check["remedy"].as_str().unwrap().contains("sealwright log restart"),
        "{check}"
    );
    let status = server.run(&["log", "status"]);
    assert!(
        status.status.code() == Some(1) && said(&status).contains("a checkpoint over 2 was published"),
        "{}",
        said(&status)
    );

    let restarted = server.run(&["log", "restart", "--json"]);
    assert!(restarted.status.success(), "{}", said(&restarted));
    let printed: Value = serde_json::from_slice(&restarted.stdout).unwrap();
    assert_eq!(printed["name"], format!("{}/2", before.name));
    let again = server.run(&["log", "restart"]);
    assert!(!again.status.success() && said(&again).contains("has not stopped"), "{}", said(&again));
    // The pending certificate is in the new log, and so are later ones.
    let after = Monitor::of(&server).await;
    assert_ne!((&after.name, after.key), (&before.name, before.key));
    let head = eventually("what was pending is in the new log", AMPLE, async || {
        Rows::change(&server, "update jobs set run_at = 0").await;
        let head = after.head().await;
        (head.size >= 2).then_some(head)
    })
    .await;
    assert_ne!(head, published);
    let next = certificate(&api, "four").await;
    let head = after.wait_for(3).await;
    assert_eq!(after.entries(&head).await.len(), 3);
    let report = checked(&server, "next.pdf", &next, &[], 0);
    assert_eq!(report["timeStamps"][1]["log"]["name"], after.name, "{report}");
    assert_eq!(log_check(&server)["state"], "good");
    Rows::without_jobs(&server).await;
    let tokens: Vec<(String,)> = Rows::of(&server).await.all("select share_token from certificates").await;
    for (token,) in tokens {
        let pdf = before.api.get(&format!("/share/case/{token}")).await.expect(200).body;
        checked(&server, "any.pdf", &pdf, &[], 0);
    }
}
