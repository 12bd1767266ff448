//! One case from its token to its certificate, through the HTTP API alone. Steps are found in the frame by their
//! action, so the demo company's manifest can change without this file.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

use super::{
    api::{Api, file_name},
    company::Company,
    poll::{Interrupted, poll},
    receiver::{Delivery, Receiver},
};

/// `apply` on a live server takes effect within 5 s.
const APPLY_LIMIT: Duration = Duration::from_secs(10);
/// From closing the case to the webhook: a development build renders the certificate in between.
const WEBHOOK_LIMIT: Duration = Duration::from_mins(2);

/// The files and facts of the case.
pub(super) struct Evidence {
    specimens: PathBuf,
    /// The user's own photo and document, for every step that needs one.
    photo: Option<PathBuf>,
    document: Option<PathBuf>,
    /// The lab's list of what the specimens show.
    facts: Value,
}

impl Evidence {
    /// The specimens in `folder`; the user's own photo and document replace them if given.
    pub(super) fn load(folder: &Path, photo: Option<PathBuf>, document: Option<PathBuf>) -> anyhow::Result<Self> {
        let list = fs::read(folder.join("specimens.json")).context("the lab wrote no list of specimens")?;
        let facts: Value = serde_json::from_slice(&list)?;
        Ok(Self { specimens: folder.into(), photo, document, facts })
    }

    /// The file for a step that needs one, or `None` for a step that needs a value.
    fn file(&self, step: &Step, document_type: Option<&str>) -> anyhow::Result<Option<PathBuf>> {
        let (own, kind) = match step.action.as_str() {
            "PHOTOGRAPHY" => (self.photo.as_ref(), "photo"),
            "SIGNATURE" => (None, "signature"),
            "VIDEO" => (None, "video"),
            "DOCUMENT_UPLOAD" => (self.document.as_ref(), specimen_of(document_type)),
            _ => return Ok(None),
        };
        let specimen = self.facts["files"][kind].as_str().with_context(|| format!("the lab made no {kind}"))?;
        Ok(Some(own.cloned().unwrap_or_else(|| self.specimens.join(specimen))))
    }

    fn person(&self, fact: &str) -> &str {
        self.facts["person"][fact].as_str().unwrap_or_default()
    }
}

/// The lab's specimen for a document type (decisions 13).
fn specimen_of(document_type: Option<&str>) -> &'static str {
    match document_type {
        Some("INVOICE") => "repairInvoice",
        Some("PROOF_OF_ADDRESS") => "energyBill",
        _ => "identityCard",
    }
}

/// The result of the journey.
pub(super) struct Certificate {
    pub(super) case_id: i64,
    pub(super) frame_id: i64,
    pub(super) url: String,
    /// Where the PDF was stored.
    pub(super) file: PathBuf,
}

pub(super) struct Journey<'a> {
    pub(super) api: Api,
    pub(super) company: &'a Company,
    pub(super) evidence: &'a Evidence,
    pub(super) receiver: &'a Receiver,
    pub(super) interrupted: &'a Interrupted,
    /// The folder for the certificate.
    pub(super) out: &'a Path,
}

/// A step of the frame, as returned by `GET /frames`.
struct Step {
    id: i64,
    title: String,
    action: String,
}

impl Journey<'_> {
    pub(super) fn travel(mut self) -> anyhow::Result<Certificate> {
        let token = self.token()?;
        self.api = self.api.with_token(token);
        let frame = self.frame()?;
        let frame_id = number(&frame, "id")?;
        let case = self.create_case(frame_id)?;
        let case_id = number(&case, "id")?;
        for step in steps(&frame)? {
            self.fill(case_id, &step).with_context(|| format!("step {} '{}'", step.id, step.title))?;
        }
        let closing = self.api.get(&format!("/cases/close/{case_id}"))?;
        show("closed", &text(&closing, "message")?);
        let delivery = self.webhook(&text(&case, "cfRef")?)?;
        let (url, file) = self.fetch_certificate(&delivery)?;
        Ok(Certificate { case_id, frame_id, url, file })
    }

    /// Asks for a token until the server has noticed the new company.
    fn token(&self) -> anyhow::Result<String> {
        let credentials = json!({ "username": self.company.username, "password": self.company.password });
        let mut refusal = None;
        let answer = poll(APPLY_LIMIT, self.interrupted, || {
            Ok(self.api.post("/auth/token", &credentials).map_err(|error| refusal = Some(error)).ok())
        })?;
        let Some(answer) = answer else { return Err(refusal.context("no answer to POST /auth/token")?) };
        show("token", &format!("for user {}", self.company.username));
        text(&answer, "token")
    }

    /// The frame that asks for the most.
    fn frame(&self) -> anyhow::Result<Value> {
        let frames = self.api.get("/frames")?;
        let frames = frames.as_array().context("GET /frames did not return an array")?;
        let frame = frames.iter().max_by_key(|frame| frame["steps"].as_array().map_or(0, Vec::len));
        let frame = frame.context("the demo company has no frame")?;
        let actions: Vec<_> = steps(frame)?.into_iter().map(|step| step.action).collect();
        show("frame", &format!("{} ({})", text(frame, "name")?, actions.join(", ")));
        Ok(frame.clone())
    }

    fn create_case(&self, frame_id: i64) -> anyhow::Result<Value> {
        let person = |fact: &str| self.evidence.person(fact);
        let case = json!({
            "frameId": frame_id,
            "title": format!("Burst downpipe at no. {}", self.evidence.facts["houseNumber"]),
            "reportToken": "DEMO-2026-0042",
            "metadata": { "claim": "C-2026-0042", "channel": "demo" },
            "caseContext": { "visibleData": {
                "beneficiary": {
                    "lastName": person("lastName"),
                    "firstName": person("firstName"),
                    "address": person("address"),
                    "postCode": person("postCode"),
                    "city": person("city"),
                },
                "issuer": "Claims desk, region South",
                "reportRef": "C-2026-0042",
                "instructions": "Photograph the front, then the identity document.",
                "user": "Field adjuster 12",
            } },
        });
        let created = self.api.post("/cases/create", &case)?;
        show("case", &text(&created, "cfRef")?);
        Ok(created)
    }

    /// Submits what a step asks for.
    fn fill(&self, case_id: i64, step: &Step) -> anyhow::Result<()> {
        let file = self.evidence.file(step, self.company.document_type(step.id))?;
        let answer = if let Some(file) = file {
            let document = if step.action == "DOCUMENT_UPLOAD" { "/document" } else { "" };
            let item = self.item(step, &file_name(&file));
            self.api.post_file(&format!("/v2/items/{case_id}{document}"), &file, &item)?
        } else {
            let mut item = self.item(step, &self.entry(step)?);
            item["caseId"] = json!(case_id);
            self.api.post("/v2/items/create", &item)?
        };
        show("item", &format!("{} {} for '{}'", number(&answer, "itemId")?, step.action, step.title));
        Ok(())
    }

    /// The value that a person would enter.
    fn entry(&self, step: &Step) -> anyhow::Result<String> {
        let person = |fact: &str| self.evidence.person(fact).to_owned();
        let title = step.title.to_lowercase();
        Ok(match step.action.as_str() {
            "TEXT_FIELD" if title.contains("first name") => person("firstName"),
            "TEXT_FIELD" if title.contains("name") => person("lastName"),
            "TEXT_FIELD" if title.contains("address") => person("address"),
            "TEXT_FIELD" => "The downpipe broke at the first floor; the wall below is soaked.".into(),
            // The invoice that follows is compared with it.
            "NUMBER_FIELD" => self.evidence.facts["invoice"]["totalAmount"].as_str().unwrap_or("3").into(),
            "DATE_FIELD" => "2026-11-18".into(),
            "TIME" => "06:45".into(),
            "EMAIL" => format!("{}@example.org", person("firstName").to_lowercase()),
            "SELECT" => self.company.first_option(step.id).context("the step has no options")?.into(),
            other => bail!("the demo does not know what to enter for {other}"),
        })
    }

    /// The fields of an item that version 2 requires in addition to its value (spec 2.3, 4.13).
    #[expect(clippy::disallowed_methods, reason = "a client reports its own clock's time; no test depends on it")]
    fn item(&self, step: &Step, data: &str) -> Value {
        let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3f+00:00").to_string();
        let degrees = |axis: &str| self.evidence.facts["position"][axis].to_string();
        json!({
            "companyId": self.company.id,
            "stepId": step.id,
            "data": data,
            "clientAppName": "Sealwright demo",
            "clientAppVersion": env!("CARGO_PKG_VERSION"),
            "frontCreatedAt": now,
            "userDeviceManufacturer": "Acme",
            "userDeviceModel": "Fieldphone 5",
            "userDeviceName": "Adjuster's phone",
            "userDevicePlatform": "mobile",
            "userDeviceOs": "Android",
            "userDeviceOsVersion": "16",
            "geolocLatitude": degrees("latitude"),
            "geolocLongitude": degrees("longitude"),
            "geolocAccuracy": "6.5",
        })
    }

    /// Waits for this case's webhook and checks who sent it. A reused data folder may send those of older cases too.
    fn webhook(&self, reference: &str) -> anyhow::Result<Value> {
        let arrived = poll(WEBHOOK_LIMIT, self.interrupted, || {
            let Some(delivery) = self.receiver.next(Duration::from_millis(1)) else { return Ok(None) };
            let payload = self.checked(&delivery)?;
            Ok((payload["cfRef"] == reference).then_some((delivery, payload)))
        })?;
        let (delivery, payload) =
            arrived.with_context(|| format!("no webhook within {} s", WEBHOOK_LIMIT.as_secs()))?;
        let items = payload["items"].as_array().map_or(0, Vec::len);
        show("webhook", &format!("{} bytes, {items} items, HMAC valid on the raw body", delivery.body.len()));
        Ok(payload)
    }

    fn checked(&self, delivery: &Delivery) -> anyhow::Result<Value> {
        delivery
            .check_signature(&self.company.webhook_key)
            .context("a webhook arrived that is not signed as agreed")?;
        serde_json::from_slice(&delivery.body).context("a webhook's body is not JSON")
    }

    fn fetch_certificate(&self, payload: &Value) -> anyhow::Result<(String, PathBuf)> {
        let url = text(payload, "caseUrl").context("the webhook brought no certificate")?;
        let (kind, pdf) = self.api.download(&url)?;
        ensure!(kind == "application/pdf" && pdf.starts_with(b"%PDF-"), "{url} is not a PDF but {kind}");
        let file = self.out.join(format!("{}.pdf", text(payload, "cfRef")?));
        fs::write(&file, &pdf).with_context(|| format!("cannot write {}", file.display()))?;
        show("certificate", &format!("{} bytes", pdf.len()));
        Ok((url, file))
    }
}

/// The steps in the order in which the demo fills them: entries first, documents last, because entries are compared
/// with the document when it arrives.
fn steps(frame: &Value) -> anyhow::Result<Vec<Step>> {
    let steps = frame["steps"].as_array().context("a frame has no steps")?;
    let mut steps = steps
        .iter()
        .map(|step| {
            Ok(Step { id: number(step, "id")?, title: text(step, "title")?, action: text(step, "stepAction")? })
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    steps.sort_by_key(|step| match step.action.as_str() {
        "DOCUMENT_UPLOAD" => 2,
        "PHOTOGRAPHY" | "VIDEO" | "SIGNATURE" => 1,
        _ => 0,
    });
    Ok(steps)
}

fn show(what: &str, detail: &str) {
    println!("  {what:<12} {detail}");
}

fn number(object: &Value, key: &str) -> anyhow::Result<i64> {
    object[key].as_i64().with_context(|| format!("no number {key} in {object}"))
}

fn text(object: &Value, key: &str) -> anyhow::Result<String> {
    object[key].as_str().map(str::to_owned).with_context(|| format!("no text {key} in {object}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_before_files_and_documents_last() {
        let step = |id: i64, action: &str| json!({ "id": id, "title": "t", "stepAction": action });
        let frame = json!({ "steps": [
            step(1, "DOCUMENT_UPLOAD"), step(2, "PHOTOGRAPHY"), step(3, "TEXT_FIELD"), step(4, "SIGNATURE"), step(5, "DATE_FIELD"),
        ] });
        let order: Vec<_> = steps(&frame).unwrap().iter().map(|step| step.id).collect();
        assert_eq!(order, [3, 5, 2, 4, 1]);
    }

    #[test]
    fn an_error_about_a_missing_field_contains_the_whole_answer() {
        let error = number(&json!({ "id": "7" }), "id").unwrap_err().to_string();
        assert_eq!(error, r#"no number id in {"id":"7"}"#);
    }
}
