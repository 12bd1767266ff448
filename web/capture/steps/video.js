// Videos: recorded here if the browser can record MP4, else by the telephone's own camera.

import { Camera, hasLiveCamera } from "../camera.js";
import { h, icon, refill } from "../dom.js";
import { announce } from "../live.js";
import { positionNote } from "../look.js";
import { Follower } from "../position.js";
import { Recording, undecided } from "../recording.js";
import { duration, size, t } from "../words.js";
import { fileScreen } from "./file.js";
import { hasAnswer } from "./frame.js";
import { systemCamera } from "./photo.js";

/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../look.js").Shot} Shot */
/** @typedef {import("../main.js").App} App */

const KINDS = [
    "video/mp4;codecs=avc1.640028,mp4a.40.2",
    "video/mp4;codecs=avc1.42E01E,mp4a.40.2",
    "video/mp4;codecs=avc1,opus",
    "video/mp4",
];

function recordable() {
    if (!hasLiveCamera() || typeof MediaRecorder !== "function") return null;
    return KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}

/**
 * @param {App} app
 * @param {Step} step
 * @param {boolean} live
 */
export function videoScreen(app, step, live) {
    const follower = new Follower();
    const kind = recordable();
    return fileScreen(app, step, {
        follower,
        live,
        offers: (shot) => {
            const has = hasAnswer(app.session, step);
            const primary = !has || app.session.retakeOf(step.stepId) !== null;
            return [
                kind === null && h("p", { class: "hint" }, t("cannotRecord")),
                kind !== null &&
                    h(
                        "a",
                        {
                            class: primary ? "button primary" : "button",
                            href: `#step-${step.stepId}-camera`,
                            id: "camera",
                        },
                        icon("video"),
                        t(has ? "recordAnother" : "openRecorder"),
                    ),
                systemCamera(step, kind === null && primary, shot),
            ];
        },
        camera: (shot) => recorder(app, step, kind ?? "video/mp4", follower, shot),
    });
}

/**
 * @param {App} app
 * @param {Step} step
 * @param {string} kind
 * @param {Follower} follower
 * @param {(shot: Shot) => void} shot
 */
function recorder(app, step, kind, follower, shot) {
    const mostBytes = app.session.info?.limits.videoBytes ?? 500_000_000;
    const video = h("video", { class: "view", playsinline: true, muted: true, "aria-hidden": "true" });
    const camera = new Camera(video);
    const trouble = h("div", { role: "alert" });
    const place = h("div", { class: "place" });
    const clock = h("p", { class: "clock", hidden: true });
    /** @type {MediaRecorder | null} */
    let recording = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    let ticking;
    let left = false;

    const button = h("button", {
        type: "button",
        id: "shutter",
        class: "shutter record",
        disabled: true,
        "aria-label": t("record"),
        onclick: () => (recording ? stop() : record()),
    });

    const stage = h("div", { class: "stage" }, video, clock, h("div", { class: "controls" }, button));

    const start = async () => {
        refill(trouble);
        stage.hidden = false;
        try {
            await camera.start({ audio: true, width: 1920, height: 1080 });
            button.disabled = camera.stream === null;
        } catch (error) {
            const refused = error instanceof DOMException && error.name === "NotAllowedError";
            // A black picture would push the reason out of sight.
            stage.hidden = true;
            refill(
                trouble,
                h(
                    "div",
                    { class: "note bad" },
                    icon("alert"),
                    h("p", null, t(refused ? "cameraRefused" : "cameraMissing")),
                    h(
                        "div",
                        { class: "actions" },
                        systemCamera(step, true, shot),
                        h("button", { type: "button", id: "camera-again", onclick: start }, t("tryAgain")),
                    ),
                ),
            );
        }
    };

    const record = () => {
        if (!camera.stream) return;
        const at = new Date();
        const kept = new Recording(app.session, step, at);
        recording = new MediaRecorder(camera.stream, { mimeType: kind, videoBitsPerSecond: 4_000_000 });
        recording.ondataavailable = ({ data }) => {
            kept.add(data, follower.fresh ? follower.last : null);
            // The index at the end of the file needs some room.
            if (kept.size > mostBytes * 0.97 && recording) {
                announce(t("recordedMost"), true);
                stop();
            }
        };
        recording.onstop = () => {
            clearInterval(ticking);
            recording = null;
            void kept.end().then((made) => (left ? undecided(app.session, step, made) : shot(made)));
        };
        const tick = () => {
            clock.textContent = t("recording", {
                time: duration((Date.now() - at.getTime()) / 1000),
                size: size(kept.size),
            });
        };
        recording.start(1000);
        clock.hidden = false;
        ticking = setInterval(tick, 500);
        tick();
        button.classList.add("running");
        button.setAttribute("aria-label", t("stop"));
    };

    const stop = () => {
        if (recording?.state === "recording") recording.stop();
    };

    const showPlace = () => refill(place, positionNote(follower));
    // A telephone that goes to the background ends the recording; what was recorded is kept.
    const visibility = () => {
        if (document.visibilityState === "hidden") {
            if (recording) stop();
            else camera.stop();
        } else if (!camera.stream) void start();
    };
    follower.addEventListener("change", showPlace);
    document.addEventListener("visibilitychange", visibility);
    showPlace();
    void start();

    return {
        node: h("div", { class: "viewfinder" }, stage, trouble, place),
        leave: () => {
            left = true;
            stop();
            clearInterval(ticking);
            camera.stop();
            follower.removeEventListener("change", showPlace);
            document.removeEventListener("visibilitychange", visibility);
        },
        unsaved: () => recording !== null,
    };
}
