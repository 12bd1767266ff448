//! What happens in a package: ordinary lives, and contradictions.

use jiff::civil::date;

use super::{
    content::{bank_details, invoice, lines, payslip, register, statement},
    facts::{Draft, Facts},
};
use crate::paper::{
    content::{self, Writer},
    form::Language,
    holder::{Account, Firm, Holder, later},
};

/// A kind of package.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Story {
    Plain,
    MarriedName,
    SeveralFirstNames,
    MovedHome,
    JointAccount,
    Couple,
    CompanyInvoice,
    OtherCredits,
    OtherName,
    OtherHolder,
    OtherBirthDate,
    OtherPay,
    OtherAccount,
    OtherAccountOfPayslip,
    YoungEmployer,
    OtherEmployerNumber,
    SumsOfYear,
    AfterLoss,
    OtherAddress,
    Expired,
    InvoiceNumbers,
}

/// All kinds: coherent ones are repeated, because false alarms must be rare.
pub const STORIES: [Story; 29] = [
    Story::Plain,
    Story::OtherName,
    Story::MarriedName,
    Story::OtherHolder,
    Story::SeveralFirstNames,
    Story::OtherBirthDate,
    Story::MovedHome,
    Story::OtherPay,
    Story::JointAccount,
    Story::OtherAccount,
    Story::Couple,
    Story::OtherAccountOfPayslip,
    Story::CompanyInvoice,
    Story::YoungEmployer,
    Story::OtherCredits,
    Story::OtherEmployerNumber,
    Story::Plain,
    Story::SumsOfYear,
    Story::MarriedName,
    Story::AfterLoss,
    Story::MovedHome,
    Story::OtherAddress,
    Story::JointAccount,
    Story::Expired,
    Story::Couple,
    Story::InvoiceNumbers,
    Story::CompanyInvoice,
    Story::OtherCredits,
    Story::SeveralFirstNames,
];

impl Story {
    pub(super) fn is_coherent(self) -> bool {
        matches!(
            self,
            Self::Plain
                | Self::MarriedName
                | Self::SeveralFirstNames
                | Self::MovedHome
                | Self::JointAccount
                | Self::Couple
                | Self::CompanyInvoice
                | Self::OtherCredits
        )
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::MarriedName => "married name",
            Self::SeveralFirstNames => "several first names",
            Self::MovedHome => "moved home",
            Self::JointAccount => "joint account",
            Self::Couple => "couple",
            Self::CompanyInvoice => "invoice to a company",
            Self::OtherCredits => "net pay and other credits",
            Self::OtherName => "other name on the payslips",
            Self::OtherHolder => "other holder of the account",
            Self::OtherBirthDate => "other date of birth",
            Self::OtherPay => "net pay and credit",
            Self::OtherAccount => "account entered",
            Self::OtherAccountOfPayslip => "account of the payslip",
            Self::YoungEmployer => "young employer",
            Self::OtherEmployerNumber => "number of the employer",
            Self::SumsOfYear => "sums of the year",
            Self::AfterLoss => "invoice after the loss",
            Self::OtherAddress => "address entered",
            Self::Expired => "expired card",
            Self::InvoiceNumbers => "order of invoice numbers",
        }
    }
}

/// A title, a field's code if it has one, and a value.
type Entered = (String, Option<&'static str>, String);

/// The papers and entries of a story.
pub(super) fn tell(story: Story, facts: &Facts, writer: &mut Writer<'_>) -> (Vec<Draft>, Vec<Entered>) {
    match story {
        Story::AfterLoss | Story::CompanyInvoice | Story::InvoiceNumbers => claim(story, facts, writer),
        _ => loan(story, facts, writer),
    }
}

fn say(writer: &Writer<'_>, french: &str, english: &str) -> String {
    writer.language.say(french, english).to_owned()
}

/// What the papers of an application state, after the story has changed it.
struct Loan {
    card_holder: Holder,
    /// A second card, and its holder.
    second: Option<(&'static str, Holder)>,
    on_pay: Facts,
    name_of_account: String,
    account: Account,
    /// What the employer paid each month.
    paid: Vec<i64>,
    founded: jiff::civil::Date,
    entered_account: String,
    /// The entered post code and town.
    address: (String, String),
}

impl Loan {
    fn new(facts: &Facts) -> Self {
        let holder = &facts.holder;
        Self {
            card_holder: holder.clone(),
            second: None,
            on_pay: Facts {
                holder: holder.clone(),
                alias: facts.alias.clone(),
                employer: facts.employer.clone(),
                account: facts.account.clone(),
                months: facts.months.clone(),
                ..*facts
            },
            name_of_account: holder.full_name(),
            account: facts.account.clone(),
            paid: facts.months.iter().map(|pay| pay.net).collect(),
            founded: facts.employer_founded,
            entered_account: facts.account.iban.clone(),
            address: (holder.post_code.clone(), holder.city.clone()),
        }
    }

    fn change(&mut self, story: Story, facts: &Facts, writer: &mut Writer<'_>) {
        let holder = &facts.holder;
        match story {
            Story::MarriedName => {
                self.card_holder.last_name = format!("{} épouse {}", holder.last_name, facts.alias);
                self.on_pay.holder.last_name.clone_from(&facts.alias);
            }
            Story::SeveralFirstNames => {
                self.card_holder.first_name = format!("{}, Claude, Dominique", holder.first_name);
            }
            Story::MovedHome => {
                let Holder { street, post_code, city, .. } = Holder::invented(writer.language, writer.random);
                self.card_holder = Holder { street, post_code, city, ..holder.clone() };
            }
            Story::JointAccount => {
                self.name_of_account = match writer.language {
                    Language::French => format!("M. ou Mme {}", holder.last_name),
                    Language::English => format!("Mr and Mrs {}", holder.last_name),
                };
            }
            Story::Couple => {
                let other = Holder::invented(writer.language, writer.random);
                let spouse = Holder { last_name: facts.alias.clone(), first_name: "Agathe".into(), ..other };
                self.second = Some(("PASSPORT", spouse));
            }
            Story::OtherName => {
                self.on_pay.holder.last_name.clone_from(&facts.alias);
                self.on_pay.holder.first_name = "Gaspard".into();
            }
            Story::OtherHolder => self.name_of_account = format!("Gaspard {}", facts.alias),
            Story::OtherBirthDate => {
                let birth_date = later(holder.birth_date, 400);
                self.second = Some(("PASSPORT", Holder { birth_date, ..holder.clone() }));
            }
            Story::OtherPay => {
                for cents in &mut self.paid {
                    *cents = *cents * 71 / 100;
                }
            }
            Story::OtherAccount => self.entered_account = Account::invented(writer.language, writer.random).iban,
            Story::OtherAccountOfPayslip => {
                self.account = Account::invented(writer.language, writer.random);
                self.entered_account.clone_from(&self.account.iban);
            }
            Story::YoungEmployer => self.founded = date(2026, 9, 14),
            Story::SumsOfYear => {
                if let Some(pay) = self.on_pay.months.last_mut() {
                    pay.gross_of_year += 61_700;
                    pay.taxable_of_year += 50_100;
                }
            }
            Story::OtherAddress => {
                self.address = (writer.language.say("41200", "LN4 4AA").to_owned(), "Elsewhere".to_owned());
            }
            Story::Expired => {
                (self.card_holder.issued, self.card_holder.expires) = (date(2014, 3, 9), date(2024, 3, 9));
            }
            _ => {}
        }
    }

    fn papers(&mut self, story: Story, facts: &Facts, writer: &mut Writer<'_>) -> Vec<Draft> {
        writer.holder = self.card_holder.clone();
        let form = content::form("IDENTITY_CARD", writer);
        let mut drafts = vec![Draft { kind: "IDENTITY_CARD", name: "card", form }];
        if let Some((kind, other)) = &self.second {
            writer.holder = other.clone();
            drafts.push(Draft { kind, name: "second-card", form: content::form(kind, writer) });
        }
        writer.holder = facts.holder.clone();
        let months = self.on_pay.months.clone();
        for (pay, name) in months.iter().zip(["payslip-1", "payslip-2", "payslip-3"]) {
            if story == Story::OtherEmployerNumber && name == "payslip-3" {
                self.on_pay.employer.registration = Firm::invented(&["-"], writer.language, writer.random).registration;
            }
            drafts.push(Draft { kind: "PAYSLIP", name, form: payslip(writer, &self.on_pay, *pay) });
        }
        let form = bank_details(writer, &self.name_of_account, &self.account, facts);
        drafts.push(Draft { kind: "BANK_DETAILS", name: "account", form });
        if matches!(story, Story::OtherPay | Story::OtherCredits | Story::Plain | Story::JointAccount) {
            let form = statement(writer, facts, &self.name_of_account, &self.paid, story == Story::OtherCredits);
            drafts.push(Draft { kind: "OTHER", name: "statement", form });
        }
        if matches!(story, Story::YoungEmployer | Story::Plain) {
            let form = register(writer, &facts.employer, self.founded);
            drafts.push(Draft { kind: "COMPANY_REGISTRATION", name: "employer", form });
        }
        if matches!(story, Story::OtherAddress | Story::MovedHome | Story::Plain) {
            let form = content::form("PROOF_OF_ADDRESS", writer);
            drafts.push(Draft { kind: "PROOF_OF_ADDRESS", name: "bill", form });
        }
        drafts
    }
}

/// An application with payslips, bank details and a statement.
fn loan(story: Story, facts: &Facts, writer: &mut Writer<'_>) -> (Vec<Draft>, Vec<Entered>) {
    let mut loan = Loan::new(facts);
    loan.change(story, facts, writer);
    let drafts = loan.papers(story, facts, writer);
    let Holder { last_name, first_name, .. } = facts.holder.clone();
    let mut entries = vec![
        (say(writer, "Nom", "Last name"), Some("lastName"), last_name),
        (say(writer, "Prénom", "First name"), Some("firstName"), first_name),
        ("IBAN".to_owned(), Some("iban"), loan.entered_account),
        (say(writer, "Code postal", "Post code"), Some("postCode"), loan.address.0),
        (say(writer, "Ville", "Town"), Some("city"), loan.address.1),
    ];
    if story == Story::Couple
        && let Some((_, other)) = loan.second
    {
        entries.push((say(writer, "Conjoint", "Spouse"), None, other.full_name()));
    }
    // Often nothing is entered, and the papers have only each other.
    if matches!(story, Story::OtherName | Story::OtherHolder) && writer.random.whole(0, 1) == 0 {
        entries.clear();
    }
    (drafts, entries)
}

/// A claim for what was lost.
fn claim(story: Story, facts: &Facts, writer: &mut Writer<'_>) -> (Vec<Draft>, Vec<Entered>) {
    let shop = Firm::invented(&["Valmerle Image SAS"], writer.language, writer.random);
    let account = Account::invented(writer.language, writer.random);
    let bought = date(2026, 5, 20);
    let issued = if story == Story::AfterLoss { later(facts.loss, 9) } else { bought };
    let mut addressee = lines(writer, &facts.holder);
    if story == Story::CompanyInvoice {
        writer.language.say("Cabinet Orval SARL", "Orval Partners Ltd").clone_into(&mut addressee[0]);
    }
    let mut drafts = vec![Draft { kind: "IDENTITY_CARD", name: "card", form: content::form("IDENTITY_CARD", writer) }];
    let form = invoice(writer, addressee.clone(), &shop, issued, 412, &account);
    drafts.push(Draft { kind: "INVOICE", name: "invoice", form });
    if story == Story::InvoiceNumbers {
        let form = invoice(writer, addressee, &shop, later(bought, 40), 96, &account);
        drafts.push(Draft { kind: "INVOICE", name: "invoice-2", form });
    }
    let entries = vec![
        (say(writer, "Nom", "Last name"), Some("lastName"), facts.holder.last_name.clone()),
        (say(writer, "Date du sinistre", "Date of loss"), None, facts.loss.to_string()),
    ];
    (drafts, entries)
}
