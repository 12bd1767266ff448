//! Reads values.

use super::{Dictionary, Node, Value};
use crate::pdf::PdfError;

/// Deeper nesting is rejected.
const MAX_DEPTH: usize = 32;

/// Reads forward through a file.
#[derive(Clone, Debug)]
pub(crate) struct Parser<'a> {
    bytes: &'a [u8],
    pub(crate) at: usize,
    depth: usize,
}

pub(crate) fn is_white_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn is_regular(byte: u8) -> bool {
    !is_white_space(byte) && !is_delimiter(byte)
}

impl<'a> Parser<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, depth: 0 }
    }

    pub(crate) fn error(&self, what: &'static str) -> PdfError {
        PdfError::new(self.at, what)
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space and comments.
    pub(crate) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                self.at += self.rest().iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
            } else if is_white_space(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// Skips `text` if it is here.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text.as_bytes());
        if found {
            self.at += text.len();
        }
        found
    }

    /// Skips the keyword `text` if it is here as a whole.
    pub(crate) fn take_keyword(&mut self, text: &str) -> bool {
        let ends = self.rest().get(text.len()).is_none_or(|byte| !is_regular(*byte));
        ends && self.take(text)
    }

    /// An unsigned integer.
    pub(crate) fn unsigned(&mut self) -> Option<usize> {
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&self.rest()[..digits]).ok()?.parse().ok()?;
        self.at += digits;
        Some(number)
    }

    /// The value that starts here.
    pub(crate) fn value(&mut self) -> Result<Node, PdfError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("values are nested too deeply"));
        }
        self.depth += 1;
        let start = self.at;
        let value = match self.peek().ok_or_else(|| self.error("a value is missing"))? {
            b'<' if self.rest().starts_with(b"<<") => Value::Dictionary(self.dictionary()?),
            b'<' => Value::String(self.hexadecimal()?),
            b'(' => Value::String(self.literal()?),
            b'[' => Value::Array(self.array()?),
            b'/' => Value::Name(self.name()?),
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number()?,
            _ if self.take_keyword("null") => Value::Null,
            _ if self.take_keyword("true") => Value::Bool(true),
            _ if self.take_keyword("false") => Value::Bool(false),
            _ => return Err(self.error("this is not a value")),
        };
        self.depth -= 1;
        Ok(Node { span: start..self.at, value })
    }

    fn dictionary(&mut self) -> Result<Dictionary, PdfError> {
        self.at += 2;
        let mut entries: Vec<(Vec<u8>, Node)> = Vec::new();
        loop {
            self.skip_space();
            if self.take(">>") {
                return Ok(Dictionary(entries));
            }
            if self.peek() != Some(b'/') {
                return Err(self.error("a dictionary's key is not a name"));
            }
            let key = self.name()?;
            if entries.iter().any(|(other, _)| *other == key) {
                return Err(self.error("a dictionary has a key twice"));
            }
            self.skip_space();
            entries.push((key, self.value()?));
        }
    }

    fn array(&mut self) -> Result<Vec<Node>, PdfError> {
        self.at += 1;
        let mut elements = Vec::new();
        loop {
            self.skip_space();
            if self.take("]") {
                return Ok(elements);
            }
            elements.push(self.value()?);
        }
    }

    fn name(&mut self) -> Result<Vec<u8>, PdfError> {
        self.at += 1;
        let length = self.rest().iter().take_while(|byte| is_regular(**byte)).count();
        let raw = &self.rest()[..length];
        let mut name = Vec::with_capacity(length);
        let mut bytes = raw.iter();
        while let Some(byte) = bytes.next() {
            if *byte == b'#' {
                let digits = [bytes.next(), bytes.next()].map(|digit| digit.copied().unwrap_or(b'?'));
                let mut decoded = [0];
                hex::decode_to_slice(digits, &mut decoded).map_err(|_| self.error("a name has a broken #-escape"))?;
                name.push(decoded[0]);
            } else {
                name.push(*byte);
            }
        }
        self.at += length;
        Ok(name)
    }

    fn hexadecimal(&mut self) -> Result<Vec<u8>, PdfError> {
        let length = self.rest().iter().position(|byte| *byte == b'>');
        let length = length.ok_or_else(|| self.error("a hexadecimal string does not end"))?;
        let mut digits: Vec<u8> =
            self.rest()[1..length].iter().copied().filter(|byte| !is_white_space(*byte)).collect();
        if digits.len() % 2 == 1 {
            digits.push(b'0');
        }
        let bytes = hex::decode(&digits).map_err(|_| self.error("a hexadecimal string has invalid characters"))?;
        self.at += length + 1;
        Ok(bytes)
    }

    fn literal(&mut self) -> Result<Vec<u8>, PdfError> {
        let mut bytes = Vec::new();
        let mut depth = 0;
        loop {
            let byte = self.peek().ok_or_else(|| self.error("a string does not end"))?;
            self.at += 1;
            match byte {
                b'(' => {
                    depth += 1;
                    if depth == 1 {
                        continue;
                    }
                }
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(bytes);
                    }
                }
                b'\\' => {
                    self.escape(&mut bytes);
                    continue;
                }
                _ => {}
            }
            bytes.push(byte);
        }
    }

    /// ISO 32000-1, table 3.
    fn escape(&mut self, bytes: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        match byte {
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'\r' if self.peek() == Some(b'\n') => self.at += 1,
            b'\r' | b'\n' => {}
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                bytes.push(code.to_le_bytes()[0]);
            }
            other => bytes.push(other),
        }
    }

    fn number(&mut self) -> Result<Value, PdfError> {
        let length = self.rest().iter().take_while(|byte| is_regular(**byte)).count();
        let text = std::str::from_utf8(&self.rest()[..length]).map_err(|_| self.error("this is not a number"))?;
        if let Ok(integer) = text.parse::<i64>() {
            let start = self.at;
            self.at += length;
            let end = self.at;
            if let Some(generation) = self.reference() {
                let other = || PdfError::new(start, "a reference to an object of another generation");
                let number = text.parse().ok().filter(|_| generation == 0);
                return number.map(Value::Reference).ok_or_else(other);
            }
            self.at = end;
            return Ok(Value::Integer(integer));
        }
        let is_real = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-'));
        if !is_real || text.parse::<f64>().is_err() {
            return Err(self.error("this is not a number"));
        }
        self.at += length;
        Ok(Value::Real)
    }

    /// The generation, if the text after an integer makes it a reference: ` 0 R`.
    fn reference(&mut self) -> Option<usize> {
        self.skip_space();
        let generation = self.unsigned()?;
        self.skip_space();
        self.take_keyword("R").then_some(generation)
    }
}

#[cfg(test)]
mod tests;
