// Signatures: drawn with a finger, a pen or the mouse; typed, for anyone who cannot draw.

import { captured, keep } from "../captured.js";
import { h, icon, refill } from "../dom.js";
import { saveToDevice } from "../files.js";
import { announce } from "../live.js";
import { StorageFull } from "../store.js";
import { t } from "../words.js";
import { given, heading, nextAfter, notices } from "./frame.js";

/** @typedef {import("../types.js").Screen} Screen */
/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../main.js").App} App */

/** The picture's size in pixels, whatever the size of the field. */
const WIDTH = 1200;
const HEIGHT = 480;
const INK = "#101418";

/**
 * @param {App} app
 * @param {Step} step
 * @returns {Screen}
 */
export function signatureScreen(app, step) {
    const { session } = app;
    /** @type {{ x: number, y: number, pressure: number }[][]} */
    let strokes = [];
    let typing = false;
    let signing = false;
    let saved = false;
    const body = h("div", { class: "step-body" });
    const canvas = h("canvas", {
        class: "pad",
        width: WIDTH,
        height: HEIGHT,
        role: "img",
        "aria-label": t("drawHere"),
        "aria-describedby": "signature-problem",
    });
    const problem = h("p", { id: "signature-problem", class: "problem", role: "alert" });
    const name = h("input", {
        id: "typed",
        type: "text",
        autocomplete: "name",
        maxlength: "80",
        dir: "auto",
        "aria-describedby": "signature-problem",
        oninput: () => {
            problem.textContent = "";
            draw();
        },
    });
    const trouble = h("div");

    const draw = () => {
        const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        pen.fillStyle = "#ffffff";
        pen.fillRect(0, 0, WIDTH, HEIGHT);
        pen.fillStyle = pen.strokeStyle = INK;
        pen.lineCap = pen.lineJoin = "round";
        if (typing) drawTyped(pen, name.value.trim());
        else strokes.forEach((stroke) => drawStroke(pen, stroke));
    };

    /** @param {PointerEvent} event */
    const point = (event) => {
        const box = canvas.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * WIDTH;
        const y = ((event.clientY - box.top) / box.height) * HEIGHT;
        return { x, y, pressure: event.pressure || 0.5 };
    };
    canvas.addEventListener("pointerdown", (event) => {
        if (typing || event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        strokes.push([point(event)]);
        problem.textContent = "";
        draw();
    });
    canvas.addEventListener("pointermove", (event) => {
        if (typing || !canvas.hasPointerCapture(event.pointerId)) return;
        for (const one of event.getCoalescedEvents?.() ?? [event]) strokes.at(-1)?.push(point(one));
        draw();
    });

    const use = async () => {
        if (typing ? name.value.trim() === "" : strokes.length === 0) {
            problem.textContent = t(typing ? "typeEmpty" : "drawEmpty");
            if (typing) name.focus();
            return;
        }
        const blob = await new Promise((/** @type {(made: Blob | null) => void} */ resolve) =>
            canvas.toBlob(resolve, "image/png"),
        );
        if (!blob) return;
        try {
            const capture = await captured(session, step, {
                bytes: blob,
                at: new Date(),
                origin: typing ? "typed" : "drawn",
            });
            await keep(session, capture, null);
        } catch (error) {
            const full = error instanceof StorageFull;
            const reason = error instanceof Error ? error.message : String(error);
            announce(t(full ? "full" : "notStored", { reason }), true);
            refill(
                trouble,
                h(
                    "div",
                    { class: "note bad" },
                    icon("alert"),
                    h("p", null, h("strong", null, t(full ? "full" : "notStored", { reason }))),
                    h("p", null, t("fullText")),
                    h(
                        "button",
                        { type: "button", id: "save", onclick: () => saveToDevice(blob, "signature.png") },
                        t("save"),
                    ),
                ),
            );
            return;
        }
        saved = true;
        announce(t("kept"));
        app.queue.wake();
        if (body.isConnected) location.hash = nextAfter(session, step).hash;
    };

    /** @param {boolean} value */
    const mode = (value) => {
        typing = value;
        problem.textContent = "";
        draw();
        pad();
        (typing ? name : document.getElementById("mode"))?.focus();
    };

    const pad = () => {
        signing = true;
        refill(
            body,
            notices(session, step, () => app.queue.wake()),
            typing && h("p", { class: "field" }, h("label", { for: "typed" }, t("typeName")), name),
            !typing && h("p", { class: "hint" }, t("drawHere")),
            h("div", { class: "paperwork" }, canvas),
            problem,
            h(
                "div",
                { class: "tools" },
                !typing &&
                    h(
                        "button",
                        {
                            type: "button",
                            id: "undo",
                            onclick: () => {
                                strokes.pop();
                                draw();
                            },
                        },
                        t("undo"),
                    ),
                !typing &&
                    h(
                        "button",
                        {
                            type: "button",
                            id: "clear",
                            onclick: () => {
                                strokes = [];
                                draw();
                            },
                        },
                        t("clear"),
                    ),
                h("button", { type: "button", id: "mode", onclick: () => mode(!typing) }, t(typing ? "draw" : "type")),
            ),
            trouble,
            h(
                "div",
                { class: "actions" },
                h("button", { type: "button", id: "use", class: "primary", onclick: use }, t("useSignature")),
            ),
        );
        draw();
    };

    const overview = () => {
        const next = nextAfter(session, step);
        refill(
            body,
            notices(session, step, () => app.queue.wake()),
            given(session, step),
            h(
                "div",
                { class: "actions" },
                h("a", { class: "button primary", href: next.hash, id: "next" }, next.label),
                h("button", { type: "button", id: "sign-again", onclick: pad }, t("signAgain")),
            ),
        );
    };

    const has = () => ["done", "waiting"].includes(session.stateOf(step));
    if (has()) overview();
    else pad();

    return {
        title: step.title,
        node: h("article", { class: "step" }, heading(step), body),
        update: () => {
            if (!signing) overview();
        },
        unsaved: () => signing && !saved && (strokes.length > 0 || name.value !== ""),
    };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{ x: number, y: number, pressure: number }[]} stroke
 */
function drawStroke(pen, stroke) {
    if (stroke.length === 1) {
        pen.beginPath();
        pen.arc(stroke[0].x, stroke[0].y, 4, 0, 2 * Math.PI);
        pen.fill();
        return;
    }
    for (let at = 1; at < stroke.length; at += 1) {
        const [before, from, to] = [stroke[Math.max(0, at - 2)], stroke[at - 1], stroke[at]];
        pen.lineWidth = 4 + 6 * to.pressure;
        pen.beginPath();
        pen.moveTo((before.x + from.x) / 2, (before.y + from.y) / 2);
        pen.quadraticCurveTo(from.x, from.y, (from.x + to.x) / 2, (from.y + to.y) / 2);
        pen.stroke();
    }
    const [from, to] = stroke.slice(-2);
    pen.beginPath();
    pen.moveTo((from.x + to.x) / 2, (from.y + to.y) / 2);
    pen.lineTo(to.x, to.y);
    pen.stroke();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} name
 */
function drawTyped(pen, name) {
    if (!name) return;
    let height = 160;
    do {
        height -= 8;
        pen.font = `italic ${height}px "Segoe Script", "Snell Roundhand", "Brush Script MT", Georgia, serif`;
    } while (height > 32 && pen.measureText(name).width > WIDTH - 120);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(name, WIDTH / 2, HEIGHT / 2, WIDTH - 80);
}
