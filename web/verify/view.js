// What the page shows. Texts of files become text nodes: data never becomes markup.

/** @typedef {"plain" | "good" | "doubtful" | "bad"} Mark */
/** @typedef {{ text: string, why: string, how: string }} Sentence */
/** @typedef {Sentence & { question: string, mark: Mark }} Answer */
/** @typedef {{ label: string, value: string, mark: Mark, isCode: boolean }} Fact */
/** @typedef {{ title: string | null, facts: Fact[] }} Entry */
/** @typedef {{ title: string, entries: Entry[] }} Group */
/**
 * @typedef {object} Account
 * @property {Mark} mark
 * @property {string} headline
 * @property {string} explanation
 * @property {Answer[]} answers
 * @property {string[]} reasons
 * @property {Sentence[]} proven
 * @property {Sentence[]} open
 * @property {Group[]} groups
 */
/**
 * @typedef {object} Facts What of the facts this page uses.
 * @property {{ subject: string, trustedFor: keyof PageWords["for"] }[]} trust
 * @property {{ reference: string, originals: string[], embedded?: string }[]} items
 */
/** @typedef {{ account: Account, facts: Facts }} CheckResult */

/** In addition to the colour, which not everyone sees and paper may not show. */
const SIGNS = { plain: "", good: "✓ ", doubtful: "! ", bad: "✗ " };

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * A text with commands between backquotes.
 * @param {string} text
 */
function withCode(text) {
  return text.split("`").map((part, position) => (position % 2 === 1 ? element("code", {}, part) : part));
}

/**
 * @param {Sentence} sentence
 * @param {PageWords} words
 */
function ground(sentence, words) {
  return element(
    "dl",
    { class: "ground" },
    element("dt", {}, words.why),
    element("dd", {}, ...withCode(sentence.why)),
    element("dt", {}, words.how),
    element("dd", {}, ...withCode(sentence.how)),
  );
}

/**
 * @param {Answer} answer
 * @param {PageWords} words
 */
function answerView(answer, words) {
  return element(
    "section",
    { class: `answer ${answer.mark}` },
    element("h3", {}, answer.question),
    element("p", { dir: "auto" }, SIGNS[answer.mark] + answer.text),
    ground(answer, words),
  );
}

/**
 * @param {string} title
 * @param {Sentence[]} sentences
 * @param {PageWords} words
 */
function sentencesView(title, sentences, words) {
  if (sentences.length === 0) return [];
  const items = sentences.map((sentence) =>
    element("li", {}, element("p", { dir: "auto" }, sentence.text), ground(sentence, words)),
  );
  return [element("section", {}, element("h2", {}, title), element("ul", {}, ...items))];
}

/** @param {Fact} fact */
function factView({ label, value, mark, isCode }) {
  const shown = element("dd", { class: mark, dir: "auto" }, SIGNS[mark] + value);
  return element("div", { class: isCode ? "code" : "" }, element("dt", {}, label), shown);
}

/**
 * @param {Group} group
 * @param {(entry: Entry) => Node[]} pictures
 */
function groupView({ title, entries }, pictures) {
  const shown = entries.map((entry) => {
    const name = entry.title === null ? [] : [element("h3", { dir: "auto" }, entry.title)];
    const facts = entry.facts.length === 0 ? [] : [element("dl", {}, ...entry.facts.map(factView))];
    return element("section", { class: "entry" }, ...name, ...pictures(entry), ...facts);
  });
  return [element("h2", {}, title), ...shown];
}

/**
 * The key of a picture inside the certificate. No given file has it as its name, because it has a slash.
 * @param {string} name Of the attachment.
 */
function insideKey(name) {
  return `inside:/${name}`;
}

/**
 * The originals that are pictures, given or inside the certificate, with the item that they are.
 * @param {Facts} facts
 * @param {Map<string, string>} pictures The address of each picture, by the name of its file or its {@link insideKey}.
 * @param {PageWords} words
 * @returns {(entry: Entry) => Node[]}
 */
function picturesOf(facts, pictures, words) {
  const items = new Map(facts.items.map((item) => [item.reference, item]));
  return ({ title }) => {
    const item = items.get((title ?? "").split(" – ")[0] ?? "");
    if (item === undefined) return [];
    const named = item.originals.map((name) => ({ key: name, alt: words.picture.replace("{}", name) }));
    if (item.embedded !== undefined) {
      named.unshift({ key: insideKey(item.embedded), alt: words.pictureInside.replace("{}", item.embedded) });
    }
    return named.flatMap(({ key, alt }) => {
      const src = pictures.get(key);
      return src === undefined ? [] : [element("img", { src, alt })];
    });
  };
}

/**
 * @param {Facts} facts
 * @param {string[]} witnesses Their keys.
 * @param {PageWords} words
 */
function trustView(facts, witnesses, words) {
  const named = [
    ...facts.trust.map(({ subject, trustedFor }) => `${subject} (${words.for[trustedFor]})`),
    ...witnesses.map((key) => `${key} (${words.witness})`),
  ];
  const shown = named.map((name) => element("li", { dir: "auto" }, name));
  const noOne = facts.trust.length === 0 ? [element("p", {}, words.noOne)] : [];
  const list = shown.length === 0 ? [] : [element("ul", {}, ...shown)];
  return element("div", { class: "trusted" }, ...noOne, ...list);
}

/**
 * The pictures of the pages.
 * @param {{ page: number, address: string }[]} shown
 * @param {PageWords} words
 */
function shownView(shown, words) {
  if (shown.length === 0) return [];
  const figures = shown.map(({ page, address }) => {
    const caption = words.onPage.replace("{}", String(page));
    return element("figure", {}, element("img", { src: address, alt: "" }), element("figcaption", {}, caption));
  });
  return [
    element("h2", {}, words.shown),
    element("p", { class: "quiet" }, words.shownHint),
    element("div", { class: "shown" }, ...figures),
  ];
}

/**
 * @param {CheckResult} result
 * @param {Map<string, string>} pictures
 * @param {string[]} witnesses The keys of those that are trusted.
 * @param {PageWords} words
 */
function resultView({ account, facts }, pictures, witnesses, words) {
  const against = account.reasons.map((reason) => element("li", { dir: "auto" }, reason));
  const print = element("button", { type: "button", class: "print" }, words.print);
  print.addEventListener("click", () => window.print());
  return [
    element(
      "section",
      { class: `verdict ${account.mark}` },
      element("h2", { id: "headline" }, account.headline),
      element("p", {}, account.explanation),
    ),
    element("div", { class: "answers" }, ...account.answers.map((answer) => answerView(answer, words))),
    ...(against.length === 0 ? [] : [element("h2", {}, words.against), element("ul", {}, ...against)]),
    element(
      "div",
      { class: "sides" },
      ...sentencesView(words.proven, account.proven, words),
      ...sentencesView(words.open, account.open, words),
    ),
    element("section", { id: "shown" }),
    ...account.groups.flatMap((group) => groupView(group, picturesOf(facts, pictures, words))),
    element("h2", {}, words.trusted),
    trustView(facts, witnesses, words),
    print,
    element(
      "details",
      { class: "json" },
      element("summary", {}, ...withCode(words.json)),
      element("pre", { id: "facts", tabindex: "0" }, JSON.stringify(facts, null, 2)),
    ),
  ];
}
