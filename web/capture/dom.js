// Makes elements. Texts are text nodes, never markup.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [attributes] `on…` are listeners; true and false are boolean attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
    }
    append(element, children);
    return element;
}

/**
 * @param {Element} parent
 * @param {Child} child
 */
function append(parent, child) {
    if (Array.isArray(child)) for (const one of child) append(parent, one);
    else if (child !== null && child !== undefined && child !== false) {
        parent.append(child instanceof Node ? child : String(child));
    }
}

/**
 * Replaces what an element contains. The focus stays on the element with the same id, if there still is one.
 * @param {Element} parent
 * @param {...Child} children
 */
export function refill(parent, ...children) {
    const focused = parent.contains(document.activeElement) ? document.activeElement?.id : "";
    parent.replaceChildren();
    append(parent, children);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** @type {Record<string, string>} */
const PATHS = {
    camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
    video: "M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5",
    pen: "M4 20l1-4L16 5l3 3L8 19zM4 20h16",
    file: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
    text: "M4 6h16M4 12h16M4 18h9",
    check: "M5 12.5l4.5 4.5L19 7.5",
    clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
    alert: "M12 4l9 16H3zM12 10v4M12 17v.5",
    again: "M4 12a8 8 0 1 1 2.5 5.8M4 19v-5h5",
    back: "M15 5l-7 7 7 7",
    torch: "M13 3L6 13h5l-1 8 7-10h-5z",
    flip: "M4 9a8 8 0 0 1 14-2l2 2M20 4v5h-5M20 15a8 8 0 0 1-14 2l-2-2M4 20v-5h5",
    place: "M12 21s7-6.5 7-11.5A7 7 0 0 0 5 9.5C5 14.5 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
    lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
};

/**
 * A drawing for the eye only; the text next to it says the same.
 * @param {string} name
 */
export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", `icon icon-${name}`);
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", PATHS[name] ?? "");
    svg.append(path);
    return svg;
}
