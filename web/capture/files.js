// What kind a file is, by its first bytes, as the server decides it.

/** @typedef {import("./types.js").StepType} StepType */
/** @typedef {import("./types.js").Limits} Limits */
/** @typedef {"image/jpeg" | "image/png" | "video/mp4" | "application/pdf"} Media */

/** @type {Record<Media, string>} */
export const ENDINGS = { "image/jpeg": "jpg", "image/png": "png", "video/mp4": "mp4", "application/pdf": "pdf" };

const BRANDS = "isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 avc1 dash M4V_ M4VH M4VP MSNV mmp4".replaceAll(
    "_",
    " ",
);

/**
 * @param {Blob} blob
 * @returns {Promise<Media | null>} null for a kind that no step accepts
 */
export async function mediaOf(blob) {
    const start = new Uint8Array(await blob.slice(0, 16).arrayBuffer());
    const text = String.fromCharCode(...start);
    if (/^%PDF-[0-9]\.[0-9]/.test(text)) return "application/pdf";
    if (text.startsWith("\xFF\xD8\xFF")) return "image/jpeg";
    if (text.startsWith("\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR")) return "image/png";
    const isMp4 = text.slice(4, 8) === "ftyp" && BRANDS.includes(text.slice(8, 12));
    return isMp4 ? "video/mp4" : null;
}

/**
 * Whether a step asks for a file, not for an entered value.
 * @param {StepType} type
 */
export function takesFile(type) {
    return ["PHOTOGRAPHY", "VIDEO", "SIGNATURE", "DOCUMENT_UPLOAD"].includes(type);
}

/**
 * @param {StepType} type
 * @returns {Media[]}
 */
export function acceptedBy(type) {
    if (type === "VIDEO") return ["video/mp4"];
    if (type === "DOCUMENT_UPLOAD") return ["application/pdf", "image/jpeg", "image/png"];
    return ["image/jpeg", "image/png"];
}

/**
 * @param {StepType} type
 * @param {Limits} limits
 */
export function limitOf(type, limits) {
    if (type === "VIDEO") return limits.videoBytes;
    if (type === "DOCUMENT_UPLOAD") return limits.documentBytes;
    return type === "SIGNATURE" ? limits.signatureBytes : limits.photoBytes;
}

/**
 * A small picture for lists, so that no list decodes whole photos.
 * @param {Blob} blob
 * @returns {Promise<Blob | null>} null if the browser cannot decode it
 */
export async function thumbnailOf(blob) {
    try {
        const picture = await createImageBitmap(blob, { resizeWidth: 240, resizeQuality: "medium" });
        const canvas = document.createElement("canvas");
        canvas.width = picture.width;
        canvas.height = picture.height;
        canvas.getContext("2d")?.drawImage(picture, 0, 0);
        picture.close();
        return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.75));
    } catch {
        return null;
    }
}

/**
 * Lets the person save a file to the device.
 * @param {Blob} blob
 * @param {string} name
 */
export function saveToDevice(blob, name) {
    const url = URL.createObjectURL(blob);
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
