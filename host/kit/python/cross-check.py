"""Reads the number of a membership card, and compares fields without regard to case and spaces."""

import re

from wit_world import exports
from wit_world.exports.cross_checking import Comparison, ExtractedField, Outcome, Pair
from wit_world.exports.meta import Description
from wit_world.imports.findings import Place


class Meta(exports.Meta):
    def describe(self) -> Description:
        return Description("{{name}}", "0.1.0", "{{summary}}")


def tidy(text: str) -> str:
    return "".join(text.lower().split())


def compared(pair: Pair) -> Comparison:
    if pair.entered is None or pair.extracted is None:
        return Comparison(Outcome.MISSING, 0, "One of them is not there.")
    if tidy(pair.entered) == tidy(pair.extracted):
        return Comparison(Outcome.SAME, 100, "They are the same.")
    return Comparison(Outcome.DIFFERENT, 0, "They are not the same.")


class CrossChecking(exports.CrossChecking):
    def extract(self, document, document_type: str, wanted: list[str], settings: str) -> list[ExtractedField]:
        if "documentNumber" not in wanted:
            return []
        for page in range(1, document.page_count() + 1):
            if number := re.search(r"No\. (.+)", document.text(page)):
                return [ExtractedField("documentNumber", number[1].strip(), Place(page, None), 90)]
        return []

    def compare(self, pairs: list[Pair], settings: str) -> list[Comparison]:
        return [compared(pair) for pair in pairs]
