//! The processes that the server starts to read untrusted files: when one of them ends, nothing else ends, and none can
//! reach the server's own files (operator's page, "Processes").

use std::fs;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{
    AMPLE, Api, TestServer,
    company_manifest::{BOREALIS_API, BOREALIS_FRAME, SHORT_FRAME, acme_on, acme_with_webhook, borealis, note_step},
    eventually,
    evidence::{close, create_item, open_case},
    on_both_databases, on_sqlite,
    server::said,
    skip_loudly,
};

on_both_databases!(an_endless_template_does_not_delay_other_companies, a_killed_renderer_loses_no_certificate);

on_sqlite!(a_renderer_dies_with_the_server, doctor_checks_whether_a_child_can_reach_the_server_s_files);

/// A template that computes longer than any test waits.
const WITHOUT_END: &str = "#for i in range(100000) { for j in range(100000) { } }";
/// A template that shows what it must.
const GOOD: &str = r#"#import "/sealwright.typ": *
#set text(font: fonts("Noto Sans"))
#data.reference
#for row in items [- #row.item.reference #if row.item.sha256 != none { lines-of(row.item.sha256) }]
#data.seal.statement
#for step in missing-steps [- #step.title]"#;

/// Closes a case of this frame and returns the address of its certificate.
async fn closed(api: &Api, frame: i64) -> String {
    let case = open_case(api, &json!({ "frameId": frame })).await;
    let mut entry = create_item(note_step(frame), "note");
    entry["caseId"] = json!(case);
    // It names one company, and both close cases here.
    entry.as_object_mut().unwrap().remove("companyId");
    api.post("/v2/items/create", &entry).await.expect(201);
    close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned()
}

async fn certificate(api: &Api, address: &str) {
    let certificate = api.with_token(None).get(address).await.expect(200);
    assert!(certificate.body.starts_with(b"%PDF-"));
}

/// The rendering processes of this server.
fn renderers(server: &TestServer) -> Vec<Pid> {
    let parent = server.pid().to_string();
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let renders = |process: &String| {
        let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let (stat, command) = (read("stat"), read("cmdline"));
        let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
        // A zombie no longer has a command.
        fields.split(' ').nth(1) == Some(parent.as_str()) && command.contains("\0render\0")
    };
    processes.filter(renders).filter_map(|process| Pid::from_raw(process.parse().ok()?)).collect()
}

async fn an_endless_template_does_not_delay_other_companies(mut server: TestServer) {
    let main = server.folder().join("templates/acme/main.typ");
    fs::create_dir_all(main.parent().unwrap()).unwrap();
    fs::write(&main, GOOD).unwrap();
    server.set("SEALWRIGHT_TEMPLATE_DIR", &server.folder().join("templates").display().to_string());
    server.restart().await;
    let (acme, _receiver) = acme_on(&server).await;
    server.must_apply(&acme_with_webhook("").replacen("name = ", "certificate_template = \"acme\"\nname = ", 1));
    server.must_apply(&borealis());
    let borealis = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    certificate(&borealis, &closed(&borealis, BOREALIS_FRAME).await).await;
    certificate(&acme, &closed(&acme, SHORT_FRAME).await).await;

    fs::write(&main, format!("{WITHOUT_END}\n{GOOD}")).unwrap();
    let known = renderers(&server);
    // Each takes 20 s and is then stopped.
    for _ in 0..3 {
        closed(&acme, SHORT_FRAME).await;
    }
    let endless = eventually("the endless rendering has started", AMPLE, async || {
        renderers(&server).into_iter().find(|process| !known.contains(process))
    })
    .await;
    certificate(&borealis, &closed(&borealis, BOREALIS_FRAME).await).await;
    assert!(renderers(&server).contains(&endless), "the endless rendering is still running");
    // The two are compared, because a busy machine is slow with both.
    let stopped = server.log().matches("a certificate was not made with its company's template as it is").count();
    assert!(stopped < 3, "the other company's certificate waited for all of them");
}

async fn a_killed_renderer_loses_no_certificate(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    certificate(&api, &closed(&api, SHORT_FRAME).await).await;
    let idle = renderers(&server);
    assert_eq!(idle.len(), 1, "one stays warm");
    kill_process(idle[0], Signal::KILL).unwrap();
    certificate(&api, &closed(&api, SHORT_FRAME).await).await;

    // And again, while a certificate is being made.
    let idle = renderers(&server);
    kill_process(idle[0], Signal::KILL).unwrap();
    let address = closed(&api, SHORT_FRAME).await;
    let busy = eventually("another renders", AMPLE, async || {
        renderers(&server).into_iter().find(|process| !idle.contains(process))
    })
    .await;
    // It may just have answered and be waiting for the next one.
    kill_process(busy, Signal::KILL).unwrap();
    certificate(&api, &address).await;
    certificate(&api, &closed(&api, SHORT_FRAME).await).await;
    assert!(!server.log().contains("given up"), "{}", server.log());
}

async fn a_renderer_dies_with_the_server(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    certificate(&api, &closed(&api, SHORT_FRAME).await).await;
    let renderer = renderers(&server)[0];
    server.kill();
    let stat = format!("/proc/{}/stat", renderer.as_raw_nonzero());
    eventually("the renderer has ended", AMPLE, async || {
        let stat = fs::read_to_string(&stat).unwrap_or_default();
        (stat.is_empty() || stat.contains(") Z ")).then_some(())
    })
    .await;
}

async fn doctor_checks_whether_a_child_can_reach_the_server_s_files(server: TestServer) {
    let output = server.run(&["doctor", "--json"]);
    let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    let checks = diagnosis["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["part"] == "confinement").expect("doctor checks it");
    if check["state"] != "good" {
        assert_eq!(check["state"], "doubtful", "{check}");
        assert!(check["remedy"].as_str().unwrap().contains("Landlock"), "{check}");
        skip_loudly(&format!("this kernel does not confine: {check}"));
        return;
    }
    assert!(check["finding"].as_str().unwrap().contains("no network"), "{check}");
}
