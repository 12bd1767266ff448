"""Sends a file in pieces, by tus 1.0 (https://tus.io/protocols/resumable-upload)."""

from __future__ import annotations

import base64
import io
import time
import uuid
from typing import TYPE_CHECKING, BinaryIO, Callable, Mapping, Optional, TypedDict, Union

from . import schema
from .errors import ApiError
from .transport import CONNECTION_FAILURES, Answer, quote

if TYPE_CHECKING:
    from .client import Client

#: The usual size of a piece, in bytes.
PIECE = 4 * 1024 * 1024
#: The longest pause after a failure, in seconds.
LONGEST_PAUSE = 30.0
TUS = {"Tus-Resumable": "1.0.0"}


class _Required(TypedDict):
    caseId: int
    stepId: int
    filename: str
    frontCreatedAt: str
    """When it was captured, by the clock of the application: RFC 3339 with an offset."""


class FileDescription(_Required, total=False):
    """What is said about a file."""

    latitude: str
    """Required for photos and videos."""
    longitude: str
    """Required for photos and videos."""
    accuracy: str
    captureId: str
    """A UUID v4. A second upload with the same one continues the first, also in another process. The client makes one if
    there is none.
    """
    sha256: str
    """The digest of the whole file in hexadecimal."""
    clientAppName: str
    clientAppVersion: str


def upload(
    client: Client,
    file: Union[bytes, BinaryIO],
    description: FileDescription,
    piece_size: int,
    on_progress: Optional[Callable[[int, int], None]],
    allowed: int,
) -> schema.UploadView:
    """Sends the file; `Client.upload` describes the parameters."""
    source: BinaryIO = io.BytesIO(file) if isinstance(file, bytes) else file
    size = source.seek(0, io.SEEK_END)
    answer = _announce(client, size, description)
    # Only this part of `Location` is used, so that the token goes to no other server.
    key = (answer.headers.get("Location") or "").rsplit("/", 1)[-1]
    if not key:
        raise ValueError("the answer to an announced upload has no Location")
    path = f"/v2/uploads/{quote(key)}"
    offset = _offset(answer)
    failures = 0
    while offset < size:
        try:
            source.seek(offset)
            headers = {**TUS, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
            with client._file("PATCH", path, data=source.read(piece_size), headers=headers) as answer:
                offset = _offset(answer)
            failures = 0
        except (ApiError, *CONNECTION_FAILURES) as error:
            failures += 1
            if failures > allowed or not _can_continue(error):
                raise
            time.sleep(min(0.25 * 2**failures, LONGEST_PAUSE))
            with client._file("HEAD", path, headers=TUS) as answer:
                arrived = _offset(answer)
            failures = 0 if arrived > offset else failures
            offset = arrived
        if on_progress is not None:
            on_progress(offset, size)
    return client.read_upload(key)


def _announce(client: Client, size: int, description: Mapping[str, object]) -> Answer:
    """Announces the file. This can be repeated because of its `captureId`."""
    metadata = {"captureId": str(uuid.uuid4()), **description}
    pairs = [f"{name} {base64.b64encode(str(value).encode()).decode()}" for name, value in metadata.items()]
    headers = {**TUS, "Upload-Length": str(size), "Upload-Metadata": ",".join(pairs)}
    with client._file("POST", "/v2/uploads", headers=headers, is_repeatable=True) as answer:
        return answer


def _offset(answer: Answer) -> int:
    value = answer.headers.get("Upload-Offset") or ""
    if not (value.isascii() and value.isdigit()):
        raise ValueError("the answer has no Upload-Offset")
    return int(value)


def _can_continue(error: Exception) -> bool:
    """Whether asking for the offset and continuing can help.

    It does after a failure of the connection or the server, and if another request has moved the offset.
    """
    return not isinstance(error, ApiError) or error.status >= 500 or error.status in (408, 409, 460)
