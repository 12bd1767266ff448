"""Compares the strengths of the signs of forgery that are set by hand with fitted ones, by makers left out.

    python strengths.py SIGNS...

A file SIGNS is what `cargo xtask lab --facts CACHE --signs SIGNS FOLDER...` writes. The hand-set strength of a sign is in
decibans; a fit multiplies the strengths of each check (`check`) or of each kind of finding (`code`) by a factor that is
not negative: a logistic regression whose prior is that of the plugin, on documents that count as if as many were forged.
The factors are drawn to 1, as strongly as is best on makers left out of the inner fits; findings that are ordinary by
themselves (`WEAK`) stay below an alarm. Each maker is judged by factors that were fitted without it: by the mean logarithmic
loss, by the forgeries found at a suspicion of 30, and by the false alarms there. The plugin keeps the hand-set strengths
until a fit is better on makers left out; the factors on all makers are printed last, with the digests of the data. Needs
numpy, scipy and scikit-learn; nothing is drawn at random.
"""

import argparse
import collections
import hashlib
import json
import pathlib

import numpy
from scipy.optimize import minimize
from sklearn.metrics import log_loss

DECIBAN = numpy.log(10) / 10
# As `PRIOR` in plugins/document-forensics/src/combined.rs, and the evidence at which the suspicion is 30 %.
PRIOR, ALARM = 15.0, 15.0 + 10 * numpy.log10(0.3 / 0.7)
SHARE = 1 / (1 + 10 ** (PRIOR / 10))
STRENGTHS = [0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0]
MOST = 2.0
# In decibans, as in plugins/document-forensics/src/report.rs, and the findings that must not exceed it.
WEAK_MOST = 10.5
WEAK = ["MADE_LATE", "MODIFIED_LATER", "CONTRADICTION", "WRITTEN_AGAIN", "MADE_IN_FUTURE", "MODIFIED_BEFORE_CREATED",
        "HIDDEN_LAYER", "ACTIVE_CONTENT", "PAGE_CONTENT_ADDED", "SHIFTED_GRID", "ANNOTATION_OVER_TEXT"]
# A finding on fewer documents keeps its strength.
FEWEST = 5


def read(files):
    documents = []
    for file in files:
        documents.extend(json.loads(line) for line in file.read_text().splitlines())
    return [document for document in documents if document["medium"].endswith("pdf")]


def columns(documents, kind):
    """By document: the decibans of each check, or of each kind of finding."""
    rows = []
    for document in documents:
        row = collections.Counter()
        for check, found in document["checks"].items():
            if kind == "check":
                row[check] = found["decibans"]
                continue
            strongest = collections.defaultdict(float)
            for code, decibans in found["signs"]:
                strongest[code] = max(strongest[code], decibans)
            whole = sum(strongest.values())
            for code, decibans in strongest.items():
                # What the check is worth is shared out, so that factors of 1 are the hand-set strengths.
                row[f"{check}.{code}"] = found["decibans"] * decibans / whole
        rows.append(row)
    names = sorted({name for row in rows for name in row})
    return names, numpy.array([[row[name] for name in names] for row in rows])


def weights(makers, forged):
    """Each maker counts alike, and the forged documents as if they were as rare as the prior says."""
    weight = numpy.zeros(len(makers))
    for maker in set(makers):
        for truth, share in ((False, 1 - SHARE), (True, SHARE)):
            rows = (makers == maker) & (forged == truth)
            weight[rows] = share / max(1, rows.sum())
    return weight / weight.sum()


def bounds(names, values):
    """Of the factors."""
    result = []
    for name, column in zip(names, values.T):
        is_weak = name.rsplit(".")[-1] in WEAK
        most = min(MOST, WEAK_MOST / max(column.max(), 1e-9)) if is_weak else MOST
        result.append((0.0, max(most, 1.0)) if (column > 0).sum() >= FEWEST else (1.0, 1.0))
    return result


def fit(names, values, forged, weight, strength):
    """The factors."""
    weight = weight / weight.sum()
    sign = numpy.where(forged, 1.0, -1.0)

    def loss(factors):
        margin = sign * DECIBAN * (values @ factors - PRIOR)
        slope = -sign * DECIBAN * weight / (1 + numpy.exp(numpy.clip(margin, -500, 500)))
        drawn = strength / len(weight) * ((factors - 1) ** 2).sum()
        return (weight * numpy.logaddexp(0, -margin)).sum() + drawn, values.T @ slope + 2 * strength / len(weight) * (factors - 1)

    start = numpy.ones(values.shape[1])
    return minimize(loss, start, jac=True, bounds=bounds(names, values), method="L-BFGS-B").x


def chance(score):
    return 1 / (1 + numpy.exp(-DECIBAN * numpy.clip(score - PRIOR, -300, 300)))


def best_strength(names, values, forged, makers, weight):
    """By the loss on each of these makers, left out in turn."""
    def left_out(strength):
        losses = []
        for maker in sorted(set(makers)):
            rows = makers == maker
            score = values[rows] @ fit(names, values[~rows], forged[~rows], weight[~rows], strength)
            losses.append(log_loss(forged[rows], chance(score), sample_weight=weight[rows], labels=[False, True]))
        return numpy.mean(losses)
    return min(STRENGTHS, key=left_out) if len(set(makers)) > 1 else STRENGTHS[-1]


def report(name, maker, score, forged, weight):
    loss = log_loss(forged, chance(score), sample_weight=weight, labels=[False, True])
    alarm = score >= ALARM
    found, false = alarm[forged], alarm[~forged]
    print(f"{name:>6} {maker:>10}: loss {loss:.4f}; found {found.sum()} of {len(found)}, "
          f"false alarms {false.sum()} of {len(false)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("signs", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    documents = read(arguments.signs)
    makers = numpy.array([document["maker"] for document in documents])
    forged = numpy.array([document["forged"] for document in documents])
    weight = weights(makers, forged)
    for kind in ("check", "code"):
        names, values = columns(documents, kind)
        for maker in sorted(set(makers)):
            rows, others = makers == maker, makers != maker
            if kind == "check":
                report("hand", maker, values[rows].sum(axis=1), forged[rows], weight[rows])
            strength = best_strength(names, values[others], forged[others], makers[others], weight[others])
            factors = fit(names, values[others], forged[others], weight[others], strength)
            report(kind, maker, values[rows] @ factors, forged[rows], weight[rows])
    strength = best_strength(names, values, forged, makers, weight)
    factors = fit(names, values, forged, weight, strength)
    report("all", "all", values @ factors, forged, weight)
    for name, factor in zip(names, factors):
        print(f"    {name} {factor:.2f}")
    for file in arguments.signs:
        print(f"{file.name}: SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
