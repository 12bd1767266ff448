//! Items with a file: what the multipart form must contain, which files are accepted, how large they may be, and that a
//! refused file leaves nothing behind (spec 4.13, decisions 8).

use std::time::Duration;

use hyper::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::support::{
    AMPLE, Answer, Api, TestServer,
    client::{Upload, send},
    company_manifest::{
        ACME, ACME_READER, DOCUMENT_UPLOAD, EMAIL, FRAME, PHOTOGRAPHY, SELECT, SIGNATURE, TEXT_FIELD, VIDEO, acme_on,
    },
    eventually,
    evidence::{add_capture, add_document, close, create_item, identity_card, open_case, photo, signature, video},
    on_both_databases,
};

on_both_databases!(
    spec_4_13_each_endpoint_serves_its_types_of_step,
    decisions_8_the_signature_of_a_file_decides_its_type_whatever_its_name,
    decisions_8_the_size_limit_is_exact_and_stops_the_reading,
    spec_4_13_the_form_has_a_file_and_a_description_once_each_in_either_order,
    spec_4_13_a_malformed_description_names_the_field,
    decisions_8_an_upload_that_is_cut_off_leaves_nothing,
    a_refusal_arrives_while_the_file_is_still_being_sent,
);

const MIB: usize = 1024 * 1024;

async fn spec_4_13_each_endpoint_serves_its_types_of_step(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    for step in [PHOTOGRAPHY, VIDEO, SIGNATURE, TEXT_FIELD, EMAIL, SELECT] {
        let message = add_document(&api, case, step, identity_card()).await.expect(403).error_message();
        assert!(message.contains("DOCUMENT_UPLOAD"), "{message}");
    }
    for step in [DOCUMENT_UPLOAD, TEXT_FIELD, EMAIL, SELECT] {
        add_capture(&api, case, step, photo(1)).await.expect(403).error_message();
    }
    // The correct endpoint, with a file of a type that the step does not accept.
    for (step, file, named) in [
        (PHOTOGRAPHY, video(), "MP4"),
        (SIGNATURE, video(), "MP4"),
        (VIDEO, photo(1), "JPEG"),
        (VIDEO, signature(), "PNG"),
        (PHOTOGRAPHY, identity_card(), "PDF"),
    ] {
        let message = add_capture(&api, case, step, file).await.expect(400).error_message();
        assert!(message.contains(named), "{message}");
    }
    assert!(add_document(&api, case, DOCUMENT_UPLOAD, video()).await.expect(400).error_message().contains("MP4"));
    // Position is required for photos and videos, optional elsewhere.
    for (step, file, status) in [
        (PHOTOGRAPHY, photo(1), 400),
        (VIDEO, video(), 400),
        (SIGNATURE, signature(), 200),
        (PHOTOGRAPHY, photo(1), 400),
    ] {
        let answer = api.upload(&format!("/v2/items/{case}"), &no_position(step), file).await.expect(status);
        if status == 400 {
            assert!(answer.error_message().contains("geolocLatitude"), "{}", answer.text());
        }
    }
    api.upload(&format!("/v2/items/{case}/document"), &no_position(DOCUMENT_UPLOAD), identity_card()).await.expect(200);
    for (step, file) in [(PHOTOGRAPHY, photo(1)), (PHOTOGRAPHY, signature()), (VIDEO, video()), (SIGNATURE, photo(2))] {
        add_capture(&api, case, step, file).await.expect(200);
    }
    for file in [photo(1), signature()] {
        add_document(&api, case, DOCUMENT_UPLOAD, file).await.expect(200);
    }
    assert_holds(&server, &api, &receiver, case, 8).await;
}

async fn decisions_8_the_signature_of_a_file_decides_its_type_whatever_its_name(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let jpeg = photo(1).bytes;
    for (name, media_type) in [
        ("card.pdf", "application/pdf"),
        ("page.html", "text/html"),
        ("../../../../etc/passwd", "application/octet-stream"),
        ("x\"; filename=\"y.exe", "image/svg+xml"),
        ("", "video/mp4"),
    ] {
        let file = Upload { bytes: jpeg.clone(), name, media_type };
        let stored = add_document(&api, case, DOCUMENT_UPLOAD, file).await.expect(200).json();
        let url = stored["documentUrl"].as_str().unwrap();
        let original = api.with_token(None).get(&format!("{url}?original=1")).await.expect(200);
        assert_eq!(original.header("content-type"), Some("image/jpeg"), "{name} {media_type}");
        assert_eq!(original.body, jpeg);
    }
    let mut pdf_after_html = b"<html><script>alert(1)</script>\n".to_vec();
    pdf_after_html.extend_from_slice(&identity_card().bytes);
    let refused: [(&[u8], &str); 11] = [
        (b"", "empty"),
        (b"G", "file type"),
        (b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00", "GIF"),
        (b"<html><body>a page</body></html>", "file type"),
        (b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff", "file type"),
        (b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00\x21\x00", "ZIP"),
        (b"%PDF", "file type"),
        (b"\xff\xd8", "file type"),
        (b"\x89PNG\r\n\x1a", "file type"),
        (b"\0\0\0\x18ftypheic\0\0\0\0heicmif1", "HEIC"),
        (&pdf_after_html, "file type"),
    ];
    for (bytes, expected) in refused {
        let disguised = || Upload { bytes: bytes.to_vec(), name: "front.jpg", media_type: "image/jpeg" };
        let document = add_document(&api, case, DOCUMENT_UPLOAD, disguised()).await;
        let capture = add_capture(&api, case, PHOTOGRAPHY, disguised()).await;
        for answer in [document, capture] {
            let message = answer.expect(400).error_message();
            assert!(message.contains(expected), "{}: {message}", bytes[..bytes.len().min(16)].escape_ascii());
        }
    }
    assert_holds(&server, &api, &receiver, case, 5).await;
}

async fn decisions_8_the_size_limit_is_exact_and_stops_the_reading(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let padded = |start: &[u8], length: usize| {
        let mut bytes = start.to_vec();
        bytes.resize(length, b' ');
        Upload { bytes, name: "large", media_type: "application/octet-stream" }
    };
    let (pdf, png) = (identity_card().bytes, signature().bytes);
    add_document(&api, case, DOCUMENT_UPLOAD, padded(&pdf, 10 * MIB)).await.expect(200);
    add_capture(&api, case, SIGNATURE, padded(&png, 25 * MIB)).await.expect(200);
    for (answer, limit) in [
        (add_document(&api, case, DOCUMENT_UPLOAD, padded(&pdf, 10 * MIB + 1)).await, 10 * MIB),
        (add_capture(&api, case, SIGNATURE, padded(&png, 25 * MIB + 1)).await, 25 * MIB),
    ] {
        let message = answer.expect(400).error_message();
        assert!(message.contains(&limit.to_string()), "{message}");
    }

    // For a file declared as 4 GiB, the answer comes as soon as the limit is passed, and the rest is not read.
    let head = format!(
        "POST /v2/items/{case}/document HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: 4294967296\r\n\r\n\
         --b\r\ncontent-disposition: form-data; name=\"createItemDto\"\r\n\r\n{}\r\n\
         --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n%PDF-1.7\n",
        api.token.as_deref().unwrap(),
        create_item(DOCUMENT_UPLOAD, "x"),
    );
    let mut stream = TcpStream::connect(server.base_url().trim_start_matches("http://")).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let mut written = 0;
    let mut answer = [0; 12];
    let block = vec![b' '; 64 * 1024];
    // Keeps writing until there is an answer.
    let outcome = timeout(AMPLE, async {
        let flood = async {
            while writing.write_all(&block).await.is_ok() {
                written += block.len();
            }
            // The server has closed its side. Its answer may still be readable.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            read = reading.read_exact(&mut answer) => read.map(drop),
            () = flood => Ok(()),
        }
    });
    outcome.await.expect("an answer comes before the file ends").expect("the answer can be read");
    assert_eq!(&answer, b"HTTP/1.1 400");
    // The limit, plus what the buffers of both systems may hold.
    assert!(written < 32 * MIB, "{written} bytes were accepted after a limit of 10 MiB");
    assert_holds(&server, &api, &receiver, case, 2).await;
}

async fn spec_4_13_the_form_has_a_file_and_a_description_once_each_in_either_order(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let path = &format!("/v2/items/{case}/document");
    let dto = || create_item(DOCUMENT_UPLOAD, "card.pdf").to_string();
    let file = || Part::bytes(identity_card().bytes).file_name("card.pdf");
    let note = || Part::text("x".repeat(100_000));

    for form in [
        Form::new().text("createItemDto", dto()).part("file", file()),
        Form::new().part("file", file()).text("createItemDto", dto()),
        Form::new().part("note", note()).part("file", file()).part("", note()).text("createItemDto", dto()),
        // The description may be a part with its own type.
        Form::new().part("createItemDto", Part::text(dto()).mime_str("application/json").unwrap()).part("file", file()),
    ] {
        post_form(&api, path, form).await.expect(200);
    }
    for (form, expected) in [
        (Form::new(), "multipart"),
        (Form::new().text("createItemDto", dto()), "file is required"),
        (Form::new().part("file", file()), "createItemDto is required"),
        (Form::new().part("File", file()).text("createItemDto", dto()), "file is required"),
        (Form::new().text("createItemDto", dto()).part("file", file()).part("file", file()), "file is given more"),
        (
            Form::new().text("createItemDto", dto()).text("createItemDto", dto()).part("file", file()),
            "createItemDto is given more",
        ),
        (Form::new().part("file", file()).text("createItemDto", "x".repeat(MIB + 1)), "createItemDto must be at most"),
    ] {
        let message = post_form(&api, path, form).await.expect(400).error_message();
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let with_boundary = "multipart/form-data; boundary=b";
    let disposition = "content-disposition: form-data; name";
    for (content_type, body) in [
        ("application/json", dto()),
        ("multipart/form-data", format!("--b\r\n{disposition}=\"createItemDto\"\r\n\r\n{}\r\n--b--\r\n", dto())),
        ("multipart/mixed; boundary=b", format!("--b\r\n{disposition}=\"file\"\r\n\r\n%PDF-1.7\r\n--b--\r\n")),
        (with_boundary, String::new()),
        (with_boundary, "no parts at all".to_owned()),
        (with_boundary, format!("--other\r\n{disposition}=\"file\"\r\n\r\n%PDF-1.7\r\n--other--\r\n")),
        // The last boundary is missing: the file may be incomplete.
        (with_boundary, format!("--b\r\n{disposition}=\"file\"\r\n\r\n%PDF-1.7 and more of it, but not all")),
        (with_boundary, "--b\r\ncontent-disposition: form-data\r\n".to_owned()),
        (with_boundary, format!("--b\r\n{}\r\n\r\nx\r\n--b--\r\n", "x-header: y\r\n".repeat(10_000))),
        (with_boundary, "--b\r\n--b\r\n--b--\r\n".to_owned()),
    ] {
        api.post_raw(path, content_type, body).await.expect(400).error_message();
    }
    assert_holds(&server, &api, &receiver, case, 4).await;
}

async fn spec_4_13_a_malformed_description_names_the_field(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let path = &format!("/v2/items/{case}/document");
    for text in ["", "{", "stepId=704", "[]", "null", "\"x\""] {
        let form = Form::new().text("createItemDto", text).part("file", Part::bytes(identity_card().bytes));
        post_form(&api, path, form).await.expect(400).error_message();
    }
    for field in ["stepId", "data", "clientAppName", "clientAppVersion", "frontCreatedAt"] {
        let mut without = create_item(DOCUMENT_UPLOAD, "card.pdf");
        without.as_object_mut().unwrap().remove(field);
        for path in [path, &format!("/v2/items/{case}")] {
            let message = api.upload(path, &without, identity_card_or_photo(path)).await.expect(400).error_message();
            assert_eq!(message, format!("{field} is required"));
        }
    }
    for (field, wrong) in [
        ("stepId", json!("704")),
        ("data", json!(5)),
        ("data", json!("x".repeat(10_001))),
        ("frontCreatedAt", json!("2026-11-20T10:42:17")),
        ("companyId", json!([])),
        ("userDeviceOs", json!({})),
        ("geolocLatitude", json!("north")),
    ] {
        let mut spoilt = create_item(DOCUMENT_UPLOAD, "card.pdf");
        spoilt[field] = wrong;
        let message = api.upload(path, &spoilt, identity_card()).await.expect(400).error_message();
        assert!(message.contains(&format!("{field} must be")), "{message}");
    }
    assert_holds(&server, &api, &receiver, case, 0).await;
}

async fn decisions_8_an_upload_that_is_cut_off_leaves_nothing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let film = video().bytes;
    let head = format!(
        "POST /v2/items/{case} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: 100000000\r\n\r\n\
         --b\r\ncontent-disposition: form-data; name=\"createItemDto\"\r\n\r\n{}\r\n\
         --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n",
        api.token.as_deref().unwrap(),
        create_item(VIDEO, "x"),
    );
    let address = server.base_url().trim_start_matches("http://").to_owned();
    let mut streams = Vec::new();
    for _ in 0..4 {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        for _ in 0..8 {
            stream.write_all(&film).await.unwrap();
        }
        streams.push(stream);
    }
    eventually("the uploads are being written", AMPLE, async || (server.files_of_items().len() == 4).then_some(()))
        .await;
    drop(streams);
    eventually("the written parts are deleted", AMPLE, async || server.files_of_items().is_empty().then_some(())).await;
    assert_holds(&server, &api, &receiver, case, 0).await;
}

async fn a_refusal_arrives_while_the_file_is_still_being_sent(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let path = &format!("/v2/items/{case}");
    let mut large = video().bytes;
    large.resize(40 * MIB, 0);
    let film = || Upload { bytes: large.clone(), name: "film.mp4", media_type: "video/mp4" };
    let good = create_item(VIDEO, "film.mp4");
    for _ in 0..4 {
        api.with_token(None).upload(path, &good, film()).await.expect(401).error_message();
        reader.upload(path, &good, film()).await.expect(403).error_message();
        api.upload(path, &json!({ "stepId": VIDEO }), film()).await.expect(400).error_message();
        api.upload("/v2/items/0", &good, film()).await.expect(400).error_message();
        api.upload("/v2/things", &good, film()).await.expect(404).error_message();
        api.post_raw("/cases/create", "application/json", large.clone()).await.expect(400).error_message();
    }
    assert_holds(&server, &api, &receiver, case, 0).await;
}

/// A description without a position.
fn no_position(step: i64) -> Value {
    let mut item = create_item(step, "x");
    for field in ["geolocLatitude", "geolocLongitude", "geolocAccuracy"] {
        item.as_object_mut().unwrap().remove(field);
    }
    item
}

fn identity_card_or_photo(path: &str) -> Upload {
    if path.ends_with("/document") { identity_card() } else { photo(1) }
}

async fn post_form(api: &Api, path: &str, form: Form) -> Answer {
    send(api.request(Method::POST, path).multipart(form)).await
}

/// Checks that exactly `count` items with a file are in the case and in the blob store: refused files left nothing.
async fn assert_holds(server: &TestServer, api: &Api, receiver: &crate::support::Receiver, case: i64, count: usize) {
    // A refusal may be sent before the last dropped file is cleaned up.
    eventually("refused files are deleted", Duration::from_secs(10), async || {
        (server.files_of_items().len() <= count).then_some(())
    })
    .await;
    assert_eq!(server.files_of_items().len(), count);
    close(api, case).await.expect(200);
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    assert_eq!(payload["items"].as_array().unwrap().len(), count);
}
