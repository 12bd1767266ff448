import hmac
import unittest
from types import SimpleNamespace

from plugin import WebhookAuthentication


class Test(unittest.TestCase):
    def test_the_body_is_signed(self):
        request = SimpleNamespace(body=lambda: b"what do ya want for nothing?")
        credential = SimpleNamespace(hmac_sha256=lambda parts: hmac.digest(b"Jefe", parts[0].value, "sha256"))
        [header] = WebhookAuthentication().authenticate(request, credential)
        self.assertTrue(header.value.startswith("sha256=5bdcc146bf60754e6a04"))
