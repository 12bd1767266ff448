//! What people call an item: the title of its step and its number. The analysis names items by their references, which
//! only programs and the certificate use.

use crate::{
    app::console::case::Item,
    domain::id::{CaseId, ItemId},
    http::link::Language,
};

/// The names of the items of a case, in the language of a page.
pub(in crate::http::console) struct Names<'a> {
    pub(in crate::http::console) language: Language,
    case: CaseId,
    titles: Vec<(ItemId, &'a str)>,
}

impl<'a> Names<'a> {
    pub(in crate::http::console) fn of(
        case: CaseId,
        items: impl Iterator<Item = &'a Item>,
        language: Language,
    ) -> Self {
        Self::new(case, items.map(|item| (item.id, item.content.step_title.as_str())).collect(), language)
    }

    pub(in crate::http::console) fn new(case: CaseId, titles: Vec<(ItemId, &'a str)>, language: Language) -> Self {
        Self { language, case, titles }
    }

    /// An item of the case, such as `Front of the house (item 3)`.
    pub(in crate::http::console) fn item(&self, item: ItemId) -> String {
        self.item_of(self.case, item)
    }

    /// An item of any case, such as `item 3 of case 1` if it is another one.
    pub(in crate::http::console) fn item_of(&self, case: CaseId, item: ItemId) -> String {
        self.name(case, item, self.language)
    }

    /// A text with the names in place of the references, `ITM-3` or `ITM-3_CAS-1`.
    pub(super) fn in_place(&self, text: &str, language: Language) -> String {
        let mut pieces = text.split("ITM-");
        let mut named = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (number, rest) = leading_number(piece);
            let Some(item) = ItemId::parse(number) else {
                named.push_str("ITM-");
                named.push_str(piece);
                continue;
            };
            let of_case = rest.strip_prefix("_CAS-").map(leading_number);
            let of_case = of_case.and_then(|(number, rest)| Some((CaseId::parse(number)?, rest)));
            let (case, rest) = of_case.unwrap_or((self.case, rest));
            named.push_str(&self.name(case, item, language));
            named.push_str(rest);
        }
        named
    }

    fn name(&self, case: CaseId, item: ItemId, language: Language) -> String {
        let number = format!("{} {item}", language.pick("item", "élément"));
        if case != self.case {
            return format!("{number} {} {case}", language.pick("of case", "du dossier"));
        }
        match self.titles.iter().find(|(known, _)| *known == item) {
            Some((_, title)) => format!("{title} ({number})"),
            None => number,
        }
    }
}

/// The digits that a text begins with, and the rest.
fn leading_number(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_in_a_text_become_names() {
        let titles = vec![(ItemId::parse("3").unwrap(), "Front of the house"), (ItemId::parse("4").unwrap(), "ITM-3")];
        let names = Names::new(CaseId::parse("1").unwrap(), titles, Language::English);
        for (text, expected) in [
            ("as ITM-3_CAS-1.", "as Front of the house (item 3)."),
            ("as ITM-3_CAS-2.", "as item 3 of case 2."),
            // A title is not read again.
            ("ITM-4 and ITM-3", "ITM-3 (item 4) and Front of the house (item 3)"),
            ("ITM-5, ITM-34", "item 5, item 34"),
            ("ITM- ITM-x ITM-0 ITM-3_CAS-", "ITM- ITM-x ITM-0 Front of the house (item 3)_CAS-"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(names.in_place(text, Language::English), expected);
        }
        assert_eq!(names.in_place("ITM-3_CAS-2", Language::French), "élément 3 du dossier 2");
        assert_eq!(names.item(ItemId::parse("3").unwrap()), "Front of the house (item 3)");
    }
}
