//! Small pictures on the page of a case: what they show, who sees them, what is recorded, and that they go with the case.

use hyper::Method;
use sealwright_lab::PhotoOptions;
use serde_json::json;

use super::{Person, must_add_user};
use crate::{
    media::difference,
    support::{
        AMPLE, Answer, Api, TestServer,
        client::{Upload, send},
        company_manifest::{
            BOREALIS_API, BOREALIS_FRAME, DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SIGNATURE, TEXT_FIELD, VIDEO, acme_on,
            borealis,
        },
        eventually,
        evidence::{add_capture, add_document, add_entry, identity_card, open_case, photo, signature, video},
        on_both_databases,
        rows::Rows,
        server::files_below,
    },
};

/// The longest side of a preview, in pixels.
const LONGEST_SIDE: u32 = 640;

on_both_databases!(
    a_preview_is_small_upright_and_without_metadata,
    a_preview_that_the_browser_has_is_not_sent_again,
    a_look_at_a_preview_is_recorded_unless_its_page_is,
    what_has_no_picture_has_no_preview_and_the_page_is_shown,
    a_preview_is_of_the_case_that_its_address_names,
    a_deleted_case_leaves_no_preview,
);

async fn person(server: &TestServer, username: &str, company: &str) -> Person {
    must_add_user(server, username, &["--role", "viewer", "--company", company]);
    Person::signed_in(server, username).await
}

/// The number of the item that an upload made.
#[track_caller]
fn item_of(answer: &Answer) -> i64 {
    assert!(answer.status.is_success(), "{}", answer.text());
    answer.json()["itemId"].as_i64().expect("the item's number")
}

async fn add_photo(api: &Api, case: i64) -> i64 {
    item_of(&add_capture(api, case, PHOTOGRAPHY, photo(1)).await)
}

fn preview_of(case: i64, item: i64) -> String {
    format!("/console/cases/{case}/items/{item}/preview")
}

fn has_exif(bytes: &[u8]) -> bool {
    bytes.windows(6).any(|window| window == b"Exif\0\0")
}

async fn a_preview_is_small_upright_and_without_metadata(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = person(&server, "vera", "7").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut shown = Vec::new();
    for stored_rotated in [false, true] {
        let options = PhotoOptions { width: 1600, height: 1200, stored_rotated, ..PhotoOptions::default() };
        let bytes = sealwright_lab::photo(&options).expect("draw a photograph");
        assert!(has_exif(&bytes), "the photo has metadata to lose");
        let file = Upload { bytes, name: "front.jpg", media_type: "image/jpeg" };
        let item = item_of(&add_capture(&api, case, PHOTOGRAPHY, file).await);
        let preview = vera.get(&preview_of(case, item)).await.expect(200);
        assert_eq!(preview.header("content-type"), Some("image/jpeg"));
        assert_eq!(preview.header("x-content-type-options"), Some("nosniff"));
        assert!(!has_exif(&preview.body), "nothing but pixels");
        let pixels = image::load_from_memory(&preview.body).expect("a picture").into_rgb8();
        assert_eq!(pixels.dimensions(), (LONGEST_SIDE, 480), "upright");
        shown.push(pixels);
        // The page has the preview, and leads to the whole picture.
        let page = vera.get(&format!("/console/cases/{case}")).await.expect(200).text();
        let whole = format!("/console/cases/{case}/items/{item}/file");
        assert!(page.contains(&format!("src=\"{}\"", preview_of(case, item))), "{page}");
        assert!(page.contains(&format!("href=\"{whole}\"")) && !page.contains(&format!("src=\"{whole}\"")), "{page}");
        let address = vera.get(&whole).await.expect(303).header("location").expect("an address").to_owned();
        let whole = vera.get(&address).await.expect(200);
        assert!(preview.body.len() * 10 < whole.body.len(), "{} and {}", preview.body.len(), whole.body.len());
        // The second time it is read, not made.
        assert_eq!(vera.get(&preview_of(case, item)).await.expect(200).body, preview.body);
    }
    let [plain, rotated] = &shown[..] else { panic!("two photos") };
    assert!(difference(plain, rotated) < 8.0, "the rotated photo is shown as the plain one is");
    // A smaller picture keeps its size.
    let item = add_photo(&api, case).await;
    let preview = vera.get(&preview_of(case, item)).await.expect(200);
    let pixels = image::load_from_memory(&preview.body).expect("a picture");
    assert_eq!((pixels.width(), pixels.height()), (640, 480));
}

async fn a_preview_that_the_browser_has_is_not_sent_again(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let (vera, boris) = (person(&server, "vera", "7").await, person(&server, "boris", "8").await);
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let path = preview_of(case, add_photo(&api, case).await);
    let first = vera.get(&path).await.expect(200);
    assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    let tag = first.header("etag").expect("an entity tag").to_owned();
    let again = async |person: &Person| {
        let request = person.api.request(Method::GET, &path).header("cookie", &person.cookie);
        send(request.header("if-none-match", &tag)).await
    };
    let unchanged = again(&vera).await.expect(304);
    assert!(unchanged.body.is_empty() && unchanged.header("etag") == Some(tag.as_str()));
    // Another person who uses the browser may not see it.
    again(&boris).await.expect(404);
    again(&Person::new(&server)).await.expect(303);
}

async fn a_look_at_a_preview_is_recorded_unless_its_page_is(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (vera, paul) = (person(&server, "vera", "7").await, person(&server, "paul", "7").await);
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let first = add_photo(&api, case).await;
    let looks = async || -> Vec<(String, String, String)> {
        let mut rows = Rows::of(&server).await;
        let sql = "select actor, subject, detail from audit_records where action = 'readItemPreview' order by id";
        rows.all(sql).await
    };
    let record = |actor: &str, item: i64| (actor.to_owned(), format!("item {item}"), format!("case {case}"));
    // Without the page.
    vera.get(&preview_of(case, first)).await.expect(200);
    let mut expected = vec![record("vera", first)];
    assert_eq!(looks().await, expected);
    // The record of the page stands for the previews on it, however often they are loaded.
    vera.get(&format!("/console/cases/{case}")).await.expect(200);
    for _ in 0..2 {
        vera.get(&preview_of(case, first)).await.expect(200);
    }
    assert_eq!(looks().await, expected);
    // Not for another user, and not for an item that came later.
    paul.get(&preview_of(case, first)).await.expect(200);
    expected.push(record("paul", first));
    let second = add_photo(&api, case).await;
    vera.get(&preview_of(case, second)).await.expect(200);
    expected.push(record("vera", second));
    // Nor for a picture of another case.
    let other = open_case(&api, &json!({ "frameId": FRAME })).await;
    let alike = add_photo(&api, other).await;
    vera.get(&preview_of(other, alike)).await.expect(200);
    expected.push(("vera".to_owned(), format!("item {alike}"), format!("case {other}")));
    assert_eq!(looks().await, expected);
}

async fn what_has_no_picture_has_no_preview_and_the_page_is_shown(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = person(&server, "vera", "7").await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let mut bytes = signature().bytes;
    bytes.truncate(60);
    let file = Upload { bytes, name: "half.png", media_type: "image/png" };
    let damaged = item_of(&add_capture(&api, case, SIGNATURE, file).await);
    let whole = add_photo(&api, case).await;
    for _ in 0..2 {
        let page = vera.get(&preview_of(case, damaged)).await.expect(404).text();
        assert!(page.contains("the file cannot be decoded as an image, so it has no preview"), "{page}");
    }
    for item in [
        item_of(&add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await),
        item_of(&add_capture(&api, case, VIDEO, video()).await),
        item_of(&add_entry(&api, case, TEXT_FIELD, "Dupont").await),
    ] {
        let page = vera.get(&preview_of(case, item)).await.expect(404).text();
        assert!(page.contains(&format!("item {item} has no picture")), "{page}");
    }
    let page = vera.get(&format!("/console/cases/{case}")).await.expect(200).text();
    assert!(page.contains("half.png") && page.contains(&preview_of(case, damaged)), "{page}");
    vera.get(&preview_of(case, whole)).await.expect(200);
}

async fn a_preview_is_of_the_case_that_its_address_names(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let borealis = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await;
    let (vera, boris) = (person(&server, "vera", "7").await, person(&server, "boris", "8").await);
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    let item = add_photo(&api, case).await;
    let own = open_case(&borealis, &json!({ "frameId": BOREALIS_FRAME })).await;
    // As for the whole picture: neither by the case of the other company, nor by one's own.
    for reached in [case, own] {
        for name in ["preview", "file"] {
            let page = boris.get(&format!("/console/cases/{reached}/items/{item}/{name}")).await.expect(404).text();
            assert!(!page.contains("Acme"), "{page}");
        }
    }
    let empty = open_case(&api, &json!({ "frameId": FRAME })).await;
    vera.get(&preview_of(empty, item)).await.expect(404);
    vera.get(&preview_of(case, 999_999)).await.expect(404);
    vera.get(&format!("/console/cases/{case}/items/x/preview")).await.expect(404);
    vera.get(&preview_of(case, item)).await.expect(200);
}

async fn a_deleted_case_leaves_no_preview(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let vera = person(&server, "vera", "7").await;
    let mut previews = Vec::new();
    let mut cases = Vec::new();
    for _ in 0..2 {
        let case = open_case(&api, &json!({ "frameId": FRAME })).await;
        let preview = preview_of(case, add_photo(&api, case).await);
        vera.get(&preview).await.expect(200);
        previews.push(preview);
        cases.push(case);
    }
    let stored = || files_below(&server.data_dir().join("blobs").join("previews")).len();
    assert_eq!(stored(), 2);
    api.delete(&format!("/cases/delete/{}", cases[0])).await.expect(200);
    vera.get(&previews[0]).await.expect(404);
    eventually("the preview is deleted", AMPLE, async || (stored() == 1).then_some(())).await;
    vera.get(&previews[1]).await.expect(200);
    assert_eq!(stored(), 1);
}
