//! Electronic invoices and the page.

use sealwright_plugin_sdk::{
    facts::{Attached, Document},
    falsification::Verdict,
    findings::State,
};

use super::{check, pdf, run};
use crate::invoice;

const CODE: &str = "METADATA_CONSISTENCY";

/// An invoice of the profile BASIC WL, cut to what is read.
fn cii(total: &str, account: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
 <rsm:ExchangedDocument><ram:ID>R-2026-118</ram:ID>
  <ram:IssueDateTime><udt:DateTimeString format="102">20261005</udt:DateTimeString></ram:IssueDateTime>
 </rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <ram:ApplicableHeaderTradeAgreement>
   <ram:SellerTradeParty><ram:Name>Menuiserie Lambert SARL</ram:Name>
    <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">FR40303265045</ram:ID></ram:SpecifiedTaxRegistration>
   </ram:SellerTradeParty>
   <ram:BuyerTradeParty><ram:Name>Hôtel du Parc</ram:Name></ram:BuyerTradeParty>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeSettlement>
   <ram:SpecifiedTradeSettlementPaymentMeans><ram:PayeePartyCreditorFinancialAccount>
    <ram:IBANID>{account}</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    <ram:TaxBasisTotalAmount>1000.00</ram:TaxBasisTotalAmount>
    <ram:TaxTotalAmount currencyID="EUR">200.00</ram:TaxTotalAmount>
    <ram:GrandTotalAmount>{total}</ram:GrandTotalAmount><ram:DuePayableAmount>{total}</ram:DuePayableAmount>
   </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
  </ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>"#
    )
}

const ACCOUNT: &str = "FR1420041010050500013M02606";

fn paper(total: &str, account: &str) -> Document {
    let texts = [
        ("Menuiserie Lambert SARL, 4 rue du Port, 44000 Nantes, TVA FR40303265045", 40),
        ("Facture n° R-2026-118 du 05/10/2026", 60),
        ("Hôtel du Parc, 8 place de l’Église, 49000 Angers", 80),
        ("Remplacement de quatre fenêtres à l’étage, pose comprise, selon devis du 12/09/2026", 120),
        (account, 300),
    ];
    let mut runs: Vec<_> = texts.iter().map(|(text, top)| run(text, 50, *top, 0)).collect();
    for (label, amount, top) in
        [("Total HT", "1 000,00 €", 200), ("TVA 20 %", "200,00 €", 215), ("Total TTC", total, 230)]
    {
        runs.extend([run(label, 50, top, 0), run(amount, 400, top, 0)]);
    }
    let text = runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join("\n");
    let mut document = pdf(runs);
    document.pages[0].text = text;
    document.attached = vec![Attached::of_bytes("factur-x.xml", cii("1200.00", ACCOUNT).as_bytes())];
    document
}

#[test]
fn the_data_and_the_page_of_one_invoice_agree() {
    let found = check(&paper("1 200,00 €", "IBAN FR14 2004 1010 0505 0001 3M02 606"), CODE);
    assert_eq!(found.verdict, Verdict::Valid, "{found:?}");
    assert!(found.findings.iter().any(|finding| finding.code == "INVOICE_DATA" && finding.state == State::NotFound));
}

#[test]
fn a_changed_total_or_account_of_the_page_is_found() {
    let total = check(&paper("1 700,00 €", "IBAN FR14 2004 1010 0505 0001 3M02 606"), CODE);
    assert_eq!((total.verdict, total.findings[0].code.as_str()), (Verdict::Invalid, "INVOICE_DATA_TOTAL"));
    let account = check(&paper("1 200,00 €", "IBAN FR76 3000 6000 0112 3456 7890 189"), CODE);
    assert_eq!((account.verdict, account.findings[0].code.as_str()), (Verdict::Invalid, "INVOICE_DATA_ACCOUNT_NUMBER"));
}

#[test]
fn every_notation_of_the_data_is_read() {
    let invoice = invoice::read(cii("1200.00", ACCOUNT).as_bytes()).unwrap();
    assert_eq!(invoice.number.as_deref(), Some("R-2026-118"));
    assert_eq!(invoice.issued.map(sealwright_plugin_sdk::reading::Date::iso), Some("2026-10-05".to_owned()));
    assert_eq!((invoice.gross.unwrap().0, invoice.tax.unwrap().0), (120_000, 20_000));
    assert_eq!(
        (invoice.seller_numbers, invoice.accounts),
        (vec!["FR40303265045".to_owned()], vec![ACCOUNT.to_owned()])
    );
    let ubl = r#"<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="c" xmlns:cac="a">
      <cbc:ID>7</cbc:ID><cbc:IssueDate>2026-10-05</cbc:IssueDate>
      <cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>Muster GmbH</cbc:RegistrationName>
      <cbc:CompanyID>HRB 123</cbc:CompanyID></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
      <cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>DE89370400440532013000</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
      <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">19</cbc:TaxAmount></cac:TaxTotal>
      <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>100.0</cbc:TaxExclusiveAmount>
      <cbc:TaxInclusiveAmount>119</cbc:TaxInclusiveAmount><cbc:PayableAmount>119.00</cbc:PayableAmount></cac:LegalMonetaryTotal></Invoice>"#;
    let invoice = invoice::read(ubl.as_bytes()).unwrap();
    assert_eq!((invoice.seller.as_deref(), invoice.net.unwrap().0), (Some("Muster GmbH"), 10_000));
    assert_eq!((invoice.gross.unwrap().0, invoice.due.unwrap().0), (11_900, 11_900));
    assert_eq!(invoice.accounts, ["DE89370400440532013000"]);
}

#[test]
fn what_is_not_an_invoice_is_not_read() {
    let bomb = r#"<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;">]><CrossIndustryInvoice>&c;</CrossIndustryInvoice>"#;
    for bytes in [b"".as_slice(), b"<a/>", b"\xFF\xFE<\0", bomb.as_bytes(), b"<CrossIndustryInvoice>"] {
        assert_eq!(invoice::read(bytes), None);
    }
}
