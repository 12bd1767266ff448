//! The pages of certificates for people who do not see them: PDF/UA-1 (ISO 14289-1), by two validators of other authors.
//! veraPDF is not available here; these two check the same checkpoints of the Matterhorn protocol without it.

use std::fs;

use serde_json::json;

use crate::{
    base_pdf::base_pdf,
    support::{
        Database, TestServer,
        company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
        evidence::{add_capture, add_document, add_entry, close, identity_card, open_case, photo},
        judges::{judge, must},
        server::said,
    },
};

/// That a form field has a name for readers, and that it is in the tree of the page. The fields of the signature and of the
/// time stamps have no size, so they are not on the page, and ISO 14289-1 (7.18.1 and 7.18.4) excepts them
/// (docs/adr/0049-certificates-for-everyone.md).
const OFF_THE_PAGE: &str = "FRM-001,FRM-003";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sealed_certificate_is_accessible_in_every_language() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    for language in ["en", "fr", "de", "es"] {
        let case = open_case(&api, &json!({ "frameId": FRAME, "title": "Water damage", "language": language })).await;
        add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
        add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
        add_entry(&api, case, TEXT_FIELD, "Martinel").await.expect(201);
        let url = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
        let pdf = api.with_token(None).get(&url).await.expect(200).body;
        let name = format!("{language}.pdf");
        fs::write(server.folder().join(&name), &pdf).unwrap();
        must("outloud", &format!("--layer conformance --skip {OFF_THE_PAGE} {name}"), server.folder());
        must("pdfua", &format!("check --min-severity error {name}"), server.folder());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_in_every_theme_is_accessible() {
    let server = TestServer::start(Database::Sqlite).await;
    for theme in ["default", "notary", "gallery"] {
        let (folder, name) = (format!("of-{theme}"), format!("{theme}.pdf"));
        for arguments in
            [&["template", "new", &folder, "--from", theme][..], &["template", "preview", &folder, "--out", &name][..]]
        {
            let output = server.run(arguments);
            assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        }
        must("outloud", &format!("--layer conformance {name}"), server.folder());
        must("pdfua", &format!("check --min-severity error {name}"), server.folder());
    }
}

/// The validators notice what they are for.
#[test]
fn a_page_without_structure_is_not_accessible() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain.pdf"), base_pdf(&[])).unwrap();
    for (program, arguments) in
        [("outloud", &["--layer", "conformance", "plain.pdf"][..]), ("pdfua", &["check", "plain.pdf"][..])]
    {
        let Some(verdict) = judge(program, arguments, folder.path()) else { return };
        assert!(!verdict.success, "{program}: {}", verdict.text);
    }
}
