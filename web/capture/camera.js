// The live camera: one stream at a time, released as soon as no one looks at it.

/** @typedef {"environment" | "user"} Facing */

/** Whether this browser can show a live camera at all. It needs a secure context. */
export function hasLiveCamera() {
    return Boolean(navigator.mediaDevices?.getUserMedia);
}

export class Camera {
    /** @type {MediaStream | null} */
    stream = null;
    /** @type {Facing} */
    facing = "environment";
    torch = false;
    #starts = 0;

    /** @param {HTMLVideoElement} video where it is shown */
    constructor(video) {
        this.video = video;
    }

    /**
     * @param {{ audio?: boolean, width: number, height: number }} wanted
     * @throws {DOMException} `NotAllowedError` if it is refused
     */
    async start({ audio = false, width, height }) {
        this.stop();
        const start = ++this.#starts;
        const video = { facingMode: { ideal: this.facing }, width: { ideal: width }, height: { ideal: height } };
        const stream = await navigator.mediaDevices.getUserMedia({ video, audio });
        if (start !== this.#starts) {
            // The screen was left, or the camera changed, while the permission was asked for.
            stream.getTracks().forEach((track) => track.stop());
            return;
        }
        this.stream = stream;
        this.video.srcObject = stream;
        this.video.muted = true;
        await this.video.play().catch(() => {});
    }

    stop() {
        this.#starts += 1;
        this.stream?.getTracks().forEach((track) => track.stop());
        this.stream = null;
        this.torch = false;
        this.video.srcObject = null;
    }

    get #track() {
        return this.stream?.getVideoTracks()[0];
    }

    get hasTorch() {
        const capabilities = /** @type {{ torch?: boolean } | undefined} */ (this.#track?.getCapabilities?.());
        return Boolean(capabilities?.torch);
    }

    async switchTorch() {
        const torch = !this.torch;
        const advanced = /** @type {MediaTrackConstraintSet[]} */ (/** @type {unknown} */ ([{ torch }]));
        await this.#track?.applyConstraints({ advanced });
        this.torch = torch;
    }

    /** Whether there is more than one camera. */
    static async several() {
        const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
        return devices.filter((device) => device.kind === "videoinput").length > 1;
    }

    /**
     * One photo in the camera's full resolution, as its encoder made it; if the browser cannot do that, the current
     * frame of the stream.
     * @returns {Promise<Blob>}
     */
    async shoot() {
        const track = this.#track;
        if (!track) throw new DOMException("the camera is not running", "InvalidStateError");
        if (typeof ImageCapture === "function") {
            try {
                return await takePhoto(track);
            } catch {
                // Some drivers offer it and fail.
            }
        }
        return frameOf(this.video);
    }
}

/** @param {MediaStreamTrack} track */
async function takePhoto(track) {
    const capture = new ImageCapture(track);
    const { imageWidth, imageHeight } = await capture.getPhotoCapabilities();
    const largest =
        imageWidth?.max && imageHeight?.max ? { imageWidth: imageWidth.max, imageHeight: imageHeight.max } : {};
    const photo = await within(15_000, capture.takePhoto(largest));
    if (photo.size === 0) throw new Error("empty photo");
    return photo;
}

/**
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function within(milliseconds, promise) {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("too slow")), milliseconds));
    return /** @type {Promise<T>} */ (Promise.race([promise, late]));
}

/**
 * @param {HTMLVideoElement} video
 * @returns {Promise<Blob>}
 */
function frameOf(video) {
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no frame"))), "image/jpeg", 0.95);
    });
}
