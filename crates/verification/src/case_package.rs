//! Reads the package of a case (ASiC-E, [`sealwright_seal::asic`]), piece by piece: it can be larger than the memory.
//!
//! The archive has one form, that of the server ([`headers`]). A file is hashed while it is read, and only small files and the
//! certificate are kept. Nothing is unpacked, no name is used as a path, and another program cannot find other files in the
//! archive than those that were read here.

mod headers;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, mem, ops::Range};

use sealwright_seal::{
    Sha256Digest, Sha256Hasher,
    asic::{MANIFEST, MEDIA_TYPE, MIMETYPE, MISSING, ORIGINALS, TOKEN},
    package::{PackageContent, PackedFile},
};

use self::headers::Header;

/// How many bytes at its start show whether a file is a package ([`is_case_package`]).
pub const CASE_PACKAGE_START: usize = 38;
/// More files are refused: a case has at most 1,000 items, with an original and a token each.
const MAX_FILES: usize = 4096;
/// The largest name, in bytes.
const MAX_NAME: usize = 255;
/// The largest manifest, in bytes.
const MAX_MANIFEST: u64 = 4 << 20;
/// The largest other file that is kept, and all of them together. A token has some kilobytes.
const MAX_SMALL: u64 = 1 << 20;
const MAX_SMALL_TOTAL: u64 = 64 << 20;
/// The files before the certificate, in their order.
const FIRST: [&str; 3] = [MIMETYPE, MANIFEST, TOKEN];

/// Whether a file that starts with these bytes is the package of a case, or claims to be one.
pub fn is_case_package(start: &[u8]) -> bool {
    headers::is_package(start)
}

/// A package that was read.
#[derive(Debug)]
pub struct CasePackage {
    /// Of the whole file.
    pub sha256: Sha256Digest,
    /// Bytes.
    pub size: u64,
    /// The error says why it is not the package of a case.
    pub(crate) content: Result<PackageContent, String>,
}

impl CasePackage {
    /// The bytes of the certificate in it. Empty if the package cannot be read.
    pub fn certificate(&self) -> &[u8] {
        match &self.content {
            Ok(content) => &content.certificate.bytes,
            Err(_) => &[],
        }
    }
}

/// Takes a package in pieces of any length.
#[derive(Debug)]
pub struct CasePackageReader {
    /// The largest certificate, in bytes.
    max_certificate: u64,
    sha256: Sha256Hasher,
    size: u64,
    reading: Reading,
    headers: Vec<Header>,
    /// In lower case: some file systems do not distinguish it.
    names: BTreeSet<String>,
    /// Where the next header starts.
    next: u64,
    small_total: u64,
    certificate: Option<Range<u64>>,
    files: Vec<PackedFile>,
    problem: Option<String>,
}

#[derive(Debug)]
enum Reading {
    /// A header, as far as it was read.
    Header(Vec<u8>),
    File(OpenFile),
    /// The directory and the end of the archive, and how many bytes of them were read.
    Directory {
        expected: Vec<u8>,
        read: usize,
    },
}

#[derive(Debug)]
struct OpenFile {
    /// How many bytes are still to be read. Never 0.
    left: u64,
    crc32: crc32fast::Hasher,
    sha256: Sha256Hasher,
    /// None for a file that is not kept.
    bytes: Option<Vec<u8>>,
}

impl CasePackageReader {
    /// A reader that keeps a certificate of at most so many bytes.
    pub fn new(max_certificate: u64) -> Self {
        Self {
            max_certificate,
            sha256: Sha256Hasher::new(),
            size: 0,
            reading: Reading::Header(Vec::new()),
            headers: Vec::new(),
            names: BTreeSet::new(),
            next: 0,
            small_total: 0,
            certificate: None,
            files: Vec::new(),
            problem: None,
        }
    }

    /// The next bytes of the package.
    pub fn update(&mut self, piece: &[u8]) {
        self.sha256.update(piece);
        self.size = self.size.saturating_add(piece.len() as u64);
        let mut rest = piece;
        while self.problem.is_none() && !rest.is_empty() {
            match self.take(rest) {
                Ok(used) => rest = &rest[used..],
                Err(problem) => self.problem = Some(problem),
            }
        }
    }

    /// Where the bytes of the certificate are in the package, as soon as its header was read.
    pub fn certificate(&self) -> Option<Range<u64>> {
        self.certificate.clone()
    }

    /// The package, after its last piece.
    pub fn finish(self) -> CasePackage {
        let Self { sha256, size, reading, files, problem, .. } = self;
        let is_whole = matches!(&reading, Reading::Directory { expected, read } if *read == expected.len());
        let content = match problem {
            Some(problem) => Err(problem),
            None if !is_whole => Err("it is cut off".to_owned()),
            None => content(files),
        };
        let content = content.map_err(|problem| format!("it is not the package of a case: {problem}"));
        CasePackage { sha256: sha256.finish(), size, content }
    }

    /// Reads the start of `piece`, and returns how many bytes: at least 1.
    fn take(&mut self, piece: &[u8]) -> Result<usize, String> {
        match &mut self.reading {
            Reading::Header(bytes) => {
                let used = headers::length(bytes).saturating_sub(bytes.len()).clamp(1, piece.len());
                bytes.extend(&piece[..used]);
                if bytes.len() >= headers::length(bytes) {
                    let header = mem::take(bytes);
                    self.begin(&header)?;
                }
                Ok(used)
            }
            Reading::File(file) => {
                let used = usize::try_from(file.left).map_or(piece.len(), |left| left.min(piece.len()));
                file.update(&piece[..used]);
                if file.left == 0 {
                    self.end_file()?;
                }
                Ok(used)
            }
            Reading::Directory { expected, read } => {
                let rest = &expected[*read..];
                if rest.is_empty() {
                    return Err("something follows its end".to_owned());
                }
                let used = rest.len().min(piece.len());
                if rest[..used] != piece[..used] {
                    return Err("its directory does not agree with its files".to_owned());
                }
                *read += used;
                Ok(used)
            }
        }
    }

    /// Begins what has this header: the next file, or the directory.
    fn begin(&mut self, header: &[u8]) -> Result<(), String> {
        if headers::is_directory(header) && !self.headers.is_empty() {
            let expected = headers::directory(&self.headers, self.next);
            self.reading = Reading::Directory { expected, read: header.len() };
            return Ok(());
        }
        let length = header.len() as u64;
        let header = Header::read(header, self.next).ok_or(
            "one of its headers does not have the form that the server writes; an archive that was packed again, or \
             compressed, is not read",
        )?;
        let kept = self.accept(&header)?;
        let start = self.next.saturating_add(length);
        self.next = start.saturating_add(header.size);
        if self.headers.len() == FIRST.len() {
            self.certificate = Some(start..self.next);
        }
        let file = OpenFile {
            left: header.size,
            crc32: crc32fast::Hasher::new(),
            sha256: Sha256Hasher::new(),
            bytes: kept.then(Vec::new),
        };
        let is_empty = header.size == 0;
        self.headers.push(header);
        self.reading = Reading::File(file);
        if is_empty { self.end_file() } else { Ok(()) }
    }

    /// Whether the next file may have this name and size, and whether it is kept.
    fn accept(&mut self, Header { name, size, .. }: &Header) -> Result<bool, String> {
        let place = self.headers.len();
        if place == MAX_FILES {
            return Err(format!("it has more than {MAX_FILES} files"));
        }
        if !is_plain(name) {
            return Err("the name of a file has characters that programs read differently".to_owned());
        }
        if !self.names.insert(name.to_ascii_lowercase()) {
            return Err(format!("it has two files named `{name}`"));
        }
        let is_certificate = place == FIRST.len();
        let is_pdf = name.strip_suffix(".pdf").is_some_and(|stem| !stem.contains('/'));
        match FIRST.get(place) {
            Some(expected) if expected != name => return Err(format!("it has `{name}` in the place of `{expected}`")),
            None if is_certificate && !is_pdf => {
                return Err(format!("it has `{name}` in the place of the certificate"));
            }
            _ => {}
        }
        let most = match place {
            1 => MAX_MANIFEST,
            _ if is_certificate => self.max_certificate,
            _ if name.starts_with(ORIGINALS) && !name.ends_with(MISSING) => return Ok(false),
            _ => {
                self.small_total = self.small_total.saturating_add(*size);
                MAX_SMALL
            }
        };
        if *size > most {
            return Err(format!("`{name}` has {size} bytes, expected at most {most}"));
        }
        if self.small_total > MAX_SMALL_TOTAL {
            return Err(format!("its tokens have more than {MAX_SMALL_TOTAL} bytes together"));
        }
        Ok(true)
    }

    /// Ends the file that is being read.
    fn end_file(&mut self) -> Result<(), String> {
        let reading = mem::replace(&mut self.reading, Reading::Header(Vec::new()));
        let (Reading::File(file), Some(header)) = (reading, self.headers.last()) else { return Ok(()) };
        let name = header.name.clone();
        if file.crc32.finalize() != header.crc32 {
            return Err(format!("the bytes of `{name}` do not match its checksum"));
        }
        let (sha256, bytes) = (file.sha256.finish(), file.bytes.unwrap_or_default());
        self.files.push(PackedFile { name, size: header.size, sha256, bytes });
        Ok(())
    }
}

impl OpenFile {
    fn update(&mut self, bytes: &[u8]) {
        self.left = self.left.saturating_sub(bytes.len() as u64);
        self.crc32.update(bytes);
        self.sha256.update(bytes);
        if let Some(kept) = &mut self.bytes {
            kept.extend(bytes);
        }
    }
}

/// The content of an archive with these files.
fn content(files: Vec<PackedFile>) -> Result<PackageContent, String> {
    let mut files = files.into_iter();
    let mut next = || files.next().ok_or("it has no certificate");
    let (mimetype, manifest, token, certificate) = (next()?, next()?, next()?, next()?);
    if mimetype.bytes != MEDIA_TYPE.as_bytes() {
        return Err(format!("its `{MIMETYPE}` is not {MEDIA_TYPE}"));
    }
    Ok(PackageContent { manifest: manifest.bytes, token: token.bytes, certificate, others: files.collect() })
}

/// Whether every program gives a file this name, below the folder in which it unpacks the package.
fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with('.');
    name.len() <= MAX_NAME && name.chars().all(is_plain) && name.split('/').all(is_part)
}
