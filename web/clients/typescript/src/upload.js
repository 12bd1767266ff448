// Sends a file in pieces, by tus 1.0 (https://tus.io/protocols/resumable-upload).

import { ApiError } from "./errors.js";
import { isConnectionFailure, pause } from "./transport.js";

/**
 * @typedef {object} FileDescription What is said about the file.
 * @property {number} caseId
 * @property {number} stepId
 * @property {string} filename
 * @property {string} frontCreatedAt When it was captured, by the clock of the application: RFC 3339 with an offset.
 * @property {string} [latitude] Required for photos and videos.
 * @property {string} [longitude] Required for photos and videos.
 * @property {string} [accuracy]
 * @property {string} [captureId] A UUID v4. A second upload with the same one continues the first, also in another
 * process. The client makes one if there is none.
 * @property {string} [sha256] The digest of the whole file in hexadecimal.
 * @property {string} [clientAppName]
 * @property {string} [clientAppVersion]
 */

/**
 * @typedef {object} UploadOptions
 * @property {number} [pieceSize] In bytes. 4 MiB by default.
 * @property {(sent: number, size: number) => void} [onProgress] Called after each piece.
 * @property {number} [failures] How often in a row the upload may fail without progress. 8 by default.
 * @property {AbortSignal} [signal]
 */

const PIECE = 4 * 1024 * 1024;
/** The longest pause after a failure, in seconds. */
const LONGEST_PAUSE = 30;
const TUS = { "Tus-Resumable": "1.0.0" };

/**
 * @param {import("./client.js").Client} client
 * @param {Blob} file
 * @param {FileDescription} description
 * @param {UploadOptions} [options]
 * @returns {Promise<import("./schema.js").UploadView>}
 */
export async function upload(client, file, description, options = {}) {
    const { pieceSize = PIECE, onProgress, failures: allowed = 8, signal } = options;
    const created = await client.file(creation(file, description), { signal });
    await created.body?.cancel();
    const key = keyOf(created);
    const path = `/v2/uploads/${key}`;
    let offset = offsetOf(created);
    let failures = 0;
    while (offset < file.size) {
        try {
            const bytes = file.slice(offset, offset + pieceSize);
            const headers = { ...TUS, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" };
            const answer = await client.file({ method: "PATCH", path, bytes, headers }, { signal });
            await answer.body?.cancel();
            offset = offsetOf(answer);
            failures = 0;
        } catch (error) {
            failures += 1;
            if (failures > allowed || signal?.aborted || !canContinue(error)) {
                throw error;
            }
            await pause(Math.min(0.25 * 2 ** failures, LONGEST_PAUSE), signal);
            const answer = await client.file({ method: "HEAD", path, headers: TUS }, { signal });
            const arrived = offsetOf(answer);
            failures = arrived > offset ? 0 : failures;
            offset = arrived;
        }
        onProgress?.(offset, file.size);
    }
    return client.readUpload(key, { signal });
}

/**
 * The request that announces the file. It can be repeated because of its `captureId`.
 *
 * @param {Blob} file
 * @param {FileDescription} description
 */
function creation(file, description) {
    const metadata = Object.entries({ captureId: crypto.randomUUID(), ...withoutUndefined(description) });
    const pairs = metadata.map(([name, value]) => `${name} ${base64(String(value))}`);
    const headers = { ...TUS, "Upload-Length": String(file.size), "Upload-Metadata": pairs.join(",") };
    return { method: "POST", path: "/v2/uploads", headers, isRepeatable: true };
}

/** @param {object} fields @returns {Record<string, unknown>} */
function withoutUndefined(fields) {
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The key of the upload. Only this part of `Location` is used, so that the token goes to no other server.
 *
 * @param {Response} created
 * @returns {string}
 */
function keyOf(created) {
    const key = created.headers.get("Location")?.split("/").pop();
    if (!key) {
        throw new Error("the answer to an announced upload has no Location");
    }
    return encodeURIComponent(key);
}

/** @param {Response} answer @returns {number} */
function offsetOf(answer) {
    const offset = Number(answer.headers.get("Upload-Offset") ?? Number.NaN);
    if (!Number.isSafeInteger(offset) || offset < 0) {
        throw new Error("the answer has no Upload-Offset");
    }
    return offset;
}

/**
 * Whether asking for the offset and continuing can help: after a failure of the connection or the server, and if another
 * request has moved the offset.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
function canContinue(error) {
    return isConnectionFailure(error) || (error instanceof ApiError && (error.status >= 500 || [408, 409, 460].includes(error.status)));
}

/** @param {string} text @returns {string} */
function base64(text) {
    return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
