"""The client of one server."""

from __future__ import annotations

from typing import BinaryIO, Callable, Iterator, Optional, Union

from . import schema
from .operations import Operations
from .upload import PIECE, FileDescription, upload

#: How long one request waits for the next event, in seconds.
WAIT = 30


class Client(Operations):
    """A method for each operation, uploads in pieces, and the feed of events. It may be shared by threads."""

    def upload(
        self,
        file: Union[bytes, BinaryIO],
        description: FileDescription,
        *,
        piece_size: int = PIECE,
        on_progress: Optional[Callable[[int, int], None]] = None,
        failures: int = 8,
    ) -> schema.UploadView:
        """Sends a file in pieces and creates its item.

        If the connection or the server fails, the upload continues where it stopped. Of a file that is open (for
        reading bytes), only one piece is in memory.

        :param piece_size: In bytes.
        :param on_progress: Called after each piece with the number of bytes that have arrived, and the size.
        :param failures: How often in a row the upload may fail without progress.
        """
        return upload(self, file, description, piece_size, on_progress, failures)

    def follow(self, after: Optional[str] = None) -> Iterator[schema.Event]:
        """Follows the feed of events without an end.

        Keep the `cursor` of each event after your work on it, and continue with it after a restart.

        :param after: The cursor after which to begin. Without it, the feed begins with the oldest event that is kept.
        """
        while True:
            page = self.read_events(after=after, wait=WAIT)
            yield from page["events"]
            after = page["cursor"]
