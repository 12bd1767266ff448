// The state of one link in this page: what the server said last, what this device keeps, and the case being filled in.
// Screens read it and listen to its `change` event.

import { Api, ApiError } from "./api.js";
import { toHex, sha256 } from "./hash.js";
import { randomId } from "./identifiers.js";
import { countTaken } from "./records.js";
import * as store from "./store.js";

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./types.js").Case} Case */
/** @typedef {import("./types.js").LinkInfo} LinkInfo */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Step} Step */

/**
 * How a step is doing. `again`: the company asked for another; `refused`: a capture was rejected; `draft`: one is
 * undecided; `waiting`: on this device only; `done`: the server has it.
 * @typedef {"again" | "refused" | "draft" | "waiting" | "done" | "todo"} StepState
 */

/** The person has to choose one of several open cases first. */
export class ChoiceNeeded extends Error {}

export class Session extends EventTarget {
    /** @type {LinkInfo | null} */
    info = null;
    /** @type {Case | null} */
    openCase = null;
    /** @type {number | null} */
    caseId = null;
    /** @type {Capture[]} */
    captures = [];
    /** Why the link cannot be used any more; for a field user, that no one is signed in. */
    /** @type {"expired" | "usedUp" | "withdrawn" | "unknown" | "signedOut" | null} */
    ended = null;
    /** Whether the last request got an answer. */
    connected = navigator.onLine;
    /** @type {{ captureId: string, sent: number } | null} */
    sending = null;
    /** How many captures of the case are recorded in this device's session. */
    recorded = 0;
    /** Cases whose records the server does not take, as far as this page has seen. */
    /** @type {Set<number>} */
    unrecorded = new Set();
    /** What this device calls a closing whose answer it has not seen. */
    /** @type {string | null} */
    closingId = null;
    /** The frame on which one photo is a case of its own, while a field user takes one. */
    /** @type {number | null} */
    quickFrame = null;
    /** Whether the person wants another case than the closed one on the screen. */
    startedAnother = false;

    #channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("sealwright-capture") : null;

    /**
     * @param {Api} api
     * @param {string} link
     */
    constructor(api, link) {
        super();
        this.api = api;
        this.link = link;
        this.#channel?.addEventListener("message", () => void this.reload(false));
    }

    /**
     * @param {string} token
     * @returns {Promise<Session>} with what the device remembers
     */
    static async of(token) {
        const digest = await sha256(new TextEncoder().encode(`sealwright-capture ${token}`));
        const session = new Session(new Api(token), toHex(digest).slice(0, 32));
        const remembered = await store.readLink(session.link);
        if (remembered) {
            session.info = remembered.info;
            session.ended = remembered.info.state === "usable" ? null : remembered.info.state;
            session.caseId = remembered.caseId;
            session.openCase = remembered.openCase;
            session.closingId = remembered.closingId ?? null;
        }
        session.captures = await store.readCaptures(session.link);
        await session.#count();
        return session;
    }

    /** Whether the page only shows what a link would ask for: nothing is kept and nothing is sent. */
    get isPreview() {
        return false;
    }

    changed() {
        this.dispatchEvent(new Event("change"));
    }

    /**
     * Reads the captures again, after this page or another tab changed them.
     * @param {boolean} [tell] whether other tabs have to do the same
     */
    async reload(tell = true) {
        this.captures = await store.readCaptures(this.link);
        if (!tell) await this.recall();
        if (tell) this.#channel?.postMessage("changed");
        await this.#count();
        this.changed();
    }

    /** Reads the captures again: a tab that was closed a moment ago may have stored one since this page read them. */
    async reread() {
        this.captures = await store.readCaptures(this.link);
        await this.#count();
        this.changed();
    }

    async #count() {
        const { caseId } = this;
        const counts = caseId !== null && !this.unrecorded.has(caseId);
        this.recorded = counts ? await countTaken(this.link, caseId).catch(() => 0) : 0;
    }

    /** Takes over what another tab has changed. */
    async recall() {
        const remembered = await store.readLink(this.link);
        if (remembered) {
            this.caseId = remembered.caseId;
            this.openCase = remembered.openCase;
            this.closingId = remembered.closingId ?? null;
        }
    }

    /** What the answer 401 means. */
    get without() {
        return /** @type {"unknown" | "signedOut"} */ ("unknown");
    }

    /** What screens show in addition. */
    get more() {
        return /** @type {unknown} */ (null);
    }

    /**
     * Runs when everything that waited was sent.
     * @param {(caseId: number) => Promise<void>} _announceClosing
     */
    async finish(_announceClosing) {}

    /**
     * The address of the screen that shows a capture.
     * @param {Capture} capture
     */
    placeOf(capture) {
        return `#step-${capture.stepId}`;
    }

    /** Asks the server for the link and the case. Opens nothing. */
    async refresh() {
        await this.ask(async () => {
            /** @type {LinkInfo} */
            const info = await this.api.get("/v2/capture");
            this.info = info;
            this.ended = info.state === "usable" ? null : info.state;
            if (this.caseId === null && info.openCases.length === 1 && !this.startedAnother) {
                this.caseId = info.openCases[0].caseId;
                await store.assignCase(this.link, this.caseId);
                this.captures = await store.readCaptures(this.link);
            }
            if (this.caseId !== null) await this.refreshCase(this.caseId);
            await this.remember();
        });
    }

    /** @param {number} caseId */
    async refreshCase(caseId) {
        try {
            this.openCase = await this.api.get(`/v2/capture/cases/${caseId}`);
        } catch (error) {
            // A link that is used up shows its case no more; what was remembered of it stays.
            if (!(error instanceof ApiError) || error.passes) throw error;
            if (error.status === 401) this.ended = this.without;
            if (error.status === 404 && !this.openCase?.closed) this.caseId = this.openCase = null;
            if (error.status === 403 && this.closingId !== null) await this.#recoverClosing(caseId);
        }
    }

    /**
     * Runs requests and remembers whether the server is reachable and the link is valid.
     * @template T
     * @param {() => Promise<T>} requests
     * @returns {Promise<T>}
     */
    async ask(requests) {
        try {
            const answer = await requests();
            this.connected = true;
            return answer;
        } catch (error) {
            this.connected = error instanceof ApiError;
            if (error instanceof ApiError && error.status === 401) this.ended = this.without;
            throw error;
        } finally {
            this.changed();
        }
    }

    /** Keeps what the next opening needs. */
    async remember() {
        if (!this.info) return;
        const { link, info, caseId, openCase, closingId } = this;
        await store.writeLink({ link, info, caseId, openCase, closingId });
    }

    /**
     * The case that answers go to. Opens it if there is none: call it when an answer is about to be sent, never before.
     * @param {Capture} _capture the answer
     * @returns {Promise<number>}
     * @throws {ChoiceNeeded | import("./api.js").ApiError | import("./api.js").NoAnswer}
     */
    async ensureCase(_capture) {
        if (this.caseId !== null) return this.caseId;
        if (this.mustChoose()) throw new ChoiceNeeded();
        try {
            const opened = await this.ask(() => this.api.post("/v2/capture/cases", {}));
            await this.useCase(opened);
            return opened.caseId;
        } catch (error) {
            if (error instanceof ApiError && (error.status === 400 || error.status === 403)) {
                await this.refresh();
                if (this.mustChoose()) throw new ChoiceNeeded();
            }
            throw error;
        }
    }

    /** @param {Case} opened */
    async useCase(opened) {
        this.caseId = opened.caseId;
        this.openCase = opened;
        this.startedAnother = false;
        await this.remember();
        await store.assignCase(this.link, opened.caseId);
        await this.reload();
    }

    /** @param {number} caseId one of the open cases */
    async choose(caseId) {
        await this.useCase(await this.ask(() => this.api.get(`/v2/capture/cases/${caseId}`)));
    }

    /** Leaves the closed case; the next answer opens another. */
    async startAnother() {
        this.startedAnother = true;
        this.caseId = this.openCase = null;
        await this.remember();
        this.changed();
    }

    /** @returns {Promise<void>} */
    async close() {
        const { caseId } = this;
        if (caseId === null) return;
        // Stored before it is sent: the same closing again gets the same answer.
        this.closingId ??= randomId();
        await this.remember();
        await this.ask(() => this.#closeAs(caseId));
        await this.remember();
        this.changed();
    }

    /** @param {number} caseId */
    async #closeAs(caseId) {
        const { closingId } = this;
        const { pdfUrl } = await this.api.post(`/v2/capture/cases/${caseId}/close`, { closingId });
        this.closingId = null;
        if (this.openCase) this.openCase = { ...this.openCase, closed: true, certificateUrl: pdfUrl };
    }

    /**
     * The case is closed. If it was closed by this device, only the answer was lost.
     * @param {number} caseId
     */
    async #recoverClosing(caseId) {
        try {
            await this.#closeAs(caseId);
        } catch (error) {
            if (!(error instanceof ApiError) || error.passes) throw error;
            this.closingId = null;
        }
    }

    mustChoose() {
        return this.caseId === null && (this.info?.openCases.length ?? 0) > 1;
    }

    get form() {
        return this.openCase?.form ?? this.info?.form ?? null;
    }

    /** @param {number} stepId */
    step(stepId) {
        return this.form?.steps.find((step) => step.stepId === stepId) ?? null;
    }

    /** Captures of the case on the screen. */
    get current() {
        return this.captures.filter((capture) => capture.caseId === this.caseId);
    }

    /** @param {number} stepId */
    capturesOf(stepId) {
        return this.current.filter((capture) => capture.stepId === stepId);
    }

    /**
     * The server's items of a step, oldest first.
     * @param {number} stepId
     * @returns {Item[]}
     */
    itemsOf(stepId) {
        const items = this.openCase?.items.filter((item) => item.stepId === stepId) ?? [];
        return items.sort((one, other) => one.itemId - other.itemId);
    }

    /**
     * Captures of a step that the server's list does not have yet.
     * @param {number} stepId
     */
    localOf(stepId) {
        const known = new Set(this.itemsOf(stepId).map((item) => item.captureId));
        return this.capturesOf(stepId).filter((capture) => !known.has(capture.captureId));
    }

    /**
     * The open request for another item, if the step has one that no later capture answers.
     * @param {number} stepId
     */
    retakeOf(stepId) {
        const retake = this.itemsOf(stepId).at(-1)?.retake ?? null;
        const answered = this.localOf(stepId).some((one) => ["waiting", "sent", "done"].includes(one.state));
        return answered ? null : retake;
    }

    /**
     * @param {Step} step
     * @returns {StepState}
     */
    stateOf(step) {
        const local = this.localOf(step.stepId);
        if (this.retakeOf(step.stepId)) return "again";
        if (local.some((capture) => capture.state === "refused")) return "refused";
        if (local.some((capture) => capture.state === "draft")) return "draft";
        if (local.some((capture) => capture.state === "waiting")) return "waiting";
        if (local.length > 0 || this.itemsOf(step.stepId).length > 0) return "done";
        return "todo";
    }

    /** Announced captures of the case that another device or browser has, and has not sent yet. */
    get elsewhere() {
        const here = new Set(this.captures.map((capture) => capture.captureId));
        return this.openCase?.announced?.filter((one) => !here.has(one.captureId)) ?? [];
    }

    /** Captures that are on this device only, of all cases of the link. */
    get unsent() {
        return this.captures.filter((capture) => capture.state === "waiting");
    }

    /** Captures whose bytes are still here, without a chance to be sent as they are. */
    get refused() {
        return this.captures.filter((capture) => capture.state === "refused");
    }
}
