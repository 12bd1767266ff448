"""Prints whether a webhook in the mode `hmac-sha256`, whose body is the standard input, is `genuine` or `forged`.

    python3 verify.py AUTHORIZATION API_KEY SECRET < BODY
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from sealwright_client.webhooks import verify_hmac_sha256  # noqa: E402

authorization, api_key, secret = sys.argv[1:]
is_genuine = verify_hmac_sha256(sys.stdin.buffer.read(), {"Authorization": authorization}, api_key, secret)
print("genuine" if is_genuine else "forged")
