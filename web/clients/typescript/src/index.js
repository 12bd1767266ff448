export { Client } from "./client.js";
export { ApiError } from "./errors.js";
export { VERSION } from "./operations.js";
export {
    verifyBearer,
    verifyHmacSha256,
    verifyPartnerApikey,
    verifySecurityToken,
    verifyStandardWebhooks,
} from "./webhooks.js";

/** @typedef {import("./transport.js").Settings} Settings */
/** @typedef {import("./transport.js").CallOptions} CallOptions */
/** @typedef {import("./transport.js").KeyedOptions} KeyedOptions */
/** @typedef {import("./upload.js").FileDescription} FileDescription */
/** @typedef {import("./upload.js").UploadOptions} UploadOptions */
