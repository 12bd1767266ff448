"""Distinguishes membership cards from other documents."""

from wit_world import exports
from wit_world.exports.document_type_detection import Candidate
from wit_world.exports.meta import Description
from wit_world.imports.findings import Finding, Place, State


class Meta(exports.Meta):
    def describe(self) -> Description:
        return Description("{{name}}", "0.1.0", "{{summary}}")


class DocumentTypeDetection(exports.DocumentTypeDetection):
    def detect(self, document, settings: str) -> list[Candidate]:
        card = Candidate("MEMBERSHIP_CARD", 0, [])
        for page in range(1, document.page_count() + 1):
            if "membership card" in document.text(page).lower():
                card.score = 90
                text = "It calls itself a membership card."
                card.findings.append(Finding("CARD_WORDS", State.FOUND, Place(page, None), text))
        return [card, Candidate("OTHER", 50, [])]
