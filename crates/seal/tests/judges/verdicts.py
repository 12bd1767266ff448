"""Prints whether pyHanko finds each PDF file validly signed: `verdicts.py ROOT FILES` reads the names from FILES.

`valid`: there is a signature, and every signature and time stamp in the file is intact, trusted, covers the file or is
followed only by changes that pyHanko allows. Anything else is `invalid`."""

import logging
import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko_certvalidator import ValidationContext

logging.disable(logging.CRITICAL)


def is_valid(path, root):
    with open(path, "rb") as file:
        reader = PdfFileReader(file, strict=True)
        if not reader.embedded_regular_signatures:
            return False
        for signature in reader.embedded_regular_signatures:
            context = ValidationContext(trust_roots=[root], allow_fetching=False)
            if not validate_pdf_signature(signature, context).bottom_line:
                return False
        for stamp in reader.embedded_timestamp_signatures:
            context = ValidationContext(trust_roots=[root], allow_fetching=False)
            status = validate_pdf_timestamp(stamp, context)
            if not (status.intact and status.valid and status.trusted):
                return False
    return True


def main():
    root = load_cert_from_pemder(sys.argv[1])
    for name in open(sys.argv[2], encoding="utf-8").read().split():
        try:
            verdict = is_valid(name, root)
        except Exception:  # Whatever a reader stumbles over, it does not accept.
            verdict = False
        print(name, "valid" if verdict else "invalid", sep="\t")


main()
