//! Users whom the provider changes, who have the name of another one, and who were removed.

use serde_json::json;

use super::{by_provider, maria, refused, set_up, signed_in, users};
use crate::{
    console::{PASSWORD, Person, add_user, must_add_user},
    support::{TestServer, issuer::SUBJECT, on_both_databases, rows::Rows, server::said},
};

on_both_databases!(
    role_and_company_follow_the_provider,
    a_map_gives_roles_to_groups,
    no_one_takes_over_a_user_by_name,
    a_removed_user_stays_removed,
);

async fn role_and_company_follow_the_provider(mut server: TestServer) {
    let issuer = set_up(&mut server).await;
    let first = signed_in(&server, &issuer).await;
    first.get("/console/links").await.expect(403);
    // More: the sessions of before have it, too.
    issuer.change(|behaviour| behaviour.claims = maria("manager", 8));
    let second = signed_in(&server, &issuer).await;
    for person in [&first, &second] {
        person.get("/console/links").await.expect(200);
    }
    // Less, and another company: they end.
    for (role, company) in [("viewer", 8), ("viewer", 20)] {
        let before = signed_in(&server, &issuer).await;
        issuer.change(|behaviour| behaviour.claims = maria(role, company));
        let after = signed_in(&server, &issuer).await;
        before.get("/console/account").await.expect(303);
        after.get("/console/links").await.expect(403);
        assert_eq!(users(&server).await, [("maria".to_owned(), role.to_owned(), Some(company))]);
    }
    // An operator has no company.
    issuer.change(|behaviour| behaviour.claims = json!({ "sealwright_role": "operator" }));
    signed_in(&server, &issuer).await.get("/console/operation").await.expect(200);
    assert_eq!(users(&server).await, [("maria".to_owned(), "operator".to_owned(), None)]);
    // Without a role, the sign-in fails and the sessions end.
    let before = signed_in(&server, &issuer).await;
    issuer.change(|behaviour| behaviour.claims = json!({}));
    refused(&server, &issuer, 403, "no role any more", "no claim").await;
    before.get("/console/account").await.expect(303);
    assert_eq!(refusals(&server).await, [("maria".to_owned(), None)]);
    let changes: Vec<(String,)> =
        Rows::of(&server).await.all("select detail from audit_records where action = 'changeUser' order by id").await;
    let expected = [
        "role reviewer to manager, openid",
        "role manager to viewer, openid",
        "role viewer to viewer, openid",
        "role viewer to operator, openid",
    ];
    assert_eq!(changes, expected.map(|detail| (detail.to_owned(),)));
}

/// Who was refused through the provider, with the company of the record.
async fn refusals(server: &TestServer) -> Vec<(String, Option<i64>)> {
    let mut rows = Rows::of(server).await;
    rows.all(
        "select actor, company_id from audit_records
         where action = 'signIn' and outcome = 'refused' and detail = 'openid' order by id",
    )
    .await
}

async fn a_map_gives_roles_to_groups(mut server: TestServer) {
    server.set("SEALWRIGHT_CONSOLE_OPENID_ROLE_CLAIM", "groups");
    server.set("SEALWRIGHT_CONSOLE_OPENID_COMPANY_CLAIM", "https://acme.example/branch");
    server.set("SEALWRIGHT_CONSOLE_OPENID_ROLE_MAP", "claims-desk=reviewer, it=operator");
    let issuer = set_up(&mut server).await;
    refused(&server, &issuer, 403, "the other claims", "no claim").await;
    let desk =
        json!({ "groups": ["staff", "claims-desk"], "https://acme.example/branch": "8", "email": "d@acme.example" });
    issuer.change(|behaviour| behaviour.claims = desk);
    signed_in(&server, &issuer).await;
    issuer.change(|behaviour| {
        behaviour.claims = json!({ "groups": ["it", "claims-desk"], "preferred_username": "Root Ω/1" });
        "oidc|it".clone_into(&mut behaviour.subject);
    });
    signed_in(&server, &issuer).await;
    let expected = [("d@acme.example", "reviewer", Some(8)), ("Root-Ω-1", "operator", None)];
    assert_eq!(users(&server).await, expected.map(|(name, role, id)| (name.to_owned(), role.to_owned(), id)));
    // The name of a role gives none if there is a map.
    issuer.change(|behaviour| behaviour.claims = json!({ "groups": ["operator"] }));
    refused(&server, &issuer, 403, "the name of a role", "no value that gives a role").await;
}

async fn no_one_takes_over_a_user_by_name(mut server: TestServer) {
    let issuer = set_up(&mut server).await;
    must_add_user(&server, "maria", &["--role", "viewer", "--company", "20"]);
    let own = Person::signed_in(&server, "maria").await;
    let theirs = signed_in(&server, &issuer).await;
    issuer.change(|behaviour| "oidc|another-maria".clone_into(&mut behaviour.subject));
    signed_in(&server, &issuer).await;
    let expected = [("maria", "viewer", 20), ("maria-2", "reviewer", 8), ("maria-3", "reviewer", 8)];
    let expected = expected.map(|(name, role, company)| (name.to_owned(), role.to_owned(), Some(company)));
    assert_eq!(users(&server).await, expected);
    // The subject counts, whatever the name is now.
    issuer.change(|behaviour| {
        SUBJECT.clone_into(&mut behaviour.subject);
        behaviour.claims["preferred_username"] = json!("someone else");
    });
    signed_in(&server, &issuer).await;
    assert_eq!(users(&server).await, expected);
    own.get("/console/account").await.expect(200);
    assert!(theirs.get("/console/account").await.expect(200).text().contains("maria-2"));
    Person::signed_in(&server, "maria").await;
    // The console shows who comes from the provider, and gives them no other role.
    must_add_user(&server, "root", &["--role", "operator"]);
    let root = Person::signed_in(&server, "root").await;
    let page = root.get("/console/users").await.expect(200).text();
    assert_eq!(page.matches("of your organisation").count(), 2, "{page}");
    let ids: Vec<(i64,)> = Rows::of(&server).await.all("select id from console_users where username = 'maria-2'").await;
    let page = root.post(&format!("/console/users/{}", ids[0].0), &[("role", "manager")]).await.expect(400).text();
    assert!(page.contains("signs in through the provider"), "{page}");
    // A name that the provider's user has is taken.
    let output = add_user(&server, "maria-3", &["--role", "operator"]);
    assert!(!output.status.success() && said(&output).contains("is taken"), "{}", said(&output));
}

async fn a_removed_user_stays_removed(mut server: TestServer) {
    let issuer = set_up(&mut server).await;
    let before = signed_in(&server, &issuer).await;
    assert!(server.run(&["user", "remove", "maria"]).status.success());
    before.get("/console/account").await.expect(303);
    refused(&server, &issuer, 403, "a removed user", "was removed").await;
    // Also with another role.
    issuer.change(|behaviour| behaviour.claims = json!({ "sealwright_role": "operator" }));
    assert_eq!(by_provider(&server, &issuer).await.status, 403);
    assert_eq!(refusals(&server).await, [("maria".to_owned(), Some(8)), ("maria".to_owned(), Some(8))]);
    Person::new(&server).sign_in("maria", PASSWORD).await.expect(401);
    assert_eq!(users(&server).await, [("maria".to_owned(), "reviewer".to_owned(), Some(8))]);
    let sessions: Vec<(i64,)> = Rows::of(&server).await.all("select count(*) from console_sessions").await;
    assert_eq!(sessions, [(0,)]);
}
