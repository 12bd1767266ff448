// The company's colour and logo. The server has made sure that the colour can be read on this page's grounds; the style
// sheet chooses between its light and its dark shades.

import { h } from "./dom.js";

/** @typedef {import("./types.js").Appearance} Appearance */

/** @typedef {import("./types.js").Shades} Shades */

/** The name of the company in the head of every screen, with its logo. */
export class CompanyHead {
    // The name follows: a screen reader need not hear it twice.
    #logo = h("img", { class: "logo", alt: "", hidden: true, onerror: () => this.#hideLogo() });
    #name = h("span", { dir: "auto" });
    #shown = "";
    node = h("p", { class: "company" }, this.#logo, this.#name);

    /**
     * @param {string} name
     * @param {Appearance | undefined} appearance what an older server said has none
     */
    update(name, appearance) {
        this.#name.textContent = name;
        const wanted = JSON.stringify(appearance ?? null);
        if (wanted === this.#shown) return;
        this.#shown = wanted;
        paint("light", appearance?.palette?.light);
        paint("dark", appearance?.palette?.dark);
        const { logoUrl = null } = appearance ?? {};
        this.#logo.hidden = logoUrl === null;
        if (logoUrl === null) this.#logo.removeAttribute("src");
        else this.#logo.src = logoUrl;
    }

    /** Without a network, on the first visit: the name is enough. */
    #hideLogo() {
        this.#logo.hidden = true;
    }
}

/**
 * @param {"light" | "dark"} scheme
 * @param {Shades | undefined} shades
 */
function paint(scheme, shades) {
    const { style } = document.documentElement;
    const colours = { accent: shades?.accent, "on-accent": shades?.onAccent, tint: shades?.tint };
    for (const [name, colour] of Object.entries(colours)) {
        if (colour) style.setProperty(`--company-${scheme}-${name}`, colour);
        else style.removeProperty(`--company-${scheme}-${name}`);
    }
}
