// The list of the steps: what is done, what waits, what is missing.

import { h, icon, refill } from "./dom.js";
import { ICONS } from "./steps/frame.js";
import { t, time } from "./words.js";

/** @typedef {import("./types.js").Screen} Screen */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./session.js").StepState} StepState */
/** @typedef {import("./main.js").App} App */

/** @type {Record<StepState, { key: import("./words.js").Key, icon: string }>} */
const STATES = {
    todo: { key: "stateTodo", icon: "" },
    done: { key: "stateDone", icon: "check" },
    waiting: { key: "stateWaiting", icon: "clock" },
    again: { key: "stateAgain", icon: "again" },
    refused: { key: "stateRefused", icon: "alert" },
    draft: { key: "stateDraft", icon: "alert" },
};

/**
 * @param {App} app
 * @returns {Screen}
 */
export function listScreen(app) {
    const { session } = app;
    const title = session.openCase?.form.name ?? session.info?.form?.name ?? session.info?.companyName ?? "";
    const body = h("div");

    const update = () => {
        const form = session.form;
        const company = session.info?.companyName ?? "";
        if (!form) {
            refill(body, h("p", { class: "lead" }, t("noForm", { company })));
            return;
        }
        const states = form.steps.map((step) => session.stateOf(step));
        const finished = states.filter((state) => state === "done" || state === "waiting").length;
        const open = form.steps.find(
            (_, at) =>
                states[at] === "again" || states[at] === "refused" || states[at] === "draft" || states[at] === "todo",
        );
        const until = session.info?.expirationDate;
        refill(
            body,
            h("p", { class: "lead" }, t(app.extra ? "fieldInvitation" : "invitation", { company })),
            form.steps.length === 0 && h("p", null, t("noSteps")),
            h(
                "div",
                { class: "progress" },
                h("p", { id: "progress" }, t("progress", { done: finished, all: form.steps.length })),
                h("progress", { max: form.steps.length, value: finished, "aria-labelledby": "progress" }),
            ),
            h(
                "ol",
                { class: "steps", role: "list" },
                form.steps.map((step, at) => row(step, states[at])),
            ),
            h(
                "div",
                { class: "actions sticky" },
                open
                    ? h(
                          "a",
                          { class: "button primary", id: "go-on", href: `#step-${open.stepId}` },
                          t(finished > 0 ? "goOn" : "start"),
                      )
                    : h("a", { class: "button primary", id: "go-on", href: "#review" }, t("toReview")),
                open && finished > 0 && h("a", { class: "button quiet", id: "review", href: "#review" }, t("toReview")),
            ),
            h(
                "div",
                { class: "small" },
                until && h("p", null, t("validUntil", { time: time(until) })),
                !app.extra && h("p", null, t("secretAddress")),
                canInstall(session) && h("p", null, t("install")),
            ),
        );
    };
    update();

    return {
        title,
        node: h(
            "div",
            { class: "list" },
            h("h1", { tabindex: "-1", dir: "auto" }, title),
            session.openCase &&
                h(
                    "p",
                    { class: "facts" },
                    h("bdi", null, session.openCase.title),
                    " · ",
                    h("bdi", null, session.openCase.cfRef),
                ),
            body,
        ),
        update,
    };
}

/**
 * On iOS a page on the home screen has a storage of its own: what waits in this browser would not be there.
 * @param {Session} session
 */
function canInstall(session) {
    const waits = session.captures.some((one) => one.state !== "done");
    return !waits && !matchMedia("(display-mode: standalone)").matches;
}

/**
 * @param {Step} step
 * @param {StepState} state
 */
function row(step, state) {
    const { key, icon: drawing } = STATES[state];
    const kind = `${t(`type${step.type}`)} · ${t(step.mandatory ? "required" : "optional")}`;
    return h(
        "li",
        { class: `state-${state}` },
        h(
            "a",
            { href: `#step-${step.stepId}`, id: `row-${step.stepId}` },
            h("span", { class: "mark" }, drawing ? icon(drawing) : icon(ICONS[step.type] ?? "text")),
            h(
                "span",
                { class: "words" },
                h("span", { class: "name", dir: "auto" }, step.title),
                h("span", { class: "kind" }, kind),
                h("span", { class: "state" }, t(key)),
            ),
        ),
    );
}
