// How the client repeats requests, continues uploads and checks webhooks, against a server that does what a test says.
//
//     node --test web/clients/typescript/tests/client.test.mjs

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import {
    ApiError,
    Client,
    verifyBearer,
    verifyHmacSha256,
    verifyPartnerApikey,
    verifySecurityToken,
    verifyStandardWebhooks,
} from "../src/index.js";

const BREAK = Symbol("the connection breaks");
const OK = [200, {}, []];
const LIMITED = [429, { "Retry-After": "0" }, { statusCode: 429, message: "too many" }];
const FAILED = [500, {}, { statusCode: 500, message: "broken" }];

/** Answers each request with the next answer: a status, headers and a body, or a broken connection. */
async function serve(t, ...answers) {
    const requests = [];
    const server = createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request) {
            chunks.push(chunk);
        }
        requests.push({ method: request.method, path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
        const answer = answers.shift();
        if (answer === BREAK) {
            request.socket.destroy();
            return;
        }
        const [status, headers, body] = answer;
        response.writeHead(status, { "Content-Type": "application/json", Connection: "close", ...headers });
        response.end(status === 204 ? undefined : JSON.stringify(body));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => {
        server.close();
        server.closeAllConnections();
    });
    const baseUrl = `http://127.0.0.1:${server.address().port}`;
    return { requests, client: (settings) => new Client({ baseUrl, token: "t0", longestPause: 0.01, ...settings }) };
}

const hasStatus = (status) => (error) => error instanceof ApiError && error.status === status;

test("a request over its quota is repeated after the pause that the server asks for", async (t) => {
    const server = await serve(t, LIMITED, LIMITED, OK);
    assert.deepEqual(await server.client().listFrames(), []);
    assert.equal(server.requests.length, 3);
});

test("a pause that is too long is reported", async (t) => {
    const server = await serve(t, [429, { "Retry-After": "60" }, { message: "too many" }]);
    await assert.rejects(server.client({ longestPause: 59 }).listFrames(), hasStatus(429));
});

test("repetition ends", async (t) => {
    const server = await serve(t, LIMITED, LIMITED, LIMITED);
    await assert.rejects(server.client({ retries: 2 }).listFrames(), hasStatus(429));
    assert.equal(server.requests.length, 3);
});

test("a case is opened again with the same key", async (t) => {
    const server = await serve(t, FAILED, BREAK, [201, {}, { id: 1 }]);
    assert.equal((await server.client().createCase({ frameId: 1 })).id, 1);
    const keys = new Set(server.requests.map((request) => request.headers["idempotency-key"]));
    assert.deepEqual([server.requests.length, keys.size], [3, 1]);
});

test("what may have changed something is not repeated", async (t) => {
    for (const [answer, isExpected] of [[FAILED, hasStatus(500)], [BREAK, TypeError]]) {
        const server = await serve(t, answer, OK);
        await assert.rejects(server.client().bulkCreateCases([{ frameId: 1 }]), isExpected);
        assert.equal(server.requests.length, 1);
    }
});

test("an expired token is replaced once", async (t) => {
    const refused = [401, {}, { message: "expired" }];
    const account = { username: "name", password: "secret" };
    const server = await serve(t, refused, [200, {}, { token: "t1" }], OK);
    assert.deepEqual(await server.client(account).listFrames(), []);
    const tokens = server.requests.map((request) => request.headers.authorization);
    assert.deepEqual(tokens, ["Bearer t0", undefined, "Bearer t1"]);
    const other = await serve(t, refused, [200, {}, { token: "t1" }], refused);
    await assert.rejects(other.client(account).listFrames(), hasStatus(401));
});

test("calls at the same time share one request for a token", async (t) => {
    const server = await serve(t, [200, {}, { token: "t1" }], OK, OK);
    const client = server.client({ token: undefined, username: "name", password: "secret" });
    await Promise.all([client.listFrames(), client.listFrames()]);
    assert.equal(server.requests.filter((request) => request.path === "/auth/token").length, 1);
});

test("a redirect is not followed", async (t) => {
    const server = await serve(t, [302, { Location: "/frames" }, null], OK);
    await assert.rejects(server.client({ retries: 0 }).listFrames());
    assert.equal(server.requests.length, 1);
});

test("a part of a path cannot change the path", async (t) => {
    const server = await serve(t, OK);
    await server.client().readReport("../cases?x=1");
    assert.equal(server.requests[0].path, "/reports/..%2Fcases%3Fx%3D1");
});

test("a call that is ended does not wait", async (t) => {
    const server = await serve(t, [429, { "Retry-After": "60" }, {}]);
    const controller = new AbortController();
    const call = server.client({ longestPause: 60 }).listFrames({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error("ended")), 50);
    await assert.rejects(call, /ended/);
});

const DESCRIPTION = { caseId: 1, stepId: 2, filename: "é.jpg", frontCreatedAt: "2026-11-20T10:00:00Z" };
const offset = (number, status = 204) => [
    status,
    { "Upload-Offset": String(number), Location: "http://elsewhere.example/v2/uploads/abc" },
    null,
];

test("an upload continues where the bytes have arrived", async (t) => {
    const server = await serve(t, BREAK, offset(0, 201), offset(4), BREAK, offset(6, 200), offset(10), [200, {}, { offset: 10 }]);
    const view = await server.client().upload(new Blob(["0123456789"]), DESCRIPTION, { pieceSize: 4 });
    assert.deepEqual(view, { offset: 10 });
    const sent = server.requests.filter((request) => request.method === "PATCH").map((request) => request.body);
    assert.deepEqual(sent, ["0123", "4567", "6789"]);
    const announced = server.requests.filter((request) => request.method === "POST");
    assert.equal(announced.length, 2);
    assert.equal(announced[0].headers["upload-metadata"], announced[1].headers["upload-metadata"]);
    assert.match(announced[0].headers["upload-metadata"], /filename w6kuanBn/);
    assert.equal(server.requests.at(-1).path, "/v2/uploads/abc");
});

test("a refused file is not sent again", async (t) => {
    const server = await serve(t, offset(0, 201), [400, {}, { message: "file type is not accepted" }]);
    await assert.rejects(server.client().upload(new Blob(["text"]), DESCRIPTION), hasStatus(400));
});

test("hmac-sha256 is verified", async () => {
    // RFC 4231, section 4.3.
    const body = "what do ya want for nothing?";
    const signature = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    const headers = { authorization: `HMAC-SHA256 acme-key:${signature}` };
    const verify = (received, apiKey, from) => verifyHmacSha256(received, from, { apiKey, secret: "Jefe" });
    assert.equal(await verify(body, "acme-key", headers), true);
    assert.equal(await verify(new TextEncoder().encode(body), "acme-key", new Headers(headers)), true);
    assert.equal(await verify(`${body} `, "acme-key", headers), false);
    assert.equal(await verify(body, "other-key", headers), false);
    assert.equal(await verify(body, "acme-key", {}), false);
});

test("tokens are verified", async () => {
    assert.equal(await verifyBearer({ Authorization: "Bearer s3cret" }, "s3cret"), true);
    assert.equal(await verifyBearer({ Authorization: "Bearer s3cre" }, "s3cret"), false);
    assert.equal(await verifySecurityToken({ "security-token": "s3cret" }, "s3cret"), true);
    assert.equal(await verifySecurityToken({ "security-token": ["s3cret", "s3cret"] }, "s3cret"), false);
    assert.equal(await verifyPartnerApikey({ "X-Partner-Apikey": "key" }, "key"), true);
    assert.equal(await verifyPartnerApikey({ "x-partner-apikey": "" }, "key"), false);
});

test("Standard Webhooks are verified", async () => {
    // The example of the libraries of Standard Webhooks.
    const [secret, body, now] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"test": 2432232314}', 1614265330];
    const headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": String(now),
        "webhook-signature": "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const verify = (changes = {}) => {
        const all = { body, headers, secrets: secret, now, ...changes };
        return verifyStandardWebhooks(all.body, all.headers, all.secrets, { now: all.now });
    };
    assert.equal(await verify(), true);
    assert.equal(await verify({ secrets: ["whsec_AAAA", secret], now: now + 300 }), true);
    assert.equal(await verify({ now: now + 301 }), false);
    assert.equal(await verify({ now: now - 301 }), false);
    assert.equal(await verify({ body: `${body} ` }), false);
    assert.equal(await verify({ secrets: "whsec_AAAA" }), false);
    assert.equal(await verify({ headers: { ...headers, "webhook-id": "msg_other" } }), false);
    assert.equal(await verify({ headers: { ...headers, "webhook-signature": "" } }), false);
});
