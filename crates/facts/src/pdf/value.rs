//! Values of a PDF file (ISO 32000-1, 7.3), read from bytes. The library reads the last revision; this is for what it
//! does not provide: earlier revisions, trailers, and offsets.

use std::collections::BTreeMap;

/// Deeper nesting is not read.
const MAX_DEPTH: u32 = 32;
/// The most values of one object.
const MAX_VALUES: u32 = 20_000;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Null, booleans, fractions: nothing here depends on them.
    Other,
    Integer(i64),
    Name(String),
    String(Vec<u8>),
    Array(Vec<Value>),
    Dictionary(Dictionary),
    Reference(u32),
}

/// Keys without their slash.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dictionary(BTreeMap<String, Value>);

impl Dictionary {
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub(super) fn name(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Value::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn integer(&self, key: &str) -> Option<i64> {
        match self.get(key)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn reference(&self, key: &str) -> Option<u32> {
        match self.get(key)? {
            Value::Reference(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn array(&self, key: &str) -> Option<&[Value]> {
        match self.get(key)? {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    pub(super) fn string(&self, key: &str) -> Option<&[u8]> {
        match self.get(key)? {
            Value::String(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The filters of a stream, in the order in which they are undone.
    pub(super) fn filters(&self) -> Vec<&str> {
        match self.get("Filter") {
            Some(Value::Name(name)) => vec![name],
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(|name| match name {
                    Value::Name(name) => Some(name.as_str()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// The value that starts at `at` (after white space), and where it ends.
pub(super) fn read(bytes: &[u8], at: usize) -> Option<(Value, usize)> {
    let mut reader = Reader { bytes, at, values: 0 };
    let value = reader.value(0)?;
    Some((value, reader.at))
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

/// Skips white space and comments.
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        if byte == b'%' {
            at += bytes[at..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
        } else if is_space(byte) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    values: u32,
}

impl Reader<'_> {
    fn value(&mut self, depth: u32) -> Option<Value> {
        self.values += 1;
        if depth > MAX_DEPTH || self.values > MAX_VALUES {
            return None;
        }
        self.at = skip_space(self.bytes, self.at);
        match self.bytes.get(self.at)? {
            b'/' => {
                self.at += 1;
                Some(Value::Name(self.name()))
            }
            b'(' => self.literal().map(Value::String),
            b'[' => {
                self.at += 1;
                self.array(depth).map(Value::Array)
            }
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => {
                self.at += 2;
                self.dictionary(depth).map(Value::Dictionary)
            }
            b'<' => self.hexadecimal().map(Value::String),
            b'+' | b'-' | b'.' | b'0'..=b'9' => Some(self.number()),
            byte if is_regular(*byte) => {
                self.word();
                Some(Value::Other)
            }
            _ => None,
        }
    }

    fn word(&mut self) -> &[u8] {
        let start = self.at;
        self.at += self.bytes[start..].iter().take_while(|byte| is_regular(**byte)).count();
        &self.bytes[start..self.at]
    }

    fn name(&mut self) -> String {
        let word = self.word();
        let mut name = Vec::with_capacity(word.len().min(127));
        let mut rest = word;
        while let Some((&byte, after)) = rest.split_first() {
            let digit = |at: usize| after.get(at).and_then(|&digit| char::from(digit).to_digit(16));
            rest = after;
            match (byte, digit(0), digit(1)) {
                (b'#', Some(high), Some(low)) => {
                    name.push((high * 16 + low).to_le_bytes()[0]);
                    rest = &after[2..];
                }
                _ => name.push(byte),
            }
            if name.len() > 127 {
                break;
            }
        }
        String::from_utf8_lossy(&name).into_owned()
    }

    /// A number, or a reference if two more words make it one.
    fn number(&mut self) -> Value {
        let Some(number) = std::str::from_utf8(self.word()).ok().and_then(|word| word.parse::<i64>().ok()) else {
            return Value::Other;
        };
        let after = self.at;
        if let Ok(object) = u32::try_from(number) {
            self.at = skip_space(self.bytes, self.at);
            let generation = self.word();
            let is_generation =
                !generation.is_empty() && generation.len() <= 5 && generation.iter().all(u8::is_ascii_digit);
            self.at = skip_space(self.bytes, self.at);
            if is_generation && self.word() == b"R" {
                return Value::Reference(object);
            }
        }
        self.at = after;
        Value::Integer(number)
    }

    fn literal(&mut self) -> Option<Vec<u8>> {
        let (mut open, mut bytes) = (0_u32, Vec::new());
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'(' => {
                    open += 1;
                    if open > 1 {
                        bytes.push(byte);
                    }
                }
                b')' => {
                    open -= 1;
                    if open == 0 {
                        return Some(bytes);
                    }
                    bytes.push(byte);
                }
                b'\\' => self.escape(&mut bytes)?,
                _ => bytes.push(byte),
            }
        }
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        match byte {
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'b' => bytes.push(8),
            b'f' => bytes.push(0x0C),
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.bytes.get(self.at) else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                bytes.push(code.to_le_bytes()[0]);
            }
            // A line continuation.
            b'\r' if self.bytes.get(self.at) == Some(&b'\n') => self.at += 1,
            b'\r' | b'\n' => {}
            other => bytes.push(other),
        }
        Some(())
    }

    fn hexadecimal(&mut self) -> Option<Vec<u8>> {
        self.at += 1;
        let length = self.bytes[self.at..].iter().position(|&byte| byte == b'>')?;
        let digits: Vec<u8> = self.bytes[self.at..self.at + length]
            .iter()
            .filter_map(|&byte| char::from(byte).to_digit(16))
            .map(|digit| digit.to_le_bytes()[0])
            .collect();
        self.at += length + 1;
        Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect())
    }

    fn array(&mut self, depth: u32) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        loop {
            self.at = skip_space(self.bytes, self.at);
            if self.bytes.get(self.at)? == &b']' {
                self.at += 1;
                return Some(values);
            }
            values.push(self.value(depth + 1)?);
        }
    }

    fn dictionary(&mut self, depth: u32) -> Option<Dictionary> {
        let mut entries = BTreeMap::new();
        loop {
            self.at = skip_space(self.bytes, self.at);
            match self.bytes.get(self.at)? {
                b'>' if self.bytes.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    return Some(Dictionary(entries));
                }
                b'/' => {
                    self.at += 1;
                    let key = self.name();
                    let value = self.value(depth + 1)?;
                    entries.entry(key).or_insert(value);
                }
                // A value without a key: what follows can still be read.
                _ => {
                    self.value(depth + 1)?;
                }
            }
        }
    }
}

/// A text string (ISO 32000-1, 7.9.2.2): UTF-16 or UTF-8 after a byte order mark, else approximately Latin-1.
pub(super) fn text(bytes: &[u8]) -> String {
    if let Some(units) = bytes.strip_prefix(b"\xFE\xFF") {
        let units: Vec<u16> = units.as_chunks::<2>().0.iter().map(|pair| u16::from_be_bytes(*pair)).collect();
        return String::from_utf16_lossy(&units);
    }
    if let Some(text) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return String::from_utf8_lossy(text).into_owned();
    }
    // Some programs write UTF-8 without a mark.
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A date (ISO 32000-1, 7.9.4) as RFC 3339; without an offset if the file has none.
pub(super) fn date(bytes: &[u8]) -> Option<String> {
    let text = text(bytes);
    let text = text.trim().trim_start_matches("D:");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count().min(14);
    let number = |from: usize, otherwise: u32| match text.get(from..from + 2) {
        Some(two) if from + 2 <= digits => two.parse().ok(),
        _ => Some(otherwise),
    };
    let year: u32 = text.get(..4).filter(|_| digits >= 4)?.parse().ok()?;
    let (month, day, hour, minute, second) =
        (number(4, 1)?, number(6, 1)?, number(8, 0)?, number(10, 0)?, number(12, 0)?);
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    let local = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    is_date.then(|| format!("{local}{}", offset(&text[digits..]).unwrap_or_default()))
}

fn offset(text: &str) -> Option<String> {
    let sign = text.chars().next()?;
    if sign == 'Z' {
        return Some("Z".to_owned());
    }
    let digits: String = text[sign.len_utf8()..].chars().filter(char::is_ascii_digit).take(4).collect();
    let hours = digits.get(..2)?;
    let minutes = digits.get(2..4).unwrap_or("00");
    matches!(sign, '+' | '-').then(|| format!("{sign}{hours}:{minutes}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary(text: &str) -> Dictionary {
        match read(text.as_bytes(), 0) {
            Some((Value::Dictionary(dictionary), end)) if end == text.len() => dictionary,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_of_all_kinds_are_read() {
        let read = dictionary("<</A 1/B -2.5 /C[1 0 R(a\\(b\\051c(d))<41 4>]/D#20E/F%x\n/G true /H null/I<</J 7 8>>>>");
        assert_eq!(read.integer("A"), Some(1));
        assert_eq!(read.name("D E"), Some("F"));
        let strings = [Value::Reference(1), Value::String(b"a(b)c(d)".to_vec()), Value::String(b"A@".to_vec())];
        assert_eq!(read.array("C"), Some(&strings[..]));
        let inner = read.get("I");
        assert!(matches!(inner, Some(Value::Dictionary(inner)) if inner.integer("J") == Some(7)), "{inner:?}");
    }

    #[test]
    fn values_that_nest_too_deep_or_never_end_are_rejected() {
        for wrong in
            ["[".repeat(100_000), "<</A".repeat(100_000), "(((".to_owned(), "<41".to_owned(), "<</A 1".to_owned()]
        {
            assert_eq!(read(wrong.as_bytes(), 0), None);
        }
    }

    #[test]
    fn dates_are_read_with_the_precision_of_the_file() {
        for (written, expected) in [
            ("D:20261120100000+01'00'", Some("2026-11-20T10:00:00+01:00")),
            ("D:20261120100000Z00'00'", Some("2026-11-20T10:00:00Z")),
            ("20261120", Some("2026-11-20T00:00:00")),
            ("D:2026", Some("2026-01-01T00:00:00")),
            ("D:20261320", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(date(written.as_bytes()).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn texts_are_read_in_any_encoding() {
        for bytes in [&b"\xFE\xFF\0\xE9"[..], b"\xEF\xBB\xBF\xC3\xA9", b"\xC3\xA9", b"\xE9"] {
            assert_eq!(text(bytes), "é");
        }
    }
}
