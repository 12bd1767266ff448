// What the console does better with scripts. Every page works without them, except that only a script can ask for a passkey.

import "./passkey.js";

// A question before what cannot be taken back.
document.addEventListener("submit", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {SubmitEvent} */ (event).submitter);
  const question = button?.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

// Printing needs a script, so the button is hidden without one.
for (const button of document.querySelectorAll("[data-print]")) {
  if (!(button instanceof HTMLElement)) continue;
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Copying needs a script and the browser's clipboard, so the button is hidden without them.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!(button instanceof HTMLElement) || !navigator.clipboard) continue;
  const said = document.getElementById("copied");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? "");
      if (said) said.textContent = said.dataset.copied ?? "";
    } catch {
      // The browser does not allow it: the address is selected, so that the person can copy it.
      const address = document.querySelector("p.address a");
      if (address) window.getSelection()?.selectAllChildren(address);
    }
  });
}

// A link to an item opens the parts of the page that it is in.
function openTarget() {
  let element = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.parentElement;
  for (; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true;
  }
}
window.addEventListener("hashchange", openTarget);
openTarget();
