//! How much of the server strangers can use: connections, memory and time. With small numbers here; `cargo xtask bench
//! strangers` measures large ones.

use std::time::Duration;

use hyper::Method;
use serde_json::json;
use tokio::{io::AsyncWriteExt as _, net::TcpStream, task::JoinSet};

use crate::support::{
    AMPLE, Api, Database, TestServer,
    client::{Upload, send},
    company_manifest::{FRAME, PHOTOGRAPHY, VIDEO, acme_on},
    eventually,
    evidence::{add_capture, close, create_item, open_case, photo, video},
    on_both_databases, on_sqlite,
    socket::{connect_from, connect_with_small_buffer, exchange, is_open, read_to_end},
};

on_both_databases!(pages_without_a_key_are_counted_for_each_client, guesses_lock_no_one_out);

on_sqlite!(rfc_9112_a_request_has_one_well_formed_host);

const MIB: usize = 1024 * 1024;

async fn rfc_9112_a_request_has_one_well_formed_host(server: TestServer) {
    let ask = async |version: &str, hosts: &str| {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let request = format!("GET /healthz HTTP/{version}\r\n{hosts}connection: close\r\n\r\n");
        exchange(&mut stream, request.as_bytes()).await
    };
    for good in ["host: a.example\r\n", "host: 127.0.0.1:8080\r\n", "Host: [::1]:80\r\n"] {
        let answer = ask("1.1", good).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{good}: {answer}");
    }
    for bad in ["", "host: a\r\nhost: a\r\n", "host: a\r\nHost: b\r\n", "host:\r\n", "host: a b\r\n", "host: a/b\r\n"] {
        let answer = ask("1.1", bad).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{bad}: {answer}");
        assert!(answer.contains("\r\nx-request-id: ") && answer.contains("\"statusCode\":400"), "{answer}");
    }
    assert!(ask("1.0", "").await.starts_with("HTTP/1.0 200 "), "HTTP/1.0 asks for no Host");
}

async fn pages_without_a_key_are_counted_for_each_client(server: TestServer) {
    let api = server.anonymous();
    for (path, limit) in [("/docs", 120), ("/openapi.json", 120), ("/log/key", 1200), ("/log/checkpoint", 1200)] {
        let answer = api.get(path).await.expect(200);
        assert_eq!(answer.header("x-ratelimit-limit"), Some(limit.to_string().as_str()), "{path}");
    }
    // The whole log shares one counter, including paths that do not exist.
    let left = api.get("/log/tile/0/x999/999").await.expect(404);
    assert_eq!(left.header("x-ratelimit-remaining"), Some("1197"));
    for _ in 1..120 {
        api.get("/openapi.json").await.expect(200);
    }
    let refused = api.get("/openapi.json").await.expect(429);
    assert_eq!(refused.json()["name"], "ApiError");
    assert!(refused.header("retry-after").is_some());
    // Another client is not affected, nor is another page.
    api.get("/docs").await.expect(200);
    let mut other = connect_from(9, server.address()).await;
    let answer = exchange(&mut other, b"GET /openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// Decisions 11: unknown keys share a counter, and each existing key has its own, whether it was requested before or
/// not.
async fn guesses_lock_no_one_out(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let mut known = Vec::new();
    for _ in 0..2 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        known.push(close(&api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned());
    }
    let public = api.with_token(None);
    public.get(&known[0]).await.expect(200);
    let guess = async |number: usize| public.get(&format!("/share/case/{number:032x}")).await;
    for number in 0..180 {
        guess(number).await.expect(404);
    }
    for number in 180..185 {
        guess(number).await.expect(429);
    }
    public.get(&known[1]).await.expect(200);
    // A page served recently is known without a look-up, however many guesses there were.
    for number in 185..230 {
        guess(number).await.expect(429);
    }
    let again = public.get(&known[0]).await.expect(200);
    assert_eq!(again.header("x-ratelimit-remaining"), Some("178"));
}

const QUICK: [(&str, &str); 3] = [
    ("SEALWRIGHT_HTTP_HEADER_TIMEOUT", "1s"),
    ("SEALWRIGHT_HTTP_IDLE_TIMEOUT", "1s"),
    ("SEALWRIGHT_HTTP_JSON_TIMEOUT", "2s"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_requests_are_cut_off() {
    let server = TestServer::start_with(Database::Sqlite, &QUICK).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;

    let mut silent = TcpStream::connect(server.address()).await.unwrap();
    assert_eq!(exchange(&mut silent, b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ").await, "");

    let mut json = TcpStream::connect(server.address()).await.unwrap();
    let answer = exchange(&mut json, b"POST /auth/token HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{").await;
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("\r\nconnection: close\r\n"), "{answer}");
    assert!(answer.contains("\"statusCode\":408") && answer.contains("x-ratelimit-limit: "), "{answer}");

    // An occasional byte does not keep a JSON body alive.
    let drip = TcpStream::connect(server.address()).await.unwrap();
    let (mut reading, mut writing) = drip.into_split();
    let dripping = tokio::spawn(async move {
        let head = "POST /auth/token HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n";
        let mut sent = writing.write_all(head.as_bytes()).await;
        while sent.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
            sent = writing.write_all(b" ").await;
        }
    });
    let mut answer = Vec::new();
    let reading = tokio::io::AsyncReadExt::read_to_end(&mut reading, &mut answer);
    let _ = tokio::time::timeout(AMPLE, reading).await.expect("the server closes the connection");
    assert!(answer.starts_with(b"HTTP/1.1 408 "), "{}", String::from_utf8_lossy(&answer));
    dripping.abort();

    let mut upload = TcpStream::connect(server.address()).await.unwrap();
    let head = upload_head(&api, case, 100_000_000);
    upload.write_all(head.as_bytes()).await.unwrap();
    let answer = exchange(&mut upload, &video().bytes).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    eventually("no part of the file is left", AMPLE, async || server.files_of_items().is_empty().then_some(())).await;
    assert!(server.metric("sealwright_requests_cut_off_total{reason=\"body\"}").await >= 3);

    // A slow upload that makes progress is read to its end.
    let film = video().bytes;
    let mut form =
        upload_head(&api, case, 0).split("\r\n\r\n").skip(1).collect::<Vec<_>>().join("\r\n\r\n").into_bytes();
    form.extend(&film);
    form.extend(b"\r\n--b--\r\n");
    let head = upload_head(&api, case, form.len());
    let head = &head[..head.find("\r\n\r\n").unwrap() + 4];
    let mut slow = TcpStream::connect(server.address()).await.unwrap();
    slow.write_all(head.replace("host: x", "host: x\r\nconnection: close").as_bytes()).await.unwrap();
    for piece in form.chunks(form.len().div_ceil(8)) {
        tokio::time::sleep(Duration::from_millis(400)).await;
        slow.write_all(piece).await.unwrap();
    }
    let answer = read_to_end(&mut slow).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// The start of an upload, up to the first byte of its video.
fn upload_head(api: &Api, case: i64, length: usize) -> String {
    format!(
        "POST /v2/items/{case} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: {length}\r\n\r\n\
         --b\r\ncontent-disposition: form-data; name=\"createItemDto\"\r\n\r\n{}\r\n\
         --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n",
        api.token.as_deref().unwrap(),
        create_item(VIDEO, "x"),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_its_answer_is_cut_off() {
    let server = TestServer::start_with(Database::Sqlite, &QUICK).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut large = video().bytes;
    large.resize(40 * MIB, 0);
    let film = Upload { bytes: large, name: "film.mp4", media_type: "video/mp4" };
    let url = add_capture(&api, case, VIDEO, film).await.expect(200).json()["videoUrl"].as_str().unwrap().to_owned();
    let path = url.strip_prefix(&server.base_url()).unwrap();
    let mut stream = connect_with_small_buffer(server.address()).await;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
    eventually("the answer is cut off", AMPLE, async || {
        (server.metric("sealwright_requests_cut_off_total{reason=\"answer\"}").await == 1).then_some(())
    })
    .await;
    // A client that reads gets all of it.
    assert_eq!(api.get(&url).await.expect(200).body.len(), 40 * MIB);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_capped_per_address_and_in_total() {
    let caps = [("SEALWRIGHT_HTTP_CONNECTIONS", "60"), ("SEALWRIGHT_HTTP_CONNECTIONS_PER_ADDRESS", "20")];
    let server = TestServer::start_with(Database::Sqlite, &caps).await;
    let crowd = async |host: u8, count: usize| {
        let mut streams = Vec::new();
        for _ in 0..count {
            streams.push(connect_from(host, server.address()).await);
        }
        streams
    };
    let open = |streams: &[TcpStream]| streams.iter().filter(|stream| is_open(stream)).count();
    let first = crowd(2, 200).await;
    eventually("one address has reached its limit", AMPLE, async || (open(&first) == 20).then_some(())).await;
    assert_eq!(server.metric("sealwright_connections_refused_total{reason=\"address\"}").await, 180);
    // Other addresses are served.
    server.anonymous().get("/healthz").await.expect(200);

    // A hundred more from several addresses take all remaining connections.
    let mut others = Vec::new();
    for host in 3..8 {
        others.extend(crowd(host, 20).await);
    }
    eventually("all connections are taken", AMPLE, async || {
        (server.metric("sealwright_connections").await == 60 && open(&others) < 45).then_some(())
    })
    .await;
    let refused = read_to_end(&mut connect_from(9, server.address()).await).await;
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("retry-after: 1\r\n"), "{refused}");
    assert!(server.metric("sealwright_connections_refused_total{reason=\"total\"}").await >= 40);

    drop((first, others));
    eventually("connections are available again", AMPLE, async || {
        (server.metric("sealwright_connections").await < 20).then_some(())
    })
    .await;
    server.anonymous().get("/healthz").await.expect(200);
}

/// Without this, every request would read the whole file into memory and decode it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_requests_for_a_picture_share_one_decoding_and_a_failure_is_remembered() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    // Only the start is a photograph.
    let mut broken = photo(1).bytes;
    broken.truncate(700);
    broken.resize(24 * MIB, 0x55);
    let broken = Upload { bytes: broken, name: "front.jpg", media_type: "image/jpeg" };
    let added = add_capture(&api, case, PHOTOGRAPHY, broken).await.expect(200).json();
    let url = added["imageUrl"].as_str().unwrap().to_owned();
    let before = server.peak_memory();
    let mut asking = JoinSet::new();
    for _ in 0..150 {
        let (api, url) = (api.with_token(None), url.clone());
        asking.spawn(async move { api.get(&url).await });
    }
    for answer in asking.join_all().await {
        answer.expect(404).error_message();
    }
    let grown = server.peak_memory() - before;
    assert!(grown < 256, "{grown} MiB more");
    assert_eq!(server.log().matches("a picture cannot be decoded").count(), 1);

    // A picture that can be decoded is served to all who request it at once.
    let added = add_capture(&api, case, PHOTOGRAPHY, photo(2)).await.expect(200).json();
    let url = added["imageUrl"].as_str().unwrap().to_owned();
    let mut asking = JoinSet::new();
    for _ in 0..20 {
        let (api, url) = (api.with_token(None), url.clone());
        asking.spawn(async move { send(api.request(Method::GET, &url)).await.expect(200).body });
    }
    let bodies = asking.join_all().await;
    assert!(bodies.iter().all(|body| body == &bodies[0] && body.starts_with(b"\x89PNG")));
}

/// Without a limit, an endless header of a part would be kept in memory.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_header_of_a_part_is_limited() {
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut endless = b"--b\r\ncontent-disposition: form-data; name=\"".to_vec();
    endless.resize(100 * MIB, b'x');
    let before = server.peak_memory();
    let path = format!("/v2/items/{case}");
    api.post_raw(&path, "multipart/form-data; boundary=b", endless).await.expect(400).error_message();
    let grown = server.peak_memory() - before;
    assert!(grown < 32, "{grown} MiB more");
    // An unknown part of any length is still ignored.
    let mut form = b"--b\r\ncontent-disposition: form-data; name=\"more\"\r\n\r\n".to_vec();
    form.resize(2 * MIB, b'x');
    form.extend(b"\r\n--b--\r\n");
    let answer = api.post_raw(&path, "multipart/form-data; boundary=b", form).await.expect(400);
    assert!(answer.error_message().contains("createItemDto is required"), "{}", answer.text());
}
