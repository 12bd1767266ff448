import unittest

from plugin import DocumentTypeDetection


class DocumentOf:
    """A document of one page, as far as the plugin asks."""

    def __init__(self, text):
        self.page_count = lambda: 1
        self.text = lambda page: text


class Test(unittest.TestCase):
    def test_a_membership_card_is_known_by_its_words(self):
        score = lambda text: DocumentTypeDetection().detect(DocumentOf(text), "{}")[0].score
        self.assertEqual(score("Rowing Club\nMembership card No. 7"), 90)
        self.assertEqual(score("Invoice No. 7"), 0)
