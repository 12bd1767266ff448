//! How much a case takes (decisions 15): as much as its certificate, its seal manifest and `verify` carry. The numbers are the
//! product's, and were measured (`docs/adr/0029-limits-of-a-case.md`).
//!
//! A text counts by its cost of display, in ordinary letters, not by its bytes: a line end takes a line, a character
//! that cannot be printed is shown as its number (`[U+0007]`), and joined letters without a space are shaped again for
//! each line that they may end.

use crate::{context::VisibleData, item::NewItem, step::StepAction};

/// Items of a case, of every kind.
pub const MOST_ITEMS: i64 = 1_000;
/// Items with a photo or a signature.
pub const MOST_PICTURES: i64 = 300;
/// The shown size of the texts of all items.
pub const MOST_TEXT: i64 = 1_000_000;
/// The shown size of a `caseContext`.
pub const MOST_CONTEXT: i64 = 400_000;

/// The cost of a line end: most of a line stays empty.
const LINE: i64 = 64;
const TAB: i64 = 4;
/// A letter of an alphabet that most fonts have, or a Chinese character.
const LETTER: i64 = 3;
/// A letter of a script whose letters are shaped together.
const SHAPED_LETTER: i64 = 12;
/// A character that is, or may be, shown as `[U+0007]` or `[U+1F9FF]`.
const NOTATION: i64 = 25;
/// From this length on a word without a space costs more the longer it is.
const LONG_WORD: usize = 64;

/// How much a case holds, or what one more item adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    pub items: i64,
    pub pictures: i64,
    pub text: i64,
}

impl Load {
    /// What the item adds.
    pub fn of(item: &NewItem, action: StepAction, has_file: bool) -> Self {
        let is_picture = has_file && matches!(action, StepAction::Photography | StepAction::Signature);
        Self { items: 1, pictures: is_picture.into(), text: shown_size_of_item(item) }
    }

    /// Why a case with this load cannot take `more`; none if it can.
    pub fn refusal(self, more: Self) -> Option<String> {
        if self.items + more.items > MOST_ITEMS {
            return Some(format!("a case takes at most {MOST_ITEMS} items"));
        }
        if self.pictures + more.pictures > MOST_PICTURES {
            return Some(format!("a case takes at most {MOST_PICTURES} photos and signatures"));
        }
        (self.text + more.text > MOST_TEXT).then(|| {
            format!(
                "a case takes at most {MOST_TEXT} characters of text in its items (some characters count as several): it has \
                 {}, and this item has {}",
                self.text, more.text
            )
        })
    }
}

/// The texts of an item that its certificate shows.
fn shown_size_of_item(item: &NewItem) -> i64 {
    let NewItem { data, client, device, position, .. } = item;
    let device = [
        &device.manufacturer,
        &device.model,
        &device.name,
        &device.platform,
        &device.os,
        &device.os_version,
        // Its network addresses are not shown.
    ];
    let accuracy = position.as_ref().and_then(|position| position.accuracy.as_ref());
    let client = client.iter().flat_map(|client| [&client.application, &client.version, &client.clock]);
    let texts = std::iter::once(data).chain(device.into_iter().flatten()).chain(accuracy).chain(client);
    texts.map(|text| shown_size(text)).sum()
}

/// Why a case cannot take this context; none if it can.
pub fn context_refusal(context: &VisibleData) -> Option<String> {
    let size = shown_size_of_context(context);
    (size > MOST_CONTEXT).then(|| {
        format!(
            "must have at most {MOST_CONTEXT} characters in all its texts together (some characters count as several), \
             got {size}"
        )
    })
}

fn shown_size_of_context(context: &VisibleData) -> i64 {
    let VisibleData { beneficiary, issuer, photo_ref, report_ref, instructions, user } = context;
    let person = beneficiary.iter().flat_map(|person| {
        [&person.last_name, &person.first_name, &person.address, &person.city, &person.post_code, &person.email]
    });
    let texts = person.chain([issuer, photo_ref, report_ref, instructions, user]).flatten();
    texts.map(|text| shown_size(text)).sum()
}

/// The cost of displaying a text, in ordinary letters.
pub fn shown_size(text: &str) -> i64 {
    let characters: i64 = text.chars().map(of_character).sum();
    let words: i64 = text.split([' ', '\t', '\n', '\r']).map(of_long_word).sum();
    characters + words
}

const fn of_character(character: char) -> i64 {
    match character {
        '\n' | '\r' => LINE,
        '\t' => TAB,
        ' '..='~' => 1,
        // Latin, Greek, Cyrillic, Armenian; kana, Chinese characters, Hangul. Not marks: whether a font has one together with
        // its base is not known here.
        '\u{A0}'..='\u{2FF}'
        | '\u{370}'..='\u{58F}'
        | '\u{3000}'..='\u{30FF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' => LETTER,
        // Hebrew and Arabic; scripts of India, of South East Asia, Georgian and Ethiopic, as far as the built-in fonts go.
        '\u{590}'..='\u{6FF}'
        | '\u{900}'..='\u{AFF}'
        | '\u{B80}'..='\u{EFF}'
        | '\u{1000}'..='\u{10FF}'
        | '\u{1200}'..='\u{137F}'
        | '\u{1780}'..='\u{17FF}' => SHAPED_LETTER,
        _ => NOTATION,
    }
}

/// The cost of a long word in addition to its characters: the number of those that may be joined to their neighbours,
/// for each line's worth of its length.
fn of_long_word(word: &str) -> i64 {
    // No word has more characters than bytes, and most are short.
    if word.len() <= LONG_WORD {
        return 0;
    }
    let length = word.chars().count();
    let joined = word.chars().filter(|character| is_joined(*character)).count();
    i64::try_from(joined.saturating_mul(length / LONG_WORD)).unwrap_or(i64::MAX)
}

/// Fonts join an f to a following f, i or l, and the letters of many scripts to any.
const fn is_joined(character: char) -> bool {
    matches!(character, 'f' | '\u{590}'..='\u{DFF}' | '\u{FB00}'..='\u{FEFC}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{id::StepId, item::Device};

    fn entry(data: &str) -> NewItem {
        NewItem {
            company: None,
            step: StepId::new(1).unwrap(),
            data: data.to_owned(),
            client: None,
            device: Device::default(),
            position: None,
        }
    }

    #[test]
    fn decisions_15_a_text_counts_by_its_cost_of_display() {
        for (text, size) in [
            ("", 0),
            ("Martinel", 8),
            ("Élodie", 8),
            ("a\u{7}b", 27),
            ("e\u{301}", 26),
            ("\u{4E2D}", 3),
            ("\u{645}\u{631}", 24),
            ("\u{1F9FF}", 25),
            ("a\nb", 66),
            ("\t", 4),
        ] {
            assert_eq!(shown_size(text), size, "{text:?}");
        }
        assert_eq!(shown_size(&"\u{1}".repeat(10_000)), 250_000);
        // A long word without a ligature is as cheap as its letters; joined letters cost by the square of their number.
        assert_eq!(shown_size(&"W".repeat(10_000)), 10_000);
        assert_eq!(shown_size(&"ffi".repeat(100)), 300 + 200 * 4);
        assert_eq!(shown_size(&"ffi ".repeat(100)), 400);
        assert!(shown_size(&"\u{645}".repeat(10_000)) > MOST_TEXT);
        assert_eq!(shown_size(&"\u{645} ".repeat(5_000)), 65_000);
    }

    #[test]
    fn decisions_15_every_text_of_an_item_counts_that_is_shown() {
        let text = || Some("x".repeat(10));
        let device = Device {
            manufacturer: text(),
            model: text(),
            name: text(),
            platform: text(),
            os: text(),
            os_version: text(),
            carrier_ip_address: text(),
            wifi_ip_address: text(),
        };
        let client =
            crate::item::Client { application: "x".repeat(10), version: "x".repeat(10), clock: "x".repeat(10) };
        let position = crate::item::Position { latitude: "45".to_owned(), longitude: "4".to_owned(), accuracy: text() };
        let item = NewItem { client: Some(client), device, position: Some(position), ..entry("0123456789") };
        let load = |action, has_file| Load::of(&item, action, has_file);
        assert_eq!(load(StepAction::TextField, false), Load { items: 1, pictures: 0, text: 110 });
        assert_eq!(load(StepAction::Photography, true).pictures, 1);
        assert_eq!(load(StepAction::Signature, true).pictures, 1);
        assert_eq!(load(StepAction::Photography, false).pictures, 0, "a legacy item has no picture");
        assert_eq!(load(StepAction::Video, true).pictures + load(StepAction::DocumentUpload, true).pictures, 0);
    }

    #[test]
    fn decisions_15_the_limits_themselves_are_taken_and_one_more_is_not() {
        let one = Load { items: 1, pictures: 1, text: 10 };
        let full = Load { items: MOST_ITEMS, pictures: MOST_PICTURES, text: MOST_TEXT };
        let before = Load { items: MOST_ITEMS - 1, pictures: MOST_PICTURES - 1, text: MOST_TEXT - 10 };
        assert_eq!(before.refusal(one), None);
        let refusal = |load: Load| load.refusal(one).unwrap();
        assert_eq!(refusal(full), "a case takes at most 1000 items");
        assert_eq!(
            refusal(Load { pictures: MOST_PICTURES, ..before }),
            format!("a case takes at most {MOST_PICTURES} photos and signatures")
        );
        let message = refusal(Load { text: MOST_TEXT - 9, ..before });
        assert!(message.starts_with(&format!("a case takes at most {MOST_TEXT} characters of text")), "{message}");
    }

    #[test]
    fn decisions_15_a_context_of_the_longest_texts_is_taken_and_one_of_line_ends_is_not() {
        let of = |text: &str| VisibleData {
            issuer: Some(text.to_owned()),
            instructions: Some(text.to_owned()),
            ..VisibleData::default()
        };
        assert_eq!(context_refusal(&of(&"é".repeat(10_000))), None);
        assert!(context_refusal(&of(&"\n".repeat(10_000))).is_some());
    }
}
