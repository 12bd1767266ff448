// A video while it is recorded: its parts go to the store each second, so that a recording that the end of the page cuts off
// becomes a draft at the next opening. What is there of an MP4 that is recorded in fragments can be played.

import { captured, newCapture } from "./captured.js";
import { mediaOf } from "./files.js";
import * as store from "./store.js";

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./look.js").Shot} Shot */

export class Recording {
    /** In bytes. */
    size = 0;
    /** @type {Blob[]} */
    #parts = [];
    #capture;
    #at;
    #release = () => {};
    /** Until the last part is stored. A device without room still has the parts in memory. */
    #storing;

    /**
     * @param {Session} session
     * @param {Step} step
     * @param {Date} at
     */
    constructor(session, step, at) {
        this.#at = at;
        this.#capture = newCapture(session, step, { data: "", at, media: "video/mp4", size: 0, thumbnail: null });
        const ended = new Promise((resolve) => (this.#release = () => resolve(undefined)));
        // Without locks another tab could not see that this recording still runs.
        this.#storing = navigator.locks ? store.addRecording(this.#capture) : Promise.reject(new Error("no locks"));
        this.#storing.catch(() => {});
        navigator.locks?.request(lockOf(this.#capture), () => ended).catch(() => {});
    }

    /**
     * @param {Blob} part
     * @param {Position | null} position
     */
    add(part, position) {
        const index = this.#parts.length;
        this.#parts.push(part);
        this.size += part.size;
        this.#capture.position ??= position;
        const capture = { ...this.#capture };
        this.#storing = this.#storing.then(async () => store.addPart(capture, index, await part.arrayBuffer()));
        this.#storing.catch(() => {});
    }

    /** @returns {Promise<Shot>} */
    async end() {
        await this.#storing.catch(() => {});
        this.#release();
        const bytes = new Blob(this.#parts, { type: "video/mp4" });
        return { bytes, at: this.#at, origin: "recorder", recorded: this.#capture };
    }
}

/**
 * The person has left the screen: the recording is a draft, and its step says so.
 * @param {Session} session
 * @param {Step} step
 * @param {Shot} shot
 */
export async function undecided(session, step, shot) {
    if (shot.bytes.size > 0) await captured(session, step, shot);
    else if (shot.recorded) await store.deleteRecording(shot.recorded.captureId);
}

/**
 * Makes drafts of the recordings that were cut off.
 * @param {Session} session
 */
export async function recoverRecordings(session) {
    for (const recorded of await store.readRecordings(session.link)) {
        await navigator.locks.request(lockOf(recorded), { ifAvailable: true }, async (lock) => {
            if (lock) await recover(session, recorded);
        });
    }
}

/**
 * @param {Session} session
 * @param {Capture} recorded
 */
async function recover(session, recorded) {
    const bytes = await store.readParts(recorded.captureId);
    // Less than a fragment is not a video.
    if ((await mediaOf(bytes)) !== "video/mp4") {
        await store.deleteRecording(recorded.captureId);
        return;
    }
    const at = new Date(recorded.order);
    const step = { stepId: recorded.stepId, type: recorded.type, title: recorded.stepTitle };
    await captured(session, step, { bytes, at, origin: "recorder", recorded });
}

/** @param {Capture} capture */
function lockOf({ captureId }) {
    return `sealwright-recording-${captureId}`;
}
