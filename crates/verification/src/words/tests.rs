//! The sentences of every language take the same values.

use std::fmt::Debug;

use super::Language;

/// How many values each field takes.
fn places(words: &impl Debug) -> Vec<usize> {
    format!("{words:#?}").lines().map(|line| line.matches("{}").count()).collect()
}

#[test]
fn a_sentence_takes_the_same_number_of_values_in_every_language() {
    let english = Language::English;
    for language in [Language::French, Language::German] {
        assert_eq!(places(language.words()), places(english.words()), "{language:?}");
        assert_eq!(places(language.answers()), places(english.answers()), "{language:?}");
        assert_eq!(places(language.disclosure()), places(english.disclosure()), "{language:?}");
        assert_eq!(places(language.erasure()), places(english.erasure()), "{language:?}");
        assert_eq!(places(language.embedded()), places(english.embedded()), "{language:?}");
        assert_eq!(places(language.witnesses()), places(english.witnesses()), "{language:?}");
        assert_eq!(places(language.package()), places(english.package()), "{language:?}");
        assert_eq!(places(language.authorities()), places(english.authorities()), "{language:?}");
    }
}
