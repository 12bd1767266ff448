//! Bank details, payslips and tax notices.

use super::{Writer, bills};
use crate::paper::{
    form::{Form, plain},
    holder::{Account, Firm, TODAY, days_ago, later},
};

pub(super) fn bank_details(writer: &mut Writer<'_>) -> Form {
    let account = Account::invented(writer.language, writer.random);
    let firm = Firm::invented(&[account.bank], writer.language, writer.random);
    let mut form = Form::new();
    form.issuer = vec![plain(None, account.bank), plain(None, format!("{}, {}", firm.street, firm.town))];
    form.titles = vec![
        writer
            .wording(
                &["RELEVÉ D’IDENTITÉ BANCAIRE", "Relevé d’identité bancaire (RIB)", "RIB - IBAN"],
                &["BANK ACCOUNT DETAILS", "Your account details", "Confirmation of bank details"],
            )
            .into(),
    ];
    let holder = writer.holder.clone();
    let label = writer.wording(
        &["Titulaire du compte", "Titulaire", "Intitulé du compte"],
        &["Account holder", "Account name", "Name of account holder"],
    );
    form.entry("accountHolder", label, holder.full_name());
    form.other(
        writer.language.say("Adresse", "Address"),
        format!("{}, {}", holder.street, holder.town(writer.language)),
    );
    let national = account.national();
    if writer.is_french() {
        let pieces =
            [("Code banque", 0..5), ("Code guichet", 5..10), ("Numéro de compte", 10..21), ("Clé RIB", 21..23)];
        for (label, range) in pieces {
            form.other(label, &national[range]);
        }
        form.other("Domiciliation", firm.town.to_uppercase());
    } else {
        let digits = &national[4..];
        form.other("Sort code", format!("{}-{}-{}", &digits[0..2], &digits[2..4], &digits[4..6]));
        form.other("Account number", &digits[6..14]);
    }
    form.entry(
        "iban",
        writer.wording(
            &["IBAN", "Identifiant international de compte (IBAN)"],
            &["IBAN", "International bank account number (IBAN)"],
        ),
        account.iban,
    );
    form.entry("bic", writer.wording(&["BIC", "Code BIC (SWIFT)"], &["BIC", "SWIFT / BIC"]), account.bic);
    form.notes.push(
        writer
            .language
            .say(
                "Ce relevé est destiné à être remis, sur leur demande, à vos créanciers ou débiteurs appelés à faire inscrire des opérations à votre compte.",
                "Give these details to anyone who pays money into your account or collects a direct debit from it.",
            )
            .into(),
    );
    form
}

pub(super) fn payslip(writer: &mut Writer<'_>) -> Form {
    let firms = writer.language.say(
        ["Menuiserie Corvin SARL", "Transports Valmerle", "Clinique des Aulnes"],
        ["Corvin Joinery Ltd", "Selwyn Haulage Ltd", "Alder Clinic"],
    );
    let firm = Firm::invented(&firms, writer.language, writer.random);
    let mut form = Form::new();
    form.issuer =
        vec![plain(Some("companyName"), firm.name.clone()), plain(None, format!("{}, {}", firm.street, firm.town))];
    form.titles = vec![
        writer
            .wording(
                &["BULLETIN DE PAIE", "Bulletin de salaire", "FICHE DE PAIE"],
                &["PAYSLIP", "Pay advice", "SALARY SLIP"],
            )
            .into(),
    ];
    bills::addressee(writer, &mut form);
    let end = later(days_ago(writer.random, 5, 200).last_of_month(), 0);
    let paid = if end > TODAY { end.first_of_month() } else { end };
    let period = writer.language.say("Période de paie", "Pay period");
    form.other(period, format!("{} - {}", writer.date(end.first_of_month()), writer.date(end)));
    form.entry(
        "issueDate",
        writer.wording(&["Date de paiement", "Payé le"], &["Pay date", "Date of payment"]),
        writer.date(paid),
    );
    let (number, job) = if writer.is_french() {
        ("N° de sécurité sociale", writer.random.pick(&["Menuisière", "Conducteur", "Aide-soignant", "Comptable"]))
    } else {
        ("National Insurance number", writer.random.pick(&["Joiner", "Driver", "Care assistant", "Bookkeeper"]))
    };
    let social = if writer.is_french() {
        format!(
            "{} {} {:02} 99 {:03} {:03}",
            if writer.holder.woman { 2 } else { 1 },
            writer.holder.birth_date.strftime("%y"),
            writer.holder.birth_date.month(),
            writer.random.whole(1, 990),
            writer.random.whole(1, 990)
        )
    } else {
        format!(
            "QQ {:02} {:02} {:02} C",
            writer.random.whole(10, 99),
            writer.random.whole(10, 99),
            writer.random.whole(10, 99)
        )
    };
    form.other(number, social);
    form.other(writer.language.say("Emploi", "Job title"), job);
    form.other(
        writer.language.say("Convention collective", "Tax code"),
        writer.language.say("Bâtiment - ETAM", "1257L"),
    );
    pay(writer, &mut form);
    form.notes.push(
        writer
            .language
            .say(
                "Pour la défense de vos droits, conservez ce bulletin de paie sans limitation de durée.",
                "Please keep this payslip in a safe place.",
            )
            .into(),
    );
    form
}

fn pay(writer: &mut Writer<'_>, form: &mut Form) {
    let base = writer.cents(165_000, 420_000);
    let bonus = writer.cents(0, 4) * 5_000;
    form.table.head =
        writer.language.say(["Rubrique", "Base", "Montant"], ["Item", "Base", "Amount"]).map(str::to_owned).to_vec();
    let gross = base + bonus;
    let mut row = |name: &str, base: String, amount: String| form.table.rows.push(vec![name.to_owned(), base, amount]);
    row(writer.language.say("Salaire de base", "Basic pay"), String::new(), writer.amount(base));
    if bonus > 0 {
        row(writer.language.say("Prime exceptionnelle", "Bonus"), String::new(), writer.amount(bonus));
    }
    row(
        writer.wording(&["Salaire brut", "TOTAL BRUT"], &["Gross pay", "TOTAL GROSS PAY"]),
        String::new(),
        writer.amount(gross),
    );
    let shares = writer.language.say(
        [
            ("Santé - Sécurité sociale", 70),
            ("Retraite - cotisations salariales", 1_130),
            ("CSG déductible de l’impôt", 680),
            ("Prélèvement à la source", 540),
        ],
        [
            ("National Insurance", 800),
            ("Income tax (PAYE)", 1_400),
            ("Pension contribution", 500),
            ("Student loan", 200),
        ],
    );
    let mut taken = 0;
    for (name, share) in shares {
        let amount = gross * share / 10_000;
        taken += amount;
        row(name, writer.amount(gross), writer.amount(-amount));
    }
    form.sum(None, writer.language.say("Total des cotisations et retenues", "Total deductions"), writer.amount(taken));
    let label =
        writer.wording(&["Net à payer", "NET PAYÉ EN EUROS", "Net payé"], &["Net pay", "NET PAY", "Take-home pay"]);
    form.sum(Some("netAmount"), label, writer.amount(gross - taken));
}

pub(super) fn tax_notice(writer: &mut Writer<'_>) -> Form {
    let mut form = Form::new();
    form.issuer = vec![plain(
        None,
        writer.wording(
            &["DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES", "FINANCES PUBLIQUES"],
            &["REVENUE AND TAX OFFICE", "UTOPIAN REVENUE AND CUSTOMS"],
        ),
    )];
    let year = 2025 - i16::try_from(writer.random.whole(0, 2)).unwrap_or(0);
    form.titles = vec![
        writer
            .wording(
                &[
                    "AVIS D’IMPÔT SUR LES REVENUS",
                    "Avis d’imposition",
                    "AVIS DE SITUATION DÉCLARATIVE À L’IMPÔT SUR LE REVENU",
                ],
                &["TAX ASSESSMENT NOTICE", "Income tax calculation", "NOTICE OF ASSESSMENT"],
            )
            .into(),
        format!("{} {year}", writer.language.say("Impôt sur les revenus de l’année", "Income of the tax year")),
    ];
    bills::addressee(writer, &mut form);
    let reference = format!(
        "{:02} {:02} {:07} {:02}",
        writer.random.whole(10, 30),
        writer.random.whole(10, 99),
        writer.random.whole(1, 9_999_999),
        writer.random.whole(10, 99)
    );
    form.entry(
        "documentNumber",
        writer.wording(&["Référence de l’avis", "N° de l’avis"], &["Notice reference", "Assessment number"]),
        reference,
    );
    let number = format!(
        "{} {:03} {:03} {:03} {:03}",
        writer.random.whole(10, 30),
        writer.random.whole(0, 999),
        writer.random.whole(0, 999),
        writer.random.whole(0, 999),
        writer.random.whole(0, 999)
    );
    form.other(writer.language.say("Numéro fiscal", "Unique taxpayer reference"), number);
    let issued = jiff::civil::date(year + 1, 7, i8::try_from(writer.random.whole(1, 28)).unwrap_or(9));
    form.entry(
        "issueDate",
        writer.wording(&["Date d’établissement", "Établi le"], &["Date of issue", "Issued on"]),
        writer.date(issued),
    );
    let (wages, other) = (writer.cents(1_400_000, 6_200_000), writer.cents(0, 400_000));
    let income = wages + other;
    let relief = wages / 10;
    let tax = (income - relief) / 12;
    form.table.head =
        writer.language.say(["Détail des revenus", "Montant"], ["Details", "Amount"]).map(str::to_owned).to_vec();
    for (name, amount) in [
        (writer.language.say("Salaires et assimilés", "Pay from employment"), wages),
        (writer.language.say("Autres revenus", "Other income"), other),
        (writer.language.say("Déduction de 10 % ou frais réels", "Allowances"), -relief),
    ] {
        form.table.rows.push(vec![name.to_owned(), writer.amount(amount)]);
    }
    form.sum(
        None,
        writer.wording(
            &["Revenu fiscal de référence", "Revenu imposable"],
            &["Taxable income", "Total income on which tax is due"],
        ),
        writer.amount(income - relief),
    );
    form.sum(
        Some("totalAmount"),
        writer.wording(
            &["Impôt sur le revenu net", "Montant de l’impôt", "Somme à payer"],
            &["Income tax due", "Tax due", "Total tax to pay"],
        ),
        writer.amount(tax),
    );
    form
}
