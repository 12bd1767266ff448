// The screens of a link that cannot be filled in: several cases, expired, used up, withdrawn, unknown, never loaded.

import { h, icon, refill } from "./dom.js";
import { saveButton } from "./steps/frame.js";
import { shown, size, t, time } from "./words.js";

/** @typedef {import("./types.js").Screen} Screen */
/** @typedef {import("./main.js").App} App */

/**
 * @param {App} app
 * @returns {Screen}
 */
export function chooseScreen(app) {
    const { session } = app;
    const body = h("div");
    const problem = h("p", { class: "problem", role: "alert" });

    /** @param {number} caseId */
    const choose = async (caseId) => {
        problem.textContent = "";
        try {
            await session.choose(caseId);
            app.queue.wake();
            app.show();
        } catch (error) {
            problem.textContent = session.connected ? t("wentWrong", { reason: String(error) }) : t("offline");
        }
    };
    const update = () => {
        const cases = session.info?.openCases ?? [];
        refill(
            body,
            h(
                "ul",
                { class: "cases", role: "list" },
                cases.map((one) =>
                    h(
                        "li",
                        null,
                        h(
                            "button",
                            { type: "button", id: `case-${one.caseId}`, onclick: () => choose(one.caseId) },
                            h("strong", { dir: "auto" }, one.title),
                            h(
                                "span",
                                { class: "facts" },
                                h("bdi", null, one.cfRef),
                                " · ",
                                t("openedAt", { time: time(one.createdAt) }),
                            ),
                        ),
                    ),
                ),
            ),
        );
    };
    update();
    return {
        title: t("chooseCase"),
        node: h(
            "div",
            null,
            h("h1", { tabindex: "-1" }, t("chooseCase")),
            h("p", { class: "lead" }, t("chooseCaseText")),
            body,
            problem,
        ),
        update,
    };
}

/**
 * The link has come to its end. What is still on the device can be saved.
 * @param {App} app
 * @returns {Screen}
 */
export function endedScreen(app) {
    const { session } = app;
    const ended = session.ended === "signedOut" ? "unknown" : (session.ended ?? "unknown");
    const company = session.info?.companyName;
    const body = h("div");
    const update = () => {
        const left = session.captures.filter((one) => ["draft", "waiting", "refused"].includes(one.state));
        refill(body, leftOver(left));
    };
    update();
    return {
        title: t(ended),
        node: h(
            "div",
            null,
            h("h1", { tabindex: "-1" }, t(ended)),
            h("p", { class: "lead" }, t(`${ended}Text`)),
            company && ended !== "unknown" && h("p", null, t("askForAnother", { company })),
            body,
        ),
        update,
    };
}

/**
 * Captures that cannot be sent any more, to be saved another way.
 * @param {import("./types.js").Capture[]} captures
 */
export function leftOver(captures) {
    if (captures.length === 0) return null;
    const row = (/** @type {import("./types.js").Capture} */ one) =>
        h(
            "li",
            null,
            h(
                "div",
                null,
                h("p", { class: "value", dir: "auto" }, one.stepTitle, ": ", shown(one.type, one.data)),
                h("p", { class: "facts" }, time(one.order), one.size > 0 && ` · ${size(one.size)}`),
            ),
            one.media && saveButton(one),
        );
    return h(
        "section",
        { class: "left" },
        h("h2", null, t("keptFiles")),
        h("p", null, t("keptFilesText")),
        h("ul", { role: "list" }, captures.map(row)),
    );
}

/**
 * @param {"firstVisit" | "noStorage"} what
 * @param {(() => void) | null} retry
 * @returns {Screen}
 */
export function plainScreen(what, retry) {
    return {
        title: t(what),
        node: h(
            "div",
            null,
            h("h1", { tabindex: "-1" }, t(what)),
            h("p", { class: "lead" }, icon("alert"), t(`${what}Text`)),
            retry &&
                h(
                    "div",
                    { class: "actions" },
                    h("button", { type: "button", class: "primary", id: "retry", onclick: retry }, t("tryAgain")),
                ),
        ),
    };
}
