//! A person without a mouse: keys go to the element that has the focus, whichever it is.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Browser, ELEMENT};

pub(crate) const TAB: char = '\u{E004}';
pub(crate) const ENTER: char = '\u{E007}';
pub(crate) const ESCAPE: char = '\u{E00C}';
pub(crate) const ARROW_UP: char = '\u{E013}';
pub(crate) const ARROW_DOWN: char = '\u{E015}';
pub(crate) const SPACE: char = ' ';
const SHIFT: char = '\u{E008}';

/// More elements than any screen has that the Tab key reaches.
const MOST_STOPS: usize = 60;

/// What is wrong with the place of the focus; empty if nothing is. The label of a hidden field shows its focus.
const FOCUS_PROBLEM: &str = "
    const focused = document.activeElement;
    if (focused === document.body) return '';
    const box = focused.closest('label') ?? focused;
    const style = getComputedStyle(box);
    if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) return 'has no outline';
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [[x, y], [left + 3, y], [right - 3, y], [x, top + 3], [x, bottom - 3]];
    const hidden = points.flatMap(([x, y]) => {
        const there = document.elementFromPoint(x, y);
        if (there && (box.contains(there) || there.contains(box))) return [];
        return [`at ${x}, ${y} by ${there?.tagName}.${there?.className}`];
    });
    return hidden.length > 0 ? `is hidden ${hidden.join(', ')}` : '';";

impl Browser {
    /// Presses and releases one key after another.
    pub(crate) async fn press(&self, keys: impl IntoIterator<Item = char>) {
        let actions: Vec<Value> = keys
            .into_iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })))
            .collect();
        self.act(actions).await;
    }

    /// Presses Shift and Tab.
    pub(crate) async fn press_shift_tab(&self) {
        let of = |kind: &str, key: char| json!({ "type": kind, "value": key });
        self.act(vec![of("keyDown", SHIFT), of("keyDown", TAB), of("keyUp", TAB), of("keyUp", SHIFT)]).await;
    }

    async fn act(&self, actions: Vec<Value>) {
        let keyboard = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] });
        self.call(Method::POST, "/actions", &keyboard).await;
    }

    /// Presses Tab until the focus is on the element that the selector finds. Each stop on the way must be visible.
    ///
    /// If the Tab key does not reach it, or if the focus cannot be seen.
    pub(crate) async fn tab_to(&self, selector: &str) {
        self.wait_for(selector).await;
        let mut stops = Vec::new();
        for _ in 0..MOST_STOPS {
            self.press([TAB]).await;
            stops.push(self.focused().await);
            let problem = self.run(FOCUS_PROBLEM, json!([])).await;
            assert_eq!(problem, json!(""), "the focus on {}", stops.last().expect("a stop"));
            if self.is_focused(selector).await {
                return;
            }
        }
        panic!("the Tab key does not reach {selector}, only {stops:?}");
    }

    /// Whether the element that the selector finds has the focus.
    pub(crate) async fn is_focused(&self, selector: &str) -> bool {
        self.run("return document.activeElement?.matches(arguments[0])", json!([selector])).await == json!(true)
    }

    /// The element that has the focus, as a person who reads a failed test needs it.
    pub(crate) async fn focused(&self) -> String {
        let name = "const { tagName, id, className } = document.activeElement; return `${tagName}#${id}.${className}`;";
        self.run(name, json!([])).await.as_str().unwrap_or_default().to_owned()
    }

    /// Gives a file to the file field that has the focus. The dialog of a file field belongs to the system: no test can
    /// type into it.
    pub(crate) async fn give_file(&self, path: &str) {
        let field = self.call(Method::GET, "/element/active", &json!({})).await;
        let element = field[ELEMENT].as_str().expect("an element has the focus");
        self.call(Method::POST, &format!("/element/{element}/value"), &json!({ "text": path })).await;
    }
}
