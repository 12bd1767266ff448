// The sender. It sends what waits, oldest first, one at a time, and goes on by itself after every kind of interruption.
// Records go before everything else: a file is sent when the server has the record that it was taken.

import { ApiError, NoAnswer } from "./api.js";
import { localTime } from "./captured.js";
import { takesFile } from "./files.js";
import { matches } from "./receipt.js";
import { giveUp, recordClosing, signWaiting, unsentCases, unsentRecords } from "./records.js";
import { ChoiceNeeded } from "./session.js";
import * as store from "./store.js";
import { Unreadable, degrees, result, sendFile } from "./tus.js";

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./session.js").Session} Session */

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 120_000;
/** How often a missing receipt is asked for. */
const RECEIPT_PAUSE = 20_000;
/** A case is read again this often while the page is in view, for requests of the company. */
const REFRESH_PAUSE = 60_000;

/** The server takes this many in one request. */
const MOST_RECORDS = 100;
/** So often the server may answer that records do not fit before the chain is given up. */
const MOST_CONFLICTS = 2;
/** Stands for all records among the captures that have to wait. */
const RECORDS = "records";

/** Words of this device for a capture that it refuses itself; `words.js` has their texts. */
export const UNREADABLE = "!unreadable";
export const WRONG_RECEIPT = "!receipt";

export class Queue {
    /** Whether the server was asked at least once. */
    tried = false;
    #failures = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #running = false;
    #wokenWhileRunning = false;
    /** Captures that the server failed on with an error of its own: the others go first. */
    /** @type {Map<string, number>} */
    #notBefore = new Map();

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
    }

    start() {
        const wakeNow = () => {
            this.#failures = 0;
            this.#notBefore.clear();
            this.wake();
        };
        addEventListener("online", wakeNow);
        addEventListener("offline", () => {
            this.session.connected = false;
            this.session.changed();
        });
        addEventListener("pageshow", (event) => {
            if (event.persisted) wakeNow();
        });
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "visible") wakeNow();
        });
        setInterval(() => {
            if (document.visibilityState === "visible" && !this.#running && this.#failures === 0) this.wake();
        }, REFRESH_PAUSE);
        this.wake();
    }

    /** Sends now. */
    wake() {
        clearTimeout(this.#timer);
        if (this.#running) this.#wokenWhileRunning = true;
        else void this.#run();
    }

    async #run() {
        this.#running = true;
        /** @type {number | null} */
        let pause = null;
        try {
            do {
                this.#wokenWhileRunning = false;
                pause = await alone(this.session.link, () => this.#drain());
            } while (this.#wokenWhileRunning);
        } catch (error) {
            pause = this.#pauseAfter(error);
        } finally {
            this.#running = false;
            this.tried = true;
            this.session.sending = null;
            this.session.changed();
        }
        if (pause !== null) this.#timer = setTimeout(() => this.wake(), pause);
    }

    /** @returns {Promise<number | null>} after which time to come again */
    async #drain() {
        const { session } = this;
        // Another tab may have sent some of it while this one waited for its turn.
        await session.reload(false);
        await session.refresh();
        if (session.ended) return null;
        /** @type {number | null} */
        let pause = null;
        let sentSome = false;
        for (const [key, time] of this.#notBefore) if (time <= Date.now()) this.#notBefore.delete(key);
        const unannounced = await unsentCases(session.link);
        for (const caseId of unannounced) await this.#announce(caseId);
        if (unannounced.length > 0) await session.reload();
        for (let next = this.#next(); next; next = this.#next()) {
            try {
                const before = next.caseId;
                const caseId = before ?? (await session.ensureCase(next));
                if (!takesFile(next.type)) await this.#sendEntry({ ...next, caseId });
                else if (await this.#announce(caseId)) await this.#sendFile({ ...next, caseId });
                else continue;
                sentSome = true;
                this.#failures = 0;
            } catch (error) {
                if (error instanceof ChoiceNeeded) return null;
                if (!(await this.#settle(next, error))) throw error;
            }
            await session.reload();
            if (session.ended) return null;
        }
        if (await this.#askForReceipts()) pause = RECEIPT_PAUSE;
        await session.finish((caseId) => this.#announceClosing(caseId, []));
        if (sentSome) await session.refresh();
        const later = Math.min(...this.#notBefore.values());
        if (Number.isFinite(later)) pause = Math.min(pause ?? Infinity, Math.max(1000, later - Date.now()));
        return pause;
    }

    /** Entries first, then files, then videos; within them the oldest first, so that a step's order is kept. */
    #next() {
        const rank = (/** @type {Capture} */ one) => (!takesFile(one.type) ? 0 : one.type === "VIDEO" ? 2 : 1);
        const now = Date.now();
        const filesWait = (this.#notBefore.get(RECORDS) ?? 0) > now;
        return this.session.unsent
            .filter((one) => (one.sha256 !== null && !filesWait) || !takesFile(one.type))
            .filter((one) => (this.#notBefore.get(one.captureId) ?? 0) <= now)
            .sort((one, other) => rank(one) - rank(other) || one.order - other.order)[0];
    }

    /**
     * Sends the records of a case that the server is not known to have.
     * @param {number} caseId
     * @returns {Promise<boolean>} false if its files have to wait, because the server failed on the records
     */
    async #announce(caseId) {
        if ((this.#notBefore.get(RECORDS) ?? 0) > Date.now()) return false;
        try {
            await this.#sendRecords(caseId);
            return true;
        } catch (error) {
            if (!(error instanceof ApiError) || !error.passes || [429, 503].includes(error.status)) throw error;
            this.#notBefore.set(RECORDS, Date.now() + backoff(++this.#failures));
            return false;
        }
    }

    /**
     * Afterwards the server has all records of the case, or the case goes on without them.
     * @param {number} caseId
     */
    async #sendRecords(caseId) {
        const { session } = this;
        if (session.unrecorded.has(caseId) || (caseId === session.caseId && session.openCase?.closed)) return;
        await alone(`${session.link}-records`, async () => {
            let conflicts = 0;
            for (;;) {
                await signWaiting(session.link, caseId);
                const found = await unsentRecords(session.link, caseId);
                if (!found) return;
                const { chain, unsent } = found;
                const body = { records: unsent.slice(0, MOST_RECORDS) };
                try {
                    const path = `/v2/capture/cases/${caseId}/records`;
                    const { next } = await session.ask(() => session.api.post(path, body));
                    if (!(next > chain.stored)) throw new ApiError(400, "the server did not take the records", null);
                    await store.changeChain(chain, { stored: Math.min(next, chain.next) });
                } catch (error) {
                    if (!(error instanceof ApiError) || error.passes || error.status === 401) throw error;
                    // A server that does not know records, or a case that this link does not show any more.
                    if ([403, 404, 405].includes(error.status)) {
                        session.unrecorded.add(caseId);
                        return;
                    }
                    const stored = await this.#storedRecords(caseId, chain.session);
                    if (stored === null) {
                        session.unrecorded.add(caseId);
                        return;
                    }
                    await store.changeChain(chain, { stored: Math.min(stored, chain.next) });
                    if (error.status === 409 && ++conflicts <= MOST_CONFLICTS) continue;
                    await giveUp(chain);
                    conflicts = 0;
                }
            }
        });
    }

    /**
     * How many records of a session the server has.
     * @param {number} caseId
     * @param {string} name of the session
     * @returns {Promise<number | null>} null if the case takes no more records
     */
    async #storedRecords(caseId, name) {
        const { session } = this;
        try {
            /** @type {import("./types.js").Case} */
            const found = await session.ask(() => session.api.get(`/v2/capture/cases/${caseId}`));
            if (found.closed) return null;
            return found.captureSessions?.find((one) => one.session === name)?.next ?? 0;
        } catch (error) {
            if (error instanceof ApiError && [403, 404].includes(error.status)) return null;
            throw error;
        }
    }

    /** Announces that the case is to be closed, and closes it. */
    async close() {
        const { session } = this;
        const caseId = /** @type {number} */ (session.caseId);
        const steps = session.form?.steps ?? [];
        const empty = steps.filter((step) => session.stateOf(step) === "todo").map((step) => step.stepId);
        await this.#announceClosing(caseId, empty);
        await session.close();
    }

    /**
     * @param {number} caseId
     * @param {number[]} empty the steps that the person left empty
     */
    async #announceClosing(caseId, empty) {
        await recordClosing(this.session.link, caseId, empty, localTime(new Date()));
        await this.#sendRecords(caseId);
    }

    /**
     * @param {Capture} capture
     * @param {unknown} error
     * @returns {Promise<boolean>} false if everything has to wait
     */
    async #settle(capture, error) {
        if (error instanceof Unreadable) {
            await store.changeCapture(capture.captureId, { state: "refused", message: UNREADABLE });
            return true;
        }
        if (!(error instanceof ApiError)) return false;
        if (error.status === 429 || error.status === 503) return false;
        if (error.passes) {
            this.#notBefore.set(capture.captureId, Date.now() + backoff(++this.#failures));
            return true;
        }
        // Either the link has come to its end, or only this capture is rejected.
        if ([401, 403, 404].includes(error.status)) await this.session.refresh();
        if (this.session.ended) return true;
        await store.changeCapture(capture.captureId, { state: "refused", message: error.message, uploadUrl: null });
        return true;
    }

    /** @param {Capture & { caseId: number }} capture */
    async #sendEntry(capture) {
        const { position } = capture;
        const body = {
            captureId: capture.captureId,
            stepId: capture.stepId,
            data: capture.data,
            frontCreatedAt: capture.frontCreatedAt,
            clientAppName: "Sealwright capture",
            clientAppVersion: "1",
            ...(position && {
                geolocLatitude: degrees(position.latitude),
                geolocLongitude: degrees(position.longitude),
                geolocAccuracy: String(Math.round(position.accuracy * 10) / 10),
            }),
        };
        const path = `/v2/capture/cases/${capture.caseId}/entries`;
        const { itemId, cfRef } = await this.session.ask(() => this.session.api.post(path, body));
        await store.changeCapture(capture.captureId, { state: "done", item: { itemId, cfRef }, message: null });
    }

    /** @param {Capture & { caseId: number }} capture */
    async #sendFile(capture) {
        const { session } = this;
        const bytes = await store.readBytes(capture.captureId);
        if (!bytes || bytes.size !== capture.size) throw new Unreadable();
        const ready = { ...capture, sha256: /** @type {string} */ (capture.sha256) };
        const created = (/** @type {string} */ uploadUrl) => {
            ready.uploadUrl = uploadUrl;
            return store.changeCapture(capture.captureId, { uploadUrl });
        };
        const progress = (/** @type {number} */ sent) => {
            session.sending = { captureId: capture.captureId, sent };
            session.changed();
        };
        const largest = session.info?.limits.pieceBytes ?? 1024 * 1024;
        const sent = await session.ask(() => sendFile(session.api, ready, bytes, largest, created, progress));
        session.sending = null;
        if (!sent.item) throw new ApiError(500, "the item is not there yet", null);
        await this.#accept(ready, sent);
    }

    /**
     * @param {Capture} capture
     * @param {import("./tus.js").Sent} sent
     */
    async #accept(capture, { item, receipt }) {
        if (!item) return;
        const known = { item: { itemId: item.itemId, cfRef: item.cfRef }, uploadUrl: capture.uploadUrl, message: null };
        if (!receipt) await store.changeCapture(capture.captureId, { ...known, state: "sent" });
        else if (matches(receipt, capture)) {
            await store.changeCapture(capture.captureId, { ...known, state: "done", receipt }, true);
        } else await store.changeCapture(capture.captureId, { ...known, state: "refused", message: WRONG_RECEIPT });
    }

    /** @returns {Promise<boolean>} whether some are still missing */
    async #askForReceipts() {
        let missing = false;
        for (const capture of this.session.captures) {
            if (capture.state !== "sent" || !capture.uploadUrl) continue;
            try {
                await this.#accept(capture, await result(this.session.api, capture.uploadUrl));
            } catch (error) {
                if (error instanceof NoAnswer || (error instanceof ApiError && error.passes)) throw error;
                // The server has forgotten the upload. The bytes stay here.
                continue;
            }
            await this.session.reload();
            missing ||= this.session.captures.some(
                (one) => one.captureId === capture.captureId && one.state === "sent",
            );
        }
        return missing;
    }

    /**
     * @param {unknown} error
     * @returns {number | null}
     */
    #pauseAfter(error) {
        this.#failures += 1;
        if (error instanceof ApiError && error.status === 401) return null;
        const asked = error instanceof ApiError && error.retryAfter !== null ? error.retryAfter * 1000 : 0;
        return Math.max(asked, backoff(this.#failures));
    }
}

/**
 * Grows with each failure, with a random part so that many telephones do not come back at the same moment.
 * @param {number} failures
 */
function backoff(failures) {
    const most = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 10));
    return most * (0.5 + Math.random() / 2);
}

/**
 * Runs work that at most one tab does at a time.
 * @template T
 * @param {string} link
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function alone(link, work) {
    if (!navigator.locks) return work();
    return /** @type {T} */ (await navigator.locks.request(`sealwright-capture-${link}`, work));
}
