//! An empty WASI 0.2 and 0.3, for components whose language requires it: Rust's `wasm32-wasip2`, JavaScript, Python.
//!
//! Such a component gets an empty environment, no arguments, no files and an empty standard input. What it prints
//! becomes log lines. Clocks and random numbers exist, because language runtimes need them to start, but they are the
//! same in every call: a plugin's answer depends only on its input. A function that accesses files or the network
//! traps, and the trap names it.
//!
//! `wasmtime-wasi` is not used: its functions are asynchronous and wait, and a deadline does not interrupt a host
//! function. Here no function waits, and each does a bounded amount of work. So the asynchronous functions of WASI 0.3
//! cannot be offered: a component that imports one of them is refused. Its streams and futures are offered, because
//! their other end is this host, which is always ready.

mod answers;
mod streams;

use std::{mem, slice};

use wasmtime::{
    Engine, Result, StoreContextMut, bail,
    component::{Component, Linker, ResourceType, Val, types::ComponentItem},
};

use super::{
    bindings::sealwright::plugin::log::{Host as _, Level},
    call::CallState,
    limits,
};

/// The packages of WASI that components may import. Later versions of 0.2, and of 0.3, only add to them.
const PACKAGES: [&str; 7] =
    ["wasi:cli/", "wasi:io/", "wasi:clocks/", "wasi:random/", "wasi:filesystem/", "wasi:sockets/", "wasi:http/"];
const VERSIONS: [&str; 2] = ["0.2.", CONCURRENT];
/// The version whose interfaces have streams and futures.
const CONCURRENT: &str = "0.3.";

/// The state of WASI in one call.
#[derive(Default)]
pub(super) struct Wasi {
    /// How often the clock was read.
    clock_readings: u64,
    /// How many random words were drawn.
    random_words: u64,
    /// Printed text without a line break yet: standard output and standard error.
    unfinished: [Vec<u8>; 2],
}

/// Whether an import is an interface of WASI that this host offers.
pub(super) fn is_offered(import: &str) -> bool {
    let Some((interface, version)) = import.split_once('@') else { return false };
    VERSIONS.iter().any(|offered| version.starts_with(offered))
        && PACKAGES.iter().any(|package| interface.starts_with(package))
}

/// Whether a component's section of imports names an interface of WASI 0.3. Only the text is looked at: a wrong guess
/// costs a component a slower engine, and nothing else.
pub(super) fn names_concurrent(imports: &[u8]) -> bool {
    let version = format!("@{CONCURRENT}");
    let mut found = imports.windows(version.len()).enumerate().filter(|(_, window)| *window == version.as_bytes());
    let is_of_wasi = |at: usize| {
        let is_in_name = |byte: &&u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b":/-".contains(*byte);
        let length = imports[..at].iter().rev().take_while(is_in_name).count();
        imports[at - length..at].windows(5).any(|window| window == b"wasi:")
    };
    found.any(|(at, _)| is_of_wasi(at))
}

/// Links the WASI interfaces that `component` imports.
pub(super) fn link(linker: &mut Linker<CallState>, component: &Component, engine: &Engine) -> Result<()> {
    let mut defined = Vec::new();
    for (import, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(instance) = item.ty else { continue };
        if !is_offered(import) {
            continue;
        }
        let interface = import.split_once('@').map_or(import, |(interface, _)| interface);
        let mut offered = linker.instance(import)?;
        for (name, item) in instance.exports(engine) {
            match item.ty {
                // An alias of a resource that is already defined needs no definition.
                ComponentItem::Resource(resource) if defined.contains(&resource) => {}
                ComponentItem::Resource(resource) => {
                    defined.push(resource);
                    let kind = ResourceType::host_dynamic(answers::resource(name));
                    offered.resource(name, kind, |_, _| Ok(()))?;
                }
                ComponentItem::ComponentFunc(function) if function.async_() => {
                    bail!("{name} of {import} is asynchronous, and plugins are called synchronously: they cannot wait")
                }
                ComponentItem::ComponentFunc(_) => {
                    if let Some(answer) = answers::find(interface, name) {
                        offered.func_new(name, move |mut store, _, given, results| {
                            let subject = release(&mut store, given)?;
                            let answered = answer(&mut store, subject, given)?;
                            if let (Some(result), Some(answered)) = (results.first_mut(), answered) {
                                *result = answered;
                            }
                            Ok(())
                        })?;
                    } else {
                        let refusal = refusal(interface, name);
                        offered.func_new(name, move |_, _, _: &[Val], _| Err(wasmtime::format_err!("{refusal}")))?;
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Releases the handles that a function received, and returns the representation of the first one.
fn release(store: &mut StoreContextMut<'_, CallState>, given: &[Val]) -> Result<u32> {
    let mut first = None;
    for value in given {
        let handles = match value {
            Val::List(values) => values.as_slice(),
            value => slice::from_ref(value),
        };
        for handle in handles {
            let Val::Resource(handle) = handle else { break };
            let held = handle.try_into_resource_dynamic(&mut *store)?;
            first.get_or_insert(held.rep());
        }
    }
    Ok(first.unwrap_or_default())
}

/// Why a called function does not exist.
fn refusal(interface: &str, function: &str) -> String {
    let lacking = match interface.split(['/', ':']).nth(1) {
        Some("filesystem") => "no files",
        Some("sockets" | "http") => "no network",
        _ => "no such interface",
    };
    format!("it called {function} of {interface}, and a plugin has {lacking}")
}

impl Wasi {
    /// The next word of a sequence that is the same in every call (`SplitMix64`).
    fn random_word(&mut self) -> u64 {
        self.random_words += 1;
        let mut word = self.random_words.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn random_bytes(&mut self, length: usize) -> Vec<u8> {
        let words = length.div_ceil(8);
        let mut bytes: Vec<u8> = (0..words).flat_map(|_| self.random_word().to_le_bytes()).collect();
        bytes.truncate(length);
        bytes
    }

    /// Nanoseconds: a millisecond more each time, so that a loop that waits for a time to pass ends.
    fn instant(&mut self) -> u64 {
        self.clock_readings += 1;
        self.clock_readings.saturating_mul(1_000_000)
    }
}

impl CallState {
    /// Turns printed text into log lines.
    fn print(&mut self, stream: Stream, printed: &[u8]) -> Result<()> {
        let mut text = mem::take(&mut self.wasi.unfinished[stream as usize]);
        text.extend_from_slice(printed);
        let mut lines = text.split(|byte| *byte == b'\n');
        let rest = lines.next_back().unwrap_or_default();
        for line in lines {
            self.log(stream.level(), String::from_utf8_lossy(line).into_owned())?;
        }
        if rest.len() >= limits::LOG_BYTES {
            self.log(stream.level(), String::from_utf8_lossy(rest).into_owned())?;
        } else {
            self.wasi.unfinished[stream as usize] = rest.to_vec();
        }
        Ok(())
    }

    /// Logs printed text without a final line break when the call is over.
    pub(super) fn finish_printing(&mut self) {
        for stream in [Stream::Output, Stream::Error] {
            let rest = mem::take(&mut self.wasi.unfinished[stream as usize]);
            if !rest.is_empty() {
                // Logging does not fail: what exceeds the limit is dropped.
                let _ = self.log(stream.level(), String::from_utf8_lossy(&rest).into_owned());
            }
        }
    }
}

/// Where something is printed. The number is the representation of the stream's resource.
#[derive(Clone, Copy)]
enum Stream {
    Output = 0,
    Error = 1,
}

impl Stream {
    const fn level(self) -> Level {
        match self {
            Self::Output => Level::Info,
            Self::Error => Level::Warn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wasi_0_3_is_recognized_by_its_name() {
        assert!(names_concurrent(b"\x01\x00\x15wasi:cli/stdout@0.3.0\x05"));
        assert!(names_concurrent(b"wasi:clocks/monotonic-clock@0.3.1"));
        for other in [&b"wasi:cli/stdout@0.2.3"[..], b"sealwright:plugin/log@0.3.0", b"@0.3.0", b"", b"wasi: @0.3.0"] {
            assert!(!names_concurrent(other), "{other:?}");
        }
    }

    #[test]
    fn both_versions_of_wasi_are_offered() {
        for offered in ["wasi:cli/stdout@0.2.0", "wasi:cli/stdout@0.3.0", "wasi:random/random@0.3.2"] {
            assert!(is_offered(offered), "{offered}");
        }
        for other in ["wasi:cli/stdout@0.4.0", "wasi:keyvalue/store@0.2.0", "wasi:cli/stdout", "wasi:cli/stdout@0.30.0"]
        {
            assert!(!is_offered(other), "{other}");
        }
    }
}
