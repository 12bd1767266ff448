"""The ten tasks of the integrators' guide (docs/integrator.md), with this client, against a server with the demo company.

    python3 tasks.py BASE_URL PHOTO DOCUMENT

The server must be allowed to send webhooks to this machine. Prints `ten tasks done`.
"""

import datetime
import http.server
import io
import pathlib
import queue
import sys
import threading
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from sealwright_client import ApiError, Client, webhooks  # noqa: E402

base_url, photo, document = sys.argv[1:]
REPORT = "claim-2026-python"
HOOK_TOKEN = "a-long-random-token"
received = queue.Queue()


class Receiver(http.server.BaseHTTPRequestHandler):
    """Keeps each webhook, and answers at once."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        received.put((body, dict(self.headers.items())))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=hook.serve_forever, daemon=True).start()

# 1. Get a token: the client does, when it needs one.
client = Client(base_url, "demo-api", "demo-password")
anonymous = Client(base_url)
assert client.create_token({"username": "demo-api", "password": "demo-password"})["token"]

# 2. Find the frame and its steps.
frame = next(frame for frame in client.list_frames() if frame["id"] == 10)
steps = {step["stepAction"]: step["id"] for step in reversed(frame["steps"])}

# 6. Receive the case webhook: this comes before the closing.
settings = client.update_api_settings(
    {
        "endpoint": f"http://127.0.0.1:{hook.server_port}/cases",
        "authToken": HOOK_TOKEN,
        "authorizationHeader": "authorization",
    }
)
assert settings["apiSettings"][0]["hasCredentials"]

# 3. Open a case.
created = client.create_case(
    {
        "frameId": frame["id"],
        "title": "Burst pipe in the kitchen",
        "reportToken": REPORT,
        "caseContext": {"visibleData": {"beneficiary": {"lastName": "Martinel"}}},
        "metadata": {"ourReference": "A-1"},
    }
)
case = created["id"]

# 4. Add photos, documents and entered values: one file at once, one in pieces.
captured = datetime.datetime.now(datetime.timezone.utc).isoformat()
app = {"clientAppName": "tasks", "clientAppVersion": "1"}
entry = client.create_entry_item(
    {"caseId": case, "stepId": 102, "data": "The pipe under the sink.", "frontCreatedAt": captured, **app}
)
assert entry["cfRef"].startswith("ITM-")
with open(document, "rb") as opened:
    uploaded = client.upload_document(
        case, opened, {"stepId": 106, "data": "invoice.pdf", "frontCreatedAt": captured, **app}
    )
assert uploaded["documentUrl"]
progress = []
with open(photo, "rb") as opened:
    size = opened.seek(0, io.SEEK_END)
    sent = client.upload(
        opened,
        {
            "caseId": case,
            "stepId": 101,
            "filename": "photo.jpg",
            "frontCreatedAt": captured,
            "latitude": "45.76",
            "longitude": "4.83",
            **app,
        },
        piece_size=size // 3 + 1,
        on_progress=lambda arrived, _: progress.append(arrived),
    )
assert sent["item"] is not None and sent["receipt"], sent
assert len(progress) == 3 and progress[-1] == size, progress

# 5. Close the case and read its certificate. The client waits until it is made.
closed = client.close_case(case)
share_token = closed["pdfUrl"].rsplit("/", 1)[-1]
with anonymous.read_shared_case(share_token) as answer:
    certificate = answer.read()
assert certificate.startswith(b"%PDF-")
with client.download_package(share_token) as answer:
    assert f"{created['cfRef']}.pdf" in zipfile.ZipFile(io.BytesIO(answer.read())).namelist()
try:
    client.close_case(case)
    raise AssertionError("a case is closed once")
except ApiError as error:
    assert error.status == 400 and error.request_id, error

# 6. The webhook.
body, headers = received.get(timeout=30)
assert webhooks.verify_bearer(headers, HOOK_TOKEN)
assert not webhooks.verify_bearer(headers, "another-token")
assert created["cfRef"].encode() in body

# 7. Follow the events, and search.
kinds = []
for event in client.follow():
    if event["caseId"] == case:
        kinds.append(event["kind"])
    if "sealed" in kinds:
        break
assert kinds[:2] == ["created", "closed"], kinds
[found] = client.search_cases(format="metadata", case_id=case, closed=True)
assert found["caseUrl"] == closed["pdfUrl"] and found["metadata"] == {"ourReference": "A-1"}, found
with client.search_cases_as_file(format="zip", case_id=case) as answer:
    assert f"{created['cfRef']}.pdf" in zipfile.ZipFile(io.BytesIO(answer.read())).namelist()

# 8. Reports.
[reported] = anonymous.read_report(REPORT)
assert len(reported["items"]) == 3, reported
with client.download_report_as_file(REPORT) as answer:
    assert f"{created['cfRef']}.pdf" in zipfile.ZipFile(io.BytesIO(answer.read())).namelist()
assert client.download_report(REPORT, {"format": "metadata", "hours": 24})["caseUrls"] == [closed["pdfUrl"]]

# 9. Let someone without an account work on a case.
linked = client.create_case({"frameId": 10, "linkOptions": {"reportToken": REPORT, "maxUses": 1}})
link_token = linked["magicLinkUrl"].rsplit("/", 1)[-1]
assert client.close_case_by_link(link_token)["caseId"] == linked["id"]
assert client.create_link({"frameId": 10, "maxUses": 20, "context": {"agency": "Lyon"}})["magicLinkUrl"]

# 10. Many at once, errors, and quotas.
bulk = client.bulk_create_cases([{"frameId": 10}, {"frameId": 99}])
assert [failure["index"] for failure in bulk["error"]] == [1], bulk
assert client.bulk_delete_cases({"caseIds": [success["caseId"] for success in bulk["success"]]})["state"]
first, second = (client.create_case({"frameId": 10}, idempotency_key=f"{REPORT}-{case}") for _ in range(2))
assert first["id"] == second["id"]
wrong = Client(base_url, "demo-api", "wrong")
try:
    wrong.list_frames()
    raise AssertionError("the password is wrong")
except ApiError as error:
    assert error.status == 401, error

hook.shutdown()
print("ten tasks done")
