//! A certificate's content: the attached seal manifest, the tokens of its items, and whether given files are among
//! them.

mod disclosed;
mod embedded;

use std::{collections::BTreeMap, error::Error};

use super::{
    ErasureFacts, Expectations, Fault, Finding, FindingCode, ItemFacts, LogFacts, ManifestFacts, OriginalFacts, Report,
    Severity, TimeStampFacts, TimeStampKind, TokenCheck, TokenState, WitnessFacts,
    revisions::{self, SealedPdf},
    signatures::{FIRST_TIME_STAMP, is_future},
};
use crate::{
    canonical, capture, commitment,
    digest::Sha256Digest,
    manifest::{self, Item, SealManifest, VERSION_1},
    pdf::{
        attachment::{self, Attachment},
        file::File as PdfFile,
    },
    tlog::{
        Checkpoint,
        cosignature::{self, WitnessKey},
        entry::LogEntry,
        note::NoteError,
        proof::LogProof,
    },
    tsp::Token,
};

pub(super) use self::disclosed::check as check_disclosure;
pub use self::embedded::{EmbeddedOriginal, embedded_originals};

pub(super) fn check(certificate: &SealedPdf<'_>, expectations: &Expectations<'_>, report: &mut Report) {
    let attachments = match attachment::read(&certificate.file) {
        Ok(attachments) => attachments,
        Err(error) => {
            report.findings.push(Finding::changed(FindingCode::Manifest, error.to_string()));
            return;
        }
    };
    let mut contents = Contents { expectations, report, attachments: by_digest(&attachments) };
    match contents.read_manifest(&attachments) {
        Ok(manifest) => {
            contents.check_log(certificate, &manifest);
            contents.check_items(&manifest);
            contents.check_embedded(&attachments, &manifest);
            contents.note_erasure(&manifest);
            contents.check_captures(&manifest);
            contents.check_originals(&manifest);
        }
        Err(finding) => contents.report.findings.push(finding),
    }
}

/// Whether `proof` proves the seal of this certificate by the log that its manifest names.
pub fn proves_seal(pdf: &[u8], proof: &LogProof) -> bool {
    let prove = || {
        let (manifest, sha256) = attached_manifest(pdf)?;
        let entry = LogEntry::Seal { seal_manifest_sha256: sha256 }.to_canonical_json().ok()?;
        proof.verify(&entry, &manifest.log?.key.parse().ok()?).ok()
    };
    prove().is_some()
}

/// The place in the log of seals by a proof that is not in the certificate. `report` is the report on the certificate.
pub(crate) fn place_of(
    pdf: &[u8],
    proof: &[u8],
    report: &Report,
    expectations: &Expectations<'_>,
) -> Result<LogFacts, Box<dyn Error>> {
    let (manifest, _) = attached_manifest(pdf).ok_or("the seal manifest cannot be read")?;
    place_in_log(proof, &manifest, report.manifest.as_ref(), expectations)
}

/// The seal manifest in a certificate, and its SHA-256.
fn attached_manifest(pdf: &[u8]) -> Option<(SealManifest, Sha256Digest)> {
    let file = PdfFile::read(pdf).ok()?;
    let attachments = attachment::read(&file).ok()?;
    let bytes = &attachments.iter().find(|attachment| attachment.name == manifest::ATTACHMENT)?.bytes;
    Some((SealManifest::from_json(bytes).ok()?, Sha256Digest::of(bytes)))
}

/// How many of these witnesses have cosigned a place in a log that this certificate contains: of several places, the one
/// with the most. 0 for a file that is not a certificate.
pub fn cosigned_by(pdf: &[u8], witnesses: &[WitnessKey]) -> usize {
    let Ok(certificate) = revisions::read(pdf) else { return 0 };
    let proofs = certificate.time_stamps.iter().filter_map(|stamp| stamp.log_proof.as_deref());
    let proofs = proofs.filter_map(|proof| str::from_utf8(proof).ok()?.parse::<LogProof>().ok());
    proofs.map(|proof| proof.cosigned_by(witnesses)).max().unwrap_or(0)
}

/// Attachments by their digest, since the manifest names an item's token by digest.
fn by_digest(attachments: &[Attachment]) -> BTreeMap<Sha256Digest, &Attachment> {
    attachments.iter().map(|attachment| (Sha256Digest::of(&attachment.bytes), attachment)).collect()
}

fn step_title(manifest: &SealManifest, id: i64) -> Option<String> {
    manifest.steps.iter().find(|step| step.id == id).map(|step| step.title.clone())
}

/// A step without a title in the manifest is shown by its number.
fn missing_steps(manifest: &SealManifest) -> Vec<String> {
    let name = |id: &i64| step_title(manifest, *id).unwrap_or_else(|| id.to_string());
    manifest.missing_mandatory_steps.iter().map(name).collect()
}

fn place_in_log(
    proof: &[u8],
    manifest: &SealManifest,
    facts: Option<&ManifestFacts>,
    expectations: &Expectations<'_>,
) -> Result<LogFacts, Box<dyn Error>> {
    let (Some(log), Some(facts)) = (&manifest.log, facts) else {
        return Err("the seal manifest does not name a log".into());
    };
    let entry = LogEntry::Seal { seal_manifest_sha256: facts.sha256 }.to_canonical_json()?;
    let proof: LogProof = str::from_utf8(proof)?.parse()?;
    let Checkpoint { origin, size, root, .. } = proof.verify(&entry, &log.key.parse()?)?;
    let witnesses = witnesses(&proof.checkpoint, expectations)?;
    let other_cosignatures = cosignature::count(&proof.checkpoint).saturating_sub(witnesses.len());
    Ok(LogFacts { name: origin, index: proof.index, size, root, witnesses, other_cosignatures })
}

/// The trusted witnesses that cosigned a checkpoint. A cosignature from the future does not count.
fn witnesses(checkpoint: &str, expectations: &Expectations<'_>) -> Result<Vec<WitnessFacts>, NoteError> {
    let mut witnesses = Vec::new();
    for key in expectations.witnesses {
        match key.open(checkpoint) {
            Ok(cosignature) if is_future(cosignature.time, expectations.now) => {}
            Ok(cosignature) => witnesses.push(WitnessFacts {
                name: key.name().to_owned(),
                key: key.to_string(),
                time: cosignature.time,
            }),
            Err(NoteError::NotSigned(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(witnesses)
}

struct Contents<'r, 'e> {
    expectations: &'r Expectations<'e>,
    report: &'r mut Report,
    attachments: BTreeMap<Sha256Digest, &'r Attachment>,
}

impl Contents<'_, '_> {
    fn read_manifest(&mut self, attachments: &[Attachment]) -> Result<SealManifest, Finding> {
        let broken = |message: String| Finding::changed(FindingCode::Manifest, message);
        let mut found = attachments.iter().filter(|attachment| attachment.name == manifest::ATTACHMENT);
        let (Some(attached), None) = (found.next(), found.next()) else {
            return Err(broken(format!("the file does not have exactly one attachment `{}`", manifest::ATTACHMENT)));
        };
        let bytes = &attached.bytes;
        let manifest = SealManifest::from_json(bytes).map_err(|error| broken(error.to_string()))?;
        let json = serde_json::from_slice(bytes).map_err(|error| broken(error.to_string()))?;
        if canonical::to_vec(&json).as_ref() != Ok(bytes) {
            return Err(broken("the seal manifest is not in its canonical form".to_owned()));
        }
        if manifest.version > VERSION_1
            && let Err(error) = commitment::check(&manifest, &json)
        {
            self.report.findings.push(Finding::changed(FindingCode::Commitments, error.to_string()));
        }
        let sha256 = Sha256Digest::of(bytes);
        let token = attachments.iter().find(|attachment| attachment.name == manifest::TOKEN_ATTACHMENT);
        let (token, token_check) = match token {
            Some(token) => self.token(&token.bytes, &sha256, None, "the seal manifest"),
            None => (TokenState::None, None),
        };
        self.report.manifest = Some(ManifestFacts {
            version: manifest.version,
            reference: manifest.reference.clone(),
            title: manifest.case.title.clone(),
            company: manifest.company.clone(),
            frame: manifest.frame.clone(),
            created_at: manifest.case.created_at.clone(),
            closed_at: manifest.case.closed_at.clone(),
            missing_steps: missing_steps(&manifest),
            sha256,
            root: manifest.commitments.as_ref().map(|commitments| commitments.root),
            token,
            token_check,
        });
        Ok(manifest)
    }

    /// Checks each proof in a time stamp's revision against the log that the manifest names.
    fn check_log(&mut self, certificate: &SealedPdf<'_>, manifest: &SealManifest) {
        for (position, stamp) in certificate.time_stamps.iter().enumerate() {
            let Some(proof) = &stamp.log_proof else { continue };
            let revision = position + FIRST_TIME_STAMP;
            match place_in_log(proof, manifest, self.report.manifest.as_ref(), self.expectations) {
                Ok(place) => {
                    self.report.witnesses.add(&place.witnesses);
                    let of_revision = |facts: &&mut TimeStampFacts| facts.revision == revision;
                    let facts =
                        self.report.time_stamps.iter_mut().filter(|facts| facts.kind == TimeStampKind::Document);
                    if let Some(facts) = { facts }.find(of_revision) {
                        facts.log = Some(place);
                    }
                }
                Err(error) => {
                    let message = format!("the log proof in revision {revision} is not valid: {error}");
                    self.report.findings.push(Finding::changed(FindingCode::Log, message));
                }
            }
        }
    }

    fn check_items(&mut self, manifest: &SealManifest) {
        for item in &manifest.items {
            let (token, token_check) = self.item_token(item);
            self.report.items.push(ItemFacts {
                reference: item.reference.clone(),
                action: item.action.clone(),
                step: step_title(manifest, item.step_id),
                created_at: item.created_at.clone(),
                value: item.value.clone(),
                file: item.file.clone(),
                token,
                token_check,
                embedded: None,
                originals: Vec::new(),
            });
        }
    }

    /// The commitments are checked with the manifest.
    fn note_erasure(&mut self, manifest: &SealManifest) {
        self.report.erasure = manifest.erasure.as_ref().map(|erasure| ErasureFacts {
            predecessor_sha256: erasure.predecessor_sha256,
            size: manifest.commitments.as_ref().map_or(0, |commitments| commitments.size),
            items: erasure.items.clone(),
        });
    }

    fn check_captures(&mut self, manifest: &SealManifest) {
        match capture::account(manifest) {
            Ok(account) if account.sessions.is_empty() => {}
            Ok(account) => self.report.captures = Some(account),
            Err(error) => self.report.findings.push(Finding::changed(FindingCode::Captures, error.to_string())),
        }
    }

    fn item_token(&mut self, item: &Item) -> (TokenState, Option<TokenCheck>) {
        let Some(claimed) = &item.time_stamp_token else { return (TokenState::None, None) };
        let attached = self.attachments.get(&claimed.sha256).copied();
        let (Some(file), Some(attached)) = (&item.file, attached) else {
            let message = format!("the time-stamp token of {} is not attached, or belongs to no file", item.reference);
            self.report.findings.push(Finding::changed(FindingCode::Token, message));
            let check = TokenCheck { sha256: claimed.sha256, fault: Some(Fault::Form) };
            return (TokenState::Broken, Some(check));
        };
        self.token(&attached.bytes, &file.sha256, Some(&claimed.time), &item.reference)
    }

    fn token(
        &mut self,
        der: &[u8],
        digest: &Sha256Digest,
        time: Option<&str>,
        what: &str,
    ) -> (TokenState, Option<TokenCheck>) {
        let verify = |token: &Token| token.verify(digest, self.expectations.time_roots);
        let token = Token::from_der(der);
        let states = |token: &Token| time.is_none_or(|time| token.time().to_string() == time);
        let check = |fault| Some(TokenCheck { sha256: Sha256Digest::of(der), fault });
        let (severity, message, state, fault) = match token.map(|token| (verify(&token), states(&token), token)) {
            Ok((_, false, token)) => {
                let message = format!("it states {}, but the seal manifest states another time", token.time());
                (Severity::Changed, message, TokenState::Broken, Fault::Content)
            }
            Ok((Ok(verified), true, _)) if is_future(verified.time, self.expectations.now) => {
                let message = format!("it states {}, which is in the future", verified.time);
                (Severity::Untrusted, message, TokenState::Untrusted { time: verified.time }, Fault::Future)
            }
            Ok((Ok(verified), true, _)) => {
                let authority = verified.path.certificates[0].subject();
                return (TokenState::Verified { time: verified.time, authority }, check(None));
            }
            Ok((Err(error), true, token)) if !error.is_tampering() => {
                let state = TokenState::Untrusted { time: token.time() };
                (Severity::Untrusted, error.to_string(), state, Fault::from(&error))
            }
            Ok((Err(error), true, _)) | Err(error) => {
                (Severity::Changed, error.to_string(), TokenState::Broken, Fault::from(&error))
            }
        };
        let message = format!("the time-stamp token of {what}: {message}");
        self.report.findings.push(Finding::new(severity, FindingCode::Token, message));
        (state, check(Some(fault)))
    }

    fn check_originals(&mut self, manifest: &SealManifest) {
        for original in self.expectations.originals {
            let is_this = |item: &Item| item.file.as_ref().is_some_and(|file| file.sha256 == original.sha256);
            let mut items = Vec::new();
            for (item, facts) in manifest.items.iter().zip(&mut self.report.items) {
                if is_this(item) {
                    items.push(item.reference.clone());
                    facts.originals.push(original.name.clone());
                }
            }
            if items.is_empty() {
                let message = format!("`{}` is not one of the sealed files", original.name);
                self.report.findings.push(Finding::changed(FindingCode::Original, message));
            }
            self.report.originals.push(OriginalFacts { name: original.name.clone(), sha256: original.sha256, items });
        }
    }
}
