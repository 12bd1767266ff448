//! A plugin's last words. Whoever throws an error that nobody catches says why on standard error or in the log, and what
//! WebAssembly knows of it is a trap without a reason. So the reason is looked for in the call's log.

use super::limits;

/// What an uncaught error said of itself, as languages print it; none where nothing like it is in the log.
pub(super) fn last(log: &[String]) -> Option<String> {
    let said = traceback(log).or_else(|| received(log)).or_else(|| panicked(log))?;
    let said = said.trim();
    let said = &said[..said.floor_char_boundary(limits::MESSAGE_BYTES)];
    let lacks_files = NO_FILES.iter().any(|sign| said.contains(sign));
    let lacking = if lacks_files { " (a plugin has no files: its WASI has nothing in it)" } else { "" };
    (!said.is_empty()).then(|| format!("{said}{lacking}"))
}

/// By which words C and Rust say that there is no such file. A plugin has none, whatever it looks for.
const NO_FILES: [&str; 3] = ["No such file or directory", "Capabilities insufficient", "pre-opened file descriptor"];

/// Python: the first line that is not indented after the last traceback's heading.
fn traceback(log: &[String]) -> Option<&str> {
    let heading = log.iter().rposition(|line| line.starts_with("Traceback (most recent call last)"))?;
    log[heading + 1..].iter().map(String::as_str).find(|line| !line.is_empty() && !line.starts_with(' '))
}

/// JavaScript: what was thrown, as `componentize-js` says that it is no error of the contract.
fn received(log: &[String]) -> Option<&str> {
    let thrown = |line: &'_ String| {
        let from = line.find("(received `")? + "(received `".len();
        let length = line[from..].rfind("`) specified for")?;
        Some(from..from + length)
    };
    log.iter().rev().find_map(|line| thrown(line).map(|range| &line[range]))
}

/// Rust: what the SDK logs of a panic, on one line; or what the standard library prints, with the message on the next.
fn panicked(log: &[String]) -> Option<&str> {
    let at = log.iter().rposition(|line| line.contains("panicked at "))?;
    let line = log[at].as_str();
    if line.ends_with(':') { log.get(at + 1).map(String::as_str) } else { Some(line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(log: &str) -> Option<String> {
        last(&log.lines().map(str::to_owned).collect::<Vec<_>>())
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
    fn an_error_that_nobody_catches_is_told_in_its_own_words_in_every_language() {
        assert_eq!(of(PYTHON).as_deref(), Some("ValueError: the card has no number"));
        assert_eq!(of(JAVASCRIPT).as_deref(), Some("TypeError: the card has no number"));
        let sdk = "seen\npanicked at src/lib.rs:12:9: the card has no number";
        assert_eq!(of(sdk).as_deref(), Some("panicked at src/lib.rs:12:9: the card has no number"));
        let std = "thread '<unnamed>' panicked at src/lib.rs:12:9:\nthe card has no number\nnote: run with";
        assert_eq!(of(std).as_deref(), Some("the card has no number"));
    }

    #[test]
    fn of_exceptions_that_led_to_each_other_the_last_is_told() {
        let chain = format!(
            "{}\n\nDuring handling of the above exception, another exception occurred:\n\n{}",
            "Traceback (most recent call last):\n  File \"a\", line 1\nKeyError: 'number'",
            "Traceback (most recent call last):\n  File \"a\", line 3\nRuntimeError: no card"
        );
        assert_eq!(of(&chain).as_deref(), Some("RuntimeError: no card"));
    }

    #[test]
    fn reaching_for_a_file_is_called_by_its_name() {
        let listing = PYTHON.replace(
            "ValueError: the card has no number",
            "FileNotFoundError: [Errno 44] No such file or directory: '.'",
        );
        let told = of(&listing).unwrap();
        assert!(told.starts_with("FileNotFoundError: [Errno 44]"), "{told}");
        assert!(told.ends_with("(a plugin has no files: its WASI has nothing in it)"), "{told}");
    }

    #[test]
    fn nothing_is_made_up_and_what_is_told_is_bounded() {
        for silent in ["", "seen 12 pages", "Traceback (most recent call last):", "panicked at src/lib.rs:1:1:"] {
            assert_eq!(of(silent), None, "{silent}");
        }
        let long = format!("panicked at src/lib.rs:1:1: {}", "é".repeat(5000));
        assert!(of(&long).unwrap().len() <= limits::MESSAGE_BYTES);
    }
}
