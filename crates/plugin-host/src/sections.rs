//! The sections of a WebAssembly file: a component and a core module have the same frame (Component Model, `Binary.md`;
//! WebAssembly Core Specification, section 5.5.2). Only the outermost are read, and their contents are not.

use std::ops::Range;

/// The length of what precedes the first section: the magic number and the version.
pub(super) const PREAMBLE_BYTES: usize = 8;
/// The number of a custom section.
pub(super) const CUSTOM: u8 = 0;
/// The number of a component's section of imports.
const COMPONENT_IMPORTS: u8 = 10;

/// A section of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// Its number.
    pub(super) id: u8,
    /// The bytes of the file that are its content.
    pub(super) content: Range<usize>,
}

/// The section that begins at `at`. None at the end of the file, or if what is there is not a section.
pub(super) fn section_at(bytes: &[u8], at: usize) -> Option<Section> {
    let id = *bytes.get(at)?;
    let mut position = at + 1;
    let length = usize::try_from(read_number(bytes, &mut position)?).ok()?;
    let end = position.checked_add(length).filter(|end| *end <= bytes.len())?;
    Some(Section { id, content: position..end })
}

/// The contents of a component's sections of imports, up to the first thing that is not a section.
pub(super) fn imports(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = PREAMBLE_BYTES;
    let sections = std::iter::from_fn(move || {
        let section = section_at(bytes, at)?;
        at = section.content.end;
        Some(section)
    });
    sections.filter(|section| section.id == COMPONENT_IMPORTS).map(move |section| &bytes[section.content])
}

/// Reads an unsigned number of at most 32 bits in LEB128 at `position`, and moves it behind the number.
pub(super) fn read_number(bytes: &[u8], position: &mut usize) -> Option<u32> {
    let mut number: u64 = 0;
    for shift in (0..35).step_by(7) {
        let byte = *bytes.get(*position)?;
        *position += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(number).ok();
        }
    }
    None
}

/// Reads a number and as many bytes at `position`, and moves it behind them.
pub(super) fn read_bytes<'b>(bytes: &'b [u8], position: &mut usize) -> Option<&'b [u8]> {
    let length = usize::try_from(read_number(bytes, position)?).ok()?;
    let end = position.checked_add(length)?;
    let read = bytes.get(*position..end)?;
    *position = end;
    Some(read)
}

/// Appends a number in LEB128.
pub(super) fn write_number(into: &mut Vec<u8>, mut number: usize) {
    loop {
        let low = u8::try_from(number & 0x7f).expect("seven bits fit into a byte");
        number >>= 7;
        if number == 0 {
            into.push(low);
            return;
        }
        into.push(low | 0x80);
    }
}

/// Appends a length and the bytes.
pub(super) fn write_bytes(into: &mut Vec<u8>, bytes: &[u8]) {
    write_number(into, bytes.len());
    into.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for number in [0, 1, 127, 128, 300, 1 << 20, u32::MAX] {
            let mut written = Vec::new();
            write_number(&mut written, usize::try_from(number).unwrap());
            let mut position = 0;
            assert_eq!(read_number(&written, &mut position), Some(number));
            assert_eq!(position, written.len());
        }
    }

    #[test]
    fn a_number_that_ends_early_or_is_too_large_is_not_read() {
        for wrong in [&[][..], &[0x80], &[0xff, 0xff, 0xff, 0xff, 0x7f], &[0x80; 6]] {
            assert_eq!(read_number(wrong, &mut 0), None, "{wrong:x?}");
        }
    }

    #[test]
    fn imports_are_found_and_a_cut_file_has_fewer() {
        let component = wat::parse_str(r#"(component (core module) (import "a:b/c@0.3.0" (instance)))"#).unwrap();
        let found: Vec<&[u8]> = imports(&component).collect();
        assert_eq!(found.len(), 1);
        assert!(found[0].windows(11).any(|window| window == b"a:b/c@0.3.0"));
        assert_eq!(imports(&component[..component.len() - 1]).count(), 0);
        assert_eq!(imports(b"").count(), 0);
    }
}
