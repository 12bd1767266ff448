//! What pages and commands say: companies by their names, problems of forms in the page's language, and a password that
//! is typed at a terminal.

use std::process::Command;

use hyper::Method;
use serde_json::json;

use super::{
    PASSWORD, Person, must_add_user,
    person::{csrf, url_encoded},
};
use crate::support::{
    Answer, TestServer,
    client::send,
    company_manifest::{SHORT_FRAME, acme_on},
    evidence::{close, open_case},
    on_both_databases,
    server::said,
};

on_both_databases!(
    what_a_form_gets_wrong_is_in_the_page_s_language,
    a_company_is_shown_by_its_name,
    a_password_typed_at_a_terminal_is_not_shown,
);

/// Sends a form as a browser in French does.
async fn post_in_french(person: &Person, path: &str, fields: &[(&str, &str)]) -> Answer {
    let token = csrf(&person.get("/console/account").await.expect(200));
    let mut fields = fields.to_vec();
    fields.push(("csrf", &token));
    let request = person.api.request(Method::POST, path).header("cookie", &person.cookie);
    let request = request.header("content-type", "application/x-www-form-urlencoded").header("accept-language", "fr");
    send(request.body(url_encoded(&fields))).await
}

async fn what_a_form_gets_wrong_is_in_the_page_s_language(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "root", &["--role", "operator"]);
    let root = Person::signed_in(&server, "root").await;
    let open = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let closed = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    close(&api, closed).await.expect(200);
    let (open, closed) = (format!("/console/cases/{open}"), format!("/console/cases/{closed}"));
    let long = "x".repeat(2001);
    let user = |username: &'static str, password: &'static str| {
        vec![("username", username), ("password", password), ("role", "operator"), ("company", "")]
    };
    let new = "seventeen herons";
    let digest = "0".repeat(64);
    let backtest = |field: &'static str, value: &'static str| {
        let fields = [("component", digest.as_str()), ("company", "7"), ("since", "30d"), ("limit", "1")];
        let mut fields: Vec<(&str, &str)> = fields.into_iter().filter(|(name, _)| *name != field).collect();
        fields.push((field, value));
        ("/console/backtests".to_owned(), fields)
    };
    let [component, time, settings] =
        [("component", ""), ("since", "soon"), ("settings", "[]")].map(|(field, value)| backtest(field, value));
    for (path, fields, english, french) in [
        (format!("{closed}/decision"), vec![], "choose accepted, rejected or returned", "choisissez accepté"),
        (
            format!("{closed}/decision"),
            vec![("outcome", "returned")],
            "a reason is required if a case is returned",
            "une raison est nécessaire si un dossier est renvoyé",
        ),
        (
            format!("{closed}/decision"),
            vec![("outcome", "accepted"), ("reason", long.as_str())],
            "at most 2000 characters",
            "au plus 2000 caractères",
        ),
        (format!("{open}/decision"), vec![("outcome", "accepted")], "the case is open", "le dossier est ouvert"),
        (format!("{open}/delete"), vec![("confirm", "no")], "enter the number of the case", "saisissez le numéro"),
        (format!("{open}/items/1/erase"), vec![], "choose why the item is erased", "choisissez pourquoi"),
        (
            format!("{open}/items/1/erase"),
            vec![("ground", "mistake"), ("confirm", "no")],
            "enter the number of the item, 1, to erase it",
            "saisissez le numéro de l’élément, 1, pour l’effacer",
        ),
        (format!("{open}/items/1/retake"), vec![], "enter one line of 1 to 500", "saisissez une ligne de 1 à 500"),
        (
            "/console/account/password".to_owned(),
            vec![("current", "wrong"), ("new", new)],
            "current password: wrong",
            "mot de passe actuel",
        ),
        (
            "/console/account/password".to_owned(),
            vec![("current", PASSWORD), ("new", "short")],
            "must have 12 to 1000 characters, and has 5",
            "de 12 à 1000 caractères, et en a 5",
        ),
        ("/console/users".to_owned(), user("root", new), "is taken", "est pris"),
        ("/console/users".to_owned(), user("with space", new), "letters, digits", "lettres, chiffres"),
        (
            "/console/links".to_owned(),
            vec![("frame", "7/71"), ("uses", "0")],
            "must be a number from 1 to 1000000",
            "un nombre de 1 à 1000000",
        ),
        ("/console/links".to_owned(), vec![], "choose one of the list", "choisissez-en un dans la liste"),
        (component.0, component.1, "component: choose one of the list", "composant"),
        (time.0, time.1, "expected a whole number", "un nombre entier suivi de"),
        (settings.0, settings.1, "expected a JSON object", "un objet JSON est attendu"),
        (
            "/console/account/second-factor/disable".to_owned(),
            vec![("code", "000000")],
            "the code is wrong",
            "le code est faux",
        ),
    ] {
        let page = root.post(&path, &fields).await.expect(400).text();
        assert!(page.contains(english) && page.contains("role=\"alert\" lang=\"en\""), "{path} {english}: {page}");
        let page = post_in_french(&root, &path, &fields).await.expect(400).text();
        assert!(page.contains(french) && page.contains("role=\"alert\" lang=\"fr\""), "{path} {french}: {page}");
        assert!(!page.contains(english), "{path} {english}: {page}");
    }
    // What only the server knows stays in English, and says so.
    let page = post_in_french(&root, &format!("{open}/attempts/999999/resend"), &[]).await.expect(400).text();
    assert!(page.contains("role=\"alert\" lang=\"en\""), "{page}");
}

async fn a_company_is_shown_by_its_name(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    must_add_user(&server, "boss", &["--role", "administrator", "--company", "7"]);
    must_add_user(&server, "vera", &["--role", "viewer", "--company", "7"]);
    must_add_user(&server, "root", &["--role", "operator"]);
    let boss = Person::signed_in(&server, "boss").await;
    let root = Person::signed_in(&server, "root").await;
    let account = boss.get("/console/account").await.expect(200).text();
    assert!(account.contains("<dd>Acme Insurance (7)</dd>"), "{account}");
    for person in [&boss, &root] {
        let users = person.get("/console/users").await.expect(200).text();
        assert!(users.contains("Viewer · Acme Insurance (7)"), "{users}");
    }
    assert!(root.get("/console/account").await.expect(200).text().contains("<dd>all</dd>"));
}

/// Types a line at the question of a command that has a terminal, and prints what the terminal shows.
const TERMINAL: &str = "
import os, pty, sys
typed, *words = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.execv(words[0], words)
shown = b''
while b'Password' not in shown or not shown.endswith(b': '):
    shown += os.read(terminal, 1024)
os.write(terminal, typed.encode() + b'\\n')
try:
    while part := os.read(terminal, 1024):
        shown += part
except OSError:
    pass
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
";

async fn a_password_typed_at_a_terminal_is_not_shown(server: TestServer) {
    let (_api, _receiver) = acme_on(&server).await;
    let command = server.command(&["user", "add", "tess", "--role", "viewer", "--company", "7"]);
    let mut typist = Command::new("python3");
    typist.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    typist.args(["-c", TERMINAL, PASSWORD]).arg(command.get_program()).args(command.get_args());
    typist.current_dir(server.folder());
    let output = typist.output().expect("python3 is there, as for other tests");
    let said = said(&output);
    assert!(output.status.success() && said.contains("tess is added"), "{said}");
    assert!(!said.contains(PASSWORD), "{said}");
    Person::signed_in(&server, "tess").await;
}
