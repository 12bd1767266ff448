// The screen of a step that takes files: what it has, and the ways to take another. What was taken is looked at here.

import { h, icon, refill } from "../dom.js";
import { Look } from "../look.js";
import { given, hasAnswer, heading, isPicking, nextAfter, notices } from "./frame.js";
import { t } from "../words.js";

/** @typedef {import("../types.js").Screen} Screen */
/** @typedef {import("../types.js").Step} Step */
/** @typedef {import("../look.js").Shot} Shot */
/** @typedef {import("../position.js").Follower} Follower */
/** @typedef {import("../main.js").App} App */

/**
 * @param {App} app
 * @param {Step} step
 * @param {object} ways
 * @param {Follower | null} ways.follower
 * @param {boolean} ways.live whether the camera is to be shown
 * @param {(shot: (shot: Shot) => void) => import("../dom.js").Child} ways.offers the ways to take one
 * @param {((shot: (shot: Shot) => void, busy: () => boolean) => { node: HTMLElement, leave: () => void, unsaved?: () => boolean }) | null} ways.camera
 * @returns {Screen}
 */
export function fileScreen(app, step, { follower, live, offers, camera }) {
    const { session } = app;
    const here = `#step-${step.stepId}`;
    const body = h("div", { class: "step-body" });
    /** @type {Look | null} */
    let look = null;
    /** @type {{ node: HTMLElement, leave: () => void, unsaved?: () => boolean } | null} */
    let viewfinder = null;

    const draft = () => session.capturesOf(step.stepId).find((one) => one.state === "draft");

    /** @param {Shot} shot */
    const taken = (shot) => {
        begin();
        void look?.show(shot);
    };

    const begin = () => {
        viewfinder?.leave();
        viewfinder = null;
        look?.leave();
        follower?.start();
        look = new Look(session, step, follower, {
            kept: (isShown) => {
                app.queue.wake();
                end();
                if (!isShown) return;
                // A photo that is a case of its own asks for nothing more.
                if (session.quickFrame !== null) location.replace("#home");
                else if (live) location.replace(here);
                else overview(true);
            },
            again: () => {
                end();
                if (live) open();
                else overview(true);
            },
        });
        refill(body, look.node);
    };

    const end = () => {
        look?.leave();
        look = null;
    };

    const open = () => {
        const undecided = draft();
        if (undecided) {
            begin();
            void look?.reopen(undecided);
        } else if (camera) {
            follower?.start();
            viewfinder = camera(taken, () => look !== null);
            refill(body, viewfinder.node);
        }
    };

    let drawn = "";
    // The progress of an upload changes nothing here, and must not replace a button under the person's finger.
    const signature = () =>
        JSON.stringify([
            nextAfter(session, step).hash,
            session.retakeOf(step.stepId),
            session.itemsOf(step.stepId),
            session.capturesOf(step.stepId).map((one) => [one.captureId, one.state, one.message]),
        ]);

    /** @param {boolean} [focus] */
    const overview = (focus = false) => {
        follower?.stop();
        const next = nextAfter(session, step);
        const goOn = hasAnswer(session, step) && !session.retakeOf(step.stepId);
        const undecided = draft();
        drawn = signature();
        refill(
            body,
            notices(session, step, () => app.queue.wake()),
            undecided &&
                h(
                    "div",
                    { class: "note" },
                    icon("alert"),
                    h("p", null, t("undecided")),
                    h(
                        "button",
                        {
                            type: "button",
                            id: "look-now",
                            onclick: () => {
                                begin();
                                void look?.reopen(undecided);
                            },
                        },
                        t("lookNow"),
                    ),
                ),
            given(session, step),
            h(
                "div",
                { class: goOn ? "actions calm" : "actions" },
                goOn && h("a", { class: "button primary", href: next.hash, id: "next" }, next.label),
                offers(taken),
            ),
        );
        if (focus) document.querySelector("h1")?.focus();
    };

    if (live) open();
    else overview();

    return {
        title: step.title,
        node: h("article", { class: live ? "step live" : "step" }, heading(step, live ? here : "#"), body),
        update: () => {
            if (!look && !viewfinder && !isPicking() && signature() !== drawn) overview();
        },
        leave: () => {
            viewfinder?.leave();
            end();
            follower?.stop();
        },
        unsaved: () => Boolean(look?.unsaved() || viewfinder?.unsaved?.()),
    };
}
