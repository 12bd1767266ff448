// What was just taken, on the screen: look at it, keep it or take it again. Nothing says "kept" before it is stored.

import { captured, discard, keep } from "./captured.js";
import { h, icon, refill } from "./dom.js";
import { acceptedBy, ENDINGS, limitOf, mediaOf, saveToDevice } from "./files.js";
import { announce } from "./live.js";
import { sha256OfBlob } from "./hash.js";
import { StorageFull, changeCapture, deleteRecording, readBytes } from "./store.js";
import { metres, percent, size, t, time } from "./words.js";

/** @typedef {import("./types.js").Capture} Capture */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./position.js").Follower} Follower */
/** @typedef {Parameters<typeof captured>[2]} Shot */

/** A position that is found later than this does not say where the picture was taken. */
const LATEST_POSITION = 120_000;

/** @type {Record<string, import("./words.js").Key>} */
const QUESTIONS = { PHOTOGRAPHY: "lookPhoto", VIDEO: "lookVideo", DOCUMENT_UPLOAD: "lookDocument" };

export class Look {
    /** @type {Shot | undefined} */
    shot;
    node = h("section", { class: "look", "aria-labelledby": "look-head" });
    /** @type {Capture | null} */
    #capture = null;
    /** In the store; its digest may still be missing. */
    /** @type {Capture | null} */
    #stored = null;
    /** @type {Promise<Capture> | undefined} */
    #storing;
    /** When the person decided against it. */
    /** @type {Date | null} */
    #unwanted = null;
    /** @type {Position | null} */
    #position = null;
    /** @type {"full" | "failed" | null} */
    #trouble = null;
    /** @type {number | null} */
    #share = null;
    #reason = "";
    #wrong = "";
    #over = false;
    #statusBox = h("div");
    #buttonBox = h("div", { class: "actions" });
    #buttonsFor = "";
    #url = "";
    #listener = () => this.#follow();

    /**
     * @param {Session} session
     * @param {Step} step
     * @param {Follower | null} follower null if the step needs no position
     * @param {object} then
     * @param {(isShown: boolean) => void} then.kept `isShown`: the person has not gone to another screen meanwhile
     * @param {() => void} then.again
     */
    constructor(session, step, follower, then) {
        this.session = session;
        this.step = step;
        this.follower = follower;
        this.then = then;
        follower?.addEventListener("change", this.#listener);
    }

    /** @param {Shot} shot */
    async show(shot) {
        this.shot = shot;
        this.#preview(shot.bytes);
        this.#follow();
        this.#wrong = await this.#problemOf(shot.bytes);
        if (this.#over) return;
        if (this.#wrong) this.#draw(true);
        else await this.#store();
    }

    /**
     * A draft of an earlier visit.
     * @param {Capture} draft
     */
    async reopen(draft) {
        const bytes = await readBytes(draft.captureId);
        if (this.#over) return;
        if (!bytes) {
            await discard(this.session, draft);
            this.then.again();
            return;
        }
        this.shot = { bytes, name: draft.data, at: new Date(draft.order), origin: /** @type {const} */ ("camera") };
        this.#capture = this.#stored = draft;
        this.#position = draft.position;
        this.#preview(bytes);
        this.#follow();
        if (draft.sha256 === null) {
            draft.sha256 = await sha256OfBlob(bytes);
            await changeCapture(draft.captureId, { sha256: draft.sha256 });
        }
        this.#draw(true);
    }

    leave() {
        this.#over = true;
        this.follower?.removeEventListener("change", this.#listener);
        if (this.#url) URL.revokeObjectURL(this.#url);
    }

    /** Whether the bytes are on the screen only. */
    unsaved() {
        return !this.#over && this.shot !== undefined && this.#capture === null && !this.#wrong;
    }

    /** @param {Blob} bytes */
    async #problemOf(bytes) {
        if (bytes.size === 0) return t("emptyFile");
        const kinds = acceptedBy(this.step.type);
        const media = await mediaOf(bytes);
        if (!media || !kinds.includes(media)) return t("wrongKind", { kinds: namesOf(kinds) });
        const most = this.session.info ? limitOf(this.step.type, this.session.info.limits) : Infinity;
        return bytes.size > most ? t("tooLarge", { size: size(bytes.size), most: size(most) }) : "";
    }

    async #store() {
        if (!this.shot) return;
        this.#trouble = null;
        this.#draw(true);
        try {
            const progress = (/** @type {number} */ share) => {
                this.#share = share < 1 ? share : null;
                this.#draw();
            };
            this.#storing = captured(this.session, this.step, this.shot, progress, (draft) => {
                this.#stored = draft;
                if (this.#unwanted) this.#discard().catch(() => {});
            });
            this.#capture = await this.#storing;
        } catch (error) {
            this.#trouble = error instanceof StorageFull ? "full" : "failed";
            this.#reason = error instanceof Error ? error.message : String(error);
            announce(t(this.#trouble === "full" ? "full" : "notStored", { reason: this.#reason }), true);
        }
        this.#share = null;
        if (this.#over) return;
        this.#follow();
        this.#draw();
    }

    /** Takes the position of the shutter: the first one that is close enough in time. */
    #follow() {
        const found = this.follower?.fresh ? this.follower.last : null;
        if (!this.#position && found && this.shot && found.at - this.shot.at.getTime() < LATEST_POSITION) {
            this.#position = found;
        }
        if (this.#position && this.#capture && this.#capture.position === null) {
            this.#capture.position = this.#position;
            void changeCapture(this.#capture.captureId, { position: this.#position });
        }
        this.#draw();
    }

    get #tooLate() {
        return this.shot !== undefined && Date.now() - this.shot.at.getTime() > LATEST_POSITION;
    }

    /** @param {Blob} bytes */
    #preview(bytes) {
        this.#url = URL.createObjectURL(bytes);
        this.picture = h("div", { class: "picture" });
        const missing = () => this.picture && refill(this.picture, h("p", null, t("nothingToShow")));
        void mediaOf(bytes).then((media) => {
            if (!this.picture || this.#over) return;
            if (media === "video/mp4") {
                refill(
                    this.picture,
                    h("video", { src: this.#url, controls: true, playsinline: true, onerror: missing }),
                );
            } else if (media?.startsWith("image/")) {
                refill(
                    this.picture,
                    h("img", {
                        src: this.#url,
                        alt: t(this.step.type === "PHOTOGRAPHY" ? "typePHOTOGRAPHY" : "typeDOCUMENT_UPLOAD"),
                        onerror: missing,
                    }),
                );
            } else {
                refill(this.picture, h("p", { class: "paper" }, icon("file"), h("bdi", null, this.shot?.name ?? "")));
            }
        });
    }

    /** @param {boolean} [focus] */
    #draw(focus = false) {
        if (this.#over || !this.shot || !this.picture) return;
        const { shot } = this;
        if (!this.node.firstChild) {
            const name = shot.name ? h("bdi", null, shot.name) : null;
            this.node.append(
                h("h2", { id: "look-head", tabindex: "-1" }, t(QUESTIONS[this.step.type] ?? "lookDocument")),
                this.picture,
                h("p", { class: "facts" }, name, name && " · ", `${time(shot.at)} · ${size(shot.bytes.size)}`),
                this.#statusBox,
                this.#buttonBox,
            );
        }
        refill(this.#statusBox, this.#status());
        // The digest reports its progress many times a second; a redrawn button loses the tap that has begun.
        const buttonsFor = JSON.stringify([this.#wrong, this.#trouble, this.#ready]);
        if (buttonsFor !== this.#buttonsFor) refill(this.#buttonBox, this.#buttons());
        this.#buttonsFor = buttonsFor;
        if (focus) this.node.querySelector("h2")?.focus();
    }

    #status() {
        if (this.#wrong) return h("p", { class: "note bad", role: "alert" }, icon("alert"), this.#wrong);
        if (this.#trouble) {
            const full = this.#trouble === "full";
            return h(
                "div",
                { class: "note bad" },
                icon("alert"),
                h("p", null, h("strong", null, full ? t("full") : t("notStored", { reason: this.#reason }))),
                h("p", null, t("fullText")),
            );
        }
        const storing = this.#share === null ? t("storing") : t("digesting", { share: percent(this.#share) });
        const stored = h(
            "p",
            { class: "status" },
            icon(this.#capture ? "check" : "clock"),
            this.#capture ? t("stored") : storing,
        );
        return [stored, this.follower && this.#place()];
    }

    #place() {
        if (this.#position) {
            return h(
                "p",
                { class: "status" },
                icon("place"),
                t("positionFound", { metres: metres(this.#position.accuracy) }),
            );
        }
        return positionNote(/** @type {Follower} */ (this.follower), this.#tooLate);
    }

    #buttons() {
        const isFile = this.shot?.origin === "file";
        const again = h(
            "button",
            { type: "button", id: "again", onclick: () => this.#again() },
            t(isFile ? "chooseAgain" : "again"),
        );
        if (this.#wrong) return again;
        if (this.#trouble) {
            return [
                h(
                    "button",
                    {
                        type: "button",
                        id: "retry",
                        class: "primary",
                        onclick: () => (this.#capture ? this.#keep() : this.#store()),
                    },
                    t("tryAgain"),
                ),
                h("button", { type: "button", id: "save", onclick: () => this.#save() }, t("save")),
                h("button", { type: "button", id: "discard", onclick: () => this.#again() }, t("discard")),
            ];
        }
        return [
            h(
                "button",
                { type: "button", id: "keep", class: "primary", disabled: !this.#ready, onclick: () => this.#keep() },
                t("keep"),
            ),
            again,
        ];
    }

    get #ready() {
        return Boolean(this.#capture?.sha256 && (!this.follower || this.#position));
    }

    #save() {
        if (this.shot)
            saveToDevice(
                this.shot.bytes,
                this.shot.name || `${this.step.type.toLowerCase()}-${this.shot.at.getTime()}`,
            );
    }

    async #keep() {
        if (!this.#capture || this.#over) return;
        const capture = this.#capture;
        this.#over = true;
        this.#trouble = null;
        try {
            await keep(this.session, capture, this.#position);
        } catch (error) {
            this.#over = false;
            this.#trouble = error instanceof StorageFull ? "full" : "failed";
            this.#reason = error instanceof Error ? error.message : String(error);
            this.#draw();
            return;
        }
        announce(t("kept"));
        this.then.kept(this.node.isConnected);
    }

    async #again() {
        this.leave();
        this.#unwanted = new Date();
        const discarding = this.#discard();
        // While a digest is computed everything takes longer, and the person does not wait for it.
        if (this.#capture) await discarding;
        else discarding.catch(() => {});
        if (this.node.isConnected) this.then.again();
    }

    /** What is not in the store yet is discarded when it is. */
    async #discard() {
        if (this.#stored) await discard(this.session, this.#stored, this.#unwanted ?? undefined, this.#storing);
        else if (this.shot?.recorded) await deleteRecording(this.shot.recorded.captureId);
    }
}

/**
 * Why there is no position, and what to do.
 * @param {Follower} follower
 * @param {boolean} [tooLate]
 */
export function positionNote(follower, tooLate = false) {
    if (tooLate) return h("p", { class: "note bad" }, icon("place"), t("positionTooLate"));
    if (follower.state === "searching") return h("p", { class: "status" }, icon("place"), t("positionSearching"));
    if (follower.state === "found") {
        return h(
            "p",
            { class: "status" },
            icon("place"),
            t("positionFound", { metres: metres(follower.last?.accuracy ?? 0) }),
        );
    }
    const refused = follower.state === "refused";
    return h(
        "div",
        { class: "note bad" },
        icon("place"),
        h("p", null, h("strong", null, t(refused ? "positionRefused" : "positionUnavailable"))),
        h("p", null, t("positionWhy")),
        h("p", null, t(refused ? "positionAllow" : "positionOutside")),
        h("button", { type: "button", id: "position-again", onclick: () => follower.start() }, t("tryAgain")),
    );
}

/** @param {import("./files.js").Media[]} kinds */
export function namesOf(kinds) {
    return kinds.map((kind) => ({ jpg: "JPEG", png: "PNG", mp4: "MP4", pdf: "PDF" })[ENDINGS[kind]]).join(", ");
}
