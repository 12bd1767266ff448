//! Reads the state at the end of the year: certificates at their public addresses, each checked by `verify`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{api::Api, check::Seen, installation::Installation};
use crate::{evidence::SeenCertificate, inspect::sealed_item};

pub(super) struct Gatherer<'a> {
    pub(super) installation: &'a Installation,
    pub(super) anonymous: &'a Api,
    /// For the certificates.
    pub(super) folder: PathBuf,
    /// The root of inherited certificates from outside.
    pub(super) outside_root: PathBuf,
}

impl Gatherer<'_> {
    /// What the address of a certificate answers.
    pub(super) async fn look(&self, path: &str, is_from_outside: bool) -> anyhow::Result<Seen> {
        let answer = self.anonymous.get(path).await?;
        if answer.status != 200 {
            return Ok(Seen { status: answer.status, certificate: None });
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        let (pdf, record) = (self.folder.join(format!("{name}.pdf")), self.folder.join(format!("{name}.ers")));
        fs::write(&pdf, &answer.body)?;
        let evidence = self.anonymous.get(&format!("{path}/evidence")).await?;
        let mut arguments = vec!["verify".to_owned(), shown(&pdf), "--json".to_owned()];
        if evidence.status == 200 {
            fs::write(&record, &evidence.body)?;
            arguments.extend(["--evidence".to_owned(), shown(&record)]);
        }
        if is_from_outside {
            arguments.extend(["--trust".to_owned(), shown(&self.outside_root)]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = self.installation.run(&arguments)?;
        let certificate = match serde_json::from_slice::<Value>(&output.stdout) {
            Ok(report) => Ok(read(&report, &answer.body)),
            Err(error) => Err(format!("verify: {error}: {}", String::from_utf8_lossy(&output.stderr))),
        };
        Ok(Seen { status: 200, certificate: Some(certificate) })
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn read(report: &Value, pdf: &[u8]) -> SeenCertificate {
    let outcome = report["outcome"].as_str().unwrap_or("not checked");
    let messages = report["findings"].as_array().into_iter().flatten().filter_map(|it| it["message"].as_str());
    SeenCertificate {
        sha256: hex::encode(Sha256::digest(pdf)),
        // The reasons go to the report on the year.
        outcome: if outcome == "valid" {
            outcome.to_owned()
        } else {
            format!("{outcome} ({})", messages.collect::<Vec<_>>().join("; "))
        },
        manifest_sha256: report["manifest"]["sha256"].as_str().unwrap_or_default().to_owned(),
        items: report["items"].as_array().into_iter().flatten().filter_map(sealed_item).collect(),
    }
}
