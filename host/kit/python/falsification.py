"""Finds documents that say of themselves that they are samples."""

from wit_world import exports
from wit_world.exports.falsification_inspection import Check, Verdict
from wit_world.exports.meta import Description
from wit_world.imports.findings import Finding, Place, State


class Meta(exports.Meta):
    def describe(self) -> Description:
        return Description("{{name}}", "0.1.0", "{{summary}}")


class FalsificationInspection(exports.FalsificationInspection):
    def inspect(self, document, document_type: str, settings: str) -> list[Check]:
        verdict, evaluation = Verdict.VALID, 100
        finding = Finding("SPECIMEN", State.NOT_FOUND, None, "It does not say that it is a specimen.")
        for page in range(1, document.page_count() + 1):
            if "specimen" in document.text(page).lower():
                verdict, evaluation = Verdict.INVALID, 0
                finding = Finding("SPECIMEN", State.FOUND, Place(page, None), "It says that it is a specimen.")
        return [Check("SPECIMEN_WORDS", "Marked as a specimen", verdict, evaluation, 100, [finding])]
