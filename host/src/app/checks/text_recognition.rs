//! Whether the text of scans and photos can be read, and in which languages.

use sealwright_facts::ocr::{LANGUAGES, Language, Tesseract};

use super::check::Check;

pub(in crate::app) async fn check() -> Check {
    const PART: &str = "text recognition";
    let remedy = |missing: &[&Language]| {
        let packages: Vec<String> = missing.iter().map(|language| language.package()).collect();
        format!(
            "install Tesseract with the languages of your documents (Debian: tesseract-ocr {}); without it scans and \
             photos of documents are kept, but their text is not read",
            packages.join(" ")
        )
    };
    let read: Vec<&Language> = LANGUAGES.iter().filter(|language| language.is_read).collect();
    let Some(found) = tokio::task::spawn_blocking(Tesseract::installed).await.ok().flatten() else {
        return Check::doubtful(PART, "Tesseract is not in PATH, or has no language", remedy(&read));
    };
    let missing: Vec<&Language> = read.into_iter().filter(|language| !found.languages().contains(language)).collect();
    let names = |languages: &[&Language]| languages.iter().map(|language| language.name).collect::<Vec<_>>().join(", ");
    let finding = format!("{}, {}", found.program().display(), names(found.languages()));
    if missing.iter().any(|language| ["fra", "eng"].contains(&language.code)) {
        return Check::doubtful(PART, format!("{finding}; not {}", names(&missing)), remedy(&missing));
    }
    let also = if missing.is_empty() { String::new() } else { format!("; not installed: {}", packages(&missing)) };
    Check::good(PART, finding + &also)
}

/// `German (tesseract-ocr-deu), Spanish (tesseract-ocr-spa)`.
fn packages(languages: &[&Language]) -> String {
    let named = |language: &&Language| format!("{} ({})", language.name, language.package());
    languages.iter().map(named).collect::<Vec<_>>().join(", ")
}
