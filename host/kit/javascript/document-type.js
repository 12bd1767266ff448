// Distinguishes membership cards from other documents.

export const meta = {
  describe() {
    return { name: "{{name}}", version: "0.1.0", summary: "{{summary}}" };
  },
};

export const documentTypeDetection = {
  detect(document, settings) {
    const card = { documentType: "MEMBERSHIP_CARD", score: 0, findings: [] };
    for (let page = 1; page <= document.pageCount(); page++) {
      if (document.text(page).toLowerCase().includes("membership card")) {
        card.score = 90;
        const text = "It calls itself a membership card.";
        card.findings.push({ code: "CARD_WORDS", state: "found", place: { page }, text });
      }
    }
    return [card, { documentType: "OTHER", score: 50, findings: [] }];
  },
};
