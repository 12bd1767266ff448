"""Looks for items that came more than a day after the case was opened."""

from wit_world import exports
from wit_world.exports.meta import Description
from wit_world.exports.signal_assessment import Observation, Signal
from wit_world.imports.findings import Finding, State

DAY = 24 * 60 * 60 * 1000


class Meta(exports.Meta):
    def describe(self) -> Description:
        return Description("{{name}}", "0.1.0", "{{summary}}")


class SignalAssessment(exports.SignalAssessment):
    def assess(self, evidence, settings: str) -> list[Signal]:
        text = "It came more than a day after the case was opened."
        items = (evidence.item(index) for index in range(evidence.item_count()))
        observations = [
            Observation(item.id(), Finding("LATE_ITEM", State.FOUND, None, text))
            for item in items
            if item.received_at() - evidence.opened_at() > DAY
        ]
        if observations:
            return [Signal("promptness", 60, observations)]
        finding = Finding("LATE_ITEM", State.NOT_FOUND, None, "Everything came within a day.")
        return [Signal("promptness", 100, [Observation(None, finding)])]
