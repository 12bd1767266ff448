// Calls to the server with the cookie of a field user's session, which no script can read. Every call that changes
// something repeats the session's CSRF token.

import { Api, ApiError } from "../api.js";

/** @typedef {import("../types.js").FieldUser} FieldUser */

/**
 * The answer of `GET /v2/field/session`.
 * @typedef {{ user: FieldUser, companyName: string, csrfToken: string, endsAt: string }} FieldSessionInfo
 */

/** The browser's session is that of another user, who signed in on another tab. */
export class OtherUser extends ApiError {
    /** @param {FieldUser} user */
    constructor(user) {
        super(401, "another user is signed in", null);
        this.user = user;
    }
}

export class FieldApi extends Api {
    #csrf = "";

    /** @param {FieldUser | null} user whose session it must be */
    constructor(user) {
        super(null);
        this.user = user;
    }

    /**
     * @param {string} path
     * @param {RequestInit & { timeout?: number }} [init]
     * @returns {Promise<Response>}
     */
    async send(path, init = {}) {
        if (["GET", "HEAD"].includes(init.method ?? "GET")) return super.send(path, init);
        if (!this.#csrf) await this.#renew();
        try {
            return await super.send(path, this.#with(init));
        } catch (error) {
            // The session may be another one by now, with another token: the person has signed in again.
            const before = this.#csrf;
            if (!(error instanceof ApiError) || error.status !== 403) throw error;
            await this.#renew();
            if (this.#csrf === before) throw error;
            return super.send(path, this.#with(init));
        }
    }

    /**
     * @param {string} username
     * @param {string} password
     * @returns {Promise<FieldUser>}
     */
    async signIn(username, password) {
        const headers = { "Content-Type": "application/json" };
        const body = JSON.stringify({ username, password });
        const response = await super.send("/v2/field/sign-in", { method: "POST", headers, body });
        /** @type {FieldSessionInfo} */
        const session = await response.json();
        this.#csrf = session.csrfToken;
        return session.user;
    }

    /**
     * Asks the server for anything.
     * @throws {import("../api.js").NoAnswer} if it does not answer
     */
    async reach() {
        try {
            await this.get("/v2/field/session");
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 401) throw error;
        }
    }

    /** @param {RequestInit & { timeout?: number }} init */
    #with(init) {
        const headers = new Headers(init.headers);
        headers.set("X-CSRF-Token", this.#csrf);
        return { ...init, headers };
    }

    async #renew() {
        /** @type {FieldSessionInfo} */
        const session = await this.get("/v2/field/session");
        this.check(session.user);
        this.#csrf = session.csrfToken;
    }

    /**
     * What one user has captured must not be sent as another.
     * @param {FieldUser} user of the browser's session
     */
    check(user) {
        if (user.userId !== this.user?.userId) throw new OtherUser(user);
    }
}
