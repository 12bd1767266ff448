//! What a photo declares about its origin. A declaration that a model made it is believed: no one gains by a false one.
//! One that a camera made it is believed only from a signer whom the operator trusts.

use sealwright_plugin_sdk::{
    facts::{CredentialIntegrity, MarkKind, Provenance},
    findings::{Finding, found},
    reading::origin::{changes, mark, speaker},
};

/// Costs out of 100: a photo that a model made is CRITICAL by itself, the others are SUSPICIOUS.
const GENERATED: u8 = 85;
const PARTLY_GENERATED: u8 = 60;
const DRAWN: u8 = 60;
const BROKEN: u8 = 65;
const SCREEN: u8 = 50;
const EDITED: u8 = 45;

pub(crate) fn doubts(provenance: &Provenance) -> Vec<(u8, Finding)> {
    let mut doubts = Vec::new();
    let mut declared = |kind, cost, code: &str, what: &str| {
        if let Some(mark) = mark(provenance, kind) {
            doubts.push((cost, found(code, format!("The photo declares {what}: {}.", speaker(mark)))));
        }
    };
    declared(MarkKind::Generated, GENERATED, "GENERATED", "that a trained model made it");
    declared(MarkKind::PartlyGenerated, PARTLY_GENERATED, "PARTLY_GENERATED", "that a trained model made a part of it");
    declared(MarkKind::Drawn, DRAWN, "DRAWN", "that it was drawn or computed");
    declared(MarkKind::Screen, SCREEN, "DECLARED_SCREEN", "that it is a picture of a screen");
    declared(MarkKind::Edited, EDITED, "DECLARED_EDITED", "that it was edited");
    if doubts.is_empty()
        && let Some(change) = changes(provenance).first()
    {
        let by = change.agent.as_deref().map(|agent| format!(" by {agent}")).unwrap_or_default();
        let text = format!("The photo's content credentials say that it was changed{by} ({}).", change.name);
        doubts.push((EDITED, found("DECLARED_EDITED", text)));
    }
    if let Some(credentials) = &provenance.credentials
        && credentials.integrity == CredentialIntegrity::Broken
    {
        let why = credentials.problems.first().map(|problem| format!(" {problem}")).unwrap_or_default();
        let text = format!("The photo's content credentials do not hold.{why}");
        doubts.push((BROKEN, found("BROKEN_CREDENTIALS", text)));
    }
    doubts
}
