// After the closing: the certificate's address, and a receipt that can be printed and saved.

import { h, icon, refill } from "./dom.js";
import { saveToDevice } from "./files.js";
import { sheet } from "./review.js";
import { refusal } from "./steps/frame.js";
import { t } from "./words.js";

/** @typedef {import("./types.js").Screen} Screen */
/** @typedef {import("./main.js").App} App */

/**
 * @param {App} app
 * @returns {Screen}
 */
export function closedScreen(app) {
    const { session } = app;
    const body = h("div");
    const company = session.info?.companyName ?? "";

    const update = () => {
        const closed = session.openCase;
        if (!closed) return;
        const receipts = session.current.filter((one) => one.receipt !== null);
        const another = session.info?.canOpenCase && session.info.state === "usable" && session.ended === null;
        refill(
            body,
            h("p", { class: "lead" }, t("closedText", { company })),
            session.current
                .filter((one) => one.state === "refused" || one.state === "draft" || one.state === "waiting")
                .map((one) => refusal(session, one, null)),
            h(
                "div",
                { class: "actions noprint" },
                closed.certificateUrl &&
                    h(
                        "a",
                        {
                            class: "button primary",
                            id: "certificate",
                            href: closed.certificateUrl,
                            target: "_blank",
                            rel: "noopener",
                        },
                        t("certificate"),
                    ),
                h("button", { type: "button", id: "print", onclick: () => print() }, t("print")),
                receipts.length > 0 &&
                    h(
                        "button",
                        { type: "button", id: "receipts", onclick: () => saveReceipts(closed.cfRef, receipts) },
                        t("saveReceipts"),
                    ),
                another &&
                    h(
                        "button",
                        {
                            type: "button",
                            id: "another",
                            onclick: async () => {
                                await session.startAnother();
                                app.show();
                            },
                        },
                        t("another"),
                    ),
            ),
            h("p", { class: "hint noprint" }, t("certificateSoon")),
            h(
                "section",
                { class: "receipt" },
                h("h2", null, t("receipt")),
                h(
                    "dl",
                    { class: "about" },
                    h(
                        "div",
                        null,
                        h("dt", null, t("caseReference")),
                        h("dd", null, h("bdi", null, closed.title), " · ", h("bdi", null, closed.cfRef)),
                    ),
                    closed.certificateUrl &&
                        h(
                            "div",
                            { class: "onlyprint" },
                            h("dt", null, t("certificateAddress")),
                            h("dd", { dir: "ltr" }, closed.certificateUrl),
                        ),
                ),
                h(
                    "div",
                    { class: "sheet" },
                    closed.form.steps.map((step) => sheet(session, step)),
                ),
            ),
        );
    };
    update();

    return {
        title: t("closed"),
        node: h(
            "div",
            { class: "closed" },
            h("p", { class: "seal" }, icon("check")),
            h("h1", { tabindex: "-1" }, t("closed")),
            body,
        ),
        update,
    };
}

/**
 * @param {string} reference
 * @param {import("./types.js").Capture[]} captures
 */
function saveReceipts(reference, captures) {
    const receipts = captures.map(({ captureId, data, sha256, size, receipt }) => ({
        captureId,
        data,
        sha256,
        size,
        receipt,
    }));
    const text = JSON.stringify({ case: reference, receipts }, null, 2);
    saveToDevice(new Blob([text], { type: "application/json" }), `receipts-${reference}.json`);
}
