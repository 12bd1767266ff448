//! The page that checks a certificate in a browser.

use std::fs;

use super::inspector::Inspector;
use crate::support::{Database, TestServer, company_manifest::acme_on, evidence::photo, proofs::certificate};

/// How many screens the walk sees.
const SCREENS: usize = 4;

pub(super) async fn walk() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let write = |name: &str, bytes: &[u8]| {
        let path = server.folder().join(name);
        fs::write(&path, bytes).expect("write a file");
        path.display().to_string()
    };
    let genuine = certificate(&api, "Plumber: Dupont & Sons").await;
    let pdf = write("cert.pdf", &genuine);
    let cut = write("cut.pdf", &genuine[..1000]);
    let picture = write("photo.jpg", &photo(1).bytes);
    let root = server.data_dir().join("development-authority/root.pem").display().to_string();

    let page = Inspector::start("en").await;
    let browser = &page.browser;
    page.open(&format!("{}/verify", server.base_url()), "#certificate").await;
    page.look_at("verify-empty", "#certificate").await;
    browser.click(".trust summary").await;
    page.look_at("verify-trust", "#signers").await;
    browser.enter("#roots", &root).await;
    browser.enter("#originals", &picture).await;
    browser.enter("#certificate", &pdf).await;
    browser.wait_for("#shown[data-state=done] figure img").await;
    page.look_at("verify-valid", "#result[data-state=done] .entry img").await;
    browser.enter("#certificate", &cut).await;
    page.look_at("verify-changed", "#result[data-state=done] .verdict.bad").await;
    page.finish(SCREENS);
}
