//! The integrator's side of a webhook: a listener that takes POST requests and checks their HMAC on the raw body.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::mpsc,
    thread,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::company::WebhookKey;

/// How long a sender may take for each part of its request.
const TIMEOUT: Duration = Duration::from_secs(10);
const LARGEST_HEAD: u64 = 64 * 1024;
const LARGEST_BODY: u64 = 16 * 1024 * 1024;

pub(super) struct Receiver {
    address: SocketAddr,
    deliveries: mpsc::Receiver<Delivery>,
}

/// One complete request.
#[derive(Debug)]
pub(super) struct Delivery {
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Receiver {
    /// Listens on a free port of the loopback address, in a thread that ends with the program.
    pub(super) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port for the webhook receiver")?;
        let address = listener.local_addr()?;
        let (sender, deliveries) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                match receive(&stream) {
                    // The receiver is dropped only at the end of the demo.
                    Ok(delivery) => drop(sender.send(delivery)),
                    Err(error) => eprintln!("The webhook receiver rejected a request: {error:#}"),
                }
            }
        });
        Ok(Self { address, deliveries })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/webhooks/cases", self.address)
    }

    /// The next delivery; waits at most for `timeout`.
    pub(super) fn next(&self, timeout: Duration) -> Option<Delivery> {
        self.deliveries.recv_timeout(timeout).ok()
    }
}

impl Delivery {
    /// The value of the first header with this name.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Spec 6.3, HMAC-SHA256: `Authorization: HMAC-SHA256 <key>:<signature>` and `X-Api-Key: <key>`, the signature being
    /// the HMAC of the body as sent, in hexadecimal (decisions 12).
    pub(super) fn check_signature(&self, key: &WebhookKey) -> anyhow::Result<()> {
        ensure!(self.header("x-api-key") == Some(&key.api_key), "X-Api-Key is not the key of this receiver");
        let authorization = self.header("authorization").context("no Authorization header")?;
        let credentials = authorization.strip_prefix("HMAC-SHA256 ").context("the scheme is not HMAC-SHA256")?;
        let (api_key, signature) = credentials.rsplit_once(':').context("the credentials have no colon")?;
        ensure!(api_key == key.api_key, "the credentials name another key");
        let signature = hex::decode(signature).context("the signature is not hexadecimal")?;
        let mut mac = Hmac::<Sha256>::new_from_slice(key.secret.as_bytes())?;
        mac.update(&self.body);
        mac.verify_slice(&signature).context("the signature does not match the body")
    }
}

/// Reads a request and answers it. Supports only the part of HTTP/1.1 that a webhook needs: the body has a
/// `Content-Length`.
fn receive(mut stream: &TcpStream) -> anyhow::Result<Delivery> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let result = read_request(stream);
    let status = if result.is_ok() { "204 No Content" } else { "400 Bad Request" };
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
    result
}

fn read_request(stream: &TcpStream) -> anyhow::Result<Delivery> {
    let mut reader = BufReader::new(stream);
    let mut head = (&mut reader).take(LARGEST_HEAD).lines();
    let mut line = || head.next().context("the request ends before its body")?.context("the request cannot be read");
    let request = line()?;
    ensure!(request.starts_with("POST "), "it is not a POST: {request}");
    let mut headers = Vec::new();
    loop {
        let header = line()?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').with_context(|| format!("not a header: {header}"))?;
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut delivery = Delivery { headers, body: Vec::new() };
    let length: u64 = delivery.header("content-length").context("no Content-Length")?.parse()?;
    ensure!(length <= LARGEST_BODY, "a body of {length} bytes is too long");
    reader.take(length).read_to_end(&mut delivery.body)?;
    ensure!(delivery.body.len() as u64 == length, "the body ends early");
    Ok(delivery)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> WebhookKey {
        WebhookKey { api_key: "k".into(), secret: "Jefe".into() }
    }

    /// Sends raw bytes and returns the status line of the answer.
    fn send(receiver: &Receiver, request: &str) -> String {
        let mut stream = TcpStream::connect(receiver.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap_or_default().to_owned()
    }

    fn signed(signature: &str, body: &str) -> String {
        let length = body.len();
        format!(
            "POST /webhooks/cases HTTP/1.1\r\nAuthorization: HMAC-SHA256 k:{signature}\r\nx-api-key: k\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
    }

    #[test]
    fn a_delivery_arrives_and_its_signature_is_checked_on_the_raw_body() {
        // RFC 4231, test case 2.
        const BODY: &str = "what do ya want for nothing?";
        const MAC: &str = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        let receiver = Receiver::start().unwrap();
        assert_eq!(send(&receiver, &signed(MAC, BODY)), "HTTP/1.1 204 No Content");
        let delivery = receiver.next(TIMEOUT).unwrap();
        assert_eq!(delivery.body, BODY.as_bytes());
        delivery.check_signature(&key()).unwrap();
        let other = WebhookKey { secret: "Jeff".into(), ..key() };
        assert!(delivery.check_signature(&other).is_err());
        let changed = Delivery { body: b"what do you want for nothing?".to_vec(), ..delivery };
        assert!(changed.check_signature(&key()).is_err());
    }

    #[test]
    fn an_incomplete_post_is_rejected_and_the_next_one_is_received() {
        let receiver = Receiver::start().unwrap();
        for request in [
            "GET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\nshort",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nno colon\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1",
        ] {
            assert_eq!(send(&receiver, request), "HTTP/1.1 400 Bad Request", "{request:?}");
        }
        assert_eq!(send(&receiver, &signed("00", "{}")), "HTTP/1.1 204 No Content");
        assert!(receiver.next(TIMEOUT).unwrap().check_signature(&key()).is_err());
    }
}
