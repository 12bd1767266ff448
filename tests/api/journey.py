"""The main journey, with the client that openapi-python-client generated from the server's own description.

    python journey.py <folder of the generated package> <base URL> <photo> <document>

The identifiers are those of the company manifest that the test applies.
"""

import datetime
import pathlib
import sys
import time

folder, base_url, photo, document = sys.argv[1:]
sys.path.insert(0, folder)

from sealwright_client import AuthenticatedClient, Client, models  # noqa: E402
from sealwright_client.api.authentication import create_token  # noqa: E402
from sealwright_client.api.cases import close_case, create_case, search_cases  # noqa: E402
from sealwright_client.api.frames import list_frames  # noqa: E402
from sealwright_client.api.items import create_entry_item, upload_document, upload_media  # noqa: E402
from sealwright_client.api.reports import read_report  # noqa: E402
from sealwright_client.api.shared_files import read_shared_case  # noqa: E402
from sealwright_client.types import File  # noqa: E402

anonymous = Client(base_url)
wrong = create_token.sync(client=anonymous, body=models.SignIn("acme-api", "wrong"))
assert isinstance(wrong, models.Error) and wrong.status_code == 401, wrong
signed_in = create_token.sync(client=anonymous, body=models.SignIn("acme-api", "correct horse battery staple"))
api = AuthenticatedClient(base_url, token=signed_in.token)

[frame] = list_frames.sync(client=api)
step = {step.step_action: step.id for step in frame.steps}

created = create_case.sync(
    client=api,
    body=models.NewCase(
        frame.id,
        title="Burst pipe in the kitchen",
        report_token="claim-2026-0042",
        case_context=models.CaseContext(models.VisibleData(models.Beneficiary(last_name="Martinel"))),
        metadata=models.Metadata.from_dict({"policy": "P-77"}),
    ),
)
assert isinstance(created, models.CreatedCase), created
assert created.created_at.tzinfo is not None and not created.closed

client = {
    "client_app_name": "generated client",
    "client_app_version": "1",
    "front_created_at": datetime.datetime.now(datetime.timezone.utc),
}
entry = create_entry_item.sync(
    client=api,
    body=models.NewEntry(case_id=created.id, step_id=step[models.StepAction.TEXT_FIELD], data="Martinel", **client),
)
assert isinstance(entry, models.CreatedEntry), entry


def upload(call, body, path, action, **more):
    item = models.NewItem(step_id=step[action], data=pathlib.Path(path).name, **more, **client)
    with open(path, "rb") as opened:
        form = body(file=File(opened, pathlib.Path(path).name), create_item_dto=item)
        uploaded = call.sync(created.id, client=api, body=form)
    assert isinstance(uploaded, models.Uploaded), uploaded
    return uploaded


position = {"geoloc_latitude": "45.76", "geoloc_longitude": "4.83"}
assert upload(upload_media, models.UploadMediaBody, photo, models.StepAction.PHOTOGRAPHY, **position).image_url
assert upload(upload_document, models.UploadDocumentBody, document, models.StepAction.DOCUMENT_UPLOAD).document_url

closed = close_case.sync(created.id, client=api)
assert isinstance(closed, models.Closed) and closed.case_id == created.id, closed
again = close_case.sync(created.id, client=api)
assert isinstance(again, models.Error) and again.message == "case already closed", again

found = search_cases.sync(client=api, format_=models.SearchCasesFormat.METADATA, case_id=created.id, closed=True)
[found] = found
assert found.cf_ref == created.cf_ref and found.case_url == closed.pdf_url, found
assert found.metadata.to_dict() == {"policy": "P-77"}, found

[reported] = read_report.sync("claim-2026-0042", client=anonymous)
assert [item.step_action for item in reported.items] == ["TEXT_FIELD", "PHOTOGRAPHY", "DOCUMENT_UPLOAD"], reported

token = closed.pdf_url.rsplit("/", 1)[1]
for _ in range(10):
    certificate = read_shared_case.sync_detailed(token, client=anonymous)
    if certificate.status_code == 200:
        break
    time.sleep(int(certificate.headers["Retry-After"]))
assert certificate.content.startswith(b"%PDF-"), certificate
print("journey completed")
