// What the types of the client allow and what not. The compiler reads this file, and nothing runs it.

import { Client } from "../src/index.js";

export async function integrator(): Promise<void> {
    const client = new Client({ baseUrl: "http://127.0.0.1", username: "name", password: "secret" });
    const created = await client.createCase({ frameId: 10, caseContext: { visibleData: { issuer: "desk" } } });
    const reference: string = created.cfRef;
    // @ts-expect-error a case needs a frame
    await client.createCase({ title: "no frame" });
    // @ts-expect-error a number is not a text
    await client.createCase({ frameId: 10, title: 1 });
    // @ts-expect-error the field does not exist
    created.reference;
    const found = await client.searchCases({ format: "metadata", closed: true });
    const url: string | null | undefined = found[0]?.caseUrl;
    // @ts-expect-error there is no such format
    await client.searchCases({ format: "xml" });
    const archive: Response = await client.searchCasesAsFile({ format: "zip" });
    await client.closeCase(created.id, { idempotencyKey: reference });
    // @ts-expect-error reading frames takes no key
    await client.listFrames({ idempotencyKey: reference });
    const page = await client.readEvents();
    // @ts-expect-error there is no such kind of event
    const isOpened: boolean = page.events[0]?.kind === "opened";
    console.log(url, archive.status, isOpened);
}
