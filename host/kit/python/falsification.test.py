import unittest
from types import SimpleNamespace

from plugin import FalsificationInspection, Verdict


class Test(unittest.TestCase):
    def test_a_specimen_is_found(self):
        def verdict(text):
            document = SimpleNamespace(page_count=lambda: 1, text=lambda page: text)
            return FalsificationInspection().inspect(document, "OTHER", "{}")[0].verdict

        self.assertEqual(verdict("SPECIMEN\nPassport"), Verdict.INVALID)
        self.assertEqual(verdict("Membership card"), Verdict.VALID)
