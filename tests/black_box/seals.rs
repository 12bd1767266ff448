//! Certificates are signed, time-stamped, and checked by independent programs (spec 2.3, 3.1; decisions 14). Here the
//! installation's own development authority seals; other authorities are in `time_stamps`.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    AMPLE, Api, TestServer,
    company_manifest::{ACME, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
    eventually,
    evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
    judges::{judge, must},
    on_both_databases, pdf,
    rows::Rows,
    server::said,
};

on_both_databases!(
    decisions_14_a_certificate_is_signed_and_time_stamped_and_judges_agree,
    decisions_14_every_file_has_a_token_which_is_attached_and_named_in_the_report,
    an_item_added_before_a_crash_has_its_token_afterwards,
    the_seal_manifest_commits_to_each_item,
    seal_init_creates_an_authority_once_and_says_what_to_do_next,
    a_key_that_cannot_seal_stops_the_server_at_startup_and_doctor_says_why,
    certificates_of_an_earlier_authority_stay_valid,
);

/// A closed case with a photo, a document and an entry, and its certificate.
struct SealedCase {
    case: i64,
    photo: Vec<u8>,
    pdf: Vec<u8>,
}

async fn sealed(api: &Api) -> SealedCase {
    let case = open_case(api, &json!({ "frameId": FRAME, "reportToken": "claim-77" })).await;
    let taken = photo(7);
    let photo = taken.bytes.clone();
    add_capture(api, case, PHOTOGRAPHY, taken).await.expect(200);
    add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    add_entry(api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let pdf_url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().expect("a URL").to_owned();
    let pdf = api.with_token(None).get(&pdf_url).await.expect(200).body.to_vec();
    SealedCase { case, photo, pdf }
}

/// Extracts the attachments of a certificate into a folder, or returns `None` if poppler is missing.
fn attachments(pdf: &[u8], folder: &Path) -> Option<()> {
    fs::write(folder.join("certificate.pdf"), pdf).unwrap();
    fs::create_dir(folder.join("attached")).unwrap();
    must("pdfdetach", "-saveall -o attached certificate.pdf", folder).map(drop)
}

fn development_root(server: &TestServer) -> String {
    fs::read_to_string(server.data_dir().join("development-authority/root.pem")).unwrap()
}

async fn decisions_14_a_certificate_is_signed_and_time_stamped_and_judges_agree(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let sealed = sealed(&api).await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("root.pem"), development_root(&server)).unwrap();
    fs::write(folder.path().join("certificate.pdf"), &sealed.pdf).unwrap();
    if let Some(content) = pdf::read(&sealed.pdf) {
        let text = content.text.split_whitespace().collect::<Vec<_>>().join(" ");
        for expected in ["Signed and time-stamped", "Sealwright development seal", "no one outside trusts"] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
    if let Some(verdict) = judge("pdfsig", &["-nocert", "certificate.pdf"], folder.path()) {
        assert!(verdict.text.contains("Signature is Valid"), "{}", verdict.text);
        assert!(verdict.text.trim_end().contains("Total document signed"), "{}", verdict.text);
    }
    let validate = "sign validate --trust root.pem --pretty-print certificate.pdf";
    if let Some(verdict) = must("pyhanko", validate, folder.path()) {
        assert!(verdict.contains("The signature is judged VALID") && !verdict.contains("INVALID"), "{verdict}");
    }
    // The highest level, checked without a network.
    if let Some(verdict) = must("pyhanko", "sign adesverify --trust root.pem certificate.pdf", folder.path()) {
        assert!(verdict.contains("INTACT:TRUSTED") && verdict.contains("EXTENDED_WITH_LTA_UPDATES"), "{verdict}");
    }
    // A single changed byte in the middle of the page content is detected.
    let mut changed = sealed.pdf;
    let middle = changed.len() / 3;
    changed[middle] ^= 1;
    fs::write(folder.path().join("certificate.pdf"), changed).unwrap();
    if let Some(verdict) = judge("pyhanko", &validate.split(' ').collect::<Vec<_>>(), folder.path()) {
        assert!(!verdict.success || verdict.text.contains("INVALID"), "{}", verdict.text);
    }
}

async fn decisions_14_every_file_has_a_token_which_is_attached_and_named_in_the_report(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let sealed = sealed(&api).await;
    let report = api.with_token(None).get("/reports/claim-77").await.expect(200).json();
    let items = report[0]["items"].as_array().unwrap().clone();
    assert!(items[0]["tspTokenHash"].is_string() && items[1]["tspTokenHash"].is_string(), "{items:?}");
    assert!(items[2].get("tspTokenHash").is_none(), "an entry has no token: {}", items[2]);

    let folder = tempfile::tempdir().unwrap();
    let Some(()) = attachments(&sealed.pdf, folder.path()) else { return };
    fs::write(folder.path().join("root.pem"), development_root(&server)).unwrap();
    for item in &items[..2] {
        let name = format!("attached/{}.tst", item["cfRef"].as_str().unwrap());
        let token = fs::read(folder.path().join(&name)).unwrap();
        assert_eq!(hex::encode(Sha256::digest(&token)), item["tspTokenHash"]);
        let digest = item["imageHash"].as_str().unwrap();
        must("openssl", &format!("ts -verify -digest {digest} -in {name} -token_in -CAfile root.pem"), folder.path());
    }
    assert_eq!(items[0]["imageHash"], hex::encode(Sha256::digest(&sealed.photo)));
    let manifest = Sha256::digest(fs::read(folder.path().join("attached/seal-manifest.json")).unwrap());
    let verify = format!(
        "ts -verify -digest {} -in attached/seal-manifest.tst -token_in -CAfile root.pem",
        hex::encode(manifest)
    );
    must("openssl", &verify, folder.path());
    must("openssl", "verify -purpose smimesign -CAfile root.pem attached/seal-chain.pem", folder.path());
}

async fn an_item_added_before_a_crash_has_its_token_afterwards(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME, "reportToken": "claim-crash" })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    server.kill();
    server.restart().await;
    let public = api.with_token(None);
    // On PostgreSQL the killed server's lease must expire first.
    let mut rows = Rows::of(&server).await;
    eventually("the token arrives", AMPLE * 2, async || {
        let tokens: Vec<(i64,)> = rows.all("select count(*) from item_tokens").await;
        (tokens[0].0 == 1).then_some(())
    })
    .await;
    let hash = public.get("/reports/claim-crash").await.expect(200).json()[0]["items"][0]["tspTokenHash"].clone();
    // It does not change when the case is closed.
    let pdf_url = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    let pdf = public.get(&pdf_url).await.expect(200).body;
    assert_eq!(public.get("/reports/claim-crash").await.expect(200).json()[0]["items"][0]["tspTokenHash"], hash);
    let Some(content) = pdf::read(&pdf) else { return };
    assert!(content.json_attachments.iter().any(|json| json["items"][0]["timeStampToken"]["sha256"] == hash));
}

async fn the_seal_manifest_commits_to_each_item(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let sealed = sealed(&api).await;
    let Some(content) = pdf::read(&sealed.pdf) else { return };
    let manifest = &content.json_attachments[0];
    assert_eq!(manifest["version"], 2);
    assert_eq!(manifest["reference"], format!("CAS-{}_CMP-{ACME}", sealed.case));
    assert_eq!(manifest["commitments"]["size"], 3);
    let salts: Vec<&Value> = manifest["items"].as_array().unwrap().iter().map(|item| &item["salt"]).collect();
    assert!(salts.iter().all(|salt| salt.as_str().is_some_and(|salt| salt.len() == 64)), "{salts:?}");
    assert!(salts[0] != salts[1] && salts[1] != salts[2], "{salts:?}");
}

async fn seal_init_creates_an_authority_once_and_says_what_to_do_next(server: TestServer) {
    let refused = server.run(&["seal", "init"]);
    assert!(!refused.status.success(), "the server has already created one");
    assert!(said(&refused).contains("development-authority already exists"), "{}", said(&refused));
    let elsewhere = server.folder().join("elsewhere").display().to_string();
    let made = server.run(&["seal", "init", "--organization", "Acme, test", "--data-dir", &elsewhere]);
    let text = said(&made);
    assert!(made.status.success(), "{text}");
    for expected in ["elsewhere/development-authority", "Acme\\, test", "SHA-256", "seal.certificate_chain"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let again = server.run(&["seal", "init", "--data-dir", &elsewhere]);
    assert!(!again.status.success() && said(&again).contains("never overwritten"), "{}", said(&again));
    let help = said(&server.run(&["seal", "init", "--help"]));
    assert!(help.contains("sealwright seal init --organization"), "{help}");
}

async fn a_key_that_cannot_seal_stops_the_server_at_startup_and_doctor_says_why(mut server: TestServer) {
    let doctor = |server: &TestServer| -> Vec<Value> {
        let output = server.run(&["doctor", "--json"]);
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["checks"].as_array().unwrap().clone()
    };
    let of = |checks: &[Value], part: &str| {
        checks.iter().find(|check| check["part"] == part).cloned().unwrap_or_else(|| panic!("no {part}: {checks:?}"))
    };
    let checks = doctor(&server);
    let (seal, time) = (of(&checks, "seal"), of(&checks, "time stamps"));
    assert!(
        seal["state"] == "doubtful" && seal["finding"].as_str().unwrap().contains("development authority"),
        "{seal}"
    );
    assert!(
        time["state"] == "doubtful" && time["finding"].as_str().unwrap().contains("clock of this machine"),
        "{time}"
    );

    // A key and a certificate of two different pairs.
    let folder = server.data_dir().join("development-authority");
    server.set("SEALWRIGHT_SEAL_KEY", &folder.join("time-stamping.key").display().to_string());
    server.set("SEALWRIGHT_SEAL_CERTIFICATE_CHAIN", &folder.join("seal-chain.pem").display().to_string());
    let seal = of(&doctor(&server), "seal");
    assert!(
        seal["state"] == "broken" && seal["finding"].as_str().unwrap().contains("do not belong together"),
        "{seal}"
    );
    server.kill();
    let output = server.run(&["serve"]);
    assert!(
        !output.status.success() && said(&output).contains("the key is not the one in the certificate"),
        "{}",
        said(&output)
    );
    // A certificate for another purpose.
    server.set("SEALWRIGHT_SEAL_CERTIFICATE_CHAIN", &folder.join("time-stamping-chain.pem").display().to_string());
    let output = server.run(&["serve"]);
    assert!(!output.status.success() && said(&output).contains("may not be used for this"), "{}", said(&output));
}

/// Key rotation: the chain is in the certificate, and older seals need nothing from the new key.
async fn certificates_of_an_earlier_authority_stay_valid(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (first, first_root) = (sealed(&api).await, development_root(&server));
    server.kill();
    let folder = server.data_dir().join("development-authority");
    fs::rename(&folder, server.data_dir().join("development-authority-2025")).unwrap();
    server.restart().await;
    let (second, second_root) = (sealed(&api).await, development_root(&server));
    assert_ne!(first_root, second_root);
    let folder = tempfile::tempdir().unwrap();
    for (pdf, root) in [(&first.pdf, &first_root), (&second.pdf, &second_root)] {
        fs::write(folder.path().join("root.pem"), root).unwrap();
        fs::write(folder.path().join("certificate.pdf"), pdf).unwrap();
        let validate = "sign validate --trust root.pem --pretty-print certificate.pdf";
        let Some(verdict) = must("pyhanko", validate, folder.path()) else { return };
        assert!(verdict.contains("The signature is judged VALID"), "{verdict}");
    }
}
