use std::time::Duration;

use sealwright_seal::pki::{DevelopmentAuthority, RandomBytes};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;
use crate::clock::Timestamp;

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_573);
const PAUSE: Duration = Duration::from_secs(30);

fn made(seed: u8) -> DevelopmentAuthority {
    named("Example", seed)
}

fn named(name: &str, seed: u8) -> DevelopmentAuthority {
    let key = |number: u8| [16 * seed + number; 32];
    let random = RandomBytes { keys: [key(1), key(2), key(3)], serial_numbers: [[4; 16], [5; 16], [6; 16]] };
    let yesterday = NOW.before(Duration::from_hours(24));
    DevelopmentAuthority::new(name, &random, UnixTime::from_millis(yesterday.as_millis()).unwrap()).unwrap()
}

fn stamping(authority: DevelopmentAuthority) -> TimeStampAuthority {
    TimeStampAuthority::new(authority.into_identities().unwrap().1, Some(1000))
}

fn authority() -> TimeStampAuthority {
    stamping(made(0))
}

/// An authority over HTTP that answers with `status` and the result of `answer` for the request's DER.
async fn serve(status: u16, answer: impl Fn(&[u8]) -> Vec<u8> + Send + 'static) -> Url {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/tsr", listener.local_addr().unwrap()).parse().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
            // The request ends when its declared length is reached.
            let body = loop {
                let more = stream.read(&mut buffer).await.unwrap_or(0);
                read.extend_from_slice(&buffer[..more]);
                let text = String::from_utf8_lossy(&read).to_lowercase();
                let end = read.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4);
                let length: Option<usize> =
                    text.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
                if let (Some(end), Some(length)) = (end, length)
                    && read.len() >= end + length
                {
                    assert!(text.contains("content-type: application/timestamp-query"), "{text}");
                    break read[end..].to_vec();
                }
                if more == 0 {
                    break Vec::new();
                }
            };
            let body = answer(&body);
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).await;
            let _ = stream.write_all(&body).await;
        }
    });
    url
}

async fn good() -> Url {
    stating(authority(), NOW).await
}

/// An authority whose tokens state `time`.
async fn stating(authority: TimeStampAuthority, time: Timestamp) -> Url {
    let time = UnixTime::from_millis(time.as_millis()).unwrap();
    serve(200, move |request| authority.respond(request, [7; 16], time).unwrap()).await
}

fn sources(urls: Vec<Url>, clock: &Clock) -> TimeSources {
    sources_under(urls, None, clock)
}

/// Sources of which `quorum` must have stamped.
fn several(urls: Vec<Url>, quorum: usize, clock: &Clock) -> TimeSources {
    let timeout = Duration::from_secs(5);
    TimeSources::authorities(Authorities { urls, timeout, pause: PAUSE, roots: None, quorum }, clock.clone()).unwrap()
}

fn sources_under(urls: Vec<Url>, roots: Option<Vec<Certificate>>, clock: &Clock) -> TimeSources {
    let timeout = Duration::from_secs(5);
    TimeSources::authorities(Authorities { urls, timeout, pause: PAUSE, roots, quorum: 1 }, clock.clone()).unwrap()
}

fn refused(sources: &TimeSources) -> Vec<[(&'static str, u64); 2]> {
    sources.states().into_iter().map(|state| state.refused).collect()
}

#[tokio::test]
async fn the_development_authority_states_the_clocks_time() {
    let sources = TimeSources::development(authority(), Clock::held(NOW));
    let digest = Sha256Digest::of("a photo");
    let token = sources.stamp(digest).await.unwrap();
    assert_eq!((token.time().as_millis(), token.stamped_digest()), (NOW.as_millis(), Some(digest)));
    assert!(sources.is_development());
}

#[tokio::test]
async fn sources_are_asked_in_order_and_one_that_failed_is_paused() {
    let clock = Clock::held(NOW);
    let broken = serve(500, |_| b"sorry".to_vec()).await;
    let sources = sources(vec![broken, good().await], &clock);
    assert!(sources.stamp(Sha256Digest::of("one")).await.is_ok());
    let up = |sources: &TimeSources| sources.states().iter().map(|state| state.is_up).collect::<Vec<_>>();
    assert_eq!(up(&sources), [false, true]);
    let Kind::Authorities { sources: each, .. } = &sources.kind else { panic!("there are authorities") };
    assert!(each[0].is_paused(clock.steady()) && !each[1].is_paused(clock.steady()));
    clock.advance(PAUSE);
    assert!(!each[0].is_paused(clock.steady()), "it is asked again after its pause");
    assert!(sources.stamp(Sha256Digest::of("two")).await.is_ok());
    clock.advance(PAUSE);
    assert!(each[0].is_paused(clock.steady()), "the second pause is twice as long");
}

#[tokio::test]
async fn a_source_that_answers_is_up_again() {
    let source = Source::new("http://127.0.0.1:1/".parse().unwrap(), PAUSE);
    source.record_failure(&SourceError::Status(500), NOW);
    assert!(source.is_paused(NOW) && !source.is_up());
    source.record_success(None);
    assert!(!source.is_paused(NOW) && source.is_up());
    for _ in 0..100 {
        source.record_failure(&SourceError::Status(500), NOW);
    }
    assert!(!source.is_paused(NOW.after(PAUSE * 16)), "the longest pause is sixteen times the first");
}

#[tokio::test]
async fn an_answer_without_a_token_for_this_digest_and_request_is_refused() {
    let now = UnixTime::from_millis(NOW.as_millis()).unwrap();
    let answer_to = move |digest: &str, nonce: [u8; 8]| {
        let request = sealwright_seal::tsp::Request::new(Sha256Digest::of(digest), nonce);
        authority().respond(&request.to_der(), [7; 16], now).unwrap()
    };
    let refusals = [
        (serve(200, move |_| answer_to("a photo", [9; 8])).await, "another nonce"),
        (serve(200, |_| b"<html>".to_vec()).await, "not a TimeStampResp"),
        (serve(200, |_| vec![0; 1 << 20]).await, "more than 65536 bytes"),
        (serve(503, |_| Vec::new()).await, "status 503"),
        ("http://127.0.0.1:1/".parse().unwrap(), "connecting"),
    ];
    for (url, expected) in refusals {
        let refused = sources(vec![url], &Clock::held(NOW)).stamp(Sha256Digest::of("a photo")).await.unwrap_err();
        assert!(refused.to_string().contains(expected), "{expected}: {refused}");
    }
}

#[tokio::test]
async fn a_token_by_a_certificate_that_was_not_valid_then_is_refused() {
    let eleven_years = UnixTime::from_millis(NOW.as_millis()).unwrap().plus_days(11 * 365);
    let expired = authority();
    let url = serve(200, move |request| expired.respond(request, [7; 16], eleven_years).unwrap()).await;
    let refused = sources(vec![url], &Clock::held(NOW)).stamp(Sha256Digest::of("a photo")).await.unwrap_err();
    assert!(refused.to_string().contains("was no longer valid at"), "{refused}");
}

#[tokio::test]
async fn no_source_is_asked_while_all_are_paused() {
    let clock = Clock::held(NOW);
    let sources = sources(vec!["http://127.0.0.1:1/".parse().unwrap()], &clock);
    assert!(matches!(sources.stamp(Sha256Digest::of("x")).await, Err(NoTime::Refused(_))));
    assert_eq!(sources.stamp(Sha256Digest::of("x")).await, Err(NoTime::Paused));
}

#[tokio::test]
async fn with_roots_a_token_is_accepted_only_with_a_path_to_one_of_them() {
    let clock = Clock::held(NOW);
    // Two authorities with the same name and different keys.
    let (stranger, trusted) = (made(1), made(0));
    let roots = vec![made(2).root, trusted.root.clone()];
    let urls = vec![stating(stamping(stranger), NOW).await, stating(stamping(trusted), NOW).await];
    let without = sources(urls.clone(), &clock);
    let first = without.stamp(Sha256Digest::of("one")).await.unwrap();
    assert!(!without.is_anchored(&first), "no roots are named");

    let with = sources_under(urls.clone(), Some(roots.clone()), &clock);
    let token = with.stamp(Sha256Digest::of("one")).await.unwrap();
    assert_ne!(token.certificates(), first.certificates());
    assert!(with.is_anchored(&token) && !with.is_anchored(&first));
    assert_eq!(refused(&with), [[("untrusted", 1), ("time", 0)], [("untrusted", 0), ("time", 0)]]);
    assert_eq!(with.states().iter().map(|state| state.is_up).collect::<Vec<_>>(), [false, true]);

    let alone = sources_under(vec![urls[0].clone()], Some(roots), &clock);
    let Err(NoTime::Refused(refusals)) = alone.stamp(Sha256Digest::of("one")).await else { panic!("it is trusted") };
    assert!(refusals[0].contains("does not lead to a root in seal.trust"), "{refusals:?}");
}

#[tokio::test]
async fn a_token_whose_time_is_far_from_the_clock_is_refused() {
    let clock = Clock::held(NOW);
    let far = MAX_CLOCK_DIFFERENCE + Duration::from_millis(1);
    for (time, counts) in [
        (NOW.before(far), false),
        (NOW.before(MAX_CLOCK_DIFFERENCE), true),
        (NOW.after(MAX_CLOCK_DIFFERENCE), true),
        (NOW.after(far), false),
    ] {
        let sources = sources(vec![stating(authority(), time).await, good().await], &clock);
        let token = sources.stamp(Sha256Digest::of("a photo")).await.unwrap();
        let stated = if counts { time } else { NOW };
        assert_eq!(token.time().as_millis(), stated.as_millis(), "{time}");
        assert_eq!(refused(&sources)[0], [("untrusted", 0), ("time", u64::from(!counts))], "{time}");
    }
}

#[tokio::test]
async fn a_quorum_is_of_authorities_under_different_roots() {
    let clock = Clock::held(NOW);
    let digest = Sha256Digest::of("x");
    let one = stating(stamping(named("One", 1)), NOW).await;
    let same = stating(stamping(named("One", 2)), NOW).await;
    let other = stating(stamping(named("Other", 3)), NOW).await;
    let two = several(vec![one.clone(), same.clone(), other], 2, &clock);
    let first = two.stamp_by_quorum(digest).await.unwrap();
    let roots: BTreeSet<String> = first.root_name().into_iter().collect();
    let next = two.stamp_by_another(digest, &roots).await.unwrap();
    assert!(next.root_name().is_some_and(|root| !roots.contains(&root)), "{:?}", next.root_name());
    let too_few = several(vec![one, same], 2, &clock);
    assert_eq!(too_few.stamp_by_quorum(digest).await, Err(NoTime::TooFew));
    assert!(too_few.stamp(digest).await.is_ok());
}
