//! Text for comparison: without case, accents and punctuation.

/// The text in lowercase without accents; characters that are neither letter nor digit become one space, without spaces
/// at the ends: `N° d’Identité` is `n d identite`.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        let plain = plain(letter);
        match plain {
            Plain::Letters(letters) => folded.push_str(letters),
            Plain::Same(letter) => folded.push(letter),
            Plain::Gap => {
                if !folded.is_empty() && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
        }
    }
    while folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

/// Only the letters and digits, folded: a number without its grouping.
pub fn squeeze(text: &str) -> String {
    fold(text).replace(' ', "")
}

/// Whether the folded `text` has the folded `phrase` as whole words.
pub fn has_words(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        before.is_none_or(|letter| letter == ' ') && after.is_none_or(|letter| letter == ' ')
    })
}

enum Plain {
    Letters(&'static str),
    Same(char),
    Gap,
}

fn plain(letter: char) -> Plain {
    match letter {
        'a'..='z' | '0'..='9' => Plain::Same(letter),
        'A'..='Z' => Plain::Same(letter.to_ascii_lowercase()),
        'à'
        | 'â'
        | 'ä'
        | 'á'
        | 'ã'
        | 'å'
        | 'À'
        | 'Â'
        | 'Ä'
        | 'Á'
        | 'Ã'
        | 'Å'
        | 'ă'
        | 'Ă'
        | 'ą'
        | 'Ą'
        | 'ā'
        | 'Ā'
        | 'Ạ'..='ặ' => Plain::Letters("a"),
        'î' | 'ï' | 'í' | 'ì' | 'Î' | 'Ï' | 'Í' | 'Ì' | 'ı' | 'İ' | 'ī' | 'Ī' | 'į' | 'Į' | 'Ỉ'..='ị' => {
            Plain::Letters("i")
        }
        'ô'
        | 'ö'
        | 'ó'
        | 'ò'
        | 'õ'
        | 'ø'
        | 'Ô'
        | 'Ö'
        | 'Ó'
        | 'Ò'
        | 'Õ'
        | 'Ø'
        | 'ő'
        | 'Ő'
        | 'ō'
        | 'Ō'
        | 'Ơ'
        | 'ơ'
        | 'Ọ'..='ợ' => Plain::Letters("o"),
        'û'
        | 'ù'
        | 'ü'
        | 'ú'
        | 'Û'
        | 'Ù'
        | 'Ü'
        | 'Ú'
        | 'ű'
        | 'Ű'
        | 'ů'
        | 'Ů'
        | 'ū'
        | 'Ū'
        | 'ų'
        | 'Ų'
        | 'Ư'
        | 'ư'
        | 'Ụ'..='ự' => Plain::Letters("u"),
        'ÿ' | 'ý' | 'Ÿ' | 'Ý' | 'Ỳ'..='ỹ' => Plain::Letters("y"),
        'ç' | 'Ç' | 'č' | 'ć' | 'Č' | 'Ć' => Plain::Letters("c"),
        'ñ' | 'Ñ' | 'ń' | 'Ń' | 'ň' | 'Ň' | 'ņ' | 'Ņ' => Plain::Letters("n"),
        'š' | 'ś' | 'Š' | 'Ś' | 'ş' | 'Ş' | 'ș' | 'Ș' => Plain::Letters("s"),
        'ţ' | 'Ţ' | 'ț' | 'Ț' | 'ť' | 'Ť' => Plain::Letters("t"),
        'ğ' | 'Ğ' | 'ģ' | 'Ģ' => Plain::Letters("g"),
        'ř' | 'Ř' => Plain::Letters("r"),
        'ď' | 'Ď' | 'đ' | 'Đ' => Plain::Letters("d"),
        'ķ' | 'Ķ' => Plain::Letters("k"),
        'ļ' | 'Ļ' | 'ł' | 'Ł' => Plain::Letters("l"),
        'ž' | 'ź' | 'ż' | 'Ž' | 'Ż' => Plain::Letters("z"),
        'é' | 'è' | 'ê' | 'ë' | 'É' | 'È' | 'Ê' | 'Ë' | 'ę' | 'Ę' | 'ě' | 'Ě' | 'ė' | 'Ė' | 'ē' | 'Ē' | 'Ẹ'..='ệ' => {
            Plain::Letters("e")
        }
        'œ' | 'Œ' => Plain::Letters("oe"),
        'æ' | 'Æ' => Plain::Letters("ae"),
        'ß' => Plain::Letters("ss"),
        'ﬀ' => Plain::Letters("ff"),
        'ﬁ' => Plain::Letters("fi"),
        'ﬂ' => Plain::Letters("fl"),
        'ﬃ' => Plain::Letters("ffi"),
        'ﬄ' => Plain::Letters("ffl"),
        'ﬅ' | 'ﬆ' => Plain::Letters("st"),
        // An accent that follows its letter.
        '\u{300}'..='\u{36f}' => Plain::Letters(""),
        letter if letter.is_alphanumeric() => Plain::Same(letter.to_lowercase().next().unwrap_or(letter)),
        _ => Plain::Gap,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_punctuation_do_not_matter() {
        assert_eq!(fold("  Relevé d’Identité — BANCAIRE n°\u{a0}1"), "releve d identite bancaire n 1");
        assert_eq!(squeeze("FR76 3000-4000"), "fr7630004000");
        assert_eq!(fold("Jean-Luc Schaeﬀer, NGUYỄN Thị Hương"), "jean luc schaeffer nguyen thi huong");
        assert_eq!(fold("Rene\u{301} Oﬃce"), "rene office");
    }

    #[test]
    fn words_are_whole() {
        assert!(has_words("avis d impot sur le revenu", "impot"));
        assert!(!has_words("exporibus", "rib"));
        assert!(has_words("rib", "rib"));
    }
}
