// Signed records: what the person did with files in a case, in a chain that this device signs.
//
// The key is made here, for one case, and cannot leave the browser. Each record names the digest of the one before it,
// so a record that is missing or changed is noticed. An event and the change of the capture that it is about are
// written in one transaction. If the case is known, the event is signed before, against the head of the chain, and the
// transaction compares the head; otherwise the event waits unsigned and is signed when the case is open, before its
// file is sent. `at` is the moment of the event, never of the signature.
//
// Nothing here stops a capture. A browser that has no P-256, or cannot keep a key, works without records.

import { sha256, toBase64, toHex } from "./hash.js";
import * as store from "./store.js";

/** @typedef {import("./types.js").Chain} Chain */
/** @typedef {import("./types.js").Claims} Claims */
/** @typedef {import("./types.js").Recorded} Recorded */
/** @typedef {import("./store.js").Change} Change */
/** @typedef {import("./store.js").Signed} Signed */

const KEY = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };
/** The lock only saves signatures, because the head is compared in any case. A longer wait is not worth it. */
const PATIENCE = 1_000;
const ATTEMPTS = 5;

/** Whether this browser can sign and keep a key, as far as this page has seen. It is found out by doing it. */
let works = true;

/**
 * Changes a capture and records what happened.
 * @param {string} link
 * @param {number | null} caseId null if no case is open yet
 * @param {Claims[]} events
 * @param {Change | null} change
 */
export async function record(link, caseId, events, change) {
    /** @type {Recorded[]} */
    const rows = events.map((claims) => ({ link, caseId, claims, session: null, sequence: null, jws: null }));
    if (caseId !== null && rows.length > 0 && works) {
        try {
            const written = await inTurn(link, () => signAndWrite(link, caseId, rows, change));
            if (written) return;
        } catch {
            // Written below without a signature. If the storage is the reason, that fails as well and says so.
        }
    }
    const off = !works || (caseId !== null && (await chainOf(link, caseId))?.off);
    await store.commit(change, off ? [] : rows);
}

/**
 * @param {string} link
 * @param {number} caseId
 * @param {Recorded[]} rows
 * @param {Change | null} change
 * @returns {Promise<boolean>} false if nothing was written, because earlier events have to be signed first
 */
async function signAndWrite(link, caseId, rows, change) {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const { chain, unsigned } = await read(link, caseId);
        if (chain?.off || unsigned.length > 0) return false;
        const signed = await sign(chain ?? (await begin(link, caseId)), rows);
        if ((await store.commit(change, signed)) !== "behind") return true;
    }
    return false;
}

/**
 * Signs the events of a case that are not signed yet, in their order.
 * @param {string} link
 * @param {number} caseId
 */
export async function signWaiting(link, caseId) {
    if (!works) return;
    await inTurn(link, async () => {
        for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
            const { chain, unsigned } = await read(link, caseId);
            if (chain?.off || unsigned.length === 0) return;
            try {
                const signed = await sign(chain ?? (await begin(link, caseId)), unsigned);
                if ((await store.commit(null, signed)) !== "behind") return;
            } catch (error) {
                // A full device is freed by sending, so its files do not wait for a signature.
                if (works && !(error instanceof store.StorageFull)) throw error;
                return;
            }
        }
    });
}

/**
 * @param {string} link
 * @param {number} caseId
 */
async function read(link, caseId) {
    const chain = await chainOf(link, caseId);
    const rows = (await store.readRecords(link)).filter((row) => row.caseId === caseId);
    return { chain, rows, unsigned: rows.filter((row) => row.jws === null) };
}

/**
 * @param {string} link
 * @param {number} caseId
 * @returns {Promise<Chain | undefined>}
 */
async function chainOf(link, caseId) {
    try {
        return (await store.readChain(link, caseId)) ?? undefined;
    } catch {
        // A key that a browser stored and cannot read again.
        works = false;
        return undefined;
    }
}

/**
 * The records of a case that the server is not known to have, in the order of the chain.
 * @param {string} link
 * @param {number} caseId
 * @returns {Promise<{ chain: Chain, unsent: string[] } | null>} null if there is nothing to send
 */
export async function unsentRecords(link, caseId) {
    const { chain, rows } = await read(link, caseId);
    if (!chain || chain.off || chain.stored >= chain.next) return null;
    const unsent = rows
        .filter((row) => row.session === chain.session && (row.sequence ?? 0) >= chain.stored)
        .sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
    return { chain, unsent: unsent.map((row) => row.jws ?? "") };
}

/**
 * The cases of a link that have records to sign or to send.
 * @param {string} link
 */
export async function unsentCases(link) {
    const cases = new Set((await store.readRecords(link)).map((row) => row.caseId));
    /** @type {number[]} */
    const found = [];
    for (const caseId of cases) {
        if (caseId === null) continue;
        const { chain, unsigned } = await read(link, caseId);
        if (unsigned.length > 0 || (chain && !chain.off && chain.stored < chain.next)) found.push(caseId);
    }
    return found;
}

/**
 * How many captures the records of this device's session name as kept.
 * @param {string} link
 * @param {number} caseId
 */
export async function countTaken(link, caseId) {
    const { chain, rows } = await read(link, caseId);
    if (!chain || chain.off) return 0;
    const count = (/** @type {Claims["event"]} */ event) =>
        rows.filter((row) => row.session === chain.session && row.claims.event === event).length;
    return count("taken") - count("deleted");
}

/**
 * Whether there is an event that the capture was kept.
 * @param {string} link
 * @param {string} captureId
 */
export async function hasTaken(link, captureId) {
    const rows = await store.readRecords(link);
    return rows.some((row) => row.claims.event === "taken" && row.claims.captureId === captureId);
}

/**
 * Records that the person asked to close the case, and which steps have nothing.
 * @param {string} link
 * @param {number} caseId
 * @param {number[]} empty the steps without an answer
 * @param {string} at
 */
export async function recordClosing(link, caseId, empty, at) {
    const { rows } = await read(link, caseId);
    // A closing that failed has named the steps already.
    const skipped = empty.filter((stepId) => {
        const last = rows.filter((row) => row.claims.stepId === stepId && row.claims.event !== "retaken").at(-1);
        return last?.claims.event !== "skipped";
    });
    /** @type {Claims[]} */
    const events = skipped.map((stepId) => ({ event: "skipped", at, stepId }));
    await record(link, caseId, [...events, { event: "closing", at }], null);
}

/**
 * The server does not accept this chain. The first time another one takes its place, with a key of its own; the second
 * time the case goes on without records.
 * @param {Chain} chain
 */
export async function giveUp(chain) {
    try {
        if (chain.second) throw new Error("the second one as well");
        await store.replaceChain(chain, { ...(await newChain(chain.link, chain.caseId)), second: true });
    } catch {
        await store.changeChain(chain, { off: true });
    }
}

/**
 * The chain of a case, made now. Some browsers make a key that they cannot store, so it is read again before its use.
 * @param {string} link
 * @param {number} caseId
 */
async function begin(link, caseId) {
    try {
        await store.addChain(await newChain(link, caseId));
        const chain = await store.readChain(link, caseId);
        if (!chain) throw new Error("the key was not stored");
        return chain;
    } catch (error) {
        works = false;
        throw error;
    }
}

/**
 * @param {string} link
 * @param {number} caseId
 * @returns {Promise<Chain>}
 */
async function newChain(link, caseId) {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(KEY, false, ["sign", "verify"]);
    const { crv = "", kty = "", x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey);
    // RFC 7638: the members in the order of the alphabet.
    const jwk = { crv, kty, x, y };
    const session = base64url(await sha256(utf8(JSON.stringify(jwk))));
    return { link, caseId, session, key: privateKey, jwk, head: null, next: 0, stored: 0, second: false, off: false };
}

/**
 * @param {Chain} chain
 * @param {Recorded[]} rows
 * @returns {Promise<Signed>}
 */
async function sign(chain, rows) {
    const header = { alg: "ES256", typ: "capture-record+jws", jwk: chain.jwk };
    let { head, next } = chain;
    /** @type {Recorded[]} */
    const signed = [];
    try {
        for (const row of rows) {
            const payload = { caseId: chain.caseId, sequence: next, previous: head, ...row.claims };
            const input = [header, payload].map((part) => base64url(utf8(JSON.stringify(part)))).join(".");
            const signature = new Uint8Array(await crypto.subtle.sign(SIGNATURE, chain.key, utf8(input)));
            const jws = `${input}.${base64url(signature)}`;
            signed.push({ ...row, session: chain.session, sequence: next, jws });
            head = toHex(await sha256(utf8(jws)));
            next += 1;
        }
    } catch (error) {
        works = false;
        throw error;
    }
    return { chain, rows: signed, after: { head, next } };
}

/** @param {string} text */
function utf8(text) {
    return new TextEncoder().encode(text);
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
    return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Runs work that at most one tab should do at a time.
 * @template T
 * @param {string} link
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inTurn(link, work) {
    if (!navigator.locks) return work();
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE);
    let begun = false;
    try {
        const options = { signal: patience.signal };
        return await /** @type {Promise<T>} */ (
            navigator.locks.request(`sealwright-chain-${link}`, options, () => {
                begun = true;
                return work();
            })
        );
    } catch (error) {
        if (begun) throw error;
        return work();
    } finally {
        clearTimeout(timer);
    }
}
