// The page of a link as the console shows it for a frame. It has the same screens, but their buttons do nothing:
// nothing is stored on the device, and the page's policy lets it send nothing.

import { Api } from "../api.js";
import { h } from "../dom.js";
import { App } from "../main.js";
import { Session } from "../session.js";
import { useLanguage } from "../words.js";

class PreviewSession extends Session {
    /** @param {import("../types.js").LinkInfo} info what the server would answer for a link */
    constructor(info) {
        super(new Api(""), "preview");
        this.info = info;
        this.connected = true;
    }

    get isPreview() {
        return true;
    }

    async refresh() {}

    async reload() {}

    async reread() {}

    async recall() {}

    async remember() {}
}

export async function start() {
    const { lang, dataset } = document.documentElement;
    const session = new PreviewSession(JSON.parse(dataset.preview ?? "null"));
    await useLanguage();
    const main = /** @type {HTMLElement} */ (document.getElementById("capture"));
    main.addEventListener("click", refuse, true);
    main.addEventListener("submit", stop, true);
    new App(session).start();
    // In the language of the console: the page has its own.
    document.querySelector("header.top")?.before(h("aside", { class: "preview", lang }, dataset.notice ?? ""));
}

/** The ways between the screens, except that to the camera. */
const WAYS = "a[href^='#']:not([href$='-camera'])";
/** Fields can be tried. A label that looks like a button opens the choice of a file. */
const FIELDS = "input:not([type=file], [type=submit]), select, textarea, label:not(.button)";

/** @param {Event} event */
function refuse(event) {
    const { target } = event;
    const isHarmless = target instanceof Element && target.closest(`${WAYS}, ${FIELDS}`) !== null;
    if (!isHarmless) stop(event);
}

/** @param {Event} event */
function stop(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
}
