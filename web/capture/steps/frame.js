// What every step's screen has: the way back, the title, what is asked, what went wrong, and what was given so far.

import { discard, sendAgain } from "../captured.js";
import { h, icon } from "../dom.js";
import { acceptedBy, saveToDevice, takesFile } from "../files.js";
import { namesOf } from "../look.js";
import { UNREADABLE, WRONG_RECEIPT } from "../queue.js";
import { readBytes } from "../store.js";
import { shown, size, t, time } from "../words.js";

/** @typedef {import("../types.js").Capture} Capture */
/** @typedef {import("../types.js").Item} Item */
/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../session.js").Session} Session */

/**
 * @param {Step} step
 * @param {string} [backTo]
 */
export function heading(step, backTo = "#") {
    return h(
        "header",
        { class: "step-head" },
        h(
            "a",
            { class: "back", href: backTo, id: "back" },
            icon("back"),
            t(backTo === "#" ? "allSteps" : "closeCamera"),
        ),
        h("h1", { tabindex: "-1", dir: "auto" }, step.title),
        h("p", { class: "kind" }, t(`type${step.type}`), " · ", t(step.mandatory ? "required" : "optional")),
        step.description && h("p", { class: "asked", dir: "auto" }, step.description),
    );
}

/**
 * The request for another, and captures that were not accepted.
 * @param {Session} session
 * @param {Step} step
 * @param {() => void} wake sends now
 */
export function notices(session, step, wake) {
    const retake = session.retakeOf(step.stepId);
    return [
        retake &&
            h(
                "div",
                { class: "note" },
                icon("again"),
                h("p", null, h("strong", null, t("retakeAsked", { company: session.info?.companyName ?? "" }))),
                h("p", { dir: "auto" }, retake.reason),
            ),
        session
            .capturesOf(step.stepId)
            .filter((one) => one.state === "refused")
            .map((one) => refusal(session, one, wake)),
    ];
}

/**
 * @param {Session} session
 * @param {Capture} capture
 * @param {(() => void) | null} wake null if nothing can be sent any more
 */
export function refusal(session, capture, wake) {
    const id = capture.captureId;
    return h(
        "div",
        { class: "note bad" },
        icon("alert"),
        h("p", null, h("strong", null, t("refusedHead")), " ", h("bdi", null, capture.data)),
        h("p", { dir: "auto" }, reasonOf(capture)),
        h("p", null, t("refusedText")),
        h(
            "div",
            { class: "actions" },
            capture.media && saveButton(capture),
            wake &&
                h(
                    "button",
                    {
                        type: "button",
                        id: `again-${id}`,
                        onclick: async () => {
                            await sendAgain(session, capture);
                            wake();
                        },
                    },
                    t("sendAgain"),
                ),
            h(
                "button",
                { type: "button", id: `discard-${id}`, onclick: () => discard(session, capture) },
                t("discard"),
            ),
        ),
    );
}

/** @param {Capture} capture */
export function saveButton(capture) {
    const save = async () => {
        const bytes = await readBytes(capture.captureId);
        if (bytes) saveToDevice(bytes, capture.data);
    };
    return h("button", { type: "button", id: `save-${capture.captureId}`, onclick: save }, t("save"));
}

/** @param {Capture} capture */
function reasonOf(capture) {
    if (capture.message === UNREADABLE) return t("unreadable");
    return capture.message === WRONG_RECEIPT ? t("wrongReceipt") : (capture.message ?? "");
}

/**
 * What the step has so far, newest first.
 * @param {Session} session
 * @param {Step} step
 */
export function given(session, step) {
    const local = session.localOf(step.stepId).filter((one) => one.state !== "refused" && one.state !== "draft");
    const items = session.itemsOf(step.stepId);
    if (local.length + items.length === 0) return null;
    const rows = [
        ...local
            .reverse()
            .map((one) => row(step, one.data, one.thumbnail, stateOf(one), time(one.order), one.size, null)),
        ...items.reverse().map((item) => ofItem(session, step, item)),
    ];
    const entered = !takesFile(step.type);
    // Only the newest entry counts; several photos may.
    const shownRows = rows.map((one, at) => one(entered && at > 0));
    return h("section", { class: "given" }, h("h2", null, t("yours")), h("ul", { role: "list" }, shownRows));
}

/**
 * Whether the step has an answer that was not rejected.
 * @param {Session} session
 * @param {Step} step
 */
export function hasAnswer(session, step) {
    return (
        session.itemsOf(step.stepId).length > 0 ||
        session.localOf(step.stepId).some((one) => !["refused", "draft"].includes(one.state))
    );
}

/** @param {Capture} capture */
function stateOf(capture) {
    if (capture.state === "waiting") return t("waitsHere");
    return capture.state === "sent" ? t("receiptPending") : t("onServer");
}

/**
 * @param {Session} session
 * @param {Step} step
 * @param {Item} item
 */
function ofItem(session, step, item) {
    const mine = session.captures.find((one) => one.captureId === item.captureId);
    const state =
        item.captureId && !mine ? t("elsewhere") : mine?.state === "sent" ? t("receiptPending") : t("onServer");
    return row(
        step,
        item.data,
        mine?.thumbnail ?? null,
        state,
        time(mine?.order ?? item.createdAt),
        item.size ?? mine?.size ?? 0,
        item.fileUrl,
    );
}

/**
 * @param {Step} step
 * @param {string} data
 * @param {Blob | null} thumbnail
 * @param {string} state
 * @param {string} when
 * @param {number} bytes
 * @param {string | null} url
 */
function row(step, data, thumbnail, state, when, bytes, url) {
    // The name of a photo says no more than its time.
    const isCapture = ["PHOTOGRAPHY", "VIDEO", "SIGNATURE"].includes(step.type);
    return (/** @type {boolean} */ replaced) =>
        h(
            "li",
            { class: replaced ? "replaced" : null },
            thumbnail ? thumb(thumbnail, step.type) : h("span", { class: "thumb" }, icon(ICONS[step.type] ?? "text")),
            h(
                "div",
                null,
                h("p", { class: "value", dir: "auto" }, isCapture ? when : shown(step.type, data)),
                h(
                    "p",
                    { class: "facts" },
                    [isCapture ? "" : when, bytes > 0 ? size(bytes) : "", replaced ? t("older") : state]
                        .filter(Boolean)
                        .join(" · "),
                    url && [
                        " ",
                        h(
                            "a",
                            { href: url, target: "_blank", rel: "noopener" },
                            t("open"),
                            h("span", { class: "unseen" }, ` ${data}`),
                        ),
                    ],
                ),
            ),
        );
}

/**
 * @param {Blob} thumbnail
 * @param {string} [type] of the step; a part of a signature is not recognised
 */
export function thumb(thumbnail, type) {
    const url = URL.createObjectURL(thumbnail);
    return h("img", {
        class: type === "SIGNATURE" ? "thumb whole" : "thumb",
        alt: "",
        src: url,
        onload: () => URL.revokeObjectURL(url),
    });
}

/** @type {Record<string, string>} */
export const ICONS = {
    PHOTOGRAPHY: "camera",
    VIDEO: "video",
    SIGNATURE: "pen",
    DOCUMENT_UPLOAD: "file",
    TEXT_FIELD: "text",
};

/**
 * The next step that asks for something, after this one; the review if there is none.
 * @param {Session} session
 * @param {Step} step
 */
export function nextAfter(session, step) {
    const steps = session.form?.steps ?? [];
    const at = steps.findIndex((one) => one.stepId === step.stepId);
    const rest = [...steps.slice(at + 1), ...steps.slice(0, at)];
    const next = rest.find((one) => ["todo", "again", "refused", "draft"].includes(session.stateOf(one)));
    return next
        ? { hash: `#step-${next.stepId}`, label: t("next", { title: next.title }) }
        : { hash: "#review", label: t("toReview") };
}

/** File fields whose dialog or camera may be open. A field that leaves the page in the meantime loses the photo. */
/** @type {Set<HTMLInputElement>} */
const picking = new Set();

export function isPicking() {
    for (const input of picking) if (!input.isConnected) picking.delete(input);
    return picking.size > 0;
}

/**
 * A file field that looks like a button.
 * @param {{ id: string, label: string, accept: string, camera?: boolean, primary?: boolean, chosen: (file: File) => void }} options
 */
export function fileButton({ id, label, accept, camera = false, primary = false, chosen }) {
    const input = h("input", {
        type: "file",
        id,
        accept,
        capture: camera ? "environment" : null,
        class: "unseen",
        onclick: () => picking.add(input),
        oncancel: () => picking.delete(input),
        onchange: () => {
            picking.delete(input);
            const file = input.files?.[0];
            // The same file can be chosen twice.
            input.value = "";
            if (file) chosen(file);
        },
    });
    return h("label", { class: primary ? "button primary" : "button", for: id }, input, label);
}

/** @param {Step} step */
export function acceptOf(step) {
    return acceptedBy(step.type).join(",");
}

/** @param {Step} step */
export function kindsOf(step) {
    return namesOf(acceptedBy(step.type));
}
