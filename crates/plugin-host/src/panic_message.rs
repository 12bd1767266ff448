//! The message of an uncaught error. WebAssembly reports only a trap without a reason, but the language's runtime
//! prints the reason to standard error or to the log. So the reason is searched for in the call's log.

use super::limits;

/// The message of an uncaught error, as languages print it; none if the log does not contain one.
pub(super) fn find(log: &[String]) -> Option<String> {
    let message = python_error(log).or_else(|| javascript_error(log)).or_else(|| rust_panic(log))?;
    let message = message.trim();
    let message = &message[..message.floor_char_boundary(limits::MESSAGE_BYTES)];
    let lacks_files = NO_FILES.iter().any(|sign| message.contains(sign));
    let lacking = if lacks_files { " (a plugin has no files: its WASI is empty)" } else { "" };
    (!message.is_empty()).then(|| format!("{message}{lacking}"))
}

/// How C and Rust report a missing file. A plugin has no files at all.
const NO_FILES: [&str; 3] = ["No such file or directory", "Capabilities insufficient", "pre-opened file descriptor"];

/// Python: the first line that is not indented after the last traceback's heading.
fn python_error(log: &[String]) -> Option<&str> {
    let heading = log.iter().rposition(|line| line.starts_with("Traceback (most recent call last)"))?;
    log[heading + 1..].iter().map(String::as_str).find(|line| !line.is_empty() && !line.starts_with(' '))
}

/// JavaScript: what was thrown, from the message of `componentize-js` that it is not an error of the contract.
fn javascript_error(log: &[String]) -> Option<&str> {
    let thrown = |line: &'_ String| {
        let from = line.find("(received `")? + "(received `".len();
        let length = line[from..].rfind("`) specified for")?;
        Some(from..from + length)
    };
    log.iter().rev().find_map(|line| thrown(line).map(|range| &line[range]))
}

/// Rust: the line that the SDK logs for a panic; or what the standard library prints, with the message on the next
/// line.
fn rust_panic(log: &[String]) -> Option<&str> {
    let at = log.iter().rposition(|line| line.contains("panicked at "))?;
    let line = log[at].as_str();
    if line.ends_with(':') { log.get(at + 1).map(String::as_str) } else { Some(line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(log: &str) -> Option<String> {
        find(&log.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    /// As `componentize-py` 0.25 prints it.
    const PYTHON: &str = "\
loading the lists
Traceback (most recent call last):
  File \"/0/plugin.py\", line 20, in detect
ValueError: the card has no number

thread '<unnamed>' (1) panicked at runtime/src/lib.rs:1293:29:
Python function threw an unexpected exception
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace";

    /// As `componentize-js` 0.23 prints it.
    const JAVASCRIPT: &str = "\
invalid variant tag value `undefined` (received `TypeError: the card has no number`) specified for `Error`
Stack:
  export_documentTypeDetection_0_1_1$detect@/tmp/602807ec9765/sources/initializer.js:2382:17

Redirecting call to abort() to mozalloc_abort
";

    #[test]
    fn the_message_of_an_uncaught_error_is_found_in_every_language() {
        assert_eq!(of(PYTHON).as_deref(), Some("ValueError: the card has no number"));
        assert_eq!(of(JAVASCRIPT).as_deref(), Some("TypeError: the card has no number"));
        let sdk = "seen\npanicked at src/lib.rs:12:9: the card has no number";
        assert_eq!(of(sdk).as_deref(), Some("panicked at src/lib.rs:12:9: the card has no number"));
        let std = "thread '<unnamed>' panicked at src/lib.rs:12:9:\nthe card has no number\nnote: run with";
        assert_eq!(of(std).as_deref(), Some("the card has no number"));
    }

    #[test]
    fn the_last_of_chained_exceptions_is_reported() {
        let chain = format!(
            "{}\n\nDuring handling of the above exception, another exception occurred:\n\n{}",
            "Traceback (most recent call last):\n  File \"a\", line 1\nKeyError: 'number'",
            "Traceback (most recent call last):\n  File \"a\", line 3\nRuntimeError: no card"
        );
        assert_eq!(of(&chain).as_deref(), Some("RuntimeError: no card"));
    }

    #[test]
    fn an_error_about_a_missing_file_is_explained() {
        let listing = PYTHON.replace(
            "ValueError: the card has no number",
            "FileNotFoundError: [Errno 44] No such file or directory: '.'",
        );
        let found = of(&listing).unwrap();
        assert!(found.starts_with("FileNotFoundError: [Errno 44]"), "{found}");
        assert!(found.ends_with("(a plugin has no files: its WASI is empty)"), "{found}");
    }

    #[test]
    fn nothing_is_invented_and_the_message_is_bounded() {
        for silent in ["", "seen 12 pages", "Traceback (most recent call last):", "panicked at src/lib.rs:1:1:"] {
            assert_eq!(of(silent), None, "{silent}");
        }
        let long = format!("panicked at src/lib.rs:1:1: {}", "é".repeat(5000));
        assert!(of(&long).unwrap().len() <= limits::MESSAGE_BYTES);
    }
}
