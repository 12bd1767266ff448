import assert from "node:assert/strict";
import { test } from "node:test";
import { falsificationInspection } from "./plugin.js";

test("a specimen is found", () => {
  const documentOf = (text) => ({ pageCount: () => 1, text: () => text });
  const verdict = (text) => falsificationInspection.inspect(documentOf(text), "OTHER", "{}")[0].verdict;
  assert.equal(verdict("SPECIMEN\nPassport"), "invalid");
  assert.equal(verdict("Membership card"), "valid");
});
