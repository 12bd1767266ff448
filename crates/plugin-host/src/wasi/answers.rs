//! The answers of the empty WASI's functions. A function that is not listed traps.

use wasmtime::{
    Result, StoreContextMut, bail,
    component::{ResourceDynamic, Val},
};

use super::{super::limits, CallState, Stream, streams};

/// Computes a function's result; none if it has no result. It receives the representation of the resource whose method
/// it is (0 for others) and the arguments.
pub(super) type Answer = fn(&mut StoreContextMut<'_, CallState>, u32, &[Val]) -> Result<Option<Val>>;

/// The resources that plugins can receive. Every other resource has only a name and no values.
const RESOURCES: [&str; 14] = [
    "pollable",
    "input-stream",
    "output-stream",
    "error",
    "terminal-input",
    "terminal-output",
    "descriptor",
    "directory-entry-stream",
    "network",
    "tcp-socket",
    "udp-socket",
    "incoming-datagram-stream",
    "outgoing-datagram-stream",
    "resolve-address-stream",
];
const POLLABLE: u32 = 0;
const INPUT_STREAM: u32 = 1;
const OUTPUT_STREAM: u32 = 2;

/// How many bytes a stream accepts at a time.
const WRITABLE: u64 = 4096;
/// The most random bytes that are drawn at a time.
const RANDOM_BYTES: u64 = limits::READ_BYTES as u64;

/// The number of a resource's type: the same for the same name in every interface and version.
pub(super) fn resource(name: &str) -> u32 {
    let listed = RESOURCES.iter().position(|known| *known == name);
    match listed.and_then(|index| u32::try_from(index).ok()) {
        Some(index) => index,
        // Names that are not listed have no values, so a collision does no harm.
        None => {
            name.bytes().fold(1 << 16, |number: u32, byte| number.wrapping_mul(31).wrapping_add(byte.into()) | 1 << 16)
        }
    }
}

/// The answer of a function; `None` if it is refused.
pub(super) fn find(interface: &str, function: &str) -> Option<Answer> {
    Some(match (interface, function) {
        ("wasi:cli/environment", "get-environment" | "get-arguments") => |_, _, _| Ok(Some(Val::List(Vec::new()))),
        ("wasi:cli/environment", "initial-cwd" | "get-initial-cwd") => |_, _, _| Ok(Some(Val::Option(None))),
        ("wasi:cli/exit", "exit" | "exit-with-code") => |_, _, _| bail!("it exited instead of answering"),
        ("wasi:cli/stdin", "get-stdin") => |store, _, _| handle(store, INPUT_STREAM, 0),
        ("wasi:cli/stdin", "read-via-stream") => |store, _, _| streams::read(store).map(Some),
        ("wasi:cli/stdout", "write-via-stream") => |store, _, given| streams::print(store, Stream::Output, given),
        ("wasi:cli/stderr", "write-via-stream") => |store, _, given| streams::print(store, Stream::Error, given),
        ("wasi:cli/stdout", "get-stdout") => |store, _, _| handle(store, OUTPUT_STREAM, Stream::Output as u32),
        ("wasi:cli/stderr", "get-stderr") => |store, _, _| handle(store, OUTPUT_STREAM, Stream::Error as u32),
        ("wasi:cli/terminal-stdin" | "wasi:cli/terminal-stdout" | "wasi:cli/terminal-stderr", _) => {
            |_, _, _| Ok(Some(Val::Option(None)))
        }
        ("wasi:io/error", "[method]error.to-debug-string") => |_, _, _| Ok(Some(Val::String(String::new()))),
        ("wasi:io/poll", function) => return poll(function),
        ("wasi:io/streams", function) => return stream(function),
        ("wasi:clocks/monotonic-clock", function) => return monotonic_clock(function),
        // Always the start of 1970: the times that matter are in the plugin's input.
        ("wasi:clocks/wall-clock", "now") => |_, _, _| Ok(Some(date_time(0))),
        ("wasi:clocks/wall-clock", "resolution") => |_, _, _| Ok(Some(date_time(1))),
        ("wasi:clocks/system-clock", "now") => |_, _, _| Ok(Some(instant())),
        ("wasi:clocks/system-clock", "get-resolution") => |_, _, _| Ok(Some(Val::U64(1_000_000_000))),
        ("wasi:clocks/timezone", "iana-id" | "utc-offset") => |_, _, _| Ok(Some(Val::Option(None))),
        ("wasi:clocks/timezone", "to-debug-string") => |_, _, _| Ok(Some(Val::String("UTC".to_owned()))),
        ("wasi:random/random", "get-random-bytes") | ("wasi:random/insecure", "get-insecure-random-bytes") => {
            random_bytes
        }
        ("wasi:random/random", "get-random-u64") | ("wasi:random/insecure", "get-insecure-random-u64") => {
            |store, _, _| Ok(Some(Val::U64(store.data_mut().wasi.random_word())))
        }
        ("wasi:random/insecure-seed", "insecure-seed" | "get-insecure-seed") => {
            |_, _, _| Ok(Some(Val::Tuple(vec![Val::U64(0), Val::U64(0)])))
        }
        ("wasi:filesystem/preopens", "get-directories") => |_, _, _| Ok(Some(Val::List(Vec::new()))),
        ("wasi:filesystem/types", "filesystem-error-code") => |_, _, _| Ok(Some(Val::Option(None))),
        _ => return None,
    })
}

/// Everything is ready at once, because nothing ever blocks.
fn poll(function: &str) -> Option<Answer> {
    Some(match function {
        "[method]pollable.ready" => |_, _, _| Ok(Some(Val::Bool(true))),
        "[method]pollable.block" => |_, _, _| Ok(None),
        "poll" => |_, _, given| match given {
            [Val::List(waiting)] => {
                let ready = (0..waiting.len()).map(u32::try_from).collect::<Result<Vec<_>, _>>()?;
                Ok(Some(Val::List(ready.into_iter().map(Val::U32).collect())))
            }
            _ => bail!("poll was called with something other than a list"),
        },
        _ => return None,
    })
}

fn stream(function: &str) -> Option<Answer> {
    Some(match function {
        "[method]input-stream.read"
        | "[method]input-stream.blocking-read"
        | "[method]input-stream.skip"
        | "[method]input-stream.blocking-skip" => |_, _, _| Ok(Some(closed())),
        "[method]input-stream.subscribe" | "[method]output-stream.subscribe" => {
            |store, _, _| handle(store, POLLABLE, 0)
        }
        "[method]output-stream.check-write" => |_, _, _| Ok(Some(done(Some(Val::U64(WRITABLE))))),
        "[method]output-stream.write" | "[method]output-stream.blocking-write-and-flush" => write,
        "[method]output-stream.flush"
        | "[method]output-stream.blocking-flush"
        | "[method]output-stream.write-zeroes"
        | "[method]output-stream.blocking-write-zeroes-and-flush" => |_, _, _| Ok(Some(done(None))),
        "[method]output-stream.splice" | "[method]output-stream.blocking-splice" => |_, _, _| Ok(Some(closed())),
        _ => return None,
    })
}

fn monotonic_clock(function: &str) -> Option<Answer> {
    Some(match function {
        "now" => |store, _, _| Ok(Some(Val::U64(store.data_mut().wasi.instant()))),
        "resolution" | "get-resolution" => |_, _, _| Ok(Some(Val::U64(1_000_000))),
        "subscribe-instant" | "subscribe-duration" => |store, _, _| handle(store, POLLABLE, 0),
        _ => return None,
    })
}

fn write(store: &mut StoreContextMut<'_, CallState>, stream: u32, given: &[Val]) -> Result<Option<Val>> {
    let [_, Val::List(bytes)] = given else { bail!("something other than bytes was written") };
    let stream = if stream == Stream::Output as u32 { Stream::Output } else { Stream::Error };
    let byte = |value: &Val| if let Val::U8(byte) = value { Some(*byte) } else { None };
    let printed: Vec<u8> = bytes.iter().filter_map(byte).collect();
    store.data_mut().print(stream, &printed)?;
    Ok(Some(done(None)))
}

fn random_bytes(store: &mut StoreContextMut<'_, CallState>, _: u32, given: &[Val]) -> Result<Option<Val>> {
    let [Val::U64(length)] = given else { bail!("random bytes were requested without a length") };
    if *length > RANDOM_BYTES {
        bail!("it requested {length} random bytes; at most {RANDOM_BYTES} are allowed at a time");
    }
    let bytes = store.data_mut().wasi.random_bytes(usize::try_from(*length)?);
    Ok(Some(Val::List(bytes.into_iter().map(Val::U8).collect())))
}

fn handle(store: &mut StoreContextMut<'_, CallState>, kind: u32, representation: u32) -> Result<Option<Val>> {
    let handle = ResourceDynamic::new_own(representation, kind).try_into_resource_any(&mut *store)?;
    Ok(Some(Val::Resource(handle)))
}

fn done(value: Option<Val>) -> Val {
    Val::Result(Ok(value.map(Box::new)))
}

/// The stream error `closed`.
fn closed() -> Val {
    Val::Result(Err(Some(Box::new(Val::Variant("closed".to_owned(), None)))))
}

fn date_time(seconds: u64) -> Val {
    Val::Record(vec![("seconds".to_owned(), Val::U64(seconds)), ("nanoseconds".to_owned(), Val::U32(0))])
}

/// The start of 1970, as WASI 0.3 writes it.
fn instant() -> Val {
    Val::Record(vec![("seconds".to_owned(), Val::S64(0)), ("nanoseconds".to_owned(), Val::U32(0))])
}
