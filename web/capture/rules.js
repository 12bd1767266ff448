// The rules for entered values, the same as the server's. A problem is the key of a text in `languages/`.

/** @typedef {import("./types.js").Step} Step */

/**
 * @param {Step} step
 * @param {string} typed
 * @param {number} mostCharacters
 * @returns {{ value: string } | { problem: "needText" | "tooLong" | "needNumber" | "needDate" | "needTime" | "needEmail" |
 *   "needChoice" }} the value as it is sent
 */
export function check(step, typed, mostCharacters) {
    const value = step.type === "TEXT_FIELD" || step.type === "SELECT" ? typed : typed.trim();
    if ([...value].length > mostCharacters) return { problem: "tooLong" };
    switch (step.type) {
        case "NUMBER_FIELD": {
            // A comma is what many keyboards offer; the server takes a point.
            const number = value.replace(/^([+-]?\d*),(\d+)$/, "$1.$2");
            return isNumber(number) ? { value: number } : { problem: "needNumber" };
        }
        case "DATE_FIELD":
            return isDate(value) ? { value } : { problem: "needDate" };
        case "TIME": {
            const minutes = value.replace(/^(\d\d:\d\d):\d\d(\.\d+)?$/, "$1");
            return /^([01]\d|2[0-3]):[0-5]\d$/.test(minutes) ? { value: minutes } : { problem: "needTime" };
        }
        case "EMAIL":
            return isEmail(value) ? { value } : { problem: "needEmail" };
        case "SELECT":
            return step.options?.includes(value) ? { value } : { problem: "needChoice" };
        default:
            return value.trim() === "" || value.includes("\0") ? { problem: "needText" } : { value };
    }
}

/** @param {string} text */
function isNumber(text) {
    return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
}

/** @param {string} text */
function isDate(text) {
    if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
    const date = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * The shape of an address; the server has the last word.
 * @param {string} text
 */
function isEmail(text) {
    const [local, domain, ...more] = text.split("@");
    return (
        more.length === 0 &&
        /^[^\s"(),:;<>[\\\]]{1,64}$/u.test(local) &&
        !/^\.|\.\.|\.$/.test(local) &&
        /^(?=.{1,254}$)[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u.test(
            domain ?? "",
        )
    );
}
