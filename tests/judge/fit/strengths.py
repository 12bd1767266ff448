"""Compares the strengths of the signs of forgery that are set by hand with fitted ones, by makers left out.

    python strengths.py [--table FILE.json] SIGNS...

A file SIGNS is what `cargo xtask lab --facts CACHE --signs SIGNS FOLDER...` writes. The hand-set strength of a sign is in
decibans; a fit multiplies the strengths of each check (`check`) or of each kind of finding (`code`) by a factor that is
not negative. The factors are drawn to 1, with the strength that is best on makers left out of the inner fits. Each maker is
judged by factors that were fitted without it: by the mean logarithmic loss, by the forgeries found at a suspicion of 30,
and by the false alarms there. The threshold is chosen on the other makers: at most 2 % of their innocent documents reach
it. `--table` writes the factors of the fit on all makers, with the digests of the data, for review. Needs numpy, scipy and
scikit-learn; nothing is drawn at random.
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
STRENGTHS = [0.3, 1.0, 3.0, 10.0, 30.0]
INNOCENT_ALARMS = 0.02


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
    """Each maker and class counts alike."""
    weight = numpy.zeros(len(makers))
    for maker in set(makers):
        for truth in (False, True):
            rows = (makers == maker) & (forged == truth)
            weight[rows] = 1 / max(1, rows.sum())
    return weight / weight.sum()


def fit(values, forged, weight, strength):
    """The factors, and the prior in decibans."""
    count = values.shape[1]
    sign = numpy.where(forged, 1.0, -1.0)

    def loss(point):
        factors, prior = point[:count], point[count]
        margin = sign * DECIBAN * (values @ factors - prior)
        slope = -sign * DECIBAN * weight / (1 + numpy.exp(numpy.clip(margin, -500, 500)))
        drawn = strength / len(weight) * ((factors - 1) ** 2).sum()
        gradient = numpy.append(values.T @ slope + 2 * strength / len(weight) * (factors - 1), -slope.sum())
        return (weight * numpy.logaddexp(0, -margin)).sum() + drawn, gradient

    start = numpy.append(numpy.ones(count), PRIOR)
    bounds = [(0, 4)] * count + [(0, 40)]
    return numpy.split(minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x, [count])


def threshold(score, forged):
    """The least evidence that at most 2 % of the innocent documents reach."""
    innocent = numpy.sort(score[~forged])[::-1]
    return innocent[int(INNOCENT_ALARMS * len(innocent))] + 0.01


def chance(score, prior):
    return 1 / (1 + numpy.exp(-DECIBAN * numpy.clip(score - prior, -300, 300)))


def best_strength(values, forged, makers, weight):
    """By the loss on each of these makers, left out in turn."""
    def left_out(strength):
        losses = []
        for maker in sorted(set(makers)):
            rows = makers == maker
            factors, prior = fit(values[~rows], forged[~rows], weight[~rows] / weight[~rows].sum(), strength)
            losses.append(log_loss(forged[rows], chance(values[rows] @ factors, prior), sample_weight=weight[rows], labels=[False, True]))
        return numpy.mean(losses)
    return min(STRENGTHS, key=left_out) if len(set(makers)) > 1 else STRENGTHS[-1]


def report(name, maker, score, prior, least, forged, weight):
    loss = log_loss(forged, chance(score, prior), sample_weight=weight, labels=[False, True])
    alarm = score >= least
    found, false = alarm[forged], alarm[~forged]
    print(f"{name:>6} {maker:>10}: loss {loss:.3f}; from {least:.1f} dB on: found {found.sum()} of {len(found)}, "
          f"false alarms {false.sum()} of {len(false)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("signs", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    documents = read(arguments.signs)
    makers = numpy.array([document["maker"] for document in documents])
    forged = numpy.array([document["forged"] for document in documents])
    weight = weights(makers, forged)
    table = {"data": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in arguments.signs},
             "documents": collections.Counter(makers.tolist())}
    for kind in ("check", "code"):
        names, values = columns(documents, kind)
        for maker in sorted(set(makers)):
            rows, others = makers == maker, makers != maker
            judged = (forged[rows], weight[rows])
            if kind == "check":
                by_hand = values.sum(axis=1)
                report("hand", maker, by_hand[rows], PRIOR, ALARM, *judged)
            strength = best_strength(values[others], forged[others], makers[others], weight[others])
            factors, prior = fit(values[others], forged[others], weight[others] / weight[others].sum(), strength)
            score = values @ factors
            report(kind, maker, score[rows], prior, threshold(score[others], forged[others]), *judged)
        strength = best_strength(values, forged, makers, weight)
        factors, prior = fit(values, forged, weight, strength)
        table[kind] = {"strength": strength, "prior": round(float(prior[0]), 2),
                       "threshold": round(float(threshold(values @ factors, forged)), 2),
                       "factors": {name: round(float(factor), 2) for name, factor in zip(names, factors)}}
    if arguments.table:
        arguments.table.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
