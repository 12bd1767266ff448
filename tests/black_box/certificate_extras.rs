//! Original files inside certificates, and documents page by page (operator's page, "Originals and documents in
//! certificates").

use std::{collections::BTreeMap, fmt::Write as _, fs};

use serde_json::{Value, json};

use crate::support::{
    Api, TestServer,
    client::Upload,
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on, acme_with_webhook},
    evidence::{add_capture, add_document, add_entry, close, open_case, photo, signature},
    judges::must,
    on_both_databases, pdf,
    proofs::{checked, position},
    server::said,
};

on_both_databases!(
    originals_are_embedded_byte_for_byte_in_the_order_of_the_items_as_long_as_they_fit,
    a_document_is_shown_page_by_page_and_one_that_cannot_be_drawn_stops_nothing,
    without_the_settings_a_certificate_names_files_only,
    an_erased_item_leaves_neither_its_original_nor_its_pages,
    apply_refuses_what_no_certificate_can_hold_and_an_export_has_the_settings,
);

fn with_settings(settings: &str) -> String {
    acme_with_webhook("").replacen("name = ", &format!("{settings}\nname = "), 1)
}

/// A PDF file whose pages have a large rectangle each, the first in this grey and each further one in a lighter one.
fn document(pages: usize, grey: usize) -> Upload {
    let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>".to_owned()];
    let kids: Vec<String> = (0..pages).map(|page| format!("{} 0 R", 3 + 2 * page)).collect();
    objects.push(format!("<</Type/Pages/Kids[{}]/Count {pages}>>", kids.join(" ")));
    for page in 0..pages {
        let content = format!("0.{} g 100 100 300 400 re f", grey + page);
        let number = 4 + 2 * page;
        objects.push(format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {number} 0 R/Resources<<>>>>"));
        objects.push(format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = "%PDF-1.7\n".to_owned();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(&objects) {
        writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
        writeln!(file, "{number} 0 obj\n{object}\nendobj").unwrap();
    }
    let start = file.len();
    let size = objects.len() + 1;
    write!(file, "{table}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").unwrap();
    Upload { bytes: file.into_bytes(), name: "report.pdf", media_type: "application/pdf" }
}

fn broken_document() -> Upload {
    let bytes = b"%PDF-1.7\nThis is not the rest of a PDF file.".to_vec();
    Upload { bytes, name: "broken.pdf", media_type: "application/pdf" }
}

fn number(item: &Value) -> i64 {
    item["itemId"].as_i64().expect("itemId is a number")
}

async fn certificate(api: &Api, case: i64) -> Vec<u8> {
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().expect("a URL").to_owned();
    api.with_token(None).get(&url).await.expect(200).body.to_vec()
}

/// The attachments of a certificate by their names, or `None` if poppler is missing.
fn attachments(pdf: &[u8]) -> Option<BTreeMap<String, Vec<u8>>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("certificate.pdf"), pdf).unwrap();
    fs::create_dir(folder.path().join("attached")).unwrap();
    must("pdfdetach", "-saveall -o attached certificate.pdf", folder.path())?;
    let files = fs::read_dir(folder.path().join("attached")).unwrap().map(|entry| entry.unwrap());
    let read = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    Some(files.map(read).collect())
}

/// The attachments that are original files.
fn originals(pdf: &[u8]) -> Option<BTreeMap<String, Vec<u8>>> {
    let is_original = |name: &str| name.starts_with("ITM-") && name.strip_suffix(".tst").is_none();
    Some(attachments(pdf)?.into_iter().filter(|(name, _)| is_original(name)).collect())
}

/// Its text, without line breaks.
fn text(pdf: &[u8]) -> Option<String> {
    Some(pdf::read(pdf)?.text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The pictures in the file.
fn pictures(pdf: &[u8]) -> usize {
    const PICTURE: &[u8] = b"/Subtype/Image";
    pdf.windows(PICTURE.len()).filter(|part| *part == PICTURE).count()
}

async fn originals_are_embedded_byte_for_byte_in_the_order_of_the_items_as_long_as_they_fit(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (first, report) = (photo(1).bytes, document(1, 1).bytes);
    let room = first.len() + report.len();
    server.must_apply(&with_settings(&format!("embed_originals = \"{room}B\"")));
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let taken = number(&add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200).json());
    let skipped = number(&add_capture(&api, case, PHOTOGRAPHY, photo(2)).await.expect(200).json());
    let uploaded = number(&add_document(&api, case, DOCUMENT_UPLOAD, document(1, 1)).await.expect(200).json());
    let sealed = certificate(&api, case).await;

    let name = |item: i64, ending: &str| format!("ITM-{item}_CAS-{case}.{ending}");
    let (photo_name, report_name) = (name(taken, "jpg"), name(uploaded, "pdf"));
    let verified = checked(&server, "certificate.pdf", &sealed, &[], 0);
    let embedded: Vec<&Value> = verified["items"].as_array().unwrap().iter().map(|item| &item["embedded"]).collect();
    assert_eq!(embedded, [&json!(photo_name), &Value::Null, &json!(report_name)], "{verified}");
    assert_eq!(verified["outcome"], "valid");
    let printed = said(&server.run(&["verify", "certificate.pdf"]));
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains("Original files inside the certificate: 2 of 3."), "{printed}");
    let raw = String::from_utf8_lossy(&sealed);
    assert!(raw.contains("<pdfaid:part>3</pdfaid:part>") && raw.contains("<pdfuaid:part>1</pdfuaid:part>"));
    if let Some(found) = originals(&sealed) {
        assert_eq!(found, BTreeMap::from([(photo_name.clone(), first), (report_name.clone(), report)]));
    }
    if let Some(text) = text(&sealed) {
        // A line may end within a name, after a hyphen.
        let squeezed = |text: &str| text.replace([' ', '-'], "");
        let text = squeezed(&text);
        for attached in [photo_name, report_name] {
            let expected = squeezed(&format!("attached to this PDF file as {attached}"));
            assert!(text.contains(&expected), "{expected}: {text}");
        }
        assert!(!text.contains(&squeezed(&name(skipped, "jpg"))), "{text}");
    }

    // A changed byte of an embedded file is a changed certificate.
    let mut changed = sealed;
    let start = position(&changed, b"stream", position(&changed, b"image#2Fjpeg", 0));
    changed[start + 1_000] ^= 1;
    let refused = checked(&server, "changed.pdf", &changed, &[], 1);
    assert_eq!(refused["outcome"], "changedOrNotOurs");
}

async fn a_document_is_shown_page_by_page_and_one_that_cannot_be_drawn_stops_nothing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&with_settings("show_documents = 3"));
    let sealed = async |documents: Vec<Upload>| {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        for document in documents {
            add_document(&api, case, DOCUMENT_UPLOAD, document).await.expect(200);
        }
        certificate(&api, case).await
    };
    let three = sealed(vec![document(3, 1)]).await;
    assert_eq!(pictures(&three), 3);
    let longer = sealed(vec![document(5, 1), broken_document(), signature()]).await;
    assert_eq!(pictures(&longer), 4, "three pages of a document, and a picture that is a document");
    let raw = String::from_utf8_lossy(&longer);
    assert!(raw.contains("<pdfaid:conformance>A</pdfaid:conformance>") && raw.contains("<pdfuaid:part>1<"));
    let verified = checked(&server, "longer.pdf", &longer, &[], 0);
    assert_eq!(verified["pages"]["state"], "agree", "{verified}");
    let (Some(three), Some(longer)) = (text(&three), text(&longer)) else { return };
    for page in ["Page 1 of 3", "Page 2 of 3", "Page 3 of 3", "Shown below: 3 of 3 pages"] {
        assert!(three.contains(page), "{page}: {three}");
    }
    for expected in ["Page 3 of 5", "Page 1 of 1", "The pages of this document cannot be shown."] {
        assert!(longer.contains(expected), "{expected}: {longer}");
    }
    assert!(!longer.contains("Page 4 of 5") && !longer.contains("is not part of this certificate"), "{longer}");
}

async fn without_the_settings_a_certificate_names_files_only(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_document(&api, case, DOCUMENT_UPLOAD, document(2, 1)).await.expect(200);
    let sealed = certificate(&api, case).await;
    assert_eq!(pictures(&sealed), 0);
    if let Some(found) = originals(&sealed) {
        assert!(found.is_empty(), "{:?}", found.keys());
    }
    if let Some(text) = text(&sealed) {
        assert!(text.contains("The document itself is not part of this certificate."), "{text}");
    }
}

async fn an_erased_item_leaves_neither_its_original_nor_its_pages(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&with_settings("embed_originals = \"20MB\"\nshow_documents = 2"));
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let kept = number(&add_document(&api, case, DOCUMENT_UPLOAD, document(1, 6)).await.expect(200).json());
    let erased = number(&add_document(&api, case, DOCUMENT_UPLOAD, document(2, 1)).await.expect(200).json());
    add_entry(&api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let url = close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    let public = api.with_token(None);
    let before = public.get(&url).await.expect(200).body.to_vec();
    assert_eq!(pictures(&before), 3);

    let body = json!({ "items": [erased], "ground": "request" });
    api.post(&format!("/v2/cases/{case}/erasure"), &body).await.expect(200);
    let after = public.get(&url).await.expect(200).body.to_vec();
    let verified = checked(&server, "after.pdf", &after, &[], 0);
    assert_eq!(verified["erasure"]["size"], 3, "{verified}");
    let name = format!("ITM-{kept}_CAS-{case}.pdf");
    assert_eq!(verified["items"][0]["embedded"], json!(name), "{verified}");
    assert_eq!(pictures(&after), 1);
    if let Some(found) = originals(&after) {
        assert_eq!(found, BTreeMap::from([(name, document(1, 6).bytes)]));
    }
    if let Some(text) = text(&after) {
        assert!(text.contains("Page 1 of 1") && !text.contains("of 2 pages"), "{text}");
        assert!(!text.contains(&format!("ITM-{erased}_")), "{text}");
    }
}

async fn apply_refuses_what_no_certificate_can_hold_and_an_export_has_the_settings(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let refused = server.apply(&with_settings("embed_originals = \"1GB\"\nshow_documents = 21"));
    assert!(!refused.status.success());
    for expected in ["company.embed_originals", "0 to 50MB", "company.show_documents", "from 0 to 20"] {
        assert!(said(&refused).contains(expected), "{expected}: {}", said(&refused));
    }
    server.must_apply(&with_settings("embed_originals = \"2500kB\"\nshow_documents = 4"));
    let exported = String::from_utf8(server.run(&["company", "export", "7"]).stdout).unwrap();
    assert!(exported.contains("embed_originals = \"2500kB\"") && exported.contains("show_documents = 4"), "{exported}");
}
