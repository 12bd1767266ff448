// Looks for items that came more than a day after the case was opened.

export const meta = {
  describe() {
    return { name: "{{name}}", version: "0.1.0", summary: "{{summary}}" };
  },
};

// Times are 64-bit numbers of milliseconds, which JavaScript holds as BigInt.
const DAY = 24n * 60n * 60n * 1000n;

export const signalAssessment = {
  assess(evidence, settings) {
    const observations = [];
    for (let index = 0; index < evidence.itemCount(); index++) {
      const item = evidence.item(index);
      if (item.receivedAt() - evidence.openedAt() > DAY) {
        const text = "It came more than a day after the case was opened.";
        observations.push({ item: item.id(), finding: { code: "LATE_ITEM", state: "found", text } });
      }
    }
    const score = observations.length === 0 ? 100 : 60;
    if (observations.length === 0) {
      const text = "Everything came within a day.";
      observations.push({ finding: { code: "LATE_ITEM", state: "not-found", text } });
    }
    return [{ kind: "promptness", score, observations }];
  },
};
