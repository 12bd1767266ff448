//! Reads certificates with independent programs (Poppler, qpdf).

use std::{fs, io::ErrorKind, process::Command};

use serde_json::Value;

/// The content of a certificate.
pub(crate) struct PdfContent {
    pub(crate) text: String,
    /// The attachments that are JSON.
    pub(crate) json_attachments: Vec<Value>,
}

/// Checks a PDF's structure and reads its text and attachments. Prints a warning and returns `None` if a program is
/// missing.
///
/// If a program rejects the PDF, or is missing and the environment variable `CI` is set.
pub(crate) fn read(pdf: &[u8]) -> Option<PdfContent> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("certificate.pdf");
    fs::write(&file, pdf).expect("write the certificate");
    run(Command::new("qpdf").arg("--check").arg(&file))?;
    let text = run(Command::new("pdftotext").arg(&file).arg("-"))?;
    let attachments = folder.path().join("attachments");
    fs::create_dir(&attachments).expect("a folder for the attachments");
    run(Command::new("pdfdetach").arg("-saveall").arg("-o").arg(&attachments).arg(&file))?;
    let json_attachments = fs::read_dir(&attachments)
        .expect("read the folder of the attachments")
        .map(|entry| fs::read(entry.expect("read the folder of the attachments").path()).expect("read an attachment"))
        .filter_map(|bytes| serde_json::from_slice(&bytes).ok())
        .collect();
    Some(PdfContent { text, json_attachments })
}

fn run(command: &mut Command) -> Option<String> {
    match command.output() {
        Ok(output) => {
            assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            super::skip_loudly(&format!(
                "{} is missing (Debian: poppler-utils, qpdf)",
                command.get_program().display()
            ));
            None
        }
        Err(error) => panic!("{command:?}: {error}"),
    }
}
