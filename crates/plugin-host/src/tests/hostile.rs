//! Plugins that misbehave in a call: each is stopped, named, and the host goes on.

use std::time::Duration;

use super::{
    guest::{Guest, answer, answering, declining, doing, words},
    *,
};

/// Calls the guest, and checks that the failure names it and that the host still serves others.
async fn failure_of(guest: Guest<'_>) -> PluginError {
    failure_with(guest, request()).await
}

async fn failure_with(guest: Guest<'_>, request: WebhookRequest) -> PluginError {
    let host = TestHost::with(&[("guest.wasm", guest.build())]).host;
    assert_eq!(host.refused(), []);
    let error = host.authenticate_webhook("guest", request, credential()).await.unwrap_err();
    assert_eq!(error.plugin, "guest");
    authenticate(&host, "hmac-sha256", credential()).await.unwrap();
    error
}

#[tokio::test]
async fn an_honest_guest_is_answered() {
    let guest = answering(&[(b"X-Signature", b"t=1,v1=ab"), (b"x-empty", b"")]);
    let headers = TestHost::with(&[("guest.wasm", guest.build())]).authenticate("guest").await.unwrap();
    assert_eq!(headers, [pair("x-signature", "t=1,v1=ab"), pair("x-empty", "")]);
}

#[tokio::test]
async fn an_endless_loop_ends_at_the_deadline() {
    let error = failure_of(doing("(loop (br 0))")).await;
    assert_eq!(error.failure, Failure::Deadline(Duration::from_millis(200)));
}

#[tokio::test]
async fn a_trap_is_reported() {
    let error = failure_of(doing("unreachable")).await;
    assert_eq!(error.failure, Failure::Trap("wasm trap: wasm `unreachable` instruction executed".to_owned()));
}

#[tokio::test]
async fn endless_recursion_exhausts_its_own_stack_only() {
    let guest = Guest {
        items: answer(&[]) + "(func $deeper (param i64) (call $deeper (local.get 0)) (call $deeper (local.get 0)))",
        ..doing("(call $deeper (i64.const 1))")
    };
    let error = failure_of(guest).await;
    assert_eq!(error.failure, Failure::Trap("wasm trap: call stack exhausted".to_owned()));
}

#[tokio::test]
async fn memory_beyond_the_limit_is_named_as_the_cause() {
    let error =
        failure_of(doing("(loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable")).await;
    assert!(matches!(&error.failure, Failure::Memory(what) if what.contains("at most 64 are allowed")), "{error}");
}

#[tokio::test]
async fn a_table_beyond_the_limit_is_named_as_the_cause() {
    let guest = Guest {
        items: answer(&[]) + "(table $table 0 funcref)",
        ..doing("(drop (table.grow $table (ref.null func) (i32.const 30000))) unreachable")
    };
    let error = failure_of(guest).await;
    assert!(matches!(&error.failure, Failure::Memory(what) if what.contains("30000 elements")), "{error}");
}

#[tokio::test]
async fn hoarded_handles_are_stopped() {
    let error = failure_of(doing("(loop (drop (call $body (local.get $request))) (br 0))")).await;
    assert!(matches!(error.failure, Failure::Trap(_)), "{error}");
}

#[tokio::test]
async fn endless_hashing_is_stopped_though_no_deadline_interrupts_it() {
    let request = WebhookRequest { body: vec![0; 4 << 20].into(), ..request() };
    let guest = doing(
        "(local $body i32) (local.set $body (call $body (local.get $request)))
        (loop (call $sha256 (local.get $body) (i32.const 4096)) (br 0))",
    );
    let error = failure_with(guest, request).await;
    let expected = Failure::Trap(format!("it requested hashes of more than {} bytes", 32 << 20));
    // A slow machine reaches the deadline before the bound.
    assert!(error.failure == expected || matches!(error.failure, Failure::Deadline(_)), "{error}");
}

#[tokio::test]
async fn keeping_a_borrowed_handle_is_stopped() {
    let error = failure_of(doing("(return (i32.const 1024))")).await;
    assert!(matches!(&error.failure, Failure::Trap(why) if why.contains("borrow")), "{error}");
}

#[tokio::test]
async fn a_flood_of_log_lines_is_cut() {
    let error = failure_of(doing("(loop (call $log (i32.const 3) (i32.const 0) (i32.const 1000)) (br 0))")).await;
    assert!(matches!(error.failure, Failure::Deadline(_)), "{error}");
    let (notice, lines) = error.log.split_last().unwrap();
    assert!(notice.contains("dropped"), "{notice}");
    assert!(lines.iter().map(String::len).sum::<usize>() <= 8192 && lines.len() >= 3);
}

#[tokio::test]
async fn a_flood_of_empty_log_lines_is_cut() {
    let error = failure_of(doing("(loop (call $log (i32.const 0) (i32.const 0) (i32.const 0)) (br 0))")).await;
    assert!(error.log.len() <= 8193, "{}", error.log.len());
}

#[tokio::test]
async fn a_log_line_stays_one_line() {
    let guest = Guest {
        items: answer(&[]) + r#"(data (i32.const 5000) "two\0d\0alines\1b[31m")"#,
        ..doing("(call $log (i32.const 1) (i32.const 5000) (i32.const 15)) unreachable")
    };
    assert_eq!(failure_of(guest).await.log, ["two\u{fffd}\u{fffd}lines\u{fffd}[31m"]);
}

#[tokio::test]
async fn answers_that_no_request_could_carry_are_refused() {
    let cases: [(&[u8], &[u8], &str); 9] = [
        (b"x-a", b"b\r\nHost: evil", "the value of x-a"),
        (b"x-a", b"b\0", "the value of x-a"),
        (b"x-a", " é".as_bytes(), "the value of x-a"),
        (b"x-a", b"b ", "the value of x-a"),
        (b"x a evil", b"b", "the name of header 1"),
        (b"", b"b", "the name of header 1"),
        (b"Host", b"evil.example", "host"),
        (b"content-LENGTH", b"1", "content-length"),
        (b"Transfer-Encoding", b"chunked", "transfer-encoding"),
    ];
    for (name, value, expected) in cases {
        let error = failure_of(answering(&[(name, value)])).await;
        assert!(matches!(&error.failure, Failure::InvalidAnswer(why) if why.contains(expected)), "{error}");
        assert!(!error.to_string().contains("evil"), "{error}");
    }
}

#[tokio::test]
async fn too_many_too_long_or_repeated_headers_are_refused() {
    let names: Vec<String> = (0..17).map(|n| format!("x-{n}")).collect();
    let many: Vec<(&[u8], &[u8])> = names.iter().map(|name| (name.as_bytes(), b"v".as_slice())).collect();
    let long = vec![b'v'; 8 * 1024];
    for (headers, expected) in [
        (many, "17 headers"),
        (vec![(b"x-a".as_slice(), long.as_slice())], "8195 bytes"),
        (vec![(b"x-a".as_slice(), b"1".as_slice()), (b"X-A", b"2")], "x-a occurs twice"),
    ] {
        let error = failure_of(answering(&headers)).await;
        assert!(matches!(&error.failure, Failure::InvalidAnswer(why) if why.contains(expected)), "{error}");
    }
}

#[tokio::test]
async fn malformed_answers_are_stopped() {
    let beyond_memory = words(&[0, 2048, u32::MAX / 16]);
    let two_mebibytes = words(&[0, 2048, 1]);
    let header_of_two_mebibytes = words(&[65_536, 3, 65_536, 2 << 20]);
    let not_utf8 = answer(&[(b"x-\xff", b"v")]);
    for items in [
        format!(r#"(data (i32.const 1024) "{beyond_memory}")"#),
        format!(r#"(data (i32.const 1024) "{two_mebibytes}") (data (i32.const 2048) "{header_of_two_mebibytes}")"#),
        not_utf8,
    ] {
        let error = failure_of(Guest { items, ..Guest::default() }).await;
        assert!(matches!(error.failure, Failure::Trap(_)), "{error}");
    }
}

#[tokio::test]
async fn a_plugins_own_error_message_is_reported() {
    let error = failure_of(declining(1, "only https")).await;
    assert_eq!(error.failure, Failure::Unsupported("only https".to_owned()));
    assert_eq!(error.to_string(), "plugin guest: it does not support this: only https");

    let error = failure_of(declining(2, &format!("a\nb{}", "é".repeat(5000)))).await;
    let Failure::Plugin(text) = error.failure else { panic!("{error}") };
    assert!(text.starts_with("a\u{fffd}b") && text.len() <= 1024, "{text}");
}

#[tokio::test]
async fn a_secret_is_denied_unless_granted_and_never_logged_by_the_host() {
    // Logs what `reveal` returned, and traps; if denied, it traps immediately.
    let guest = doing(
        "(call $reveal (local.get $credential) (i32.const 4096))
        (if (i32.load8_u (i32.const 4096)) (then unreachable))
        (call $log (i32.const 1) (i32.load (i32.const 4100)) (i32.load (i32.const 4104)))
        unreachable",
    );
    let host = TestHost::with(&[("guest.wasm", guest.build())]).host;
    assert_eq!(authenticate(&host, "guest", credential()).await.unwrap_err().log, Vec::<String>::new());

    let granted = WebhookCredential { grant_reveal: true, ..credential() };
    assert_eq!(authenticate(&host, "guest", granted).await.unwrap_err().log, ["[secret]"]);
}

#[test]
fn a_mode_that_signs_may_not_see_the_secret_even_when_the_manifest_grants_it() {
    assert!(!crate::built_in::reveals_secret("hmac-sha256"));
    assert!(!crate::built_in::reveals_secret("partner-apikey"));
}

#[tokio::test]
async fn many_concurrent_calls_wait_for_their_turn_instead_of_failing() {
    let host = TestHost::with(&[]).host;
    let calls: Vec<_> = (0..64)
        .map(|_| {
            let host = host.clone();
            tokio::spawn(async move { authenticate(&host, "hmac-sha256", credential()).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
}
