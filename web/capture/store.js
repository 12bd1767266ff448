// What this device keeps, in IndexedDB. Every write is finished, on disk, before its promise is fulfilled.
//
// A capture and its bytes are in two stores, so that lists are read without the bytes. Both are written in one
// transaction, and so is what is recorded about the change. Browsers close a database under memory pressure; the next
// call opens it again.

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./types.js").CaptureState} CaptureState */
/** @typedef {import("./types.js").Chain} Chain */
/** @typedef {import("./types.js").Recorded} Recorded */
/** @typedef {import("./types.js").Remembered} Remembered */

const NAME = "sealwright-capture";
/** A browser that has not stored a tiny Blob after this time stores none. */
const PROBE_PATIENCE = 2_000;

/** The device has no room for more. */
export class StorageFull extends Error {
    constructor() {
        super("storage is full");
        this.name = "StorageFull";
    }
}

/** @type {Promise<IDBDatabase> | null} */
let opening = null;

function database() {
    opening ??= new Promise((resolve, reject) => {
        const request = indexedDB.open(NAME, 3);
        request.onupgradeneeded = ({ oldVersion }) => {
            const db = request.result;
            if (oldVersion < 1) {
                db.createObjectStore("links", { keyPath: "link" });
                db.createObjectStore("captures", { keyPath: "captureId" }).createIndex("link", "link");
                db.createObjectStore("bytes");
            }
            if (oldVersion < 2) {
                db.createObjectStore("records", { keyPath: "order", autoIncrement: true }).createIndex("link", "link");
                db.createObjectStore("chains", { keyPath: ["link", "caseId"] });
            }
            db.createObjectStore("recordings", { keyPath: "captureId" }).createIndex("link", "link");
            db.createObjectStore("parts");
        };
        request.onsuccess = () => {
            const db = request.result;
            db.onclose = forget;
            db.onversionchange = () => {
                db.close();
                forget();
            };
            resolve(db);
        };
        request.onerror = () => {
            forget();
            reject(request.error);
        };
    });
    return opening;
}

function forget() {
    opening = null;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {string[]} stores
 * @param {(transaction: IDBTransaction) => IDBRequest<T> | void} work
 * @returns {Promise<T>}
 */
async function run(mode, stores, work) {
    for (let attempt = 1; ; attempt += 1) {
        try {
            const db = await database();
            return await finished(db.transaction(stores, mode, { durability: "strict" }), work);
        } catch (error) {
            if (isFull(error)) throw new StorageFull();
            if (!isLost(error) || attempt >= 3) throw error;
            forget();
            // The browser needs a moment to start the process behind the database again.
            await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
        }
    }
}

/**
 * @template T
 * @param {IDBTransaction} transaction
 * @param {(transaction: IDBTransaction) => IDBRequest<T> | void} work
 * @returns {Promise<T>}
 */
function finished(transaction, work) {
    return new Promise((resolve, reject) => {
        /** @type {IDBRequest<T> | void} */
        let request;
        transaction.oncomplete = () => resolve(/** @type {T} */ (request?.result));
        transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "AbortError"));
        const abandon = (/** @type {unknown} */ error) => {
            reject(error);
            try {
                transaction.abort();
            } catch {
                // It has ended already.
            }
        };
        // Safari does not always end a transaction by itself after an error.
        transaction.onerror = ({ target }) => abandon(/** @type {IDBRequest} */ (target).error);
        try {
            request = work(transaction);
        } catch (error) {
            abandon(error);
        }
    });
}

/** @param {unknown} error */
function isFull(error) {
    return error instanceof DOMException && error.name === "QuotaExceededError";
}

/**
 * The connection was closed, which may happen before `onclose` is called, or the process behind it has ended. Safari
 * reports the second as an unknown error.
 * @param {unknown} error
 */
function isLost(error) {
    return error instanceof DOMException && ["InvalidStateError", "AbortError", "UnknownError"].includes(error.name);
}

/**
 * @param {string} link
 * @returns {Promise<Remembered | undefined>}
 */
export function readLink(link) {
    return run("readonly", ["links"], (transaction) => transaction.objectStore("links").get(link));
}

/** @param {Remembered} remembered */
export async function writeLink(remembered) {
    await run("readwrite", ["links"], (transaction) => transaction.objectStore("links").put(remembered));
}

/**
 * All captures of a link, in the order in which they were taken, without those that the person discarded.
 * @param {string} link
 * @returns {Promise<Capture[]>}
 */
export async function readCaptures(link) {
    const found = await readAll(link);
    return found.filter((one) => one.state !== "discarded").sort((one, other) => one.order - other.order);
}

/**
 * The discarded captures of a link that are not deleted yet.
 * @param {string} link
 */
export async function readDiscarded(link) {
    return (await readAll(link)).filter((one) => one.state === "discarded");
}

/**
 * @param {string} link
 * @returns {Promise<Capture[]>}
 */
function readAll(link) {
    return run("readonly", ["captures"], (transaction) =>
        transaction.objectStore("captures").index("link").getAll(link),
    );
}

/** @type {Promise<boolean> | null} */
let probing = null;

/**
 * Whether the browser stores a Blob. Private windows of Safari do not, and a Blob that they refuse can block every later
 * transaction of its database. So it is tried in another database.
 */
function takesBlobs() {
    probing ??= new Promise((/** @type {(takes: boolean) => void} */ resolve) => {
        setTimeout(() => resolve(false), PROBE_PATIENCE);
        const request = indexedDB.open(`${NAME}-probe`, 1);
        request.onupgradeneeded = () => request.result.createObjectStore("blobs");
        request.onerror = () => resolve(false);
        request.onsuccess = () => {
            const db = request.result;
            try {
                const transaction = db.transaction(["blobs"], "readwrite");
                transaction.oncomplete = () => {
                    db.close();
                    resolve(true);
                };
                transaction.onerror = transaction.onabort = () => resolve(false);
                transaction.objectStore("blobs").put(new Blob(["x"]), 0);
            } catch {
                resolve(false);
            }
        };
    });
    return probing;
}

/**
 * Stores a new capture together with its bytes. The parts of its recording are deleted.
 * @param {Capture} capture
 * @param {Blob | null} bytes
 * @throws {StorageFull}
 */
export async function addCapture(capture, bytes) {
    const asBlob = bytes === null || (await takesBlobs());
    // The thumbnail is a Blob, too.
    const row = asBlob ? capture : { ...capture, thumbnail: null };
    const value = asBlob ? bytes : await bytes.arrayBuffer();
    await run("readwrite", ["captures", "bytes", "recordings", "parts"], (transaction) => {
        forgetRecording(transaction, capture.captureId);
        // Not `add`: the transaction may be repeated although the first one was written.
        transaction.objectStore("captures").put(row);
        if (value) transaction.objectStore("bytes").put(value, capture.captureId);
    });
    if (bytes && (await readBytes(capture.captureId))?.size !== bytes.size) {
        throw new DOMException("the stored bytes could not be read again", "DataError");
    }
}

/**
 * Stores the capture of a recording that has just begun. It is not in the list of captures.
 * @param {Capture} capture
 */
export async function addRecording(capture) {
    await run("readwrite", ["recordings"], (transaction) => transaction.objectStore("recordings").put(capture));
}

/**
 * Stores the next part of a recording, and its position as soon as there is one.
 * @param {Capture} capture
 * @param {number} index
 * @param {ArrayBuffer} part
 * @throws {StorageFull}
 */
export async function addPart(capture, index, part) {
    await run("readwrite", ["recordings", "parts"], (transaction) => {
        transaction.objectStore("recordings").put(capture);
        transaction.objectStore("parts").put(part, [capture.captureId, index]);
    });
}

/**
 * The recordings of a link that are running, or that have not ended.
 * @param {string} link
 * @returns {Promise<Capture[]>}
 */
export function readRecordings(link) {
    return run("readonly", ["recordings"], (transaction) =>
        transaction.objectStore("recordings").index("link").getAll(link),
    );
}

/**
 * What is stored of a recording.
 * @param {string} captureId
 */
export async function readParts(captureId) {
    /** @type {ArrayBuffer[]} */
    const parts = await run("readonly", ["parts"], (transaction) =>
        transaction.objectStore("parts").getAll(partsOf(captureId)),
    );
    return new Blob(parts, { type: "video/mp4" });
}

/** @param {string} captureId */
export async function deleteRecording(captureId) {
    await run("readwrite", ["recordings", "parts"], (transaction) => forgetRecording(transaction, captureId));
}

/**
 * @param {IDBTransaction} transaction
 * @param {string} captureId
 */
function forgetRecording(transaction, captureId) {
    transaction.objectStore("recordings").delete(captureId);
    transaction.objectStore("parts").delete(partsOf(captureId));
}

/** @param {string} captureId */
function partsOf(captureId) {
    return IDBKeyRange.bound([captureId], [captureId, Infinity]);
}

/**
 * @param {string} captureId
 * @returns {Promise<Blob | null>}
 */
export async function readBytes(captureId) {
    const found = await run("readonly", ["bytes"], (transaction) => transaction.objectStore("bytes").get(captureId));
    if (found instanceof Blob) return found;
    return found instanceof ArrayBuffer ? new Blob([found]) : null;
}

/**
 * Changes a capture, in one transaction with reading it. Nothing happens if it is not in the store any more.
 * @param {string} captureId
 * @param {Partial<Capture>} change
 * @param {boolean} [deleteBytes]
 */
export async function changeCapture(captureId, change, deleteBytes = false) {
    await run("readwrite", ["captures", "bytes"], (transaction) => {
        const captures = transaction.objectStore("captures");
        const reading = captures.get(captureId);
        reading.onsuccess = () => {
            if (reading.result) captures.put({ ...reading.result, ...change });
        };
        if (deleteBytes) transaction.objectStore("bytes").delete(captureId);
    });
}

/**
 * Gives all captures without a case to this case, and what is recorded about them.
 * @param {string} link
 * @param {number} caseId
 */
export async function assignCase(link, caseId) {
    await run("readwrite", ["captures", "records"], (transaction) => {
        for (const name of ["captures", "records"]) {
            const walk = transaction.objectStore(name).index("link").openCursor(link);
            walk.onsuccess = () => {
                const cursor = walk.result;
                if (!cursor) return;
                if (cursor.value.caseId === null) cursor.update({ ...cursor.value, caseId });
                cursor.continue();
            };
        }
    });
}

/**
 * A change of one capture. It happens only if the capture is still in one of the states `from`: another tab may have
 * changed it.
 * @typedef {object} Change
 * @property {string} captureId
 * @property {CaptureState[]} from
 * @property {Partial<Capture> | null} to null deletes it
 * @property {Capture} [heir] a new capture that gets the bytes
 */

/**
 * New records, and the chain that they continue.
 * @typedef {object} Signed
 * @property {Chain} chain as it was when they were signed
 * @property {Recorded[]} rows
 * @property {Pick<Chain, "head" | "next">} after
 */

/**
 * Changes a capture and writes what is recorded about it, in one transaction.
 * @param {Change | null} change
 * @param {Recorded[] | Signed} what
 * @returns {Promise<"done" | "gone" | "behind">} `gone`: the capture is not in such a state any more; `behind`: the
 *   chain has another head or the capture another case than at the signature. Nothing was written then.
 */
export async function commit(change, what) {
    const signed = Array.isArray(what) ? null : what;
    const rows = Array.isArray(what) ? what : what.rows;
    /** @type {"done" | "gone" | "behind"} */
    let outcome = "gone";
    await run("readwrite", ["captures", "bytes", "records", "chains"], (transaction) => {
        outcome = "gone";
        const chains = transaction.objectStore("chains");

        const write = (/** @type {Capture | null} */ capture) => {
            outcome = "done";
            if (change && capture) apply(transaction, capture, change);
            const records = transaction.objectStore("records");
            // The case may have been opened since the caller read the capture.
            for (const row of rows) records.put({ ...row, caseId: capture?.caseId ?? row.caseId });
        };
        const compare = (/** @type {Capture | null} */ capture) => {
            if (!signed) {
                write(capture);
                return;
            }
            const { link, caseId, session, head } = signed.chain;
            const reading = chains.get([link, caseId]);
            reading.onsuccess = () => {
                /** @type {Chain | undefined} */
                const now = reading.result;
                if (now?.session !== session || now.head !== head || (capture && capture.caseId !== caseId)) {
                    outcome = "behind";
                    return;
                }
                chains.put({ ...now, ...signed.after });
                write(capture);
            };
        };
        if (!change) {
            compare(null);
            return;
        }
        const reading = transaction.objectStore("captures").get(change.captureId);
        reading.onsuccess = () => {
            if (reading.result && change.from.includes(reading.result.state)) compare(reading.result);
        };
    });
    return outcome;
}

/**
 * @param {IDBTransaction} transaction
 * @param {Capture} capture
 * @param {Change} change
 */
function apply(transaction, capture, { captureId, to, heir }) {
    const captures = transaction.objectStore("captures");
    const bytes = transaction.objectStore("bytes");
    if (heir) {
        captures.add(heir);
        const reading = bytes.get(captureId);
        reading.onsuccess = () => {
            if (reading.result !== undefined) bytes.add(reading.result, heir.captureId);
        };
    }
    if (to) {
        captures.put({ ...capture, ...to });
    } else {
        captures.delete(captureId);
        bytes.delete(captureId);
    }
}

/**
 * What is recorded for a link, oldest first.
 * @param {string} link
 * @returns {Promise<Recorded[]>}
 */
export function readRecords(link) {
    return run("readonly", ["records"], (transaction) => transaction.objectStore("records").index("link").getAll(link));
}

/**
 * @param {string} link
 * @param {number} caseId
 * @returns {Promise<Chain | undefined>}
 */
export function readChain(link, caseId) {
    return run("readonly", ["chains"], (transaction) => transaction.objectStore("chains").get([link, caseId]));
}

/**
 * Stores a new chain. If another tab was faster, its chain stays.
 * @param {Chain} chain
 */
export async function addChain(chain) {
    await run("readwrite", ["chains"], (transaction) => {
        const adding = transaction.objectStore("chains").add(chain);
        adding.onerror = (event) => {
            if (adding.error?.name !== "ConstraintError") return;
            event.preventDefault();
            event.stopPropagation();
        };
    });
}

/**
 * Changes a chain, unless another one has taken its place.
 * @param {Chain} chain
 * @param {Partial<Chain>} change
 */
export async function changeChain({ link, caseId, session }, change) {
    await run("readwrite", ["chains"], (transaction) => {
        const chains = transaction.objectStore("chains");
        const reading = chains.get([link, caseId]);
        reading.onsuccess = () => {
            if (reading.result?.session === session) chains.put({ ...reading.result, ...change });
        };
    });
}

/**
 * Puts another chain in the place of one that the server does not accept. Some of the records that the server does not
 * have become unsigned again: those of captures that are still to be sent, and the deletions of announced captures,
 * which the server would expect for ever. The others are deleted.
 * @param {Chain} old
 * @param {Chain} fresh
 */
export async function replaceChain(old, fresh) {
    await run("readwrite", ["captures", "records", "chains"], (transaction) => {
        const chains = transaction.objectStore("chains");
        const captures = transaction.objectStore("captures");
        const reading = chains.get([old.link, old.caseId]);
        reading.onsuccess = () => {
            /** @type {Chain | undefined} */
            const now = reading.result;
            if (now?.session !== old.session) return;
            chains.put(fresh);
            const announced = new Set();
            const walk = transaction.objectStore("records").index("link").openCursor(old.link);
            walk.onsuccess = () => {
                const cursor = walk.result;
                if (!cursor) return;
                /** @type {Recorded} */
                const row = cursor.value;
                const { event, captureId = "" } = row.claims;
                if (row.session !== old.session || (row.sequence ?? 0) < now.stored) {
                    if (row.jws !== null && event === "taken") announced.add(captureId);
                    cursor.continue();
                    return;
                }
                const finding = captures.get(captureId);
                finding.onsuccess = () => {
                    const here = event === "taken" && ["waiting", "refused"].includes(finding.result?.state);
                    if (here || (event === "deleted" && announced.has(captureId)))
                        cursor.update({ ...row, session: null, sequence: null, jws: null });
                    else cursor.delete();
                    cursor.continue();
                };
            };
        };
    });
}
