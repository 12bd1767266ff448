//! `sealwright plugin new`: creates a project that builds, tests and runs, in one of three languages.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{Output, run::read_role};
use crate::plugins::{NAME_RULE, Role, is_built_in_name, is_plugin_name};

/// Create a plugin project, with a working example, its test, a sample to run it on, and the contract
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sealwright plugin new club-cards --role document-type --lang rust
  sealwright plugin new late-items --role signal --lang python")]
pub struct NewArguments {
    /// The name of the plugin and of the folder to create: a-z, 0-9 and -, starting with a letter
    #[arg(value_name = "NAME", value_parser = read_name)]
    name: String,

    /// The plugin's role: webhook-auth, document-type, cross-check, falsification or signal
    #[arg(long, value_name = "ROLE", value_parser = read_role)]
    role: Role,

    #[arg(long, value_name = "LANGUAGE")]
    lang: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    Rust,
    #[value(alias = "js")]
    Javascript,
    Python,
}

/// A file's path in its folder, and its text.
type File = (&'static str, &'static str);

/// The contract, and the SDK's sources.
const CONTRACT: &[File] = include!(concat!(env!("OUT_DIR"), "/contract.rs"));
const SDK: &[File] = include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

macro_rules! kit {
    ($file:expr) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kit/", $file))
    };
}

/// The source and the test of a role in a language.
macro_rules! sources {
    ($role:expr, $folder:literal, $source:literal, $test:literal) => {
        match $role {
            Role::WebhookAuth => {
                (kit!(concat!($folder, "webhook-auth", $source)), kit!(concat!($folder, "webhook-auth", $test)))
            }
            Role::DocumentType => {
                (kit!(concat!($folder, "document-type", $source)), kit!(concat!($folder, "document-type", $test)))
            }
            Role::CrossCheck => {
                (kit!(concat!($folder, "cross-check", $source)), kit!(concat!($folder, "cross-check", $test)))
            }
            Role::Falsification => {
                (kit!(concat!($folder, "falsification", $source)), kit!(concat!($folder, "falsification", $test)))
            }
            Role::Signal => (kit!(concat!($folder, "signal", $source)), kit!(concat!($folder, "signal", $test))),
        }
    };
}

pub(super) fn run(arguments: &NewArguments, output: Output) -> anyhow::Result<ExitCode> {
    check_for_language(&arguments.name, arguments.lang)?;
    let folder = PathBuf::from(&arguments.name);
    ensure!(!folder.exists(), "{} already exists", folder.display());
    let mut written = Vec::new();
    for (file, text) in files(&arguments.name, arguments.role, arguments.lang) {
        write(&folder.join(&file), &text)?;
        written.push(file);
    }
    output.print(&NewProject { folder: folder.display().to_string(), files: written })?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

/// All files of a project, by path.
fn files(name: &str, role: Role, language: Language) -> Vec<(String, String)> {
    let (sample, sample_text) = match role {
        Role::WebhookAuth => ("sample.json", kit!("samples/body.json")),
        Role::Signal => ("sample.json", kit!("samples/case.json")),
        _ => ("sample.txt", kit!("samples/document.txt")),
    };
    let own: Vec<File> = match language {
        Language::Rust => {
            let (source, _) = sources!(role, "rust/src/", ".rs", ".rs");
            vec![
                ("Cargo.toml", kit!("rust/Cargo.toml.template")),
                ("src/lib.rs", source),
                ("vendor/sealwright-plugin-sdk/Cargo.toml", kit!("rust/sdk.toml.template")),
                (".gitignore", kit!("rust/gitignore")),
                ("README.md", kit!("rust/README.md.template")),
            ]
        }
        Language::Javascript => {
            let (source, test) = sources!(role, "javascript/", ".js", ".test.js");
            vec![
                ("package.json", kit!("javascript/package.json.template")),
                ("plugin.js", source),
                ("plugin.test.js", test),
                (".gitignore", kit!("javascript/gitignore")),
                ("README.md", kit!("javascript/README.md.template")),
            ]
        }
        Language::Python => {
            let (source, test) = sources!(role, "python/", ".py", ".test.py");
            vec![
                ("requirements.txt", kit!("python/requirements.txt")),
                ("plugin.py", source),
                ("test_plugin.py", test),
                (".gitignore", kit!("python/gitignore")),
                ("README.md", kit!("python/README.md.template")),
            ]
        }
    };
    let filled = |text: &str| {
        let text = text.replace("{{name}}", name).replace("{{module}}", &name.replace('-', "_"));
        let text = text.replace("{{role}}", role.into_str()).replace("{{summary}}", summary(role));
        text.replace("{{sample}}", sample).replace("{{arguments}}", arguments(role))
    };
    let under = |folder: &str, files: &[File]| -> Vec<(String, String)> {
        files.iter().map(|(file, text)| (format!("{folder}/{file}"), (*text).to_owned())).collect()
    };
    let mut files: Vec<_> = own.into_iter().map(|(file, text)| (file.to_owned(), filled(text))).collect();
    files.push((sample.to_owned(), sample_text.to_owned()));
    files.extend(under("wit", CONTRACT));
    if language == Language::Rust {
        files.extend(under("vendor/sealwright-plugin-sdk/src", SDK));
    }
    files
}

/// What the example does, in one line.
const fn summary(role: Role) -> &'static str {
    match role {
        Role::WebhookAuth => "Signs the body with HMAC-SHA256 into X-Signature",
        Role::DocumentType => "Recognises membership cards",
        Role::CrossCheck => "Reads and compares the number of a membership card",
        Role::Falsification => "Finds documents that are marked as a specimen",
        Role::Signal => "Finds items that arrived late",
    }
}

/// The arguments that `plugin run` needs in addition to the sample.
const fn arguments(role: Role) -> &'static str {
    match role {
        Role::WebhookAuth => " --secret s3cret",
        Role::CrossCheck => " --field documentNumber=1234",
        Role::DocumentType | Role::Falsification | Role::Signal => "",
    }
}

/// The contract's rule (`meta.description`), without names that a server would reject. A trailing hyphen and two in a
/// row are rejected too: a world in `wit/` cannot have such a name, and the author may want to name one after the
/// plugin.
fn read_name(text: &str) -> Result<String, String> {
    if !is_plugin_name(text) || text.ends_with('-') || text.contains("--") {
        return Err(format!("expected {NAME_RULE}, and a letter or digit on both sides of every -"));
    }
    if is_built_in_name(text) {
        return Err("a built-in plugin has this name, and a server loads no other plugin with it".to_owned());
    }
    Ok(text.to_owned())
}

/// Names that a plugin in Rust cannot have: the crates that it is built with.
const NOT_IN_RUST: [&str; 7] = ["alloc", "core", "proc-macro", "sealwright-plugin-sdk", "std", "test", "wit-bindgen"];

/// In JavaScript and Python the name is only a file's, so any name will do.
fn check_for_language(name: &str, language: Language) -> anyhow::Result<()> {
    ensure!(
        language != Language::Rust || !NOT_IN_RUST.contains(&name),
        "a plugin in Rust cannot be called {name}, because it needs a crate of this name: choose another name, for \
         example {name}-plugin"
    );
    Ok(())
}

/// What `plugin new` prints.
#[derive(Debug, Serialize)]
struct NewProject {
    folder: String,
    files: Vec<String>,
}

impl fmt::Display for NewProject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/ has {} files. The next steps are in {}/README.md", self.folder, self.files.len(), self.folder)
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;

    #[test]
    fn a_project_has_no_placeholder_left_and_the_whole_contract() {
        for &role in Role::VARIANTS {
            for language in [Language::Rust, Language::Javascript, Language::Python] {
                let files = files("club-cards", role, language);
                for (file, text) in &files {
                    let is_rust = Path::new(file).extension().is_some_and(|extension| extension == "rs");
                    assert!(is_rust || !text.contains("{{"), "{file} of {role} in {language:?}");
                }
                assert!(files.iter().any(|(file, _)| file == "wit/world.wit"));
            }
        }
    }

    #[test]
    fn a_detector_in_rust_has_fewer_than_40_lines() {
        let (source, _) = sources!(Role::DocumentType, "rust/src/", ".rs", ".rs");
        assert!(source.lines().count() < 40);
    }

    #[test]
    fn the_copied_sdk_depends_on_what_the_sdk_depends_on() {
        let workspace: toml::Table = include_str!("../../../../plugins/Cargo.toml").parse().unwrap();
        let copied: toml::Table = kit!("rust/sdk.toml.template").parse().unwrap();
        let theirs = &workspace["workspace"]["dependencies"];
        assert_eq!(copied["dependencies"]["wit-bindgen"], theirs["wit-bindgen"]);
        let natively = &copied["target"]["cfg(not(target_family = \"wasm\"))"]["dependencies"];
        assert_eq!((&natively["hmac"], &natively["sha2"]), (&theirs["hmac"], &theirs["sha2"]));
        let sdk: toml::Table = include_str!("../../../../plugins/sdk/Cargo.toml").parse().unwrap();
        assert_eq!(sdk["dependencies"].as_table().unwrap().len(), copied["dependencies"].as_table().unwrap().len());
    }

    #[test]
    fn a_name_is_allowed_by_the_contract_and_not_built_in() {
        for right in ["club-cards2", "c", "a-1"] {
            assert_eq!(read_name(right).as_deref(), Ok(right));
        }
        for wrong in ["", "Club", "2club", "club_cards", "../club", "club/cards", "club-", "a--b", "-a"] {
            assert!(read_name(wrong).unwrap_err().contains(NAME_RULE), "{wrong}");
        }
        for taken in ["document-types", "hmac-sha256", "signals"] {
            assert!(read_name(taken).unwrap_err().contains("a built-in plugin has this name"), "{taken}");
        }
    }

    #[test]
    fn a_name_that_cannot_be_a_package_in_the_language_is_rejected() {
        for word in ["core", "std", "sealwright-plugin-sdk"] {
            assert!(check_for_language(word, Language::Rust).unwrap_err().to_string().contains(word));
            assert!(check_for_language(word, Language::Javascript).is_ok(), "{word}");
            assert!(check_for_language(word, Language::Python).is_ok(), "{word}");
        }
        assert!(check_for_language("core-cards", Language::Rust).is_ok());
    }
}
