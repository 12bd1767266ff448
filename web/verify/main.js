// The page that checks a certificate: its fields, and the steps of a check.

/** The fields, and how many files each takes. */
const FIELDS = /** @type {const} */ ([
  "certificate",
  "originals",
  "roots",
  "timeRoots",
  "signers",
  "disclosures",
  "evidence",
]);
/** In bytes. */
const MOST_CERTIFICATE = 256 << 20;
/** The bytes at the start of a package of a case: those of a ZIP archive, and the name of its first file. */
const PACKAGE_START = { archive: "PK\u0003\u0004", name: "mimetype", nameAt: 30 };
/** In milliseconds. */
const PAGES_TIME = 60_000;
const CHECK_TIME = 120_000;

const LANGUAGES = /** @type {PageLanguage[]} */ (Object.keys(WORDS));

/** @typedef {typeof FIELDS[number]} Field */

/** @returns {Record<Field, File[]>} */
function noFiles() {
  return { certificate: [], originals: [], roots: [], timeRoots: [], signers: [], disclosures: [], evidence: [] };
}

/**
 * What was chosen.
 * @type {{ language: PageLanguage, files: Record<Field, File[]>, check: number }}
 */
const state = {
  language: preferredLanguage(),
  files: noFiles(),
  check: 0,
};

/** The first of the browser's languages that this page has; or else English. */
function preferredLanguage() {
  const known = navigator.languages.map((tag) => LANGUAGES.find((language) => tag.split("-")[0] === language));
  return known.find((language) => language !== undefined) ?? "en";
}

const textOf = (/** @type {string} */ id) => document.getElementById(id)?.textContent?.trim() ?? "";
const words = () => WORDS[state.language];

/**
 * Runs one job in a worker of its own, and gives it the parts of the file that it asks for.
 * @param {{ task: string, module: Uint8Array | WebAssembly.Module, request?: string }} job
 * @param {number} time
 * @param {Blob} file
 * @returns {Promise<any>}
 */
async function inWorker(job, time, file = new Blob()) {
  const source = URL.createObjectURL(new Blob([textOf("engine")], { type: "text/javascript" }));
  const worker = new Worker(source);
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(words().late)), time);
      worker.addEventListener("message", ({ data }) => {
        if ("answer" in data) resolve(data.answer);
        else if ("from" in data) {
          file.slice(data.from, data.to).arrayBuffer().then((bytes) => worker.postMessage(bytes, [bytes]), reject);
        } else reject(new Error(data.problem));
      });
      worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker failed")));
      worker.postMessage({ ...job, size: file.size });
    });
  } finally {
    worker.terminate();
    URL.revokeObjectURL(source);
  }
}

/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** The module, which is in the page: packed, in Base64. It is compiled once, for all workers. */
function compiledModule() {
  compiled ??= inWorker({ task: "unpack", module: fromBase64(textOf("module")) }, CHECK_TIME).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  return compiled;
}

/**
 * @param {"pages" | "pictures" | "originals" | "hash" | "check" | "find" | "checkPackage"} task
 * @param {Blob} file
 * @param {string} request
 * @param {number} time
 * @returns {Promise<string>}
 */
async function run(task, file, request, time) {
  return inWorker({ task, module: await compiledModule(), request }, time, file);
}

/**
 * Says something to a screen reader, without the whole result.
 * @param {string} text
 */
function say(text) {
  document.getElementById("said")?.replaceChildren(text);
}

/** @param {Blob} file */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let from = 0; from < bytes.length; from += 8192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  }
  return btoa(text);
}

/** @param {File[]} files */
const asBase64 = (files) => Promise.all(files.map(async (file) => ({ name: file.name, base64: await base64(file) })));

/** The keys of witnesses that were entered. */
function witnessKeys() {
  const field = document.getElementById("witnesses");
  const text = field instanceof HTMLTextAreaElement ? field.value : "";
  return text.split(/\s+/).filter((key) => key !== "");
}

/** @param {File} file */
async function isPackage(file) {
  const { archive, name, nameAt } = PACKAGE_START;
  const start = new Uint8Array(await file.slice(0, nameAt + name.length).arrayBuffer());
  const text = String.fromCharCode(...start);
  return text.startsWith(archive) && text.startsWith(name, nameAt);
}

/**
 * The certificate in a package; empty if there is none.
 * @param {File} file
 */
async function certificateIn(file) {
  const place = JSON.parse(await run("find", file, "", CHECK_TIME));
  return place === null ? new Blob() : file.slice(place.from, place.to);
}

/**
 * The text of the pages; null if a hostile file stopped the reader.
 * @param {Blob} certificate
 */
async function readPages(certificate) {
  try {
    return JSON.parse(await run("pages", certificate, "", PAGES_TIME));
  } catch {
    return null;
  }
}

/**
 * Checks a file, which has the certificate or is the certificate.
 * @param {File} file
 * @param {Blob} certificate
 * @returns {Promise<CheckResult>}
 */
async function checked(file, certificate) {
  if (certificate.size > MOST_CERTIFICATE) throw new Error(words().tooLarge);
  const originals = [];
  for (const original of state.files.originals) {
    originals.push({ name: original.name, sha256: await run("hash", original, "", CHECK_TIME) });
  }
  const disclosures = state.files.disclosures.map(async (given) => ({ name: given.name, text: await given.text() }));
  const request = {
    name: file.name,
    language: state.language,
    now: Date.now(),
    originals,
    disclosures: await Promise.all(disclosures),
    roots: await asBase64(state.files.roots),
    timeRoots: await asBase64(state.files.timeRoots),
    signers: await asBase64(state.files.signers),
    evidence: await asBase64(state.files.evidence),
    witnesses: witnessKeys(),
    pages: await readPages(certificate),
  };
  const task = file === certificate ? "check" : "checkPackage";
  const answer = JSON.parse(await run(task, file, JSON.stringify(request), CHECK_TIME));
  if (typeof answer.problem === "string") throw new Error(answer.problem);
  return answer;
}

/**
 * The addresses of pictures that were given, by the names of their files; of those inside the certificate
 * ({@link insideKey}); and of those on the pages.
 * @type {Map<string, string>}
 */
const pictures = new Map();
/** @type {string[]} */
const pagePictures = [];

/**
 * The pictures among the originals inside the certificate; none if they cannot be read.
 * @param {Blob} certificate
 * @param {CheckResult} found
 * @returns {Promise<{ name: string, type: string, base64: string }[]>}
 */
async function readOriginals(certificate, { facts }) {
  if (facts.items.every(({ embedded }) => embedded === undefined)) return [];
  try {
    return JSON.parse(await run("originals", certificate, "", PAGES_TIME));
  } catch {
    return [];
  }
}

/** @param {{ name: string, type: string, base64: string }[]} inside */
function renewPictures(inside) {
  for (const address of [...pictures.values(), ...pagePictures]) URL.revokeObjectURL(address);
  pictures.clear();
  pagePictures.length = 0;
  for (const file of state.files.originals.filter(({ type }) => /^image\/(jpeg|png)$/.test(type))) {
    pictures.set(file.name, URL.createObjectURL(file));
  }
  for (const { name, type, base64 } of inside) {
    pictures.set(insideKey(name), URL.createObjectURL(new Blob([fromBase64(base64)], { type })));
  }
}

/**
 * Shows the pictures on the pages, if they can be read.
 * @param {Blob} certificate
 * @param {number} own The number of the check.
 */
async function showPictures(certificate, own) {
  /** @type {{ page: number, jpeg: string }[]} */
  let found = [];
  try {
    found = JSON.parse(await run("pictures", certificate, "", PAGES_TIME));
  } catch {
    // The result does not depend on them.
  }
  if (own !== state.check) return;
  const shown = found.map(({ page, jpeg }) => {
    return { page, address: URL.createObjectURL(new Blob([fromBase64(jpeg)], { type: "image/jpeg" })) };
  });
  pagePictures.push(...shown.map(({ address }) => address));
  const place = document.getElementById("shown");
  place?.replaceChildren(...shownView(shown, words()));
  if (place) place.dataset["state"] = "done";
}

async function checkAgain() {
  const [file] = state.files.certificate;
  const result = document.getElementById("result");
  if (!file || !result) return;
  state.check += 1;
  const own = state.check;
  result.dataset["state"] = "working";
  result.replaceChildren(element("p", {}, words().working));
  say(words().working);
  /** @type {Node[]} */
  let shown;
  let outcome = "done";
  let isRelied = false;
  /** @type {Blob} */
  let certificate = file;
  try {
    if (await isPackage(file)) certificate = await certificateIn(file);
    const found = await checked(file, certificate);
    if (own !== state.check) return;
    const inside = await readOriginals(certificate, found);
    if (own !== state.check) return;
    renewPictures(inside);
    shown = resultView(found, pictures, witnessKeys(), words());
    isRelied = found.account.proven.length > 0;
  } catch (error) {
    outcome = "failed";
    const reason = error instanceof Error ? error.message : String(error);
    shown = [element("p", { class: "verdict bad" }, ...withCode(words().failed.replace("{}", () => reason)))];
  }
  // A newer check may have been started.
  if (own !== state.check) return;
  result.replaceChildren(...shown);
  const said = result.querySelector("#headline") ?? result.querySelector(".verdict");
  say(said?.textContent ?? "");
  result.dataset["state"] = outcome;
  if (isRelied) await showPictures(certificate, own);
}

/**
 * @param {Field} name
 * @param {string} hint
 */
function field(name, hint = "") {
  const input = /** @type {HTMLInputElement} */ (element("input", { type: "file", id: name }));
  input.multiple = name !== "certificate";
  input.addEventListener("change", () => {
    state.files[name] = [...(input.files ?? [])];
    void checkAgain();
  });
  const label = element("label", { for: name }, words()[name]);
  if (hint === "") return element("div", { class: "field" }, label, input);
  input.setAttribute("aria-describedby", `${name}-hint`);
  return element("div", { class: "field" }, label, element("p", { id: `${name}-hint`, class: "quiet" }, hint), input);
}

/** The field for the keys of witnesses, which are texts. */
function witnessesField() {
  const attributes = { id: "witnesses", rows: "2", spellcheck: "false", "aria-describedby": "witnesses-hint" };
  const input = element("textarea", attributes);
  input.addEventListener("change", () => void checkAgain());
  return element(
    "div",
    { class: "field" },
    element("label", { for: "witnesses" }, words().witnesses),
    element("p", { id: "witnesses-hint", class: "quiet" }, words().witnessesHint),
    input,
  );
}

/** @param {PageLanguage} language */
function languageButton(language) {
  const button = element("button", { type: "button", class: "language", lang: language }, WORDS[language].name);
  button.addEventListener("click", () => {
    state.language = language;
    state.files = noFiles();
    show();
  });
  return button;
}

function show() {
  const own = words();
  document.documentElement.lang = state.language;
  document.title = own.title;
  const others = LANGUAGES.filter((language) => language !== state.language);
  document.getElementById("app")?.replaceChildren(
    element("div", { class: "languages" }, ...others.map(languageButton)),
    element("h1", {}, own.title),
    element("p", { class: "intro" }, own.intro),
    field("certificate"),
    field("originals", own.originalsHint),
    element(
      "details",
      { class: "trust" },
      element("summary", {}, own.more),
      element("p", { class: "quiet" }, own.moreHint),
      field("roots"),
      field("timeRoots"),
      field("signers"),
      witnessesField(),
      field("disclosures"),
      field("evidence"),
    ),
    element("p", { id: "said", class: "unseen", role: "status" }),
    element("div", { id: "result", "data-state": "empty" }),
    element("h2", {}, own.page),
    element("p", {}, ...withCode(own.pageText)),
  );
}

// A file that is dropped next to a field would replace the page.
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  });
}
show();
