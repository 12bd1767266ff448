import { Operations } from "./operations.js";
import { upload } from "./upload.js";

/** How long one request waits for the next event, in seconds. */
const WAIT = 30;

/** A client of one server: a method for each operation, uploads in pieces, and the feed of events. */
export class Client extends Operations {
    /**
     * Sends a file in pieces and creates its item. If the connection or the server fails, the upload continues where it
     * stopped.
     *
     * @param {Blob} file In Node.js, `fs.openAsBlob` opens a file without reading it into memory.
     * @param {import("./upload.js").FileDescription} description
     * @param {import("./upload.js").UploadOptions} [options]
     * @returns {Promise<import("./schema.js").UploadView>}
     */
    upload(file, description, options) {
        return upload(this, file, description, options);
    }

    /**
     * Follows the feed of events without an end. Keep the `cursor` of each event after your work on it, and continue
     * with it after a restart.
     *
     * @param {{ after?: string, signal?: AbortSignal }} [options] `after`: the cursor after which to begin. Without it,
     * the feed begins with the oldest event that is kept.
     * @returns {AsyncGenerator<import("./schema.js").Event, never, void>}
     */
    async *follow({ after, signal } = {}) {
        let cursor = after;
        for (;;) {
            const page = await this.readEvents({ after: cursor, wait: WAIT }, { signal });
            yield* page.events;
            cursor = page.cursor;
        }
    }
}
