// The first screen of the field app: one's open cases, forms for one photo, and what waits on this device.

import { ApiError, NoAnswer } from "../api.js";
import { hasLiveCamera } from "../camera.js";
import { h, icon, refill } from "../dom.js";
import { leftOver } from "../states.js";
import { refusal, thumb } from "../steps/frame.js";
import { month, t, time } from "../words.js";

/** @typedef {import("../types.js").Capture} Capture */
/** @typedef {import("../types.js").FieldCase} FieldCase */
/** @typedef {import("../types.js").Form} Form */
/** @typedef {import("../types.js").Screen} Screen */
/** @typedef {import("../main.js").App} App */
/** @typedef {import("./session.js").FieldSession} FieldSession */

/**
 * @param {App} app
 * @param {FieldSession} session
 * @returns {Screen}
 */
export function homeScreen(app, session) {
    const body = h("div");
    const problem = h("p", { class: "problem", role: "alert" });
    const { question, ask } = signOutDialog(session, problem);

    /** @param {number} caseId */
    const fill = async (caseId) => {
        await session.fill(caseId);
        location.hash = "#list";
        app.show();
        app.queue.wake();
    };
    /** @param {Form} form */
    const takeOne = async (form) => {
        await session.takeOne(form.frameId);
        const step = form.steps.find((one) => one.mandatory);
        if (step) location.hash = `#step-${step.stepId}${hasLiveCamera() ? "-camera" : ""}`;
    };

    const update = () => {
        const { list, openCases, quickCaptures } = session;
        refill(
            body,
            list && list.quickForms.length > 0 && quickButtons(list.quickForms, takeOne),
            cases(session, openCases, fill),
            quickCaptures.length > 0 && photos(app, session, quickCaptures),
            leftOver(session.orphans),
            problem,
            h(
                "div",
                { class: "actions" },
                h("button", { type: "button", id: "sign-out", onclick: ask }, t("signOut")),
            ),
        );
    };
    update();

    return {
        title: t("yourCases"),
        node: h(
            "div",
            { class: "home" },
            h("h1", { tabindex: "-1" }, t("yourCases")),
            h("p", { class: "facts" }, t("signedInAs", { name: session.user?.name ?? "" })),
            body,
            question,
        ),
        update,
    };
}

/**
 * @param {Form[]} forms
 * @param {(form: Form) => Promise<void>} take
 */
function quickButtons(forms, take) {
    return h(
        "div",
        { class: "actions" },
        forms.map((form) =>
            h(
                "button",
                { type: "button", class: "primary", id: `quick-${form.frameId}`, onclick: () => take(form) },
                icon("camera"),
                t("onePhoto", { title: form.name }),
            ),
        ),
    );
}

/**
 * @param {FieldSession} session
 * @param {FieldCase[]} open
 * @param {(caseId: number) => Promise<void>} fill
 */
function cases(session, open, fill) {
    if (!session.list) return h("p", { class: "lead" }, t(session.connected ? "listLoading" : "listUnknown"));
    if (open.length === 0) return h("p", { class: "lead" }, t("noCases"));
    const row = (/** @type {FieldCase} */ one) => {
        const mine = session.captures.filter((capture) => capture.caseId === one.caseId);
        const waiting = mine.filter((capture) => capture.state === "waiting").length;
        const undecided = mine.filter((capture) => ["refused", "draft"].includes(capture.state)).length;
        return h(
            "li",
            null,
            h(
                "button",
                { type: "button", id: `case-${one.caseId}`, onclick: () => fill(one.caseId) },
                h("strong", { dir: "auto" }, one.title),
                one.frameName !== one.title && h("span", { dir: "auto" }, one.frameName),
                h(
                    "span",
                    { class: "facts" },
                    h("bdi", null, one.cfRef),
                    " · ",
                    t("openedAt", { time: time(one.createdAt) }),
                ),
                one.scheduledAt && h("span", { class: "facts" }, t("plannedFor", { month: month(one.scheduledAt) })),
                waiting > 0 && h("span", { class: "waits" }, icon("clock"), t("caseWaits", { n: waiting })),
                undecided > 0 && h("span", { class: "bad" }, icon("alert"), t("caseUndecided", { n: undecided })),
            ),
        );
    };
    return h("ul", { class: "cases", role: "list" }, open.map(row));
}

/**
 * Photos that are cases of their own: on their way, certified, or not accepted.
 * @param {App} app
 * @param {FieldSession} session
 * @param {Capture[]} captures
 */
function photos(app, session, captures) {
    const refused = captures.filter((one) => one.state === "refused" && one.caseId === null);
    const row = (/** @type {Capture} */ one) =>
        h(
            "li",
            null,
            one.thumbnail ? thumb(one.thumbnail) : h("span", { class: "thumb" }, icon("camera")),
            h(
                "div",
                null,
                h("p", { class: "value" }, time(one.order)),
                h("p", { class: "facts" }, t(stateOf(one))),
                one.certificateUrl &&
                    h(
                        "a",
                        { href: one.certificateUrl, target: "_blank", rel: "noopener" },
                        t("certificate"),
                        h("span", { class: "unseen" }, ` ${time(one.order)}`),
                    ),
            ),
        );
    return h(
        "section",
        { class: "given" },
        h("h2", null, t("certifiedPhotos")),
        refused.map((one) => refusal(session, one, () => app.queue.wake())),
        h("ul", { role: "list" }, captures.filter((one) => !refused.includes(one)).map(row)),
    );
}

/**
 * @param {Capture} capture
 * @returns {import("../words.js").Key}
 */
function stateOf(capture) {
    if (capture.certified) return "photoCertified";
    if (capture.state === "refused") return "stateRefused";
    return capture.state === "waiting" ? "waitsHere" : "photoClosing";
}

/**
 * @param {FieldSession} session
 * @param {HTMLElement} problem
 */
function signOutDialog(session, problem) {
    const text = h("p");
    const signOut = async () => {
        problem.textContent = "";
        try {
            await session.signOut();
        } catch (error) {
            const needsConnection = error instanceof NoAnswer || !(error instanceof ApiError);
            problem.textContent = needsConnection ? t("signOutNeedsConnection") : t("wentWrong", { reason: String(error) });
        }
    };
    const question = h(
        "dialog",
        { "aria-labelledby": "sign-out-sure" },
        h("h2", { id: "sign-out-sure" }, t("signOutSure")),
        text,
        h(
            "div",
            { class: "actions" },
            h(
                "button",
                {
                    type: "button",
                    class: "primary",
                    id: "sign-out-now",
                    onclick: () => {
                        question.close();
                        void signOut();
                    },
                },
                t("signOut"),
            ),
            h("button", { type: "button", id: "sign-out-not", onclick: () => question.close() }, t("cancel")),
        ),
    );
    const ask = () => {
        const kept = session.captures.filter((one) => one.state !== "done").length;
        if (kept === 0) {
            void signOut();
            return;
        }
        text.textContent = t("signOutWaits", { n: kept });
        question.showModal();
    };
    return { question, ask };
}
