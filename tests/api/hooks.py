"""Gives schemathesis what random data seldom hits: frames and steps that exist, and files of the kinds that are taken.

Half of the bodies are changed so; the other half stay as schemathesis made them. The identifiers are those of the
company manifest that the test applies, which are those of the description's examples.
"""

import struct
import zlib

import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode

FRAME = 70
PHOTO_STEP, NAME_STEP, DOCUMENT_STEP = 701, 702, 703


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0\xff\0\0\0\xff\0" * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PNG = png()

# The pieces of an upload by tus are bytes like any others.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")


def is_identifier(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 2**63


def known(body, step):
    """The body with a frame or step that exists, and a file that is taken.

    Only what is right already is replaced: a body that was made to be refused must still be refused.
    """
    if isinstance(body, list):
        return [known(element, step) for element in body]
    if not isinstance(body, dict):
        return body
    changed = dict(body)
    if is_identifier(changed.get("frameId")):
        changed["frameId"] = FRAME
    if is_identifier(changed.get("stepId")):
        changed["stepId"] = step
    if "createItemDto" in changed:
        changed["createItemDto"] = known(changed["createItemDto"], step)
    if isinstance(changed.get("file"), (str, bytes)):
        changed["file"] = PNG
    return changed


@schemathesis.hook
def before_generate_body(context, strategy):
    path = context.operation.path
    step = DOCUMENT_STEP if path.endswith("/document") else NAME_STEP if path.endswith("/create") else PHOTO_STEP
    return st.tuples(strategy, st.booleans()).map(lambda drawn: known(drawn[0], step) if drawn[1] else drawn[0])


@schemathesis.hook
def before_call(context, case, kwargs):
    """Expects no refusal of a request that schemathesis made by the description.

    Between linked operations it may mark such a request as a wrong one after the link has replaced its path (4.32), and
    then reports that it was accepted.
    """
    meta = case.meta
    if meta is not None and meta.generation.mode.is_negative and meta.phase.data.description == "Positive test case":
        meta.generation.mode = GenerationMode.POSITIVE
