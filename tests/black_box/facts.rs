//! Reading a file with `sealwright facts`: it runs in its own process, so that a hostile file cannot bring down the
//! server.

use std::{
    fs,
    process::Output,
    time::{Duration, Instant},
};

use sealwright_lab::{Person, PhotoOptions, energy_bill, photo};
use serde_json::{Value, json};

use crate::support::{TestServer, on_sqlite, server::said};

on_sqlite!(
    facts_of_a_document_and_of_a_photo_are_printed,
    a_hostile_file_gets_an_answer,
    missing_text_recognition_is_reported,
);

fn run(server: &TestServer, name: &str, file: &[u8], arguments: &[&str]) -> Output {
    let path = server.folder().join(name);
    fs::write(&path, file).unwrap();
    let started = Instant::now();
    let output = server.run(&[&["facts", path.to_str().unwrap()], arguments].concat());
    assert!(started.elapsed() < Duration::from_mins(4), "{name} took {:?}", started.elapsed());
    assert!(output.status.success(), "{name}: {}", said(&output));
    output
}

fn facts(server: &TestServer, name: &str, file: &[u8]) -> Value {
    serde_json::from_slice(&run(server, name, file, &["--json", "--pictures-only"]).stdout).expect("JSON")
}

async fn facts_of_a_document_and_of_a_photo_are_printed(server: TestServer) {
    let person = Person::invented(3);
    let bill = energy_bill(&person, 3).unwrap();
    let facts = facts(&server, "bill.pdf", &bill);
    assert_eq!(facts["reading"]["state"], "complete");
    assert_eq!(facts["pdf"]["revisions"].as_array().unwrap().len(), 1);
    let text = facts["pages"][0]["text"].to_string();
    assert!(text.contains(&person.last_name) || text.contains(&person.last_name.to_uppercase()), "{text}");
    let printed = String::from_utf8(run(&server, "bill.pdf", &bill, &[]).stdout).unwrap();
    assert!(printed.contains("1 revisions") && printed.contains("font "), "{printed}");

    let photo = photo(&PhotoOptions::default()).unwrap();
    let facts = self::facts(&server, "photo.jpg", &photo);
    assert_eq!(facts["image"]["pixels"]["dctHash"].as_str().unwrap().len(), 16, "{facts}");
    let missing = server.run(&["facts", "/nowhere/at/all.pdf"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("/nowhere/at/all.pdf"));
}

async fn a_hostile_file_gets_an_answer(server: TestServer) {
    let reason = |name: &str, file: &[u8]| {
        let facts = facts(&server, name, file);
        assert_eq!(facts["reading"]["state"], "unreadable", "{name}");
        facts["reading"]["reason"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason("text.txt", b"no document"), "unknownKind");
    assert_eq!(reason("empty.pdf", b"%PDF-1.7"), "malformed");
    let objects = format!("%PDF-1.7\n{}", "9 0 obj<<>>endobj\n".repeat(1_000_000));
    assert_eq!(reason("objects.pdf", objects.as_bytes()), "tooManyObjects");
    assert_eq!(reason("large.pdf", &[b"%PDF-1.7".to_vec(), vec![0; 33 << 20]].concat()), "fileTooLarge");
    // The process that reads the file may fail; the program that started it may not.
    let nested = format!("%PDF-1.7\n1 0 obj{}", "<</A".repeat(200_000));
    let answered = facts(&server, "nested.pdf", nested.as_bytes());
    assert_ne!(answered["reading"]["state"], "complete");
}

async fn missing_text_recognition_is_reported(mut server: TestServer) {
    server.set("PATH", "/nowhere");
    let photo = photo(&PhotoOptions::default()).unwrap();
    let output = run(&server, "photo.jpg", &photo, &["--json"]);
    let facts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(facts["reading"]["state"], "complete");
    assert_eq!((&facts["ocr"]["state"], &facts["ocr"]["unread"]), (&json!("unavailable"), &json!([1])));
    let output = server.run(&["doctor", "--json"]);
    assert!(output.status.success(), "it is not an error: {}", said(&output));
    let diagnosis: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let check =
        diagnosis["checks"].as_array().unwrap().iter().find(|check| check["part"] == "text recognition").unwrap();
    assert_eq!(check["state"], "doubtful", "{check}");
    assert!(check["remedy"].as_str().unwrap().contains("tesseract-ocr"), "{check}");
}
