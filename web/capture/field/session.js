// The state of the field app: who is signed in, the user's open cases, and the one on the screen. All captures of the user
// on this device are under one key, with the case they belong to.

import { ApiError } from "../api.js";
import { sha256, toHex } from "../hash.js";
import { Session } from "../session.js";
import * as store from "../store.js";
import { FieldApi, OtherUser } from "./api.js";

/** @typedef {import("../types.js").Capture} Capture */
/** @typedef {import("../types.js").Case} Case */
/** @typedef {import("../types.js").FieldCases} FieldCases */
/** @typedef {import("../types.js").FieldUser} FieldUser */
/** @typedef {import("../types.js").Form} Form */

/** Where the device remembers who is signed in. */
const SIGNED_IN = "field";
/** How long a photo whose case is closed stays in the list of this device. */
const SHOWN = 14 * 24 * 3_600_000;

export class FieldSession extends Session {
    /** @type {FieldCases | null} */
    list = null;
    /** Whether the last user of this device signed out. Another person may be next. */
    signedOut = false;

    /**
     * @param {FieldUser | null} user
     * @param {string} key
     */
    constructor(user, key) {
        const api = new FieldApi(user);
        super(api, key);
        this.user = user;
        this.fieldApi = api;
    }

    /** The session of the user whom this device remembers. */
    static async remembered() {
        const signedIn = await read(SIGNED_IN);
        const user = signedIn?.user ?? null;
        const digest = await sha256(new TextEncoder().encode(`sealwright-field ${user?.userId ?? ""}`));
        const session = new FieldSession(user, `field-${toHex(digest).slice(0, 32)}`);
        if (!user) {
            session.signedOut = signedIn !== undefined;
            session.ended = session.without;
            return session;
        }
        await session.recall();
        // Only a page that was closed while a case was on the screen goes on with it.
        const place = /^#(step-|review|list)/.test(location.hash) ? await read(session.link) : undefined;
        if (place?.caseId != null) await session.#select(place.caseId);
        else if (place?.quickFrame != null) session.quickFrame = place.quickFrame;
        session.#tellForm();
        session.captures = await store.readCaptures(session.link);
        return session;
    }

    get without() {
        return /** @type {const} */ ("signedOut");
    }

    /** @param {Capture} capture */
    placeOf(capture) {
        return capture.caseId !== null && capture.caseId === this.caseId ? super.placeOf(capture) : "#home";
    }

    /** Another tab has read the list. Which case is on the screen is this tab's own. */
    async recall() {
        this.list = (await read(`${this.link}-list`))?.list ?? this.list;
        this.#tellForm();
    }

    /** Asks the server for the list, and for the case on the screen. */
    async refresh() {
        await this.ask(async () => {
            /** @type {FieldCases} */
            const list = await this.api.get("/v2/field/cases");
            await this.#check(list.user);
            this.ended = null;
            this.list = list;
            await write(`${this.link}-list`, { list });
            const { caseId } = this;
            const listed = list.cases.some((one) => one.caseId === caseId);
            // A case that this device has closed is not listed, also if the answer was lost.
            if (caseId !== null && (listed || this.closingId !== null)) await this.refreshCase(caseId);
            this.#tellForm();
            await this.remember();
            await this.#prune();
        });
    }

    /**
     * Another user who has signed in on this device gets their own page.
     * @param {FieldUser} user
     */
    async #check(user) {
        try {
            this.fieldApi.check(user);
        } catch (error) {
            if (error instanceof OtherUser) {
                await write(SIGNED_IN, { user });
                location.reload();
            }
            throw error;
        }
    }

    async remember() {
        const { link, caseId, quickFrame, openCase, closingId } = this;
        if (!this.user) return;
        await write(link, { caseId, quickFrame });
        if (openCase) await write(`${link}-case-${openCase.caseId}`, { openCase, closingId });
    }

    /**
     * @param {string} username
     * @param {string} password
     */
    async signIn(username, password) {
        const user = await this.fieldApi.signIn(username, password);
        if (user.userId === this.user?.userId) {
            this.ended = null;
            this.connected = true;
            this.changed();
            return;
        }
        await write(SIGNED_IN, { user });
        location.reload();
    }

    /** Ends the session. What waits stays on the device, and the titles of the user's cases do not. */
    async signOut() {
        await this.ask(() => this.api.send("/v2/field/sign-out", { method: "POST" }));
        for (const one of this.list?.cases ?? []) await write(`${this.link}-case-${one.caseId}`, {});
        await write(`${this.link}-list`, {});
        await write(this.link, {});
        await write(SIGNED_IN, {});
        location.replace("/field");
    }

    /**
     * Shows one of the listed cases.
     * @param {number} caseId
     */
    async fill(caseId) {
        await this.#select(caseId);
        this.#tellForm();
        await this.remember();
        this.changed();
    }

    /** @param {number} caseId */
    async #select(caseId) {
        this.quickFrame = null;
        this.caseId = caseId;
        const remembered = await read(`${this.link}-case-${caseId}`);
        this.openCase = remembered?.openCase ?? null;
        this.closingId = remembered?.closingId ?? null;
    }

    /**
     * Takes one photo that is a case of its own.
     * @param {number} frameId
     */
    async takeOne(frameId) {
        this.caseId = this.openCase = null;
        this.quickFrame = frameId;
        this.#tellForm();
        await this.remember();
        this.changed();
    }

    async close() {
        const { caseId, list } = this;
        await super.close();
        if (!list) return;
        this.list = { ...list, cases: list.cases.filter((one) => one.caseId !== caseId) };
        await write(`${this.link}-list`, { list: this.list });
        this.changed();
    }

    /** Whether the case on the screen was closed elsewhere, or is not the user's any more. */
    get isLost() {
        const { caseId } = this;
        if (caseId === null || !this.list || this.openCase?.closed) return false;
        return !this.list.cases.some((one) => one.caseId === caseId);
    }

    get more() {
        return [this.list?.cases, this.list?.quickForms, this.quickFrame];
    }

    /** What the screens of the capture engine know about a link. */
    #tellForm() {
        const { list, quickFrame } = this;
        if (!list) return;
        const listed = list.cases.find((one) => one.caseId === this.caseId);
        const quick = list.quickForms.find((form) => form.frameId === quickFrame);
        const form = list.forms.find((one) => one.frameId === listed?.frameId);
        /** @type {import("../types.js").LinkInfo} */
        const info = {
            state: "usable",
            companyName: list.companyName,
            appearance: list.appearance,
            expirationDate: null,
            serverTime: list.serverTime,
            form: quick ? onlyPhoto(quick) : (form ?? null),
            canOpenCase: false,
            openCases: [],
            limits: list.limits,
        };
        this.info = info;
    }

    /** Captures of the case on the screen; while one photo is taken, those that are not decided yet. */
    get current() {
        if (this.quickFrame === null) return super.current;
        return this.captures.filter(
            (one) => one.quick === this.quickFrame && one.caseId === null && ["draft", "refused"].includes(one.state),
        );
    }

    /** Photos that are cases of their own, newest first. */
    get quickCaptures() {
        return this.captures.filter((one) => one.quick != null && one.state !== "draft").reverse();
    }

    /** Open cases that do not belong to a photo that is on its way. */
    get openCases() {
        const onTheirWay = new Set(
            this.quickCaptures.filter((one) => one.state !== "refused").map((one) => one.caseId),
        );
        return this.list?.cases.filter((one) => !onTheirWay.has(one.caseId)) ?? [];
    }

    /** Captures whose case is not in the list any more: they cannot be sent as they are. */
    get orphans() {
        if (!this.list) return [];
        const listed = new Set(this.list.cases.map((one) => one.caseId));
        const lost = (/** @type {Capture} */ one) =>
            one.caseId === null ? one.quick == null : !listed.has(one.caseId) && (one.caseId !== this.caseId || this.isLost);
        return this.captures.filter((one) => (one.state === "refused" || one.state === "draft") && lost(one));
    }

    /**
     * The case of one photo. The server opens one case for one `captureId`, however often it is asked.
     * @param {Capture} capture
     */
    async ensureCase(capture) {
        const body = { frameId: capture.quick, captureId: capture.captureId };
        const { caseId } = await this.ask(() => this.api.post("/v2/field/cases", body));
        await store.changeCapture(capture.captureId, { caseId });
        return caseId;
    }

    /**
     * Closes the cases of photos that the server has acknowledged.
     * @param {(caseId: number) => Promise<void>} announceClosing
     */
    async finish(announceClosing) {
        for (const capture of this.quickCaptures) {
            if (capture.state !== "done" || capture.certified) continue;
            if (capture.caseId !== null) await announceClosing(capture.caseId);
            await this.#certify(capture);
        }
    }

    /** @param {Capture} capture */
    async #certify(capture) {
        try {
            const answer = await this.ask(() => this.api.post(`/v2/capture/cases/${capture.caseId}/close`, {}));
            await this.#certified(capture, answer.pdfUrl);
        } catch (error) {
            if (!(error instanceof ApiError) || error.passes || error.status === 401) throw error;
            if (error.status === 400) {
                // The answer of an earlier closing may have been lost.
                const body = { frameId: capture.quick, captureId: capture.captureId };
                const found = await this.ask(() => this.api.post("/v2/field/cases", body));
                if (found.closed) return this.#certified(capture, found.pdfUrl);
            }
            // It is not the user's any more, or it cannot be closed like this: it stays in the list of cases.
            await store.changeCapture(capture.captureId, { quick: null });
            await this.reload();
        }
    }

    /**
     * @param {Capture} capture
     * @param {string | null} certificateUrl
     */
    async #certified(capture, certificateUrl) {
        await store.changeCapture(capture.captureId, { certified: true, certificateUrl });
        await this.reload();
    }

    /** Forgets what was received and closed a while ago. */
    async #prune() {
        const listed = new Set(this.list?.cases.map((one) => one.caseId));
        const old = this.captures.filter(
            (one) =>
                one.state === "done" &&
                one.caseId !== this.caseId &&
                !listed.has(one.caseId ?? 0) &&
                (one.quick == null || one.certified) &&
                Date.now() - one.order > SHOWN,
        );
        for (const { captureId } of old) await store.commit({ captureId, from: ["done"], to: null }, []);
        if (old.length > 0) await this.reload();
    }
}

/**
 * The form without its optional steps.
 * @param {Form} form
 * @returns {Form}
 */
function onlyPhoto(form) {
    return { ...form, steps: form.steps.filter((step) => step.mandatory) };
}

/**
 * What the device remembers under a key, in the store of links.
 * @typedef {object} Note
 * @property {FieldUser | null} [user]
 * @property {FieldCases | null} [list]
 * @property {number | null} [caseId]
 * @property {number | null} [quickFrame]
 * @property {Case | null} [openCase]
 * @property {string | null} [closingId]
 */

/**
 * @param {string} key
 * @returns {Promise<Note | undefined>}
 */
async function read(key) {
    return /** @type {Note | undefined} */ (/** @type {unknown} */ (await store.readLink(key)));
}

/**
 * @param {string} key
 * @param {Note} note
 */
async function write(key, note) {
    const row = /** @type {unknown} */ ({ link: key, ...note });
    await store.writeLink(/** @type {import("../types.js").Remembered} */ (row));
}
