//! The limits of a case (decisions 15): an item beyond them is refused when it is added, and what is within them is
//! sealed.

use std::{fs, time::Duration};

use sealwright_lab::PhotoOptions;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    Answer, Api, TestServer,
    client::Upload,
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, VIDEO, acme_on},
    eventually,
    evidence::{
        add_capture, add_document, add_entry, close, create_item, identity_card, open_case, photo, signature, video,
    },
    on_both_databases,
    rows::Rows,
    server::{Database, said},
};

on_both_databases!(
    decisions_15_an_item_beyond_the_limit_is_refused_by_every_endpoint_and_leaves_nothing,
    decisions_15_photos_and_signatures_have_their_own_limit,
    decisions_15_the_text_of_a_case_counts_as_it_is_shown,
    decisions_15_one_of_several_concurrent_items_gets_the_last_place,
    decisions_15_a_context_has_a_limit_too,
    decisions_15_a_case_with_unprintable_texts_is_sealed_and_verified,
);

const MOST_ITEMS: i64 = 1_000;
const MOST_PICTURES: i64 = 300;
const MOST_TEXT: i64 = 1_000_000;
/// How long the certificate of a full case may take.
const FULL_CASE: Duration = Duration::from_mins(8);

async fn decisions_15_an_item_beyond_the_limit_is_refused_by_every_endpoint_and_leaves_nothing(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    for answer in each_kind(&api, case).await {
        assert!(answer.status.is_success(), "{}", answer.text());
    }
    assert_eq!(usage_of(&server, case).await[..2], [6, 2]);
    let stored = server.files_of_items().len();
    fill(&server, case, "item_count", MOST_ITEMS - 1).await;
    add_entry(&api, case, TEXT_FIELD, "the last one").await.expect(201);
    for answer in each_kind(&api, case).await {
        assert_eq!(answer.expect(400).error_message(), "a case takes at most 1000 items");
    }
    assert_eq!(usage_of(&server, case).await[..2], [MOST_ITEMS, 2]);
    let items: Vec<(i64,)> = Rows::of(&server).await.all("select id from items").await;
    assert_eq!((items.len(), server.files_of_items().len()), (7, stored), "no item and no file is left");
    // A full case is closed like any other.
    close(&api, case).await.expect(200);
}

async fn decisions_15_photos_and_signatures_have_their_own_limit(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    fill(&server, case, "picture_count", MOST_PICTURES - 1).await;
    add_capture(&api, case, SIGNATURE, signature()).await.expect(200);
    let stored = server.files_of_items().len();
    for (step, file) in [(SIGNATURE, signature()), (PHOTOGRAPHY, photo(1))] {
        let message = add_capture(&api, case, step, file).await.expect(400).error_message();
        assert_eq!(message, format!("a case takes at most {MOST_PICTURES} photos and signatures"));
    }
    assert_eq!(server.files_of_items().len(), stored);
    // Other items are still accepted.
    add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
    add_entry(&api, case, TEXT_FIELD, "Martinel").await.expect(201);
}

async fn decisions_15_the_text_of_a_case_counts_as_it_is_shown(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let before = usage_of(&server, case).await[2];
    add_entry(&api, case, TEXT_FIELD, "x").await.expect(201);
    let of_a_letter = usage_of(&server, case).await[2] - before;
    // Each of the 10,000 is shown as its number, `[U+0007]`.
    add_entry(&api, case, TEXT_FIELD, &"\u{7}".repeat(10_000)).await.expect(201);
    let after = usage_of(&server, case).await[2];
    assert_eq!(after, 2 * of_a_letter - 1 + 250_000);
    fill(&server, case, "text_size", MOST_TEXT - of_a_letter).await;
    let message = add_entry(&api, case, TEXT_FIELD, "ab").await.expect(400).error_message();
    assert!(message.starts_with(&format!("a case takes at most {MOST_TEXT} characters of text")), "{message}");
    add_entry(&api, case, TEXT_FIELD, "x").await.expect(201);
    let name = add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(400).error_message();
    assert!(name.contains("characters of text"), "{name}");
    let items: Vec<(i64,)> = Rows::of(&server).await.all("select id from items").await;
    assert_eq!(items.len(), 3);
}

async fn decisions_15_one_of_several_concurrent_items_gets_the_last_place(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    fill(&server, case, "item_count", MOST_ITEMS - 1).await;
    let mut racing = JoinSet::new();
    for seed in 0..12 {
        let api = api.clone();
        racing.spawn(async move {
            let answer = if seed % 2 == 0 {
                add_entry(&api, case, TEXT_FIELD, "mine").await
            } else {
                add_capture(&api, case, PHOTOGRAPHY, photo(seed)).await
            };
            answer.status.as_u16()
        });
    }
    let mut statuses = racing.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0] / 100, &statuses[1..]), (2, &[400; 11][..]));
    let items: Vec<(i64,)> = Rows::of(&server).await.all("select id from items").await;
    assert_eq!((items.len(), usage_of(&server, case).await[0]), (1, MOST_ITEMS));
}

async fn decisions_15_a_context_has_a_limit_too(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let of = |text: &str| json!({ "visibleData": { "issuer": text, "instructions": text, "user": text } });
    let longest = "é".repeat(10_000);
    let case = open_case(&api, &json!({ "frameId": FRAME, "caseContext": of(&longest) })).await;
    for text in ["\u{7}".repeat(10_000), "line\n".repeat(2_000)] {
        let message = api
            .post("/cases/create", &json!({ "frameId": FRAME, "caseContext": of(&text) }))
            .await
            .expect(400)
            .error_message();
        let expected = "caseContext.visibleData must have at most 400000 characters in all its texts together";
        assert!(message.starts_with(expected), "{message}");
        let update = json!({ "caseId": case, "caseContext": of(&text) });
        assert_eq!(api.patch("/cases/update", &update).await.expect(400).error_message(), message);
    }
}

async fn decisions_15_a_case_with_unprintable_texts_is_sealed_and_verified(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    // One of each kind that takes more room on the page than it has characters.
    for text in ["\u{7}".repeat(10_000), "a\n".repeat(5_000), "\u{1F9FF}".repeat(5_000), "W".repeat(10_000)] {
        add_entry(&api, case, TEXT_FIELD, &text).await.expect(201);
    }
    sealed_and_verified(&server, &api, case).await;
}

/// The maximum of items, photos and text in one case. No counter is set by hand here. On one database, because it takes long.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_15_a_case_at_all_limits_at_once_is_sealed_and_verified() {
    const PHOTOS: i64 = 50;
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    // Photos are also examined, which takes most of the time.
    for _ in PHOTOS..MOST_PICTURES {
        add_capture(&api, case, SIGNATURE, signature()).await.expect(200);
    }
    for seed in 0..PHOTOS {
        let options = PhotoOptions { seed: seed.unsigned_abs(), width: 160, height: 120, ..PhotoOptions::default() };
        let bytes = sealwright_lab::photo(&options).expect("draw a photograph");
        add_capture(&api, case, PHOTOGRAPHY, Upload { bytes, ..photo(0) }).await.expect(200);
    }
    let [items, _, text] = usage_of(&server, case).await;
    let entries = MOST_ITEMS - items;
    add_entry(&api, case, TEXT_FIELD, "x").await.expect(201);
    let of_a_letter = usage_of(&server, case).await[2] - text;
    let letters = (MOST_TEXT - text) / entries - of_a_letter;
    for _ in 1..entries {
        add_entry(&api, case, TEXT_FIELD, &"W".repeat(usize::try_from(letters).unwrap())).await.expect(201);
    }
    let full = usage_of(&server, case).await;
    assert_eq!(full[..2], [MOST_ITEMS, MOST_PICTURES]);
    assert!(full[2] > MOST_TEXT * 99 / 100, "{full:?}");
    sealed_and_verified(&server, &api, case).await;
}

async fn sealed_and_verified(server: &TestServer, api: &Api, case: i64) {
    let closed = close(api, case).await.expect(200).json();
    let url = closed["pdfUrl"].as_str().unwrap();
    let pdf = eventually("the certificate is there", FULL_CASE, async || {
        let answer = api.with_token(None).get(url).await;
        (answer.status == 200).then_some(answer.body)
    })
    .await;
    let path = server.folder().join("limits.pdf");
    fs::write(&path, &pdf).expect("write the certificate");
    let output = server.run(&["verify", path.to_str().unwrap(), "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    assert_eq!(report["pages"]["state"], "agree", "{}", said(&output));
    assert!(output.status.success(), "{report}");
}

/// One item through each endpoint, and one of each type that carries a file.
async fn each_kind(api: &Api, case: i64) -> [Answer; 6] {
    let mut legacy = create_item(TEXT_FIELD, "in its legacy form");
    legacy["caseId"] = json!(case);
    [
        add_entry(api, case, TEXT_FIELD, "a value").await,
        api.post("/api/items", &legacy).await,
        add_document(api, case, DOCUMENT_UPLOAD, identity_card()).await,
        add_capture(api, case, PHOTOGRAPHY, photo(1)).await,
        add_capture(api, case, SIGNATURE, signature()).await,
        add_capture(api, case, VIDEO, video()).await,
    ]
}

/// Makes the case look as if it held this much already.
async fn fill(server: &TestServer, case: i64, column: &str, count: i64) {
    Rows::change(server, &format!("update cases set {column} = {count} where id = {case}")).await;
}

/// The numbers of items, pictures and characters of text of the case.
async fn usage_of(server: &TestServer, case: i64) -> [i64; 3] {
    let rows: Vec<(i64, i64, i64, i64)> =
        Rows::of(server).await.all("select id, item_count, picture_count, text_size from cases order by id").await;
    let (_, items, pictures, text) = rows.into_iter().find(|(id, ..)| *id == case).expect("the case is there");
    [items, pictures, text]
}
