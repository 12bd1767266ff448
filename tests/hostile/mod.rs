//! Hostile plugins: one for each way in which a component can attack the host, with the expected outcome. The suite and
//! the benchmarks share them.
#![expect(clippy::unwrap_used, reason = "the components are written by hand and parse")]

mod binary;
mod guest;

use self::{
    binary::{compile_bomb, component_with, deep_nesting, with_instances},
    guest::{Guest, answer, answering, component_of, declining, doing, escaped, words},
};

/// A hostile component.
pub(crate) struct Abuse {
    pub(crate) name: String,
    pub(crate) what: &'static str,
    pub(crate) component: Vec<u8>,
    pub(crate) end: End,
}

/// The expected outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// It is rejected, for a reason that contains these words.
    Refused(&'static str),
    /// It is accepted, and its call fails with one of these kinds of failure.
    Stopped(&'static [&'static str]),
}

impl End {
    /// Whether this is how a component ended, given the reason for its rejection, or the kind of its failure.
    pub(crate) fn is(self, refused: Option<&str>, failed: Option<&str>) -> bool {
        match self {
            Refused(words) => refused.is_some_and(|reason| reason.contains(words)),
            Stopped(kinds) => failed.is_some_and(|kind| kinds.contains(&kind)),
        }
    }
}

use End::{Refused, Stopped};

const DEADLINE: &[&str] = &["deadline"];
const TRAP: &[&str] = &["trap"];
const MEMORY: &[&str] = &["memory"];
const ANSWER: &[&str] = &["invalid-answer"];
/// The deadline or fuel. A bulk operation uses a unit of fuel for each byte, and a core moves about as many gigabytes in a
/// second as a call may use in fuel.
const BULK: &[&str] = &["deadline", "fuel"];
/// A bound or the deadline, whichever a slow machine reaches first.
const BOUND: &[&str] = &["trap", "deadline"];

/// All of them.
pub(crate) fn abuses() -> Vec<Abuse> {
    let all = calls().into_iter().chain(host_calls()).chain(answers()).chain(components());
    let named = all.enumerate().map(|(index, (what, guest, end))| {
        let name = format!("abuse-{index}");
        let component = match guest {
            Source::Guest(guest) => Guest { name: &name, ..guest }.build(),
            Source::WithInstances(core, count) => {
                with_instances(&Guest { name: &name, ..Guest::default() }.build(), &core, count)
            }
            Source::Bytes(bytes) => bytes,
        };
        Abuse { name, what, component, end }
    });
    named.collect()
}

/// How a component is built.
enum Source {
    Guest(Guest<'static>),
    /// An honest guest, and a number of instances of this core module in addition.
    WithInstances(Vec<u8>, u32),
    Bytes(Vec<u8>),
}

type Entry = (&'static str, Source, End);

fn call(what: &'static str, authenticate: &str, end: End) -> Entry {
    (what, Source::Guest(doing(authenticate)), end)
}

fn with_items(what: &'static str, items: &str, authenticate: &str, end: End) -> Entry {
    (what, Source::Guest(Guest { items: answer(&[]) + items, ..doing(authenticate) }), end)
}

/// Attacks while a call runs.
fn calls() -> Vec<Entry> {
    vec![
        call("an endless loop", "(loop (br 0))", Stopped(DEADLINE)),
        call("a trap", "unreachable", Stopped(TRAP)),
        call("a division by zero", "(drop (i32.div_u (i32.const 1) (i32.const 0)))", Stopped(TRAP)),
        call("an access beyond memory", "(drop (i32.load (i32.const -1)))", Stopped(TRAP)),
        with_items(
            "a call through an empty table",
            "(type $any (func)) (table $empty 1 funcref)",
            "(call_indirect $empty (type $any) (i32.const 0))",
            Stopped(TRAP),
        ),
        with_items(
            "endless recursion",
            "(func $deeper (param i64) (call $deeper (local.get 0)) (call $deeper (local.get 0)))",
            "(call $deeper (i64.const 1))",
            Stopped(TRAP),
        ),
        with_items(
            "recursion with large frames",
            &format!("(func $deeper (local {}) (call $deeper) (local.set 0 (i64.const 1)))", "i64 ".repeat(4000)),
            "(call $deeper)",
            Stopped(TRAP),
        ),
        call(
            "memory without end",
            "(loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable",
            Stopped(MEMORY),
        ),
        call(
            "asking for memory repeatedly",
            "(loop (drop (memory.grow (i32.const 65000))) (br 0))",
            Stopped(&["deadline", "memory"]),
        ),
        with_items(
            "a table without end",
            "(table $table 0 funcref)",
            "(drop (table.grow $table (ref.null func) (i32.const 30000))) unreachable",
            Stopped(MEMORY),
        ),
        call(
            "filling memory for ever",
            "(loop (memory.fill (i32.const 200000) (i32.const 0) (i32.const 3000000)) (br 0))",
            Stopped(BULK),
        ),
        call(
            "copying memory for ever",
            "(loop (memory.copy (i32.const 200000) (i32.const 300000) (i32.const 3000000)) (br 0))",
            Stopped(BULK),
        ),
    ]
}

/// Attacks on the host's functions.
fn host_calls() -> Vec<Entry> {
    vec![
        call("hoarding handles", "(loop (drop (call $body (local.get $request))) (br 0))", Stopped(TRAP)),
        call("a handle that does not exist", "(drop (call $body (i32.const 77)))", Stopped(TRAP)),
        call("a handle of another type", "(drop (call $body (local.get $credential)))", Stopped(TRAP)),
        call(
            "dropping a handle twice",
            "(call $drop_request (local.get $request)) (call $drop_request (local.get $request))",
            Stopped(TRAP),
        ),
        call("keeping a borrowed handle", "(return (i32.const 1024))", Stopped(TRAP)),
        call(
            "hashing without end",
            "(local $body i32) (local.set $body (call $body (local.get $request)))
            (loop (call $sha256 (local.get $body) (i32.const 4096)) (br 0))",
            Stopped(BOUND),
        ),
        call(
            "a flood of log lines",
            "(loop (call $log (i32.const 3) (i32.const 0) (i32.const 1000)) (br 0))",
            Stopped(DEADLINE),
        ),
        call(
            "a flood of empty log lines",
            "(loop (call $log (i32.const 0) (i32.const 0) (i32.const 0)) (br 0))",
            Stopped(DEADLINE),
        ),
        call(
            "a log line of three megabytes",
            "(call $log (i32.const 1) (i32.const 0) (i32.const 3000000))",
            Stopped(TRAP),
        ),
        call("a log line beyond memory", "(call $log (i32.const 1) (i32.const -9) (i32.const 100))", Stopped(TRAP)),
        call("an invalid log level", "(call $log (i32.const 99) (i32.const 0) (i32.const 1))", Stopped(TRAP)),
        call(
            "revealing a secret without permission",
            "(call $reveal (local.get $credential) (i32.const 4096))
            (if (i32.load8_u (i32.const 4096)) (then unreachable))",
            Stopped(TRAP),
        ),
        with_items(
            "looping after the answer",
            r#"(func (export "cabi_post_sealwright:plugin/webhook-authentication@0.1.3#authenticate") (param i32)
                (loop (br 0)))"#,
            "",
            Stopped(DEADLINE),
        ),
    ]
}

/// Answers that are invalid, or that no request could carry.
fn answers() -> Vec<Entry> {
    let raw = |what, items: String| (what, Source::Guest(Guest { items, ..Guest::default() }), Stopped(TRAP));
    let headers = |what, headers: &[(&[u8], &[u8])], end| (what, Source::Guest(answering(headers)), end);
    let many: Vec<String> = (0..17).map(|number| format!("x-{number}")).collect();
    let many: Vec<(&[u8], &[u8])> = many.iter().map(|name| (name.as_bytes(), b"v".as_slice())).collect();
    let at_1024 = |text: String| format!(r#"(data (i32.const 1024) "{text}")"#);
    vec![
        raw("a list of 268 million headers", at_1024(words(&[0, 2048, u32::MAX / 16]))),
        raw(
            "a header of two megabytes",
            at_1024(words(&[0, 2048, 1]))
                + &format!(r#"(data (i32.const 2048) "{}")"#, words(&[65_536, 3, 65_536, 2 << 20])),
        ),
        raw("an answer beyond memory", at_1024(words(&[0, u32::MAX - 7, 1]))),
        raw("an answer with an invalid case", at_1024(escaped(&[9, 0, 0, 0]))),
        raw("a header that is not UTF-8", answer(&[(b"x-\xff", b"v")])),
        headers("a header with a line break", &[(b"x-a", b"b\r\nHost: evil")], Stopped(ANSWER)),
        headers("a header with a zero byte", &[(b"x-a", b"b\0")], Stopped(ANSWER)),
        headers("the header Host", &[(b"Host", b"evil.example")], Stopped(ANSWER)),
        headers("the header Transfer-Encoding", &[(b"Transfer-Encoding", b"chunked")], Stopped(ANSWER)),
        headers("17 headers", &many, Stopped(ANSWER)),
        headers("a header twice", &[(b"x-a", b"1"), (b"X-A", b"2")], Stopped(ANSWER)),
        headers("9 KiB of headers", &[(b"x-a", &[b'v'; 9 * 1024])], Stopped(ANSWER)),
        ("an error of 900,000 characters", Source::Guest(declining(2, &"e".repeat(900_000))), Stopped(&["plugin"])),
    ]
}

/// Components that are hostile before any call.
fn components() -> Vec<Entry> {
    let core = |text: &str| wat::parse_str(text).expect("the text of a module");
    let instances = |what, text: &str, count, end| (what, Source::WithInstances(core(text), count), end);
    let bytes = |what, bytes, end| (what, Source::Bytes(bytes), end);
    let describing = |what, describe, end| (what, Source::Guest(Guest { describe, ..Guest::default() }), end);
    let mut halved = Guest::default().build();
    halved.truncate(halved.len() / 2);
    let of_another_world = component_of("(module)", Some("package tests:none; world nothing {}"), "nothing");
    vec![
        describing("describing without end", "(loop (br 0))", Refused("did not answer within 2s")),
        describing("a trap while describing", "unreachable", Refused("unreachable")),
        instances(
            "a start function without end",
            "(module (func $start (loop (br 0))) (start $start))",
            1,
            Refused("did not answer within 2s"),
        ),
        instances("a start that traps", "(module (func $start unreachable) (start $start))", 1, Refused("unreachable")),
        instances("a hundred instances", "(module)", 100, Refused("instances")),
        instances("three memories", "(module (memory 1))", 3, Refused("memor")),
        instances("a memory of 4 GiB from the start", "(module (memory 65536))", 1, Refused("memor")),
        instances("nine tables", "(module (table 1 funcref))", 9, Refused("table")),
        instances(
            "a table of 10 million elements from the start",
            "(module (table 10000000 funcref))",
            1,
            Refused("table"),
        ),
        bytes("junk", b"\x7fELF and more".to_vec(), Refused("not a WebAssembly component")),
        bytes("a core module", core("(module)"), Refused("core module")),
        bytes("half a component", halved, Refused("not a WebAssembly component")),
        bytes("a component without a role", of_another_world, Refused("exports no role")),
        bytes("more than 24 MiB", vec![0; (24 << 20) + 1], Refused("at most 25165824 are allowed")),
        // A program that is not optimised may reach the bound on memory first.
        bytes("components in components, 5,000 deep", deep_nesting(5000), Refused("")),
        bytes("types doubled 40 times", component_with(&doubling_types(40)), Refused("not a WebAssembly component")),
        bytes("types in types, 2,000 deep", component_with(&nested_types(2000)), Refused("")),
        bytes("640 KB that never end to compile", compile_bomb(), Refused("compiling it took more than")),
    ]
}

/// Types that each contain the previous one twice, so 2^n values.
fn doubling_types(count: usize) -> String {
    let doubled = (1..=count).map(|n| format!("(type $t{n} (tuple $t{m} $t{m}))", m = n - 1));
    let doubled = doubled.collect::<Vec<_>>().concat();
    format!("(type $t0 (tuple u8 u8)) {doubled} (import \"log\" (func (param \"a\" $t{count})))")
}

/// A list of lists of lists.
fn nested_types(count: usize) -> String {
    let nested = (1..=count).map(|n| format!("(type $t{n} (list $t{}))", n - 1)).collect::<Vec<_>>().concat();
    format!("(type $t0 (list u8)) {nested} (import \"log\" (func (param \"a\" $t{count})))")
}
