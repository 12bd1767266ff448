import assert from "node:assert/strict";
import { test } from "node:test";
import { signalAssessment } from "./plugin.js";

test("an item that came late is found", () => {
  const day = 24n * 60n * 60n * 1000n;
  const caseOf = (receivedAt) => ({
    openedAt: () => 0n,
    itemCount: () => 1,
    item: () => ({ id: () => 1n, receivedAt: () => receivedAt }),
  });
  const score = (receivedAt) => signalAssessment.assess(caseOf(receivedAt), "{}")[0].score;
  assert.deepEqual([score(day), score(day + 1n)], [100, 60]);
});
