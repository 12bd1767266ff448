// Prints whether a webhook in the mode `hmac-sha256`, whose body is the standard input, is `genuine` or `forged`.
//
//     node verify.mjs AUTHORIZATION API_KEY SECRET < BODY

import { readFileSync } from "node:fs";

import { verifyHmacSha256 } from "../src/index.js";

const [authorization, apiKey, secret] = process.argv.slice(2);
const isGenuine = await verifyHmacSha256(readFileSync(0), { authorization }, { apiKey, secret });
console.log(isGenuine ? "genuine" : "forged");
