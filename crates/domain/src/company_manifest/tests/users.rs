//! Users, their secrets, and identifiers that are used once.

use sealwright_base::toml_reader::Severity;

use super::*;

#[test]
fn a_subject_of_the_provider_names_one_field_user() {
    let user = |id: &str, kind: &str, more: &str| format!("[[user]]\nid = \"{id}\"\nkind = \"{kind}\"\n{more}");
    let subject = "oidc_subject = \"auth0|1\"\n";
    assert_eq!(warnings_after_company(&user("u", "field", subject)), "");
    let two = user("u", "field", subject) + &user("v", "field", subject);
    insta::assert_snapshot!(problems_after_company(&two), @r#"acme.toml:11: user[1].oidc_subject: found "auth0|1", expected one that is not used yet: line 7 already has it"#);
    let login = "username = \"n\"\npassword = \"p\"\n";
    insta::assert_snapshot!(problems_after_company(&user("u", "api", &format!("{login}{subject}"))), @"acme.toml:9: user[0].oidc_subject: only a user of kind `field` can sign in through the OpenID Connect provider");
    insta::assert_snapshot!(problems_after_company(&user("u", "field", "oidc_subject = \" 1\"\n")), @r#"acme.toml:7: user[0].oidc_subject: found " 1", expected the claim `sub` of the person at the provider: 1 to 255 visible ASCII characters"#);
}

#[test]
fn an_api_user_logs_in_and_a_field_user_may() {
    insta::assert_snapshot!(problems_after_company("[[user]]\nid = \"u\"\nkind = \"api\"\n"), @r#"
    acme.toml:4: user[0].username: missing, expected a username and a password, which an API user needs to get a token
    acme.toml:4: user[0].password: missing, expected a username and a password, which an API user needs to get a token
    "#);
    insta::assert_snapshot!(problems_after_company("[[user]]\nid = \"u\"\nkind = \"field\"\nusername = \"n\"\n"), @r#"acme.toml:4: user[0].password: missing, expected `password` or `password_hash` to go with the username"#);
    insta::assert_snapshot!(problems_after_company("[[user]]\nid = \"u\"\nkind = \"field\"\npassword = \"p\"\n"), @r#"acme.toml:4: user[0].username: missing, expected the name that goes with the password"#);
    assert_eq!(warnings_after_company("[[user]]\nid = \"u\"\nkind = \"field\"\n"), "");
}

#[test]
fn a_password_is_given_once_and_a_hash_is_argon2id() {
    let user = "[[user]]\nid = \"u\"\nkind = \"api\"\nusername = \"n\"\n";
    insta::assert_snapshot!(problems_after_company(&format!("{user}password = \"p\"\npassword_hash = \"h\"\n")), @r#"
    acme.toml:4: user[0]: expected either `password` or `password_hash`, found both
    acme.toml:9: user[0].password_hash: the secret is not an Argon2id hash as a PHC string ($argon2id$v=19$m=…,t=…,p=…$…$…)
    "#);
    insta::assert_snapshot!(problems_after_company(&format!("{user}password = \"p\"\npassword_env = \"P\"\n")), @r#"acme.toml:4: user[0]: expected only one of `password`, `password_env` or `password_file`"#);
    insta::assert_snapshot!(problems_after_company(&format!("{user}password_hash = \"$2b$12$abc\"\n")), @r#"acme.toml:8: user[0].password_hash: the secret is not an Argon2id hash as a PHC string ($argon2id$v=19$m=…,t=…,p=…$…$…)"#);
    let hash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$3B0KkYKfJQHCVkNsqYqX4uwjGzzQjFIlVQXV1PpxQ5o";
    assert_eq!(warnings_after_company(&format!("{user}password_hash = \"{hash}\"\n")), "");
}

#[test]
fn no_message_shows_a_secret() {
    let user = "[[user]]\nid = \"u\"\nkind = \"api\"\nusername = \"n\"\n";
    for secret in ["password = 31337", "password_hash = \"hunter2\"", "password = [\"hunter2\"]"] {
        let reported = problems_after_company(&format!("{user}{secret}\n"));
        assert!(!reported.contains("hunter2") && !reported.contains("31337"), "{reported}");
        assert!(reported.starts_with("acme.toml:8: user[0].password"), "{reported}");
    }
    let source = "[webhook.case]\nendpoint = \"https://a.example/\"\nauth_token = \"hun ter2\"\n";
    insta::assert_snapshot!(problems_after_company(source), @r#"acme.toml:6: webhook.case.auth_token: the secret is not 1 to 4096 visible ASCII characters"#);
}

#[test]
fn users_frames_and_steps_have_unique_identifiers() {
    let user = |id: &str, email: &str| {
        format!("[[user]]\nid = \"{id}\"\nkind = \"field\"\nusername = \"n\"\npassword = \"p\"\nemail = \"{email}\"\n")
    };
    let users = [user("u", "a@b.example"), user("u", "A@B.example")].concat();
    insta::assert_snapshot!(problems_after_company(&users), @r#"
    acme.toml:11: user[1].id: found "u", expected one that is not used yet: line 5 already has it
    acme.toml:13: user[1].username: found "n", expected one that is not used yet: line 7 already has it
    acme.toml:15: user[1].email: found "A@B.example", expected one that is not used yet: line 9 already has it
    "#);
    let step = "[[frame.step]]\nid = 5\ntitle = \"t\"\naction = \"TIME\"\n";
    let frame = |id: i64| format!("[[frame]]\nid = {id}\nname = \"f\"\n{step}");
    insta::assert_snapshot!(problems_after_company(&[frame(1), frame(1)].concat()), @r#"acme.toml:12: frame[1].id: found the number 1, expected one that is not used yet: line 5 already has it"#);
    insta::assert_snapshot!(problems_after_company(&[&frame(1), step].concat()), @r#"acme.toml:12: frame[0].step[1].id: found the number 5, expected one that is not used yet: line 8 already has it"#);
    assert_eq!(warnings_after_company(&[frame(1), frame(2)].concat()), "", "two frames may have a step 5");
}

#[test]
fn companies_applied_together_do_not_share_identifiers() {
    let company = |file: &str, id: i64, rest: &str| {
        let source = format!("[company]\nid = {id}\nname = \"c\"\n{rest}");
        parse(file, &source, &WITHOUT_FILES).unwrap().value
    };
    let user = "[[user]]\nid = \"u\"\nkind = \"field\"\nusername = \"n\"\npassword = \"p\"\n";
    let frame = "[[frame]]\nid = 70\nname = \"f\"\n";
    let problems = check_together(&[
        company("a.toml", 7, &[user, frame].concat()),
        company("b.toml", 8, &[frame, user].concat()),
        company("c.toml", 7, ""),
    ]);
    assert!(problems.iter().all(|problem| problem.severity == Severity::Error));
    let reported = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(reported, @r#"
    b.toml:7: user "u" is already in a.toml, line 4; expected one that no other file has
    b.toml:7: username "n" is already in a.toml, line 4; expected one that no other file has
    b.toml:4: frame 70 is already in a.toml, line 9; expected one that no other file has
    c.toml:1: company 7 is already in a.toml, line 1; expected one that no other file has
    "#);
}
