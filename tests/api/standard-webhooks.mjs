// Verifies a webhook with the library of Standard Webhooks, and prints `genuine` or `forged`.
//
//     node standard-webhooks.mjs SECRET HEADERS BODY

import { createRequire } from "node:module";
import { join } from "node:path";

// The package is in the folder in which this runs, not next to this file.
const { Webhook, WebhookVerificationError } = createRequire(join(process.cwd(), "package.json"))("standardwebhooks");
const [secret, headers, body] = process.argv.slice(2);

try {
    new Webhook(secret).verify(body, JSON.parse(headers));
    console.log("genuine");
} catch (error) {
    if (!(error instanceof WebhookVerificationError)) {
        throw error;
    }
    console.log("forged");
}
