//! A second reading of short pieces of text with low confidence: labels and values, such as numbers. Each is read again
//! as one line (`strip.rs`), and in another size if that is not the same. The result is what two of the three readings
//! agree on.

use super::{
    lines::{Piece, Spot, Word},
    strip::fits,
};

/// Words with less confidence are doubtful.
const DOUBTFUL: f64 = 88.0;
/// Numbers with letters in them are in no dictionary that could confirm them.
const DOUBTFUL_CODE: f64 = 95.0;
/// Text that the first reading missed is accepted if each of its words has this confidence in each size.
const SURE: f64 = 50.0;
/// A piece with more words is a sentence.
const MOST_WORDS: usize = 8;
/// The most pieces of a page that are read again, those with the least confidence first.
pub(super) const MOST_PIECES: usize = 24;

/// The indexes of the pieces to read again, those with the least confidence first. `slope` is that of the page's lines.
pub(super) fn doubtful(pieces: &[Piece], slope: f64) -> Vec<usize> {
    let mut doubtful: Vec<(usize, f64)> = pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.words.len() <= MOST_WORDS && is_line(piece.place) && fits(piece.place, slope))
        .filter(|(_, piece)| piece.words.iter().any(is_doubtful))
        .map(|(index, piece)| (index, piece.words.iter().map(|word| word.confidence).fold(100.0, f64::min)))
        .collect();
    doubtful.sort_by(|one, other| one.1.total_cmp(&other.1));
    doubtful.truncate(MOST_PIECES);
    doubtful.into_iter().map(|(index, _)| index).collect()
}

fn is_line(place: Spot) -> bool {
    (place.right - place.left) * 2 > place.height()
}

fn is_doubtful(word: &Word) -> bool {
    let letters = word.text.chars().filter(|letter| letter.is_alphabetic()).count();
    let figures = word.text.chars().filter(char::is_ascii_digit).count();
    // Specks and frames are read as symbols: reading them again does not help. Machine-readable zones are read with
    // their own alphabet.
    if letters + figures == 0 || word.text.contains("<<") {
        return false;
    }
    word.confidence < if letters > 0 && figures > 0 { DOUBTFUL_CODE } else { DOUBTFUL }
}

/// The places that are read in the second size, by their number among the doubtful and then the unread ones: those where
/// the first strip differs from the page's reading, and those where it shows unread text.
pub(super) fn open(pieces: &[Piece], doubtful: &[usize], unread: &[Spot], first: &[Word]) -> Vec<usize> {
    let differs = |turn: usize, index: usize| {
        let own: String = pieces[index].words.iter().map(|word| word.text.as_str()).collect();
        text(&of_page(first, turn)) != own
    };
    let doubtful_ones = doubtful.iter().enumerate().filter(|(turn, index)| differs(*turn, **index));
    let unread_ones = (doubtful.len()..doubtful.len() + unread.len()).filter(|turn| is_text(&of_page(first, *turn)));
    doubtful_ones.map(|(turn, _)| turn).chain(unread_ones).collect()
}

/// Merges the readings of the strips of the doubtful pieces and the unread places. `again` are the numbers of those that
/// have a strip in the second size, and the words on these.
pub(super) fn merge_readings(
    pieces: &mut Vec<Piece>,
    (doubtful, unread): (&[usize], &[Spot]),
    first: &[Word],
    (open, second): (&[usize], &[Word]),
) {
    let readings = |turn: usize| -> Vec<Vec<&Word>> {
        let again = open.iter().position(|other| *other == turn).map(|page| of_page(second, page));
        std::iter::once(of_page(first, turn)).chain(again).collect()
    };
    for (turn, index) in doubtful.iter().enumerate() {
        let piece = &mut pieces[*index];
        piece.words = merged(&piece.words, &readings(turn), piece.place);
    }
    for (turn, place) in (doubtful.len()..).zip(unread) {
        let readings = readings(turn);
        let agree = readings.len() == 2 && text(&readings[0]) == text(&readings[1]);
        if agree && readings.iter().all(|words| is_text(words)) {
            pieces.push(Piece { words: at(*place, &readings[0]), place: *place });
        }
    }
}

/// The words of a picture; pictures are numbered from 0 here, and from 1 in Tesseract's table.
fn of_page(words: &[Word], page: usize) -> Vec<&Word> {
    words.iter().filter(|word| usize::try_from(word.line[0]) == Ok(page + 1)).collect()
}

/// Whether words that the page's reading missed are text and not a speck.
fn is_text(words: &[&Word]) -> bool {
    let letters = words.iter().flat_map(|word| word.text.chars()).filter(|letter| letter.is_alphanumeric()).count();
    letters >= 2 && words.iter().all(|word| word.confidence >= SURE)
}

/// Words that were read in a strip, with the place on the page that the strip shows.
fn at(place: Spot, words: &[&Word]) -> Vec<Word> {
    words.iter().map(|word| Word { place, ..(*word).clone() }).collect()
}

fn text(words: &[&Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect()
}

/// The words of a piece: those that two readings agree on, else those with the most confidence. `others` are the
/// readings of its strips, `place` is its place on the page.
fn merged(first: &[Word], others: &[Vec<&Word>], place: Spot) -> Vec<Word> {
    let alike: Vec<&Vec<&Word>> = others.iter().filter(|words| words.len() == first.len()).collect();
    if alike.len() < others.len() {
        // Words were split or joined: take the whole line that two readings agree on. The same letters stay split as
        // they were: a strip shows too little of a line to detect gaps.
        let own: String = first.iter().map(|word| word.text.as_str()).collect();
        let agree = others.iter().all(|words| text(words) == text(&others[0])) && text(&others[0]) != own;
        if agree && !others[0].is_empty() {
            return at(place, &others[0]);
        }
    }
    first
        .iter()
        .enumerate()
        .map(|(index, word)| {
            let readings: Vec<&Word> = std::iter::once(word).chain(alike.iter().map(|words| words[index])).collect();
            let votes = |text: &str| readings.iter().filter(|reading| reading.text == text).count();
            let best = readings.iter().copied().reduce(|best, next| {
                let is_better = (votes(&next.text), next.confidence) > (votes(&best.text), best.confidence);
                if is_better { next } else { best }
            });
            best.map_or_else(
                || word.clone(),
                |best| Word { text: best.text.clone(), confidence: best.confidence, ..word.clone() },
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Spot = Spot { left: 100, top: 100, right: 400, bottom: 130 };

    /// Words with their confidence, of the picture with this number.
    fn words(page: u32, texts: &[(&str, f64)]) -> Vec<Word> {
        let word = |(text, confidence): &(&str, f64)| {
            let place = Spot { left: 0, top: 0, right: 60, bottom: 30 };
            Word { text: (*text).to_owned(), confidence: *confidence, place, line: [page, 1, 1, 1] }
        };
        texts.iter().map(word).collect()
    }

    fn texts(words: &[(&str, f64)]) -> String {
        words.iter().map(|(text, _)| *text).collect()
    }

    fn piece(texts: &[(&str, f64)]) -> Piece {
        Piece { words: words(1, texts), place: PLACE }
    }

    /// The text of a piece after reading these strips.
    fn read_again(first: &[(&str, f64)], strips: [&[(&str, f64)]; 2]) -> String {
        let mut pieces = vec![piece(first)];
        let readings = strips.map(|strip| words(1, strip));
        let open = open(&pieces, &[0], &[], &readings[0]);
        assert_eq!(open.is_empty(), texts(strips[0]) == texts(first));
        merge_readings(&mut pieces, (&[0], &[]), &readings[0], (&open, &readings[1]));
        assert_eq!((pieces.len(), pieces[0].place), (1, PLACE));
        let texts: Vec<&str> = pieces[0].words.iter().map(|word| word.text.as_str()).collect();
        texts.join(" ")
    }

    #[test]
    fn short_lines_with_low_confidence_are_doubtful() {
        let sentence = [("word", 40.0); MOST_WORDS + 1];
        let upright = Piece { place: Spot { right: 110, ..PLACE }, ..piece(&[("word", 40.0)]) };
        let pieces = [
            piece(&[("Total", 96.0), ("due", 87.0)]),
            piece(&[("Total", 96.0), ("due", 88.0)]),
            piece(&[("SD8832528", 94.0)]),
            piece(&[("8832528", 94.0)]),
            piece(&[("|", 20.0), ("—", 10.0)]),
            piece(&sentence),
            upright,
            piece(&[("S0", 30.0)]),
            piece(&[("P<UTOERIKSSON<<ANNA", 30.0)]),
        ];
        assert_eq!(doubtful(&pieces, 0.0), [7, 0, 2]);
        let many = vec![piece(&[("word", 40.0)]); MOST_PIECES + 9];
        assert_eq!(doubtful(&many, 0.0).len(), MOST_PIECES);
        assert!(doubtful(&[], 0.0).is_empty());
    }

    #[test]
    fn what_two_of_three_readings_agree_on_is_taken() {
        assert_eq!(
            read_again(&[("2015593746", 80.0)], [&[("2015S93746", 60.0)], &[("2015S93746", 55.0)]]),
            "2015S93746"
        );
        assert_eq!(read_again(&[("Nom", 60.0)], [&[("Norn", 90.0)], &[("Nom", 55.0)]]), "Nom");
        assert_eq!(
            read_again(&[("a", 60.0), ("X", 30.0)], [&[("a", 90.0), ("Y", 70.0)], &[("b", 99.0), ("Z", 50.0)]]),
            "a Y"
        );
        // If words were split or joined, the whole line counts.
        assert_eq!(
            read_again(&[("BARANB", 70.0), ("K", 60.0)], [&[("BARANEK", 90.0)], &[("BARANEK", 92.0)]]),
            "BARANEK"
        );
        assert_eq!(
            read_again(&[("BARANB", 70.0), ("K", 60.0)], [&[("BARANEK", 90.0)], &[("BARANEX", 92.0)]]),
            "BARANB K"
        );
    }

    #[test]
    fn the_first_reading_is_kept_if_the_strips_are_empty() {
        assert_eq!(read_again(&[("Nom", 60.0)], [&[], &[]]), "Nom");
        assert_eq!(read_again(&[("Nom", 60.0)], [&[("Nam", 50.0)], &[]]), "Nom");
    }

    #[test]
    fn unread_text_is_accepted_if_both_sizes_agree_with_enough_confidence() {
        let unread = Spot { top: 300, bottom: 330, ..PLACE };
        let believed = |strips: [&[(&str, f64)]; 2]| {
            let mut pieces = vec![piece(&[("Nom", 60.0)])];
            // The strip of the unread place comes after that of the doubtful one, which is confirmed at once.
            let first = [words(1, &[("Nom", 90.0)]), words(2, strips[0])].concat();
            let open = open(&pieces, &[0], &[unread], &first);
            merge_readings(&mut pieces, (&[0], &[unread]), &first, (&open, &words(1, strips[1])));
            assert_eq!(pieces[0].words[0].text, "Nom");
            pieces
                .get(1)
                .map(|piece| (piece.place, piece.words[0].place, text(&piece.words.iter().collect::<Vec<_>>())))
        };
        let prime = [("12", 80.0), ("kW", 70.0)];
        assert_eq!(believed([&prime, &prime]), Some((unread, unread, "12kW".to_owned())));
        assert_eq!(believed([&prime, &[("12", 80.0), ("kW", 49.0)]]), None);
        assert_eq!(believed([&prime, &[("12", 80.0), ("kV", 70.0)]]), None);
        assert_eq!(believed([&prime, &[]]), None);
        assert_eq!(believed([&[("7", 99.0)], &[("7", 99.0)]]), None, "one character may be a speck");
        assert_eq!(believed([&[], &[]]), None);
    }
}
