// The start: reads what the device remembers, shows it, then asks the server. Here is the shell around the screens.

import { CompanyHead } from "./appearance.js";
import { finishDiscarded, keepSignatures } from "./captured.js";
import { closedScreen } from "./closed.js";
import { h, refill } from "./dom.js";
import { listScreen } from "./list.js";
import { liveRegions } from "./live.js";
import { Queue } from "./queue.js";
import { recoverRecordings } from "./recording.js";
import { reviewScreen } from "./review.js";
import { Session } from "./session.js";
import { chooseScreen, endedScreen, plainScreen } from "./states.js";
import { isPicking } from "./steps/frame.js";
import { documentScreen } from "./steps/document.js";
import { entryScreen } from "./steps/entry.js";
import { photoScreen } from "./steps/photo.js";
import { signatureScreen } from "./steps/signature.js";
import { videoScreen } from "./steps/video.js";
import { makeTray } from "./tray.js";
import { LANGUAGES, currentLanguage, remember, t, useLanguage } from "./words.js";

/** @typedef {import("./types.js").Screen} Screen */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./words.js").Code} Code */

/**
 * The screens that the field app has in addition.
 * @typedef {object} Extra
 * @property {HTMLElement} node part of the head of every screen
 * @property {() => string | null} where the screen that goes before the address; null if there is none
 * @property {(place: string) => Screen | null} make
 * @property {() => void} update after a change of the session or of the language
 */

/** A tap that takes longer is not one, in milliseconds. */
const LONGEST_TAP = 1000;
/** The click follows the end of the touch within this time, in milliseconds. */
const CLICK_FOLLOWS = 100;

export class App {
    /** @type {Screen | null} */
    #screen = null;
    /** Until then a tap is under way: a redrawn button would lose it. */
    #tapUntil = 0;
    #postponed = 0;
    /** What the screen was made for. A change of the session redraws it; a change of this replaces it. */
    #place = "";
    #drawn = "";
    #main = /** @type {HTMLElement} */ (document.getElementById("capture") ?? document.querySelector("main"));
    #company = new CompanyHead();
    #languages = h("select", { id: "language", onchange: () => this.#changeLanguage() });
    #languageLabel = h("label", { class: "unseen", for: "language" });
    #skip = h("a", {
        class: "skip",
        href: "#capture",
        onclick: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.#main.querySelector("h1")?.focus();
        },
    });

    /**
     * @param {Session} session
     * @param {(app: App) => Extra} [extra]
     */
    constructor(session, extra) {
        this.session = session;
        this.queue = new Queue(session);
        this.tray = makeTray(session);
        this.extra = extra?.(this) ?? null;
        for (const [code, name] of Object.entries(LANGUAGES)) {
            this.#languages.append(h("option", { value: code, lang: code }, name));
        }
    }

    start() {
        const top = h(
            "header",
            { class: "top" },
            this.#company.node,
            h("div", { class: "language" }, this.#languageLabel, this.#languages),
            this.extra?.node,
        );
        const bottom = h("footer", { class: "bottom" }, this.tray.node, liveRegions);
        this.#main.className = "capture";
        document.body.replaceChildren(this.#skip, top, this.#main, bottom);
        document.body.className = "app";
        addEventListener("hashchange", () => {
            this.show();
            if (this.session.isPreview) return;
            this.session
                .reread()
                .then(() => this.#keepSignatures())
                .catch(() => {});
        });
        addEventListener("beforeunload", (event) => {
            if (!this.session.isPreview && this.#screen?.unsaved?.()) event.preventDefault();
        });
        const tapFor = (/** @type {number} */ time) => () => (this.#tapUntil = performance.now() + time);
        addEventListener("pointerdown", tapFor(LONGEST_TAP), true);
        addEventListener("pointerup", tapFor(CLICK_FOLLOWS), true);
        addEventListener("pointercancel", tapFor(0), true);
        this.session.addEventListener("change", () => this.#changed());
        this.show();
        if (this.session.isPreview) return;
        this.queue.start();
        finishDiscarded(this.session).catch(() => {});
        recoverRecordings(this.session).catch(() => {});
        this.#keepSignatures().catch(() => {});
    }

    async #keepSignatures() {
        if (await keepSignatures(this.session)) this.queue.wake();
    }

    async #changeLanguage() {
        const code = /** @type {Code} */ (this.#languages.value);
        remember(code);
        await useLanguage(code);
        this.#place = "";
        this.show(false);
        this.tray.update();
        this.#languages.focus();
    }

    #changed() {
        clearTimeout(this.#postponed);
        const wait = this.#tapUntil - performance.now();
        if (wait > 0) {
            this.#postponed = setTimeout(() => this.#changed(), wait);
            return;
        }
        const drawn = this.#signature();
        if (this.#where() !== this.#place && !this.#screen?.unsaved?.() && !isPicking()) this.show();
        else if (drawn !== this.#drawn) {
            this.#shell();
            this.#screen?.update?.();
        }
        this.#drawn = drawn;
        this.tray.update();
    }

    /** What screens show. The progress of an upload is not part of it: a redrawn button loses the tap that has begun. */
    #signature() {
        const { info, openCase, caseId, captures, recorded, ended, connected, more } = this.session;
        const shown = captures.map((one) => ({ ...one, uploadUrl: null }));
        const link = { ...info, serverTime: null };
        return JSON.stringify([link, openCase, caseId, shown, recorded, ended, connected, more]);
    }

    #shell() {
        const { info } = this.session;
        this.#company.update(info?.companyName ?? "", info?.appearance);
        this.#languages.value = currentLanguage();
        this.#languageLabel.textContent = t("language");
        this.#skip.textContent = t("toContent");
        this.extra?.update();
        document.title = [this.#screen?.title, info?.companyName].filter(Boolean).join(" – ");
    }

    /** The state of the link goes before the address: an expired link shows no step. */
    #where() {
        const { session } = this;
        const extra = this.extra?.where();
        if (extra) return `extra ${extra}`;
        const closed = session.openCase?.closed === true && !session.startedAnother;
        if (!session.info)
            return session.ended ? "ended" : session.connected && !this.#tried ? "loading" : "firstVisit";
        if (closed) return `closed ${session.caseId}`;
        if (session.ended) return `ended ${session.ended}`;
        if (session.mustChoose()) return "choose";
        const { stepId, live } = this.#address();
        if (stepId !== null) return session.step(stepId) ? `step ${stepId} ${live}` : "list";
        return location.hash === "#review" ? "review" : "list";
    }

    get #tried() {
        return this.queue.tried;
    }

    #address() {
        const match = /^#step-(\d+)(-camera)?$/.exec(location.hash);
        return { stepId: match ? Number(match[1]) : null, live: Boolean(match?.[2]) };
    }

    /**
     * Shows the screen of the address.
     * @param {boolean} [focus]
     */
    show(focus = true) {
        const place = this.#where();
        if (place === this.#place) return;
        const first = this.#place === "";
        this.#screen?.leave?.();
        this.#place = place;
        this.#screen = this.#make(place);
        if (this.#screen) refill(this.#main, this.#screen.node);
        this.#shell();
        scrollTo(0, 0);
        if (focus && !first) this.#main.querySelector("h1")?.focus({ preventScroll: true });
    }

    /**
     * @param {string} place
     * @returns {Screen | null} null while nothing is known
     */
    #make(place) {
        const [kind] = place.split(" ");
        const { stepId, live } = this.#address();
        const step = stepId === null ? null : this.session.step(stepId);
        switch (kind) {
            case "extra":
                return this.extra?.make(place.slice("extra ".length)) ?? null;
            case "loading":
                return null;
            case "firstVisit":
                return plainScreen("firstVisit", () => this.queue.wake());
            case "closed":
                return closedScreen(this);
            case "ended":
                return endedScreen(this);
            case "choose":
                return chooseScreen(this);
            case "review":
                return reviewScreen(this);
            case "step":
                return step && stepScreen(this, step, live);
            default:
                return listScreen(this);
        }
    }
}

/**
 * @param {App} app
 * @param {Step} step
 * @param {boolean} live
 */
function stepScreen(app, step, live) {
    switch (step.type) {
        case "PHOTOGRAPHY":
            return photoScreen(app, step, live);
        case "VIDEO":
            return videoScreen(app, step, live);
        case "DOCUMENT_UPLOAD":
            return documentScreen(app, step, live);
        case "SIGNATURE":
            return signatureScreen(app, step);
        default:
            return entryScreen(app, step);
    }
}

/**
 * The service worker keeps page and assets for the time without a network.
 * @param {string} path
 * @param {string} scope
 */
export function registerWorker(path, scope) {
    const assets = new URL("../", import.meta.url).pathname;
    navigator.serviceWorker?.register(`${path}?assets=${assets}`, { scope }).catch(() => {
        // Without it the page works as long as there is a network.
    });
}

async function start() {
    const token = location.pathname.split("/").filter(Boolean).at(-1) ?? "";
    await useLanguage();
    /** @type {Session} */
    let session;
    try {
        session = await Session.of(token);
    } catch {
        refill(/** @type {HTMLElement} */ (document.querySelector("main")), plainScreen("noStorage", null).node);
        return;
    }
    registerWorker("/link/worker.js", "/link/");
    new App(session).start();
}

// The page `/field` loads the same modules, and those of its folder. The console's preview of a frame does too.
if (document.documentElement.dataset.preview) void import("./preview/main.js").then((preview) => preview.start());
else if (location.pathname.startsWith("/link/")) void start();
else void import("./field/main.js").then((field) => field.start());
