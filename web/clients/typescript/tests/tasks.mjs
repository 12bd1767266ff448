// The ten tasks of the integrators' guide (docs/integrator.md), with this client, against a server with the demo company.
//
//     node tasks.mjs BASE_URL PHOTO DOCUMENT
//
// The server must be allowed to send webhooks to this machine. Prints `ten tasks done`.

import assert from "node:assert/strict";
import { openAsBlob } from "node:fs";
import { createServer } from "node:http";

import { ApiError, Client, verifyBearer } from "../src/index.js";

const [baseUrl, photo, document] = process.argv.slice(2);
const REPORT = "claim-2026-typescript";
const HOOK_TOKEN = "a-long-random-token";

/** @type {(webhook: { body: Buffer, headers: Record<string, string> }) => void} */
let arrive;
const arrival = new Promise((resolve) => (arrive = resolve));
const hook = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) {
        chunks.push(chunk);
    }
    response.writeHead(204).end();
    arrive({ body: Buffer.concat(chunks), headers: request.headers });
});
await new Promise((resolve) => hook.listen(0, "127.0.0.1", resolve));

// 1. Get a token: the client does, when it needs one.
const client = new Client({ baseUrl, username: "demo-api", password: "demo-password" });
const anonymous = new Client({ baseUrl });
assert.ok((await client.createToken({ username: "demo-api", password: "demo-password" })).token);

// 2. Find the frame and its steps.
const frame = (await client.listFrames()).find((one) => one.id === 10);
assert.ok(frame && frame.steps.some((step) => step.id === 101 && step.stepAction === "PHOTOGRAPHY"));

// 6. Receive the case webhook: this comes before the closing.
const settings = await client.updateApiSettings({
    endpoint: `http://127.0.0.1:${hook.address().port}/cases`,
    authToken: HOOK_TOKEN,
    authorizationHeader: "authorization",
});
assert.ok(settings.apiSettings[0].hasCredentials);

// 3. Open a case.
const created = await client.createCase({
    frameId: frame.id,
    title: "Burst pipe in the kitchen",
    reportToken: REPORT,
    caseContext: { visibleData: { beneficiary: { lastName: "Martinel" } } },
    metadata: { ourReference: "A-1" },
});

// 4. Add photos, documents and entered values: one file at once, one in pieces.
const captured = { clientAppName: "tasks", clientAppVersion: "1", frontCreatedAt: new Date().toISOString() };
const entry = await client.createEntryItem({ caseId: created.id, stepId: 102, data: "The pipe under the sink.", ...captured });
assert.match(entry.cfRef, /^ITM-/);
const invoice = await openAsBlob(document);
const uploaded = await client.uploadDocument(created.id, invoice, { stepId: 106, data: "invoice.pdf", ...captured });
assert.ok(uploaded.documentUrl);
const picture = await openAsBlob(photo);
const progress = [];
const sent = await client.upload(
    picture,
    { caseId: created.id, stepId: 101, filename: "photo.jpg", latitude: "45.76", longitude: "4.83", ...captured },
    { pieceSize: Math.floor(picture.size / 3) + 1, onProgress: (arrived) => progress.push(arrived) },
);
assert.ok(sent.item && sent.receipt);
assert.deepEqual([progress.length, progress.at(-1)], [3, picture.size]);

// 5. Close the case and read its certificate. The client waits until it is made.
const closed = await client.closeCase(created.id);
const shareToken = closed.pdfUrl.split("/").pop();
const certificate = await (await anonymous.readSharedCase(shareToken)).arrayBuffer();
assert.equal(Buffer.from(certificate).subarray(0, 5).toString(), "%PDF-");
const whole = await (await client.downloadPackage(shareToken)).arrayBuffer();
assert.ok(Buffer.from(whole).includes(`${created.cfRef}.pdf`));
await assert.rejects(client.closeCase(created.id), (error) => error instanceof ApiError && error.status === 400 && !!error.requestId);

// 6. The webhook.
const webhook = await arrival;
assert.ok(await verifyBearer(webhook.headers, HOOK_TOKEN));
assert.equal(await verifyBearer(webhook.headers, "another-token"), false);
assert.equal(JSON.parse(webhook.body.toString()).cfRef, created.cfRef);

// 7. Follow the events, and search.
const kinds = [];
for await (const event of client.follow()) {
    if (event.caseId === created.id) {
        kinds.push(event.kind);
    }
    if (kinds.includes("sealed")) {
        break;
    }
}
assert.deepEqual(kinds.slice(0, 2), ["created", "closed"]);
const found = await client.searchCases({ format: "metadata", caseId: created.id, closed: true });
assert.deepEqual(found.map((one) => [one.caseUrl, one.metadata]), [[closed.pdfUrl, { ourReference: "A-1" }]]);
await assert.rejects(client.searchCases({ format: "zip", caseId: created.id }), /AsFile/);
const archive = await (await client.searchCasesAsFile({ format: "zip", caseId: created.id })).arrayBuffer();
assert.ok(Buffer.from(archive).includes(`${created.cfRef}.pdf`));

// 8. Reports.
const [reported] = await anonymous.readReport(REPORT);
assert.equal(reported.items.length, 3);
const report = await (await client.downloadReportAsFile(REPORT)).arrayBuffer();
assert.ok(Buffer.from(report).includes(`${created.cfRef}.pdf`));
const addresses = await client.downloadReport(REPORT, { format: "metadata", hours: 24 });
assert.deepEqual(addresses.caseUrls, [closed.pdfUrl]);

// 9. Let someone without an account work on a case.
const linked = await client.createCase({ frameId: 10, linkOptions: { reportToken: REPORT, maxUses: 1 } });
assert.equal((await client.closeCaseByLink(linked.magicLinkUrl.split("/").pop())).caseId, linked.id);
assert.ok((await client.createLink({ frameId: 10, maxUses: 20, context: { agency: "Lyon" } })).magicLinkUrl);

// 10. Many at once, errors, and quotas.
const bulk = await client.bulkCreateCases([{ frameId: 10 }, { frameId: 99 }]);
assert.deepEqual(bulk.error.map((failure) => failure.index), [1]);
assert.ok((await client.bulkDeleteCases({ caseIds: bulk.success.map((success) => success.caseId) })).state);
const key = { idempotencyKey: `${REPORT}-${created.id}` };
const [first, second] = await Promise.all([client.createCase({ frameId: 10 }, key), client.createCase({ frameId: 10 }, key)]);
assert.equal(first.id, second.id);
const wrong = new Client({ baseUrl, username: "demo-api", password: "wrong" });
await assert.rejects(wrong.listFrames(), (error) => error instanceof ApiError && error.status === 401);

hook.close();
hook.closeAllConnections();
console.log("ten tasks done");
