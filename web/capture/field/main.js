// The start of the field app: what the device remembers first, then what the server says.

import { h, icon, refill } from "../dom.js";
import { App, registerWorker } from "../main.js";
import { plainScreen } from "../states.js";
import { t, useLanguage } from "../words.js";
import { homeScreen } from "./home.js";
import { FieldSession } from "./session.js";
import { signInScreen } from "./signin.js";

export async function start() {
    await useLanguage();
    /** @type {FieldSession} */
    let session;
    try {
        session = await FieldSession.remembered();
    } catch {
        refill(/** @type {HTMLElement} */ (document.querySelector("main")), plainScreen("noStorage", null).node);
        return;
    }
    registerWorker("/field/worker.js", "/field");
    new App(session, (app) => screens(app, session)).start();
}

/**
 * @param {App} app
 * @param {FieldSession} session
 * @returns {import("../main.js").Extra}
 */
function screens(app, session) {
    const node = h("nav", { class: "field-nav" });
    const where = () => {
        // The page was never loaded with a session on this device, or no one is signed in.
        if (!session.user && !app.queue.tried && navigator.onLine) return "wait";
        if (session.ended === "signedOut") return "signIn";
        const isNothing = session.caseId === null && session.quickFrame === null;
        const isNoStep = session.quickFrame !== null && !location.hash.startsWith("#step-");
        return isNothing || isNoStep || session.isLost || location.hash === "#home" ? "home" : null;
    };
    return {
        node,
        where,
        make: (place) => {
            if (place === "wait") return null;
            return place === "signIn" ? signInScreen(app, session) : homeScreen(app, session);
        },
        update: () => {
            const place = where();
            node.hidden = place !== null;
            refill(
                node,
                place === null && h("a", { class: "back", href: "#home", id: "home" }, icon("back"), t("allCases")),
            );
        },
    };
}
