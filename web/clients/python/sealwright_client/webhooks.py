"""Checks that a webhook comes from the server, before its body is parsed.

Each function answers whether it does. Give them the body as it arrived: parsing and writing the JSON again changes its
bytes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from typing import Mapping, Optional, Sequence, Union

#: The largest difference of clocks by default, in seconds.
TOLERANCE = 300


def verify_hmac_sha256(body: bytes, headers: Mapping[str, str], api_key: str, secret: str) -> bool:
    """The mode `hmac-sha256`."""
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return _are_equal(_header(headers, "authorization"), f"HMAC-SHA256 {api_key}:{signature}")


def verify_bearer(headers: Mapping[str, str], token: str) -> bool:
    """The mode `bearer`."""
    return _are_equal(_header(headers, "authorization"), f"Bearer {token}")


def verify_security_token(headers: Mapping[str, str], token: str) -> bool:
    """The mode `security-token`."""
    return _are_equal(_header(headers, "security-token"), token)


def verify_partner_apikey(headers: Mapping[str, str], api_key: str) -> bool:
    """The mode `partner-apikey`."""
    return _are_equal(_header(headers, "x-partner-apikey"), api_key)


def verify_standard_webhooks(
    body: bytes,
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
    tolerance: float = TOLERANCE,
) -> bool:
    """Standard Webhooks (https://www.standardwebhooks.com/), symmetric signatures.

    :param secrets: One or more, each `whsec_…`. One match is enough.
    :param now: Seconds since 1970.
    :param tolerance: The largest age, and the largest difference of clocks, in seconds.
    """
    identifier, timestamp, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not identifier or not timestamp or not signatures or not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        return False
    signed = f"{identifier}.{timestamp}.".encode() + body
    is_genuine = False
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret)
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        for signature in signatures.split(" "):
            is_genuine = _are_equal(signature, expected) or is_genuine
    return is_genuine


def _header(headers: Mapping[str, str], name: str) -> Optional[str]:
    values = [value for key, value in headers.items() if key.lower() == name]
    # A header that appears twice is not one that the server sent.
    return values[0] if len(values) == 1 else None


def _are_equal(given: Optional[str], expected: str) -> bool:
    """Compares in a time that does not depend on where they differ."""
    return given is not None and hmac.compare_digest(given.encode(), expected.encode())
