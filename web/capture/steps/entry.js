// Entered values: one field, checked by the server's rules before it is kept.

import { entered } from "../captured.js";
import { h, refill } from "../dom.js";
import { announce } from "../live.js";
import { check } from "../rules.js";
import { StorageFull } from "../store.js";
import { t } from "../words.js";
import { given, heading, nextAfter, notices } from "./frame.js";

/** @typedef {import("../types.js").Screen} Screen */
/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../main.js").App} App */

/** @type {Record<string, Record<string, string>>} */
const INPUTS = {
    NUMBER_FIELD: { type: "text", inputmode: "decimal", autocomplete: "off" },
    DATE_FIELD: { type: "date", max: "9999-12-31" },
    TIME: { type: "time" },
    EMAIL: { type: "email", autocomplete: "email", inputmode: "email" },
};

/**
 * @param {App} app
 * @param {Step} step
 * @returns {Screen}
 */
export function entryScreen(app, step) {
    const { session } = app;
    const before = session.localOf(step.stepId).at(-1)?.data ?? session.itemsOf(step.stepId).at(-1)?.data ?? "";
    const most = session.info?.limits.textCharacters ?? 10_000;
    const notes = h("div");
    const history = h("div");
    const problem = h("p", { id: "problem", class: "problem", role: "alert" });
    const described = { "aria-describedby": "hint problem", "aria-required": String(step.mandatory) };
    const { field, read, focus, mark } =
        step.type === "SELECT" ? choice(step, before, described) : single(step, before, described);

    const save = async (/** @type {Event} */ event) => {
        event.preventDefault();
        const checked = check(step, read(), most);
        if ("problem" in checked) {
            problem.textContent = t(checked.problem, { most });
            mark(true);
            focus();
            return;
        }
        problem.textContent = "";
        mark(false);
        // The same value once more would only lengthen the record.
        if (checked.value !== before || !["done", "waiting"].includes(session.stateOf(step))) {
            try {
                await entered(session, step, checked.value);
            } catch (error) {
                problem.textContent =
                    error instanceof StorageFull ? t("full") : t("notStored", { reason: String(error) });
                return;
            }
            announce(t("kept"));
            app.queue.wake();
        }
        saved = true;
        if (field.isConnected) location.hash = nextAfter(session, step).hash;
    };
    let saved = false;

    const update = () => {
        refill(
            notes,
            notices(session, step, () => app.queue.wake()),
        );
        refill(history, given(session, step));
    };
    update();

    const hint = step.type === "NUMBER_FIELD" ? t("hintNumber") : step.type === "EMAIL" ? t("hintEmail") : "";
    return {
        title: step.title,
        node: h(
            "article",
            { class: "step" },
            heading(step),
            notes,
            h(
                "form",
                { class: "entry", novalidate: true, onsubmit: save },
                field,
                h("p", { id: "hint", class: "hint" }, hint),
                problem,
                h(
                    "div",
                    { class: "actions" },
                    h("button", { type: "submit", class: "primary", id: "save-entry" }, t("saveAndContinue")),
                ),
            ),
            history,
        ),
        update,
        unsaved: () => !saved && read() !== before && read() !== "",
    };
}

/**
 * @param {Step} step
 * @param {string} before
 * @param {Record<string, string>} described
 */
function single(step, before, described) {
    const input =
        step.type === "TEXT_FIELD"
            ? h("textarea", { id: "entry", rows: "6", dir: "auto", ...described })
            : h("input", {
                  id: "entry",
                  dir: step.type === "EMAIL" || step.type === "NUMBER_FIELD" ? "ltr" : null,
                  ...INPUTS[step.type],
                  ...described,
              });
    input.value = before;
    return {
        field: h(
            "p",
            { class: "field" },
            h("label", { for: "entry" }, t(`type${step.type}`), h("span", { class: "unseen" }, `: ${step.title}`)),
            input,
        ),
        // A half-typed date is empty to scripts, and different from nothing only in its validity.
        read: () => input.value,
        focus: () => input.focus(),
        mark: (/** @type {boolean} */ wrong) => input.setAttribute("aria-invalid", String(wrong)),
    };
}

/**
 * @param {Step} step
 * @param {string} before
 * @param {Record<string, string>} described
 */
function choice(step, before, described) {
    const options = (step.options ?? []).map((option, at) => {
        const input = h("input", {
            type: "radio",
            name: "entry",
            id: `option-${at}`,
            value: option,
            checked: option === before,
        });
        return {
            input,
            row: h("label", { class: "option", for: `option-${at}` }, input, h("span", { dir: "auto" }, option)),
        };
    });
    const field = h(
        "fieldset",
        { class: "field", role: "radiogroup", ...described },
        h("legend", null, t("choose"), h("span", { class: "unseen" }, `: ${step.title}`)),
        options.map(({ row }) => row),
    );
    return {
        field,
        read: () => options.find(({ input }) => input.checked)?.input.value ?? "",
        focus: () => options[0]?.input.focus(),
        mark: (/** @type {boolean} */ wrong) => field.setAttribute("aria-invalid", String(wrong)),
    };
}
