//! Looks at one screen: with axe-core in light and dark, at 320 px and with text of double size, and for a picture.

use std::{cell::RefCell, path::PathBuf};

use serde_json::{Value, json};

use super::pictures;
use crate::{capture_page::axe_core, support::browser::Browser};

/// A telephone's width, in CSS pixels.
const TELEPHONE: i64 = 390;
/// The narrowest width that WCAG 2.2 asks for (success criterion 1.4.10).
const NARROW: i64 = 320;
/// The widths of the pictures.
const WIDTHS: [i64; 3] = [360, 768, 1280];

/// The rules that are checked: those of WCAG, and the practices that axe-core recommends.
const CHECK: &str = "
    const done = arguments[arguments.length - 1];
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const rules = { 'target-size': { enabled: true } };
    window.axe.run(document, { runOnly, rules, resultTypes: ['violations'] }).then(({ violations }) =>
        done(violations.map(({ id, nodes }) =>
            `${id}: ${nodes.map((node) => `${node.target} (${node.failureSummary})`).join(', ')}`)));";

/// The elements that reach beyond the right or the left edge of the window.
const TOO_WIDE: &str = "
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
        .filter((one) => one.checkVisibility() && !one.closest('.unseen'))
        .filter((one) => {
            const { left, right } = one.getBoundingClientRect();
            return left < -0.5 || right > width + 0.5;
        })
        .map((one) => `${one.tagName}#${one.id}.${one.className}`)
        .concat(`the page: ${document.documentElement.scrollWidth} of ${width}`);";

/// What a finger touches in the place of the element, if it is another one or none.
const OUT_OF_REACH: &str = "
    scrollTo(0, 0);
    const element = document.querySelector(arguments[0]);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [[(left + right) / 2, top + 4], [(left + right) / 2, bottom - 4]];
    const touched = points.map(([x, y]) => document.elementFromPoint(x, y));
    return touched.filter((one) => !element.contains(one)).map((one) => `covered by ${one?.className ?? 'nothing'}`);";

pub(super) struct Inspector {
    pub(super) browser: Browser,
    axe: Option<String>,
    language: &'static str,
    pictures: Option<PathBuf>,
    /// What is wrong, by screen. All of it is reported at the end.
    problems: RefCell<Vec<String>>,
    seen: RefCell<Vec<String>>,
}

impl Inspector {
    pub(super) async fn start(language: &'static str) -> Self {
        let browser = Browser::start().await;
        let pictures = pictures().map(|folder| folder.join(language));
        let inspector = Self {
            browser,
            axe: axe_core(),
            language,
            pictures,
            problems: RefCell::default(),
            seen: RefCell::default(),
        };
        inspector.set_width(TELEPHONE).await;
        inspector.browser.control("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
        inspector
    }

    /// Opens a page, in the language of the walk, and waits for an element.
    pub(super) async fn open(&self, url: &str, selector: &str) {
        self.browser.open(url).await;
        self.browser.wait_for(selector).await;
        if self.language != self.current_language().await {
            let choose = "const menu = document.querySelector('#language');
                menu.value = arguments[0];
                menu.dispatchEvent(new Event('change'));";
            self.browser.run(choose, json!([self.language])).await;
            self.browser.wait_for(&format!("html[lang={}] {selector}", self.language)).await;
        }
    }

    async fn current_language(&self) -> String {
        let language = self.browser.run("return document.documentElement.lang", json!([])).await;
        language.as_str().unwrap_or_default().to_owned()
    }

    pub(super) async fn go_to(&self, hash: &str, selector: &str) {
        self.browser.run("location.hash = arguments[0]", json!([hash])).await;
        self.browser.wait_for(selector).await;
    }

    /// Waits for an element, and looks at the screen that has it.
    pub(super) async fn look_at(&self, screen: &str, selector: &str) {
        self.browser.wait_for(selector).await;
        assert!(!self.seen.borrow().contains(&screen.to_owned()), "{screen} is seen twice");
        // As high as the page: what the bar at the bottom covers, a person scrolls up.
        self.set_full_height(TELEPHONE).await;
        for scheme in ["light", "dark"] {
            let feature = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            self.browser.control("Emulation.setEmulatedMedia", feature).await;
            // A screen from right to left has the same colours.
            if scheme == "light" || self.language == "en" {
                self.check(&format!("{screen} ({scheme})")).await;
            }
            if let (Some(folder), "dark") = (&self.pictures, scheme) {
                self.picture(&folder.join("dark"), screen, WIDTHS[0]).await;
                self.set_full_height(TELEPHONE).await;
            }
        }
        let light = json!({ "features": [{ "name": "prefers-color-scheme", "value": "light" }] });
        self.browser.control("Emulation.setEmulatedMedia", light).await;
        self.set_width(NARROW).await;
        self.check_width(&format!("{screen} at {NARROW} px")).await;
        self.set_width(TELEPHONE).await;
        self.set_text_size("200%").await;
        self.check_width(&format!("{screen} with text of double size")).await;
        self.set_text_size("").await;
        if let Some(folder) = &self.pictures {
            for width in WIDTHS {
                self.picture(&folder.join(width.to_string()), screen, width).await;
            }
            self.picture(&folder.join("320"), screen, NARROW).await;
        }
        self.set_width(TELEPHONE).await;
        self.seen.borrow_mut().push(screen.to_owned());
    }

    /// On a small telephone, upright and on its side, the element that the selector finds can be tapped without scrolling.
    pub(super) async fn check_reach(&self, selector: &str) {
        for (width, height) in [(360, 640), (640, 360)] {
            self.set_size(width, height).await;
            let covered = self.browser.run(OUT_OF_REACH, json!([selector])).await;
            self.note(&format!("{selector} at {width} x {height}"), &covered);
        }
        self.set_width(TELEPHONE).await;
    }

    async fn check(&self, screen: &str) {
        let Some(axe) = &self.axe else { return };
        if self.browser.run("return typeof window.axe", json!([])).await == json!("undefined") {
            self.browser.run(axe, json!([])).await;
        }
        self.note(screen, &self.browser.run_async(CHECK, json!([])).await);
    }

    async fn check_width(&self, screen: &str) {
        self.note(screen, &self.browser.run(TOO_WIDE, json!([])).await);
    }

    fn note(&self, screen: &str, found: &Value) {
        let found = found.as_array().expect("a list").iter().filter_map(Value::as_str);
        self.problems.borrow_mut().extend(found.map(|problem| format!("{screen}: {problem}")));
    }

    /// A picture of the whole page, however long it is.
    async fn picture(&self, folder: &std::path::Path, screen: &str, width: i64) {
        self.set_full_height(width).await;
        self.browser.picture_in(folder, &format!("{:02}-{screen}", self.seen.borrow().len())).await;
    }

    async fn set_full_height(&self, width: i64) {
        self.set_width(width).await;
        let height = "return document.documentElement.scrollHeight";
        let height = self.browser.run(height, json!([])).await.as_i64().expect("a number");
        self.set_size(width, height.clamp(844, 4_000)).await;
    }

    async fn set_width(&self, width: i64) {
        self.set_size(width, 844).await;
    }

    async fn set_size(&self, width: i64, height: i64) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.browser.control("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// As a person's own style sheet does. The page's policy allows no inline style, but the script of a test may set one.
    async fn set_text_size(&self, size: &str) {
        self.browser.run("document.documentElement.style.fontSize = arguments[0]", json!([size])).await;
    }

    /// Reports everything that was wrong.
    ///
    /// If anything was, or if fewer screens were seen than there are.
    pub(super) fn finish(self, screens: usize) {
        let (problems, seen) = (self.problems.into_inner(), self.seen.into_inner());
        assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
        assert_eq!(seen.len(), screens, "{seen:?}");
    }
}
