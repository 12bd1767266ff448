import assert from "node:assert/strict";
import { test } from "node:test";
import { documentTypeDetection } from "./plugin.js";

/** A document of one page, as far as the plugin asks. */
const documentOf = (text) => ({ pageCount: () => 1, text: () => text });

test("a membership card is known by its words", () => {
  const score = (text) => documentTypeDetection.detect(documentOf(text), "{}")[0].score;
  assert.equal(score("Rowing Club\nMembership card No. 7"), 90);
  assert.equal(score("Invoice No. 7"), 0);
});
