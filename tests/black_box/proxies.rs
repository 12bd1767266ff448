//! Clients behind proxies (operator's page, `trusted_proxies`), and failed sign-ins, which are counted per client
//! (decisions 11).

use serde_json::json;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::support::{
    Answer, Api, Database, TestServer,
    client::send,
    company_manifest::{ACME_API, ACME_READER, BOREALIS_API, acme, acme_on, borealis},
    on_both_databases,
    socket::is_open,
};

on_both_databases!(
    decisions_11_failed_sign_ins_do_not_reveal_who_exists_and_lock_no_one_out,
    a_trusted_proxy_states_whose_sign_in_failed,
);

/// Signs in with the client address that a proxy states.
async fn sign_in_as(api: &Api, client: &str, username: &str, password: &str) -> Answer {
    let body = json!({ "username": username, "password": password });
    let request = api.with_token(None).request(hyper::Method::POST, "/auth/token").json(&body);
    send(if client.is_empty() { request } else { request.header("x-forwarded-for", client) }).await
}

fn counted(answer: &Answer) -> (String, String) {
    let header = |name| answer.header(name).expect("a counted answer").to_owned();
    (header("x-ratelimit-limit"), header("x-ratelimit-remaining"))
}

async fn decisions_11_failed_sign_ins_do_not_reveal_who_exists_and_lock_no_one_out(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    let few = acme(&receiver).replace("\"POST /auth/token\" = 100000", "\"POST /auth/token\" = 12");
    server.must_apply_all(&[few, borealis()]);
    let fail = async |username: &str| counted(&sign_in_as(&api, "", username, "a guess").await.expect(401));
    // A username that exists, whatever its company's quota is, and one that does not.
    for username in [ACME_API.username, "nobody", BOREALIS_API.username] {
        assert_eq!(fail(username).await, ("200".into(), "199".into()), "{username}");
        assert_eq!(fail(username).await, ("200".into(), "198".into()), "{username}");
    }
    // This many more are accepted, or a few more if the first ones leave the window meanwhile.
    let mut failures = 2;
    loop {
        let answer = sign_in_as(&api, "", ACME_API.username, "a guess").await;
        if answer.status == 429 {
            break;
        }
        answer.expect(401);
        failures += 1;
        assert!(failures < 1000, "guessing is not limited");
    }
    assert!(failures >= 200, "refused after {failures}");
    // At the limit, not even the right password is tried. Other users of the company are not affected.
    let refused = sign_in_as(&api, "", ACME_API.username, ACME_API.password).await.expect(429);
    assert_eq!(counted(&refused), ("200".into(), "0".into()));
    let reader = sign_in_as(&api, "", ACME_READER.username, ACME_READER.password).await.expect(200);
    assert_eq!(counted(&reader).0, "12", "a success counts against the company");
    // Successful sign-ins count against the company's quota. Earlier ones may have used some of it.
    let mut last = reader;
    for _ in 0..12 {
        last = sign_in_as(&api, "", ACME_READER.username, ACME_READER.password).await;
        if last.status == 429 {
            break;
        }
    }
    assert_eq!(counted(&last.expect(429)), ("12".into(), "0".into()));
    assert_eq!(fail(ACME_READER.username).await.1, "199", "a failure is a 401 all the same");
    sign_in_as(&api, "", BOREALIS_API.username, BOREALIS_API.password).await.expect(200);
    // Requests that name no user share a counter.
    let first = counted(&api.post("/auth/token", &json!({})).await.expect(400));
    let second = counted(&api.sign_in("nobody \u{0}", "x").await.expect(400));
    assert_eq!((first.1.as_str(), second.1.as_str()), ("199", "198"));
}

async fn a_trusted_proxy_states_whose_sign_in_failed(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let left = async |client: &str| counted(&sign_in_as(&api, client, "nobody", "x").await.expect(401)).1;
    // A header from an untrusted client is ignored.
    assert_eq!(left("203.0.113.1").await, "199");
    assert_eq!(left("203.0.113.2").await, "198");
    server.set("SEALWRIGHT_TRUSTED_PROXIES", "127.0.0.0/8, ::1");
    server.restart().await;
    assert_eq!(left("198.51.100.1").await, "199");
    assert_eq!(left("198.51.100.1").await, "198");
    // What the client wrote is on the left, further proxies of ours are on the right.
    assert_eq!(left("198.51.100.1, 198.51.100.2, 127.0.0.7").await, "199");
    assert_eq!(left("2001:db8::1").await, "199");
    assert_eq!(left("2001:db8::2").await, "198", "a /64 is one client");
    for hostile in ["unknown", "_hidden", "\"", ",,,,", "999.999.999.999", "[::1", "for=1.1.1.1"] {
        sign_in_as(&api, hostile, "nobody", "x").await.expect(401);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_proxy_the_requests_of_a_client_are_capped_and_not_the_proxy_s_connections() {
    let settings = [("SEALWRIGHT_TRUSTED_PROXIES", "127.0.0.1"), ("SEALWRIGHT_HTTP_CONNECTIONS_PER_ADDRESS", "5")];
    let server = TestServer::start_with(Database::Sqlite, &settings).await;
    let start = "POST /auth/token HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.1\r\ncontent-length: 9\r\n\r\n{";
    let mut held = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(start.as_bytes()).await.unwrap();
        held.push(stream);
    }
    crate::support::eventually("five requests are in flight", crate::support::AMPLE, async || {
        (server.metric("sealwright_connections_refused_total{reason=\"address\"}").await == 15).then_some(())
    })
    .await;
    let api = server.anonymous();
    let ask =
        async |client: &str| send(api.request(hyper::Method::GET, "/healthz").header("x-forwarded-for", client)).await;
    let refused = ask("203.0.113.1").await.expect(503);
    assert_eq!(refused.header("retry-after"), Some("1"));
    refused.error_message();
    ask("203.0.113.2").await.expect(200);
    // The five are still open. When they are gone, their client is served again.
    assert_eq!(held.iter().filter(|stream| is_open(stream)).count(), 5);
    drop(held);
    crate::support::eventually("the client is served again", crate::support::AMPLE, async || {
        (ask("203.0.113.1").await.status == 200).then_some(())
    })
    .await;
}
