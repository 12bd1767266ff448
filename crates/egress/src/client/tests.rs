mod canary;
mod receiver;
mod requests;

use std::{
    net::Ipv4Addr,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use tokio::net::TcpListener;

use self::receiver::{Receiver, TlsReceiver, header_values};
use super::*;

/// Long enough for any step on a busy machine; if a test waits this long, it fails.
const AMPLE: Duration = Duration::from_secs(20);
/// Short enough to wait for, in the tests whose receiver never answers.
const SHORT: Duration = Duration::from_millis(300);
/// How much of an answer is kept.
const KEPT: usize = 256;

#[tokio::test]
async fn a_post_arrives_whole_and_the_status_comes_back() {
    let receiver = Receiver::answering("HTTP/1.1 204 No Content\r\n\r\n").await;
    let delivery = receiver.post_from(&development(AMPLE)).await;
    assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::NO_CONTENT));
    assert_eq!(delivery.address, Some(receiver.address));
    assert!(delivery.duration < AMPLE);

    let request = receiver.request();
    assert!(request.starts_with("POST /hook?key=a%20b HTTP/1.1\r\n"), "{request}");
    assert_eq!(header_values(&request, "host"), [receiver.address.to_string()]);
    assert_eq!(header_values(&request, "content-length"), ["13"]);
    assert_eq!(header_values(&request, "x-test"), ["yes"]);
    assert_eq!(header_values(&request, "connection"), ["close"]);
    assert!(header_values(&request, "user-agent")[0].starts_with("sealwright/"));
    assert!(request.ends_with("\r\n\r\n{\"closed\": 1}"), "{request}");
}

#[tokio::test]
async fn errors_of_the_receiver_are_answers() {
    for (head, status) in [("500 Oops", 500), ("404 Not Found", 404), ("429 Too Many Requests", 429)] {
        let receiver = Receiver::answering(&format!("HTTP/1.1 {head}\r\nContent-Length: 2\r\n\r\nno")).await;
        let delivery = receiver.post_from(&development(AMPLE)).await;
        assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::from_u16(status).unwrap()));
    }
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let canary = Receiver::answering("HTTP/1.1 200 OK\r\n\r\n").await;
    for status in [301, 302, 303, 307, 308] {
        let answer = format!("HTTP/1.1 {status} Moved\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", canary.url());
        let receiver = Receiver::answering(&answer).await;
        let delivery = receiver.post_from(&development(AMPLE)).await;
        assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::from_u16(status).unwrap()));
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn framing_headers_of_the_caller_are_dropped() {
    let receiver = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("host", "evil.example"),
        ("content-length", "1"),
        ("transfer-encoding", "chunked"),
        ("connection", "upgrade"),
        ("upgrade", "h2c"),
        ("expect", "100-continue"),
        ("proxy-authorization", "Basic x"),
        ("x-kept", "yes"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let delivery = development(AMPLE).post(&receiver.url(), headers, Bytes::from_static(b"{}"), KEPT).await;
    assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::OK));
    let request = receiver.request();
    assert_eq!(header_values(&request, "host"), [receiver.address.to_string()]);
    assert_eq!(header_values(&request, "content-length"), ["2"]);
    assert_eq!(header_values(&request, "connection"), ["close"]);
    assert_eq!(header_values(&request, "x-kept"), ["yes"]);
    for dropped in ["transfer-encoding", "upgrade", "expect", "proxy-authorization"] {
        assert!(header_values(&request, dropped).is_empty(), "{dropped} in {request}");
    }
}

#[tokio::test]
async fn a_receiver_that_never_answers_hits_the_deadline() {
    let receiver = Receiver::answering("").await;
    let delivery = receiver.post_from(&development(SHORT)).await;
    assert_failed(&delivery, "waiting for the answer: no answer within 300ms in total");
    assert!((SHORT..AMPLE).contains(&delivery.duration), "{:?}", delivery.duration);
    assert_eq!(delivery.address, Some(receiver.address));
}

#[tokio::test]
async fn a_receiver_that_never_speaks_tls_hits_the_deadline() {
    let receiver = Receiver::answering("").await;
    let url = Url::parse(&format!("https://{}/", receiver.address)).unwrap();
    let delivery = development(SHORT).post(&url, HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_failed(&delivery, "securing the connection: no answer within");
}

#[tokio::test]
async fn a_name_server_that_never_answers_hits_the_deadline() {
    let resolve: Resolve = Arc::new(|_, _| Box::pin(std::future::pending()));
    let delivery = guarded(SHORT, resolve).post(&example(), HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_failed(&delivery, "resolving the host: no answer within");
    assert_eq!(delivery.address, None);
}

#[tokio::test]
async fn a_body_that_hangs_does_not_change_the_known_status() {
    let receiver = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").await;
    let delivery = receiver.post_from(&development(SHORT)).await;
    assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::OK));
    assert_eq!(delivery.excerpt, "half");
    assert!((SHORT..AMPLE).contains(&delivery.duration), "{:?}", delivery.duration);
}

#[tokio::test]
async fn an_endless_body_is_cut_off() {
    let receiver = Receiver::flooding("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nmore\r\n").await;
    let delivery = receiver.post_from(&development(AMPLE)).await;
    assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::OK));
    assert_eq!(delivery.excerpt, "more".repeat(64), "only the first bytes are kept");
    assert!(delivery.duration < AMPLE, "the client read on until its deadline");
}

#[tokio::test]
async fn an_endless_head_is_cut_off() {
    let receiver = Receiver::flooding("HTTP/1.1 200 OK\r\n", "X-More: and more\r\n").await;
    let delivery = receiver.post_from(&development(AMPLE)).await;
    assert_failed(&delivery, "waiting for the answer");
    assert!(delivery.duration < AMPLE, "the client read on until its deadline");
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_a_failure() {
    let receiver = Receiver::answering("220 mail.example ESMTP\r\n").await;
    let delivery = receiver.post_from(&development(AMPLE)).await;
    assert_failed(&delivery, "waiting for the answer");
}

#[tokio::test]
async fn a_refused_connection_is_a_failure() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = Url::parse(&format!("http://{free}/hook")).unwrap();
    let delivery = development(AMPLE).post(&url, HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_failed(&delivery, "connecting: ");
    assert_eq!(delivery.address, None);
}

#[tokio::test]
async fn the_second_address_is_tried_if_the_first_is_dead() {
    let receiver = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let dead = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let egress = unguarded(AMPLE, always(vec![dead, receiver.address]));
    let delivery = egress.post(&plain_example(), HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::OK));
    assert_eq!(delivery.address, Some(receiver.address));
}

#[tokio::test]
async fn the_guard_refuses_private_answers_and_sends_nothing() {
    let canary = Receiver::answering("HTTP/1.1 200 OK\r\n\r\n").await;
    let public = SocketAddr::from(([93, 184, 215, 14], 443));
    let local = canary.address;
    let mapped = SocketAddr::from((Ipv4Addr::LOCALHOST.to_ipv6_mapped(), local.port()));
    let translated = SocketAddr::new("64:ff9b::127.0.0.1".parse().unwrap(), local.port());
    for answers in [
        vec![local],
        vec![mapped],
        vec![translated],
        vec![local, public],
        vec![public, local],
        vec![public, public, mapped],
    ] {
        for url in [example(), plain_example()] {
            let delivery =
                guarded(AMPLE, always(answers.clone())).post(&url, HeaderMap::new(), Bytes::new(), KEPT).await;
            let Outcome::Refused(reason) = &delivery.outcome else { panic!("{answers:?}: {:?}", delivery.outcome) };
            assert!(reason.starts_with("hooks.acme.example: "), "{reason}");
            assert!(reason.contains("is not a public address: "), "{reason}");
            assert_eq!(delivery.address, None);
        }
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn the_guard_refuses_urls_of_a_bad_form_before_it_resolves() {
    let (resolve, calls) = recorded(vec![vec![SocketAddr::from(([93, 184, 215, 14], 443))]]);
    let egress = guarded(AMPLE, resolve);
    for text in [
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://[::1]/",
        "https://8.8.8.8/",
        "https://localhost/",
        "https://receiver/",
        "https://metadata.google.internal/",
        "https://user:secret@hooks.acme.example/",
        "ftp://hooks.acme.example/",
    ] {
        let delivery = egress.post(&Url::parse(text).unwrap(), HeaderMap::new(), Bytes::new(), KEPT).await;
        assert!(matches!(delivery.outcome, Outcome::Refused(_)), "{text}: {:?}", delivery.outcome);
    }
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn public_answers_pass_the_guard_unchanged() {
    let answers: Vec<SocketAddr> = ["93.184.215.14:443", "[2606:4700::1111]:443", "[64:ff9b::808:808]:443"]
        .map(|address| address.parse().unwrap())
        .to_vec();
    let deadline = Deadline { at: Instant::now() + AMPLE, timeout: AMPLE };
    let judged = guarded(AMPLE, always(answers.clone())).judged_addresses(&example(), deadline).await;
    assert_eq!(judged.ok(), Some(answers));
}

#[tokio::test]
async fn a_host_without_addresses_is_a_failure() {
    let delivery = guarded(AMPLE, always(Vec::new())).post(&example(), HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_failed(&delivery, "resolving the host: it has no address");
}

#[tokio::test]
async fn a_name_that_rebinds_after_the_check_is_asked_only_once() {
    let receiver = Receiver::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let canary = Receiver::answering("HTTP/1.1 200 OK\r\n\r\n").await;
    let (resolve, calls) = recorded(vec![vec![receiver.address], vec![canary.address]]);
    let delivery = unguarded(AMPLE, resolve).post(&plain_example(), HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::OK));
    assert_eq!(delivery.address, Some(receiver.address));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn proxies_of_the_environment_are_ignored() {
    let canary = Receiver::answering("HTTP/1.1 200 OK\r\n\r\n").await;
    let proxy = format!("http://{}", canary.address);
    // Variables cannot be set safely in a running process, so a child process delivers.
    let mut delivering = Command::new(std::env::current_exe().unwrap());
    delivering.args(["--exact", "client::tests::a_post_arrives_whole_and_the_status_comes_back"]);
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        delivering.env(name, &proxy);
    }
    let output = tokio::task::spawn_blocking(move || delivering.output()).await.unwrap().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && report.contains("1 passed"), "{report}");
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn https_is_sent_with_the_name_of_the_host() {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["hooks.acme.example".to_owned()]).unwrap();
    let receiver = TlsReceiver::start(&cert, PrivateKeyDer::Pkcs8(signing_key.serialize_der().into())).await;
    let egress = trusting(&cert, receiver.address);
    let delivery = egress.post(&example(), HeaderMap::new(), Bytes::from_static(b"{}"), KEPT).await;
    assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::OK));
    let (server_name, request) = receiver.served.await.unwrap().unwrap();
    assert_eq!(server_name.as_deref(), Some("hooks.acme.example"));
    assert_eq!(header_values(&request, "host"), ["hooks.acme.example"]);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_a_failure() {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["other.acme.example".to_owned()]).unwrap();
    let receiver = TlsReceiver::start(&cert, PrivateKeyDer::Pkcs8(signing_key.serialize_der().into())).await;
    let delivery = trusting(&cert, receiver.address).post(&example(), HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_failed(&delivery, "securing the connection: ");
    assert!(receiver.served.await.unwrap().is_err(), "the request was sent to another host");
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_is_a_failure() {
    let names = ["hooks.acme.example".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names.clone()).unwrap();
    let receiver = TlsReceiver::start(&cert, PrivateKeyDer::Pkcs8(signing_key.serialize_der().into())).await;
    let another = generate_simple_self_signed(names).unwrap().cert;
    let delivery = trusting(&another, receiver.address).post(&example(), HeaderMap::new(), Bytes::new(), KEPT).await;
    assert_failed(&delivery, "securing the connection: ");
    assert!(receiver.served.await.unwrap().is_err(), "the request was sent to another host");
}

#[tokio::test]
async fn no_reason_contains_a_secret() {
    let hanging = Receiver::answering("").await;
    let babbling = Receiver::answering("S3CRET\r\n\r\n").await;
    let dead = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let mut headers = HeaderMap::new();
    headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer S3CRET"));
    for (scheme, address) in [
        ("http", hanging.address),
        ("https", hanging.address),
        ("http", babbling.address),
        ("https", babbling.address),
        ("http", dead),
    ] {
        let url = Url::parse(&format!("{scheme}://{address}/S3CRET?token=S3CRET")).unwrap();
        for egress in [development(SHORT), guarded(SHORT, always(vec![address]))] {
            let delivery = egress.post(&url, headers.clone(), Bytes::from_static(b"S3CRET"), KEPT).await;
            assert!(!matches!(delivery.outcome, Outcome::Answered(_)));
            assert!(!format!("{delivery:?}").contains("S3CRET"), "{delivery:?}");
        }
    }
}

#[test]
fn there_are_always_authorities_to_trust() {
    assert!(!trusted_roots().is_empty());
}

fn assert_failed(delivery: &Delivery, start: &str) {
    let Outcome::Failed(reason) = &delivery.outcome else { panic!("{:?}", delivery.outcome) };
    assert!(reason.starts_with(start), "{reason}");
}

/// The client of a development server: no guard, the system's name server.
fn development(timeout: Duration) -> Egress {
    Egress::new(EgressOptions { timeout, allow_private_addresses: true }).unwrap()
}

fn guarded(timeout: Duration, resolve: Resolve) -> Egress {
    Egress::with(EgressOptions { timeout, allow_private_addresses: false }, RootCertStore::empty(), resolve).unwrap()
}

fn unguarded(timeout: Duration, resolve: Resolve) -> Egress {
    Egress::with(EgressOptions { timeout, allow_private_addresses: true }, RootCertStore::empty(), resolve).unwrap()
}

/// A client that trusts only `authority` and resolves every host to `address`.
fn trusting(authority: &rcgen::Certificate, address: SocketAddr) -> Egress {
    let mut roots = RootCertStore::empty();
    roots.add(authority.der().clone()).unwrap();
    let options = EgressOptions { timeout: AMPLE, allow_private_addresses: true };
    Egress::with(options, roots, always(vec![address])).unwrap()
}

fn example() -> Url {
    Url::parse("https://hooks.acme.example/cases").unwrap()
}

fn plain_example() -> Url {
    Url::parse("http://hooks.acme.example/cases").unwrap()
}

fn always(answer: Vec<SocketAddr>) -> Resolve {
    Arc::new(move |_, _| {
        let answer = answer.clone();
        Box::pin(async move { Ok(answer) })
    })
}

/// A name server that gives one answer after the other, repeats the last one, and counts the queries.
fn recorded(answers: Vec<Vec<SocketAddr>>) -> (Resolve, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let resolve: Resolve = Arc::new(move |_, _| {
        let call = counter.fetch_add(1, Ordering::SeqCst);
        let answer = answers[call.min(answers.len() - 1)].clone();
        Box::pin(async move { Ok(answer) })
    });
    (resolve, calls)
}
