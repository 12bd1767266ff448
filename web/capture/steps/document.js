// Documents: a file of the device, or a photo of the paper.

import { hasLiveCamera } from "../camera.js";
import { h, icon } from "../dom.js";
import { limitOf } from "../files.js";
import { size, t } from "../words.js";
import { photoScreen } from "./photo.js";
import { acceptOf, fileButton, hasAnswer, kindsOf } from "./frame.js";
import { fileScreen } from "./file.js";

/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../main.js").App} App */

/**
 * @param {App} app
 * @param {Step} step
 * @param {boolean} live
 */
export function documentScreen(app, step, live) {
    if (live) return photoScreen(app, step, true);
    return fileScreen(app, step, {
        follower: null,
        live: false,
        offers: (shot) => {
            const has = hasAnswer(app.session, step);
            const primary = !has || app.session.retakeOf(step.stepId) !== null;
            const limits = app.session.info?.limits;
            return [
                fileButton({
                    id: "choose-file",
                    label: t("chooseFile"),
                    accept: acceptOf(step),
                    primary,
                    chosen: (file) => shot({ bytes: file, name: file.name, at: new Date(), origin: "file" }),
                }),
                hasLiveCamera()
                    ? h(
                          "a",
                          { class: "button", href: `#step-${step.stepId}-camera`, id: "camera" },
                          icon("camera"),
                          t("photographIt"),
                      )
                    : fileButton({
                          id: "photograph",
                          label: t("photographIt"),
                          accept: "image/jpeg,image/png",
                          camera: true,
                          chosen: (file) => shot({ bytes: file, at: new Date(), origin: "file" }),
                      }),
                limits &&
                    h(
                        "p",
                        { class: "hint" },
                        t("documentHint", { kinds: kindsOf(step), most: size(limitOf(step.type, limits)) }),
                    ),
            ];
        },
        camera: null,
    });
}
