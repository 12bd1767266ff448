// Sends requests: the token, repetition, errors. What is asked is in operations.js.

import { ApiError } from "./errors.js";

/**
 * @typedef {object} Settings
 * @property {string} baseUrl The server's public root.
 * @property {string} [username] An API account, with its `password`. The client requests tokens itself.
 * @property {string} [password]
 * @property {string} [token] A token, instead of an account.
 * @property {number} [retries] How often a request is repeated. 5 by default.
 * @property {number} [longestPause] The longest time to wait before a repetition, in seconds. 120 by default. If the
 * server asks for a longer pause, the call fails with its answer.
 * @property {number} [timeout] How long to wait for the beginning of an answer, in seconds. 90 by default.
 */

/**
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal] Ends the call.
 */

/**
 * @typedef {CallOptions & { idempotencyKey?: string }} KeyedOptions Without a key, the client makes one for each call, so
 * that its own repetitions count as one request. Give one to repeat a call later.
 */

/**
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path
 * @property {unknown} [body] Sent as JSON.
 * @property {Record<string, unknown>} [form] Sent as a form: blobs as they are, other values as JSON.
 * @property {Blob} [bytes] Sent as the body.
 * @property {Record<string, string | number | boolean | undefined | null>} [query]
 * @property {Record<string, string>} [headers]
 * @property {boolean} [isKeyed] Whether it takes an `Idempotency-Key`.
 * @property {boolean} [isOpen] Whether it needs no token.
 * @property {boolean} [isRepeatable] Whether it does no harm to send it twice, if that does not follow from the above.
 */

/** The pause before the first repetition without `Retry-After`, in seconds. It doubles each time. */
const FIRST_PAUSE = 0.5;

export class Transport {
    /** @type {string} */
    #baseUrl;
    /** @type {{ username: string, password: string } | undefined} */
    #account;
    /** @type {Promise<string> | undefined} */
    #token;
    #retries;
    #longestPause;
    #timeout;

    /** @param {Settings} settings */
    constructor({ baseUrl, username, password, token, retries = 5, longestPause = 120, timeout = 90 }) {
        this.#baseUrl = baseUrl.replace(/\/+$/, "");
        if (username !== undefined && password !== undefined) {
            this.#account = { username, password };
        }
        this.#token = token === undefined ? undefined : Promise.resolve(token);
        this.#retries = retries;
        this.#longestPause = longestPause;
        this.#timeout = timeout;
    }

    /** @param {Call} call @param {KeyedOptions} [options] @returns {Promise<any>} */
    json(call, options) {
        return this.send(call, options, async (response) => {
            const type = response.headers.get("Content-Type") ?? "";
            if (!type.startsWith("application/json")) {
                await response.body?.cancel();
                throw new Error(`${call.path} answered ${type || "nothing"}: use the method whose name ends with AsFile`);
            }
            return response.json();
        });
    }

    /** @param {Call} call @param {KeyedOptions} [options] @returns {Promise<Response>} */
    file(call, options) {
        return this.send(call, options, async (response) => response);
    }

    /** @param {Call} call @param {KeyedOptions} [options] @returns {Promise<void>} */
    nothing(call, options) {
        return this.send(call, options, async (response) => response.body?.cancel());
    }

    /**
     * Sends the request until it succeeds, fails for good, or was repeated often enough. A request that was rejected
     * because of its quota is always repeated; after other failures only one that changes nothing or has a key.
     *
     * @template T
     * @param {Call} call
     * @param {KeyedOptions | undefined} options
     * @param {(response: Response) => Promise<T>} read
     * @returns {Promise<T>}
     */
    async send(call, options, read) {
        const { signal, idempotencyKey } = options ?? {};
        const key = call.isKeyed ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
        const isRepeatable = key !== undefined || ["GET", "HEAD"].includes(call.method) || call.isRepeatable === true;
        let isTokenNew = false;
        for (let attempt = 0; ; attempt += 1) {
            const isLast = attempt >= this.#retries;
            const token = call.isOpen ? undefined : await this.#readToken();
            let response;
            try {
                response = await this.#request(call, key, token, signal);
                if (response.ok) {
                    return await read(response);
                }
            } catch (error) {
                const isWorthwhile = isRepeatable && isConnectionFailure(error) && !signal?.aborted;
                if (isLast || !isWorthwhile) {
                    throw error;
                }
                await pause(this.#backoff(attempt), signal);
                continue;
            }
            if (response.status === 401 && token !== undefined && this.#account && !isTokenNew) {
                await response.body?.cancel();
                // Another call may have requested a new one already.
                if ((await this.#token) === token) {
                    this.#token = undefined;
                }
                isTokenNew = true;
                continue;
            }
            const isWorthwhile = response.status === 429 || (isRepeatable && response.status >= 500);
            const asked = Number(response.headers.get("Retry-After") ?? Number.NaN);
            const seconds = Number.isFinite(asked) && asked >= 0 ? asked : this.#backoff(attempt);
            if (isLast || !isWorthwhile || seconds > this.#longestPause) {
                throw await ApiError.of(response);
            }
            await response.body?.cancel();
            await pause(seconds, signal);
        }
    }

    /**
     * One request, without repetition.
     *
     * @param {Call} call
     * @param {string | undefined} key
     * @param {string | undefined} token
     * @param {AbortSignal} [signal]
     */
    async #request(call, key, token, signal) {
        const headers = new Headers(call.headers);
        if (token !== undefined) {
            headers.set("Authorization", `Bearer ${token}`);
        }
        if (key !== undefined) {
            headers.set("Idempotency-Key", key);
        }
        /** @type {BodyInit | undefined} */
        let body = call.bytes;
        if (call.form !== undefined) {
            body = formOf(call.form);
        } else if (call.body !== undefined) {
            headers.set("Content-Type", "application/json");
            body = JSON.stringify(call.body);
        }
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries(call.query ?? {})) {
            if (value !== undefined && value !== null) {
                query.set(name, String(value));
            }
        }
        const search = query.size > 0 ? `?${query}` : "";
        // Only until the headers arrive: a file may take longer.
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(new DOMException("no answer in time", "TimeoutError")), this.#timeout * 1000);
        const signals = signal ? [signal, late.signal] : [late.signal];
        try {
            // A redirect would send the token elsewhere. The server has none.
            return await fetch(this.#baseUrl + call.path + search, {
                method: call.method,
                headers,
                body,
                redirect: "error",
                signal: AbortSignal.any(signals),
            });
        } finally {
            clearTimeout(timer);
        }
    }

    /** The token, which all calls share. @returns {Promise<string | undefined>} */
    async #readToken() {
        if (this.#token === undefined && this.#account !== undefined) {
            const call = { method: "POST", path: "/auth/token", body: this.#account, isOpen: true, isRepeatable: true };
            const token = this.json(call).then((answer) => String(answer.token));
            this.#token = token;
            token.catch(() => {
                if (this.#token === token) {
                    this.#token = undefined;
                }
            });
        }
        return this.#token;
    }

    /** @param {number} attempt @returns {number} */
    #backoff(attempt) {
        return Math.min(FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random() / 2), this.#longestPause);
    }
}

/**
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(seconds, signal) {
    return new Promise((resolve, reject) => {
        const end = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", end);
            resolve();
        }, seconds * 1000);
        signal?.addEventListener("abort", end, { once: true });
        if (signal?.aborted) {
            end();
        }
    });
}

/**
 * Whether no complete answer came: `fetch` throws a `TypeError` if the connection fails.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export function isConnectionFailure(error) {
    return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}

/** @param {Record<string, unknown>} parts @returns {FormData} */
function formOf(parts) {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) {
        if (value instanceof Blob) {
            form.set(name, value);
        } else {
            form.set(name, JSON.stringify(value));
        }
    }
    return form;
}
