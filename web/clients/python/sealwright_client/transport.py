"""Sends requests: the token, repetition, errors. What is asked is in `operations`."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.message import Message
from typing import Any, BinaryIO, Callable, Dict, Mapping, Optional, Tuple, TypeVar, Union

from .errors import ApiError

T = TypeVar("T")
#: An answer whose body is not read yet: a context manager with `read`, `headers` and `status`.
Answer = http.client.HTTPResponse
#: A file to send: its bytes, or a file that is open for reading bytes.
File = Union[bytes, BinaryIO]

#: The pause before the first repetition without `Retry-After`, in seconds. It doubles each time.
FIRST_PAUSE = 0.5
#: The connection failed, or broke before the answer was complete.
CONNECTION_FAILURES = (urllib.error.URLError, http.client.HTTPException, OSError)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the token elsewhere. The server has none."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Sends requests to one server."""

    version = ""

    def __init__(
        self,
        base_url: str,
        username: Optional[str] = None,
        password: Optional[str] = None,
        *,
        token: Optional[str] = None,
        retries: int = 5,
        longest_pause: float = 120,
        timeout: float = 90,
    ) -> None:
        """
        :param base_url: The server's public root.
        :param username: An API account, with its `password`. The client requests tokens itself.
        :param token: A token, instead of an account.
        :param retries: How often a request is repeated.
        :param longest_pause: The longest time to wait before a repetition, in seconds. If the server asks for a longer
            pause, the call fails with its answer.
        :param timeout: How long the server may be silent, in seconds.
        """
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must begin with http:// or https://")
        self._base_url = base_url.rstrip("/")
        self._account = None if username is None or password is None else {"username": username, "password": password}
        self._token = token
        self._token_lock = threading.Lock()
        self._retries = retries
        self._longest_pause = longest_pause
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _json(self, method: str, path: str, **call: Any) -> Any:
        def read(answer: Answer) -> Any:
            with answer:
                media_type = answer.headers.get("Content-Type") or ""
                if not media_type.startswith("application/json"):
                    raise TypeError(f"{path} answered {media_type or 'nothing'}: use the method that ends with _as_file")
                return json.loads(answer.read())

        return self._send(read, method, path, **call)

    def _file(self, method: str, path: str, **call: Any) -> Answer:
        return self._send(lambda answer: answer, method, path, **call)

    def _nothing(self, method: str, path: str, **call: Any) -> None:
        with self._file(method, path, **call):
            pass

    def _send(
        self,
        read: Callable[[Answer], T],
        method: str,
        path: str,
        *,
        body: Any = None,
        form: Optional[Tuple[File, str, Any]] = None,
        data: Optional[bytes] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        key: Optional[str] = None,
        is_keyed: bool = False,
        is_open: bool = False,
        is_repeatable: bool = False,
    ) -> T:
        """Sends the request until it succeeds, fails for good, or was repeated often enough.

        A request that was rejected because of its quota is always repeated; after other failures only one that changes
        nothing or has a key.
        """
        sent: Dict[str, str] = {"User-Agent": f"sealwright-client-python/{self.version}", **(headers or {})}
        if is_keyed:
            sent["Idempotency-Key"] = key or str(uuid.uuid4())
        if form is not None:
            data, sent["Content-Type"] = _encoded(*form)
        elif body is not None:
            data, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        url = self._base_url + path + _search(query or {})
        is_repeatable = is_repeatable or is_keyed or method in ("GET", "HEAD")
        is_token_new = False
        attempt = 0
        while True:
            token = None if is_open else self._read_token()
            if token is not None:
                sent["Authorization"] = f"Bearer {token}"
            is_last = attempt >= self._retries
            try:
                request = urllib.request.Request(url, data=data, headers=sent, method=method)
                return read(self._opener.open(request, timeout=self._timeout))
            except urllib.error.HTTPError as refusal:
                with refusal:
                    if refusal.code == 401 and token is not None and self._account and not is_token_new:
                        self._forget_token(token)
                        is_token_new = True
                        continue
                    is_worthwhile = refusal.code == 429 or (is_repeatable and refusal.code >= 500)
                    pause = _asked(refusal.headers)
                    pause = self._backoff(attempt) if pause is None else pause
                    if is_last or not is_worthwhile or pause > self._longest_pause:
                        raise _error(refusal) from None
            except CONNECTION_FAILURES:
                if is_last or not is_repeatable:
                    raise
                pause = self._backoff(attempt)
            time.sleep(pause)
            attempt += 1

    def _read_token(self) -> Optional[str]:
        """The token, which all calls share."""
        with self._token_lock:
            if self._token is None and self._account is not None:
                answer = self._json("POST", "/auth/token", body=self._account, is_open=True, is_repeatable=True)
                self._token = str(answer["token"])
            return self._token

    def _forget_token(self, token: str) -> None:
        with self._token_lock:
            # Another thread may have requested a new one already.
            if self._token == token:
                self._token = None

    def _backoff(self, attempt: int) -> float:
        return min(FIRST_PAUSE * (1 << attempt) * random.uniform(0.5, 1), self._longest_pause)


def quote(value: Any) -> str:
    """A value as a part of a path."""
    return urllib.parse.quote(str(value), safe="")


def _search(query: Mapping[str, Any]) -> str:
    pairs = {name: _text(value) for name, value in query.items() if value is not None}
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _asked(headers: Message) -> Optional[float]:
    """How long the server asks to wait, in seconds."""
    value = headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else None


def _error(refusal: urllib.error.HTTPError) -> ApiError:
    try:
        text = refusal.read().decode("utf-8", "replace")
    except CONNECTION_FAILURES:
        text = ""
    try:
        body = json.loads(text)
    except ValueError:
        body = text
    message = body.get("message") if isinstance(body, dict) else None
    return ApiError(refusal.code, str(message or refusal.reason), refusal.headers.get("X-Request-Id"), body)


def _encoded(file: File, name: str, value: Any) -> Tuple[bytes, str]:
    """A form with a file and a part with JSON, and its media type."""
    content = file if isinstance(file, bytes) else file.read()
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\nContent-Type: application/json\r\n\r\n',
        json.dumps(value),
        f'\r\n--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n',
        "Content-Type: application/octet-stream\r\n\r\n",
    ]
    return "".join(parts).encode() + content + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"
