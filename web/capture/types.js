// The shapes that several modules share. The server's are those of the capture API; nothing here runs.

/**
 * @typedef {"PHOTOGRAPHY" | "VIDEO" | "SIGNATURE" | "DOCUMENT_UPLOAD" | "TEXT_FIELD" | "NUMBER_FIELD" | "DATE_FIELD" |
 *   "TIME" | "EMAIL" | "SELECT"} StepType
 */

/**
 * @typedef {object} Step
 * @property {number} stepId
 * @property {string} title
 * @property {string} [description]
 * @property {StepType} type
 * @property {string[]} [options] the choices of a `SELECT` step
 * @property {boolean} mandatory
 */

/** @typedef {{ frameId: number, name: string, steps: Step[] }} Form */

/**
 * @typedef {object} Limits
 * @property {number} photoBytes
 * @property {number} signatureBytes
 * @property {number} videoBytes
 * @property {number} documentBytes
 * @property {number} textCharacters
 * @property {number} pieceBytes the largest piece of an upload
 */

/** @typedef {{ palette: { light: Shades, dark: Shades } | null, logoUrl: string | null }} Appearance */

/**
 * A company's colour on one ground, as `#rrggbb`.
 * @typedef {{ accent: string, onAccent: string, tint: string }} Shades
 */

/**
 * The answer of `GET /v2/capture`.
 * @typedef {object} LinkInfo
 * @property {"usable" | "expired" | "usedUp" | "withdrawn"} state
 * @property {string} companyName
 * @property {Appearance} [appearance]
 * @property {string | null} expirationDate
 * @property {string} serverTime
 * @property {Form | null} form
 * @property {boolean} canOpenCase
 * @property {{ caseId: number, cfRef: string, title: string, createdAt: string }[]} openCases
 * @property {Limits} limits
 */

/**
 * @typedef {object} Item
 * @property {number} itemId
 * @property {string} cfRef
 * @property {number} stepId
 * @property {StepType} type
 * @property {string} data the entered value, or the file's name
 * @property {string} createdAt
 * @property {string | null} captureId
 * @property {string | null} sha256
 * @property {number | null} size
 * @property {string | null} fileUrl
 * @property {{ reason: string, requestedAt: string } | null} retake
 */

/**
 * @typedef {object} Case
 * @property {number} caseId
 * @property {string} cfRef
 * @property {string} title
 * @property {string} createdAt
 * @property {boolean} closed
 * @property {string | null} certificateUrl
 * @property {Form} form
 * @property {Item[]} items
 * @property {number[]} missing
 * @property {{ session: string, next: number }[]} [captureSessions] how many records of each session the server has
 * @property {{ captureId: string, stepId: number, at: string }[]} [announced] files that have not arrived yet
 */

/**
 * The answer of `GET /v2/field/cases`.
 * @typedef {object} FieldCases
 * @property {FieldUser} user
 * @property {string} companyName
 * @property {Appearance} [appearance]
 * @property {string} serverTime
 * @property {FieldCase[]} cases
 * @property {Form[]} forms
 * @property {Form[]} quickForms
 * @property {Limits} limits
 */

/** @typedef {{ userId: string, name: string }} FieldUser */

/**
 * @typedef {object} FieldCase
 * @property {number} caseId
 * @property {string} cfRef
 * @property {string} title
 * @property {number} frameId
 * @property {string} frameName
 * @property {string} createdAt
 * @property {string | null} scheduledAt
 */

/** @typedef {{ latitude: number, longitude: number, accuracy: number, at: number }} Position */

/**
 * The life of a capture on this device:
 * `draft` (in the store, the person has not decided), `waiting` (to be sent), `sent` (the server has an item; its
 * receipt is still missing, so the bytes are kept), `done` (a matching receipt came, the bytes are deleted), `refused`
 * (the server or this device rejected it; the bytes are kept), `discarded` (the person did not want the draft; it is
 * deleted when its digest is recorded, and no screen shows it).
 * @typedef {"draft" | "waiting" | "sent" | "done" | "refused" | "discarded"} CaptureState
 */

/**
 * One answer of the person. The bytes of a file are in a store of their own, by `captureId`.
 * @typedef {object} Capture
 * @property {string} captureId
 * @property {string} link which link it belongs to: a digest of the token, never the token
 * @property {number | null} caseId null until a case is open
 * @property {number | null} [quick] the frame on which this photo is a case of its own
 * @property {boolean} [certified] whether that case is closed
 * @property {string | null} [certificateUrl] its certificate
 * @property {number} stepId
 * @property {StepType} type
 * @property {string} stepTitle
 * @property {string} data the entered value, or the file's name
 * @property {CaptureState} state
 * @property {number} order when it was taken, in milliseconds; gives the order of sending
 * @property {string} frontCreatedAt the same, as local time with its offset
 * @property {string | null} media the media type; null for an entry
 * @property {number} size in bytes; 0 for an entry
 * @property {string | null} sha256 hexadecimal; null until computed
 * @property {Position | null} position
 * @property {Blob | null} thumbnail
 * @property {string | null} uploadUrl the path of the upload on the server
 * @property {string | null} message why it was refused, in the server's words
 * @property {{ itemId: number, cfRef: string } | null} item
 * @property {string | null} receipt the compact JWS
 * @property {string} [discardedAt] local time with its offset
 */

/**
 * What a record says, apart from its place in the chain.
 * @typedef {object} Claims
 * @property {"taken" | "retaken" | "deleted" | "skipped" | "closing"} event
 * @property {string} at the moment of the event, not of the signature; local time with its offset
 * @property {string} [captureId]
 * @property {number} [stepId]
 * @property {string} [sha256]
 * @property {number} [size]
 */

/**
 * An event, and its record as soon as it is signed.
 * @typedef {object} Recorded
 * @property {number} [order] given by the store; the order of the events
 * @property {string} link
 * @property {number | null} caseId null until a case is open
 * @property {Claims} claims
 * @property {string | null} session null until signed, like the following
 * @property {number | null} sequence
 * @property {string | null} jws the compact JWS
 */

/**
 * The chain of the records of one case on this device.
 * @typedef {object} Chain
 * @property {string} link
 * @property {number} caseId
 * @property {string} session the thumbprint of the public key
 * @property {CryptoKey} key the private key; it cannot leave the browser
 * @property {{ crv: string, kty: string, x: string, y: string }} jwk the public key
 * @property {string | null} head the digest of the last record
 * @property {number} next how many records are signed
 * @property {number} stored how many of them the server is known to have
 * @property {boolean} second whether it took the place of a chain that the server refused
 * @property {boolean} off whether the server refused this one too: there are no further records
 */

/**
 * What is remembered of a link for the next opening.
 * @typedef {object} Remembered
 * @property {string} link
 * @property {LinkInfo} info
 * @property {number | null} caseId
 * @property {Case | null} openCase
 * @property {string | null} [closingId] of a closing whose answer has not arrived
 */

/**
 * A screen. `update` runs when the session changes, `leave` when another screen takes its place.
 * @typedef {object} Screen
 * @property {string} title
 * @property {HTMLElement} node
 * @property {() => void} [update]
 * @property {() => void} [leave]
 * @property {() => boolean} [unsaved] whether leaving the page now loses something
 */

export {};
