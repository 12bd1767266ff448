//! `sealwright verify`: checks a certificate and originals, prints an account as text or the facts as JSON, and reports
//! the outcome as exit code. It uses no server and no network. From an installation it reads only the trust settings
//! and the `data_dir` that was given. It trusts nothing because of where it runs.

mod words;

use std::{
    fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::Args;
use sealwright_seal::{tlog::cosignature::WitnessKey, verify::Outcome};
use serde::Serialize;

use self::words::{LanguageTag, words};
use super::output::{Output, visible};
use crate::{
    app::verification::{
        self, Account, CheckedCertificate, Entry, Fact, Facts, GivenTrust, Group, Mark, Subject, Trust,
    },
    clock::Clock,
    config::{Config, Setting},
};

/// Check a certificate, without a server or a network
///
/// Reports what the certificate proves and what it does not prove, who signed it and when, and whether each given
/// original is one of the sealed files. The package of a case is checked with everything in it, without unpacking it.
///
/// Exit code 0 when the certificate is valid and every original is one of those sealed; 1 when the certificate was
/// changed, is incomplete or is not one of ours, when an original is not one of those sealed, or when the check could
/// not be made; 2 when the certificate is intact, but signed or stamped by an issuer that is not trusted here.
///
/// Settings are taken from flags, from the environment, and from the file that --config names. The file sealwright.toml
/// and the folder sealwright-data in the working directory are ignored unless they are named.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArguments {
    /// The certificate, a PDF file; or the package of a case (.asice), or the package or the disclosure.json that
    /// `sealwright disclose` wrote
    #[arg(value_name = "CERT.pdf", required_unless_present = "page")]
    certificate: Option<PathBuf>,

    /// Files to check against those that were sealed
    #[arg(value_name = "ORIGINAL")]
    originals: Vec<PathBuf>,

    /// Roots to trust for signatures, and for time stamps too if --trust-time is not given: PEM (any number) or DER;
    /// may be given several times
    #[arg(long, value_name = "FILE")]
    trust: Vec<PathBuf>,

    /// Roots to trust for time stamps only; may be given several times
    #[arg(long, value_name = "FILE")]
    trust_time: Vec<PathBuf>,

    /// Signing certificates to trust. If any is given, no other certificate under the roots of --trust may sign; may be
    /// given several times
    #[arg(long, value_name = "FILE")]
    signer: Vec<PathBuf>,

    /// A disclosure of selected items, as JSON; may be given several times
    #[arg(long, value_name = "FILE")]
    disclosure: Vec<PathBuf>,

    /// The key of a witness to trust: `verify` reports how many of those that are trusted have seen the seal in the log; may
    /// be given several times
    #[arg(long, value_name = "KEY")]
    witness: Vec<WitnessKey>,
    /// An evidence record of the certificate (RFC 4998), as `sealwright seal evidence` prints it; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    evidence: Vec<PathBuf>,

    /// Also write the result to this file, for other programs: a validation report in XML by ETSI TS 119 102-2
    #[arg(long, value_name = "FILE")]
    etsi: Option<PathBuf>,

    /// The language of the text that is printed
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t = LanguageTag::En)]
    language: LanguageTag,

    /// Print a page that makes the same check in a browser, as one HTML file that works without a network
    #[arg(
        long,
        conflicts_with_all = [
            "certificate", "originals", "trust", "trust_time", "signer", "disclosure", "witness", "evidence", "etsi",
            "language",
        ],
    )]
    page: bool,
}

const EXAMPLES: &str = "\
Examples:
  sealwright verify CAS-12_CMP-7.pdf
  sealwright verify CAS-12_CMP-7.pdf front.jpg invoice.pdf --trust example-root.pem
  sealwright verify CAS-12_CMP-7.asice --trust example-root.pem
  sealwright verify CAS-12_CMP-7.pdf --signer example-seal.pem --trust-time authority-root.pem
  sealwright verify CAS-12_CMP-7.pdf --witness w.example/1+2635800e+BBpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW
  sealwright verify CAS-12_CMP-7.pdf --json | jq .outcome
  sealwright verify CAS-12_CMP-7.pdf --evidence CAS-12_CMP-7.ers
  sealwright verify CAS-12_CMP-7.pdf --etsi report.xml
  sealwright verify CAS-12_CMP-7.pdf --language fr
  sealwright verify --page > verify.html";

pub(super) fn run(config: &Config, arguments: &VerifyArguments, output: Output) -> anyhow::Result<ExitCode> {
    if arguments.page {
        let mut out = io::stdout().lock();
        out.write_all(verification::page().html().as_bytes())
            .and_then(|()| out.flush())
            .context("printing the page")?;
        return Ok(ExitCode::SUCCESS);
    }
    let certificate = arguments.certificate.as_deref().context("CERT.pdf is missing")?;
    let result = match check(config, certificate, arguments).and_then(|result| write_report(arguments, result)) {
        Ok(result) => result,
        // A program that reads the answer gets one in every case.
        Err(error) if output.json => {
            output.print(&CheckFailure { outcome: None, error: format!("{error:#}") })?;
            return Err(error);
        }
        Err(error) => return Err(error),
    };
    output.print(&result)?;
    Ok(match result.checked.report.outcome {
        Outcome::Valid => ExitCode::SUCCESS,
        Outcome::ChangedOrNotOurs => ExitCode::FAILURE,
        Outcome::IntactButUntrusted => ExitCode::from(2),
    })
}

/// Reads and checks the given files. An error says which of them could not be checked.
fn check(config: &Config, certificate: &Path, arguments: &VerifyArguments) -> anyhow::Result<CheckResult> {
    let file = verification::read_file(certificate)?;
    let originals: Vec<_> =
        arguments.originals.iter().map(|path| verification::read_original(path)).collect::<Result<_, _>>()?;
    let disclosures: Vec<_> = arguments
        .disclosure
        .iter()
        .map(|path| Ok((path.display().to_string(), verification::read_disclosure(path)?)))
        .collect::<Result<_, verification::VerifyError>>()?;
    let records: Vec<_> = arguments
        .evidence
        .iter()
        .map(|path| Ok((path.display().to_string(), verification::read_evidence(path)?)))
        .collect::<Result<_, verification::VerifyError>>()?;
    let VerifyArguments { trust: roots, trust_time: time_roots, signer: signers, witness: witnesses, .. } =
        arguments.clone();
    let trust = verification::trust::of_check(config, GivenTrust { roots, time_roots, signers, witnesses })?;
    let mut checked = verification::check_file(&file, &trust, &originals, Clock::system().now())?;
    for (name, disclosure) in &disclosures {
        verification::hold_disclosure(&mut checked, name, disclosure);
    }
    for (name, record) in &records {
        verification::hold_evidence(&mut checked, file.certificate(), &trust, name, record);
    }
    let subject = Subject { name: certificate.display().to_string() };
    Ok(CheckResult {
        account: Account::of(&checked, &subject, arguments.language.into()),
        checked,
        trust,
        ignored_folder: ignored_folder(config),
    })
}

/// Writes the report for other programs, if one was requested.
fn write_report(arguments: &VerifyArguments, result: CheckResult) -> anyhow::Result<CheckResult> {
    if let Some(file) = &arguments.etsi {
        let report = verification::etsi_report(&result.checked);
        fs::write(file, report).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(result)
}

/// The folder that a server would use by default, if it exists and was not named.
fn ignored_folder(config: &Config) -> Option<PathBuf> {
    let folder = (!config.is_given(Setting::DataDir)).then(|| config.data_dir.clone());
    folder.filter(|folder| folder.is_dir())
}

/// The JSON answer if nothing could be checked.
#[derive(Serialize)]
struct CheckFailure {
    /// Always null: there is none.
    outcome: Option<Outcome>,
    error: String,
}

impl fmt::Display for CheckFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}

/// What the command prints: the account as text, the report as JSON.
struct CheckResult {
    account: Account,
    checked: CheckedCertificate,
    trust: Trust,
    ignored_folder: Option<PathBuf>,
}

impl Serialize for CheckResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Facts::of(&self.checked, &self.trust).serialize(serializer)
    }
}

/// How wide a line of text is, in characters.
const WIDTH: usize = 100;

/// Sentences first, then the facts. Text from a file is escaped: it must not control the reader's terminal.
impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Account { language, headline, explanation, reasons, proven, open, groups, .. } = &self.account;
        let own = words(*language);
        write!(f, "{headline}\n{}", wrapped("", explanation))?;
        list(f, own.against, reasons)?;
        list(f, own.proven, proven)?;
        list(f, own.open, open)?;
        for Group { title, entries } in groups {
            write!(f, "\n\n{title}")?;
            for Entry { title, facts } in entries {
                let indent = if title.is_some() { "    " } else { "  " };
                if let Some(title) = title {
                    write!(f, "\n  {}", visible(title))?;
                }
                let width = facts.iter().map(|fact| fact.label.chars().count()).max().unwrap_or(0);
                for Fact { label, value, mark, .. } in facts {
                    write!(f, "\n{indent}{label:<width$}  {}{}", symbol(*mark), visible(value))?;
                }
            }
        }
        self.trusted(f)
    }
}

/// Sentences under a title, if there are any.
fn list(f: &mut fmt::Formatter<'_>, title: &str, sentences: &[impl AsRef<str>]) -> fmt::Result {
    if !sentences.is_empty() {
        write!(f, "\n\n{title}")?;
    }
    sentences.iter().try_for_each(|sentence| write!(f, "\n{}", wrapped("  - ", sentence.as_ref())))
}

impl CheckResult {
    fn trusted(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = self.account.language;
        let own = words(language);
        write!(f, "\n\n{}", own.trusted)?;
        if self.trust.anchors.is_empty() {
            write!(f, "\n  {}", own.no_one)?;
        }
        for anchor in &self.trust.anchors {
            let source = words::source(anchor.source, anchor.trusted_for, language);
            let purpose = words::purpose(anchor.trusted_for, language);
            write!(f, "\n  {} ({source}{purpose})", visible(&anchor.certificate.subject()))?;
        }
        for witness in self.trust.witnesses() {
            write!(f, "\n  {} ({})", visible(&witness.to_string()), own.witness)?;
        }
        if let Some(folder) = &self.ignored_folder {
            write!(f, "\n\n{}", own.ignored.replacen("{}", &visible(&folder.display().to_string()), 1))?;
        }
        Ok(())
    }
}

const fn symbol(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain | Mark::Good => "",
        Mark::Doubtful => "(!) ",
        Mark::Bad => "(!!) ",
    }
}

/// A sentence wrapped into lines: the first after `bullet`, the others indented to the same depth.
fn wrapped(bullet: &str, sentence: &str) -> String {
    let indent = " ".repeat(bullet.len());
    let mut lines: Vec<String> = Vec::new();
    for word in visible(sentence).split_whitespace() {
        match lines.last_mut() {
            Some(line) if indent.len() + line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    format!("{bullet}{}", lines.join(&format!("\n{indent}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_wrapped_after_their_bullet() {
        assert_eq!(wrapped("  - ", "one two"), "  - one two");
        let long = wrapped("  - ", &"word ".repeat(30));
        assert!(long.lines().all(|line| line.chars().count() <= WIDTH), "{long}");
        assert!(long.lines().nth(1).unwrap().starts_with("    word"), "{long}");
    }

    #[test]
    fn text_of_a_file_cannot_control_the_terminal() {
        assert_eq!(wrapped("", "a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
    }
}
