//! ZIP archives for streaming: the bytes that stand around the files. What is in the files, and where they come from, is
//! not this module's business.
//!
//! Files are stored, not compressed: certificates are compressed already. Length and CRC are said before each file, never
//! behind it (no data descriptor), because a reader that gets the archive as a stream could not know where a stored file
//! ends (docs/adr/0014-zip-archives.md). The format is that of PKWARE's APPNOTE 6.3.10; its sections are named below.

#[cfg(test)]
mod tests;

use crate::clock::Timestamp;

/// What is told of a file before its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZipFile {
    /// Our own word: ASCII, without `/`.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// CRC-32 of the bytes (ISO 3309, as in PNG and gzip).
    pub crc32: u32,
    /// Written in UTC, to two seconds, which is all that the format can.
    pub modified: Timestamp,
}

/// An archive on its way out. It remembers what its directory has to say of each file: about 60 bytes.
#[derive(Debug, Default)]
pub struct ZipWriter {
    files: Vec<Listed>,
    /// The names of all files, one behind the other.
    names: Vec<u8>,
    /// How many bytes were written so far, files included.
    written: u64,
}

#[derive(Debug)]
struct Listed {
    name_length: u16,
    size: u64,
    crc32: u32,
    modified: (u16, u16),
    /// Where its local header begins.
    offset: u64,
}

/// The directory is given out in pieces of about so many bytes.
const PIECE: usize = 64 * 1024;
/// Values from here on stand in fields of 64 bits (section 4.5.3).
const LARGE: u64 = 0xffff_ffff;
const MANY: u64 = 0xffff;
/// Version 1.0 of the format knows stored files, version 4.5 fields of 64 bits (section 4.4.3).
const PLAIN_VERSION: u16 = 10;
const ZIP64_VERSION: u16 = 45;
/// Made by version 4.5 on a Unix, so that the mode below is read as one.
const MADE_BY: u16 = (3 << 8) | ZIP64_VERSION;
/// A regular file that its owner may write and everybody may read.
const MODE: u32 = 0o100_644;
const ZIP64_FIELD: u16 = 1;

impl ZipWriter {
    /// What stands before the bytes of the next file. Exactly `file.size` bytes must follow it.
    pub fn begin(&mut self, file: &ZipFile) -> Vec<u8> {
        let listed = Listed {
            name_length: length_of(file.name.as_bytes()),
            size: file.size,
            crc32: file.crc32,
            modified: dos_time(file.modified),
            offset: self.written,
        };
        let name = &file.name.as_bytes()[..usize::from(listed.name_length)];
        let header = listed.local_header(name);
        self.written += header.len() as u64 + file.size;
        self.names.extend(name);
        self.files.push(listed);
        header
    }

    /// The directory and the end of the archive, in pieces.
    pub fn finish(self) -> impl Iterator<Item = Vec<u8>> + Send + 'static {
        let Self { files, names, written } = self;
        let (count, mut length, mut name_at) = (files.len() as u64, 0_u64, 0_usize);
        let mut files = files.into_iter().peekable();
        let mut ended = false;
        std::iter::from_fn(move || {
            let mut piece = Vec::new();
            while piece.len() < PIECE
                && let Some(file) = files.next()
            {
                let name_end = name_at + usize::from(file.name_length);
                piece.extend(file.directory_header(&names[name_at..name_end]));
                name_at = name_end;
            }
            length += piece.len() as u64;
            if files.peek().is_none() && !ended {
                ended = true;
                piece.extend(end(count, length, written));
            }
            (!piece.is_empty()).then_some(piece)
        })
    }
}

impl Listed {
    fn is_large(&self) -> bool {
        self.size >= LARGE
    }

    /// Section 4.3.7.
    fn local_header(&self, name: &[u8]) -> Vec<u8> {
        let mut header = Vec::with_capacity(50 + name.len());
        put(&mut header, 0x0403_4b50_u32.to_le_bytes());
        self.put_common(&mut header, self.is_large());
        let extra = if self.is_large() { zip64_field(&[self.size, self.size]) } else { Vec::new() };
        put(&mut header, length_of(&extra).to_le_bytes());
        header.extend(name);
        header.extend(extra);
        header
    }

    /// Section 4.3.12.
    fn directory_header(&self, name: &[u8]) -> Vec<u8> {
        let mut large = Vec::new();
        if self.is_large() {
            large.extend([self.size, self.size]);
        }
        if self.offset >= LARGE {
            large.push(self.offset);
        }
        let extra = if large.is_empty() { Vec::new() } else { zip64_field(&large) };
        let mut header = Vec::with_capacity(80 + name.len());
        put(&mut header, 0x0201_4b50_u32.to_le_bytes());
        put(&mut header, MADE_BY.to_le_bytes());
        self.put_common(&mut header, !large.is_empty());
        put(&mut header, length_of(&extra).to_le_bytes());
        // No comment, on the first and only disk, not known to be text.
        put(&mut header, [0; 6]);
        put(&mut header, (MODE << 16).to_le_bytes());
        put(&mut header, short(self.offset).to_le_bytes());
        header.extend(name);
        header.extend(extra);
        header
    }

    /// From the version needed to the length of the name, which both headers have.
    fn put_common(&self, header: &mut Vec<u8>, has_large: bool) {
        let (date, time) = self.modified;
        put(header, if has_large { ZIP64_VERSION } else { PLAIN_VERSION }.to_le_bytes());
        // No flag: not encrypted, no data descriptor, an ASCII name. Method 0: stored.
        put(header, [0; 4]);
        put(header, time.to_le_bytes());
        put(header, date.to_le_bytes());
        put(header, self.crc32.to_le_bytes());
        put(header, short(self.size).to_le_bytes());
        put(header, short(self.size).to_le_bytes());
        put(header, self.name_length.to_le_bytes());
    }
}

/// The end of an archive whose directory has `length` bytes and begins at `offset` (sections 4.3.14 to 4.3.16).
fn end(count: u64, length: u64, offset: u64) -> Vec<u8> {
    let mut end = Vec::with_capacity(98);
    if count >= MANY || length >= LARGE || offset >= LARGE {
        put(&mut end, 0x0606_4b50_u32.to_le_bytes());
        // The length of what follows in this record.
        put(&mut end, 44_u64.to_le_bytes());
        put(&mut end, MADE_BY.to_le_bytes());
        put(&mut end, ZIP64_VERSION.to_le_bytes());
        put(&mut end, [0; 8]);
        for value in [count, count, length, offset] {
            put(&mut end, value.to_le_bytes());
        }
        put(&mut end, 0x0706_4b50_u32.to_le_bytes());
        put(&mut end, [0; 4]);
        put(&mut end, (offset + length).to_le_bytes());
        put(&mut end, 1_u32.to_le_bytes());
    }
    let short_count = u16::try_from(count).unwrap_or(u16::MAX);
    put(&mut end, 0x0605_4b50_u32.to_le_bytes());
    put(&mut end, [0; 4]);
    put(&mut end, short_count.to_le_bytes());
    put(&mut end, short_count.to_le_bytes());
    put(&mut end, short(length).to_le_bytes());
    put(&mut end, short(offset).to_le_bytes());
    put(&mut end, [0; 2]);
    end
}

/// A value for a field of 32 bits; all ones say that the field of 64 bits has it.
fn short(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The extra field with the values that do not fit their own (section 4.5.3).
fn zip64_field(values: &[u64]) -> Vec<u8> {
    let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut field = Vec::with_capacity(4 + values.len());
    put(&mut field, ZIP64_FIELD.to_le_bytes());
    put(&mut field, length_of(&values).to_le_bytes());
    field.extend(values);
    field
}

/// A length for a field of 16 bits. Names and extra fields here have a few dozen bytes.
fn length_of(bytes: &[u8]) -> u16 {
    u16::try_from(bytes.len()).unwrap_or(u16::MAX)
}

fn put<const N: usize>(bytes: &mut Vec<u8>, value: [u8; N]) {
    bytes.extend_from_slice(&value);
}

/// Date and time as MS-DOS packed them (section 4.4.6), from 1980 to 2107.
fn dos_time(moment: Timestamp) -> (u16, u16) {
    let at = jiff::tz::Offset::UTC.to_datetime(moment.to_jiff());
    let part = |number: i8| u16::try_from(number).unwrap_or(0);
    let year = u16::try_from(at.year().clamp(1980, 2107) - 1980).unwrap_or(0);
    let date = (year << 9) | (part(at.month()) << 5) | part(at.day());
    let time = (part(at.hour()) << 11) | (part(at.minute()) << 5) | (part(at.second()) / 2);
    (date, time)
}
