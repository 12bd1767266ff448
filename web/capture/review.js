// Everything as it will be sealed, what is missing, and the closing.

import { ApiError, NoAnswer } from "./api.js";
import { h, icon, refill } from "./dom.js";
import { announce } from "./live.js";
import { ICONS, thumb } from "./steps/frame.js";
import { metres, shown, size, t, time } from "./words.js";

/** @typedef {import("./types.js").Screen} Screen */
/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./main.js").App} App */

/**
 * @param {App} app
 * @returns {Screen}
 */
export function reviewScreen(app) {
    const { session } = app;
    const body = h("div");
    const failure = h("p", { class: "problem", role: "alert" });
    let closing = false;

    const close = async () => {
        closing = true;
        update();
        announce(t("closing"));
        try {
            await app.queue.close();
            location.hash = "";
            app.show();
        } catch (error) {
            const message =
                error instanceof NoAnswer
                    ? t("needsConnection")
                    : error instanceof ApiError
                      ? error.message
                      : String(error);
            // Only the answer may be lost, or another device may have announced something: the case is read again.
            await session.refresh().catch(() => {});
            app.queue.wake();
            const awaited = session.elsewhere.length > 0;
            failure.textContent = awaited ? "" : t("closeFailed", { message });
            if (awaited) announce(t("elsewhereWaits", { n: session.elsewhere.length }), true);
        } finally {
            closing = false;
            update();
        }
    };

    const dialog = h(
        "dialog",
        { "aria-labelledby": "sure" },
        h("h2", { id: "sure" }, t("closeSure")),
        h("p", null, t("closeSureText")),
        h(
            "div",
            { class: "actions" },
            h(
                "button",
                {
                    type: "button",
                    class: "primary",
                    id: "close-now",
                    onclick: () => {
                        dialog.close();
                        void close();
                    },
                },
                t("close"),
            ),
            h("button", { type: "button", id: "close-not", onclick: () => dialog.close() }, t("cancel")),
        ),
    );

    // It stays the same element: a button that is replaced while it is pressed is not clicked.
    const closeLabel = h("span");
    const closeButton = h(
        "button",
        { type: "button", class: "primary", id: "close", onclick: () => dialog.showModal() },
        icon("lock"),
        closeLabel,
    );

    const update = () => {
        const steps = session.form?.steps ?? [];
        const missing = steps.filter((step) => isMissing(session, step));
        const hindrance = hindranceOf(session, missing.length > 0);
        refill(
            body,
            h("p", { class: "lead" }, t("reviewText")),
            missing.length > 0 &&
                h(
                    "section",
                    { class: "note" },
                    icon("alert"),
                    h("h2", null, t("missing")),
                    h(
                        "ul",
                        null,
                        missing.map((step) =>
                            h(
                                "li",
                                null,
                                h(
                                    "a",
                                    { href: `#step-${step.stepId}`, id: `missing-${step.stepId}`, dir: "auto" },
                                    step.title,
                                ),
                            ),
                        ),
                    ),
                ),
            h(
                "div",
                { class: "sheet" },
                steps.map((step) => sheet(session, step)),
            ),
            session.recorded > 0 &&
                h("p", { class: "status" }, icon("lock"), t("recorded", { n: session.recorded })),
            hindrance && missing.length === 0 && h("p", { class: "status" }, icon("clock"), hindrance),
        );
        closeButton.disabled = hindrance !== "" || closing;
        const label = t(closing ? "closing" : "close");
        if (closeLabel.textContent !== label) closeLabel.textContent = label;
    };
    update();

    return {
        title: t("review"),
        node: h(
            "div",
            { class: "review" },
            h("a", { class: "back", href: "#", id: "back" }, icon("back"), t("allSteps")),
            h("h1", { tabindex: "-1" }, t("review")),
            body,
            failure,
            h("div", { class: "actions sticky" }, closeButton),
            dialog,
        ),
        update,
    };
}

/**
 * @param {Session} session
 * @param {Step} step
 */
function isMissing(session, step) {
    const state = session.stateOf(step);
    return state === "again" || (step.mandatory && state === "todo");
}

/**
 * Why the case cannot be closed now; empty if it can.
 * @param {Session} session
 * @param {boolean} missing
 */
function hindranceOf(session, missing) {
    if (missing) return t("missing");
    if (session.current.some((one) => one.state === "refused" || one.state === "draft")) return t("decideFirst");
    if (session.current.some((one) => one.state === "waiting"))
        return t(session.connected ? "stillWaiting" : "needsConnection");
    if (!session.openCase) return t("nothingYet");
    if (session.elsewhere.length > 0) return t("elsewhereWaits", { n: session.elsewhere.length });
    return session.connected ? "" : t("needsConnection");
}

/**
 * One step with all that it has, oldest first, as the certificate lists it.
 * @param {Session} session
 * @param {Step} step
 */
export function sheet(session, step) {
    const items = session.itemsOf(step.stepId);
    const local = session.localOf(step.stepId).filter((one) => one.state !== "draft" && one.state !== "refused");
    const rows = [
        ...items.map((item) => {
            const mine = session.captures.find((one) => one.captureId === item.captureId);
            return entry(
                step,
                item.data,
                item.cfRef,
                mine,
                item.sha256 ?? mine?.sha256 ?? null,
                item.size ?? mine?.size ?? 0,
                item.createdAt,
            );
        }),
        ...local.map((one) =>
            entry(step, one.data, one.item?.cfRef ?? t("waitsHere"), one, one.sha256, one.size, null),
        ),
    ];
    return h(
        "section",
        { class: "sealed" },
        h("h2", { dir: "auto" }, step.title),
        rows.length === 0 ? h("p", { class: "facts" }, t("noAnswer")) : rows,
    );
}

/**
 * @param {Step} step
 * @param {string} data
 * @param {string} reference
 * @param {Capture | undefined} mine
 * @param {string | null} sha256
 * @param {number} bytes
 * @param {string | null} received
 */
function entry(step, data, reference, mine, sha256, bytes, received) {
    const place = mine?.position;
    const facts = [
        mine && [t("takenAt"), time(mine.order)],
        received && [t("receivedAt"), time(received)],
        bytes > 0 && [t("size"), size(bytes)],
        place && [
            t("place"),
            `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)} (±\u00a0${metres(place.accuracy)})`,
        ],
        sha256 && [t("fingerprint"), h("code", { dir: "ltr" }, sha256)],
    ];
    return h(
        "div",
        { class: "piece" },
        mine?.thumbnail ? thumb(mine.thumbnail, step.type) : h("span", { class: "thumb" }, icon(ICONS[step.type] ?? "text")),
        h(
            "div",
            null,
            h("p", { class: "value", dir: "auto" }, shown(step.type, data)),
            h("p", { class: "facts" }, h("bdi", null, reference)),
        ),
        h(
            "dl",
            null,
            facts.map((fact) => Array.isArray(fact) && h("div", null, h("dt", null, fact[0]), h("dd", null, fact[1]))),
        ),
    );
}
