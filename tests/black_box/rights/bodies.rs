//! Identifiers of another company in a body: each is refused as the specification says, reveals nothing about the other
//! company, and changes nothing for either.

use hyper::Method;
use serde_json::{Value, json};

use super::{
    assert_reveals_nothing,
    table::Expected::{self, Fails, FindsNothing, Status},
    without_jobs,
    world::{COBALT, PEREGRINE, Target, World, XENOLITH, rows_of},
};
use crate::support::{
    TestServer,
    client::{Upload, send},
    evidence::{create_item, identity_card, signature},
    on_both_databases,
    rows::Rows,
};

on_both_databases!(spec_5_rule_5_no_identifier_in_a_body_reaches_another_company);

type MakeFile = fn() -> Upload;

/// The content of a request.
enum Content {
    Json(Value),
    /// A description, with a file.
    Form(Value, MakeFile),
}

use Content::{Form, Json};

async fn spec_5_rule_5_no_identifier_in_a_body_reaches_another_company(mut server: TestServer) {
    without_jobs(&mut server).await;
    let world = World::build(&server).await;
    let mut rows = Rows::of(&server).await;
    let own = world.target(COBALT, false).await;
    for owner in [XENOLITH, PEREGRINE] {
        let theirs = world.target(owner, false).await;
        for (method, path, content, expected) in requests(&own, &theirs, &owner.mail(), owner == PEREGRINE) {
            let before = [rows_of(&mut rows, COBALT).await, rows_of(&mut rows, owner).await];
            let request = match &content {
                Json(body) => world.cobalt.request(method.clone(), &path).json(body),
                Form(item, file) => world.cobalt.upload_request(&path, item, file()),
            };
            let sent = match &content {
                Json(body) | Form(body, _) => body,
            };
            let what = format!("{method} {path} {sent} with an identifier of {}", owner.name);
            let answer = send(request).await;
            expected.check(&answer, &what);
            assert_reveals_nothing(&answer, owner, &what);
            let after = [rows_of(&mut rows, COBALT).await, rows_of(&mut rows, owner).await];
            assert_eq!(after, before, "{what}");
        }
    }
}

fn requests(own: &Target, theirs: &Target, mail: &str, same_family: bool) -> Vec<(Method, String, Content, Expected)> {
    let mut all = Vec::new();
    let mut add = |method: Method, path: &str, content: Content, expected: Expected| {
        all.push((method, path.to_owned(), content, expected));
    };
    // Every field of a new case (spec 2.2), alone and as the second element of a bulk.
    let mut creations = vec![
        (json!({ "frameId": theirs.frame }), 404),
        (json!({ "frameId": own.frame, "userId": theirs.user }), 400),
        (json!({ "frameId": own.frame, "userMail": mail }), 400),
        (json!({ "frameId": own.frame, "magicLinkToken": theirs.link }), 403),
        (
            json!({ "frameId": own.frame, "childCompanyId": theirs.company, "linkOptions": { "reportToken": "new-report" } }),
            403,
        ),
        (json!({ "frameId": own.frame, "childCompanyId": theirs.company, "magicLinkToken": own.link }), 403),
    ];
    if !same_family {
        // A parent and its children share report tokens (decisions 5).
        creations.push((json!({ "frameId": own.frame, "reportToken": theirs.report }), 403));
        creations.push((json!({ "frameId": own.frame, "linkOptions": { "reportToken": theirs.report } }), 403));
    }
    for (body, status) in creations {
        add(Method::POST, "/cases/create", Json(body.clone()), Status(status));
        add(Method::POST, "/cases/bulk-create", Json(json!([body])), Fails);
    }
    let mut updates = vec![
        (json!({ "caseId": theirs.case, "title": "mine now" }), 403),
        (json!({ "caseId": own.case, "userId": theirs.user }), 400),
        // The case has an item, so its frame is fixed; the frame is checked first.
        (json!({ "caseId": own.case, "frameId": theirs.frame }), 404),
    ];
    if !same_family {
        updates.push((json!({ "caseId": own.case, "reportToken": theirs.report }), 403));
    }
    for (body, status) in updates {
        add(Method::PATCH, "/cases/update", Json(body.clone()), Status(status));
        add(Method::PATCH, "/cases/bulk-update", Json(json!([body])), Fails);
    }
    add(Method::POST, "/cases/bulk-delete", Json(json!({ "caseIds": [theirs.case] })), Fails);
    add_items(&mut add, own, theirs);

    let links = [
        (json!({ "frameId": theirs.frame }), 404, true),
        (json!({ "frameId": own.frame, "childCompanyId": theirs.company }), 403, true),
        (json!({ "frameId": own.frame, "reportToken": theirs.report }), 403, !same_family),
    ];
    for (body, status, _) in links.into_iter().filter(|(_, _, is_refused)| *is_refused) {
        add(Method::POST, "/link/create", Json(body), Status(status));
    }
    // And in queries (spec 4.3).
    for (query, expected) in [
        (format!("companyId={}", theirs.company), Status(403)),
        (format!("caseId={}", theirs.case), FindsNothing),
        (format!("frameId={}", theirs.frame), FindsNothing),
        (format!("reportToken={}", theirs.report), FindsNothing),
    ] {
        add(Method::GET, &format!("/cases?format=metadata&withReportToken=true&{query}"), Json(Value::Null), expected);
    }
    all
}

/// The fields `companyId`, `caseId` and `stepId` of items (spec 2.3 and 4.13).
fn add_items(add: &mut impl FnMut(Method, &str, Content, Expected), own: &Target, theirs: &Target) {
    let item = |company: i64, step: i64| {
        let mut item = create_item(step, "added");
        item["companyId"] = json!(company);
        item
    };
    let files: [(&str, i64, MakeFile); 2] = [("/document", 2, identity_card), ("", 3, signature)];
    for (path, step, file) in files {
        let [own_step, their_step] = [own.company * 100 + step, theirs.company * 100 + step];
        let path = format!("/v2/items/{}{path}", own.case);
        add(Method::POST, &path, Form(item(theirs.company, own_step), file), Status(403));
        add(Method::POST, &path, Form(item(own.company, their_step), file), Status(404));
    }
    let entry = |case: i64, company: i64, step: i64| {
        let mut item = item(company, step);
        item["caseId"] = json!(case);
        item
    };
    let [own_step, their_step] = [own.company * 100 + 1, theirs.company * 100 + 1];
    for (body, status) in [
        (entry(theirs.case, own.company, own_step), 403),
        (entry(theirs.case, theirs.company, their_step), 403),
        (entry(own.case, own.company, their_step), 404),
    ] {
        add(Method::POST, "/v2/items/create", Json(body.clone()), Status(status));
        add(Method::POST, "/api/items", Json(body), Status(status));
    }
    add(Method::POST, "/v2/items/create", Json(entry(own.case, theirs.company, own_step)), Status(403));
}
