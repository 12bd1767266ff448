//! The languages of pages: which ones are read, and which one a page seems to be in.
//!
//! A page is read in one language: each further one makes reading slower, and a model knows only its own letters. The
//! first reading of a page shows its language by its frequent words, which every model of the Latin script reads.

use std::collections::HashSet;

/// A language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// As Tesseract names it.
    pub code: &'static str,
    pub name: &'static str,
    /// Whether text recognition uses it if it is installed.
    pub is_read: bool,
    /// Frequent words, and words of letters and invoices, in small letters. Without accents: the model of another
    /// language may not have them.
    words: &'static str,
}

impl Language {
    /// The package of Debian that contains it.
    pub fn package(&self) -> String {
        format!("tesseract-ocr-{}", self.code)
    }

    /// The language that Tesseract names so.
    pub fn of_code(code: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.code == code)
    }
}

/// Those that are read come first, in the order in which they are tried.
pub static LANGUAGES: [Language; 15] = [
    read(
        "fra",
        "French",
        "le la les des du de et est en dans pour par avec sur une un au aux vous votre vos nous notre qui que ce cette sont pas plus \
         sous montant facture adresse nom prenom delivre valable ville jour mois euros compte",
    ),
    read(
        "eng",
        "English",
        "the of and to in for is on by with this that you your our are be from at have not which we it as will amount \
         number invoice address name birth account payment please bill total due",
    ),
    read(
        "deu",
        "German",
        "der die das und ist von mit den dem des im zu auf nicht ein eine einer wir sie ihre ihr bei oder aus nach zum \
         zur bis vom als auch wird werden rechnung datum betrag kundennummer bitte summe gesamt",
    ),
    read(
        "spa",
        "Spanish",
        "el la los las de del y en por para con una un su sus se al que es como fecha factura importe cliente usted \
         pago numero cuenta nombre domicilio desde hasta",
    ),
    read(
        "ita",
        "Italian",
        "il la di e che per con del della dei delle degli un una nel nella al alla sono da si lo gli fattura importo \
         cliente numero data scadenza totale pagamento indirizzo codice",
    ),
    read(
        "nld",
        "Dutch",
        "de het een van en is voor met op te uw wij niet bij aan zijn dit dat door of naar tot per factuur datum bedrag \
         klant totaal btw betaling rekening nummer",
    ),
    read(
        "por",
        "Portuguese",
        "o a os as de do da dos das e em para com uma um no na por se ao sua seu ou fatura cliente valor numero data \
         contribuinte morada pagamento conta vencimento",
    ),
    other("pol", "Polish", "i w na z do nie jest oraz dla od przez po za faktura kwota razem data sprzedawca nabywca"),
    other("ron", "Romanian", "si de in la cu pentru este din pe nu factura suma data plata client prin sau care"),
    other("swe", "Swedish", "och att det som av med den till en ett vid faktura belopp summa moms betala datum kund"),
    other("dan", "Danish", "og at det som af med den til er en et ikke ved faktura belob moms dato kunde betaling fra"),
    other("nor", "Norwegian", "og det som av med den til er en et ikke ved faktura belop mva dato kunde betaling fra"),
    other("ces", "Czech", "a v na je se s pro do za od ze faktura castka celkem datum dodavatel odberatel dph"),
    other("hun", "Hungarian", "a az es hogy nem egy van szamla osszeg datum ado vevo fizetendo"),
    other("tur", "Turkish", "ve bir bu ile icin tarih fatura toplam tutar vergi adres kdv olarak"),
];

const fn read(code: &'static str, name: &'static str, words: &'static str) -> Language {
    Language { code, name, is_read: true, words }
}

const fn other(code: &'static str, name: &'static str, words: &'static str) -> Language {
    Language { code, name, is_read: false, words }
}

/// Fewer different frequent words do not determine a language.
const LEAST_WORDS: usize = 4;

/// The language of a page with these words, if they determine one: at least four of its frequent words, and clearly more
/// than of any other language. A word that several languages have counts for each of them in part.
pub(super) fn of<'w>(words: impl Iterator<Item = &'w str>) -> Option<&'static Language> {
    let mut seen: HashSet<String> = HashSet::new();
    for word in words {
        // `l'adresse` has two words.
        for part in word.split(|letter: char| !letter.is_alphabetic()).filter(|part| !part.is_empty()) {
            seen.insert(part.chars().flat_map(char::to_lowercase).map(without_accent).collect());
        }
    }
    let lists: Vec<HashSet<&str>> =
        LANGUAGES.iter().map(|language| language.words.split_whitespace().collect()).collect();
    let mut scores: Vec<(usize, usize, &'static Language)> = LANGUAGES
        .iter()
        .zip(&lists)
        .map(|(language, list)| {
            let found = list.iter().filter(|word| seen.contains(**word));
            let (mut hits, mut score) = (0, 0);
            for word in found {
                hits += 1;
                score += 60 / lists.iter().filter(|list| list.contains(word)).count();
            }
            (score, hits, language)
        })
        .collect();
    scores.sort_by_key(|(score, ..)| std::cmp::Reverse(*score));
    let [(score, hits, best), (second, ..), ..] = scores[..] else { return None };
    // A single letter is an initial or a column as often as a word, so lists of such words count for little.
    (hits >= LEAST_WORDS && score >= 60 * 2 && score * 2 >= second * 3).then_some(best)
}

/// The script in the answer of Tesseract's script detection, if it is not the Latin one and the program is not guessing.
pub(super) fn script(answer: &str) -> Option<&str> {
    let value = |key: &str| answer.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let name = value("Script:").filter(|name| *name != "Latin" && name.len() < 40)?;
    let confidence: f64 = value("Script confidence:")?.parse().ok()?;
    (confidence >= 1.0).then_some(name)
}

/// A small letter of the Latin script without its accent.
fn without_accent(letter: char) -> char {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ă' | 'ą' => 'a',
        'ç' | 'č' | 'ć' => 'c',
        'è' | 'é' | 'ê' | 'ë' | 'ě' | 'ę' => 'e',
        'ì' | 'í' | 'î' | 'ï' | 'ı' => 'i',
        'ñ' | 'ń' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ő' => 'o',
        'š' | 'ş' | 'ș' | 'ś' => 's',
        'ù' | 'ú' | 'û' | 'ü' | 'ű' | 'ů' => 'u',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<&'static str> {
        of(text.split_whitespace()).map(|language| language.code)
    }

    #[test]
    fn a_language_is_recognised_by_its_frequent_words() {
        for (text, wanted) in [
            ("Nous vous prions de régler le montant de la facture dans les 30 jours", "fra"),
            ("Votre contrat est valable jusqu'au 31 mars pour l'adresse de livraison", "fra"),
            ("Please pay the amount of this invoice to our account by the due date", "eng"),
            ("Bitte überweisen Sie den Betrag bis zum 3. März auf das Konto der Firma und nicht bar", "deu"),
            ("Le agradecemos el pago de la factura en los plazos y por los importes de su contrato", "spa"),
            ("La preghiamo di effettuare il pagamento della fattura entro la data di scadenza con bonifico", "ita"),
            ("Wij verzoeken u het bedrag van de factuur voor de vervaldatum over te maken met uw klantnummer", "nld"),
            ("Agradecemos o pagamento do valor da fatura até à data de vencimento em nome do cliente", "por"),
            ("Prosimy o zapłatę kwoty faktury w terminie do dnia oraz na konto przez przelew dla sprzedawca", "pol"),
            ("Vänligen betala beloppet till vårt konto och ange det nummer som finns på faktura med datum", "swe"),
        ] {
            assert_eq!(code(text), Some(wanted), "{text}");
        }
    }

    #[test]
    fn names_numbers_and_a_few_words_determine_no_language() {
        for text in ["", "42,00 EUR 12/03/2026", "DUPONT Marie 12 rue", "Total Date Numero", "a b c d e f g i o"] {
            assert_eq!(code(text), None, "{text}");
        }
    }

    #[test]
    fn another_script_is_reported_if_it_is_sure() {
        assert_eq!(script("Rotate: 0\nScript: Cyrillic\nScript confidence: 3.33\n"), Some("Cyrillic"));
        assert_eq!(script("Script: Latin\nScript confidence: 3.33\n"), None);
        assert_eq!(script("Script: Cyrillic\nScript confidence: 0.40\n"), None);
        assert_eq!(script("Too few characters. Skipping this page\n"), None);
    }

    #[test]
    fn words_are_folded_and_codes_are_unique() {
        for language in &LANGUAGES {
            assert!(
                language.words.chars().all(|letter| letter.is_ascii_lowercase() || letter == ' '),
                "{}",
                language.code
            );
            assert_eq!(Language::of_code(language.code), Some(language));
        }
        assert!(LANGUAGES.is_sorted_by_key(|language| !language.is_read));
    }
}
