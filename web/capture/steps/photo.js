// Photos: a live camera with a large shutter, or the telephone's own camera.

import { Camera, hasLiveCamera } from "../camera.js";
import { h, icon, refill } from "../dom.js";
import { announce } from "../live.js";
import { positionNote } from "../look.js";
import { Follower } from "../position.js";
import { t } from "../words.js";
import { acceptOf, fileButton, hasAnswer } from "./frame.js";
import { fileScreen } from "./file.js";

/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../look.js").Shot} Shot */
/** @typedef {import("../main.js").App} App */

/**
 * @param {App} app
 * @param {Step} step
 * @param {boolean} live
 */
export function photoScreen(app, step, live) {
    const follower = new Follower();
    const needsPosition = step.type === "PHOTOGRAPHY";
    const canOpen = hasLiveCamera();
    return fileScreen(app, step, {
        follower: needsPosition ? follower : null,
        live,
        offers: (shot) => {
            const has = hasAnswer(app.session, step);
            const primary = !has || app.session.retakeOf(step.stepId) !== null;
            return [
                canOpen &&
                    h(
                        "a",
                        {
                            class: primary ? "button primary" : "button",
                            href: `#step-${step.stepId}-camera`,
                            id: "camera",
                        },
                        icon("camera"),
                        t(has ? "takeAnother" : "openCamera"),
                    ),
                systemCamera(step, !canOpen && primary, shot),
            ];
        },
        camera: (shot) => viewfinder(step, needsPosition ? follower : null, shot),
    });
}

/**
 * @param {Step} step
 * @param {boolean} primary
 * @param {(shot: Shot) => void} shot
 */
export function systemCamera(step, primary, shot) {
    return fileButton({
        id: "system-camera",
        label: t("systemCamera"),
        accept: acceptOf(step),
        camera: true,
        primary,
        chosen: (file) => shot({ bytes: file, at: new Date(), origin: "file" }),
    });
}

/**
 * @param {Step} step
 * @param {Follower | null} follower
 * @param {(shot: Shot) => void} shot
 */
function viewfinder(step, follower, shot) {
    const video = h("video", { class: "view", playsinline: true, muted: true, "aria-hidden": "true" });
    const camera = new Camera(video);
    const trouble = h("div", { role: "alert" });
    const place = h("div", { class: "place" });
    let busy = false;

    const release = h("button", {
        type: "button",
        id: "shutter",
        class: "shutter",
        disabled: true,
        "aria-label": t("takePhoto"),
        onclick: () => shoot(),
    });
    const torch = h(
        "button",
        {
            type: "button",
            id: "torch",
            class: "round",
            hidden: true,
            "aria-pressed": "false",
            "aria-label": t("torchOn"),
            onclick: () => light(),
        },
        icon("torch"),
    );
    const flip = h(
        "button",
        { type: "button", id: "flip", class: "round", hidden: true, "aria-label": t("flip"), onclick: () => turn() },
        icon("flip"),
    );

    const stage = h("div", { class: "stage" }, video, h("div", { class: "controls" }, torch, release, flip));

    const start = async () => {
        refill(trouble);
        stage.hidden = false;
        release.disabled = true;
        try {
            await camera.start({ width: 4096, height: 3072 });
            release.disabled = camera.stream === null;
            torch.hidden = !camera.hasTorch;
            flip.hidden = !(await Camera.several());
            if (camera.stream && (document.activeElement === document.body || !document.activeElement)) release.focus();
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

    const shoot = async () => {
        if (busy) return;
        busy = true;
        const at = new Date();
        try {
            const bytes = await camera.shoot();
            shot({ bytes, at, origin: "camera" });
        } catch {
            busy = false;
            announce(t("cameraFailed"), true);
            refill(
                trouble,
                h(
                    "div",
                    { class: "note bad" },
                    icon("alert"),
                    h("p", null, t("cameraFailed")),
                    systemCamera(step, false, shot),
                ),
            );
        }
    };

    const light = async () => {
        await camera.switchTorch().catch(() => {});
        torch.setAttribute("aria-pressed", String(camera.torch));
        torch.setAttribute("aria-label", t(camera.torch ? "torchOff" : "torchOn"));
    };

    const turn = async () => {
        camera.facing = camera.facing === "environment" ? "user" : "environment";
        await start();
    };

    const showPlace = () => follower && refill(place, positionNote(follower));
    const visibility = () => {
        if (document.visibilityState === "hidden") camera.stop();
        else if (!camera.stream) void start();
    };
    follower?.addEventListener("change", showPlace);
    document.addEventListener("visibilitychange", visibility);
    showPlace();
    void start();

    return {
        node: h("div", { class: "viewfinder" }, stage, trouble, place),
        leave: () => {
            camera.stop();
            follower?.removeEventListener("change", showPlace);
            document.removeEventListener("visibilitychange", visibility);
        },
    };
}
