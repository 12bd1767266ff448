"""Times other programs that do parts of the same work: `peers.py TASK FOLDER ROUNDS` prints the milliseconds of each round as JSON.

typst-cli   Typst as a process for each document, on the files in FOLDER/laid-out: the program that SEALWRIGHT_BENCH_TYPST
            names, or PyPI typst
typst-cli-jpeg  the same with the photos placed directly, not in drawings
weasyprint  an HTML page with the photos FOLDER/*.scaled as PDF/A, warm, in one process
pyhanko     FOLDER/unsigned.pdf signed (PAdES, P-256) with a time stamp of a local authority, warm, in one process
extism      200 calls of `echo` in FOLDER/echo.wasm with FOLDER/input, compiled once, a fresh plugin for each
"""

import datetime
import html
import io
import json
import os
import pathlib
import subprocess
import sys
import time


def timed(work, rounds):
    times = []
    for number in range(rounds + 1):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1000)
    return times[1:]  # the first one warms up


def typst_cli(folder, rounds):
    program = os.environ.get("SEALWRIGHT_BENCH_TYPST")
    if program:
        command = [program, "compile", "--root=.", "--font-path=fonts", "--ignore-system-fonts", "--pdf-standard=a-3b"]
        command += ["certificate-entry.typ", "out.pdf"]
    else:
        compile_it = (
            "import typst; typst.compile('certificate-entry.typ', root='.', font_paths=['fonts'],"
            " ignore_system_fonts=True, output='out.pdf', pdf_standards='a-3b')"
        )
        command = [sys.executable, "-c", compile_it]
    return timed(lambda _: subprocess.run(command, cwd=folder / "laid-out", check=True), rounds)


def typst_cli_jpeg(folder, rounds):
    described = folder / "laid-out" / "certificate.json"
    as_it_was = described.read_text()
    certificate = json.loads(as_it_was)
    for picture in certificate["pictures"]:
        picture["path"] = picture["path"].replace(".svg", ".jpg")
    described.write_text(json.dumps(certificate))
    try:
        return typst_cli(folder, rounds)
    finally:
        described.write_text(as_it_was)


def weasyprint(folder, rounds):
    import weasyprint

    data = json.loads((folder / "laid-out" / "certificate.json").read_text())
    photos = sorted(folder.glob("*.scaled"))

    def make(number):
        rows = []
        for step in data["steps"]:
            for item in step["items"]:
                rows.append((step["title"], item.get("reference", ""), json.dumps(item)[:200]))
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
        figures = "".join(
            f'<figure><img src="{photo.name}"><figcaption>{photo.stem}</figcaption></figure>' for photo in photos
        )
        page = (
            "<html lang=en><title>Certificate</title><style>@page{size:A4;margin:2cm}body{font:10pt sans-serif}"
            "td{border:.2pt solid;padding:2pt;word-break:break-all}figure{break-before:page;margin:0}img{width:100%}</style>"
            f"<h1>{html.escape(data['title'])} ({number})</h1><table>{cells}</table>{figures}</html>"
        )
        document = weasyprint.HTML(string=page, base_url=str(folder))
        assert document.write_pdf(pdf_variant="pdf/a-3b").startswith(b"%PDF-")

    return timed(make, rounds)


def pyhanko(folder, rounds):
    from asn1crypto import keys, x509
    from cryptography import x509 as builder
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import fields, signers, timestamps
    from pyhanko_certvalidator.registry import SimpleCertificateStore

    def identity(name, key, usage=None):
        subject = builder.Name([builder.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.timezone.utc)
        made = builder.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        made = made.serial_number(builder.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        made = made.not_valid_after(now + datetime.timedelta(days=365))
        if usage:
            made = made.add_extension(builder.ExtendedKeyUsage([usage]), critical=True)
        made = made.sign(key, hashes.SHA256())
        secret = key.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        certificate = x509.Certificate.load(made.public_bytes(serialization.Encoding.DER))
        return certificate, keys.PrivateKeyInfo.load(secret)

    certificate, key = identity("Signer", ec.generate_private_key(ec.SECP256R1()))
    signer = signers.SimpleSigner(signing_cert=certificate, signing_key=key, cert_registry=SimpleCertificateStore())
    # pyHanko's own authority supports only RSA.
    stamping = identity("Authority", rsa.generate_private_key(65537, 2048), ExtendedKeyUsageOID.TIME_STAMPING)
    authority = timestamps.DummyTimeStamper(*stamping)
    unsigned = (folder / "unsigned.pdf").read_bytes()

    def sign(_):
        meta = signers.PdfSignatureMetadata(
            field_name="Signature", md_algorithm="sha256", subfilter=fields.SigSeedSubFilter.PADES
        )
        writer = IncrementalPdfFileWriter(io.BytesIO(unsigned))
        signed = signers.sign_pdf(writer, meta, signer=signer, timestamper=authority)
        assert len(signed.getbuffer()) > len(unsigned)

    return timed(sign, rounds)


def extism(folder, rounds):
    # The package's own functions would add Python's overhead to each call; these are the library's functions.
    from extism.extism import CompiledPlugin, _ffi, _lib

    given = (folder / "input").read_bytes()
    compiled = CompiledPlugin((folder / "echo.wasm").read_bytes(), functions=[])
    failed = _ffi.new("char**")

    def call():
        plugin = _lib.extism_plugin_new_from_compiled(compiled.pointer, failed)
        assert plugin != _ffi.NULL, _ffi.string(failed[0])
        assert _lib.extism_plugin_call(plugin, b"echo", given, len(given)) == 0
        length = _lib.extism_plugin_output_length(plugin)
        answer = _ffi.buffer(_lib.extism_plugin_output_data(plugin), length)[:]
        _lib.extism_plugin_free(plugin)
        return answer

    assert call() == given

    def work(_):
        for _ in range(200):
            call()

    return timed(work, rounds)


TASKS = {"extism": extism, "typst-cli": typst_cli, "typst-cli-jpeg": typst_cli_jpeg, "weasyprint": weasyprint, "pyhanko": pyhanko}

if __name__ == "__main__":
    task, folder, rounds = sys.argv[1:]
    print(json.dumps(TASKS[task](pathlib.Path(folder), int(rounds))))
