//! The page that makes the same check in a browser: one HTML file with everything in it, which works without a network
//! and may not connect to anything (docs/adr/0045-check-in-a-browser.md).

use std::sync::LazyLock;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

/// `crates/verify-page`, as WebAssembly, packed by `xtask/src/verify_page.rs`.
const MODULE: &[u8] = include!(concat!(env!("OUT_DIR"), "/verify_page.rs"));
const FRAME: &str = include_str!("../../../../web/verify/page.html");
const STYLE: &str = include_str!("../../../../web/verify/style.css");
/// The worker, which the page starts from its own text.
const ENGINE: [&str; 2] =
    [include_str!("../../../../web/verify/unpack.js"), include_str!("../../../../web/verify/engine.js")];
const SCRIPTS: [&str; 3] = [
    include_str!("../../../../web/verify/words.js"),
    include_str!("../../../../web/verify/view.js"),
    include_str!("../../../../web/verify/main.js"),
];

static PAGE: LazyLock<VerifyPage> = LazyLock::new(VerifyPage::assemble);

/// The page, and what it may do.
#[derive(Debug)]
pub struct VerifyPage {
    html: String,
    policy: String,
}

/// The page of this version of the program. It is the same wherever it is printed.
pub fn page() -> &'static VerifyPage {
    &PAGE
}

impl VerifyPage {
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Its Content Security Policy, which is also in the page itself.
    pub fn policy(&self) -> &str {
        &self.policy
    }

    fn assemble() -> Self {
        let script = format!("\n\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
        let policy = format!(
            "default-src 'none'; script-src '{}' 'wasm-unsafe-eval'; style-src '{}'; worker-src blob:; img-src blob:; \
             base-uri 'none'; form-action 'none'",
            source(&script),
            source(STYLE),
        );
        let (module, engine) = (STANDARD.encode(MODULE), ENGINE.concat());
        let parts = [
            ("{{policy}}", policy.as_str()),
            ("{{style}}", STYLE),
            ("{{version}}", env!("CARGO_PKG_VERSION")),
            ("{{engine}}", &engine),
            ("{{module}}", &module),
            ("{{script}}", &script),
        ];
        // In the order of the frame: a part cannot be taken for a place that comes later, because only the first is filled.
        let mut html = String::with_capacity(FRAME.len() + module.len() + script.len() + STYLE.len() + engine.len());
        let mut rest = FRAME;
        for (place, part) in parts {
            let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
            html.push_str(before);
            html.push_str(part);
            rest = after;
        }
        html.push_str(rest);
        Self { html, policy }
    }
}

/// What allows a script or a style of the page: its digest.
fn source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In bytes; small enough for an e-mail.
    const MOST: usize = 1_500_000;

    #[test]
    fn the_page_is_one_small_file_that_names_no_other() {
        let VerifyPage { html, policy } = page();
        assert!(html.len() <= MOST, "{} bytes", html.len());
        assert!(html.contains(&format!("content=\"{policy}\"")), "{policy}");
        assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("connect-src"), "{policy}");
        for reference in ["src=", "href=", "@import", "url(", "http:", "https:", "fetch(", "XMLHttpRequest", "}}</"] {
            assert!(!html.contains(reference), "{reference}");
        }
    }

    #[test]
    fn the_scripts_end_where_they_should() {
        let html = page().html();
        assert_eq!(html.matches("</script>").count(), 3);
        assert_eq!(html.matches("<script").count(), 3);
        assert!(html.trim_end().ends_with("</html>"));
    }
}
