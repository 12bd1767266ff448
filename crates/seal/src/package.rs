//! The package of a case ([`crate::asic`]): what it proves in addition to the certificate in it. Its files were together at a
//! time, and each is what its name says.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    asic::{self, LOG_PROOF, MANIFEST, MISSING, ORIGINALS, TOKENS},
    digest::Sha256Digest,
    manifest::File,
    tsp::{Token, TokenError},
    verify::{
        CertificateFacts, Expectations, Fault, Finding, FindingCode, LogFacts, Original, OriginalFacts, PackageFacts,
        PackageStampFacts, PackedFileFacts, Report, Severity, State, is_future, place_of,
    },
};

/// The content of a package. The caller has read the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageContent {
    /// The bytes of [`asic::MANIFEST`] and of [`asic::TOKEN`].
    pub manifest: Vec<u8>,
    pub token: Vec<u8>,
    pub certificate: PackedFile,
    /// Every other file, each under a name of its own.
    pub others: Vec<PackedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedFile {
    pub name: String,
    /// Bytes.
    pub size: u64,
    pub sha256: Sha256Digest,
    /// Empty for an original, which can be large.
    pub bytes: Vec<u8>,
}

impl PackageContent {
    /// The originals in the package, for [`Expectations::originals`].
    pub fn originals(&self) -> impl Iterator<Item = Original> {
        let originals = self.others.iter().filter(|file| matches!(Role::of(&file.name), Role::Original(_)));
        originals.map(|file| Original { name: file.name.clone(), sha256: file.sha256 })
    }

    fn files(&self) -> impl Iterator<Item = &PackedFile> {
        [&self.certificate].into_iter().chain(&self.others)
    }
}

/// The purpose of a file in a package, by its name, with the reference of its item.
enum Role<'a> {
    Original(&'a str),
    /// A text in place of an original that was deleted.
    Deleted(&'a str),
    Token(&'a str),
    LogProof,
    Unknown,
}

impl<'a> Role<'a> {
    fn of(name: &'a str) -> Self {
        if let Some(name) = name.strip_prefix(ORIGINALS) {
            let item = name.split_once('.').map_or(name, |(item, _)| item);
            return if name.ends_with(MISSING) { Self::Deleted(item) } else { Self::Original(item) };
        }
        match name.strip_prefix(TOKENS).and_then(|name| name.strip_suffix(".tst")) {
            Some(item) => Self::Token(item),
            None if name == LOG_PROOF => Self::LogProof,
            None => Self::Unknown,
        }
    }
}

/// Adds what the package proves to the report on the certificate in it, and decides again. The package's originals
/// must have been among those that the certificate was checked against. A package whose files are not those that were
/// together invalidates the whole result.
pub fn add(report: &mut Report, content: &PackageContent, expectations: &Expectations<'_>) {
    report.findings.extend(disagreements(content).into_iter().map(changed));
    let time_stamp = add_stamp(report, content, expectations);
    let of_file = |file: &PackedFile| PackedFileFacts { name: file.name.clone(), size: file.size, sha256: file.sha256 };
    let files = content.files().map(of_file).collect();
    let mut package = PackageFacts { time_stamp, files, deleted: Vec::new(), log: None };
    // Without the certificate's list of items, there is nothing to compare the others with.
    if let Some(manifest) = &report.manifest {
        let mut findings = Vec::new();
        if content.certificate.name != format!("{}.pdf", manifest.reference) {
            let message = format!("`{}` is the certificate of {}", content.certificate.name, manifest.reference);
            findings.push(changed(message));
        }
        package.deleted = compare_items(report, content, expectations, &mut findings);
        report.findings.extend(findings);
        package.log = add_proof(report, content, expectations);
    }
    report.package = Some(package);
    report.conclude();
}

fn add_stamp(report: &mut Report, content: &PackageContent, expectations: &Expectations<'_>) -> PackageStampFacts {
    let mut facts = PackageStampFacts {
        state: State::Broken,
        time: None,
        authority: None,
        anchor: None,
        development: false,
        sha256: Sha256Digest::of(&content.token),
        fault: None,
    };
    if let Err((severity, fault, message)) = check_stamp(content, expectations, &mut facts) {
        facts.fault = Some(fault);
        let message = format!("the time stamp of the package does not count: {message}");
        report.findings.push(Finding::new(severity, FindingCode::Package, message));
    }
    let is_known = report.findings.iter().any(|finding| finding.code == FindingCode::Development);
    if facts.development && !is_known {
        let message = "its package is stamped by a development authority, which only its own installation trusts";
        report.findings.push(Finding::new(Severity::Notice, FindingCode::Development, message));
    }
    facts
}

fn add_proof(report: &mut Report, content: &PackageContent, expectations: &Expectations<'_>) -> Option<LogFacts> {
    let proof = content.others.iter().find(|file| file.name == LOG_PROOF)?;
    match place_of(&content.certificate.bytes, &proof.bytes, report, expectations) {
        Ok(place) => {
            report.witnesses.add(&place.witnesses);
            Some(place)
        }
        Err(error) => {
            report.findings.push(changed(format!("`{LOG_PROOF}` is not valid: {error}")));
            None
        }
    }
}

fn changed(message: String) -> Finding {
    Finding::changed(FindingCode::Package, message)
}

/// Where the files of a package differ from its manifest.
fn disagreements(content: &PackageContent) -> Vec<String> {
    let named = match asic::read(&content.manifest) {
        Ok(named) => named,
        Err(error) => return vec![format!("`{MANIFEST}` cannot be read: {error}")],
    };
    let mut messages = Vec::new();
    if named.first().is_none_or(|root| root.name != content.certificate.name) {
        messages.push(format!("`{MANIFEST}` does not name the certificate first"));
    }
    let mut left: BTreeMap<&str, Sha256Digest> = named.iter().map(|file| (file.name, file.sha256)).collect();
    for file in content.files() {
        match left.remove(file.name.as_str()) {
            None => messages.push(format!("`{}` is not in the manifest of the package", file.name)),
            Some(expected) if expected != file.sha256 => {
                messages.push(format!("`{}` is not the file that the manifest of the package names", file.name));
            }
            Some(_) => {}
        }
    }
    messages.extend(left.into_keys().map(|name| format!("`{name}` is in the manifest, but not in the package")));
    messages
}

/// Checks the time stamp over the manifest. The error is why it does not count.
fn check_stamp(
    content: &PackageContent,
    expectations: &Expectations<'_>,
    facts: &mut PackageStampFacts,
) -> Result<(), (Severity, Fault, String)> {
    let broken = |error: &TokenError| (Severity::Changed, Fault::from(error), error.to_string());
    let token = Token::from_der(&content.token).map_err(|error| broken(&error))?;
    facts.time = Some(token.time());
    let digest = Sha256Digest::of(&content.manifest);
    let authority = token.verify_signature(&digest).map_err(|error| broken(&error))?;
    facts.authority = Some(CertificateFacts::from(&authority));
    let verified = token.verify_authority(&authority, expectations.time_roots).map_err(|error| {
        if error.is_tampering() {
            return broken(&error);
        }
        facts.state = State::Untrusted;
        (Severity::Untrusted, Fault::from(&error), error.to_string())
    })?;
    if is_future(verified.time, expectations.now) {
        facts.state = State::Untrusted;
        let message = format!("it states {}, which is in the future", verified.time);
        return Err((Severity::Untrusted, Fault::Future, message));
    }
    facts.state = State::Trusted;
    facts.anchor = Some(verified.path.anchor().subject());
    facts.development = verified.path.development;
    Ok(())
}

/// Compares the originals, the notices of deletion and the tokens with the items of the certificate. Returns the items
/// whose file was deleted.
fn compare_items(
    report: &Report,
    content: &PackageContent,
    expectations: &Expectations<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<String> {
    let (mut present, mut deleted) = (BTreeSet::new(), BTreeSet::new());
    for file in &content.others {
        match Role::of(&file.name) {
            Role::Original(item) => {
                present.insert(item);
                let sealed = file_of(report, item);
                if sealed.is_some_and(|sealed| !asic::is_original(&file.name, item, &sealed.media_type)) {
                    findings.push(changed(format!("`{}` is not the name of the file of {item}", file.name)));
                }
                let is_this = |original: &&OriginalFacts| original.name == file.name && original.sha256 == file.sha256;
                let compared = report.originals.iter().find(is_this);
                // A file that was not sealed at all is a finding of its own.
                if compared.is_some_and(|facts| !facts.items.is_empty() && facts.items.iter().all(|of| of != item)) {
                    findings.push(changed(format!("`{}` is not the file of {item}", file.name)));
                }
            }
            Role::Deleted(item) => {
                deleted.insert(item);
                let sealed = file_of(report, item);
                if sealed.is_some_and(|sealed| !asic::is_deletion(&file.name, &file.bytes, item, sealed.sha256)) {
                    findings.push(changed(format!("`{}` is not what a server says of a deleted file", file.name)));
                }
            }
            Role::Token(item) => findings.extend(check_token(report, file, item, expectations)),
            Role::LogProof => {}
            Role::Unknown => findings.push(changed(format!("`{}` does not belong in a package", file.name))),
        }
    }
    for item in report.items.iter().filter(|item| item.file.is_some()) {
        let is_deleted = deleted.contains(item.reference.as_str());
        match (present.contains(item.reference.as_str()), is_deleted) {
            (true, false) => {}
            (false, false) => {
                findings.push(changed(format!("the file of {} is missing from the package", item.reference)));
            }
            (true, true) => {
                let message = format!("the package has the file of {}, and says that it was deleted", item.reference);
                findings.push(changed(message));
            }
            (false, true) => {
                let message = format!("the file of {} was deleted, according to a text in the package", item.reference);
                findings.push(Finding::new(Severity::Notice, FindingCode::Package, message));
            }
        }
    }
    let is_known = |item: &str| report.items.iter().any(|known| known.reference == item && known.file.is_some());
    for item in deleted.iter().filter(|item| !is_known(item)) {
        findings.push(changed(format!("a file of {item} is said to be deleted, but none was sealed")));
    }
    deleted.into_iter().filter(|item| is_known(item)).map(str::to_owned).collect()
}

fn file_of<'a>(report: &'a Report, item: &str) -> Option<&'a File> {
    report.items.iter().find(|known| known.reference == item)?.file.as_ref()
}

/// Checks the token over an original, unless it is the one in the certificate, which was checked there.
fn check_token(report: &Report, file: &PackedFile, item: &str, expectations: &Expectations<'_>) -> Option<Finding> {
    let found = report.items.iter().find(|known| known.reference == item);
    let Some((facts, sealed)) = found.and_then(|facts| Some((facts, facts.file.as_ref()?))) else {
        return Some(changed(format!("`{}` belongs to no file of the certificate", file.name)));
    };
    if facts.token_check.is_some_and(|check| check.sha256 == file.sha256) {
        return None;
    }
    let verified = Token::from_der(&file.bytes).and_then(|token| token.verify(&sealed.sha256, expectations.time_roots));
    let (severity, message) = match verified {
        Ok(verified) if is_future(verified.time, expectations.now) => {
            (Severity::Untrusted, format!("it states {}, which is in the future", verified.time))
        }
        Ok(_) => return None,
        Err(error) if error.is_tampering() => (Severity::Changed, error.to_string()),
        Err(error) => (Severity::Untrusted, error.to_string()),
    };
    Some(Finding::new(severity, FindingCode::Package, format!("`{}` does not count: {message}", file.name)))
}
