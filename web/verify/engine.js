// The worker of the page: one instance of the module for one job. Whatever a hostile file makes a library do ends with
// this worker.

/**
 * @typedef {object} EngineExports
 * @property {WebAssembly.Memory} memory
 * @property {(place: number, length: number) => number} reserve
 * @property {() => void} hash_piece
 * @property {() => number} finish_hash
 * @property {() => number} read_pages
 * @property {() => number} read_pictures
 * @property {() => number} read_originals
 * @property {() => number} check
 * @property {() => void} package_piece
 * @property {() => number} find_certificate
 * @property {() => number} check_package
 * @property {() => number} answer_length
 */

/**
 * @typedef {object} EngineJob
 * @property {"unpack" | "pages" | "pictures" | "originals" | "hash" | "check" | "find" | "checkPackage"} task
 * @property {Uint8Array | WebAssembly.Module} module Packed, to unpack it; or compiled.
 * @property {number} size Of the certificate, or of the file to hash. In bytes.
 * @property {string} request In JSON, for a check.
 */

const [FILE_PLACE, REQUEST_PLACE, PIECE_PLACE] = [0, 1, 2];
const PIECE_BYTES = 4 << 20;

/** @type {(bytes: ArrayBuffer) => void} */
let takePiece = () => undefined;

/**
 * Asks the page for a part of the file. A worker of WebKit cannot read the files of a page that was opened from a disk.
 * @param {number} from
 * @param {number} to
 * @returns {Promise<Uint8Array>}
 */
async function readPiece(from, to) {
  const bytes = await new Promise((resolve) => {
    takePiece = resolve;
    postMessage({ from, to });
  });
  return new Uint8Array(bytes);
}

/**
 * @param {EngineExports} engine
 * @param {number} place
 * @param {Uint8Array} bytes
 */
function putBytes(engine, place, bytes) {
  // Addresses are signed in JavaScript.
  const address = engine.reserve(place, bytes.length) >>> 0;
  if (address === 0) throw new Error("there is not enough memory for this file");
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
}

/**
 * @param {EngineExports} engine
 * @param {number} address
 */
function takeAnswer(engine, address) {
  const bytes = new Uint8Array(engine.memory.buffer, address >>> 0, engine.answer_length());
  return new TextDecoder().decode(bytes);
}

/**
 * Gives the file to the module in pieces.
 * @param {EngineExports} engine
 * @param {number} size
 * @param {() => boolean} take Takes one piece. True: the rest is not needed.
 */
async function eachPiece(engine, size, take) {
  for (let from = 0; from < size; from += PIECE_BYTES) {
    putBytes(engine, PIECE_PLACE, await readPiece(from, Math.min(from + PIECE_BYTES, size)));
    if (take()) return;
  }
}

/**
 * @param {EngineJob} job
 * @returns {Promise<string | Uint8Array>}
 */
async function work({ task, module, size, request }) {
  if (module instanceof Uint8Array) return unpacked(module);
  const instance = await WebAssembly.instantiate(module, {});
  const engine = /** @type {EngineExports} */ (/** @type {unknown} */ (instance.exports));
  if (task === "hash") {
    await eachPiece(engine, size, () => {
      engine.hash_piece();
      return false;
    });
    return takeAnswer(engine, engine.finish_hash());
  }
  if (task === "find") {
    let place = "null";
    await eachPiece(engine, size, () => {
      engine.package_piece();
      place = takeAnswer(engine, engine.find_certificate());
      return place !== "null";
    });
    return place;
  }
  if (task === "checkPackage") {
    await eachPiece(engine, size, () => {
      engine.package_piece();
      return false;
    });
    putBytes(engine, REQUEST_PLACE, new TextEncoder().encode(request));
    return takeAnswer(engine, engine.check_package());
  }
  putBytes(engine, FILE_PLACE, await readPiece(0, size));
  if (task === "pages") return takeAnswer(engine, engine.read_pages());
  if (task === "pictures") return takeAnswer(engine, engine.read_pictures());
  if (task === "originals") return takeAnswer(engine, engine.read_originals());
  putBytes(engine, REQUEST_PLACE, new TextEncoder().encode(request));
  return takeAnswer(engine, engine.check());
}

addEventListener("message", ({ data }) => {
  if (data instanceof ArrayBuffer) {
    takePiece(data);
    return;
  }
  work(data).then(
    (answer) => postMessage({ answer }),
    (error) => postMessage({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
