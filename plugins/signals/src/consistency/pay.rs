//! Payslips among each other, and the net pay against the payments that an account received.

use sealwright_plugin_sdk::reading::{Date, text::has_words};

use super::{
    company::{is_same_company, words_of_employer},
    comparison::Comparison,
    paper::{Paper, cents, may_be_misread},
    person::is_of_another,
};

/// Words of a payment by an employer.
const PAY: [&str; 14] = [
    "salaire",
    "salaires",
    "paie",
    "paye",
    "remuneration",
    "traitement",
    "salary",
    "wages",
    "payroll",
    "pay",
    "virement salaire",
    "vir salaire",
    "sal",
    "appointements",
];
/// Words of a payslip whose net is not paid at once.
const PARTS: [&str; 7] = ["acompte", "acomptes", "saisie", "opposition", "advance", "attachment", "garnishment"];

pub(super) fn compare(comparison: &mut Comparison) {
    let mut doubts = Vec::new();
    let mut compared = Vec::new();
    let papers = &comparison.papers;
    let slips: Vec<&Paper> = papers.iter().filter(|paper| paper.is_payslip() && !is_of_another(paper)).collect();
    let statements: Vec<&Paper> = papers.iter().filter(|paper| paper.is_statement()).collect();
    for slip in &slips {
        match credited(slip, &slips, &statements) {
            Credited::NotCompared => {}
            Credited::Same => compared.push("net pay and payments received"),
            Credited::Other { statement, cost } => {
                compared.push("net pay and payments received");
                let text =
                    format!("The net pay on {} differs from the pay received on {}.", slip.name(), statement.name());
                doubts.push((cost, slip.item, "OTHER_PAY", text));
            }
            Credited::Missing { statement } => {
                compared.push("net pay and payments received");
                let text =
                    format!("{} shows no payment of the net pay on {} around its date.", statement.name(), slip.name());
                doubts.push((34, slip.item, "PAY_NOT_RECEIVED", text));
            }
        }
    }
    for (at, one) in slips.iter().enumerate() {
        for other in &slips[at + 1..] {
            let (earlier, later) = if one.month() <= other.month() { (one, other) } else { (other, one) };
            months(earlier, later, &mut doubts, &mut compared);
        }
    }
    for field in compared {
        comparison.compared(field);
    }
    for (cost, item, code, text) in doubts {
        comparison.doubt(cost, Some(item), code, text);
    }
}

enum Credited<'p> {
    /// No statement covers the day of the pay, or something is unsure.
    NotCompared,
    Same,
    /// Another amount was received as pay.
    Other {
        statement: &'p Paper,
        cost: u8,
    },
    /// The day of the pay is covered, and there is no such payment.
    Missing {
        statement: &'p Paper,
    },
}

/// A payment that an account received.
struct Payment {
    cents: i64,
    day: Option<Date>,
    text: String,
}

fn payments(statement: &Paper) -> Vec<Payment> {
    let of_group = |kind: &str, group: Option<u32>| {
        statement.all(kind).find(|value| value.group == group).map(|value| value.value.clone())
    };
    let all = statement.all("credit").filter(|value| value.group.is_some());
    let read = all.filter_map(|value| {
        Some(Payment {
            cents: cents(&value.value)?,
            day: of_group("creditDate", value.group).and_then(|day| Date::read(&day)),
            text: of_group("creditText", value.group).unwrap_or_default(),
        })
    });
    read.collect()
}

fn credited<'p>(slip: &Paper, slips: &[&Paper], statements: &[&'p Paper]) -> Credited<'p> {
    let nets: Vec<i64> = slip.sure("netPay").filter_map(|net| cents(&net.value)).collect();
    let (Some(net), Some(month)) = (nets.first(), slip.month()) else { return Credited::NotCompared };
    if slip.is_recognised() && slip.one("netPay").is_none_or(|net| net.score < 85) {
        return Credited::NotCompared;
    }
    // From the 20th of the month to the 15th of the next one, or around the day of the pay.
    let first =
        Date::new((month - 1) / 12, u8::try_from((month - 1) % 12 + 1).unwrap_or(1), 1).map_or(0, Date::day_number);
    let (from, until) = match slip.day("payDate").map(Date::day_number).filter(|day| (first..first + 62).contains(day))
    {
        Some(day) => (day - 3, day + 7),
        None => (first + 19, first + 46),
    };
    let employer = words_of_employer(slip);
    let mut other = None;
    let mut missing = None;
    let mut covered = false;
    for statement in statements {
        if nets.iter().any(|net| statement.mentions_amount(*net)) {
            return Credited::Same;
        }
        let days = |kind: &str| statement.day(kind).map(Date::day_number);
        let all = payments(statement);
        let seen = || all.iter().filter_map(|payment| payment.day).map(Date::day_number);
        let Some(start) = days("periodStart").or_else(|| seen().min()) else { continue };
        let Some(end) = days("periodEnd").or_else(|| seen().max()) else { continue };
        if end < from || start > until {
            continue;
        }
        covered = true;
        let is_of_others = |payment: &Payment| {
            let other = |slip: &&&Paper| slip.sure("netPay").any(|value| cents(&value.value) == Some(payment.cents));
            slips.iter().any(|slip| other(&slip))
        };
        let is_pay = |payment: &&Payment| {
            let is_named = employer.iter().any(|word| has_words(&payment.text, word));
            is_named || PAY.iter().any(|word| has_words(&payment.text, word))
        };
        let in_time =
            |payment: &&Payment| payment.day.is_none_or(|day| (from - 8..=until + 8).contains(&day.day_number()));
        let pay: Vec<&Payment> =
            all.iter().filter(is_pay).filter(in_time).filter(|payment| !is_of_others(payment)).collect();
        let sum: i64 = pay.iter().map(|payment| payment.cents).sum();
        // Pay in parts, and a net pay whose label was not understood.
        if nets.contains(&sum) || pay.iter().any(|payment| slip.mentions_amount(payment.cents)) {
            return Credited::Same;
        }
        let unsure = |payment: &Payment| may_be_misread(&payment.cents.to_string(), &net.to_string());
        let recognised = slip.is_recognised() || statement.is_recognised();
        if pay.first().is_some_and(|payment| !recognised || !unsure(payment)) {
            other = Some(*statement);
        } else if pay.is_empty() && start <= from && end >= until && !recognised && statement.amounts().count() >= 5 {
            missing = Some(*statement);
        }
    }
    let is_in_parts = PARTS.iter().any(|word| slip.words.contains(*word));
    match (other, missing) {
        (Some(statement), _) => Credited::Other { statement, cost: if is_in_parts { 20 } else { 48 } },
        (None, Some(statement)) if slip.day("payDate").is_some() && !is_in_parts => Credited::Missing { statement },
        _ if covered => Credited::Same,
        _ => Credited::NotCompared,
    }
}

type Doubt = (u8, u64, &'static str, String);

/// Two payslips, the one of the earlier month first.
fn months(earlier: &Paper, later: &Paper, doubts: &mut Vec<Doubt>, compared: &mut Vec<&'static str>) {
    let (Some(from), Some(to)) = (earlier.month(), later.month()) else { return };
    let mut say = |cost: u8, code: &'static str, what: &str| {
        doubts.push((
            cost,
            later.item,
            code,
            format!("{what} on {} differs from that on {}.", later.name(), earlier.name()),
        ));
    };
    let recognised = earlier.is_recognised() || later.is_recognised();
    let Some(is_same) = is_same_company(earlier, later) else { return };
    compared.push("employers of payslips");
    if !is_same {
        // People change their job, but not while they have worked in the new one for longer.
        let entered = later.day("entryDate").map(|day| day.year * 12 + i32::from(day.month));
        let fits = entered.is_some_and(|entered| entered > from);
        if !fits && to - from <= 1 && !recognised {
            say(if entered.is_some() { 45 } else { 33 }, "OTHER_EMPLOYER", "The employer");
        }
        return;
    }
    if let (Some(one), Some(other)) = (earlier.one("companyNumber"), later.one("companyNumber")) {
        let numbers = |paper: &Paper| paper.all("companyNumber").map(|number| number.value.clone()).collect::<Vec<_>>();
        if !numbers(earlier).iter().any(|number| numbers(later).contains(number))
            && !may_be_misread(&one.value, &other.value)
        {
            say(48, "OTHER_COMPANY_NUMBER", "The number of the employer");
        }
    }
    if let (Some(one), Some(other)) = (earlier.day("entryDate"), later.day("entryDate"))
        && one != other
        && !recognised
        && !earlier.mentions_day(other)
        && !later.mentions_day(one)
    {
        say(36, "OTHER_ENTRY_DATE", "The start of the employment");
    }
    if from == to {
        if let (Some(one), Some(other)) = (earlier.amount("netPay"), later.amount("netPay"))
            && one != other
            && !recognised
            && !earlier.mentions_amount(other)
            && !later.mentions_amount(one)
        {
            say(36, "OTHER_PAY_OF_MONTH", "The net pay of the same month");
        }
        return;
    }
    if (from - 1) / 12 != (to - 1) / 12 || recognised {
        return;
    }
    for (of_year, of_month, what) in [
        ("grossPayOfYear", "grossPay", "The gross pay of the year"),
        ("taxablePayOfYear", "taxablePay", "The taxable pay of the year"),
    ] {
        let sums = |paper: &Paper| paper.sure(of_year).filter_map(|value| cents(&value.value)).collect::<Vec<_>>();
        let (before, after) = (sums(earlier), sums(later));
        if before.is_empty() || after.is_empty() {
            continue;
        }
        compared.push("sums of the year on payslips");
        let differences = before.iter().flat_map(|one| after.iter().map(move |other| other - one));
        let month = later.amount(of_month);
        let fits = |difference: i64| {
            let is_month = |amount: i64| amount.abs_diff(difference) <= 100;
            difference > 0 && (to - from > 1 || month.is_none() || later.amounts().any(is_month))
        };
        if !differences.into_iter().any(fits) {
            let text = format!("{what} on {} does not follow from that on {}.", later.name(), earlier.name());
            doubts.push((42, later.item, "SUM_OF_YEAR", text));
        }
    }
}
