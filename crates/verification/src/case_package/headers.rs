//! The headers of a package's ZIP archive, in the one form that the server writes: stored files whose size and checksum
//! are before their bytes, nothing between them, and no comments. The format is that of PKWARE's APPNOTE 6.3.10; its
//! sections are named below.
//!
//! A header is read by writing it again. So both headers of a file, and the end of the archive, say nothing else.

const LOCAL: &[u8] = b"PK\x03\x04";
const DIRECTORY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const ZIP64_END: &[u8] = b"PK\x06\x06";
const ZIP64_LOCATOR: &[u8] = b"PK\x06\x07";
/// The size of a local header without name and extra field, in bytes.
const LOCAL_HEADER: usize = 30;
/// Values from here on are in fields of 64 bits (section 4.5.3).
const LARGE: u64 = 0xffff_ffff;
const MANY: u64 = 0xffff;
/// Version 1.0 of the format has stored files, version 4.5 fields of 64 bits (section 4.4.3).
const PLAIN_VERSION: u16 = 10;
const ZIP64_VERSION: u16 = 45;
/// Made by version 4.5 on a Unix, where a file's mode says that it is a regular file, not a link or a folder.
const MADE_BY: u16 = (3 << 8) | ZIP64_VERSION;
const MODE: u32 = 0o100_644 << 16;
const ZIP64_FIELD: u16 = 1;

/// What an archive says of a file.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) name: String,
    /// Bytes.
    pub(super) size: u64,
    pub(super) crc32: u32,
    /// Time and date as in the header.
    modified: [u8; 4],
    /// Where its local header starts.
    offset: u64,
}

/// How many bytes the header that starts with `bytes` has, as far as they say. For the start of the directory it is the
/// length of its signature.
pub(super) fn length(bytes: &[u8]) -> usize {
    match bytes.len() {
        0..4 => DIRECTORY.len(),
        _ if is_directory(bytes) => DIRECTORY.len(),
        4..LOCAL_HEADER => LOCAL_HEADER,
        _ => LOCAL_HEADER + short_at(bytes, 26) + short_at(bytes, 28),
    }
}

/// Whether the directory of the archive starts here.
pub(super) fn is_directory(bytes: &[u8]) -> bool {
    bytes.starts_with(DIRECTORY)
}

/// Whether an archive that starts like this is a package: its first file is named `mimetype` (EN 319 162-1, annex A).
pub(super) fn is_package(start: &[u8]) -> bool {
    start.starts_with(LOCAL) && start.get(LOCAL_HEADER..).is_some_and(|name| name.starts_with(b"mimetype"))
}

impl Header {
    /// Reads the local header of the file at `offset`. None for one in another form.
    pub(super) fn read(bytes: &[u8], offset: u64) -> Option<Self> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let name_end = LOCAL_HEADER + short_at(bytes, 26);
        let name = str::from_utf8(bytes.get(LOCAL_HEADER..name_end)?).ok()?.to_owned();
        let mut size = u64::from(number(22)?);
        if size == LARGE {
            size = u64::from_le_bytes(bytes.get(name_end + 4..name_end + 12)?.try_into().ok()?);
        }
        let modified = bytes.get(10..14)?.try_into().ok()?;
        let header = Self { name, size, crc32: number(14)?, modified, offset };
        (header.local() == bytes).then_some(header)
    }

    /// Section 4.3.7.
    fn local(&self) -> Vec<u8> {
        let is_large = self.size >= LARGE;
        let extra = if is_large { zip64_field(&[self.size, self.size]) } else { Vec::new() };
        let lengths = short_length(&extra).to_le_bytes();
        [LOCAL, &self.common(is_large), &lengths, self.name.as_bytes(), &extra].concat()
    }

    /// Section 4.3.12.
    fn in_directory(&self) -> Vec<u8> {
        let sizes = if self.size >= LARGE { vec![self.size, self.size] } else { Vec::new() };
        let offset = (self.offset >= LARGE).then_some(self.offset);
        let large: Vec<u64> = sizes.into_iter().chain(offset).collect();
        let extra = if large.is_empty() { Vec::new() } else { zip64_field(&large) };
        [
            DIRECTORY,
            &MADE_BY.to_le_bytes(),
            &self.common(!large.is_empty()),
            &short_length(&extra).to_le_bytes(),
            // No comment, on the first and only disk, not known to be text.
            &[0; 6],
            &MODE.to_le_bytes(),
            &narrow(self.offset).to_le_bytes(),
            self.name.as_bytes(),
            &extra,
        ]
        .concat()
    }

    /// The fields that both headers have, from the version needed to the length of the name.
    fn common(&self, has_large: bool) -> Vec<u8> {
        let version = if has_large { ZIP64_VERSION } else { PLAIN_VERSION };
        let size = narrow(self.size).to_le_bytes();
        // Not encrypted, nothing after the bytes, an ASCII name, stored.
        let flags = [0_u8; 4];
        [
            &version.to_le_bytes()[..],
            &flags,
            &self.modified,
            &self.crc32.to_le_bytes(),
            &size,
            &size,
            &short_length(self.name.as_bytes()).to_le_bytes(),
        ]
        .concat()
    }
}

/// The directory of these files, which starts at `offset`, and the end of the archive (sections 4.3.12 to 4.3.16).
pub(super) fn directory(files: &[Header], offset: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> = files.iter().flat_map(Header::in_directory).collect();
    let (count, length) = (files.len() as u64, bytes.len() as u64);
    if count >= MANY || length >= LARGE || offset >= LARGE {
        // The length of the rest of this record.
        bytes.extend([ZIP64_END, &44_u64.to_le_bytes()].concat());
        bytes.extend([&MADE_BY.to_le_bytes()[..], &ZIP64_VERSION.to_le_bytes(), &[0; 8]].concat());
        bytes.extend([count, count, length, offset].map(u64::to_le_bytes).concat());
        let end = offset.saturating_add(length).to_le_bytes();
        bytes.extend([ZIP64_LOCATOR, &[0; 4], &end, &1_u32.to_le_bytes()].concat());
    }
    let count = u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes();
    let (length, offset) = (narrow(length).to_le_bytes(), narrow(offset).to_le_bytes());
    bytes.extend([END, &[0; 4], &count, &count, &length, &offset, &[0; 2]].concat());
    bytes
}

/// A value for a field of 32 bits; all ones mean that the field of 64 bits has it.
fn narrow(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn short_length(bytes: &[u8]) -> u16 {
    u16::try_from(bytes.len()).unwrap_or(u16::MAX)
}

/// Section 4.5.3.
fn zip64_field(values: &[u64]) -> Vec<u8> {
    let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    [&ZIP64_FIELD.to_le_bytes()[..], &short_length(&values).to_le_bytes(), &values].concat()
}

/// A number of 16 bits; 0 if there is none.
fn short_at(bytes: &[u8], at: usize) -> usize {
    let pair = bytes.get(at..at + 2).and_then(|pair| pair.try_into().ok());
    usize::from(u16::from_le_bytes(pair.unwrap_or_default()))
}
