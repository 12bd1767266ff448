// Texts in the reader's language, and times and numbers in the reader's form.

import { words as english } from "./languages/en.js";

/** @typedef {import("./languages/en.js").Words} Words */
/** @typedef {keyof Words} Key */

/** Each in its own words. */
export const LANGUAGES = {
    en: "English",
    fr: "Français",
    de: "Deutsch",
    es: "Español",
    it: "Italiano",
    nl: "Nederlands",
    pt: "Português",
    ar: "العربية",
};

/** @typedef {keyof typeof LANGUAGES} Code */

const REMEMBERED = "sealwright-language";

/** @type {Words} */
let words = english;
/** @type {Code} */
let code = "en";
/** For Intl: the reader's own region of the language, if the browser names one. */
let locale = "en";

/**
 * The language that was chosen by hand, else the first of the browser's that exists, else the page's.
 * @returns {Code}
 */
function preferred() {
    const wanted = [remembered(), ...navigator.languages, document.documentElement.lang];
    for (const tag of wanted) {
        const primary = tag.toLowerCase().split("-")[0];
        if (primary in LANGUAGES) return /** @type {Code} */ (primary);
    }
    return "en";
}

function remembered() {
    try {
        return localStorage.getItem(REMEMBERED) ?? "";
    } catch {
        return "";
    }
}

/** @param {Code} chosen */
export function remember(chosen) {
    try {
        localStorage.setItem(REMEMBERED, chosen);
    } catch {
        // Without storage the choice lasts as long as the page.
    }
}

/**
 * Loads a language; English stays if its file cannot be loaded.
 * @param {Code} [chosen]
 */
export async function useLanguage(chosen = preferred()) {
    try {
        words = chosen === "en" ? english : (await import(`./languages/${chosen}.js`)).words;
        code = chosen;
    } catch {
        words = english;
        code = "en";
    }
    locale = navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === code) ?? code;
    document.documentElement.lang = code;
    document.documentElement.dir = code === "ar" ? "rtl" : "ltr";
}

export function currentLanguage() {
    return code;
}

/**
 * A text. `{name}` is replaced by the value of this name; a text with plural forms is chosen by `n`.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
    const text = words[key];
    const chosen = typeof text === "string" ? text : plural(text, Number(values.n));
    return chosen.replace(/\{(\w+)\}/g, (whole, name) => {
        const value = values[name];
        if (value === undefined) return whole;
        // A value may be written in the other direction than the text around it.
        return typeof value === "number" ? number(value) : `\u2068${value}\u2069`;
    });
}

/**
 * @param {{ one: string, other: string, zero?: string, two?: string, few?: string, many?: string }} forms
 * @param {number} n
 */
function plural(forms, n) {
    return forms[new Intl.PluralRules(code).select(n)] ?? forms.other;
}

/** @param {number} value */
export function number(value) {
    return new Intl.NumberFormat(locale).format(value);
}

/** @param {number} share from 0 to 1 */
export function percent(share) {
    return new Intl.NumberFormat(locale, { style: "percent" }).format(Math.floor(share * 100) / 100);
}

/** @param {number} bytes */
export function size(bytes) {
    const [value, unit] =
        bytes < 1000 ? [bytes, "byte"] : bytes < 999_500 ? [bytes / 1000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
    const digits = unit === "megabyte" && value < 100 ? 1 : 0;
    return new Intl.NumberFormat(locale, {
        style: "unit",
        unit,
        unitDisplay: unit === "byte" ? "long" : "short",
        maximumFractionDigits: digits,
    }).format(value);
}

/** @param {number} value */
export function metres(value) {
    return new Intl.NumberFormat(locale, { style: "unit", unit: "meter", maximumFractionDigits: 0 }).format(
        Math.ceil(value),
    );
}

/** @param {string | number | Date} moment */
export function time(moment) {
    return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(moment));
}

/**
 * The month for which a case is planned. Months are counted at UTC+2, which POSIX calls GMT-2.
 * @param {string} moment
 */
export function month(moment) {
    const form = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "Etc/GMT-2" });
    return form.format(new Date(moment));
}

/**
 * Minutes and seconds of a recording.
 * @param {number} seconds
 */
export function duration(seconds) {
    return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
}

/**
 * An entered value as the reader writes it; the sealed value stays as it was entered.
 * @param {import("./types.js").StepType} type
 * @param {string} value
 */
export function shown(type, value) {
    if (type === "DATE_FIELD") {
        const date = new Date(`${value}T00:00:00Z`);
        if (!Number.isNaN(date.getTime())) {
            return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(date);
        }
    }
    return value;
}
