//! How long an upload lives, whose it is, and what happens if several requests, or a restart, meet in one.

use serde_json::json;
use tokio::task::JoinSet;

use super::requests::{
    CAPTURES, announce, assert_nothing_is_left, delete, describe, hash, head, location, patch, pieces, view,
};
use crate::support::{
    AMPLE, TestServer,
    client::send,
    company_manifest::{
        ACME_READER, BOREALIS_API, Credentials, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SIGNATURE, acme, acme_on,
        api_user, borealis,
    },
    eventually,
    evidence::{close, open_case, photo},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(
    an_expired_upload_is_gone_and_then_forgotten,
    an_upload_is_ended_by_its_client_or_with_its_case,
    an_upload_belongs_to_its_company_and_needs_the_right_of_its_step,
    a_repeated_announcement_finds_the_same_upload,
    of_several_writers_at_one_offset_one_succeeds,
    a_restart_between_pieces_loses_nothing,
    unfinished_uploads_and_their_pieces_are_limited,
);

async fn an_expired_upload_is_gone_and_then_forgotten(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(4).bytes;
    let mut metadata = describe(case, PHOTOGRAPHY, "x");
    metadata.push(("captureId", CAPTURES[0].to_owned()));
    let url = location(&announce(&api, file.len(), &metadata).await.expect(201));
    let other = location(&announce(&api, file.len(), &describe(case, PHOTOGRAPHY, "x")).await.expect(201));
    for url in [&url, &other] {
        send(patch(&api, url, 0, file[..100].to_vec())).await.expect(204);
    }
    Rows::change(&server, "update uploads set expires_at = 1").await;
    head(&api, &url).await.expect(410);
    send(patch(&api, &url, 100, file[100..].to_vec())).await.expect(410).error_message();
    api.get(&url).await.expect(410).error_message();
    // Its place is free for the same capture.
    let again = location(&announce(&api, file.len(), &metadata).await.expect(201));
    assert_ne!(again, url);
    head(&api, &url).await.expect(404);
    send(patch(&api, &again, 0, file.clone())).await.expect(204);
    // The sweep runs at the start and every hour. It does not touch a finished upload.
    Rows::change(&server, "update uploads set expires_at = 1").await;
    server.restart().await;
    eventually("the sweep has run", AMPLE, async || {
        let status = head(&api, &other).await.status;
        assert!(status == 410 || status == 404, "{status}");
        (status == 404).then_some(())
    })
    .await;
    assert_nothing_is_left(&server).await;
    assert_eq!(head(&api, &again).await.expect(200).header("upload-offset"), Some(file.len().to_string().as_str()));
    assert_eq!(server.files_of_items().len(), 1);
}

async fn an_upload_is_ended_by_its_client_or_with_its_case(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (case, deleted) =
        (open_case(&api, &json!({ "frameId": FRAME })).await, open_case(&api, &json!({ "frameId": FRAME })).await);
    let file = photo(5).bytes;
    let half = file.len() / 2;
    let url = location(&announce(&api, file.len(), &describe(case, PHOTOGRAPHY, "x")).await.expect(201));
    send(patch(&api, &url, 0, file[..half].to_vec())).await.expect(204);
    let ended = delete(&api, &url).await.expect(204);
    assert_eq!(ended.header("tus-resumable"), Some("1.0.0"));
    head(&api, &url).await.expect(404);
    send(patch(&api, &url, half, file[half..].to_vec())).await.expect(404).error_message();
    delete(&api, &url).await.expect(404).error_message();
    assert_nothing_is_left(&server).await;

    let mut urls = Vec::new();
    for _ in 0..2 {
        let url = location(&announce(&api, file.len(), &describe(deleted, PHOTOGRAPHY, "x")).await.expect(201));
        send(patch(&api, &url, 0, file[..half].to_vec())).await.expect(204);
        urls.push(url);
    }
    send(patch(&api, &urls[0], half, file[half..].to_vec())).await.expect(204);
    delete(&api, &urls[0]).await.expect(400).error_message();
    assert_eq!(server.files_of_items().len(), 1);
    api.delete(&format!("/cases/delete/{deleted}")).await.expect(200);
    for url in &urls {
        head(&api, url).await.expect(404);
        send(patch(&api, url, half, file[half..].to_vec())).await.expect(404).error_message();
    }
    assert_nothing_is_left(&server).await;
    eventually("the item's file is deleted", AMPLE, async || server.files_of_items().is_empty().then_some(())).await;
    let mut rows = Rows::of(&server).await;
    let left: Vec<(i64,)> = rows.all("select id from uploads").await;
    assert_eq!(left, []);
    rows.assert_intact().await;
}

async fn an_upload_belongs_to_its_company_and_needs_the_right_of_its_step(server: TestServer) {
    const CAPTURER: Credentials =
        Credentials { user_id: "capturer", username: "capturer", password: "only files here" };
    const CLERK: Credentials = Credentials { user_id: "clerk", username: "clerk", password: "only papers here" };
    let (api, receiver) = acme_on(&server).await;
    let users = api_user(CAPTURER, r#"["p_api:item:create"]"#) + &api_user(CLERK, r#"["p_api:case:create"]"#);
    server.must_apply(&(acme(&receiver) + &users));
    server.must_apply(&borealis());
    let stranger = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let reader = server.sign_in(ACME_READER.username, ACME_READER.password).await;
    let capturer = server.sign_in(CAPTURER.username, CAPTURER.password).await;
    let clerk = server.sign_in(CLERK.username, CLERK.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(6).bytes;
    let picture = describe(case, PHOTOGRAPHY, "x");
    let paper = describe(case, DOCUMENT_UPLOAD, "x");
    announce(&stranger, file.len(), &picture).await.expect(403).error_message();
    for (who, metadata, right) in [
        (&reader, &picture, "p_api:"),
        (&clerk, &picture, "p_api:item:create"),
        (&capturer, &paper, "p_api:case:create"),
    ] {
        let message = announce(who, file.len(), metadata).await.expect(403).error_message();
        assert!(message.contains(right), "{message}");
    }
    announce(&api.with_token(None), file.len(), &picture).await.expect(401).error_message();
    announce(&clerk, file.len(), &paper).await.expect(201);
    let url = location(&announce(&capturer, file.len(), &picture).await.expect(201));
    let unknown = format!("{}/v2/uploads/{}", server.base_url(), "0".repeat(32));
    let malformed = format!("{}/v2/uploads/x", server.base_url());
    for (who, url, status) in [
        (&stranger, &url, 404),
        (&reader, &url, 403),
        (&clerk, &url, 403),
        (&api.with_token(None), &url, 401),
        (&api, &unknown, 404),
        (&api, &malformed, 404),
    ] {
        head(who, url).await.expect(status);
        who.get(url).await.expect(status).error_message();
        send(patch(who, url, 0, file.clone())).await.expect(status).error_message();
        delete(who, url).await.expect(status).error_message();
    }
    let counted = send(patch(&capturer, &url, 0, file)).await.expect(204);
    assert_eq!(counted.header("x-ratelimit-limit"), Some("600"));
    assert!(view(&api, &url).await["item"]["itemId"].is_i64());
}

async fn a_repeated_announcement_finds_the_same_upload(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let elsewhere = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(7).bytes;
    let of = |case: i64, step: i64, capture: &str, sha256: String| {
        let mut metadata = describe(case, step, "x");
        metadata.extend([("captureId", capture.to_owned()), ("sha256", sha256)]);
        metadata
    };
    let metadata = of(case, PHOTOGRAPHY, CAPTURES[0], hash(&file));
    // Several at once, as from a client that does not wait for the answer.
    let mut asking = JoinSet::new();
    for _ in 0..6 {
        let (api, metadata, length) = (api.clone(), metadata.clone(), file.len());
        asking.spawn(async move { location(&announce(&api, length, &metadata).await.expect(201)) });
    }
    let urls = asking.join_all().await;
    assert!(urls.iter().all(|url| *url == urls[0]), "{urls:?}");
    let url = &urls[0];
    send(patch(&api, url, 0, file[..100].to_vec())).await.expect(204);
    let check = async || {
        let again = announce(&api, file.len(), &metadata).await.expect(201);
        assert_eq!(location(&again), *url);
        for (length, other) in [
            (file.len() + 1, metadata.clone()),
            (file.len(), of(case, PHOTOGRAPHY, CAPTURES[0], hash(b"another"))),
            (file.len(), of(case, SIGNATURE, CAPTURES[0], hash(&file))),
        ] {
            announce(&api, length, &other).await.expect(409).error_message();
        }
        again
    };
    assert_eq!(check().await.header("upload-offset"), Some("100"));
    send(patch(&api, url, 100, file[100..].to_vec())).await.expect(204);
    assert_eq!(check().await.header("upload-offset"), Some(file.len().to_string().as_str()));
    // Another capture, and the same one of another case, are other uploads.
    for metadata in
        [of(case, PHOTOGRAPHY, CAPTURES[1], hash(&file)), of(elsewhere, PHOTOGRAPHY, CAPTURES[0], hash(&file))]
    {
        assert_ne!(location(&announce(&api, file.len(), &metadata).await.expect(201)), *url);
    }
    close(&api, case).await.expect(200);
    check().await;
    let mut rows = Rows::of(&server).await;
    let items: Vec<(i64,)> = rows.all("select count(*) from items").await;
    assert_eq!(items, [(1,)]);
}

async fn of_several_writers_at_one_offset_one_succeeds(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let node = if server.database_url().starts_with("postgres") { Some(server.another_node().await) } else { None };
    let other = node.as_ref().map_or(server.base_url(), TestServer::base_url);
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(8).bytes;
    let half = file.len() / 2;
    let url = location(&announce(&api, file.len(), &describe(case, PHOTOGRAPHY, "x")).await.expect(201));
    let at_once = async |start: usize, end: usize| {
        let mut writing = JoinSet::new();
        for turn in 0..8 {
            let url = if turn % 2 == 0 { url.clone() } else { url.replace(&server.base_url(), &other) };
            let request = patch(&api, &url, start, file[start..end].to_vec());
            writing.spawn(async move { send(request).await });
        }
        let mut statuses: Vec<u16> = writing.join_all().await.iter().map(|answer| answer.status.as_u16()).collect();
        statuses.sort_unstable();
        statuses
    };
    let one_of_eight = [204, 409, 409, 409, 409, 409, 409, 409];
    assert_eq!(at_once(0, half).await, one_of_eight);
    eventually("the others' pieces are deleted", AMPLE, async || (pieces(&server).len() == 1).then_some(())).await;
    assert_eq!(head(&api, &url).await.expect(200).header("upload-offset"), Some(half.to_string().as_str()));
    assert_eq!(at_once(half, file.len()).await, one_of_eight);
    let seen = view(&api, &url).await;
    let image = seen["item"]["fileUrl"].as_str().unwrap();
    let original = api.with_token(None).get(&format!("{image}?original=1")).await.expect(200);
    assert_eq!(original.body, file);
    let mut rows = Rows::of(&server).await;
    let items: Vec<(i64,)> = rows.all("select item_count from cases").await;
    assert_eq!(items, [(1,)]);
    assert_nothing_is_left(&server).await;
    assert_eq!(server.files_of_items().len(), 1);
    drop(node);
}

async fn a_restart_between_pieces_loses_nothing(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(9).bytes;
    let half = file.len() / 2;
    let url = location(&announce(&api, file.len(), &describe(case, PHOTOGRAPHY, "x")).await.expect(201));
    send(patch(&api, &url, 0, file[..half].to_vec())).await.expect(204);
    server.restart().await;
    assert_eq!(head(&api, &url).await.expect(200).header("upload-offset"), Some(half.to_string().as_str()));
    send(patch(&api, &url, half, file[half..].to_vec())).await.expect(204);
    let mut items = vec![view(&api, &url).await["item"]["itemId"].as_i64().expect("it is an item")];

    // All bytes have arrived, and the server was killed before it made the item: the next request makes it.
    for ask in ["HEAD", "PATCH", "GET"] {
        let url = location(&announce(&api, file.len() + 1, &describe(case, PHOTOGRAPHY, "x")).await.expect(201));
        send(patch(&api, &url, 0, file.clone())).await.expect(204);
        Rows::change(&server, "update uploads set length = received where state = 'receiving'").await;
        server.restart().await;
        match ask {
            "HEAD" => drop(head(&api, &url).await.expect(200)),
            "PATCH" => drop(send(patch(&api, &url, file.len(), Vec::new())).await.expect(204)),
            _ => drop(api.get(&url).await.expect(200)),
        }
        let mut rows = Rows::of(&server).await;
        let made: Vec<(i64,)> = rows.all("select max(id) from items").await;
        assert_eq!(view(&api, &url).await["item"]["itemId"], made[0].0, "{ask}");
        items.push(made[0].0);
    }
    assert!(items.is_sorted_by(|earlier, later| earlier < later), "{items:?}");
    assert_nothing_is_left(&server).await;
    assert_eq!(server.files_of_items().len(), 4);
}

async fn unfinished_uploads_and_their_pieces_are_limited(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let file = photo(10).bytes;
    let metadata = describe(case, PHOTOGRAPHY, "x");
    let url = location(&announce(&api, file.len(), &metadata).await.expect(201));
    send(patch(&api, &url, 0, file[..100].to_vec())).await.expect(204);
    // Rows, because nothing else makes so many in a short time: an upload has at most 10,000 pieces, a case 100 uploads.
    let numbers = "with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n <";
    let pieces = "insert into upload_pieces (upload_id, start, size, blob_key)
                  select u.id, -n, 1, p.blob_key from numbers, uploads u join upload_pieces p on p.upload_id = u.id";
    Rows::change(&server, &format!("{numbers} 9999) {pieces}")).await;
    let message = send(patch(&api, &url, 100, file[100..].to_vec())).await.expect(400).error_message();
    assert!(message.contains("10000 pieces"), "{message}");
    let uploads =
        "insert into uploads (upload_key, company_id, case_id, step_id, action, item, length, received, state,
                                        created_at, expires_at)
                   select cast(n as text), company_id, case_id, step_id, action, item, length, 0, state, created_at,
                          expires_at
                   from numbers, uploads";
    Rows::change(&server, &format!("{numbers} 99) {uploads}")).await;
    let message = announce(&api, file.len(), &metadata).await.expect(400).error_message();
    assert!(message.contains("100 unfinished uploads"), "{message}");
    delete(&api, &url).await.expect(204);
    announce(&api, file.len(), &metadata).await.expect(201);
    announce(&api, file.len(), &metadata).await.expect(400).error_message();
}
