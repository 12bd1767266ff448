//! Uploads by pieces, tus 1.0 (decisions 16): an interrupted file continues where it stopped, and becomes the same item
//! as one that is sent at once.

mod foreign_client;
mod lifetime;
pub(crate) mod requests;

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::Method;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use self::requests::{
    CAPTURES, OCTETS, announce, assert_nothing_is_left, delete, describe, encode, hash, head, location, patch, pieces,
    raw, streamed, view, with,
};
use crate::support::{
    AMPLE, TestServer,
    client::send,
    company_manifest::{ACME, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, VIDEO, acme_on},
    eventually,
    evidence::{add_capture, close, identity_card, open_case, photo, signature, video},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    decisions_16_a_file_in_pieces_becomes_the_same_item_as_by_the_form,
    decisions_16_each_type_of_step_takes_its_files_in_pieces,
    what_arrives_before_a_broken_connection_is_kept,
    a_piece_that_does_not_fit_changes_nothing,
    an_announcement_is_checked_before_the_file_is_sent,
    a_refused_file_leaves_nothing,
);

const MIB: usize = 1024 * 1024;

async fn decisions_16_a_file_in_pieces_becomes_the_same_item_as_by_the_form(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(1).bytes;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);

    let supported = send(api.with_token(None).request(Method::OPTIONS, "/v2/uploads")).await.expect(204);
    for (name, value) in [
        ("tus-resumable", "1.0.0"),
        ("tus-version", "1.0.0"),
        ("tus-extension", "creation,checksum,termination,expiration"),
        ("tus-max-size", "524288000"),
        ("tus-checksum-algorithm", "sha1,sha256"),
    ] {
        assert_eq!(supported.header(name), Some(value));
    }

    let mut metadata = describe(case, PHOTOGRAPHY, "front.jpg");
    metadata.push(("captureId", CAPTURES[0].to_owned()));
    metadata.push(("sha256", hash(&file)));
    let created = announce(&api, file.len(), &metadata).await.expect(201);
    assert_eq!(created.header("tus-resumable"), Some("1.0.0"));
    let expires = created.header("upload-expires").expect("it expires");
    assert!(expires.ends_with(" GMT") && expires.len() == 29, "{expires}");
    let url = location(&created);
    assert!(url.starts_with(&format!("{}/v2/uploads/", server.base_url())), "{url}");
    let key = url.rsplit('/').next().unwrap();
    assert!(key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");

    let third = file.len() / 3;
    for (start, end) in [(0, third), (third, 2 * third), (2 * third, file.len())] {
        let state = head(&api, &url).await.expect(200);
        assert_eq!(state.header("upload-offset"), Some(start.to_string().as_str()));
        assert_eq!(state.header("upload-length"), Some(file.len().to_string().as_str()));
        assert_eq!(state.header("cache-control"), Some("no-store"));
        assert!(state.header("upload-expires").is_some() && state.body.is_empty());
        assert_eq!(
            view(&api, &url).await,
            json!({
                "offset": start, "length": file.len(), "captureId": CAPTURES[0], "item": null,
                "receipt": null
            })
        );
        let piece = &file[start..end];
        let checksum = format!("sha256 {}", STANDARD.encode(Sha256::digest(piece)));
        let request = patch(&api, &url, start, piece.to_vec()).header("upload-checksum", checksum);
        let answer = send(request).await.expect(204);
        assert_eq!(answer.header("upload-offset"), Some(end.to_string().as_str()));
        assert_eq!(answer.header("tus-resumable"), Some("1.0.0"));
    }

    let seen = view(&api, &url).await;
    let item = seen["item"]["itemId"].as_i64().expect("it is an item");
    assert_eq!(seen["offset"], file.len());
    assert_eq!(seen["item"]["cfRef"], format!("ITM-{item}_CAS-{case}"));
    assert_eq!((&seen["item"]["caseId"], &seen["item"]["stepId"]), (&json!(case), &json!(PHOTOGRAPHY)));
    let image = seen["item"]["fileUrl"].as_str().unwrap();
    let original = api.with_token(None).get(&format!("{image}?original=1")).await.expect(200);
    assert_eq!(hash(&original.body), hash(&file));
    api.with_token(None).get(image).await.expect(200);
    // A finished upload does not expire, and an empty piece at its end changes nothing.
    let state = head(&api, &url).await.expect(200);
    assert_eq!(state.header("upload-expires"), None);
    send(patch(&api, &url, file.len(), Vec::new())).await.expect(204);
    send(patch(&api, &url, file.len(), vec![0])).await.expect(400).error_message();
    send(patch(&api, &url, 0, file.clone())).await.expect(409).error_message();

    eventually("the pieces are deleted", AMPLE, async || pieces(&server).is_empty().then_some(())).await;
    assert_eq!(server.files_of_items().len(), 2);
    let mut rows = Rows::of(&server).await;
    let left: Vec<(i64,)> = rows.all("select upload_id from upload_pieces").await;
    assert_eq!(left, []);
    let captures: Vec<(Option<String>,)> = rows.all("select capture_id from items order by id").await;
    assert_eq!(captures, [(None,), (Some(CAPTURES[0].to_owned()),)]);
    close(&api, case).await.expect(200);
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    let [form, by_pieces] = payload["items"].as_array().unwrap().as_slice() else { panic!("{payload}") };
    for field in ["stepId", "data", "imageHash"] {
        assert_eq!(form[field], by_pieces[field], "{field}");
    }
    // After the closing the client still finds what it has sent.
    assert_eq!(view(&api, &url).await, seen);
}

async fn decisions_16_each_type_of_step_takes_its_files_in_pieces(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    for (step, file, folder) in [
        (VIDEO, video(), "/medias/video/"),
        (SIGNATURE, signature(), "/images/"),
        (DOCUMENT_UPLOAD, identity_card(), "/images/"),
    ] {
        let url = location(&announce(&api, file.bytes.len(), &describe(case, step, file.name)).await.expect(201));
        // The first piece is too short to show the type of a file.
        for (start, end) in [(0, 5), (5, file.bytes.len())] {
            send(patch(&api, &url, start, file.bytes[start..end].to_vec())).await.expect(204);
        }
        let seen = view(&api, &url).await;
        let address = seen["item"]["fileUrl"].as_str().unwrap();
        assert!(address.contains(folder), "{address}");
        let original = api.with_token(None).get(&format!("{address}?original=1")).await.expect(200);
        assert_eq!(original.body, file.bytes);
    }
    let mut rows = Rows::of(&server).await;
    let analysed: Vec<(String, String)> =
        rows.all("select i.action, a.kind from item_analyses a join items i on i.id = a.item_id").await;
    assert_eq!(analysed.len(), 1, "{analysed:?}");
    assert_eq!(analysed[0].0, "DOCUMENT_UPLOAD", "its analysis is expected, like that of a form");
}

async fn what_arrives_before_a_broken_connection_is_kept(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut film = video().bytes;
    film.resize(3 * MIB, 7);
    let url = location(&announce(&api, film.len(), &describe(case, VIDEO, "film.mp4")).await.expect(201));
    let break_off = async |start: usize, sent: &[u8], more: &str| {
        let head = format!(
            "PATCH {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ntus-resumable: 1.0.0\r\n\
             content-type: application/offset+octet-stream\r\nupload-offset: {start}\r\n{more}content-length: {}\r\n\r\n",
            url.trim_start_matches(&server.base_url()),
            api.token.as_deref().unwrap(),
            film.len() - start,
        );
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(sent).await.unwrap();
        stream.shutdown().await.unwrap();
        drop(stream);
    };
    let reached = async |expected: usize| {
        eventually("what was sent is kept", AMPLE, async || {
            let state = head(&api, &url).await.expect(200);
            (state.header("upload-offset") == Some(expected.to_string().as_str())).then_some(())
        })
        .await;
    };
    break_off(0, &film[..=MIB], "").await;
    reached(MIB + 1).await;
    assert_eq!(pieces(&server).len(), 1);
    // A part of a piece does not have the checksum of the piece.
    let checksum = format!("upload-checksum: sha1 {}\r\n", STANDARD.encode([0; 20]));
    break_off(MIB + 1, &film[MIB + 1..2 * MIB], &checksum).await;
    eventually("a part of a piece is deleted", AMPLE, async || {
        (server.log().matches("PATCH").count() >= 2 && pieces(&server).len() == 1).then_some(())
    })
    .await;
    reached(MIB + 1).await;
    break_off(MIB + 1, &film[MIB + 1..2 * MIB], "").await;
    reached(2 * MIB).await;
    send(patch(&api, &url, 2 * MIB, film[2 * MIB..].to_vec())).await.expect(204);
    let seen = view(&api, &url).await;
    let sent = api.with_token(None).get(seen["item"]["fileUrl"].as_str().unwrap()).await.expect(200);
    assert_eq!(hash(&sent.body), hash(&film));
}

async fn a_piece_that_does_not_fit_changes_nothing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(2).bytes;
    let url = location(&announce(&api, file.len(), &describe(case, PHOTOGRAPHY, "front.jpg")).await.expect(201));
    let first = file[..1000].to_vec();
    send(patch(&api, &url, 0, first.clone())).await.expect(204);
    let rest = file[1000..].to_vec();
    let too_much = [&rest[..], &[0]].concat();
    let wrong = format!("sha256 {}", STANDARD.encode(Sha256::digest(b"something else")));
    let refused = [
        (409, patch(&api, &url, 0, first)),
        (409, patch(&api, &url, 999, rest.clone())),
        (409, patch(&api, &url, 1001, rest.clone())),
        (460, patch(&api, &url, 1000, rest.clone()).header("upload-checksum", wrong)),
        (400, patch(&api, &url, 1000, rest.clone()).header("upload-checksum", "md5 kAFQmDzST7DWlj99KOF/cg==")),
        (400, patch(&api, &url, 1000, rest.clone()).header("upload-checksum", "sha256 x")),
        (400, patch(&api, &url, 1000, too_much.clone())),
        // Without a declared length.
        (400, patch(&api, &url, 1000, Vec::new()).body(streamed(&too_much))),
        (400, raw(&api, &url).header("content-type", OCTETS).body(rest.clone())),
        (400, raw(&api, &url).header("content-type", OCTETS).header("upload-offset", "x").body(rest.clone())),
        (415, raw(&api, &url).header("content-type", "image/jpeg").header("upload-offset", 1000).body(rest.clone())),
        (415, raw(&api, &url).header("upload-offset", 1000).body(rest.clone())),
    ];
    for (status, request) in refused {
        let answer = send(request).await.expect(status);
        assert_eq!(answer.json()["statusCode"], status);
        assert_eq!(answer.header("tus-resumable"), Some("1.0.0"));
        if status == 460 {
            assert_eq!(answer.json()["error"], "Checksum Mismatch");
        }
    }
    for version in [None, Some("0.2.2")] {
        let mut request = api.request(Method::PATCH, &url).header("content-type", OCTETS).header("upload-offset", 1000);
        if let Some(version) = version {
            request = request.header("tus-resumable", version);
        }
        let answer = send(request.body(rest.clone())).await.expect(412);
        assert_eq!(answer.header("tus-version"), Some("1.0.0"));
    }
    assert_eq!(head(&api, &url).await.expect(200).header("upload-offset"), Some("1000"));
    eventually("refused pieces are deleted", AMPLE, async || (pieces(&server).len() == 1).then_some(())).await;
    send(patch(&api, &url, 1000, Vec::new()).body(streamed(&rest))).await.expect(204);
    let seen = view(&api, &url).await;
    let image = seen["item"]["fileUrl"].as_str().unwrap();
    let original = api.with_token(None).get(&format!("{image}?original=1")).await.expect(200);
    assert_eq!(original.body, file);
}

async fn an_announcement_is_checked_before_the_file_is_sent(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    for (step, limit) in
        [(PHOTOGRAPHY, 25 * MIB), (SIGNATURE, 25 * MIB), (VIDEO, 500 * MIB), (DOCUMENT_UPLOAD, 10 * MIB)]
    {
        announce(&api, limit, &describe(case, step, "x")).await.expect(201);
        for wrong in [0, limit + 1] {
            let message = announce(&api, wrong, &describe(case, step, "x")).await.expect(400).error_message();
            assert!(message.contains(&limit.to_string()) && message.contains("Upload-Length"), "{message}");
        }
    }
    let without = |name: &str| -> Vec<(&'static str, String)> {
        describe(case, PHOTOGRAPHY, "x").into_iter().filter(|(given, _)| *given != name).collect()
    };
    for (metadata, status, expected) in [
        (without("caseId"), 400, "caseId is required"),
        (without("stepId"), 400, "stepId is required"),
        (without("filename"), 400, "filename is required"),
        (without("frontCreatedAt"), 400, "frontCreatedAt is required"),
        (without("longitude"), 400, "latitude and longitude must be given together"),
        (
            without("latitude").into_iter().filter(|(name, _)| *name != "longitude").collect(),
            400,
            "latitude and longitude are required for a PHOTOGRAPHY step",
        ),
        (with(case, "captureId", "x"), 400, "captureId must be a UUID v4"),
        (with(case, "sha256", "abc"), 400, "sha256 must be"),
        (with(case, "latitude", "91"), 400, "latitude must be"),
        (with(case, "frontCreatedAt", "yesterday"), 400, "frontCreatedAt must be"),
        (with(case, "stepId", "999999"), 404, "stepId 999999"),
        (with(case, "caseId", "999999"), 404, "case 999999 does not exist"),
        (describe(case, TEXT_FIELD, "x"), 403, "TEXT_FIELD"),
    ] {
        let message = announce(&api, 1000, &metadata).await.expect(status).error_message();
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let metadata = encode(&describe(case, PHOTOGRAPHY, "x"));
    let post = || api.request(Method::POST, "/v2/uploads");
    for (status, request) in [
        (412, post().header("upload-length", 10).header("upload-metadata", &metadata)),
        (400, post().header("tus-resumable", "1.0.0").header("upload-metadata", &metadata)),
        (
            400,
            post()
                .header("tus-resumable", "1.0.0")
                .header("upload-defer-length", 1)
                .header("upload-metadata", &metadata),
        ),
        (400, post().header("tus-resumable", "1.0.0").header("upload-length", 10)),
        (
            400,
            post().header("tus-resumable", "1.0.0").header("upload-length", 10).header("upload-metadata", "caseId !"),
        ),
    ] {
        send(request).await.expect(status).error_message();
    }
    close(&api, case).await.expect(200);
    let message = announce(&api, 1000, &describe(case, PHOTOGRAPHY, "x")).await.expect(400).error_message();
    assert_eq!(message, "case already closed");
}

async fn a_refused_file_leaves_nothing(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(3).bytes;
    let start = async |step: i64, length: usize, sha256: Option<String>| {
        let mut metadata = describe(case, step, "x");
        metadata.extend(sha256.map(|sha256| ("sha256", sha256)));
        location(&announce(&api, length, &metadata).await.expect(201))
    };
    // The first bytes are those of another type: refused with the first piece.
    let pdf = identity_card().bytes;
    let url = start(PHOTOGRAPHY, pdf.len(), None).await;
    let message = send(patch(&api, &url, 0, pdf[..100].to_vec())).await.expect(400).error_message();
    assert!(message.contains("PDF"), "{message}");
    head(&api, &url).await.expect(404);
    // With a checksum, a damaged first piece is not blamed on the file.
    let url = start(PHOTOGRAPHY, file.len(), None).await;
    let checksum = format!("sha256 {}", STANDARD.encode(Sha256::digest(&file[..100])));
    send(patch(&api, &url, 0, pdf[..100].to_vec()).header("upload-checksum", &checksum)).await.expect(460);
    send(patch(&api, &url, 0, file[..100].to_vec()).header("upload-checksum", checksum)).await.expect(204);
    delete(&api, &url).await.expect(204);
    // Another file than the declared one.
    let url = start(PHOTOGRAPHY, file.len(), Some(hash(b"another file"))).await;
    send(patch(&api, &url, 0, file[..100].to_vec())).await.expect(204);
    let message = send(patch(&api, &url, 100, file[100..].to_vec())).await.expect(400).error_message();
    assert!(message.contains(&hash(&file)) && message.contains(&hash(b"another file")), "{message}");
    head(&api, &url).await.expect(404);
    // A file that is too short to have a type.
    let url = start(PHOTOGRAPHY, 3, None).await;
    send(patch(&api, &url, 0, b"\xff\xd8\xff".to_vec())).await.expect(400).error_message();
    head(&api, &url).await.expect(404);
    // The case is closed while the file is on its way.
    let url = start(PHOTOGRAPHY, file.len(), Some(hash(&file))).await;
    send(patch(&api, &url, 0, file[..100].to_vec())).await.expect(204);
    close(&api, case).await.expect(200);
    let message = send(patch(&api, &url, 100, file[100..].to_vec())).await.expect(400).error_message();
    assert_eq!(message, "case already closed");
    head(&api, &url).await.expect(404);
    assert_nothing_is_left(&server).await;
    assert_eq!(server.files_of_items(), Vec::<PathBuf>::new());
    let payload = receiver.wait_for_case(&format!("CAS-{case}_CMP-{ACME}")).await;
    assert_eq!(payload["items"], json!([]));
}
