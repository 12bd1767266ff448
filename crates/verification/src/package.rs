//! Reads the package of a disclosure: a ZIP archive of stored files, `disclosure.json` and the files of its items.
//!
//! Only the plain form that the server writes is read, and every byte must belong to a file or its headers. So another
//! program cannot find other files in the archive than those that were checked.

/// The first bytes of an archive with a file (PKWARE's APPNOTE 6.3.10, section 4.3.7).
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";
const DIRECTORY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The sizes of the headers without names and extra fields, in bytes.
const LOCAL_HEADER: usize = 30;
const DIRECTORY_HEADER: usize = 46;
const END_RECORD: usize = 22;
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
    let directory = number(archive, end + 16, 4)?;
    if !archive[end..].starts_with(END) || number(archive, end + 12, 4)?.checked_add(directory)? != end {
        return None;
    }
    let (mut header, mut position) = (directory, 0);
    let mut files: Vec<PackedFile<'_>> = Vec::new();
    while header < end {
        if !archive.get(header..)?.starts_with(DIRECTORY) || number(archive, header + 42, 4)? != position {
            return None;
        }
        let name_length = number(archive, header + 28, 2)?;
        let name = archive.get(header + DIRECTORY_HEADER..)?.get(..name_length)?;
        let (file, next) = file(archive, position, name)?;
        if file.bytes.len() != number(archive, header + 24, 4)? || files.iter().any(|other| other.name == file.name) {
            return None;
        }
        files.push(file);
        position = next;
        let others = number(archive, header + 30, 2)?.checked_add(number(archive, header + 32, 2)?)?;
        header = header.checked_add(DIRECTORY_HEADER + name_length)?.checked_add(others)?;
    }
    (header == end && position == directory && number(archive, end + 10, 2)? == files.len()).then_some(files)
}

/// The file whose local header is at `position`, and where the next header starts.
fn file<'a>(archive: &'a [u8], position: usize, name: &[u8]) -> Option<(PackedFile<'a>, usize)> {
    let (flags, method) = (number(archive, position + 6, 2)?, number(archive, position + 8, 2)?);
    let (stored, size) = (number(archive, position + 18, 4)?, number(archive, position + 22, 4)?);
    if !archive.get(position..)?.starts_with(ZIP) || flags != 0 || method != 0 || stored != size {
        return None;
    }
    let name_start = position + LOCAL_HEADER;
    let name_end = name_start.checked_add(number(archive, position + 26, 2)?)?;
    if archive.get(name_start..name_end)? != name {
        return None;
    }
    let start = name_end.checked_add(number(archive, position + 28, 2)?)?;
    let end = start.checked_add(size)?;
    let bytes = archive.get(start..end)?;
    Some((PackedFile { name: String::from_utf8_lossy(name).into_owned(), bytes }, end))
}

/// A number of `length` bytes, the lowest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let number = |value: usize, length: usize| value.to_le_bytes()[..length].to_vec();
        let (mut archive, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            let sizes = [number(bytes.len(), 4), number(bytes.len(), 4), number(name.len(), 2), vec![0; 2]].concat();
            directory
                .extend([DIRECTORY, &[0; 16], &sizes, &[0; 10], &number(archive.len(), 4), name.as_bytes()].concat());
            archive.extend([ZIP, &[0; 14], &sizes, name.as_bytes(), bytes].concat());
        }
        let at = archive.len();
        let counts = [number(files.len(), 2), number(files.len(), 2)].concat();
        archive.extend(&directory);
        archive.extend([END, &[0; 4], &counts, &number(directory.len(), 4), &number(at, 4), &[0; 2]].concat());
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
    fn no_byte_of_an_archive_stops_the_program() {
        let whole = packed(&[("disclosure.json", b"{}"), ("a", b"1")]);
        for position in 0..whole.len() {
            let mut changed = whole.clone();
            changed[position] = 0xff;
            let _ = open(&changed);
        }
    }
}
