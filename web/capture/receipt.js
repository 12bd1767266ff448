// Receipts: what the server says it stored. Its signature is for judges; this page compares the content.

/** @typedef {import("./types.js").Capture} Capture */

/**
 * @param {string} compact a compact JWS
 * @returns {Record<string, unknown> | null} its payload; null if it is not one
 */
export function payloadOf(compact) {
    try {
        const part = compact.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
        const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
        const payload = JSON.parse(new TextDecoder().decode(bytes));
        return typeof payload === "object" ? payload : null;
    } catch {
        return null;
    }
}

/**
 * Whether the receipt is for exactly the bytes that were taken: only then the device's copy may be deleted.
 * @param {string} compact
 * @param {Capture} capture
 */
export function matches(compact, capture) {
    const payload = payloadOf(compact);
    return (
        payload !== null &&
        capture.sha256 !== null &&
        payload.captureId === capture.captureId &&
        String(payload.sha256).toLowerCase() === capture.sha256 &&
        payload.size === capture.size
    );
}
