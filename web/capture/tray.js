// The line at the bottom of every screen: how much waits on this device, and what is being sent.

import { h, icon, refill } from "./dom.js";
import { announce } from "./live.js";
import { percent, t } from "./words.js";

/** @typedef {import("./session.js").Session} Session */

/** @param {Session} session */
export function makeTray(session) {
    const node = h("div", { class: "tray" });
    let drawn = "";
    let hadUnsent = false;
    let refusedBefore = session.refused.length;

    const update = () => {
        const { unsent, refused, sending } = session;
        const pending = session.captures.filter((one) => one.state === "sent").length;
        const drafts = session.captures.filter((one) => one.state === "draft").length;
        const sent = sending && session.captures.find((one) => one.captureId === sending.captureId);
        const share = sent && sent.size > 0 ? (sending?.sent ?? 0) / sent.size : 0;
        const photosOnly = unsent.every((one) => one.type === "PHOTOGRAPHY");
        const lines = {
            waits:
                unsent.length > 0 && session.ended === null
                    ? t(photosOnly ? "photosWait" : "answersWait", { n: unsent.length })
                    : "",
            offline: unsent.length > 0 && session.ended === null && !session.connected ? t("offline") : "",
            sending: sent && session.connected ? t("sending", { title: sent.stepTitle, share: percent(share) }) : "",
            pending: pending > 0 ? t("receiptsWait", { n: pending }) : "",
            refused: refused.length > 0 ? t("someRefused", { n: refused.length }) : "",
            done:
                unsent.length + refused.length + pending + drafts === 0 &&
                session.current.length > 0 &&
                !session.openCase?.closed
                    ? t("allSent")
                    : "",
        };
        if (hadUnsent && unsent.length === 0 && refused.length === 0) announce(t("allSent"));
        if (refused.length > refusedBefore) announce(t("someRefused", { n: refused.length }), true);
        hadUnsent = unsent.length > 0;
        refusedBefore = refused.length;
        const text = JSON.stringify([document.documentElement.lang, lines]);
        if (text === drawn) return;
        drawn = text;
        node.hidden = Object.values(lines).every((line) => !line);
        refill(
            node,
            lines.refused &&
                h(
                    "p",
                    { class: "bad" },
                    icon("alert"),
                    h("a", { href: session.placeOf(refused[0]), id: "refused" }, lines.refused),
                ),
            lines.waits && h("p", { class: "waits" }, icon("clock"), lines.waits),
            lines.offline && h("p", null, lines.offline),
            lines.sending &&
                h(
                    "p",
                    { class: "sending" },
                    h("span", { id: "sending" }, lines.sending),
                    h("progress", { max: 1, value: share, "aria-labelledby": "sending" }),
                ),
            lines.pending && h("p", null, lines.pending),
            lines.done && h("p", { class: "done" }, icon("check"), lines.done),
        );
    };
    update();
    return { node, update };
}
