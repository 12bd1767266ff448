//! The guard, tested on a machine on which every address leads to one listener, the canary, which detects every
//! connection. So this shows that nothing was sent, not only that the guard reports it.
//!
//! It needs a network of its own, which Linux provides to a child of this test (`unshare --net`): in it, routes of the
//! type `local` make each address one of the machine's own. Nothing leaves the machine.

use std::{
    net::{IpAddr, Ipv6Addr},
    process::Command,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::AbortHandle,
};

use super::{
    super::super::address::{
        SPECIAL_BLOCKS,
        tests::{Generator, embedded_forms, samples_of},
    },
    *,
};

/// Set in the child that has a network of its own.
const INSIDE: &str = "SEALWRIGHT_TEST_OWN_NETWORK";
const NAME: &str = "client::tests::canary::five_thousand_addresses_are_refused_and_no_connection_reaches_the_canary";

/// The required number of refused dispatches and of deliveries.
const REFUSED: usize = 5_000;
const DELIVERED: usize = 100;

#[tokio::test]
async fn five_thousand_addresses_are_refused_and_no_connection_reaches_the_canary() {
    if std::env::var_os(INSIDE).is_none() {
        return run_in_a_network_of_its_own().await;
    }
    let canary = Canary::start().await;
    let answers: Arc<Mutex<Vec<SocketAddr>>> = Arc::default();
    let resolving = Arc::clone(&answers);
    let resolve: Resolve = Arc::new(move |_, _| {
        let answer = resolving.lock().unwrap().clone();
        Box::pin(async move { Ok(answer) })
    });
    let egress = guarded(AMPLE, resolve);
    let post = async |url: &Url, answer: Vec<SocketAddr>| {
        *answers.lock().unwrap() = answer;
        egress.post(url, HeaderMap::new(), Bytes::from_static(b"{}"), KEPT).await
    };

    // The canary detects allowed connections; otherwise its silence would mean nothing.
    let mut delivered = 0;
    for address in public_addresses() {
        let answer = vec![SocketAddr::new(address, 80)];
        let delivery = post(&plain_example(), answer.clone()).await;
        assert_eq!(delivery.outcome, Outcome::Answered(StatusCode::TEMPORARY_REDIRECT), "{address}");
        assert_eq!(delivery.address, Some(answer[0]), "{address}");
        delivered += 1;
    }
    assert!(delivered >= DELIVERED, "{delivered}");
    // One connection for each: the canary's redirects to loopback are not followed.
    assert_eq!(canary.connections(), delivered);

    let public = SocketAddr::from(([93, 184, 215, 14], 80));
    let mut refused = 0;
    for (number, address) in special_addresses().into_iter().enumerate() {
        let bad = SocketAddr::new(address, 80);
        // Alone, and among good answers in every position.
        let answer = match number % 4 {
            0 | 1 => vec![bad],
            2 => vec![public, bad],
            _ => vec![bad, public, public],
        };
        let url = if number % 2 == 0 { plain_example() } else { example() };
        assert_refused(&post(&url, answer).await, &address.to_string());
        refused += 1;
        for literal in spellings(address) {
            let Ok(url) = Url::parse(&format!("http://{literal}/hook")) else { continue };
            assert_refused(&post(&url, vec![public]).await, &literal);
            refused += 1;
        }
    }
    assert!(refused >= REFUSED, "{refused}");
    assert_eq!(canary.connections(), delivered, "a refused dispatch connected");
    println!("{delivered} delivered, {refused} refused, no connection of a refused one");
}

fn assert_refused(delivery: &Delivery, what: &str) {
    assert!(matches!(delivery.outcome, Outcome::Refused(_)), "{what}: {:?}", delivery.outcome);
    assert_eq!(delivery.address, None, "{what}");
}

/// Edges and inner addresses of every special block, and the ways in which IPv6 embeds those of IPv4.
fn special_addresses() -> Vec<IpAddr> {
    let mut generator = Generator(0xCA_9A87);
    let mut addresses = Vec::new();
    for special in SPECIAL_BLOCKS.iter() {
        for address in samples_of(special.block, &mut generator).into_iter().take(8) {
            match address {
                IpAddr::V4(v4) => {
                    addresses.push(address);
                    addresses.extend(embedded_forms(v4).map(IpAddr::V6));
                }
                // This prefix is judged by the embedded address.
                IpAddr::V6(_) if special.block == "64:ff9b::/96".parse().unwrap() => {}
                IpAddr::V6(_) => addresses.push(address),
            }
        }
    }
    addresses
}

/// How an address can be written in a URL.
fn spellings(address: IpAddr) -> Vec<String> {
    let IpAddr::V4(v4) = address else { return vec![format!("[{address}]")] };
    let [a, b, c, d] = v4.octets();
    let [_, rest @ ..] = v4.octets();
    let low = u32::from_be_bytes([0, rest[0], rest[1], rest[2]]);
    vec![
        v4.to_string(),
        v4.to_bits().to_string(),
        format!("{:#x}", v4.to_bits()),
        format!("{:#o}", v4.to_bits()).replacen("0o", "0", 1),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a}.{low}"),
        format!("{a}.{b}.{}", u16::from_be_bytes([c, d])),
        format!("{v4}."),
        v4.to_string().replace('.', "%2e"),
        v4.to_string().replace('.', "\u{3002}"),
        format!("[::ffff:{v4}]"),
    ]
}

/// Addresses of real receivers.
fn public_addresses() -> impl Iterator<Item = IpAddr> {
    let v4 = (0..60_u8).map(|number| IpAddr::from([93, 184, number, 14]));
    let v6 = (0..60_u16).map(|number| IpAddr::V6(Ipv6Addr::new(0x2606, 0x4700, 0, number, 0, 0, 0, 0x1111)));
    v4.chain(v6)
}

/// A listener at every address, on the ports of http and https, which counts connections.
struct Canary {
    connections: Arc<AtomicUsize>,
    listening: Vec<AbortHandle>,
}

impl Canary {
    async fn start() -> Self {
        let connections = Arc::new(AtomicUsize::new(0));
        let mut listening = Vec::new();
        for port in [80, 443] {
            // For both families: on Linux such a listener accepts IPv4 connections too.
            let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).await.unwrap();
            let counter = Arc::clone(&connections);
            let accepting = tokio::spawn(async move {
                loop {
                    let Ok((mut stream, _)) = listener.accept().await else { return };
                    counter.fetch_add(1, Ordering::SeqCst);
                    let mut request = [0; 1024];
                    let _ = stream.read(&mut request).await;
                    let answer =
                        "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n";
                    let _ = stream.write_all(answer.as_bytes()).await;
                }
            });
            listening.push(accepting.abort_handle());
        }
        Self { connections, listening }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        self.listening.iter().for_each(AbortHandle::abort);
    }
}

/// Runs this test again in a child process for which every address is local.
async fn run_in_a_network_of_its_own() {
    const PREPARE: &str =
        "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo";
    let unshare = |script: String| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--net", "sh", "-c", &script]);
        command.arg(std::env::current_exe().unwrap()).env(INSIDE, "1");
        command
    };
    let can = tokio::task::spawn_blocking(move || unshare(PREPARE.to_owned()).output()).await.unwrap();
    if !can.is_ok_and(|output| output.status.success()) {
        use std::io::Write as _;
        // Not `eprintln!`: the test harness would swallow it, because the test passes.
        let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: no network namespace for the canary (unshare, ip)");
        return;
    }
    let script = format!("{PREPARE} && exec \"$0\" --exact {NAME} --nocapture");
    let output = tokio::task::spawn_blocking(move || unshare(script).output()).await.unwrap().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && report.contains("1 passed"), "{report}{errors}");
}
