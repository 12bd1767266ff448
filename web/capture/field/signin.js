// Signing in with username and password. What waits on this device stays, and is sent afterwards.

import { ApiError, NoAnswer } from "../api.js";
import { h, icon, refill } from "../dom.js";
import { t } from "../words.js";

/** @typedef {import("../types.js").Screen} Screen */
/** @typedef {import("../main.js").App} App */
/** @typedef {import("./session.js").FieldSession} FieldSession */

/**
 * @param {App} app
 * @param {FieldSession} session
 * @returns {Screen}
 */
export function signInScreen(app, session) {
    const username = h("input", { id: "username", name: "username", autocomplete: "username", required: true });
    username.autocapitalize = "none";
    const password = h("input", {
        id: "password",
        name: "password",
        type: "password",
        autocomplete: "current-password",
        required: true,
    });
    const problem = h("p", { class: "problem", id: "sign-in-problem", role: "alert" });
    const button = h("button", { type: "submit", class: "primary", id: "sign-in" }, t("signIn"));
    const note = h("div");

    const update = () => {
        const waiting = session.captures.filter((one) => ["draft", "waiting", "refused"].includes(one.state)).length;
        refill(
            note,
            session.user && h("p", { class: "note" }, icon("alert"), h("span", null, t("sessionEnded"))),
            waiting > 0 && h("p", { class: "waits" }, icon("clock"), t("waitsForSignIn", { n: waiting })),
        );
    };
    update();

    /** @param {Event} event */
    const submit = async (event) => {
        event.preventDefault();
        problem.textContent = "";
        button.disabled = true;
        try {
            await session.signIn(username.value, password.value);
            app.queue.wake();
            app.show();
        } catch (error) {
            problem.textContent = reasonOf(error);
            password.value = "";
            password.focus();
        } finally {
            button.disabled = false;
        }
    };

    return {
        title: t("signIn"),
        node: h(
            "div",
            { class: "sign-in" },
            h("h1", { tabindex: "-1" }, t("signIn")),
            note,
            h(
                "form",
                { onsubmit: submit, "aria-describedby": "sign-in-problem" },
                h("p", { class: "field" }, h("label", { for: "username" }, t("username")), username),
                h("p", { class: "field" }, h("label", { for: "password" }, t("password")), password),
                problem,
                h("div", { class: "actions" }, button),
            ),
        ),
        update,
    };
}

/** @param {unknown} error */
function reasonOf(error) {
    if (error instanceof NoAnswer) return t("signInNeedsConnection");
    if (error instanceof ApiError && error.status === 401) return t("wrongPassword");
    if (error instanceof ApiError && error.status === 429) return t("tooManyTries");
    return t("wentWrong", { reason: error instanceof Error ? error.message : String(error) });
}
