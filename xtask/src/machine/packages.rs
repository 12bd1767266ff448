//! What `cargo xtask dist` copies into container images.

use anyhow::{Result, ensure};

use super::{
    Install,
    debian::{self, Package, Sign},
};

const AUTHORITIES: Package =
    Package { name: "ca-certificates", sign: Sign::File("/etc/ssl/certs/ca-certificates.crt") };
/// The languages that the server reads; English comes with the program.
const TEXT_RECOGNITION: [Package; 7] = [
    Package { name: "tesseract-ocr", sign: Sign::File("/usr/bin/tesseract") },
    Package { name: "tesseract-ocr-deu", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/deu.traineddata") },
    Package { name: "tesseract-ocr-fra", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/fra.traineddata") },
    Package { name: "tesseract-ocr-ita", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/ita.traineddata") },
    Package { name: "tesseract-ocr-nld", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/nld.traineddata") },
    Package { name: "tesseract-ocr-por", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/por.traineddata") },
    Package { name: "tesseract-ocr-spa", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/spa.traineddata") },
];

/// Installs what is missing.
///
/// # Errors
/// Something is missing and cannot be installed, or may not.
pub(crate) fn prepare(install: Install, with_text_recognition: bool) -> Result<()> {
    let recognition = TEXT_RECOGNITION.iter().filter(|_| with_text_recognition);
    let needed = std::iter::once(&AUTHORITIES).chain(recognition);
    let missing: Vec<&str> = needed.filter(|package| package.is_missing()).map(|it| it.name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    ensure!(install.is_allowed(), "packages are missing: apt-get install {}", missing.join(" "));
    debian::install(&missing)
}
