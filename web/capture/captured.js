// The moment of a capture: everything that is recorded about it is recorded here.

import { ENDINGS, mediaOf, takesFile, thumbnailOf } from "./files.js";
import { sha256OfBlob } from "./hash.js";
import { randomId } from "./identifiers.js";
import { hasTaken, record } from "./records.js";
import * as store from "./store.js";

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./types.js").Claims} Claims */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */

/** @typedef {Pick<Step, "stepId" | "type" | "title">} AskedStep */

/** How the bytes came to be. */
/** @typedef {"camera" | "recorder" | "file" | "drawn" | "typed" | "entered"} Origin */

/**
 * Called at the shutter, once for each capture: stores it as a draft, with its digest.
 * @param {Session} session
 * @param {AskedStep} step
 * @param {{ bytes: Blob, name?: string, at: Date, origin: Origin, recorded?: Capture }} shot `recorded`: the capture of a
 *   recording, whose parts are in the store
 * @param {(share: number) => void} [progress] of the digest
 * @param {(draft: Capture) => void} [stored] called when the bytes are safe, before the digest
 * @returns {Promise<Capture>}
 * @throws {import("./store.js").StorageFull}
 */
export async function captured(session, step, { bytes, name, at, recorded }, progress, stored) {
    const media = await mediaOf(bytes);
    const data = name || `${nameFor(step.type, at)}.${media ? ENDINGS[media] : "bin"}`;
    const thumbnail = media?.startsWith("image/") ? await thumbnailOf(bytes) : null;
    const what = { data, media, size: bytes.size, thumbnail };
    const fresh = recorded ?? newCapture(session, step, { ...what, at });
    // The case may have been opened since the recording began.
    const capture = { ...fresh, ...what, caseId: fresh.caseId ?? session.caseId };
    // The bytes are safe before the digest is computed, which takes seconds for a long video.
    await store.addCapture(capture, bytes);
    stored?.(capture);
    capture.sha256 = await sha256OfBlob(bytes, progress);
    // If the device has become full in between, the bytes are safe all the same; `keep` writes the digest again.
    await store.changeCapture(capture.captureId, { sha256: capture.sha256 }).catch(() => {});
    void askToPersist();
    await session.reload();
    return capture;
}

/**
 * Stores an entered value; it is to be sent at once.
 * @param {Session} session
 * @param {Step} step
 * @param {string} data
 */
export async function entered(session, step, data) {
    const capture = newCapture(session, step, { data, at: new Date(), media: null, size: 0, thumbnail: null });
    await store.addCapture({ ...capture, state: "waiting" }, null);
    void askToPersist();
    await session.reload();
}

/**
 * The person keeps a draft: it is sent.
 * @param {Session} session
 * @param {Capture} capture
 * @param {Position | null} position
 */
export async function keep(session, capture, position) {
    const { captureId, caseId, sha256 } = capture;
    await record(session.link, caseId, fileEvents(session, capture, "taken", new Date()), {
        captureId,
        from: ["draft"],
        to: { state: "waiting", position, sha256 },
    });
    await session.reload();
}

/**
 * The person takes it again or discards it.
 * @param {Session} session
 * @param {Capture} capture
 * @param {Date} [at]
 * @param {Promise<unknown>} [digest] of a draft; the person does not wait for it
 */
export async function discard(session, capture, at = new Date(), digest = Promise.resolve()) {
    const { captureId, caseId, state } = capture;
    if (state === "draft" && capture.sha256 === null) {
        session.captures = session.captures.filter((one) => one.captureId !== captureId);
        await store.changeCapture(captureId, { state: "discarded", discardedAt: localTime(at) });
        void digest.catch(() => {}).then(() => finishDiscarded(session));
    } else {
        const events =
            state === "draft" ? fileEvents(session, capture, "retaken", at) : await deletion(session, capture, at);
        await record(session.link, caseId, events, { captureId, from: [state], to: null });
    }
    await session.reload();
}

/**
 * Deletes the drafts that were discarded before their digest was there, and records it.
 * @param {Session} session
 */
export async function finishDiscarded(session) {
    for (const capture of await store.readDiscarded(session.link)) {
        const { captureId, caseId } = capture;
        const sha256 = capture.sha256 ?? (await digestOf(captureId));
        const at = capture.discardedAt ?? localTime(new Date());
        // Bytes that cannot be read any more have no digest, so there is nothing to record.
        const events = sha256 === null ? [] : fileEvents(session, { ...capture, sha256 }, "retaken", at);
        await record(session.link, caseId, events, { captureId, from: ["discarded"], to: null });
    }
}

/**
 * Keeps the signatures that a page was storing when it ended: the person had decided to use them. If the person has
 * signed again since, the earlier one is discarded.
 * @param {Session} session
 * @returns {Promise<boolean>} whether there were any
 */
export async function keepSignatures(session) {
    const drafts = session.current.filter((one) => one.type === "SIGNATURE" && one.state === "draft");
    for (const draft of drafts) {
        const { stepId, order } = draft;
        const isReplaced = session.capturesOf(stepId).some((one) => one.state !== "draft" && one.order > order);
        const sha256 = draft.sha256 ?? (await digestOf(draft.captureId));
        if (isReplaced || sha256 === null) await discard(session, draft);
        else await keep(session, { ...draft, sha256 }, null);
    }
    return drafts.length > 0;
}

/** @param {string} captureId */
async function digestOf(captureId) {
    try {
        const bytes = await store.readBytes(captureId);
        return bytes && (await sha256OfBlob(bytes));
    } catch {
        return null;
    }
}

/**
 * A refused capture is sent once more, as a new one.
 * @param {Session} session
 * @param {Capture} capture
 */
export async function sendAgain(session, capture) {
    const { caseId } = session;
    const at = new Date();
    const again = { ...capture, captureId: randomId(), caseId, state: /** @type {const} */ ("waiting"), message: null };
    const heir = { ...again, uploadUrl: null, item: null, receipt: null };
    const events = [...(await deletion(session, capture, at)), ...fileEvents(session, heir, "taken", at)];
    await record(session.link, caseId, events, { captureId: capture.captureId, from: [capture.state], to: null, heir });
    await session.reload();
}

/**
 * What is recorded about a file. There is nothing for an entered value: the digest of a short value reveals it.
 * @param {Session} session
 * @param {Capture} capture
 * @param {"taken" | "retaken"} event
 * @param {Date | string} at
 * @returns {Claims[]}
 */
function fileEvents(session, { captureId, caseId, stepId, type, sha256, size }, event, at) {
    if (!takesFile(type) || sha256 === null || isClosed(session, caseId)) return [];
    return [{ event, at: typeof at === "string" ? at : localTime(at), captureId, stepId, sha256, size }];
}

/**
 * @param {Session} session
 * @param {Capture} capture kept, and not stored at the server
 * @param {Date} at
 * @returns {Promise<Claims[]>}
 */
async function deletion(session, { captureId, caseId, item }, at) {
    // With another receipt than expected the server has the file all the same.
    if (item !== null || isClosed(session, caseId) || !(await hasTaken(session.link, captureId))) return [];
    return [{ event: "deleted", at: localTime(at), captureId }];
}

/**
 * A closed case takes no more records.
 * @param {Session} session
 * @param {number | null} caseId
 */
function isClosed(session, caseId) {
    return caseId !== null && caseId === session.caseId && session.openCase?.closed === true;
}

/**
 * @param {Session} session
 * @param {AskedStep} step
 * @param {Pick<Capture, "data" | "media" | "size" | "thumbnail"> & { at: Date }} what
 * @returns {Capture}
 */
export function newCapture(session, step, { at, ...what }) {
    return {
        ...what,
        captureId: randomId(),
        link: session.link,
        caseId: session.caseId,
        quick: session.quickFrame,
        stepId: step.stepId,
        type: step.type,
        stepTitle: step.title,
        state: "draft",
        order: at.getTime(),
        frontCreatedAt: localTime(at),
        sha256: null,
        position: null,
        uploadUrl: null,
        message: null,
        item: null,
        receipt: null,
    };
}

/**
 * ISO 8601 with milliseconds and the offset of the device's time zone.
 * @param {Date} date
 */
export function localTime(date) {
    const offset = -date.getTimezoneOffset();
    const two = (/** @type {number} */ value) => String(Math.floor(Math.abs(value))).padStart(2, "0");
    const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
    return `${local}${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
}

/**
 * @param {string} type
 * @param {Date} at
 */
function nameFor(type, at) {
    const stamp = localTime(at).slice(0, 23).replaceAll(":", "").replace(/[T.]/g, "-");
    return `${type === "PHOTOGRAPHY" ? "photo" : type === "DOCUMENT_UPLOAD" ? "document" : type.toLowerCase()}-${stamp}`;
}

/** Asks the browser not to clear the page's data when space is short. Its answer changes nothing here. */
async function askToPersist() {
    try {
        await navigator.storage?.persist?.();
    } catch {
        // Some browsers refuse without a prompt.
    }
}
