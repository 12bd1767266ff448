"""Fits the weights of the built-in detector of document types (plugins/document-types/src/model.rs).

    python document_types.py --facts FACTS --features BINARY --model MODEL.rs [--hold MAKER]... CORPUS...

FACTS is the cache of `sealwright-judge --facts FACTS CORPUS...`: what the host reads in each file. BINARY is the plugin's
example `features`, so that the numbers are those of the plugin itself. A corpus is a folder with a `labels.json`.
Only genuine documents count. It prints the accuracy on each maker by weights that were fitted without that maker, which
is what the choice of words, strength (C) and threshold must go by; then it fits all makers that are not held and writes
the model. Held makers are not fitted at all and only judged. Needs numpy and scikit-learn; the seed is fixed.
"""

import argparse
import json
import pathlib
import random
import subprocess

import numpy
from sklearn.linear_model import LogisticRegression

TYPES = [
    "IDENTITY_CARD", "PASSPORT", "RESIDENCE_PERMIT", "DRIVING_LICENCE", "VEHICLE_REGISTRATION", "BANK_DETAILS", "PAYSLIP",
    "TAX_NOTICE", "INVOICE", "PROOF_OF_ADDRESS", "COMPANY_REGISTRATION", "INSURANCE_CERTIFICATE", "OTHER",
]
SEED = 20261123
# Each document is also learned with a part of its lines missing, as on a bad scan or in another maker's wording.
COPIES = [0.25, 0.5, 0.8]
# Of such a copy's letters, this share is misread as one of these.
NOISE, MISREAD = 0.02, "aeilnorstu1057 "


def lines_of(name, facts, drop=0.0, chance=None):
    """The document for the example `features`, without the share `drop` of its lines."""
    yield f"document\t{name}"
    # A zone stays, so that it is learned to be enough.
    for zone in facts["mrz"][:1]:
        yield "zone\t" + zone["lines"][0]
    for number, page in enumerate(facts["pages"], 1):
        gone = {}
        for run in page["text"]:
            if is_hidden(run) or not run["text"].strip():
                continue
            area = run["area"]
            line = (area["top"] + area["bottom"]) // 1_600
            if drop and gone.setdefault(line, chance.random() < drop):
                continue
            recognised = run["rendering"] == "recognised"
            confidence = 100 if run["confidence"] is None else run["confidence"]
            text = " ".join(run["text"].split())
            text = (" " if run["text"][0].isspace() else "") + text + (" " if run["text"][-1].isspace() else "")
            if drop:
                text = "".join(chance.choice(MISREAD) if chance.random() < NOISE else letter for letter in text)
            fields = [number, area["left"], area["top"], area["right"] - area["left"], area["bottom"] - area["top"],
                      run["size"], run["direction"], confidence, int(recognised), text]
            yield "run\t" + "\t".join(map(str, fields))


def is_hidden(run):
    """As `hiding` in crates/plugin-facts/src/pages.rs."""
    if run["rendering"] == "recognised":
        return False
    background, colour = run["background"], run["colour"]
    same = colour is not None and background is not None and all(
        abs((colour >> shift & 255) - (background >> shift & 255)) <= 10 for shift in (16, 8, 0))
    return (run["rendering"] == "invisible" or run["opacity"] == 0 or run["cover"] is not None or same
            or 0 < run["size"] < 150 or run["outsidePage"])


def documents(corpora, facts):
    for corpus in corpora:
        labels = json.loads((corpus / "labels.json").read_text())
        maker = labels.get("maker") or corpus.name
        for label in labels["documents"]:
            file = facts / (label["sha256"] + ".json")
            if label["class"] == "genuine" and file.exists():
                yield maker, label, json.loads(file.read_text())


class Set:
    """Documents in numbers. `copy` is 0 for those that are judged."""

    def __init__(self, arguments):
        chance = random.Random(SEED)
        rows, lines = [], []
        for maker, label, facts in documents(arguments.corpora, arguments.facts):
            for copy, drop in enumerate([0.0, *COPIES]):
                rows.append((maker, label, copy))
                lines.extend(lines_of(len(rows) - 1, facts, drop, chance))
        answer = subprocess.run([arguments.features], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        header, *table = [line.split("\t") for line in answer.stdout.splitlines()]
        self.names = header[1:]
        self.values = numpy.array([[float(value) for value in line[1:]] for line in table])
        self.makers = numpy.array([maker for maker, _, _ in rows])
        self.labels = [label for _, label, _ in rows]
        self.truth = numpy.array([TYPES.index(label["type"]) for label in self.labels])
        self.copies = numpy.array([copy for _, _, copy in rows])
        self.scan = numpy.array([label["medium"] != "pdf" for label in self.labels])


def fit(data, chosen, strength):
    values, truth, makers = data.values[chosen], data.truth[chosen], data.makers[chosen]
    middle, spread = values.mean(axis=0), values.std(axis=0)
    # A feature that is nearly constant must not decide by a rare value.
    spread = numpy.maximum(spread, 0.15)
    weight = numpy.array([1.0, 0.5, 0.5, 0.25])[data.copies[chosen]]
    for maker in set(makers):
        # Each maker counts alike, but a small set not as much.
        weight[makers == maker] *= (makers == maker).sum() ** -0.5
    weight *= len(weight) / weight.sum()
    model = LogisticRegression(C=strength, max_iter=2_000)
    model.fit((values - middle) / spread, truth, sample_weight=weight)
    weights = numpy.zeros((len(TYPES), values.shape[1]))
    bias = numpy.full(len(TYPES), -20.0)
    weights[model.classes_] = model.coef_ / spread
    bias[model.classes_] = model.intercept_ - (model.coef_ / spread) @ middle
    return weights, bias


def likelihoods(model, values):
    weights, bias = model
    sums = values @ weights.T + bias
    powers = numpy.exp(sums - sums.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def decide(likely, threshold):
    likely = likely.copy()
    other = TYPES.index("OTHER")
    likely[:, other] = numpy.maximum(likely[:, other], threshold)
    return likely.argmax(axis=1)


def report(name, data, rows, likely, threshold, wrong):
    decided = decide(likely, threshold)
    right = decided == data.truth[rows]
    parts = []
    for medium, is_it in (("pdf", ~data.scan[rows]), ("scan", data.scan[rows])):
        if is_it.any():
            parts.append(f"{medium} {100 * right[is_it].mean():.1f} % of {is_it.sum()}")
    print(f"{name:>10}: {', '.join(parts)}")
    if wrong:
        for index in numpy.flatnonzero(~right):
            label = data.labels[numpy.flatnonzero(rows)[index]]
            best = sorted(zip(likely[index], TYPES), reverse=True)[:3]
            line = ", ".join(f"{kind} {chance:.2f}" for chance, kind in best)
            print(f"    {label['id']} {label['file']} {label['medium']} {label.get('lang', '')} {label['type']}: {line}")


def table(path, data, model, threshold, notes):
    weights, bias = model
    text = ["//! GENERATED by `tests/judge/fit/document_types.py`; do not edit. " + notes[0], *(f"//! {note}" for note in notes[1:]), "",
            "/// The types, in the order of the weights.",
            f"pub(crate) const TYPES: [&str; {len(TYPES)}] = [" + ", ".join(f'"{kind}"' for kind in TYPES) + "];",
            "/// A type must be at least this likely.", f"pub(crate) const THRESHOLD: f32 = {threshold};",
            "/// The sum of a type before any feature counts.",
            f"pub(crate) const BIAS: [f32; {len(TYPES)}] = [" + ", ".join(f"{value:.2f}" for value in bias) + "];",
            "/// By feature, in the order of `features::names`: its weight for each type.", "#[rustfmt::skip]",
            f"pub(crate) const WEIGHTS: [[f32; {len(TYPES)}]; {len(data.names)}] = ["]
    for index, name in enumerate(data.names):
        text.append("    [" + ", ".join(f"{value:.2f}" for value in weights[:, index]) + f"], // {name}")
    path.write_text("\n".join([*text, "];", ""]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--facts", type=pathlib.Path, required=True)
    parser.add_argument("--features", required=True)
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--hold", action="append", default=[])
    parser.add_argument("--strength", type=float, default=0.1)
    parser.add_argument("--threshold", type=float, default=0.4)
    parser.add_argument("--search", action="store_true", help="compare strengths and thresholds")
    parser.add_argument("--wrong", action="store_true", help="list what is judged wrongly")
    parser.add_argument("corpora", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    data = Set(arguments)
    learned = ~numpy.isin(data.makers, arguments.hold)
    makers = [maker for maker in dict.fromkeys(data.makers) if maker not in arguments.hold]
    whole = data.copies == 0
    strengths = [0.01, 0.03, 0.1, 0.3, 1.0] if arguments.search else [arguments.strength]
    for strength in strengths:
        pooled = []
        for maker in makers if len(makers) > 1 else []:
            rows = whole & (data.makers == maker)
            likely = likelihoods(fit(data, learned & (data.makers != maker), strength), data.values[rows])
            pooled.append((rows, likely))
            if not arguments.search:
                report(maker, data, rows, likely, arguments.threshold, arguments.wrong)
        for threshold in [0.25, 0.3, 0.35, 0.4, 0.45, 0.5] if arguments.search else []:
            shares = [100 * (decide(likely, threshold) == data.truth[rows]).mean() for rows, likely in pooled]
            line = ", ".join(f"{maker} {share:.1f}" for maker, share in zip(makers, shares))
            print(f"C {strength}, threshold {threshold}: {line}; mean {numpy.mean(shares):.2f}")
    model = fit(data, learned, arguments.strength)
    for maker in arguments.hold:
        rows = whole & (data.makers == maker)
        if rows.any():
            report(f"held {maker}", data, rows, likelihoods(model, data.values[rows]), arguments.threshold, arguments.wrong)
    if arguments.model:
        count = {maker: int((learned & whole & (data.makers == maker)).sum()) for maker in makers}
        notes = [f"Seed {SEED}, C {arguments.strength}.", "Documents by maker: " + ", ".join(f"{k} {v}" for k, v in count.items()) + "."]
        table(arguments.model, data, model, arguments.threshold, notes)


if __name__ == "__main__":
    main()
