import unittest
from types import SimpleNamespace

from plugin import DAY, SignalAssessment


class Test(unittest.TestCase):
    def test_an_item_that_came_late_is_found(self):
        def score(received_at):
            item = SimpleNamespace(id=lambda: 1, received_at=lambda: received_at)
            evidence = SimpleNamespace(opened_at=lambda: 0, item_count=lambda: 1, item=lambda index: item)
            return SignalAssessment().assess(evidence, "{}")[0].score

        self.assertEqual((score(DAY), score(DAY + 1)), (100, 60))
