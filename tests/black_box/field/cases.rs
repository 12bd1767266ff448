//! A field user's own cases: which are visible, who may fill them, and one photo that is a case of its own (spec 3.2,
//! decisions 16).

use serde_json::json;

use super::{NORA, case_of, entry, flora_on, person, sign_in, uuid, with_nora};
use crate::{
    support::{
        AMPLE, Api, EFFECT, TestServer,
        client::send,
        company_manifest::{
            ACME_FIELD, BOREALIS_FRAME, FRAME, PHOTOGRAPHY, SHORT_FRAME, TEXT_FIELD, acme, acme_on, borealis,
        },
        eventually,
        evidence::{open_case, photo},
        on_both_databases,
        server::said,
    },
    uploads_by_pieces::requests::{announce, delete, describe, hash, head, location, patch, view},
};

on_both_databases!(
    spec_3_2_a_case_is_hidden_until_its_month,
    a_field_user_fills_and_closes_their_own_cases_and_no_others,
    one_photo_is_a_case_of_its_own_however_often_it_is_sent,
    a_quick_frame_asks_for_one_photo_and_nothing_else,
);

/// The frame of [`QUICK`], and its photo.
const QUICK_FRAME: i64 = 75;
const QUICK_PHOTO: i64 = 751;
pub(crate) const QUICK: &str = r#"
[[frame]]
id = 75
name = "Certified photo"
quick = true

[[frame.step]]
id = 751
title = "The photo"
action = "PHOTOGRAPHY"
mandatory = true

[[frame.step]]
id = 752
title = "Remark"
action = "TEXT_FIELD"
"#;

async fn spec_3_2_a_case_is_hidden_until_its_month(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let flora = flora_on(&server).await;
    let now = case_of(&api, ACME_FIELD, SHORT_FRAME, None).await;
    let later = case_of(&api, ACME_FIELD, SHORT_FRAME, Some("2999-01-01")).await;
    let listed = async || -> Vec<i64> {
        let list = flora.get("/v2/field/cases").await.expect(200).json();
        list["cases"].as_array().unwrap().iter().map(|case| case["caseId"].as_i64().unwrap()).collect()
    };
    assert_eq!(listed().await, [now]);
    for answer in [
        flora.get(&format!("/v2/capture/cases/{later}")).await,
        flora.post(&format!("/v2/capture/cases/{later}/entries"), &entry(711, "x")).await,
        flora.post(&format!("/v2/capture/cases/{later}/close"), &json!({})).await,
    ] {
        assert_eq!(answer.expect(403).error_message(), "the case is scheduled for a later month");
    }
    // The company brings it forward: it is visible at once.
    api.patch("/cases/update", &json!({ "caseId": later, "scheduledAt": null })).await.expect(200);
    assert_eq!(listed().await, [now, later]);
    flora.get(&format!("/v2/capture/cases/{later}")).await.expect(200);
    // A date in this month is not hidden, however late in the month it is.
    let today = flora.get("/v2/field/cases").await.json()["serverTime"].as_str().unwrap().to_owned();
    let soon = case_of(&api, ACME_FIELD, SHORT_FRAME, Some(&today)).await;
    let list = flora.get("/v2/field/cases").await.expect(200).json();
    let case = list["cases"].as_array().unwrap().iter().find(|case| case["caseId"] == soon).unwrap();
    assert_eq!(case["scheduledAt"], today.as_str());
    assert_eq!((&case["frameId"], &case["frameName"]), (&json!(SHORT_FRAME), &json!("Quick note")));
    assert_eq!(list["forms"].as_array().unwrap().len(), 1);
}

async fn a_field_user_fills_and_closes_their_own_cases_and_no_others(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&with_nora(&acme(&receiver)));
    server.must_apply(&borealis());
    let (flora, nora) = (flora_on(&server).await, person(&server, &sign_in(&server, NORA).await));
    let case = case_of(&api, ACME_FIELD, FRAME, None).await;
    let unattached = open_case(&api, &json!({ "frameId": FRAME })).await;
    let stranger = server.sign_in("borealis-api", "northern lights at noon").await;
    let elsewhere = open_case(&stranger, &json!({ "frameId": BOREALIS_FRAME })).await;
    let file = photo(7).bytes;
    for foreign in [unattached, elsewhere] {
        refuses(&flora, foreign).await;
    }
    refuses(&nora, case).await;
    flora.get("/v2/capture/cases/999999").await.expect(404);
    // The operations of a link are not a field user's.
    flora.get("/v2/capture").await.expect(401);
    flora.post("/v2/capture/cases", &json!({})).await.expect(401);
    flora.get("/frames").await.expect(401);

    // A file in pieces, an entry, and the closing.
    let mut metadata = describe(case, PHOTOGRAPHY, "front.jpg");
    metadata.push(("captureId", uuid()));
    let url = location(&announce(&flora, file.len(), &metadata).await.expect(201));
    let half = file.len() / 2;
    send(patch(&flora, &url, 0, file[..half].to_vec())).await.expect(204);
    for answer in [
        head(&nora, &url).await,
        send(patch(&nora, &url, half, file[half..].to_vec())).await,
        delete(&nora, &url).await,
        nora.get(&url).await,
    ] {
        answer.expect(403);
    }
    send(patch(&flora, &url, half, file[half..].to_vec())).await.expect(204);
    assert!(view(&flora, &url).await["receipt"].is_string());
    let entries = format!("/v2/capture/cases/{case}/entries");
    let entered = entry(TEXT_FIELD, "Martinel");
    flora.post(&entries, &entered).await.expect(201);
    flora.post(&entries, &entered).await.expect(200);
    let seen = flora.get(&format!("/v2/capture/cases/{case}")).await.expect(200).json();
    assert_eq!(seen["items"].as_array().unwrap().len(), 2);
    assert_eq!(seen["items"][0]["sha256"], hash(&file));
    let closed = flora.post(&format!("/v2/capture/cases/{case}/close"), &json!({})).await.expect(200).json();
    certificate(&server, closed["pdfUrl"].as_str().unwrap()).await;
    assert_eq!(flora.get("/v2/field/cases").await.json()["cases"], json!([]));
    flora.post(&entries, &entry(TEXT_FIELD, "late")).await.expect(400);
    // The company gives a case to someone else.
    let moved = case_of(&api, ACME_FIELD, FRAME, None).await;
    api.patch("/cases/update", &json!({ "caseId": moved, "userId": NORA.user_id })).await.expect(200);
    refuses(&flora, moved).await;
    nora.get(&format!("/v2/capture/cases/{moved}")).await.expect(200);
}

async fn one_photo_is_a_case_of_its_own_however_often_it_is_sent(server: TestServer) {
    let (api, receiver) = acme_on(&server).await;
    server.must_apply(&(with_nora(&acme(&receiver)) + QUICK));
    let (flora, nora) = (flora_on(&server).await, person(&server, &sign_in(&server, NORA).await));
    let forms = eventually("the frame is offered", EFFECT, async || {
        let forms = flora.get("/v2/field/cases").await.expect(200).json()["quickForms"].take();
        (forms != json!([])).then_some(forms)
    })
    .await;
    assert_eq!((&forms[0]["frameId"], &forms[0]["name"]), (&json!(QUICK_FRAME), &json!("Certified photo")));
    let capture = uuid();
    let body = json!({ "frameId": QUICK_FRAME, "captureId": capture });
    // The answer is lost again and again, and two tabs ask at once.
    let answers = futures_util::future::join_all((0..6).map(|_| flora.post("/v2/field/cases", &body))).await;
    let case = answers[0].json()["caseId"].as_i64().unwrap();
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert!(answers.iter().all(|answer| answer.json()["caseId"] == case && answer.json()["closed"] == false));
    assert_eq!(flora.get("/v2/field/cases").await.json()["cases"].as_array().unwrap().len(), 1);
    // The same identifier is another's own.
    let theirs = nora.post("/v2/field/cases", &body).await.expect(201).json();
    assert_ne!(theirs["caseId"], case);

    let file = photo(3).bytes;
    let mut metadata = describe(case, QUICK_PHOTO, "photo.jpg");
    metadata.push(("captureId", capture));
    let url = location(&announce(&flora, file.len(), &metadata).await.expect(201));
    send(patch(&flora, &url, 0, file)).await.expect(204);
    let closed = flora.post(&format!("/v2/capture/cases/{case}/close"), &json!({})).await.expect(200).json();
    // The answer of the closing was lost: the photo's case says that it is closed, and where its certificate is.
    let again = flora.post("/v2/field/cases", &body).await.expect(200).json();
    assert_eq!((&again["closed"], &again["pdfUrl"]), (&json!(true), &closed["pdfUrl"]));
    certificate(&server, closed["pdfUrl"].as_str().unwrap()).await;
    // Not on every frame.
    let wrong = json!({ "frameId": FRAME, "captureId": uuid() });
    assert!(flora.post("/v2/field/cases", &wrong).await.expect(400).error_message().contains("is not marked `quick`"));
    let unknown = json!({ "frameId": 999_999, "captureId": uuid() });
    flora.post("/v2/field/cases", &unknown).await.expect(404);
    let message = flora.post("/v2/field/cases", &json!({ "captureId": "x" })).await.expect(400).error_message();
    assert!(message.contains("frameId") && message.contains("captureId"), "{message}");
    api.post("/v2/field/cases", &body).await.expect(401);
}

async fn a_quick_frame_asks_for_one_photo_and_nothing_else(server: TestServer) {
    let (_api, receiver) = acme_on(&server).await;
    let manifest = acme(&receiver) + QUICK;
    let line = manifest.lines().position(|line| line == "quick = true").unwrap() + 1;
    for (text, other) in [
        ("action = \"PHOTOGRAPHY\"\nmandatory = true", "action = \"PHOTOGRAPHY\""),
        ("action = \"PHOTOGRAPHY\"\nmandatory = true", "action = \"SIGNATURE\"\nmandatory = true"),
        ("action = \"TEXT_FIELD\"\n", "action = \"TEXT_FIELD\"\nmandatory = true\n"),
    ] {
        let (before, quick) = manifest.split_at(manifest.find("[[frame]]\nid = 75").unwrap());
        assert!(quick.contains(text));
        let output = server.apply(&format!("{before}{}", quick.replacen(text, other, 1)));
        let said = said(&output);
        assert!(!output.status.success() && said.contains(&format!(":{line}:")) && said.contains("quick"), "{said}");
    }
    server.must_apply(&manifest);
    let unmarked = manifest.replace("quick = true\n", "");
    let output = server.apply(&unmarked);
    assert!(output.status.success() && said(&output).contains("quick"), "{}", said(&output));
}

/// Another's case is neither shown nor changed.
async fn refuses(person: &Api, case: i64) {
    for answer in [
        person.get(&format!("/v2/capture/cases/{case}")).await,
        person.post(&format!("/v2/capture/cases/{case}/entries"), &entry(TEXT_FIELD, "x")).await,
        person.post(&format!("/v2/capture/cases/{case}/close"), &json!({})).await,
        announce(person, 10, &describe(case, PHOTOGRAPHY, "x.jpg")).await,
    ] {
        assert_eq!(answer.expect(403).error_message(), "the case is not one of yours");
    }
}

async fn certificate(server: &TestServer, url: &str) {
    eventually("the certificate", AMPLE, async || (server.anonymous().get(url).await.status == 200).then_some(()))
        .await;
}
