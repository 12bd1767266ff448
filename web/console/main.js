// What the console does better with scripts. Every page works without them.

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

// A link to an item opens the parts of the page that it is in.
function openTarget() {
  let element = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.parentElement;
  for (; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true;
  }
}
window.addEventListener("hashchange", openTarget);
openTarget();
