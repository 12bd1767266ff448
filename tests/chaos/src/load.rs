//! A realistic load: clients of several companies open, fill, close, read and delete cases, each request on a random
//! node.

use std::{sync::Arc, time::Duration};

use reqwest::{
    Method,
    multipart::{Form, Part},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    client::{Answer, Call, Shared, path_of},
    companies::Company,
    files::{self, File},
    history::{Action, Content, Detail},
    random::Random,
};

pub(crate) struct Client {
    shared: Arc<Shared>,
    company: Company,
    token: String,
    random: Random,
    /// Unique among all clients, so that their marks and files differ.
    number: usize,
    made: usize,
}

/// A case that the client works on.
struct OpenCase {
    id: i64,
    link: Option<String>,
    report: String,
}

impl Client {
    pub(crate) fn new(shared: Arc<Shared>, company: Company, token: String, random: Random, number: usize) -> Self {
        Self { shared, company, token, random, number, made: 0 }
    }

    /// Works until the run stops.
    pub(crate) async fn work(mut self) {
        while !self.shared.is_stopping() {
            let opened = if self.random.chance(15) { self.open_several().await } else { self.open_one().await };
            for case in opened {
                self.fill(&case).await;
                self.look_around(&case).await;
                self.end(&case).await;
            }
            self.think().await;
        }
    }

    async fn think(&mut self) {
        let (least, most) = if self.company.is_limited() { (50, 400) } else { (100, 1200) };
        let pause = self.random.between(Duration::from_millis(least), Duration::from_millis(most));
        tokio::time::sleep(pause).await;
    }

    fn mark(&mut self) -> String {
        self.made += 1;
        format!("{}-{}-{}", self.company.name, self.number, self.made)
    }

    /// Ten cases share a report.
    fn report(&self) -> String {
        format!("report-{}-{}-{}", self.company.name, self.number, self.made / 10)
    }

    async fn open_one(&mut self) -> Vec<OpenCase> {
        let (report, mark) = (self.report(), self.mark());
        let mut body = json!({ "frameId": self.company.frame(), "metadata": { "mark": mark } });
        if self.random.chance(20) {
            body["linkOptions"] = json!({ "reportToken": report });
        } else {
            body["reportToken"] = json!(report);
        }
        let action = Action::Create(vec![mark]);
        let answer = self.post("POST /cases/create", "/cases/create", action, &body, |answer| {
            answer.json()["id"].as_i64().map_or(Detail::Nothing, |id| Detail::Cases(vec![(0, id)]))
        });
        let Some(answer) = answer.await else { return Vec::new() };
        let body = answer.json();
        let link = body["magicLinkUrl"].as_str().and_then(|url| url.rsplit('/').next()).map(str::to_owned);
        body["id"].as_i64().map(|id| OpenCase { id, link, report }).into_iter().collect()
    }

    async fn open_several(&mut self) -> Vec<OpenCase> {
        let report = self.report();
        let marks: Vec<String> = (0..self.random.between_counts(2, 5)).map(|_| self.mark()).collect();
        let frame = self.company.frame();
        let body: Vec<Value> = marks
            .iter()
            .map(|mark| json!({ "frameId": frame, "reportToken": report, "metadata": { "mark": mark } }))
            .collect();
        let (action, body) = (Action::Create(marks), json!(body));
        let read = |answer: &Answer| Detail::Cases(bulk_success(answer));
        let answer = self.post("POST /cases/bulk-create", "/cases/bulk-create", action, &body, read).await;
        let Some(answer) = answer else { return Vec::new() };
        let created = bulk_success(&answer).into_iter();
        created.map(|(_, id)| OpenCase { id, link: None, report: report.clone() }).collect()
    }

    async fn fill(&mut self, case: &OpenCase) {
        for _ in 0..self.random.below(4) {
            match self.random.below(10) {
                0..5 => self.add_text(case).await,
                5..7 => self.add_file(case, 2, files::signature()).await,
                7..9 => self.add_file(case, 1, files::photo()).await,
                _ if self.random.chance(70) => self.add_file(case, 3, files::document()).await,
                _ => self.add_file(case, 4, files::video()).await,
            }
        }
    }

    async fn add_text(&mut self, case: &OpenCase) {
        let text = format!("entered by {} {}", self.number, self.random.next());
        let mut body = self.describe(0, &text);
        body["caseId"] = json!(case.id);
        let action = Action::Add { case: case.id, content: Content::Text(text) };
        self.post("POST /v2/items/create", "/v2/items/create", action, &body, item_of).await;
    }

    async fn add_file(&mut self, case: &OpenCase, step: i64, file: &File) {
        let mut bytes = file.bytes.clone();
        // After its end, so that each file is different.
        bytes.extend(self.random.next().to_le_bytes());
        let action = Action::Add { case: case.id, content: Content::File(hex::encode(Sha256::digest(&bytes))) };
        let (operation, path) = if step == 3 {
            ("POST /v2/items/:caseId/document", format!("/v2/items/{}/document", case.id))
        } else {
            ("POST /v2/items/:caseId", format!("/v2/items/{}", case.id))
        };
        let description = self.describe(step, file.name).to_string();
        let Ok(part) = Part::bytes(bytes).file_name(file.name).mime_str(file.media_type) else { return };
        let form = Form::new().text("createItemDto", description).part("file", part);
        let node = self.any_node();
        let call = self.call(operation, Method::POST, &path, action);
        self.shared.send(node, call, |request| request.multipart(form), item_of).await;
    }

    /// A complete version-2 description of an item.
    fn describe(&self, step: i64, data: &str) -> Value {
        json!({
            "companyId": self.company.id, "stepId": self.company.step(step), "data": data,
            "clientAppName": "Field Companion", "clientAppVersion": "4.2.0",
            "frontCreatedAt": "2026-11-20T10:42:17.000+01:00",
            "geolocLatitude": "45.764043", "geolocLongitude": "4.835659", "geolocAccuracy": "5",
        })
    }

    async fn look_around(&mut self, case: &OpenCase) {
        match self.random.below(8) {
            0 => self.read("GET /cases", "/cases?format=metadata&hours=1&limit=5").await,
            1 => self.read("GET /frames", "/frames").await,
            2 => self.read("GET /reports/:reportToken", &format!("/reports/{}", case.report)).await,
            3 => {
                let path = "/log/checkpoint";
                let node = self.any_node();
                let call = self.call("GET /log/checkpoint", Method::GET, path, Action::ReadLog);
                self.shared.send(node, call, |request| request, |answer| head_of(&answer.body)).await;
            }
            _ => {}
        }
    }

    async fn read(&mut self, operation: &'static str, path: &str) {
        let node = self.any_node();
        let call = self.call(operation, Method::GET, path, Action::Read);
        self.shared.send(node, call, |request| request, |_| Detail::Nothing).await;
    }

    async fn end(&mut self, case: &OpenCase) {
        match self.random.below(10) {
            0 => {}
            1 => self.delete(case).await,
            _ => self.close(case).await,
        }
    }

    /// Closes the case, and retries without an answer, as an integrator does who must know.
    async fn close(&mut self, case: &OpenCase) {
        let (operation, path) = match &case.link {
            Some(link) => ("GET /cases/close/link/:magicLinkToken", format!("/cases/close/link/{link}")),
            None => ("GET /cases/close/:caseId", format!("/cases/close/{}", case.id)),
        };
        for _ in 0..3 {
            let node = self.any_node();
            let call = self.call(operation, Method::GET, &path, Action::Close(case.id));
            let answer = self.shared.send(node, call, |request| request, |_| Detail::Nothing).await;
            match answer {
                Some(answer) if answer.status == 200 => {
                    let url = answer.json()["pdfUrl"].as_str().map(str::to_owned);
                    self.look_at_certificate(case, url).await;
                    return;
                }
                Some(answer) if answer.status == 429 => return,
                Some(answer) if answer.status < 500 => return,
                _ => self.think().await,
            }
        }
    }

    async fn look_at_certificate(&mut self, case: &OpenCase, url: Option<String>) {
        let Some(url) = url else { return };
        if self.random.chance(40) {
            let operation = "GET /share/case/:shareToken";
            let node = self.any_node();
            let call = self.call(operation, Method::GET, path_of(&url), Action::ReadCertificate(case.id));
            let call = Call { token: None, ..call };
            let read = |answer: &Answer| Detail::Certificate(hex::encode(Sha256::digest(&answer.body)));
            self.shared.send(node, call, |request| request, read).await;
        }
        if self.random.chance(4) {
            self.delete(case).await;
        }
    }

    async fn delete(&mut self, case: &OpenCase) {
        let action = Action::Delete(vec![case.id]);
        if self.random.chance(30) {
            let body = json!({ "caseIds": [case.id] });
            let read = |answer: &Answer| Detail::Deleted(bulk_success(answer).into_iter().map(|(_, id)| id).collect());
            self.post("POST /cases/bulk-delete", "/cases/bulk-delete", action, &body, read).await;
            return;
        }
        let path = format!("/cases/delete/{}", case.id);
        let node = self.any_node();
        let call = self.call("DELETE /cases/delete/:caseId", Method::DELETE, &path, action);
        self.shared.send(node, call, |request| request, |_| Detail::Nothing).await;
    }

    async fn post(
        &mut self,
        operation: &'static str,
        path: &str,
        action: Action,
        body: &Value,
        read: impl FnOnce(&Answer) -> Detail,
    ) -> Option<Answer> {
        let node = self.any_node();
        let call = self.call(operation, Method::POST, path, action);
        self.shared.send(node, call, |request| request.json(body), read).await
    }

    fn call<'a>(&'a self, operation: &'static str, method: Method, path: &'a str, action: Action) -> Call<'a> {
        Call { company: self.company.id, operation, method, path, token: Some(&self.token), action }
    }

    fn any_node(&mut self) -> usize {
        self.random.pick(&self.shared.apis).0
    }
}

impl Random {
    fn between_counts(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }
}

fn item_of(answer: &Answer) -> Detail {
    answer.json()["itemId"].as_i64().map_or(Detail::Nothing, Detail::Item)
}

/// `success[]` of a bulk request: positions and identifiers.
fn bulk_success(answer: &Answer) -> Vec<(usize, i64)> {
    let body = answer.json();
    let success = body["success"].as_array().into_iter().flatten();
    success
        .filter_map(|element| {
            let place = usize::try_from(element["index"].as_u64()?).ok()?;
            Some((place, element["caseId"].as_i64()?))
        })
        .collect()
}

/// The size and the root of a checkpoint (C2SP `tlog-checkpoint`).
pub(crate) fn head_of(checkpoint: &[u8]) -> Detail {
    let text = String::from_utf8_lossy(checkpoint);
    let mut lines = text.lines().skip(1);
    let size = lines.next().and_then(|line| line.parse().ok());
    match (size, lines.next()) {
        (Some(size), Some(root)) => Detail::Head { size, root: root.to_owned() },
        _ => Detail::Nothing,
    }
}
