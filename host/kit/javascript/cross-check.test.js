import assert from "node:assert/strict";
import { test } from "node:test";
import { crossChecking } from "./plugin.js";

test("the number is read and compared", () => {
  const document = { pageCount: () => 1, text: () => "Membership card No. 12 34" };
  const [field] = crossChecking.extract(document, "OTHER", ["documentNumber"], "{}");
  assert.equal(field.value, "12 34");
  const [comparison] = crossChecking.compare([{ code: field.code, entered: "1234", extracted: "12 34" }], "{}");
  assert.equal(comparison.outcome, "same");
});
