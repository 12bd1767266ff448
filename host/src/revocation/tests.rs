//! Tests with a small server: what is accepted, what is refused, and that nothing is fetched twice.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, CrlDistributionPoint,
    CustomExtension, DnType, IsCa, KeyIdMethod, KeyPair, KeyUsagePurpose, SerialNumber, date_time_ymd,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;

/// 20 November 2026, 10:00 UTC.
const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "Root");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Self { issuer: CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap() }
    }

    fn root(&self) -> Certificate {
        Certificate::from_der(self.issuer.as_ref().der()).unwrap()
    }

    /// A certificate with these addresses of lists.
    fn certificate(&self, urls: &[String]) -> Certificate {
        self.certificate_with(urls, CertificateParams::default())
    }

    /// A certificate that also has the address of a responder.
    fn certificate_with_responder(&self, urls: &[String], responder: &str) -> Certificate {
        const OCSP: [u8; 10] = [6, 8, 0x2b, 6, 1, 5, 5, 7, 0x30, 1];
        // `AuthorityInfoAccessSyntax` with one description; lengths below 128 are one byte.
        let tlv = |tag: u8, content: &[u8]| [&[tag, u8::try_from(content.len()).unwrap()], content].concat();
        let description = tlv(0x30, &[&OCSP[..], &tlv(0x86, responder.as_bytes())].concat());
        let access = CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 1], tlv(0x30, &description));
        let mut params = CertificateParams::default();
        params.custom_extensions = vec![access];
        self.certificate_with(urls, params)
    }

    fn certificate_with(&self, urls: &[String], mut params: CertificateParams) -> Certificate {
        params.distinguished_name.push(DnType::CommonName, "Seal");
        let point = |url: &String| CrlDistributionPoint { uris: vec![url.clone()] };
        params.crl_distribution_points = urls.iter().map(point).collect();
        let key = KeyPair::generate().unwrap();
        Certificate::from_der(params.signed_by(&key, &self.issuer).unwrap().der()).unwrap()
    }

    /// Current from the 19th until this day of November 2026.
    fn list(&self, until: u8) -> Vec<u8> {
        let params = CertificateRevocationListParams {
            this_update: date_time_ymd(2026, 11, 19),
            next_update: date_time_ymd(2026, 11, until),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: Vec::new(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        params.signed_by(&self.issuer).unwrap().der().to_vec()
    }
}

/// A server that always answers with this, and counts requests.
async fn serve(status: u16, body: Vec<u8>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/root.crl", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let mut request = Vec::new();
            while !is_whole(&request) && stream.read_buf(&mut request).await.unwrap_or(0) > 0 {}
            let text = String::from_utf8_lossy(&request);
            assert!(text.starts_with("GET /root.crl ") || text.starts_with("POST /ocsp "), "{text}");
            let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            // The client may close the connection before the end.
            let _ = stream.write_all(&[head.as_bytes(), &body].concat()).await;
        }
    });
    (url, asked)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    request.len() >= head.len() + 4 + length.map_or(0, |length| length.parse().unwrap())
}

/// A source that may connect to this machine.
fn source(clock: &Clock) -> RevocationSource {
    RevocationSource::new(clock.clone(), vec!["127.0.0.0/8".parse().unwrap()]).unwrap()
}

async fn found(lists: &RevocationSource, certificates: &[Certificate]) -> RevocationData {
    lists.of(certificates, certificates, &[]).await
}

#[tokio::test]
async fn a_list_is_fetched_once_until_the_next_one_is_due() {
    let authority = Authority::new();
    let list = authority.list(21);
    let (url, asked) = serve(200, list.clone()).await;
    let chain = [
        authority.certificate(&["ldap://x/y".to_owned(), url.clone()]),
        authority.certificate(&[url]),
        authority.root(),
    ];
    let clock = Clock::held(NOW);
    let lists = source(&clock);
    let expected = RevocationData { lists: vec![list.clone()], ..RevocationData::default() };
    for _ in 0..3 {
        assert_eq!(found(&lists, &chain).await, expected);
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    // A list that exists already is not fetched.
    assert_eq!(lists.of(&chain, &chain, &[list]).await, RevocationData::default());
    // At the end of the 20th it has expired, and so has the one that the server still returns.
    clock.advance(Duration::from_hours(14));
    let gone = found(&lists, &chain).await;
    let expected = "CN=Seal: the statement at the address has expired";
    assert!(gone.lists.is_empty() && gone.missing[0].contains(expected), "{gone:?}");
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_list_that_is_not_the_issuers_or_not_current_is_refused_and_not_fetched_again_at_once() {
    let (authority, namesake) = (Authority::new(), Authority::new());
    let mut broken = authority.list(30);
    let last = broken.len() - 1;
    broken[last] ^= 1;
    for (status, body, expected) in [
        (404, Vec::new(), "status 404"),
        (302, authority.list(30), "status 302"),
        (200, b"<html>Sign in</html>".to_vec(), "not return a complete list"),
        (200, namesake.list(30), "not return a complete list"),
        (200, broken, "not return a complete list"),
        (200, authority.list(20), "has expired"),
        (200, vec![0x30; MAX_LIST_BYTES + 1], "more than"),
    ] {
        let (url, asked) = serve(status, body).await;
        let chain = [authority.certificate(&[url]), authority.root()];
        let clock = Clock::held(NOW);
        let lists = source(&clock);
        let first = found(&lists, &chain).await;
        assert!(first.lists.is_empty() && first.missing[0].contains(expected), "{expected}: {first:?}");
        let second = found(&lists, &chain).await;
        assert!(second.missing[0].contains("not tried again yet"), "{second:?}");
        assert_eq!(asked.load(Ordering::SeqCst), 1, "{expected}");
        clock.advance(PAUSE + Duration::from_secs(1));
        assert!(found(&lists, &chain).await.missing[0].contains(expected));
        assert_eq!(asked.load(Ordering::SeqCst), 2, "{expected}");
    }
}

#[tokio::test]
async fn the_next_address_is_tried_if_the_first_does_not_answer() {
    let authority = Authority::new();
    let list = authority.list(30);
    let (url, _) = serve(200, list.clone()).await;
    let dead = "http://127.0.0.1:1/root.crl".to_owned();
    let lists = source(&Clock::held(NOW));
    let chain = [authority.certificate(&[dead.clone(), url]), authority.root()];
    assert_eq!(found(&lists, &chain).await.lists, [list]);
    let alone = found(&lists, &[authority.certificate(&[dead]), authority.root()]).await;
    assert!(alone.missing[0].contains("not tried again yet"), "{alone:?}");
}

#[tokio::test]
async fn a_responder_is_asked_if_no_list_is_available_and_only_a_valid_answer_is_accepted() {
    let authority = Authority::new();
    let list = authority.list(30);
    let (lists, asked_for_list) = serve(200, list.clone()).await;
    let (responder, asked) = serve(200, list.clone()).await;
    let responder = responder.replace("/root.crl", "/ocsp");
    let source = source(&Clock::held(NOW));
    let with_list = [authority.certificate_with_responder(&[lists], &responder), authority.root()];
    assert_eq!(found(&source, &with_list).await.lists, [list]);
    assert_eq!((asked_for_list.load(Ordering::SeqCst), asked.load(Ordering::SeqCst)), (1, 0));
    // A list is not an answer.
    let without = [authority.certificate_with_responder(&[], &responder), authority.root()];
    for expected in ["not return an answer of the issuer about it", "not tried again yet"] {
        let nothing = found(&source, &without).await;
        assert!(nothing.answers.is_empty() && nothing.missing[0].contains(expected), "{nothing:?}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_chain_without_addresses_is_reported() {
    let authority = Authority::new();
    let lists = source(&Clock::held(NOW));
    let silent = found(&lists, &[authority.certificate(&[]), authority.root()]).await;
    assert!(silent.missing[0].contains("does not say where"), "{silent:?}");
    let rootless = found(&lists, &[authority.certificate(&[])]).await;
    assert!(rootless.missing[0].contains("its issuer is not in the chain"), "{rootless:?}");
    assert_eq!(found(&lists, &[authority.root()]).await, RevocationData::default());
}

#[tokio::test]
async fn an_address_is_used_only_in_an_anchored_chain_and_only_in_an_allowed_network() {
    let authority = Authority::new();
    let (url, asked) = serve(200, authority.list(30)).await;
    let chain = [authority.certificate(&[url]), authority.root()];
    let clock = Clock::held(NOW);
    let missing = source(&clock).of(&chain, &chain[1..], &[]).await.missing;
    assert!(missing[0].contains("does not lead to a root in seal.trust"), "{missing:?}");
    for networks in [vec![], vec!["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]] {
        let source = RevocationSource::new(clock.clone(), networks).unwrap();
        let missing = found(&source, &chain).await.missing;
        assert!(missing[0].contains("CN=Seal: "), "{missing:?}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    assert_eq!(found(&source(&clock), &chain).await.lists.len(), 1);
}
