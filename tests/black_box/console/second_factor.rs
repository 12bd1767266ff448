//! Codes of an authenticator app: setting it up, signing in with them, and how many guesses there are.

use std::process::Command;

use super::{
    PASSWORD, Person, must_add_user,
    person::{csrf, value_of},
};
use crate::support::{TestServer, company_manifest::acme_on, on_both_databases, rows::Rows, server::said};

on_both_databases!(a_second_factor_is_asked_for_and_each_code_counts_once);

async fn a_second_factor_is_asked_for_and_each_code_counts_once(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "maria", &["--role", "viewer", "--company", "7"]);
    let maria = Person::signed_in(&server, "maria").await;
    let page = maria.post("/console/account/second-factor/start", &[]).await.expect(200).text();
    assert!(page.contains("<svg"), "{page}");
    let secret = page.split_once("<code>").unwrap().1.split_once("</code>").unwrap().0.to_owned();
    let sealed = value_of(&page, "name=\"sealed\" value=\"");
    let code = one_time_code(&secret);
    let enable = "/console/account/second-factor/enable";
    for (password, code, problem) in
        [(PASSWORD, "000000", "the code is wrong"), ("wrong", code.as_str(), "current password: wrong")]
    {
        let fields = [("sealed", sealed.as_str()), ("code", code), ("password", password)];
        let wrong = maria.post(enable, &fields).await.expect(400).text();
        assert!(wrong.contains(problem) && wrong.contains(&secret), "the same secret is shown again: {wrong}");
    }
    let right = [("sealed", sealed.as_str()), ("code", code.as_str()), ("password", PASSWORD)];
    maria.post(enable, &right).await.expect(303);
    let stored: Vec<(String,)> = Rows::of(&server).await.all("select totp_secret from console_users").await;
    assert!(!stored[0].0.contains(&secret));
    // A stolen session cannot replace it.
    for (path, fields) in [("start", vec![]), ("enable", right.to_vec())] {
        let answer = maria.post(&format!("/console/account/second-factor/{path}"), &fields).await.expect(400).text();
        assert!(answer.contains("a second factor is on"), "{answer}");
    }

    let mut again = Person::new(&server);
    let answer = again.sign_in("maria", PASSWORD).await.expect(303);
    assert!(answer.header("location").unwrap().starts_with("/console/second-factor"));
    let half = again.cookie.clone();
    // Half signed in is not signed in.
    for path in ["/console/cases", "/console/account", "/console/cases/1"] {
        assert_eq!(again.get(path).await.expect(303).header("location"), Some("/console/second-factor"));
    }
    let token = csrf(&again.get("/console/second-factor").await.expect(200));
    // The code that set it up is used.
    let used = again.send_form("/console/second-factor", &[("csrf", &token), ("code", &code)]).await.expect(400);
    assert!(used.text().contains("used before"));
    Rows::change(&server, "update console_users set totp_step = 0").await;
    let answer =
        again.send_form("/console/second-factor", &[("csrf", &token), ("code", &one_time_code(&secret))]).await;
    let cookie = answer.expect(303).header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_ne!(cookie, half, "the token stays the same");
    again.cookie = cookie;
    again.get("/console/account").await.expect(200);
    // After five wrong codes the password is asked for again.
    let mut guesser = Person::new(&server);
    guesser.sign_in("maria", PASSWORD).await.expect(303);
    let token = csrf(&guesser.get("/console/second-factor").await.expect(200));
    for guess in 0..5 {
        let status = if guess < 4 { 400 } else { 303 };
        guesser.send_form("/console/second-factor", &[("csrf", &token), ("code", "123")]).await.expect(status);
    }
    assert!(guesser.get("/console/second-factor").await.expect(303).header("location").unwrap().contains("sign-in"));
    // Other sessions do not give more guesses: these are the 7th to the 21st.
    let mut last = String::new();
    for _ in 0..3 {
        let mut guesser = Person::new(&server);
        guesser.sign_in("maria", PASSWORD).await.expect(303);
        let token = csrf(&guesser.get("/console/second-factor").await.expect(200));
        for _ in 0..5 {
            last = guesser.send_form("/console/second-factor", &[("csrf", &token), ("code", "123")]).await.text();
        }
    }
    assert!(last.contains("too many wrong attempts"), "{last}");
    // Nor does a session that is signed in: even the right code is not looked at.
    let fields = [("code", one_time_code(&secret))];
    let fields = fields.each_ref().map(|(name, code)| (*name, code.as_str()));
    let refused = again.post("/console/account/second-factor/disable", &fields).await.expect(400).text();
    assert!(refused.contains("too many wrong attempts"), "{refused}");
    // Someone who has lost the telephone asks the operator.
    let name = "CONSOLE_TEST_PASSWORD";
    let reset = |password| server.run_with(&["user", "reset", "maria", "--password-env", name], &[(name, password)]);
    assert!(!reset("short").status.success());
    again.get("/console/account").await.expect(200);
    assert!(reset("a heron at low tide").status.success());
    again.get("/console/account").await.expect(303);
    let answer = Person::new(&server).sign_in("maria", "a heron at low tide").await.expect(303);
    assert_eq!(answer.header("location"), Some("/console/cases"));
}

/// The code of now, calculated by another implementation than the server's.
fn one_time_code(secret: &str) -> String {
    let output =
        Command::new("python3").args(["-c", TOTP, secret]).output().expect("python3 is there, as for other tests");
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

const TOTP: &str = "
import base64, hmac, struct, sys, time
secret = sys.argv[1]
key = base64.b32decode(secret + '=' * (-len(secret) % 8))
mac = hmac.digest(key, struct.pack('>Q', int(time.time()) // 30), 'sha1')
start = mac[-1] & 15
print('%06d' % ((struct.unpack('>I', mac[start:start + 4])[0] & 0x7fffffff) % 1000000))
";
