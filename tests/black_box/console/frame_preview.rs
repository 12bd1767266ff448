//! The preview of a frame (console.md, "Companies"): the page that the holder of a link sees, in a page of the console.

use super::{Person, must_add_user};
use crate::support::{
    TestServer,
    company_manifest::{SHORT_FRAME, acme_on},
    on_both_databases,
};

on_both_databases!(the_page_of_a_frame_shows_what_the_holder_of_a_link_sees);

async fn the_page_of_a_frame_shows_what_the_holder_of_a_link_sees(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "root", &["--role", "operator"]);
    let root = Person::signed_in(&server, "root").await;
    let path = format!("/console/companies/7/frames/{SHORT_FRAME}");
    let editor = root.get(&path).await.expect(200);
    let policy = editor.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'none'") && policy.ends_with("; frame-src 'self'"), "{policy}");
    let text = editor.text();
    assert!(text.contains(&format!("<iframe class=\"preview\" src=\"{path}/preview\"")), "{text}");
    // Other pages show no frames.
    let cases = root.get("/console/cases").await.expect(200);
    assert!(!cases.header("content-security-policy").unwrap().contains("frame-src"));

    // A page of the console may frame it, and it may send nothing.
    let preview = root.get(&format!("{path}/preview")).await.expect(200);
    assert_eq!(preview.header("x-frame-options"), Some("SAMEORIGIN"));
    let policy = preview.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'self'") && !policy.contains("connect-src"), "{policy}");
    assert_eq!(preview.header("permissions-policy"), Some("camera=(), microphone=(), geolocation=()"));
    let english = preview.text();
    for expected in [
        " data-preview=\"{&quot;state&quot;:&quot;usable&quot;",
        &format!("&quot;form&quot;:{{&quot;frameId&quot;:{SHORT_FRAME},"),
        " data-notice=\"Preview: ",
        "capture/preview/main.js",
        "<h1 dir=\"auto\">Quick note</h1>",
    ] {
        assert!(english.contains(expected), "{expected}: {english}");
    }
    assert!(!english.contains("capture/field/") && !english.contains("manifest.webmanifest"), "{english}");
    let french = root.get_in_french(&format!("{path}/preview")).await.expect(200).text();
    assert!(french.contains(" data-notice=\"Aperçu"), "{french}");
}
