//! Real files. They are not part of the product; if they are missing, these tests are skipped.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sealwright_facts::{Facts, Reading, UnreadableReason};

use crate::support::facts;

fn folder(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures").join(name);
    if !folder.is_dir() {
        eprintln!("SKIPPED, NOT TESTED: {} is missing", folder.display());
        return None;
    }
    Some(folder)
}

fn read(folder: &Path, name: &str) -> Facts {
    facts(&fs::read(folder.join(name)).unwrap())
}

#[test]
fn real_documents_are_read() {
    let Some(folder) = folder("documents") else { return };
    for (name, producer, words) in [
        ("crazyones-pdfa.pdf", "", "crazy"),
        ("minimal-document.pdf", "pdfTeX", ""),
        ("002-trivial-libre-office-writer.pdf", "LibreOffice", ""),
        ("pdflatex-4-pages.pdf", "pdfTeX", ""),
        ("google-doc-document.pdf", "Skia", ""),
        ("reportlab-overlay.pdf", "PyPDF2", ""),
    ] {
        let facts = read(&folder, name);
        assert_eq!(facts.reading, Reading::Complete, "{name}");
        let pdf = facts.pdf.as_ref().unwrap();
        assert!(
            pdf.information.producer.as_deref().unwrap_or_default().contains(producer),
            "{name}: {:?}",
            pdf.information
        );
        assert_eq!(pdf.revisions.len(), 1, "{name}: {:?}", pdf.revisions);
        assert_eq!(pdf.bytes_behind_end, 0, "{name}");
        let runs = facts.pages.iter().flat_map(|page| &page.text);
        let text = runs.map(|run| run.text.as_str()).collect::<Vec<_>>().join(" ");
        assert!(text.len() > 5 && text.contains(words), "{name}: {text:?}");
        let unmapped: u32 = facts.pages.iter().flat_map(|page| &page.text).map(|run| run.unmapped).sum();
        assert_eq!(unmapped, 0, "{name}");
    }
}

#[test]
fn a_password_is_detected_and_a_form_is_listed() {
    let Some(folder) = folder("documents") else { return };
    let locked = read(&folder, "libreoffice-writer-password.pdf");
    assert_eq!(locked.reading, Reading::Unreadable { reason: UnreadableReason::Encrypted });
    let form = read(&folder, "libreoffice-form.pdf");
    assert!(!form.pdf.unwrap().form_fields.is_empty());
}

#[test]
fn real_photos_have_camera_time_and_place() {
    let Some(folder) = folder("photos") else { return };
    let nikon = read(&folder, "DSCN0010.jpg").image.unwrap();
    let exif = nikon.exif.unwrap();
    assert_eq!(exif.camera_model.as_deref(), Some("COOLPIX P6000"));
    let position = exif.position.unwrap();
    assert!((43_460_000..43_470_000).contains(&position.latitude), "{position:?}");
    assert!((11_880_000..11_890_000).contains(&position.longitude), "{position:?}");
    assert_eq!(exif.captured.unwrap().local.as_deref(), Some("2008-10-22T16:28:39"));
    assert!(nikon.editors.is_empty(), "{:?}", nikon.editors);
    let edited = read(&folder, "Canon_40D_photoshop_import.jpg").image.unwrap();
    assert!(edited.editors.iter().any(|editor| editor.program == "GIMP"), "{:?}", edited.editors);
    let untouched = read(&folder, "Canon_40D.jpg").image.unwrap();
    assert_eq!(untouched.exif.unwrap().camera_model.as_deref(), Some("Canon EOS 40D"));
}

#[test]
fn damaged_photos_do_not_panic() {
    let Some(folder) = folder("photos") else { return };
    for name in ["corrupted.jpg", "image00971.jpg", "image01551.jpg"] {
        read(&folder, name);
    }
}
