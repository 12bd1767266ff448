// Calls to the server, with the token of a link or the cookie of a session. Nothing is stored or logged here.

/** The server answered, but not with success. `message` is the server's. */
export class ApiError extends Error {
    /**
     * @param {number} status
     * @param {string} message
     * @param {number | null} retryAfter seconds
     */
    constructor(status, message, retryAfter) {
        super(message);
        this.name = "ApiError";
        this.status = status;
        this.retryAfter = retryAfter;
    }

    /** Whether the same request may succeed later. */
    get passes() {
        return this.status >= 500 || [408, 423, 425, 429].includes(this.status);
    }
}

/** No answer came: no network, a server that is away, or an answer that took too long. */
export class NoAnswer extends Error {
    constructor() {
        super("no answer");
        this.name = "NoAnswer";
    }
}

const TIMEOUT = 30_000;

export class Api {
    #token;

    /** @param {string | null} token of a link; null if the browser sends the cookie of a session */
    constructor(token) {
        this.#token = token;
    }

    /**
     * @param {string} path on this host
     * @param {RequestInit & { timeout?: number }} [init]
     * @returns {Promise<Response>} a response of success
     * @throws {ApiError | NoAnswer}
     */
    async send(path, init = {}) {
        const headers = new Headers(init.headers);
        if (this.#token !== null) headers.set("Authorization", `Bearer ${this.#token}`);
        const stop = new AbortController();
        const timer = setTimeout(() => stop.abort(), init.timeout ?? TIMEOUT);
        /** @type {Response} */
        let response;
        try {
            response = await fetch(path, {
                ...init,
                headers,
                signal: stop.signal,
                cache: "no-store",
                credentials: this.#token === null ? "same-origin" : "omit",
                referrerPolicy: "no-referrer",
            });
        } catch {
            throw new NoAnswer();
        } finally {
            clearTimeout(timer);
        }
        if (response.ok) return response;
        throw new ApiError(response.status, await messageOf(response), retryAfter(response));
    }

    /** @param {string} path */
    async get(path) {
        return json(await this.send(path));
    }

    /**
     * @param {string} path
     * @param {unknown} body
     */
    async post(path, body) {
        const headers = { "Content-Type": "application/json" };
        return json(await this.send(path, { method: "POST", headers, body: JSON.stringify(body) }));
    }
}

/**
 * A page in place of JSON comes from a captive portal or a proxy, not from the server.
 * @param {Response} response
 */
async function json(response) {
    try {
        return await response.json();
    } catch {
        throw new NoAnswer();
    }
}

/** @param {Response} response */
async function messageOf(response) {
    try {
        const body = await response.json();
        return String(body.message ?? response.statusText);
    } catch {
        return response.statusText || `HTTP ${response.status}`;
    }
}

/** @param {Response} response */
function retryAfter(response) {
    const given = response.headers.get("Retry-After");
    if (!given) return null;
    const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
    return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
