// Where the device is, from the Geolocation API. A position is never made up and never read from a file.

/** @typedef {import("./types.js").Position} Position */
/** @typedef {"searching" | "found" | "refused" | "unavailable"} PositionState */

/** A position older than this does not say where a picture was taken. */
const FRESH = 15_000;
const PATIENCE = 40_000;
const OPTIONS = { enableHighAccuracy: true, maximumAge: 3_000, timeout: 20_000 };

/** Follows the position while a camera is open. */
export class Follower extends EventTarget {
    /** @type {PositionState} */
    state = "searching";
    /** @type {Position | null} */
    last = null;
    /** @type {number | null} */
    #watch = null;
    #watchedAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #asking;

    start() {
        this.stop();
        if (!navigator.geolocation) {
            this.#set("unavailable");
            return;
        }
        this.#set(this.fresh ? "found" : "searching");
        this.#follow();
        this.#asking = setInterval(() => this.#ask(), FRESH / 3);
        this.#timer = setTimeout(() => {
            if (this.state === "searching") this.#set("unavailable");
        }, PATIENCE);
    }

    #follow() {
        this.#watchedAt = Date.now();
        this.#watch = navigator.geolocation.watchPosition(this.#found, this.#failed, OPTIONS);
    }

    #unfollow() {
        if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
        this.#watch = null;
    }

    /**
     * Asks again where the device is: a device that does not move may report nothing new. A new watch reports what is
     * known, but in Chromium only if no other request is open, so `getCurrentPosition` is not called here. A
     * position that is not known may take long, and its search is not begun again before its time is over.
     */
    #ask() {
        if (this.state === "refused" || (this.last && Date.now() - this.last.at < FRESH / 2)) return;
        if (this.state === "found" && !this.fresh) this.#set("searching");
        if (Date.now() - this.#watchedAt < (this.fresh ? FRESH / 2 : OPTIONS.timeout)) return;
        this.#unfollow();
        this.#follow();
    }

    /** @param {GeolocationPosition} position */
    #found = ({ coords }) => {
        const { latitude, longitude, accuracy } = coords;
        // The time of the callback: the position is at most `maximumAge` older, and some browsers count from another epoch.
        this.last = { latitude, longitude, accuracy, at: Date.now() };
        this.#set("found");
    };

    /** @param {GeolocationPositionError} error */
    #failed = ({ code }) => {
        if (code === GeolocationPositionError.PERMISSION_DENIED) this.#set("refused");
        else if (code !== GeolocationPositionError.TIMEOUT && !this.fresh) this.#set("unavailable");
    };

    stop() {
        clearTimeout(this.#timer);
        clearInterval(this.#asking);
        this.#unfollow();
    }

    get fresh() {
        return this.last !== null && Date.now() - this.last.at < FRESH;
    }

    /** @param {PositionState} state */
    #set(state) {
        this.state = state;
        this.dispatchEvent(new Event("change"));
    }
}
