//! Attached files that were read, and codes that an issuer signed.

use sealwright_facts::{
    Facts,
    pdf::{EmbeddedFile, PdfFacts},
    signed_code::{self, SignatureState as State},
};
use sealwright_plugin_sdk::facts::{Attached, AttachedFile, CodeField, SignatureState, SignedCode};

use super::parts::{LISTED, cut, place};

/// The attached files. Facts from before their bytes were read have none: for them, the input of a verdict is what it was.
pub(super) fn files<C: From<Vec<u8>>>(pdf: &PdfFacts) -> Vec<Attached<C>> {
    let was_read = |file: &EmbeddedFile| file.content.is_some();
    if !pdf.embedded_files.iter().any(was_read) {
        return Vec::new();
    }
    let attached = |file: &EmbeddedFile| Attached {
        file: AttachedFile {
            name: cut(&file.name),
            media_type: file.media_type.as_deref().map(cut),
            relationship: file.relationship.as_deref().map(cut),
            size: file.content.as_ref().map_or(file.stored_size, |content| content.0.len() as u64),
            readable: was_read(file),
        },
        content: file.content.as_ref().map(|content| content.0.clone().into()),
    };
    pdf.embedded_files.iter().take(LISTED).map(attached).collect()
}

pub(super) fn codes(facts: &Facts) -> Vec<SignedCode> {
    facts.signed_codes.iter().take(LISTED).map(code).collect()
}

fn code(code: &signed_code::SignedCode) -> SignedCode {
    let field = |field: &signed_code::CodeField| CodeField {
        id: field.id.clone(),
        name: field.name.clone(),
        value: cut(&field.value),
        cut: field.cut,
    };
    SignedCode {
        kind: code.kind.clone(),
        place: place(code.page, code.area),
        version: code.version,
        authority: code.authority.clone(),
        certificate: code.certificate.clone(),
        issued_on: code.issued_on.clone(),
        signed_on: code.signed_on.clone(),
        document_type: code.document_type.clone(),
        perimeter: code.perimeter.clone(),
        country: code.country.clone(),
        fields: code.fields.iter().map(field).collect(),
        state: match code.state {
            State::NotChecked => SignatureState::NotChecked,
            State::UnknownCertificate => SignatureState::UnknownCertificate,
            State::OutsideValidity => SignatureState::OutsideValidity,
            State::Valid => SignatureState::Valid,
            State::Invalid => SignatureState::Invalid,
        },
    }
}
