//! `sealwright verify` on the package of a case, genuine and changed (decisions 9, verification.md).

use std::fs;

use serde_json::json;

use crate::support::{
    TestServer,
    asice::{ForgedPackage, forgeries, package},
    company_manifest::acme_on,
    evidence::photo,
    on_both_databases,
    proofs::{Sealer, assert_finding, checked},
    server::said,
};

on_both_databases!(
    decisions_9_a_package_is_checked_with_everything_in_it,
    decisions_9_every_known_change_of_a_package_is_detected,
);

async fn decisions_9_a_package_is_checked_with_everything_in_it(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let package = package(&api, 1).await;
    // The command needs no server.
    server.kill();
    let report = checked(&server, "case.asice", &package, &[], 0);
    assert_eq!((&report["outcome"], &report["level"]), (&json!("valid"), &json!("B-LTA")), "{report}");
    assert_eq!(report["file"]["size"], package.len(), "{report}");
    assert_eq!(report["package"]["timeStamp"]["state"], "trusted", "{report}");
    assert!(
        report["package"]["timeStamp"]["time"].is_string() && report["package"]["log"]["index"].is_u64(),
        "{report}"
    );
    assert_eq!(report["pages"]["state"], "agree", "{report}");
    let names: Vec<&str> =
        report["package"]["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    let original = names.iter().find(|name| name.starts_with("originals/")).unwrap();
    let photos = report["items"].as_array().unwrap().iter().find(|item| item["file"].is_object()).unwrap();
    assert_eq!(photos["originals"], json!([original]));

    let printed = |arguments: &[&str], code: i32| {
        let output = server.run(&[&["verify", "case.asice"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
        said(&output).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = printed(&["--etsi", "report.xml"], 0);
    for expected in [
        "This certificate is valid.",
        &format!("Files in the package: {}.", names.len()),
        "The seal is in the log of seals",
        &format!("The file {original} is the one that was sealed as ITM-"),
        "The package",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let validation = fs::read_to_string(server.folder().join("report.xml")).unwrap();
    assert!(validation.contains("mainindication:total-passed") && validation.contains("id=\"package-time-stamp\""));
    assert!(printed(&["--language", "de"], 0).contains("Dateien im Paket:"));
    assert!(printed(&["--language", "fr"], 0).contains("Fichiers du paquet"));
    let text = printed(&["--data-dir", "elsewhere"], 2);
    assert!(text.contains("not everyone behind it is trusted here"), "{text}");

    // A file that is given by hand is compared too.
    fs::write(server.folder().join("photo.jpg"), photo(1).bytes).unwrap();
    fs::write(server.folder().join("other.jpg"), photo(2).bytes).unwrap();
    assert!(printed(&["photo.jpg"], 0).contains("The file photo.jpg is the one that was sealed as ITM-"));
    assert!(printed(&["other.jpg"], 1).contains("`other.jpg` is not one of the sealed files"));
}

async fn decisions_9_every_known_change_of_a_package_is_detected(mut server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let (own, other) = (package(&api, 1).await, package(&api, 2).await);
    let sealer = Sealer::of_server(&server);
    server.kill();
    let forged = forgeries(&own, &other, &|manifest| sealer.token(manifest));
    assert!(forged.len() >= 35, "{}", forged.len());
    for ForgedPackage { about, bytes } in &forged {
        fs::write(server.folder().join("changed.asice"), bytes).unwrap();
        let output = server.run(&["verify", "changed.asice", "--json"]);
        assert_eq!(output.status.code(), Some(1), "{about}: {}", said(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["outcome"], "changedOrNotOurs", "{about}: {report}");
    }
    let of = |about: &str| &forged.iter().find(|forged| forged.about == about).unwrap().bytes;
    for (about, finding) in [
        ("an original swapped", "is not one of the sealed files"),
        ("an original swapped, with the manifest", "the time stamp of the package does not count"),
        ("a file added", "is not in the manifest of the package"),
        ("an original removed", "is in the manifest, but not in the package"),
        ("an original removed, with the manifest and its time stamp", "is missing from the package"),
        ("a digest in the manifest changed", "is not the file that the manifest of the package names"),
        ("the certificate of another case under its name", "is not one of the sealed files"),
        ("two files of one name", "it has two files named"),
        ("another place in the directory", "its directory does not agree with its files"),
        ("cut in the middle", "it is cut off"),
        ("a bomb", "compressed"),
    ] {
        let report = checked(&server, "changed.asice", of(about), &[], 1);
        assert_finding(&report, finding);
    }
    fs::write(server.folder().join("changed.asice"), of("an original removed")).unwrap();
    let text = said(&server.run(&["verify", "changed.asice"])).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("The certificate in this package is valid, but the package was changed."), "{text}");
}
