//! The papers of a package, each from the facts that it states.

use jiff::civil::{Date, date};

use super::facts::{Facts, Pay, YEAR};
use crate::paper::{
    content::Writer,
    form::{Entry, Form, plain},
    holder::{Account, Firm, Holder},
};

fn addressee(writer: &Writer<'_>, holder: &Holder, form: &mut Form) {
    form.addressee = vec![
        plain(None, holder.full_name()),
        plain(None, holder.street.clone()),
        plain(None, holder.town(writer.language)),
    ];
}

/// `554 217 323` and a branch, as a SIRET.
fn branch(firm: &Firm) -> String {
    let digits: String = firm.registration.chars().filter(char::is_ascii_digit).collect();
    // The branch numbers that keep the check digit right end differently.
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let is_right = |digits: &str| {
        let each = digits.bytes().rev().zip(0_u32..).map(|(byte, at)| (u32::from(byte - b'0'), at));
        each.map(|(digit, at)| if at % 2 == 1 { doubled(digit) } else { digit }).sum::<u32>().is_multiple_of(10)
    };
    let all = (10..20).map(|last| format!("{digits}000{last}"));
    all.into_iter().find(|number| is_right(number)).unwrap_or(digits)
}

pub(super) fn payslip(writer: &mut Writer<'_>, facts: &Facts, pay: Pay) -> Form {
    let say = |french: &str, english: &str| writer.language.say(french, english).to_owned();
    let firm = &facts.employer;
    let mut form = Form::new();
    form.issuer = vec![plain(None, firm.name.clone()), plain(None, format!("{}, {}", firm.street, firm.town))];
    if writer.is_french() {
        form.issuer.push(Entry { label: "SIRET".into(), value: branch(firm), field: None });
    } else {
        form.issuer.push(Entry { label: "Company No.".into(), value: firm.registration.clone(), field: None });
    }
    form.titles = vec![say("BULLETIN DE PAIE", "PAYSLIP")];
    addressee(writer, &facts.holder, &mut form);
    let start = date(YEAR, pay.month, 1);
    let end = start.last_of_month();
    form.other(&say("Période de paie", "Pay period"), format!("{} - {}", writer.date(start), writer.date(end)));
    form.other(&say("Date de paiement", "Pay date"), writer.date(end));
    form.other(&say("Date d’entrée", "Start date"), writer.date(date(2021, 3, 1)));
    form.table.head =
        writer.language.say(["Rubrique", "Base", "Montant"], ["Item", "Base", "Amount"]).map(str::to_owned).to_vec();
    let row = |name: String, amount: i64| vec![name, String::new(), writer.amount(amount)];
    form.table.rows = vec![
        row(say("Salaire de base", "Basic pay"), pay.gross),
        row(say("Salaire brut", "Gross pay"), pay.gross),
        row(say("Net imposable", "Taxable pay"), pay.taxable),
        row(say("Cumul brut", "Gross pay, year to date"), pay.gross_of_year),
        row(say("Cumul net imposable", "Taxable pay, year to date"), pay.taxable_of_year),
    ];
    form.sum(None, &say("Net payé", "Net pay"), writer.amount(pay.net));
    form.notes.push(format!(
        "{} {}",
        say("Virement sur le compte IBAN", "Paid into the account IBAN"),
        facts.account.iban
    ));
    form
}

pub(super) fn bank_details(writer: &mut Writer<'_>, holder: &str, account: &Account, facts: &Facts) -> Form {
    let say = |french: &str, english: &str| writer.language.say(french, english).to_owned();
    let mut form = Form::new();
    form.issuer = vec![plain(None, account.bank)];
    form.titles = vec![say("RELEVÉ D’IDENTITÉ BANCAIRE", "BANK ACCOUNT DETAILS")];
    form.other(&say("Titulaire du compte", "Account holder"), holder);
    let town = facts.holder.town(writer.language);
    form.other(&say("Adresse", "Address"), format!("{}, {town}", facts.holder.street));
    form.other("IBAN", account.iban.clone());
    form.other("BIC", account.bic.clone());
    form
}

/// A statement of the months of the payslips; `paid` are the credits of the employer, who may
/// also pay expenses.
pub(super) fn statement(
    writer: &mut Writer<'_>,
    facts: &Facts,
    holder: &str,
    paid: &[i64],
    has_expenses: bool,
) -> Form {
    let say = |french: &str, english: &str| writer.language.say(french, english).to_owned();
    let mut form = Form::new();
    form.issuer = vec![plain(None, facts.account.bank)];
    form.titles = vec![say("RELEVÉ DE COMPTE", "ACCOUNT STATEMENT")];
    form.addressee = vec![
        plain(None, holder),
        plain(None, facts.holder.street.clone()),
        plain(None, facts.holder.town(writer.language)),
    ];
    let first = facts.months.first().map_or(1, |pay| pay.month);
    let last = facts.months.last().map_or(1, |pay| pay.month);
    let (start, end) = (date(YEAR, first, 1), date(YEAR, last, 1).last_of_month());
    form.other(&say("Période", "Period"), format!("{} {} {}", writer.date(start), say("au", "to"), writer.date(end)));
    form.other("IBAN", facts.account.iban.clone());
    form.table.head = writer
        .language
        .say(["Opération", "Date", "Débit", "Crédit"], ["Details", "Date", "Debit", "Credit"])
        .map(str::to_owned)
        .to_vec();
    let mut row = |text: String, day: Date, amount: i64| {
        let amount_text = writer.amount(amount.abs());
        let (debit, credit) = if amount < 0 { (amount_text, String::new()) } else { (String::new(), amount_text) };
        form.table.rows.push(vec![text, writer.date(day), debit, credit]);
    };
    for (pay, credit) in facts.months.iter().zip(paid) {
        let rent = date(YEAR, pay.month, 5);
        row(say("Prélèvement loyer", "Direct debit rent"), rent, -64_000);
        row(say("Virement reçu remboursement", "Transfer received refund"), date(YEAR, pay.month, 14), 4_210);
        row(say("Carte supermarché", "Card supermarket"), date(YEAR, pay.month, 18), -8_745);
        let payer = facts.employer.name.to_uppercase();
        if has_expenses {
            let text = format!("{} {payer}", say("VIR NOTE DE FRAIS", "EXPENSES"));
            row(text, date(YEAR, pay.month, 26), 18_390);
        }
        row(format!("{} {payer}", say("VIR SALAIRE", "SALARY")), date(YEAR, pay.month, 1).last_of_month(), *credit);
    }
    form
}

pub(super) fn register(writer: &mut Writer<'_>, firm: &Firm, founded: Date) -> Form {
    let say = |french: &str, english: &str| writer.language.say(french, english).to_owned();
    let mut form = Form::new();
    form.issuer = vec![plain(None, say("Greffe du tribunal de commerce", "Registrar of Companies"))];
    form.titles = vec![say(
        "EXTRAIT D’IMMATRICULATION AU REGISTRE DU COMMERCE ET DES SOCIÉTÉS (KBIS)",
        "CERTIFICATE OF INCORPORATION, EXTRACT OF THE COMPANIES REGISTER",
    )];
    form.other(&say("Immatriculation au RCS, numéro", "Company number"), firm.registration.clone());
    form.other(&say("Date d’immatriculation", "Date of incorporation"), writer.date(founded));
    form.other(&say("Dénomination ou raison sociale", "Company name"), firm.name.clone());
    form.other(
        &say("Forme juridique", "Company type"),
        say("Société à responsabilité limitée", "Private limited company"),
    );
    form.other(&say("Adresse du siège", "Registered office"), format!("{}, {}", firm.street, firm.town));
    form
}

pub(super) fn invoice(
    writer: &mut Writer<'_>,
    addressee_lines: [String; 3],
    firm: &Firm,
    issued: Date,
    number: u64,
    account: &Account,
) -> Form {
    let price = writer.cents(40_000, 190_000);
    let say = |french: &str, english: &str| writer.language.say(french, english).to_owned();
    let mut form = Form::new();
    form.issuer = vec![plain(None, firm.name.clone()), plain(None, format!("{}, {}", firm.street, firm.town))];
    form.issuer.push(Entry { label: say("SIREN", "Company No."), value: firm.registration.clone(), field: None });
    form.titles = vec![say("FACTURE", "INVOICE")];
    form.addressee = addressee_lines.into_iter().map(|line| plain(None, line)).collect();
    form.other(&say("Facture n°", "Invoice number"), format!("F2026-{number:04}"));
    form.other(&say("Date de facture", "Invoice date"), writer.date(issued));
    form.table.head = writer
        .language
        .say(["Désignation", "Qté", "Montant"], ["Description", "Qty", "Amount"])
        .map(str::to_owned)
        .to_vec();
    form.table.rows = vec![vec![say("Téléviseur 55 pouces", "Television 55 inch"), "1".into(), writer.amount(price)]];
    form.sum(None, &say("Total TTC", "Total due"), writer.amount(price));
    form.notes.push(format!("IBAN {}", account.iban));
    form
}

/// The lines of an address of the holder.
pub(super) fn lines(writer: &Writer<'_>, holder: &Holder) -> [String; 3] {
    [holder.full_name(), holder.street.clone(), holder.town(writer.language)]
}
