//! Reads the package of a disclosure: a ZIP archive of stored files, `disclosure.json` and the files of its items.
//!
//! Only the plain form that the server writes is read: every byte belongs to a file or its headers, both headers of a file
//! say the same, and there are no extra fields and no comments. So another program cannot find other files in the archive
//! than those that were checked.

/// The first bytes of an archive with a file (PKWARE's APPNOTE 6.3.10, section 4.3.7).
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";
const DIRECTORY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The sizes of the headers without names and extra fields, in bytes.
const LOCAL_HEADER: usize = 30;
const DIRECTORY_HEADER: usize = 46;
const END_RECORD: usize = 22;
/// The first field of both headers that they have in common: stored files need version 1.0 of the format.
const VERSION_NEEDED: usize = 10;
/// Made by version 4.5 on a Unix, where a file's mode says that it is a regular file, not a link or a folder.
const MADE_BY: usize = 0x032d;
const MODE: usize = 0o100_644 << 16;
/// The name of the disclosure.
const DISCLOSURE: &str = "disclosure.json";

/// The content of an archive.
#[derive(Debug)]
pub(crate) struct Package<'a> {
    pub(crate) disclosure: &'a [u8],
    pub(crate) files: Vec<PackedFile<'a>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PackedFile<'a> {
    pub(crate) name: String,
    pub(crate) bytes: &'a [u8],
}

/// Opens an archive. The error says what is wrong with it.
pub(crate) fn open(archive: &[u8]) -> Result<Package<'_>, String> {
    let mut files = files(archive).ok_or_else(|| {
        format!(
            "it is a ZIP archive, but not one that `sealwright disclose` wrote; unpack it, and give {DISCLOSURE} and the \
             other files instead"
        )
    })?;
    let place = files.iter().position(|file| file.name == DISCLOSURE);
    let place = place.ok_or_else(|| {
        format!("it is a ZIP archive without {DISCLOSURE}; unpack it, and give the certificate in it")
    })?;
    let disclosure = files.remove(place).bytes;
    Ok(Package { disclosure, files })
}

/// All files, in their order. None for an archive in another form.
fn files(archive: &[u8]) -> Option<Vec<PackedFile<'_>>> {
    let end = archive.len().checked_sub(END_RECORD)?;
    let (on_this_disk, in_all) = (number(archive, end + 8, 2)?, number(archive, end + 10, 2)?);
    let (length, directory) = (number(archive, end + 12, 4)?, number(archive, end + 16, 4)?);
    // One disk, and no comment.
    let is_plain = number(archive, end + 4, 4)? == 0 && number(archive, end + 20, 2)? == 0;
    if !archive[end..].starts_with(END) || !is_plain || length.checked_add(directory)? != end {
        return None;
    }
    let (mut header, mut position) = (directory, 0);
    let mut files: Vec<PackedFile<'_>> = Vec::new();
    while header < end {
        let (file, next_header, next) = file(archive, header, position)?;
        if files.iter().any(|other| other.name.eq_ignore_ascii_case(&file.name)) {
            return None;
        }
        files.push(file);
        (header, position) = (next_header, next);
    }
    (header == end && position == directory && in_all == files.len() && on_this_disk == in_all).then_some(files)
}

/// The file whose headers are at `header` in the directory and at `position`, and where the next ones start.
fn file(archive: &[u8], header: usize, position: usize) -> Option<(PackedFile<'_>, usize, usize)> {
    let (listed, local) = (archive.get(header..)?, archive.get(position..)?);
    if !listed.starts_with(DIRECTORY) || !local.starts_with(ZIP) {
        return None;
    }
    // The version needed, flags, method, time, checksum, sizes, and the lengths of the name and of the extra field.
    let common = local.get(4..LOCAL_HEADER)?;
    if listed.get(6..LOCAL_HEADER + 2)? != common {
        return None;
    }
    // Stored: not encrypted, not compressed, and with nothing after it.
    let is_stored = number(common, 0, 2)? == VERSION_NEEDED && number(common, 2, 4)? == 0;
    let is_regular = number(listed, 4, 2)? == MADE_BY && number(listed, 38, 4)? == MODE;
    let (checksum, stored, size) = (number(common, 10, 4)?, number(common, 14, 4)?, number(common, 18, 4)?);
    let (name_length, extra_length) = (number(common, 22, 2)?, number(common, 24, 2)?);
    // No comment, on the first disk, and not marked as text.
    let is_plain = extra_length == 0 && number(listed, 32, 4)? == 0 && number(listed, 36, 2)? == 0;
    if !is_stored || !is_regular || !is_plain || stored != size || number(listed, 42, 4)? != position {
        return None;
    }
    let name = local.get(LOCAL_HEADER..)?.get(..name_length)?;
    if listed.get(DIRECTORY_HEADER..)?.get(..name_length)? != name {
        return None;
    }
    let bytes = local.get(LOCAL_HEADER + name_length..)?.get(..size)?;
    if usize::try_from(crc32fast::hash(bytes)).ok()? != checksum {
        return None;
    }
    // Programs disagree about names in other encodings, and about folders.
    let name = str::from_utf8(name).ok().filter(|name| is_plain_name(name))?.to_owned();
    let next_header = header + DIRECTORY_HEADER + name_length;
    Some((PackedFile { name, bytes }, next_header, position + LOCAL_HEADER + name_length + size))
}

/// Whether every program gives a file this name: `ITM-1_CAS-2.jpg`, or `disclosure.json`.
fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.chars().all(is_plain) && !name.starts_with('.') && !name.ends_with('.')
}

/// A number of `length` bytes, the lowest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive as the server writes it.
    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        forged(files, &[], &[], 0)
    }

    /// An archive with an extra field and a comment for each file, which says that the archive has a comment, too.
    fn forged(files: &[(&str, &[u8])], extra: &[u8], comment: &[u8], archive_comment: usize) -> Vec<u8> {
        let number = |value: usize, length: usize| value.to_le_bytes()[..length].to_vec();
        let (mut archive, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            let crc32 = crc32fast::hash(bytes).to_le_bytes();
            let sizes = [number(bytes.len(), 4), number(bytes.len(), 4), number(name.len(), 2)].concat();
            let common = [&number(VERSION_NEEDED, 2)[..], &[0; 8], &crc32, &sizes].concat();
            let lengths = [number(0, 2), number(comment.len(), 2)].concat();
            let position = number(archive.len(), 4);
            directory.extend([DIRECTORY, &number(MADE_BY, 2), &common, &lengths, &[0; 4]].concat());
            directory.extend([&number(MODE, 4)[..], &position, name.as_bytes(), comment].concat());
            archive.extend([ZIP, &common, &number(extra.len(), 2), name.as_bytes(), extra, bytes].concat());
        }
        let at = archive.len();
        let counts = [number(files.len(), 2), number(files.len(), 2)].concat();
        archive.extend(&directory);
        let places = [number(directory.len(), 4), number(at, 4), number(archive_comment, 2)].concat();
        archive.extend([END, &[0; 4], &counts, &places].concat());
        archive
    }

    #[test]
    fn a_package_holds_a_disclosure_and_files() {
        let archive = packed(&[("disclosure.json", b"{}"), ("ITM-1_CAS-2.jpg", b"a photo")]);
        let Package { disclosure, files } = open(&archive).unwrap();
        assert_eq!(disclosure, b"{}");
        assert_eq!(files, [PackedFile { name: "ITM-1_CAS-2.jpg".to_owned(), bytes: b"a photo" }]);
    }

    #[test]
    fn an_archive_in_another_form_is_refused() {
        let whole = packed(&[("disclosure.json", b"{}"), ("a", b"1")]);
        for length in 0..whole.len() {
            assert!(open(&whole[..length]).is_err(), "{length}");
        }
        assert!(open(&[&whole[..], b"x"].concat()).is_err());
        assert!(open(&[&b"x"[..], &whole].concat()).is_err());
        assert!(open(&packed(&[("disclosure.json", b"{}"), ("disclosure.json", b"{}")])).is_err());
        let error = open(&packed(&[("a", b"1")])).unwrap_err();
        assert!(error.starts_with("it is a ZIP archive without disclosure.json"), "{error}");
        let mut compressed = whole.clone();
        compressed[8] = 8;
        assert!(open(&compressed).unwrap_err().contains("unpack it"));
    }

    #[test]
    fn no_other_program_can_find_other_files() {
        let files: [(&str, &[u8]); 2] = [("disclosure.json", b"{}"), ("a", b"1")];
        let hidden = packed(&[("disclosure.json", b"{\"hidden\":1}")]);
        let (hidden, none): (&[u8], &[u8]) = (&hidden, &[]);
        for (extra, comment, archive_comment) in
            [(hidden, none, 0), (none, hidden, 0), (none, none, END_RECORD), (hidden, hidden, 1)]
        {
            assert!(open(&forged(&files, extra, comment, archive_comment)).is_err(), "{extra:?} {comment:?}");
        }
        for name in ["../a", "folder/", "c:a", ".", "a.", "DISCLOSURE.json", "\u{e9}"] {
            assert!(open(&packed(&[("disclosure.json", b"{}"), (name, b"1")])).is_err(), "{name}");
        }
    }

    #[test]
    fn every_changed_byte_is_refused() {
        let whole = packed(&[("disclosure.json", b"{}"), ("a", b"1")]);
        for position in 0..whole.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[position] ^= change;
                assert!(open(&changed).is_err(), "{position}");
            }
        }
    }
}
