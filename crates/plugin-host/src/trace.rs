//! Where in a plugin a call was stopped: the functions that were running, for the plugin's author.

use wasmtime::{FrameInfo, WasmBacktrace};

/// The most functions that are reported, and the most characters of a name.
const MAX_FRAMES: usize = 20;
const MAX_NAME: usize = 200;

/// The functions that were running when `error` occurred in WebAssembly, the innermost first. Empty if it occurred
/// outside.
pub(super) fn of(error: &wasmtime::Error) -> Vec<String> {
    let frames = error.downcast_ref::<WasmBacktrace>().map(WasmBacktrace::frames).unwrap_or_default();
    frames.iter().take(MAX_FRAMES).map(frame).collect()
}

/// `club_cards::detect (at 0x1a2b)`. The number is the position in the core module, as WebAssembly tools print it.
/// Names are escaped, because the author of a component controls them.
fn frame(frame: &FrameInfo) -> String {
    let name = match frame.func_name() {
        Some(name) => format!("{:#}", rustc_demangle::demangle(name)),
        None => format!("function {}", frame.func_index()),
    };
    let name: String = name.chars().take(MAX_NAME).flat_map(char::escape_debug).collect();
    match frame.module_offset() {
        Some(offset) => format!("{name} (at {offset:#x})"),
        None => name,
    }
}
