"""Answers that report a failure."""

from __future__ import annotations

from typing import Any, Optional


class ApiError(Exception):
    """An answer that reports a failure."""

    def __init__(self, status: int, message: str, request_id: Optional[str], body: Any) -> None:
        super().__init__(f"{status}: {message}")
        #: The status of HTTP.
        self.status = status
        #: What the server says.
        self.message = message
        #: Names the request in the server's log.
        self.request_id = request_id
        #: The body as JSON, or its text if it is not JSON.
        self.body = body
