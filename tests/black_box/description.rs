//! The OpenAPI description of the interface and its readable form (decisions 1).

use std::collections::BTreeSet;

use crate::support::{Database, TestServer, client::send};
use hyper::Method;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_description_is_public_and_names_the_server() {
    let server = TestServer::start(Database::Sqlite).await;
    let answer = server.anonymous().get("/openapi.json").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], server.base_url());
    assert!(document["paths"]["/cases/create"]["post"].is_object());
    assert!(answer.header("x-ratelimit-limit").is_some(), "reading the description is counted for each client");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_reference_is_one_page_without_scripts() {
    let server = TestServer::start(Database::Sqlite).await;
    let answer = server.anonymous().get("/docs").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    let page = answer.text();
    assert!(page.contains("/cases/create") && !page.contains("<script"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_reference_has_a_page_for_each_group_and_a_search() {
    let server = TestServer::start(Database::Sqlite).await;
    let api = server.anonymous();
    let whole = api.get("/docs").await.expect(200).text();
    let groups: BTreeSet<&str> = whole
        .split("href=\"docs/")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|group| !group.starts_with("search"))
        .collect();
    assert!(groups.len() > 5 && groups.contains("cases") && groups.contains("webhooks"), "{groups:?}");
    for group in &groups {
        let page = api.get(&format!("/docs/{group}")).await.expect(200).text();
        assert!(
            page.contains(&format!("<section class=\"group\" id=\"{group}\"")) && page.len() < whole.len(),
            "{group}"
        );
    }
    api.get("/docs/nothing").await.expect(404).error_message();
    // Every word must fit: in a text, an address, or a field of a body. Markup is text.
    let search = async |query: &str| {
        let page = api.get(&format!("/docs/search?q={query}")).await.expect(200).text();
        // The navigation names every operation.
        page.split_once("<main>").expect("the results").1.to_owned()
    };
    let found = search("Bulk+DELETE").await;
    assert!(found.contains("../docs/cases#bulkDeleteCases"), "{found}");
    assert!(!search("bulk-delete").await.contains("#createToken"));
    assert!(search("caseContext").await.contains("../docs/cases#createCase"), "a field of a body is found");
    assert!(search("nothing-has-this-word").await.contains("0 of the operations"));
    let hostile = search("%3Cscript%3E").await;
    assert!(!hostile.contains("<script") && hostile.contains("&lt;script&gt;"), "{hostile}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_root_leads_people_to_each_page() {
    let server = TestServer::start(Database::Sqlite).await;
    let api = server.anonymous();
    let page = api.get("/").await.expect(200).text();
    let addresses: Vec<&str> = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(addresses, ["/console", "/field", "/verify", "/docs"], "{page}");
    for address in addresses {
        let status = api.get(address).await.status;
        assert!(status.is_success() || status.is_redirection(), "{address}: {status}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cached_description_is_not_sent_again() {
    let server = TestServer::start(Database::Sqlite).await;
    let api = server.anonymous();
    for path in ["/openapi.json", "/docs"] {
        let first = api.get(path).await.expect(200);
        let tag = first.header("etag").unwrap().to_owned();
        let again = send(api.request(Method::GET, path).header("if-none-match", &tag)).await.expect(304);
        assert!(again.body.is_empty());
        assert_eq!(again.header("etag"), Some(tag.as_str()));
        assert!(again.header("cache-control").is_some());
    }
}
