// Announces changes to users of screen readers.

import { h } from "./dom.js";

/** Afterwards the text is old news, and must not be found by anyone who reads the page to its end. */
const LIFETIME = 10_000;

const polite = h("p", { role: "status", class: "unseen" });
const urgent = h("p", { role: "alert", class: "unseen" });

export const liveRegions = [polite, urgent];

/**
 * @param {string} text
 * @param {boolean} [now] for what must not be missed
 */
export function announce(text, now = false) {
    const region = now ? urgent : polite;
    // The same text twice is announced twice only if the region was empty in between.
    region.textContent = "";
    setTimeout(() => {
        region.textContent = text;
    }, 50);
    setTimeout(() => {
        if (region.textContent === text) region.textContent = "";
    }, LIFETIME);
}
