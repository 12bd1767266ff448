//! Reading frames (spec 2.1 and 4.2, decisions 4).

use serde_json::{Value, json};

use crate::support::{
    Answer, EFFECT, TestServer,
    company_manifest::{
        self, BOREALIS_API, BOREALIS_FRAME, COSMOS_API, COSMOS_FRANCE_API, COSMOS_FRANCE_FRAME, COSMOS_OWN_FRAME,
        COSMOS_SHARED_FRAME, FRAME, SHORT_FRAME, acme, acme_on, note_step,
    },
    eventually, on_both_databases,
};

on_both_databases!(
    a_frame_is_shown_with_its_steps_in_order,
    frames_are_those_of_the_callers_company,
    a_child_sees_its_own_frames_then_those_its_parent_shares,
    a_frame_removed_from_the_manifest_is_no_longer_listed,
);

async fn a_frame_is_shown_with_its_steps_in_order(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let answer = api.get("/frames").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let frames = answer.json();
    assert_eq!(ids(&frames), [FRAME, SHORT_FRAME]);
    let actions: Vec<&str> =
        frames[0]["steps"].as_array().unwrap().iter().map(|step| step["stepAction"].as_str().unwrap()).collect();
    let ten = "PHOTOGRAPHY VIDEO SIGNATURE DOCUMENT_UPLOAD TEXT_FIELD NUMBER_FIELD DATE_FIELD TIME EMAIL SELECT";
    assert_eq!(actions.join(" "), ten);
    assert_eq!(ids(&frames[0]["steps"]), (701..=710).collect::<Vec<_>>());
    assert_eq!(
        frames[0]["steps"][0],
        json!({
            "id": 701,
            "title": "Front of the house",
            "description": "Stand back far enough to show the street number.",
            "stepAction": "PHOTOGRAPHY",
            "isMandatory": true,
        })
    );
    assert_eq!(
        frames[1],
        json!({
            "id": SHORT_FRAME,
            "name": "Quick note",
            "steps": [{
                "id": note_step(SHORT_FRAME),
                "title": "Note",
                "description": "",
                "stepAction": "TEXT_FIELD",
                "isMandatory": false,
            }],
        })
    );
}

async fn frames_are_those_of_the_callers_company(server: TestServer) {
    let (acme_api, _receiver) = acme_on(&server).await;
    server.must_apply(&company_manifest::borealis());
    let borealis_api = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    assert_eq!(ids(&borealis_api.get("/frames").await.expect(200).json()), [BOREALIS_FRAME]);
    assert_eq!(ids(&acme_api.get("/frames").await.expect(200).json()), [FRAME, SHORT_FRAME]);
}

async fn a_child_sees_its_own_frames_then_those_its_parent_shares(server: TestServer) {
    server.must_apply(&company_manifest::cosmos());
    server.must_apply(&company_manifest::cosmos_france());
    let child = server.sign_in(COSMOS_FRANCE_API.username, COSMOS_FRANCE_API.password).await;
    assert_eq!(ids(&child.get("/frames").await.expect(200).json()), [COSMOS_FRANCE_FRAME, COSMOS_SHARED_FRAME]);
    let parent = server.sign_in(COSMOS_API.username, COSMOS_API.password).await;
    assert_eq!(ids(&parent.get("/frames").await.expect(200).json()), [COSMOS_SHARED_FRAME, COSMOS_OWN_FRAME]);
}

async fn a_frame_removed_from_the_manifest_is_no_longer_listed(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&company_manifest::without_frame(&acme(&receiver), SHORT_FRAME));
    let frames: Answer = eventually("the frame is gone", EFFECT, async || {
        let answer = api.get("/frames").await;
        (ids(&answer.json()).len() == 1).then_some(answer)
    })
    .await;
    assert_eq!(ids(&frames.expect(200).json()), [FRAME]);
    api.post("/cases/create", &json!({ "frameId": SHORT_FRAME })).await.expect(404).error_message();
}

fn ids(list: &Value) -> Vec<i64> {
    list.as_array().expect("an array").iter().map(|element| element["id"].as_i64().expect("a number")).collect()
}
