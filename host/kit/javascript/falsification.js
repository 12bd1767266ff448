// Finds documents that say of themselves that they are samples.

export const meta = {
  describe() {
    return { name: "{{name}}", version: "0.1.0", summary: "{{summary}}" };
  },
};

export const falsificationInspection = {
  inspect(document, documentType, settings) {
    let page = 1;
    while (page <= document.pageCount() && !document.text(page).toLowerCase().includes("specimen")) page++;
    const found = page <= document.pageCount();
    return [
      {
        code: "SPECIMEN_WORDS",
        label: "Marked as a specimen",
        verdict: found ? "invalid" : "valid",
        evaluation: found ? 0 : 100,
        weight: 100,
        findings: [
          found
            ? { code: "SPECIMEN", state: "found", place: { page }, text: "It says that it is a specimen." }
            : { code: "SPECIMEN", state: "not-found", text: "It does not say that it is a specimen." },
        ],
      },
    ];
  },
};
