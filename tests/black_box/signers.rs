//! Which signatures a check accepts if an installation has its own signing certificate: those of that certificate and
//! of earlier ones, and of no other under the same root. Also which local files a check reads.

use std::{fs, path::Path};

use serde_json::Value;

use crate::support::{
    TestServer,
    company_manifest::acme_on,
    judges::must,
    on_both_databases, on_sqlite,
    proofs::{CONFIGURATION, Sealer, assert_finding, base_of, certificate, checked, make_chain},
    rows::Rows,
    server::said,
};

on_both_databases!(signatures_of_an_earlier_key_stay_valid);

on_sqlite!(
    another_certificate_under_the_same_root_is_named_and_is_not_valid,
    a_check_is_not_steered_by_the_folder_it_runs_in,
    a_signing_key_whose_certificate_readers_refuse_is_refused_or_named,
);

/// Another key under the root of [`make_chain`]: `other.key`, `other.pem` and `other-chain.pem`. `leaf` contains its
/// extensions.
fn make_other(folder: &Path, leaf: &str) {
    let (head, _) = CONFIGURATION.split_once("[leaf]").unwrap();
    fs::write(folder.join("other.cnf"), format!("{head}[leaf]\n{leaf}")).unwrap();
    let request = "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout other.key -out other.csr";
    must("openssl", &format!("{request} -subj /CN=Other -config other.cnf"), folder);
    let issue = "x509 -req -in other.csr -CA root.pem -CAkey root.key -extfile other.cnf -extensions leaf -days 400";
    must("openssl", &format!("{issue} -set_serial 0x77 -out other.pem"), folder);
    let chain = ["other.pem", "root.pem"].map(|name| fs::read_to_string(folder.join(name)).unwrap()).concat();
    fs::write(folder.join("other-chain.pem"), chain).unwrap();
}

const GOOD_LEAF: &str = "basicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature,nonRepudiation\n";

async fn sign_with(server: &mut TestServer, folder: &Path, key: &str, chain: &str) {
    set_signer(server, folder, key, chain);
    server.restart().await;
}

fn set_signer(server: &mut TestServer, folder: &Path, key: &str, chain: &str) {
    for (name, file) in [("KEY", key), ("CERTIFICATE_CHAIN", chain)] {
        server.set(&format!("SEALWRIGHT_SEAL_{name}"), &folder.join(file).display().to_string());
    }
}

/// Copies files for a check into the server's folder, where the commands run.
fn copy(server: &TestServer, folder: &Path, names: &[&str]) {
    for name in names {
        fs::copy(folder.join(name), server.folder().join(name)).unwrap();
    }
    fs::copy(server.data_dir().join("development-authority/root.pem"), server.folder().join("time.pem")).unwrap();
}

async fn another_certificate_under_the_same_root_is_named_and_is_not_valid(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(()) = make_chain(folder) else { return };
    make_other(folder, GOOD_LEAF);
    sign_with(&mut server, folder, "seal.key", "chain.pem").await;
    let (api, _receiver) = acme_on(&server).await;
    let own = certificate(&api, "Martinel").await;
    let sealer = Sealer::new(&server, &folder.join("other.key"), &folder.join("other-chain.pem"));
    let other = sealer.sealed(base_of(&own), sealer.now);
    copy(&server, folder, &["root.pem", "seal.pem", "other.pem"]);

    let report = checked(&server, "own.pdf", &own, &[], 0);
    assert_eq!(report["signature"]["anchor"], "CN=Acme root");
    assert_eq!(report["trust"][0]["trustedFor"], "signing", "{report}");
    for more in [&[][..], &["--trust", "root.pem"]] {
        let report = checked(&server, "other.pdf", &other, more, 2);
        assert_eq!(report["outcome"], "intactButUntrusted", "{report}");
        assert_finding(&report, "found `CN=Other`");
        assert_finding(&report, "expected `CN=Acme`");
    }
    checked(&server, "other.pdf", &other, &["--signer", "other.pem"], 0);
    checked(&server, "own.pdf", &own, &["--signer", "other.pem"], 0);

    // Without an installation, every certificate under a named root may sign, unless signers are named too.
    server.kill();
    for name in ["SEAL_KEY", "SEAL_CERTIFICATE_CHAIN", "DATA_DIR"] {
        server.set(&format!("SEALWRIGHT_{name}"), "");
    }
    for (more, code) in [
        (&["--trust", "root.pem", "--trust", "time.pem"][..], 0),
        (&["--trust", "root.pem", "--trust-time", "time.pem"], 0),
        (&["--signer", "other.pem", "--trust-time", "time.pem"], 0),
        (&["--trust", "root.pem", "--trust-time", "time.pem", "--signer", "other.pem"], 0),
        (&["--trust", "root.pem", "--trust-time", "time.pem", "--signer", "seal.pem"], 2),
        // A root for time stamps is not trusted for signers, and vice versa.
        (&["--trust-time", "root.pem", "--trust-time", "time.pem"], 2),
        (&["--trust", "root.pem", "--trust", "time.pem", "--trust-time", "root.pem"], 2),
        (&["--trust", "root.pem"], 2),
        (&[], 2),
    ] {
        let report = checked(&server, "other.pdf", &other, more, code);
        let outcome = if code == 0 { "valid" } else { "intactButUntrusted" };
        assert_eq!(report["outcome"], outcome, "{more:?}: {report}");
    }
}

async fn signatures_of_an_earlier_key_stay_valid(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(()) = make_chain(folder) else { return };
    make_other(folder, GOOD_LEAF);
    sign_with(&mut server, folder, "seal.key", "chain.pem").await;
    let (api, _receiver) = acme_on(&server).await;
    let before = certificate(&api, "Martinel").await;
    sign_with(&mut server, folder, "other.key", "other-chain.pem").await;
    let after = certificate(&api, "Martinel").await;
    for (name, pdf) in [("before.pdf", &before), ("after.pdf", &after)] {
        checked(&server, name, pdf, &[], 0);
    }
    let tokens: Vec<(String,)> = Rows::of(&server).await.all("select share_token from certificates").await;
    assert_eq!(tokens.len(), 2);
    for (token,) in &tokens {
        let page = api.with_token(None).get(&format!("/share/case/{token}/verify")).await.expect(200).text();
        assert!(page.contains("This certificate is valid."), "{page}");
    }
    // Signatures from before signers were recorded are named by a setting.
    fs::remove_dir_all(server.data_dir().join("signing-certificates")).unwrap();
    checked(&server, "before.pdf", &before, &[], 2);
    server.set("SEALWRIGHT_SEAL_EARLIER_CERTIFICATES", &folder.join("seal.pem").display().to_string());
    checked(&server, "before.pdf", &before, &[], 0);
}

async fn a_check_is_not_steered_by_the_folder_it_runs_in(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let pdf = certificate(&api, "Martinel").await;
    fs::write(server.folder().join("sealwright.toml"), "nonsense = 1\n").unwrap();
    checked(&server, "own.pdf", &pdf, &[], 0);
    let named = server.run(&["verify", "own.pdf", "--config", "sealwright.toml"]);
    assert!(named.status.code() == Some(1) && said(&named).contains("sealwright.toml:1: nonsense"), "{}", said(&named));

    // The sender of a certificate may include an authority.
    server.kill();
    server.set("SEALWRIGHT_DATA_DIR", "");
    fs::rename(server.data_dir(), server.folder().join("sealwright-data")).unwrap();
    fs::write(server.folder().join("sealwright.toml"), "data_dir = \"sealwright-data\"\n").unwrap();
    let ignored = server.run(&["verify", "own.pdf"]);
    let text = said(&ignored);
    assert_eq!(ignored.status.code(), Some(2), "{text}");
    assert!(text.contains("Ignored: ") && text.contains("name it with --data-dir"), "{text}");
    checked(&server, "own.pdf", &pdf, &["--data-dir", "sealwright-data"], 0);
    checked(&server, "own.pdf", &pdf, &["--config", "sealwright.toml"], 0);
}

async fn a_signing_key_whose_certificate_readers_refuse_is_refused_or_named(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(()) = make_chain(folder) else { return };
    set_signer(&mut server, folder, "other.key", "other-chain.pem");
    let findings = |server: &TestServer| -> Vec<(String, String)> {
        let diagnosis: Value = serde_json::from_slice(&server.run(&["doctor", "--json"]).stdout).unwrap();
        let checks = diagnosis["checks"].as_array().unwrap().iter().filter(|check| check["part"] == "seal");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        checks.map(|check| (text(&check["state"]), text(&check["finding"]))).collect()
    };
    make_other(folder, "basicConstraints=critical,CA:false\n");
    let found = findings(&server);
    assert!(found[0].0 == "broken" && found[0].1.contains("it needs the key usage nonRepudiation"), "{found:?}");
    server.kill();
    let refused = server.run(&["serve"]);
    assert!(!refused.status.success() && said(&refused).contains("the key usage nonRepudiation"), "{}", said(&refused));

    make_other(folder, "basicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature\n");
    let found = findings(&server);
    assert_eq!(found.iter().map(|(state, _)| state.as_str()).collect::<Vec<_>>(), ["good", "doubtful"], "{found:?}");
    assert!(found[1].1.contains("lacks nonRepudiation") && found[1].1.contains("pyHanko"), "{found:?}");
    make_other(folder, GOOD_LEAF);
    assert_eq!(findings(&server).len(), 1);
}
