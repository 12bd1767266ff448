//! Backtests that an operator starts in the console (console.md, "Backtests").

use std::fs;

use hyper::Method;
use serde_json::{Value, json};

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, Api, Receiver, TestServer,
        analyst::{Analyst, LAST_NAME, LOOP},
        client::send,
        company_manifest::{DOCUMENT_UPLOAD, FRAME, TEXT_FIELD, borealis},
        eventually,
        evidence::{add_document, add_entry, close, identity_card, open_case},
        on_both_databases,
        rows::Rows,
        server::said,
    },
};

on_both_databases!(
    the_report_is_that_of_the_command,
    a_form_that_is_wrong_names_the_field_and_keeps_what_was_entered,
    one_backtest_runs_at_a_time_survives_a_crash_and_can_be_stopped,
    a_backtest_that_waits_is_stopped_at_once,
);

const PAGE: &str = "/console/backtests";

/// It has a lower version, so the other one stays in service. It accuses every document.
const CANDIDATE: Analyst =
    Analyst { version: "0.9.0", evaluation: 5, detect: "", extract: "", inspect: "", assess: "" };

/// Acme with the usual analyst, an operator, and a candidate that is loaded, with its file and its digest.
struct World {
    server: TestServer,
    api: Api,
    receiver: Receiver,
    olga: Person,
    file: String,
    digest: String,
}

impl World {
    async fn with(mut server: TestServer, candidate: Analyst) -> Self {
        let folder = server.data_dir().join("plugins");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("candidate.wasm");
        fs::write(&file, candidate.component()).unwrap();
        let file = file.display().to_string();
        let (api, receiver) = Analyst::default().install_on(&mut server).await;
        must_add_user(&server, "olga", &["--role", "operator"]);
        let olga = Person::signed_in(&server, "olga").await;
        let checked = server.run(&["plugin", "check", &file, "--json"]);
        let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
        let digest = checked["digest"].as_str().unwrap().to_owned();
        Self { server, api, receiver, olga, file, digest }
    }

    /// A closed case with a document that was compared with the entered values, and its verdict.
    async fn judged(&self) -> i64 {
        let case = open_case(&self.api, &json!({ "frameId": FRAME })).await;
        add_entry(&self.api, case, TEXT_FIELD, LAST_NAME).await.expect(201);
        add_document(&self.api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
        close(&self.api, case).await.expect(200);
        self.receiver.wait_for_analyses(case, 1).await;
        case
    }

    /// The form of the usual backtest.
    fn form(&self) -> Vec<(&'static str, String)> {
        [("component", self.digest.as_str()), ("company", "7"), ("since", "30d"), ("limit", "100"), ("settings", "")]
            .map(|(name, value)| (name, value.to_owned()))
            .to_vec()
    }

    async fn send(&self, form: &[(&'static str, String)], status: u16) -> crate::support::Answer {
        let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.olga.post(PAGE, &form).await.expect(status)
    }

    /// Starts the usual backtest, and returns its address.
    async fn start(&self) -> String {
        self.send(&self.form(), 303).await.header("location").unwrap().to_owned()
    }

    /// The page of a backtest when it has this text.
    async fn page_with(&self, address: &str, text: &str) -> String {
        eventually(&format!("{address} shows {text}"), AMPLE, async || {
            let page = self.olga.get(address).await.expect(200).text();
            page.contains(text).then_some(page)
        })
        .await
    }

    async fn states(&self) -> Vec<String> {
        let rows: Vec<(String,)> = Rows::of(&self.server).await.all("select state from backtests order by id").await;
        rows.into_iter().map(|(state,)| state).collect()
    }
}

/// A report without what differs between two runs, and without the cases, which are stored apart.
fn comparable(mut report: Value) -> Value {
    report["since"] = Value::Null;
    report["levelsChanged"] = Value::Null;
    for time in ["p50", "p99"] {
        report["calls"][time] = Value::Null;
    }
    report
}

async fn the_report_is_that_of_the_command(server: TestServer) {
    let world = World::with(server, CANDIDATE).await;
    let case = world.judged().await;
    let page = world.olga.get(PAGE).await.expect(200).text();
    assert!(page.contains(&format!("value=\"{}\"", world.digest)) && page.contains("analyst 0.9.0"), "{page}");
    let address = world.start().await;
    let page = world.page_with(&address, "id=\"report\"").await;

    let output = world.server.run(&["plugin", "backtest", &world.file, "--company", "7", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let command: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(command["levelsChanged"][0]["caseId"], case, "{command}");
    let stored: Vec<(String,)> = Rows::of(&world.server).await.all("select report from backtests").await;
    let stored: Value = serde_json::from_str(&stored[0].0).unwrap();
    assert_eq!(comparable(stored), comparable(command.clone()));

    let link = format!("<a href=\"/console/cases/{case}\">CAS-{case}_CMP-7</a>");
    assert!(page.contains(&link), "{page}");
    let row = page.split_once(&link).unwrap().1.split("</tr>").next().unwrap();
    for (side, level) in [("before", "Good"), ("after", "Critical")] {
        let score = &command["levelsChanged"][0][side]["trustScore"];
        assert!(row.contains(&format!("{level}</span> {score}</span>")), "{side}: {row}");
    }
    for text in ["In place of analyst (document-type)", "FONT_CONSISTENCY", "done: 1 of 1 cases, 1 would change"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains(LAST_NAME), "{page}");
    let listed = world.olga.get(PAGE).await.expect(200).text();
    assert!(listed.contains(&format!("href=\"{address}\"")) && listed.contains("done: 1 of 1 cases"), "{listed}");
    let in_french = world.olga.api.request(Method::GET, &address).header("cookie", &world.olga.cookie);
    let in_french = send(in_french.header("accept-language", "fr")).await.expect(200).text();
    assert!(in_french.contains("Ce qui changerait") && in_french.contains(&link), "{in_french}");

    let recorded: Vec<(String, String)> = Rows::of(&world.server)
        .await
        .all("select action, subject from audit_records where action = 'startBacktest' and company_id = 7")
        .await;
    assert_eq!(recorded, [("startBacktest".to_owned(), "backtest 1".to_owned())]);
    let jobs: Vec<(i64,)> =
        Rows::of(&world.server).await.all("select count(*) from jobs where kind = 'backtest'").await;
    assert_eq!(jobs, [(0,)]);

    // Deleted is gone.
    world.api.delete(&format!("/cases/delete/{case}")).await.expect(200);
    let page = world.olga.get(&address).await.expect(200).text();
    assert!(!page.contains(&format!("CAS-{case}")) && page.contains("Not all are listed"), "{page}");
}

async fn a_form_that_is_wrong_names_the_field_and_keeps_what_was_entered(server: TestServer) {
    let world = World::with(server, CANDIDATE).await;
    world.server.must_apply(&borealis());
    world.judged().await;
    let zeros = "0".repeat(64);
    for (field, value, problem) in [
        ("component", "", "component: choose one of the list"),
        ("component", "candidate.wasm", "component: choose one of the list"),
        ("component", zeros.as_str(), "component: choose one of the list"),
        ("company", "", "company: choose one of the list"),
        ("company", "4711", "company 4711 does not exist"),
        ("company", "8", "company 8 has no judged case that was closed since"),
        ("since", "tomorrow", "since: expected a whole number and ms, s, m, h or d, for example 30d"),
        ("since", "1ms", "company 7 has no judged case that was closed since"),
        ("limit", "0", "limit: must be a number from 1 to 1000000"),
        ("limit", "1000001", "limit: must be a number from 1 to 1000000"),
        ("limit", "many", "limit: must be a number from 1 to 1000000"),
        ("settings", "[]", "settings: expected a JSON object"),
        ("settings", "{\"x\": 1}", "settings"),
        ("alongside", "on", "analyst is already in service as document-type; it cannot run alongside itself"),
    ] {
        let mut form = world.form();
        form.retain(|(name, _)| *name != field);
        form.push((field, value.to_owned()));
        let page = world.send(&form, 400).await.text();
        let alert = page.split_once("role=\"alert\"").expect("an alert").1.split("</p>").next().unwrap();
        assert!(alert.contains(problem), "{field}={value}: {alert}");
        if matches!(field, "since" | "limit") {
            assert!(page.contains(&format!("value=\"{value}\"")), "{field}={value}: {page}");
        }
    }
    assert_eq!(world.states().await, Vec::<String>::new());
    must_add_user(&world.server, "ada", &["--role", "administrator", "--company", "7"]);
    let ada = Person::signed_in(&world.server, "ada").await;
    ada.get(PAGE).await.expect(403);
    ada.post(PAGE, &[]).await.expect(403);
    world.olga.get(&format!("{PAGE}/1")).await.expect(404);
    world.olga.get(&format!("{PAGE}/first")).await.expect(404);
}

async fn one_backtest_runs_at_a_time_survives_a_crash_and_can_be_stopped(server: TestServer) {
    // One second for each document.
    let mut world = World::with(server, Analyst { inspect: LOOP, ..CANDIDATE }).await;
    for _ in 0..8 {
        world.judged().await;
    }
    let first = world.start().await;
    let page = world.send(&world.form(), 400).await.text();
    assert!(page.contains("another backtest has not ended: wait for it, or stop it"), "{page}");
    world.page_with(&first, " of 8 cases").await;
    world.server.restart().await;
    let page = world.page_with(&first, "id=\"report\"").await;
    assert!(page.contains("done: 8 of 8 cases") && !page.contains("It ended early"), "{page}");

    let second = world.start().await;
    world.page_with(&second, " of 8 cases").await;
    world.olga.post(&format!("{second}/stop"), &[]).await.expect(303);
    let page = world.page_with(&second, "stopped: ").await;
    assert!(!page.contains("stopped: 8 of 8") && page.contains("It ended early"), "{page}");
    assert_eq!(world.states().await, ["done", "stopped"]);
    // One that has ended does not change.
    world.olga.post(&format!("{first}/stop"), &[]).await.expect(303);
    assert_eq!(world.states().await, ["done", "stopped"]);
    let recorded: Vec<(String,)> =
        Rows::of(&world.server).await.all("select subject from audit_records where action = 'stopBacktest'").await;
    let number = second.rsplit('/').next().unwrap();
    assert_eq!(recorded, [(format!("backtest {number}"),)]);
}

async fn a_backtest_that_waits_is_stopped_at_once(server: TestServer) {
    let mut world = World::with(server, CANDIDATE).await;
    world.judged().await;
    // No workers run.
    world.server.restart_as("api").await;
    let address = world.start().await;
    let page = world.olga.get(&address).await.expect(200).text();
    assert!(page.contains("waits for its turn"), "{page}");
    world.olga.post(&format!("{address}/stop"), &[]).await.expect(303);
    let page = world.olga.get(&address).await.expect(200).text();
    assert!(page.contains("stopped: 0 of 0 cases") && !page.contains("id=\"report\""), "{page}");
    let jobs: Vec<(i64,)> =
        Rows::of(&world.server).await.all("select count(*) from jobs where kind = 'backtest'").await;
    assert_eq!(jobs, [(0,)]);
    assert_eq!(world.states().await, ["stopped"]);
    world.start().await;
}
