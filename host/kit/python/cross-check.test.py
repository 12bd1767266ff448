import unittest
from types import SimpleNamespace

from plugin import CrossChecking, Outcome, Pair


class Test(unittest.TestCase):
    def test_the_number_is_read_and_compared(self):
        document = SimpleNamespace(page_count=lambda: 1, text=lambda page: "Membership card No. 12 34")
        [field] = CrossChecking().extract(document, "OTHER", ["documentNumber"], "{}")
        self.assertEqual(field.value, "12 34")
        [comparison] = CrossChecking().compare([Pair("documentNumber", "1234", "12 34")], "{}")
        self.assertEqual(comparison.outcome, Outcome.SAME)
