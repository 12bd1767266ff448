//! Fonts by their names, and the text of a page whose fonts can be compared.

use sealwright_plugin_sdk::facts::{Annotation, TextRun, TextSource};

/// Words in font names that distinguish styles of one family.
const STYLES: [&str; 25] = [
    "bold",
    "italic",
    "oblique",
    "regular",
    "roman",
    "medium",
    "light",
    "semibold",
    "demi",
    "black",
    "book",
    "condensed",
    "narrow",
    "thin",
    "heavy",
    "extra",
    "semi",
    "mt",
    "ps",
    "std",
    "psmt",
    "roman mt",
    // As URW abbreviates them.
    "regu",
    "medi",
    "ital",
];
/// Fonts of symbols rather than words.
pub(crate) const SIGNS: [&str; 12] = [
    "symbol", "dingbat", "wingding", "webding", "awesome", "icon", "barcode", "code39", "code128", "ocrb", "ocra",
    "emoji",
];

/// What a page shows, without what was filled into a form: forms are filled in another font.
pub(crate) fn visible(mut runs: Vec<TextRun>, forms: &[Annotation], page: u32) -> Vec<TextRun> {
    let is_filled = |run: &TextRun| {
        let in_field =
            |field: &Annotation| field.place.page == page && field.place.area.is_some_and(|area| area.meets(&run.area));
        forms.iter().any(in_field)
    };
    runs.retain(|run| run.hidden.is_none() && run.source == TextSource::Layer && !is_filled(run));
    runs
}

/// The family's name: small letters without style, foundry and separators.
pub(crate) fn family(name: &str) -> String {
    let mut words = String::new();
    let mut last_small = false;
    for letter in name.chars() {
        // "LibertinusSerif-BoldItalic", "ArialNarrow,Bold"
        if !letter.is_alphanumeric() || (letter.is_uppercase() && last_small) {
            words.push(' ');
        }
        last_small = letter.is_lowercase();
        words.extend(letter.to_lowercase().filter(|letter| letter.is_alphanumeric()));
    }
    // "CMR10" and "CMR12" are one family in two optical sizes.
    let without_size = |word: &str| {
        let letters = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        if letters.len() >= 3 { letters.to_owned() } else { word.to_owned() }
    };
    words.split(' ').map(without_size).filter(|word| !STYLES.contains(&word.as_str()) && !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_one_family_are_one() {
        for (first, second) in [
            ("LibertinusSerif-Regular", "LibertinusSerif-BoldItalic"),
            ("Arial,Bold", "ArialMT"),
            ("TimesNewRomanPS-BoldMT", "TimesNewRomanPSMT"),
            ("Helvetica", "Helvetica-Bold"),
            ("LMSans10-Regular", "LMSans12-Bold"),
        ] {
            assert_eq!(family(first), family(second), "{first}, {second}");
        }
        assert_ne!(family("NotoSans-Regular"), family("LibertinusSerif-Regular"));
    }
}
