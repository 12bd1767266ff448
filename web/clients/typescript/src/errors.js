/** An answer that reports a failure. */
export class ApiError extends Error {
    name = "ApiError";

    /**
     * @param {number} status
     * @param {string} message What the server says.
     * @param {string | null} requestId Names the request in the server's log.
     * @param {unknown} body The body as JSON, or its text if it is not JSON.
     */
    constructor(status, message, requestId, body) {
        super(`${status}: ${message}`);
        this.status = status;
        this.requestId = requestId;
        this.body = body;
    }

    /**
     * Reads the answer.
     *
     * @param {Response} response
     * @returns {Promise<ApiError>}
     */
    static async of(response) {
        const text = await response.text().catch(() => "");
        let body;
        try {
            body = JSON.parse(text);
        } catch {
            body = text;
        }
        const message = typeof body?.message === "string" ? body.message : response.statusText;
        return new ApiError(response.status, message, response.headers.get("X-Request-Id"), body);
    }
}
