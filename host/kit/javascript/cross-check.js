// Reads the number of a membership card, and compares fields without regard to case and spaces.

export const meta = {
  describe() {
    return { name: "{{name}}", version: "0.1.0", summary: "{{summary}}" };
  },
};

const tidy = (text) => text?.toLowerCase().replace(/\s+/g, "");

export const crossChecking = {
  extract(document, documentType, wanted, settings) {
    if (!wanted.includes("documentNumber")) return [];
    for (let page = 1; page <= document.pageCount(); page++) {
      const number = /No\. (.+)/.exec(document.text(page));
      if (number) return [{ code: "documentNumber", value: number[1].trim(), place: { page }, score: 90 }];
    }
    return [];
  },

  compare(pairs, settings) {
    return pairs.map(({ entered, extracted }) => {
      if (entered === undefined || extracted === undefined) {
        return { outcome: "missing", score: 0, text: "One of them is not there." };
      }
      return tidy(entered) === tidy(extracted)
        ? { outcome: "same", score: 100, text: "They are the same." }
        : { outcome: "different", score: 0, text: "They are not the same." };
    });
  },
};
