//! Invoices, and the bills of energy, water and telephone that prove an address.

use super::Writer;
use crate::paper::{
    form::{Entry, Form, plain},
    holder::{Account, Firm, days_ago, later},
};

pub(super) fn addressee(writer: &Writer<'_>, form: &mut Form) {
    let holder = &writer.holder;
    let (post_code, city) = (holder.post_code.clone(), holder.city.clone());
    form.addressee =
        vec![plain(Some("accountHolder"), holder.full_name()), plain(Some("address"), holder.street.clone())];
    form.addressee[0].field = Some("fullName");
    form.addressee
        .push(plain(Some("town"), writer.language.say(format!("{post_code} {city}"), format!("{city} {post_code}"))));
}

pub(super) fn issuer(writer: &Writer<'_>, firm: &Firm) -> Vec<Entry> {
    let mut lines = vec![plain(Some("issuer"), firm.name.clone())];
    lines.push(plain(None, format!("{}, {}", firm.street, firm.town)));
    lines.push(plain(None, format!("{} {}", writer.language.say("Tél.", "Tel."), firm.telephone)));
    lines.push(Entry {
        label: writer.language.say("SIREN", "Company No.").into(),
        value: firm.registration.clone(),
        field: None,
    });
    lines
}

/// Lines with quantity, unit price and amount, and their sums.
fn priced(writer: &mut Writer<'_>, form: &mut Form, goods: &[(&str, u64, u64)], rates: &[u64], total_label: &str) {
    let head = writer
        .language
        .say(["Désignation", "Qté", "Prix unitaire", "Montant HT"], ["Description", "Qty", "Unit price", "Amount"]);
    form.table.head = head.map(str::to_owned).to_vec();
    let mut net = 0;
    let count = usize::try_from(writer.random.whole(2, 4)).unwrap_or(2).min(goods.len());
    let first = usize::try_from(writer.random.whole(0, 20)).unwrap_or(0);
    for offset in 0..count {
        let (name, low, high) = goods[(first + offset) % goods.len()];
        let quantity = writer.cents(1, 6);
        let price = writer.cents(low, high);
        net += quantity * price;
        let row = [name.to_owned(), quantity.to_string(), writer.amount(price), writer.amount(quantity * price)];
        form.table.rows.push(row.to_vec());
    }
    let rate = i64::try_from(writer.random.pick(rates)).unwrap_or(20);
    let tax = (net * rate + 50) / 100;
    let (net_label, tax_label) = (
        writer.wording(
            &["Total HT", "Montant total HT", "Sous-total HT"],
            &["Subtotal", "Net amount", "Total excl. VAT"],
        ),
        format!("{} {rate} %", writer.language.say("TVA", "VAT")),
    );
    form.sum(Some("netAmount"), net_label, writer.amount(net));
    form.sum(None, &tax_label, writer.amount(tax));
    form.sum(Some("totalAmount"), total_label, writer.amount(net + tax));
}

pub(super) fn invoice(writer: &mut Writer<'_>) -> Form {
    let firms = writer.language.say(
        ["Aubrac & filles", "Plomberie Lestang", "Menuiserie Corvin SARL", "Atelier Mirepoix", "Électro Valmerle SAS"],
        ["Aubrac & Daughters", "Lestang Plumbing", "Corvin Joinery Ltd", "Mirepoix Workshop", "Valmerle Electrics Ltd"],
    );
    let firm = Firm::invented(&firms, writer.language, writer.random);
    let mut form = Form { issuer: issuer(writer, &firm), ..Form::default() };
    form.titles = vec![
        writer.wording(&["FACTURE", "Facture", "FACTURE DE VENTE"], &["INVOICE", "Invoice", "TAX INVOICE"]).into(),
    ];
    addressee(writer, &mut form);
    let issued = days_ago(writer.random, 3, 160);
    let number = format!("{}{}-{:04}", writer.language.say("F", "INV"), issued.year(), writer.random.whole(1, 9_999));
    let label = writer.wording(
        &["Facture n°", "Numéro de facture", "N° de facture", "Réf. facture"],
        &["Invoice number", "Invoice No.", "Invoice #", "Invoice ref."],
    );
    form.entry("invoiceNumber", label, number);
    let label =
        writer.wording(&["Date de facture", "Date d'émission", "Date"], &["Invoice date", "Date of issue", "Date"]);
    form.entry("issueDate", label, writer.date(issued));
    let label = writer
        .wording(&["Échéance", "Date d'échéance", "À régler avant le"], &["Due date", "Payable by", "Payment due"]);
    form.other(label, writer.date(later(issued, 30)));
    let goods = writer.language.say(
        [
            ("Remplacement de la descente en zinc", 4_000, 30_000),
            ("Main-d’œuvre (heure)", 3_900, 7_200),
            ("Fournitures diverses", 800, 9_000),
            ("Déplacement", 2_500, 6_000),
            ("Reprise d’enduit", 9_000, 48_000),
            ("Fourniture et pose de robinetterie", 7_500, 32_000),
        ],
        [
            ("Replacement of zinc downpipe", 4_000, 30_000),
            ("Labour (hours)", 3_900, 7_200),
            ("Sundry materials", 800, 9_000),
            ("Travel", 2_500, 6_000),
            ("Replastering", 9_000, 48_000),
            ("Supply and fit taps", 7_500, 32_000),
        ],
    );
    let total = writer.wording(
        &["Total TTC", "Net à payer", "TOTAL À PAYER TTC", "Montant total TTC"],
        &["Total due", "Total to be paid", "TOTAL", "Amount due"],
    );
    priced(writer, &mut form, &goods, writer.language.say(&[20, 10], &[20, 5]), total);
    if writer.random.whole(0, 2) > 0 {
        let account = Account::invented(writer.language, writer.random);
        form.notes.push(format!(
            "{} IBAN {} - BIC {}",
            writer.language.say("Règlement par virement :", "Please pay by bank transfer:"),
            account.iban,
            account.bic
        ));
    }
    form.notes.push(
        writer
            .wording(
                &[
                    "En cas de retard de paiement, une indemnité forfaitaire de 40 € pour frais de recouvrement est due.",
                    "Pas d’escompte pour paiement anticipé.",
                ],
                &["Payment within 30 days. Interest is charged on late payments.", "Thank you for your business."],
            )
            .into(),
    );
    form
}

pub(super) fn proof_of_address(writer: &mut Writer<'_>) -> Form {
    let trade = writer.random.whole(0, 2);
    let firms: [&str; 2] = match trade {
        0 => writer.language.say(["Lumeval Énergie", "Watt & Vallée"], ["Lumeval Energy", "Wattling Power"]),
        1 => writer.language.say(["Eaux de Valmerle", "Régie des eaux d’Orle"], ["Valmerle Water", "Kelhaven Water"]),
        _ => writer.language.say(["Télécom du Levant", "Fibralia"], ["Levant Telecom", "Fibralia Broadband"]),
    };
    let firm = Firm::invented(&firms, writer.language, writer.random);
    let mut form = Form { issuer: issuer(writer, &firm), ..Form::default() };
    let title = match trade {
        0 => writer.wording(
            &["Votre facture d’électricité", "Facture d’électricité et de gaz", "Facture de gaz"],
            &["Your electricity bill", "Electricity and gas bill", "Gas bill"],
        ),
        1 => writer.wording(
            &["Votre facture d’eau", "Facture d’eau et d’assainissement"],
            &["Your water bill", "Water and sewerage bill"],
        ),
        _ => writer.wording(
            &["Votre facture Internet et mobile", "Facture de téléphone"],
            &["Your phone and broadband bill", "Telephone bill"],
        ),
    };
    form.titles = vec![title.into()];
    addressee(writer, &mut form);
    let issued = days_ago(writer.random, 4, 80);
    let number = format!(
        "{:03} {:03} {:04}",
        writer.random.whole(100, 999),
        writer.random.whole(0, 999),
        writer.random.whole(0, 9_999)
    );
    form.entry(
        "invoiceNumber",
        writer.wording(&["N° de facture", "Facture n°"], &["Bill number", "Bill reference"]),
        number,
    );
    let customer = writer.random.whole(10_000_000, 99_999_999).to_string();
    form.other(
        writer.wording(
            &["Référence client", "N° client", "Compte client"],
            &["Customer number", "Account number", "Customer reference"],
        ),
        customer,
    );
    form.entry(
        "issueDate",
        writer.wording(&["Date de facture", "Facture du", "Émise le"], &["Bill date", "Date of issue", "Issued on"]),
        writer.date(issued),
    );
    form.other(
        writer.wording(&["Prélevé le", "À payer avant le"], &["Payment due", "We will collect on"]),
        writer.date(later(issued, 18)),
    );
    let place = format!("{}, {}", writer.holder.street, writer.holder.town(writer.language));
    consumption(writer, &mut form, trade, place);
    let net = form_net(writer, &mut form, trade);
    let rate = 20;
    let tax = (net * rate + 50) / 100;
    form.sum(Some("netAmount"), writer.language.say("Total hors TVA", "Total before VAT"), writer.amount(net));
    form.sum(None, writer.language.say("TVA 20 %", "VAT at 20 %"), writer.amount(tax));
    let label = writer.wording(
        &["Montant TTC à payer", "Total TTC", "Net à payer"],
        &["Total to pay", "Amount due", "Total this bill"],
    );
    form.sum(Some("totalAmount"), label, writer.amount(net + tax));
    form
}

fn consumption(writer: &mut Writer<'_>, form: &mut Form, trade: u64, place: String) {
    let before = writer.random.whole(1_000, 40_000);
    let used = writer.random.whole(90, 900);
    match trade {
        0 => {
            form.other(
                writer
                    .wording(&["Lieu de consommation", "Point de livraison"], &["Supply address", "Address supplied"]),
                place,
            );
            form.other(
                writer.language.say("Relevé de compteur", "Meter reading"),
                format!("{before} - {} kWh", before + used),
            );
            form.other(writer.language.say("Consommation", "Energy used"), format!("{used} kWh"));
        }
        1 => {
            form.other(writer.language.say("Adresse du branchement", "Property supplied"), place);
            form.other(
                writer.language.say("Index du compteur d’eau", "Water meter reading"),
                format!("{} - {} m³", before / 10, before / 10 + used / 10),
            );
        }
        _ => {
            form.other(writer.language.say("Adresse d’installation", "Installation address"), place);
            form.other(
                writer.language.say("Ligne fixe", "Line"),
                format!(
                    "0{} 99 {:02} {:02} {:02}",
                    writer.random.whole(1, 5),
                    writer.random.whole(0, 99),
                    writer.random.whole(0, 99),
                    writer.random.whole(0, 99)
                ),
            );
            form.other(
                writer.language.say("Forfait", "Plan"),
                writer.language.say("Fibre 1 Gb/s et appels illimités", "Fibre 1 Gb/s, unlimited calls"),
            );
        }
    }
}

/// Adds the bill's lines and returns their sum.
fn form_net(writer: &mut Writer<'_>, form: &mut Form, trade: u64) -> i64 {
    form.table.head = writer
        .language
        .say(["Votre facture en détail", "Montant HT"], ["Your bill in detail", "Amount"])
        .map(str::to_owned)
        .to_vec();
    let lines = match trade {
        0 => writer.language.say(
            ["Abonnement", "Consommation d’énergie", "Acheminement et taxes locales"],
            ["Standing charge", "Energy used", "Network and levies"],
        ),
        1 => writer.language.say(
            ["Abonnement", "Distribution de l’eau", "Collecte et traitement des eaux usées"],
            ["Standing charge", "Water supplied", "Waste water"],
        ),
        _ => writer.language.say(
            ["Abonnement Internet", "Forfait mobile", "Communications hors forfait"],
            ["Broadband", "Mobile plan", "Calls outside the plan"],
        ),
    };
    let mut net = 0;
    for line in lines {
        let amount = writer.cents(300, 12_000);
        net += amount;
        form.table.rows.push(vec![line.to_owned(), writer.amount(amount)]);
    }
    net
}
