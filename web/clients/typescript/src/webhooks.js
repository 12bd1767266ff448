// Checks that a webhook comes from the server, before its body is parsed. Each function answers whether it does. Give
// them the body as it arrived: parsing and writing the JSON again changes its bytes.

/**
 * @typedef {Uint8Array | string} Body
 * @typedef {Headers | Record<string, string | string[] | undefined>} ReceivedHeaders
 */

/** The largest difference of clocks by default, in seconds. */
const TOLERANCE = 300;

/**
 * The mode `hmac-sha256`.
 *
 * @param {Body} body
 * @param {ReceivedHeaders} headers
 * @param {{ apiKey: string, secret: string }} credentials
 * @returns {Promise<boolean>}
 */
export async function verifyHmacSha256(body, headers, { apiKey, secret }) {
    const signature = await hmac(new TextEncoder().encode(secret), bytesOf(body));
    const hexadecimal = [...signature].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return areEqual(header(headers, "authorization"), `HMAC-SHA256 ${apiKey}:${hexadecimal}`);
}

/**
 * The mode `bearer`.
 *
 * @param {ReceivedHeaders} headers
 * @param {string} token
 * @returns {Promise<boolean>}
 */
export async function verifyBearer(headers, token) {
    return areEqual(header(headers, "authorization"), `Bearer ${token}`);
}

/**
 * The mode `security-token`.
 *
 * @param {ReceivedHeaders} headers
 * @param {string} token
 * @returns {Promise<boolean>}
 */
export async function verifySecurityToken(headers, token) {
    return areEqual(header(headers, "security-token"), token);
}

/**
 * The mode `partner-apikey`.
 *
 * @param {ReceivedHeaders} headers
 * @param {string} apiKey
 * @returns {Promise<boolean>}
 */
export async function verifyPartnerApikey(headers, apiKey) {
    return areEqual(header(headers, "x-partner-apikey"), apiKey);
}

/**
 * Standard Webhooks (https://www.standardwebhooks.com/), symmetric signatures.
 *
 * @param {Body} body
 * @param {ReceivedHeaders} headers
 * @param {string | string[]} secrets One or more, each `whsec_…`. One match is enough.
 * @param {{ now?: number, tolerance?: number }} [options] `now`: seconds since 1970. `tolerance`: the largest age, and
 * the largest difference of clocks, in seconds; 300 by default.
 * @returns {Promise<boolean>}
 */
export async function verifyStandardWebhooks(body, headers, secrets, options = {}) {
    const { now = Date.now() / 1000, tolerance = TOLERANCE } = options;
    const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
    if (!id || !timestamp || !/^\d+$/.test(timestamp) || !signatures || Math.abs(now - Number(timestamp)) > tolerance) {
        return false;
    }
    const content = bytesOf(body);
    const head = new TextEncoder().encode(`${id}.${timestamp}.`);
    const signed = new Uint8Array(head.length + content.length);
    signed.set(head);
    signed.set(content, head.length);
    let isGenuine = false;
    for (const secret of [secrets].flat()) {
        const key = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (character) => character.charCodeAt(0));
        const expected = `v1,${btoa(String.fromCharCode(...(await hmac(key, signed))))}`;
        for (const signature of signatures.split(" ")) {
            isGenuine = (await areEqual(signature, expected)) || isGenuine;
        }
    }
    return isGenuine;
}

/** @param {ReceivedHeaders} headers @param {string} name @returns {string | undefined} */
function header(headers, name) {
    if (headers instanceof Headers) {
        return headers.get(name) ?? undefined;
    }
    const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
    const values = found.flatMap(([, value]) => value ?? []);
    // A header that appears twice is not one that the server sent.
    return values.length === 1 ? values[0] : undefined;
}

/** @param {Body} body @returns {Uint8Array} */
function bytesOf(body) {
    return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

/** @param {Uint8Array} key @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
async function hmac(key, bytes) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new Uint8Array(bytes)));
}

/**
 * Compares two texts in a time that does not depend on where they differ: their digests under a random key.
 *
 * @param {string | undefined} given
 * @param {string} expected
 * @returns {Promise<boolean>}
 */
async function areEqual(given, expected) {
    const key = crypto.getRandomValues(new Uint8Array(32));
    const [mine, theirs] = await Promise.all([expected, given ?? ""].map((text) => hmac(key, new TextEncoder().encode(text))));
    const difference = mine.reduce((sum, byte, index) => sum | (byte ^ theirs[index]), 0);
    return given !== undefined && difference === 0;
}
