//! The programs that the tests use. All are optional on a developer's machine: a test that lacks one prints that it is
//! skipped. With `CI` set, they are required.

use std::env;

use anyhow::Result;

use super::{
    Install,
    debian::{self, Package, Sign},
};

const PACKAGES: [Package; 25] = [
    Package { name: "postgresql", sign: Sign::File("/usr/lib/postgresql/*/bin/initdb") },
    Package { name: "poppler-utils", sign: Sign::Program("pdftotext") },
    Package { name: "qpdf", sign: Sign::Program("qpdf") },
    Package { name: "openssl", sign: Sign::Program("openssl") },
    Package { name: "softhsm2", sign: Sign::File("/usr/lib/softhsm/libsofthsm2.so") },
    Package { name: "tesseract-ocr", sign: Sign::Program("tesseract") },
    Package { name: "tesseract-ocr-fra", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/fra.traineddata") },
    Package { name: "tesseract-ocr-deu", sign: Sign::File("/usr/share/tesseract-ocr/*/tessdata/deu.traineddata") },
    Package { name: "unzip", sign: Sign::Program("unzip") },
    Package { name: "libarchive-tools", sign: Sign::Program("bsdtar") },
    // The units of the Debian package are rated, and a release is signed.
    Package { name: "systemd", sign: Sign::Program("systemd-analyze") },
    Package { name: "openssh-client", sign: Sign::Program("ssh-keygen") },
    // The pages are tried in real browsers.
    Package { name: "chromium", sign: Sign::Program("chromium") },
    Package { name: "chromium-driver", sign: Sign::Program("chromedriver") },
    Package { name: "firefox-esr", sign: Sign::Program("firefox-esr") },
    Package { name: "webkit2gtk-driver", sign: Sign::Program("WebKitWebDriver") },
    // The test browser of WebKit needs a screen.
    Package { name: "xvfb", sign: Sign::Program("Xvfb") },
    // The tests run the commands of the guides.
    Package { name: "curl", sign: Sign::Program("curl") },
    Package { name: "jq", sign: Sign::Program("jq") },
    Package { name: "nodejs", sign: Sign::Program("node") },
    Package { name: "php-cli", sign: Sign::Program("php") },
    // For the generator of a client, and for a judge of evidence records.
    Package { name: "default-jdk-headless", sign: Sign::Program("javac") },
    Package { name: "libbcpkix-java", sign: Sign::File("/usr/share/java/bcpkix.jar") },
    Package { name: "python3", sign: Sign::Program("python3") },
    Package { name: "python3-venv", sign: Sign::PythonModule("ensurepip") },
];
/// Separate, because it conflicts with Node.js from other sources.
const NPM: Package = Package { name: "npm", sign: Sign::Program("npm") };

/// Installs what is missing if that is allowed. What is not available is reported, and is an error with `CI` set.
pub(crate) fn prepare(install: Install) -> Result<()> {
    let missing: Vec<&str> = PACKAGES.iter().filter(|package| package.is_missing()).map(|it| it.name).collect();
    if !missing.is_empty() {
        if install.is_allowed() {
            let installed = debian::install(&missing);
            match installed {
                Err(error) if env::var_os("CI").is_some() => return Err(error),
                Err(error) => eprintln!("{error:#}\nTests that need one of these are skipped"),
                Ok(()) => {}
            }
        } else {
            eprintln!("Not installed, so tests that need one are skipped: {}", missing.join(" "));
        }
    }
    if NPM.is_missing() && (!install.is_allowed() || debian::install(&[NPM.name]).is_err()) {
        eprintln!("Without npm, plugins in JavaScript are not tested");
    }
    Ok(())
}
