// What this device keeps, in IndexedDB. Every write is finished, on disk, before its promise is fulfilled.
//
// A capture and its bytes are in two stores, so that lists are read without the bytes. Both are written in one
// transaction. Browsers close a database under memory pressure; the next call opens it again.

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./types.js").Remembered} Remembered */

const NAME = "sealwright-capture";

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
        const request = indexedDB.open(NAME, 1);
        request.onupgradeneeded = () => {
            const db = request.result;
            db.createObjectStore("links", { keyPath: "link" });
            db.createObjectStore("captures", { keyPath: "captureId" }).createIndex("link", "link");
            db.createObjectStore("bytes");
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
        const db = await database();
        /** @type {IDBTransaction} */
        let transaction;
        try {
            transaction = db.transaction(stores, mode, { durability: "strict" });
        } catch (error) {
            // InvalidStateError: the connection was closed. It may also close before `onclose` is called.
            forget();
            if (attempt < 3) continue;
            throw error;
        }
        try {
            return await finished(transaction, work);
        } catch (error) {
            if (isFull(error)) throw new StorageFull();
            const closed = error instanceof DOMException && ["InvalidStateError", "AbortError"].includes(error.name);
            if (!closed || attempt >= 3) throw error;
            forget();
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
        try {
            request = work(transaction);
        } catch (error) {
            try {
                transaction.abort();
            } catch {
                // It has ended already.
            }
            reject(error);
        }
    });
}

/** @param {unknown} error */
function isFull(error) {
    return error instanceof DOMException && error.name === "QuotaExceededError";
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
 * All captures of a link, in the order in which they were taken.
 * @param {string} link
 * @returns {Promise<Capture[]>}
 */
export async function readCaptures(link) {
    /** @type {Capture[]} */
    const found = await run("readonly", ["captures"], (transaction) =>
        transaction.objectStore("captures").index("link").getAll(link),
    );
    return found.sort((one, other) => one.order - other.order);
}

/**
 * Stores a new capture together with its bytes.
 * @param {Capture} capture
 * @param {Blob | null} bytes
 * @throws {StorageFull}
 */
export async function addCapture(capture, bytes) {
    const write = (/** @type {Blob | ArrayBuffer | null} */ value) =>
        run("readwrite", ["captures", "bytes"], (transaction) => {
            transaction.objectStore("captures").add(capture);
            if (value) transaction.objectStore("bytes").add(value, capture.captureId);
        });
    try {
        await write(bytes);
    } catch (error) {
        // Private windows of some browsers store no Blob, but the same bytes as a buffer.
        const refusesBlobs = error instanceof DOMException && ["DataCloneError", "UnknownError"].includes(error.name);
        if (!bytes || !refusesBlobs) throw error;
        await write(await bytes.arrayBuffer());
    }
    if (bytes && (await readBytes(capture.captureId))?.size !== bytes.size) {
        throw new DOMException("the stored bytes could not be read again", "DataError");
    }
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
 * Gives all captures without a case to this case.
 * @param {string} link
 * @param {number} caseId
 */
export async function assignCase(link, caseId) {
    await run("readwrite", ["captures"], (transaction) => {
        const walk = transaction.objectStore("captures").index("link").openCursor(link);
        walk.onsuccess = () => {
            const cursor = walk.result;
            if (!cursor) return;
            if (cursor.value.caseId === null) cursor.update({ ...cursor.value, caseId });
            cursor.continue();
        };
    });
}

/** @param {string} captureId */
export async function deleteCapture(captureId) {
    await run("readwrite", ["captures", "bytes"], (transaction) => {
        transaction.objectStore("captures").delete(captureId);
        transaction.objectStore("bytes").delete(captureId);
    });
}
