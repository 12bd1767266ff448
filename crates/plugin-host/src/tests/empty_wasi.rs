//! Components that import WASI: it is empty, and the same in every call.

use super::*;

/// A webhook mode that runs `authenticate` with these functions of WASI, and answers without headers. In addition to
/// what every such mode needs, it imports `imports`, lowered to `lowered`, which the core module imports as `imported`.
fn mode(imports: &str, lowered: &str, given: &str, imported: &str, authenticate: &str) -> Vec<u8> {
    let text = format!(
        r#"(component
        (import "wasi:io/error@0.2.6" (instance $error (export "error" (type (sub resource)))))
        (alias export $error "error" (type $error-type))
        (import "wasi:io/streams@0.2.6" (instance $streams
            (export "output-stream" (type $stream (sub resource)))
            (alias outer 1 $error-type (type $failure))
            (export "error" (type $named (eq $failure)))
            (type $bad (variant (case "last-operation-failed" (own $named)) (case "closed")))
            (export "stream-error" (type $stream-error (eq $bad)))
            (export "[method]output-stream.blocking-write-and-flush"
                (func (param "self" (borrow $stream)) (param "contents" (list u8))
                    (result (result (error $stream-error)))))))
        (alias export $streams "output-stream" (type $output-stream))
        (import "wasi:cli/stdout@0.2.6" (instance $stdout
            (alias outer 1 $output-stream (type $stream))
            (export "output-stream" (type $named (eq $stream)))
            (export "get-stdout" (func (result (own $named))))))
        {imports}
        (import "sealwright:plugin/types@0.1.3" (instance $types
            (type $e (variant (case "invalid-input" string) (case "unsupported" string) (case "internal" string)))
            (export "error" (type (eq $e)))))
        (alias export $types "error" (type $plugin-error))
        (import "sealwright:plugin/credentials@0.1.3" (instance $credentials
            (export "credential" (type (sub resource)))))
        (alias export $credentials "credential" (type $credential))
        (import "sealwright:plugin/webhook@0.1.3" (instance $webhook (export "request" (type (sub resource)))))
        (alias export $webhook "request" (type $request))
        (core module $memory
            (memory (export "memory") 4)
            (global $heap (mut i32) (i32.const 65536))
            (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
                (global.get $heap)
                (global.set $heap (i32.add (global.get $heap)
                    (i32.and (i32.add (local.get $size) (i32.const 7)) (i32.const -8))))))
        (core instance $memory (instantiate $memory))
        (alias core export $memory "memory" (core memory $mem))
        (alias core export $memory "realloc" (core func $realloc))
        (core func $get-stdout (canon lower (func $stdout "get-stdout")))
        (core func $write (canon lower (func $streams "[method]output-stream.blocking-write-and-flush") (memory $mem)))
        (core func $drop-request (canon resource.drop $request))
        (core func $drop-credential (canon resource.drop $credential))
        {lowered}
        (core module $main
            (import "m" "memory" (memory 4))
            (import "w" "get-stdout" (func $get-stdout (result i32)))
            (import "w" "write" (func $write (param i32 i32 i32 i32)))
            (import "w" "drop-request" (func $drop-request (param i32)))
            (import "w" "drop-credential" (func $drop-credential (param i32)))
            {imported}
            (data (i32.const 16) "\00\01\00\00\05\00\00\00\00\02\00\00\05\00\00\00\00\03\00\00\06\00\00\00")
            (data (i32.const 256) "guest") (data (i32.const 512) "1.0.0") (data (i32.const 768) "Prints")
            (data (i32.const 2048) "one\ntwo")
            (func $print (param $at i32) (param $length i32)
                (call $write (call $get-stdout) (local.get $at) (local.get $length) (i32.const 4096)))
            (func (export "describe") (result i32) (i32.const 16))
            (func (export "authenticate") (param i32 i32) (result i32)
                {authenticate}
                (call $drop-request (local.get 0)) (call $drop-credential (local.get 1))
                (i32.const 1024)))
        (core instance $main (instantiate $main (with "m" (instance $memory)) (with "w" (instance
            (export "get-stdout" (func $get-stdout)) (export "write" (func $write))
            (export "drop-request" (func $drop-request)) (export "drop-credential" (func $drop-credential))
            {given}))))
        (type $description (record (field "name" string) (field "version" string) (field "summary" string)))
        (component $meta
            (type $d (record (field "name" string) (field "version" string) (field "summary" string)))
            (import "d" (type $named (eq $d)))
            (import "describe" (func $f (result $named)))
            (export $out "description" (type $d))
            (export "describe" (func $f) (func (result $out))))
        (func $describe (result $description) (canon lift (core func $main "describe") (memory $mem)))
        (instance $meta (instantiate $meta (with "d" (type $description)) (with "describe" (func $describe))))
        (export "sealwright:plugin/meta@0.1.3" (instance $meta))
        (type $header (record (field "name" string) (field "value" string)))
        (component $role
            (import "request" (type $request (sub resource)))
            (import "credential" (type $credential (sub resource)))
            (type $e (variant (case "invalid-input" string) (case "unsupported" string) (case "internal" string)))
            (import "error" (type $error (eq $e)))
            (type $h (record (field "name" string) (field "value" string)))
            (import "header" (type $header (eq $h)))
            (import "authenticate" (func $f (param "request" (borrow $request)) (param "credential" (borrow $credential))
                (result (result (list $header) (error $error)))))
            (export $out "header" (type $h))
            (export "authenticate" (func $f) (func (param "request" (borrow $request))
                (param "credential" (borrow $credential)) (result (result (list $out) (error $error))))))
        (func $authenticate (param "request" (borrow $request)) (param "credential" (borrow $credential))
            (result (result (list $header) (error $plugin-error)))
            (canon lift (core func $main "authenticate") (memory $mem) (realloc $realloc)))
        (instance $role (instantiate $role (with "request" (type $request)) (with "credential" (type $credential))
            (with "error" (type $plugin-error)) (with "header" (type $header))
            (with "authenticate" (func $authenticate))))
        (export "sealwright:plugin/webhook-authentication@0.1.3" (instance $role)))"#
    );
    wat::parse_str(text).unwrap()
}

async fn called(component: Vec<u8>) -> PluginError {
    let host = TestHost::with(&[("guest.wasm", component)]);
    assert_eq!(host.host.refused(), []);
    host.authenticate("guest").await.unwrap_err()
}

#[tokio::test]
async fn what_is_printed_becomes_lines_of_the_log() {
    let printing = mode("", "", "", "", "(call $print (i32.const 2048) (i32.const 7)) unreachable");
    assert_eq!(called(printing).await.log, ["one", "two"]);
}

/// The failure contains the printed message of an uncaught error, without the secret in it.
#[tokio::test]
async fn an_uncaught_error_is_reported_with_its_printed_message() {
    let traceback =
        r#"(data (i32.const 4096) "Traceback (most recent call last):\0a  File\0aValueError: Jefe is no number\0a")"#;
    let printing = mode("", "", "", traceback, "(call $print (i32.const 4096) (i32.const 73)) unreachable");
    let error = called(printing).await;
    let expected = "an error that it did not catch: ValueError: [secret] is no number";
    assert_eq!(error.failure, Failure::Trap(expected.to_owned()), "{error}");
    assert_eq!(error.failure.to_string(), format!("it was stopped: {expected}"));
}

#[tokio::test]
async fn endless_printing_is_cut_and_stopped() {
    let flood = mode("", "", "", "", "(loop (call $print (i32.const 2048) (i32.const 4)) (br 0))");
    let error = called(flood).await;
    assert!(matches!(error.failure, Failure::Deadline(_) | Failure::Trap(_)), "{error}");
    assert!(error.log.iter().map(String::len).sum::<usize>() <= 8300, "{}", error.log.len());
}

#[tokio::test]
async fn random_numbers_are_the_same_in_every_call() {
    let imports = r#"(import "wasi:random/random@0.2.0" (instance $random
        (export "get-random-u64" (func (result u64)))))"#;
    let lowered = r#"(core func $get-random (canon lower (func $random "get-random-u64")))"#;
    let given = r#"(export "random" (func $get-random))"#;
    let imported = r#"(import "w" "random" (func $random (result i64)))"#;
    // Prints a random byte as a letter, twice.
    let letter = "(i32.store8 (i32.const 3000) (i32.add (i32.const 97)
        (i32.rem_u (i32.wrap_i64 (call $random)) (i32.const 26)))) (call $print (i32.const 3000) (i32.const 1))";
    let component = mode(imports, lowered, given, imported, &format!("{letter} {letter} unreachable"));
    let first = called(component.clone()).await.log;
    assert_eq!(first.concat().len(), 2);
    assert_eq!(called(component).await.log, first);
}

#[tokio::test]
async fn using_the_network_stops_the_call_and_the_reason_says_so() {
    let imports = r#"(import "wasi:sockets/tcp-create-socket@0.2.0" (instance $sockets
        (export "create-tcp-socket" (func (param "family" u8)))))"#;
    let lowered = r#"(core func $socket (canon lower (func $sockets "create-tcp-socket")))"#;
    let given = r#"(export "socket" (func $socket))"#;
    let imported = r#"(import "w" "socket" (func $socket (param i32)))"#;
    let error = called(mode(imports, lowered, given, imported, "(call $socket (i32.const 0))")).await;
    let expected =
        "it called create-tcp-socket of wasi:sockets/tcp-create-socket, and a plugin has no network".to_owned();
    assert_eq!(error.failure, Failure::Trap(expected));
    assert!(!error.trace.is_empty());
}

/// `wasi:cli/stdout` of WASI 0.3.
const STDOUT_0_3: &str = r#"
    (import "wasi:cli/types@0.3.0" (instance $cli-types
        (type $code (enum "io" "illegal-byte-sequence" "pipe"))
        (export "error-code" (type (eq $code)))))
    (alias export $cli-types "error-code" (type $error-code))
    (import "wasi:cli/stdout@0.3.0" (instance $stdout-0-3
        (alias outer 1 $error-code (type $code))
        (export "error-code" (type $named (eq $code)))
        (type $written (result (error $named)))
        (type $bytes (stream u8))
        (type $done (future $written))
        (export "write-via-stream" (func (param "data" $bytes) (result $done)))))
    (type $bytes (stream u8))"#;

#[tokio::test]
async fn what_is_written_to_a_stream_of_wasi_0_3_becomes_lines_of_the_log() {
    let lowered = r#"
        (core func $write-via-stream (canon lower (func $stdout-0-3 "write-via-stream")))
        (core func $stream-new (canon stream.new $bytes))
        (core func $stream-write (canon stream.write $bytes async (memory $mem)))
        (core func $stream-drop-writable (canon stream.drop-writable $bytes))"#;
    let given = r#"
        (export "write-via-stream" (func $write-via-stream)) (export "stream-new" (func $stream-new))
        (export "stream-write" (func $stream-write)) (export "stream-drop-writable" (func $stream-drop-writable))"#;
    let imported = r#"
        (import "w" "write-via-stream" (func $write-via-stream (param i32) (result i32)))
        (import "w" "stream-new" (func $stream-new (result i64)))
        (import "w" "stream-write" (func $stream-write (param i32 i32 i32) (result i32)))
        (import "w" "stream-drop-writable" (func $stream-drop-writable (param i32)))"#;
    // The low half of a new stream is its readable end, the high half its writable one.
    let authenticate = r"(local $ends i64) (local $writable i32)
        (local.set $ends (call $stream-new))
        (local.set $writable (i32.wrap_i64 (i64.shr_u (local.get $ends) (i64.const 32))))
        (drop (call $write-via-stream (i32.wrap_i64 (local.get $ends))))
        (drop (call $stream-write (local.get $writable) (i32.const 2048) (i32.const 7)))
        (call $stream-drop-writable (local.get $writable))";
    let component = mode(STDOUT_0_3, lowered, given, imported, authenticate);
    let host = TestHost::with(&[("guest.wasm", component)]).host;
    assert_eq!(host.refused(), []);
    let trial = host.try_webhook_mode("guest", request(), credential()).await;
    assert!(trial.outcome.unwrap().is_empty());
    assert_eq!(trial.log, ["one", "two"]);
}

#[test]
fn asynchronous_functions_of_wasi_0_3_are_refused_by_name() {
    let imports = r#"(import "wasi:clocks/monotonic-clock@0.3.0" (instance
        (export "wait-for" (func async (param "how-long" u64)))))"#;
    let host = TestHost::with(&[("guest.wasm", mode(imports, "", "", "", ""))]).host;
    let [refused] = &host.refused()[..] else { panic!("it was loaded") };
    let expected = "wait-for of wasi:clocks/monotonic-clock@0.3.0 is asynchronous";
    assert!(refused.reason.contains(expected), "{}", refused.reason);
}
