// Sends one file by tus 1.0, in pieces, and goes on where an earlier attempt stopped.

import { ApiError } from "./api.js";
import { sha256, toBase64 } from "./hash.js";

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./api.js").Api} Api */

const VERSION = { "Tus-Resumable": "1.0.0" };
const SMALLEST_PIECE = 64 * 1024;
const PIECE_TIMEOUT = 120_000;

/** Adapts to the line, and is remembered from file to file: a broken connection loses at most one piece. */
let pieceBytes = 1024 * 1024;

/** The stored bytes cannot be read any more. */
export class Unreadable extends Error {}

/**
 * @typedef {object} Sent
 * @property {{ itemId: number, cfRef: string } | null} item
 * @property {string | null} receipt
 */

/**
 * @param {Api} api
 * @param {Capture & { caseId: number, sha256: string }} capture
 * @param {Blob} bytes
 * @param {number} largestPiece
 * @param {(url: string) => Promise<void>} created stores the address of the upload
 * @param {(sent: number) => void} progress
 * @returns {Promise<Sent>} with item null, the server has not made the item yet
 */
export async function sendFile(api, capture, bytes, largestPiece, created, progress) {
    let url = capture.uploadUrl;
    let offset = url ? await offsetOf(api, url) : null;
    for (let attempt = 1; ; attempt += 1) {
        if (url === null || offset === null) {
            const upload = await create(api, capture, bytes.size);
            url = upload.url;
            await created(url);
            // The server may know this capture from an attempt whose answer was lost.
            offset = upload.offset ?? (await offsetOf(api, url)) ?? 0;
        }
        try {
            await sendFrom(api, url, offset, bytes, largestPiece, progress);
            return await result(api, url);
        } catch (error) {
            if (!(error instanceof ApiError) || attempt >= 5) throw error;
            if (error.status === 409 || error.status === 460) offset = await offsetOf(api, url);
            else if (error.status === 404 || error.status === 410) offset = null;
            else throw error;
        }
    }
}

/**
 * What the server says about an upload.
 * @param {Api} api
 * @param {string} url
 * @returns {Promise<Sent>}
 */
export async function result(api, url) {
    const { item = null, receipt = null } = await api.get(url);
    return { item, receipt };
}

/**
 * @param {Api} api
 * @param {Capture} capture
 * @param {number} length
 */
async function create(api, capture, length) {
    const { position } = capture;
    const metadata = {
        caseId: capture.caseId,
        stepId: capture.stepId,
        captureId: capture.captureId,
        filename: capture.data,
        sha256: capture.sha256,
        frontCreatedAt: capture.frontCreatedAt,
        latitude: position && degrees(position.latitude),
        longitude: position && degrees(position.longitude),
        accuracy: position && String(Math.round(position.accuracy * 10) / 10),
        clientAppName: "Sealwright capture",
        clientAppVersion: "1",
    };
    const pairs = Object.entries(metadata)
        .filter(([, value]) => value !== null && value !== "")
        .map(([key, value]) => `${key} ${toBase64(new TextEncoder().encode(String(value)))}`);
    const headers = { ...VERSION, "Upload-Length": String(length), "Upload-Metadata": pairs.join(",") };
    const response = await api.send("/v2/uploads", { method: "POST", headers });
    const location = response.headers.get("Location");
    if (!location) throw new ApiError(502, "the server named no address for the upload", null);
    // Behind a proxy the server may know another name of itself; the page's policy allows only its own host.
    const url = new URL(location, globalThis.location.href).pathname;
    const offset = response.headers.get("Upload-Offset");
    return { url, offset: offset === null ? null : Number(offset) };
}

/**
 * Decimal degrees as plain text, without an exponent.
 * @param {number} value
 */
export function degrees(value) {
    return value.toFixed(7).replace(/\.?0+$/, "");
}

/**
 * @param {Api} api
 * @param {string} url
 * @returns {Promise<number | null>} null if the upload is gone
 */
async function offsetOf(api, url) {
    try {
        const response = await api.send(url, { method: "HEAD", headers: VERSION });
        const offset = Number(response.headers.get("Upload-Offset"));
        return Number.isSafeInteger(offset) ? offset : null;
    } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return null;
        throw error;
    }
}

/**
 * @param {Api} api
 * @param {string} url
 * @param {number} offset
 * @param {Blob} bytes
 * @param {number} largestPiece
 * @param {(sent: number) => void} progress
 */
async function sendFrom(api, url, offset, bytes, largestPiece, progress) {
    progress(offset);
    while (offset < bytes.size) {
        pieceBytes = Math.max(SMALLEST_PIECE, Math.min(pieceBytes, largestPiece));
        const piece = await read(bytes.slice(offset, offset + pieceBytes));
        const started = Date.now();
        try {
            await patch(api, url, offset, piece);
        } catch (error) {
            pieceBytes /= 2;
            throw error;
        }
        const seconds = (Date.now() - started) / 1000;
        if (seconds < 4) pieceBytes *= 2;
        else if (seconds > 15) pieceBytes /= 2;
        offset += piece.length;
        progress(offset);
    }
}

/** @param {Blob} slice */
async function read(slice) {
    try {
        return new Uint8Array(await slice.arrayBuffer());
    } catch {
        throw new Unreadable();
    }
}

/**
 * @param {Api} api
 * @param {string} url
 * @param {number} offset
 * @param {Uint8Array<ArrayBuffer>} piece
 */
async function patch(api, url, offset, piece) {
    const headers = {
        ...VERSION,
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": String(offset),
        "Upload-Checksum": `sha256 ${toBase64(await sha256(piece))}`,
    };
    await api.send(url, { method: "PATCH", headers, body: piece, timeout: PIECE_TIMEOUT });
}
