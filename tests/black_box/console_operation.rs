//! The page "Operation" of the console (operator's page): what `doctor` checks, live, certificates, disks and shadows.

use std::fs;

use serde_json::json;

use crate::{
    console::{Person, must_add_user},
    support::{
        AMPLE, TestServer,
        company_manifest::{ACME_API, FRAME, PHOTOGRAPHY, acme_on},
        eventually,
        evidence::{add_capture, open_case, photo},
        on_both_databases,
    },
};

on_both_databases!(
    the_parts_of_the_running_server_are_checked,
    a_stopped_authority_is_reported_without_its_key,
    checks_run_once_a_minute,
    the_page_shows_no_secret,
    jobs_are_named_in_the_reader_s_language,
);

/// A page with the results of the checks.
async fn checked(server: &TestServer) -> String {
    let operator = Person::signed_in(server, "olga").await;
    eventually("the checks have ended", AMPLE, async || {
        let page = operator.get("/console/operation").await.expect(200).text();
        page.contains("id=\"disks\"").then_some(page)
    })
    .await
}

/// The list item of a page that contains all these texts.
#[track_caller]
fn row<'a>(page: &'a str, texts: &[&str]) -> &'a str {
    let mut rows = page.split("<li").skip(1).map(|row| row.split("</li>").next().unwrap());
    rows.find(|row| texts.iter().all(|text| row.contains(text))).unwrap_or_else(|| panic!("no {texts:?} in {page}"))
}

async fn the_parts_of_the_running_server_are_checked(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "olga", &["--role", "operator"]);
    let page = checked(&server).await;
    for part in ["database", "blob store", "secret key", "plugins", "log of seals", "jobs", "certificate template"] {
        let row = row(&page, &[&format!(">{part}<")]);
        assert!(row.contains("level good") && row.contains("OK"), "{row}");
    }
    row(&page, &[">confinement<"]);
    let addresses = row(&page, &[">addresses<"]);
    assert!(addresses.contains("Warning") && addresses.contains("switch it off outside development"), "{addresses}");
    // The development authority's certificates.
    row(&page, &["level good", "seal", "valid until"]);
    row(&page, &["time stamps of development", "valid until"]);
    assert_disks(&server, &page);
}

/// The figures are those of the system.
fn assert_disks(server: &TestServer, page: &str) {
    for (used_for, folder) in [("data", server.data_dir()), ("blobs", server.data_dir().join("blobs"))] {
        let row = row(page, &[&format!("<strong>{used_for}</strong>"), &folder.display().to_string()]);
        let values: Vec<u64> =
            row.split("value=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect();
        let [free, total] = values[..] else { panic!("{row}") };
        let system = rustix::fs::statvfs(&folder).unwrap();
        assert_eq!(total, system.f_blocks * system.f_frsize, "{row}");
        assert!(free > 0 && free < total, "{row}");
        assert!(row.contains(&format!("({} %)", free * 100 / total)), "{row}");
        assert_eq!(row.contains("Warning"), free * 100 / total < 10, "{row}");
    }
}

async fn a_stopped_authority_is_reported_without_its_key(mut server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "olga", &["--role", "operator"]);
    // Paths may contain a customer's key.
    server.set("SEALWRIGHT_SEAL_TSA_URL", "http://127.0.0.1:1/a-customer-s-key/tsr");
    server.set("SEALWRIGHT_SEAL_TSA_TIMEOUT", "1s");
    server.restart().await;
    let page = checked(&server).await;
    let authority = row(&page, &[">time stamps<", "127.0.0.1:1"]);
    assert!(authority.contains("level suspicious") && authority.contains("Warning"), "{authority}");
    assert!(authority.contains("check seal.tsa_url and the network"), "{authority}");
    assert!(!page.contains("a-customer-s-key"), "{page}");
    assert!(!page.contains("time stamps of"), "its certificates are not known: {page}");
    // The check does not pause the authority for the jobs.
    assert_eq!(server.metric("sealwright_time_source_up{authority=\"127.0.0.1:1\"}").await, 1);
}

async fn checks_run_once_a_minute(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "olga", &["--role", "operator"]);
    let checked_at = |page: &str| {
        let checks = page.split_once("id=\"checks\"").unwrap().1;
        checks.split_once("datetime=\"").unwrap().1.split('"').next().unwrap().to_owned()
    };
    let first = checked_at(&checked(&server).await);
    let second = checked_at(&checked(&server).await);
    assert_eq!(first, second);
}

async fn the_page_shows_no_secret(mut server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "olga", &["--role", "operator"]);
    let headers = server.folder().join("headers");
    fs::write(&headers, "Authorization: Bearer for-the-collector\n").unwrap();
    server.set("SEALWRIGHT_OTLP_ENDPOINT", "http://127.0.0.1:1");
    server.set("SEALWRIGHT_OTLP_HEADERS_FILE", &headers.display().to_string());
    let (url, password) = (server.database_url(), "a-password-of-the-database");
    if url.starts_with("postgres://") {
        // The server of the tests accepts any.
        server.set("SEALWRIGHT_DATABASE_URL", &url.replacen('@', &format!(":{password}@"), 1));
    }
    server.restart().await;
    let page = checked(&server).await;
    let key = fs::read_to_string(server.data_dir().join("secret.key")).unwrap();
    assert!(!page.contains("for-the-collector") && !page.contains(key.trim()), "{page}");
    assert!(!page.contains(password), "{page}");
}

async fn jobs_are_named_in_the_reader_s_language(mut server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "olga", &["--role", "operator"]);
    // The job of the time stamp is tried again and again.
    server.set("SEALWRIGHT_SEAL_TSA_URL", "http://127.0.0.1:1/tsr");
    server.set("SEALWRIGHT_SEAL_TSA_TIMEOUT", "1s");
    server.restart().await;
    let api = server.sign_in(ACME_API.username, ACME_API.password).await;
    let case = open_case(&api, &json!({ "frameId": FRAME })).await;
    add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    let olga = Person::signed_in(&server, "olga").await;
    let kind = "<span class=\"small\">stamp-item</span>";
    let french = eventually("the job waits", AMPLE, async || {
        let page = olga.get_in_french("/console/operation").await.expect(200).text();
        page.contains("<td>prêt</td>").then_some(page)
    })
    .await;
    assert!(french.contains(&format!("horodatage d’un élément {kind}")), "{french}");
    assert!(french.contains("Plugins en service") && !french.contains("odules"), "{french}");
    assert!(!french.contains("<td>ready</td>"), "{french}");
    let checked = eventually("the checks have ended", AMPLE, async || {
        let page = olga.get_in_french("/console/operation").await.expect(200).text();
        page.contains("id=\"disks\"").then_some(page)
    })
    .await;
    row(&checked, &["<strong>base de données</strong>"]);
    let english = olga.get("/console/operation").await.expect(200).text();
    assert!(english.contains(&format!("time stamp of an item {kind}")), "{english}");
}
