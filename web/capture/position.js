// Where the device is, from the Geolocation API. A position is never made up and never read from a file.

/** @typedef {import("./types.js").Position} Position */
/** @typedef {"searching" | "found" | "refused" | "unavailable"} PositionState */

/** A position older than this does not say where a picture was taken. */
const FRESH = 15_000;
const PATIENCE = 40_000;

/** Follows the position while a camera is open. */
export class Follower extends EventTarget {
  /** @type {PositionState} */
  state = "searching";
  /** @type {Position | null} */
  last = null;
  /** @type {number | null} */
  #watch = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  start() {
    this.stop();
    if (!navigator.geolocation) {
      this.#set("unavailable");
      return;
    }
    this.#set(this.fresh ? "found" : "searching");
    this.#watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        const { latitude, longitude, accuracy } = coords;
        this.last = { latitude, longitude, accuracy, at: timestamp };
        this.#set("found");
      },
      ({ code }) => {
        if (code === GeolocationPositionError.PERMISSION_DENIED) this.#set("refused");
        else if (!this.fresh) this.#set("unavailable");
      },
      { enableHighAccuracy: true, maximumAge: 5_000 },
    );
    this.#timer = setTimeout(() => {
      if (this.state === "searching") this.#set("unavailable");
    }, PATIENCE);
  }

  stop() {
    clearTimeout(this.#timer);
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
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
