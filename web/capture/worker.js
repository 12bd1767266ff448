// The service worker: keeps the page and its assets for the time without a network.
//
// Served at /link/worker.js and /field/worker.js with ?assets=/assets/<hash>/. It never answers for the API: what is sent, and what the
// server says, always goes over the network.
"use strict";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ASSETS = new URL(worker.location.href).searchParams.get("assets") ?? "";
const CACHE = `sealwright-assets ${ASSETS}`;
const PAGES = "sealwright-pages";
const LOGOS = "sealwright-logos";
/** After this time a page that is in the cache is shown without waiting longer. */
const PATIENCE = 4_000;
const LINK = /^(\/link\/[^/]+|\/field)\/?$/;

worker.addEventListener("install", (event) => {
    event.waitUntil(install());
});

worker.addEventListener("activate", (event) => {
    event.waitUntil(clean().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== worker.location.origin) return;
    if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request));
    else if (url.pathname.startsWith("/logos/")) event.respondWith(logo(request));
    else if (request.mode === "navigate" && LINK.test(url.pathname))
        event.respondWith(page(event, url));
});

async function install() {
    if (!/^\/assets\/[^/]+\/$/.test(ASSETS)) throw new Error("the address of the worker names no assets");
    const response = await fetch(`${ASSETS}files.json`);
    if (!response.ok) throw new Error("the list of the assets could not be loaded");
    /** @type {string[]} */
    const files = await response.json();
    const wanted = files.filter(
        (file) => /^capture\/.*\.(js|css|svg|png|woff2)$/.test(file) && file !== "capture/worker.js",
    );
    const cache = await caches.open(CACHE);
    await cache.addAll(wanted.map((file) => ASSETS + file));
    await keepOpenPages();
    await worker.skipWaiting();
}

/** The first visit's page was loaded before there was a worker: it is loaded once more, to be kept. */
async function keepOpenPages() {
    const pages = await caches.open(PAGES);
    const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const paths = new Set(open.map((client) => new URL(client.url).pathname).filter((path) => LINK.test(path)));
    for (const path of paths) {
        const key = keyOf(path);
        if (await pages.match(key)) continue;
        const response = await fetch(key);
        if (response.ok && (await response.clone().text()).includes("data-capture")) await pages.put(key, response);
    }
}

/**
 * Where a page is kept. The server redirects `/field/` to `/field`, and without a network both are the same page.
 * @param {string} path
 */
function keyOf(path) {
    return worker.location.origin + (path === "/field/" ? "/field" : path);
}

/** Deletes the assets of older versions, except those that a kept page still loads. */
async function clean() {
    const pages = await caches.open(PAGES);
    const used = new Set([CACHE]);
    for (const request of await pages.keys()) {
        const text = await (await pages.match(request))?.text();
        for (const [prefix] of text?.matchAll(/\/assets\/[^/"]+\//g) ?? []) used.add(`sealwright-assets ${prefix}`);
    }
    for (const name of await caches.keys()) {
        if (name.startsWith("sealwright-assets ") && !used.has(name)) await caches.delete(name);
    }
}

/**
 * Assets are named by their hash and never change.
 * @param {Request} request
 */
async function asset(request) {
    return (await caches.match(request)) ?? fetch(request);
}

/**
 * A logo is named by its digest and never changes.
 * @param {Request} request
 */
async function logo(request) {
    const logos = await caches.open(LOGOS);
    const kept = await logos.match(request);
    if (kept) return kept;
    const fresh = await fetch(request);
    if (fresh.ok) await logos.put(request, fresh.clone()).catch(() => {});
    return fresh;
}

/**
 * Network first. The fragment is not part of a request, so each link has one page in the cache.
 *
 * The kept page also takes the place of a page without the script: of an expired or deleted link, a captive portal, a
 * server that is starting. The script then says what the server says, and lets the person save what is on the device.
 * @param {FetchEvent} event
 * @param {URL} url
 */
async function page(event, url) {
    const pages = await caches.open(PAGES);
    const key = keyOf(url.pathname);
    const kept = await pages.match(key);
    const fresh = fetch(event.request).then(async (response) => {
        const isPage =
            response.ok && response.type === "basic" && (await response.clone().text()).includes("data-capture");
        if (isPage) await pages.put(key, response.clone());
        return isPage ? response : (kept?.clone() ?? response);
    });
    if (!kept) return fresh;
    event.waitUntil(fresh.catch(() => {}));
    /** @type {Promise<Response>} */
    const late = new Promise((resolve) => setTimeout(() => resolve(kept.clone()), PATIENCE));
    return Promise.race([fresh, late]).catch(() => kept.clone());
}
