// An OpenID Connect provider by the package `oidc-provider`, on loopback. Its pages, sign-outs and answers are the package's
// own; this only says who may sign in and for which client. It prints its address, and ends when its input does.
//
//     node oidc-provider.mjs SETTINGS
//
// The settings are JSON: `port` (0 for any free one), `algorithm` of ID tokens, `client`, and `people`: the claims of each
// person by `sub`, which is what the person types as username.

import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The package needs it, and Node.js 20 does not have it.
URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);

// The package is in the folder in which this runs, not next to this file.
const entry = createRequire(join(process.cwd(), "package.json")).resolve("oidc-provider");
const { Provider } = await import(pathToFileURL(entry));
// Only the address is on the standard output, which is closed after it.
console.info = console.error;

const { port, algorithm, client, people } = JSON.parse(process.argv[2]);

// Made at each start, so that a restart is also a change of keys.
function signingKey() {
    const [type, options] = algorithm === "ES256" ? ["ec", { namedCurve: "P-256" }] : ["rsa", { modulusLength: 2048 }];
    const jwk = generateKeyPairSync(type, options).privateKey.export({ format: "jwk" });
    return { ...jwk, use: "sig", alg: algorithm };
}

function provider(issuer) {
    return new Provider(issuer, {
        clients: [{ ...client, id_token_signed_response_alg: algorithm }],
        findAccount: (_, sub) => people[sub] && { accountId: sub, claims: () => ({ sub, ...people[sub] }) },
        claims: {
            openid: ["sub", "sealwright_role", "sealwright_company"],
            profile: ["name", "preferred_username"],
            email: ["email"],
        },
        // Claims of all scopes are in the ID token, as with most providers.
        conformIdTokenClaims: false,
        cookies: { keys: ["loopback"] },
        features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
        jwks: { keys: [signingKey()] },
        pkce: { required: () => true },
    });
}

// The issuer has the port in its name, so it is made after the port is known.
const server = createServer();
// A client must not use a connection again just as it is closed.
server.keepAliveTimeout = 300_000;
server.listen(port, "127.0.0.1", () => {
    const issuer = `http://127.0.0.1:${server.address().port}`;
    const answering = provider(issuer);
    answering.on("server_error", (_, error) => console.error(error));
    server.on("request", answering.callback());
    console.log(issuer);
});
process.stdin.on("end", () => process.exit()).resume();
