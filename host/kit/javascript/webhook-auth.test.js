import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { webhookAuthentication } from "./plugin.js";

test("the body is signed", () => {
  const request = { body: () => "what do ya want for nothing?" };
  const credential = { hmacSha256: ([part]) => createHmac("sha256", "Jefe").update(part.val).digest() };
  const [header] = webhookAuthentication.authenticate(request, credential);
  assert.match(header.value, /^sha256=5bdcc146bf60754e6a04/);
});
