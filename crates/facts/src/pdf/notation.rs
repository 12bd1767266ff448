//! How the content of a page is written down: spaces, line ends and kinds of strings. A program writes all its pages in
//! one manner; one that changes a content stream writes the whole stream in its own.

use super::model::Notation;

/// The rest of a longer stream is not counted.
const MAX_BYTES: usize = 4 << 20;

/// Counts the tokens of a page's content.
pub(super) fn notation(page: u32, content: &[u8]) -> Notation {
    let content = &content[..content.len().min(MAX_BYTES)];
    let mut count = Notation { page, ..Notation::default() };
    let mut at = 0;
    while let Some(byte) = content.get(at) {
        at = match byte {
            b'(' => {
                count.literal_strings += 1;
                literal_end(content, at + 1)
            }
            b'<' if content.get(at + 1) == Some(&b'<') => at + 2,
            b'<' => {
                count.hexadecimal_strings += 1;
                at + content[at..].iter().position(|byte| *byte == b'>').map_or(content.len(), |end| end + 1)
            }
            b'[' => {
                count.arrays += 1;
                count.spaced_arrays += u32::from(content.get(at + 1) == Some(&b' '));
                at + 1
            }
            b'%' => at + content[at..].iter().position(|byte| is_line_end(*byte)).unwrap_or(content.len()).max(1),
            b'/' => word_end(content, at + 1),
            letter if letter.is_ascii_alphabetic() || matches!(letter, b'\'' | b'"') => {
                let end = word_end(content, at);
                count.operators += 1;
                count.operators_glued += u32::from(at > 0 && b")>]".contains(&content[at - 1]));
                count.operators_at_line_end += u32::from(content.get(end).is_none_or(|byte| is_line_end(*byte)));
                // The data of a picture are not tokens; nor is their end an operator.
                if &content[at..end] == b"ID" { data_end(content, end) } else { end }
            }
            b'0'..=b'9' | b'.' | b'-' | b'+' => word_end(content, at),
            _ => at + 1,
        }
        .max(at + 1);
    }
    count
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn word_end(content: &[u8], from: usize) -> usize {
    let is_in_word = |byte: &u8| !byte.is_ascii_whitespace() && *byte != 0 && !b"()<>[]{}/%".contains(byte);
    from + content.get(from..).unwrap_or_default().iter().take_while(|byte| is_in_word(byte)).count()
}

/// Where a string in parentheses, which may be nested, ends.
fn literal_end(content: &[u8], from: usize) -> usize {
    let (mut depth, mut at) = (1_u32, from);
    while let Some(byte) = content.get(at) {
        match byte {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' if depth == 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    content.len()
}

fn data_end(content: &[u8], from: usize) -> usize {
    let is_end = |part: &[u8]| part[0].is_ascii_whitespace() && &part[1..3] == b"EI" && part[3].is_ascii_whitespace();
    content[from..].windows(4).position(is_end).map_or(content.len(), |end| from + end + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(content: &str) -> [u32; 7] {
        let count = notation(1, content.as_bytes());
        [
            count.operators,
            count.operators_at_line_end,
            count.operators_glued,
            count.arrays,
            count.spaced_arrays,
            count.literal_strings,
            count.hexadecimal_strings,
        ]
    }

    #[test]
    fn tokens_are_counted_by_how_they_are_written() {
        assert_eq!(counts("BT\n/F1 12 Tf\n[ (a\\)) -20 <62> ] TJ\nET"), [4, 4, 0, 1, 1, 1, 1]);
        assert_eq!(counts("BT /F1 12 Tf [(a(b))-20(c)]TJ ET"), [4, 1, 1, 1, 0, 2, 0]);
        assert_eq!(counts("/P <</MCID 0>> BDC 0 0 Td <0a> Tj % (no) Tj\nEMC"), [4, 1, 0, 0, 0, 0, 1]);
        assert_eq!(counts("BI /W 1 ID (((\n\nEI Q"), [3, 1, 0, 0, 0, 0, 0]);
        assert_eq!(counts("(open"), [0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(counts("T*\n'\n"), [2, 2, 0, 0, 0, 0, 0]);
    }
}
