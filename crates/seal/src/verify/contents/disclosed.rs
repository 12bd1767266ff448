//! The content of a signed disclosure: the items lead to the root that its signer states, their tokens hold, and so does
//! what others have said about the certificate that they come from.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    super::{DisclosedFacts, Expectations, Finding, FindingCode, ManifestFacts, Report, TokenState},
    Contents, by_digest, place_in_log,
};
use crate::{
    disclosure::signed::{Source, Statement},
    manifest::{Case, Context, FORMAT, Item, Log, SealManifest, VERSION},
    pdf::attachment::Attachment,
};

pub(in crate::verify) fn check(statement: &Statement, expectations: &Expectations<'_>, report: &mut Report) {
    let items = statement.disclosure.verify(&statement.disclosure.commitments.root);
    let items = match items {
        Ok(items) => items,
        Err(error) => {
            report.findings.push(Finding::changed(FindingCode::Disclosure, error.to_string()));
            return;
        }
    };
    let places: Vec<u64> = statement.disclosure.items.iter().map(|item| item.index).collect();
    if !places.is_sorted_by(|before, after| before < after) {
        let message = "it shows an item twice, or the items in another order than the certificate";
        report.findings.push(Finding::changed(FindingCode::Disclosure, message));
        return;
    }
    let tokens = match statement.tokens.iter().map(|token| attached(token)).collect::<Result<Vec<_>, _>>() {
        Ok(tokens) => tokens,
        Err(finding) => {
            report.findings.push(finding);
            return;
        }
    };
    let shown = shown(statement, items);
    let mut contents = Contents { expectations, report, attachments: by_digest(&tokens) };
    contents.check_source(statement, &shown);
    contents.check_items(&shown);
    contents.check_originals(&shown);
}

/// A token in Base64.
fn attached(token: &str) -> Result<Attachment, Finding> {
    let broken = |error: base64::DecodeError| {
        Finding::changed(FindingCode::Token, format!("a time-stamp token cannot be read: {error}"))
    };
    Ok(Attachment { name: String::new(), bytes: STANDARD.decode(token).map_err(broken)? })
}

/// What is shown of the seal manifest, as a manifest without the rest.
fn shown(statement: &Statement, items: Vec<Item>) -> SealManifest {
    let Statement { certificate, disclosure, steps, .. } = statement;
    let Source { company, frame, created_at, closed_at, log, .. } = certificate;
    SealManifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        reference: disclosure.reference.clone(),
        case: Case {
            id: 0,
            title: String::new(),
            created_at: created_at.clone(),
            closed_at: closed_at.clone(),
            report_token: None,
        },
        company: company.clone(),
        frame: frame.clone(),
        steps: steps.clone(),
        missing_mandatory_steps: Vec::new(),
        context: Context::default(),
        items,
        capture_sessions: Vec::new(),
        commitments: Some(disclosure.commitments.clone()),
        erasure: None,
        log: log.as_ref().map(|log| Log { key: log.key.clone() }),
    }
}

impl Contents<'_, '_> {
    /// Checks what others have said about the certificate that the items come from.
    fn check_source(&mut self, statement: &Statement, shown: &SealManifest) {
        let Source { seal_manifest_sha256: sha256, seal_manifest_token, log, .. } = &statement.certificate;
        let (token, token_check) = match seal_manifest_token.as_deref().map(attached) {
            None => (TokenState::None, None),
            Some(Ok(token)) => self.token(&token.bytes, sha256, None, "the seal manifest"),
            Some(Err(finding)) => {
                self.report.findings.push(finding);
                (TokenState::Broken, None)
            }
        };
        let facts = ManifestFacts {
            version: shown.version,
            reference: shown.reference.clone(),
            title: shown.case.title.clone(),
            company: shown.company.clone(),
            frame: shown.frame.clone(),
            created_at: shown.case.created_at.clone(),
            closed_at: shown.case.closed_at.clone(),
            missing_steps: Vec::new(),
            sha256: *sha256,
            root: Some(statement.disclosure.commitments.root),
            token,
            token_check,
        };
        let expectations = self.expectations;
        let place = log.as_ref().map(|log| place_in_log(log.proof.as_bytes(), shown, Some(&facts), expectations));
        let log = match place.transpose() {
            Ok(place) => {
                if let Some(place) = &place {
                    self.report.witnesses.add(&place.witnesses);
                }
                place
            }
            Err(error) => {
                let message = format!("the log proof of the certificate is not valid: {error}");
                self.report.findings.push(Finding::changed(FindingCode::Log, message));
                None
            }
        };
        self.report.manifest = Some(facts);
        self.report.disclosed = Some(DisclosedFacts {
            disclosed_at: statement.disclosed_at.clone(),
            size: statement.disclosure.commitments.size,
            log,
        });
    }
}
