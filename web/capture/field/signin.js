// Signing in with username and password, or by the provider that the server names in the page. What waits on this device
// stays, and is sent afterwards.

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
    const provider = providerPart(session, problem);

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
        forgetFailure();
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
            provider?.node,
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
        leave: provider?.leave,
    };
}

/**
 * The button that leads to the provider. Without a network it is off and says why.
 * @param {FieldSession} session
 * @param {HTMLElement} problem
 */
function providerPart(session, problem) {
    const name = document.documentElement.dataset.provider;
    if (!name) return null;
    const key = failureOf(location.hash);
    if (key) problem.textContent = t(key, { name });
    const reason = h("p", { class: "facts", id: "provider-reason" });
    const go = async () => {
        problem.textContent = "";
        forgetFailure();
        button.disabled = true;
        try {
            // The browser would replace this page with one of its own if the server is away.
            await session.fieldApi.reach();
            location.assign(session.signedOut ? "/field/sign-in?prompt=login" : "/field/sign-in");
        } catch (error) {
            problem.textContent = reasonOf(error);
            show();
        }
    };
    const button = h(
        "button",
        { type: "button", id: "sign-in-provider", "aria-describedby": "provider-reason", onclick: go },
        t("signInWith", { name }),
    );
    const show = () => {
        button.disabled = !navigator.onLine;
        reason.textContent = navigator.onLine ? "" : t("signInNeedsConnection");
    };
    // The page may come back from the provider as it was left.
    const events = ["online", "offline", "pageshow"];
    for (const event of events) addEventListener(event, show);
    show();
    return {
        node: h("div", { class: "provider" }, button, reason),
        leave: () => {
            for (const event of events) removeEventListener(event, show);
        },
    };
}

/**
 * What the server says in the address when the way by the provider ends without a session.
 * @param {string} hash
 * @returns {import("../words.js").Key | null}
 */
function failureOf(hash) {
    switch (hash) {
        case "#sign-in-unknown":
            return "accountUnknown";
        case "#sign-in-unavailable":
            return "providerAway";
        case "#sign-in-unfinished":
            return "signInUnfinished";
        case "#sign-in-limited":
            return "tooManyTries";
        default:
            return null;
    }
}

function forgetFailure() {
    if (failureOf(location.hash)) history.replaceState(null, "", location.pathname);
}

/** @param {unknown} error */
function reasonOf(error) {
    if (error instanceof NoAnswer) return t("signInNeedsConnection");
    if (error instanceof ApiError && error.status === 401) return t("wrongPassword");
    if (error instanceof ApiError && error.status === 429) return t("tooManyTries");
    return t("wentWrong", { reason: error instanceof Error ? error.message : String(error) });
}
