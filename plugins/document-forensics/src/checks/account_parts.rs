//! Accounts that are printed twice: as an IBAN, and in the parts of their country. A forger who changes one forgets the
//! other, although each is right in itself.

use sealwright_plugin_sdk::{
    findings::found,
    reading::{Account, Cell},
};

use crate::{
    report::{Sign, sign},
    subject::Subject,
};

const CODE: &str = "ACCOUNT_PARTS";

/// `accounts` are the right ones that the document shows.
pub(crate) fn signs(subject: &Subject<'_>, accounts: &[Account]) -> Vec<Sign> {
    // A misread digit looks like another account.
    if subject.recognised || accounts.is_empty() {
        return Vec::new();
    }
    let of = |country: &str| -> Vec<&str> {
        accounts.iter().filter(|account| account.iban.starts_with(country)).map(|account| &account.iban[4..]).collect()
    };
    let lines = subject.lines();
    let mut signs = Vec::new();
    for line in &lines {
        let french = french_parts(line).map(|parts| (parts, of("FR"), 20.0));
        let british = british_parts(line, &lines).map(|parts| (parts, of("GB"), 14.0));
        for (parts, ibans, decibans) in french.into_iter().chain(british) {
            // A bank's own account may be there too.
            if !ibans.is_empty() && !ibans.iter().any(|iban| iban.contains(&parts)) {
                let text = "An account number (IBAN) is not that of the bank, branch and account next to it.";
                let cell = line.first();
                signs.extend(cell.map(|cell| sign(decibans, found(CODE, text).at(cell.page, cell.place))));
            }
        }
    }
    signs
}

/// Bank, branch, account and key of a French account in one line, if its key is right: then it was read correctly.
fn french_parts(line: &[&Cell]) -> Option<String> {
    let words: Vec<String> = line.iter().flat_map(|cell| cell.text.split_whitespace()).map(str::to_uppercase).collect();
    words.windows(4).find_map(|parts| {
        let [bank, branch, account, key] = parts else { return None };
        let are_parts = [(bank, 5), (branch, 5), (account, 11), (key, 2)]
            .iter()
            .all(|(part, length)| part.len() == *length && part.bytes().all(|byte| byte.is_ascii_digit()));
        let number = |part: &String| part.parse::<u64>().ok();
        let sum = 89 * number(bank)? + 15 * number(branch)? + 3 * number(account)? + number(key)?;
        (are_parts && sum % 97 == 0).then(|| parts.concat())
    })
}

/// Sort code and account number of a British account: `20-11-43` and `12345678`, both labelled, in one line or two.
fn british_parts(line: &[&Cell], lines: &[Vec<&Cell>]) -> Option<String> {
    let is_labelled = |words: &str| line.iter().any(|cell| cell.folded.contains(words));
    let sort = line.iter().flat_map(|cell| cell.text.split_whitespace()).find_map(sort_code)?;
    if !is_labelled("sort code") {
        return None;
    }
    let numbers: Vec<&str> = lines
        .iter()
        .filter(|line| line.iter().any(|cell| cell.folded.contains("account n")))
        .flat_map(|line| line.iter().flat_map(|cell| cell.text.split_whitespace()))
        .filter(|word| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .collect();
    let (first, rest) = numbers.split_first()?;
    rest.iter().all(|other| other == first).then(|| format!("{sort}{first}"))
}

fn sort_code(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split('-').collect();
    let is_pair = |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    (parts.len() == 3 && parts.iter().all(is_pair)).then(|| parts.concat())
}
