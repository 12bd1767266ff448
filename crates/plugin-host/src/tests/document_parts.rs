//! Attached files and signed codes reach a component: the built-in inspector, which holds them against the page.

use std::sync::Arc;

use bytes::Bytes;

use super::{analysis::chosen, *};
use crate::{
    DocumentChecks,
    facts::{
        Attached, AttachedFile, Check, CodeField, Document, HeldBytes, PageFacts, Place, Reading, SignatureState,
        SignedCode,
    },
};

/// A bill over 84.27 of one page.
fn bill() -> Document {
    let text = "Énergie du Rhône, facture d’électricité F20260417 pour Mme Sophie Martin, 12 rue des Lilas à Lyon.\n\
                Consommation d’août et de septembre 2026 au tarif de base, abonnement et contributions compris.\n\
                Le montant de cette facture est prélevé sur votre compte.\nTotal TTC 84,27 €\n";
    let page = PageFacts { text: text.to_owned(), reading: Reading::Layer, ..PageFacts::default() };
    Document { media_type: "application/pdf".to_owned(), pages: vec![page], ..Document::default() }
}

async fn inspected(document: Document, code: &str) -> Check {
    let host = TestHost::with(&[]).host;
    let question = DocumentChecks { document: Arc::new(document), document_type: "INVOICE".to_owned() };
    let inspector = Chosen { plugin: "document-forensics".to_owned(), ..chosen(7) };
    let checks = host.ask(&inspector, question).await.outcome.unwrap();
    checks.into_iter().find(|check| check.code == code).unwrap()
}

#[tokio::test]
async fn the_built_in_inspector_reads_signed_codes() {
    let field = |id: &str, value: &str| CodeField {
        id: id.to_owned(),
        name: "value".to_owned(),
        value: value.to_owned(),
        cut: false,
    };
    let code = SignedCode {
        kind: "2d-doc".to_owned(),
        place: Place { page: 1, area: None },
        version: 4,
        authority: "FR99".to_owned(),
        certificate: "TST1".to_owned(),
        issued_on: None,
        signed_on: Some("2026-10-01".to_owned()),
        document_type: "01".to_owned(),
        perimeter: "01".to_owned(),
        country: "FR".to_owned(),
        fields: vec![field("10", "MME/SOPHIE/MARTIN"), field("18", "F20260417")],
        state: SignatureState::Valid,
    };
    let agreeing = Document { signed_codes: vec![code.clone()], ..bill() };
    let found = inspected(agreeing, "SIGNATURE_INTEGRITY").await;
    assert!(found.findings[0].text.contains("(2 values)"), "{found:?}");
    let forged = SignedCode { state: SignatureState::Invalid, ..code };
    let found = inspected(Document { signed_codes: vec![forged], ..bill() }, "SIGNATURE_INTEGRITY").await;
    assert_eq!(found.findings[0].code, "SIGNED_CODE_FORGED");
}

#[tokio::test]
async fn the_built_in_inspector_reads_attached_files_beyond_one_window() {
    // Larger than what one call of the host returns.
    let xml = format!(
        "<CrossIndustryInvoice><!--{}--><ExchangedDocument><ID>F20260417</ID></ExchangedDocument>\
         <SellerTradeParty><Name>Nordwind Handels AG</Name></SellerTradeParty></CrossIndustryInvoice>",
        "x".repeat(200_000)
    );
    let file = AttachedFile {
        name: "factur-x.xml".to_owned(),
        media_type: None,
        relationship: None,
        size: xml.len() as u64,
        readable: true,
    };
    let unread = Attached { file: AttachedFile { readable: false, ..file.clone() }, content: None };
    let attached = vec![unread, Attached { file, content: Some(HeldBytes(Bytes::from(xml))) }];
    let found = inspected(Document { attached, ..bill() }, "METADATA_CONSISTENCY").await;
    assert_eq!(found.findings[0].code, "INVOICE_DATA_SELLER", "{found:?}");
}
