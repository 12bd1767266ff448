//! The messages between the server and the rendering process: a JSON head, then files.
//!
//! A message is the head's length (4 bytes, big endian) and the head, the number of files (4 bytes), and for each its
//! length (8 bytes) and its bytes. Both ends are the same program, so there are no versions.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::super::{
    attachment::Attachment,
    data::{CertificateData, Moment},
    finding::Finding,
    render::Form,
};

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Load this template. The files follow: those of these paths, then fonts.
    Load { files: Vec<String>, limits: Limits },
    /// Render a certificate. The photos follow, then the attachments' bytes.
    Render(Box<Job>),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) data: CertificateData,
    pub(super) photos: usize,
    pub(super) attachments: Vec<Attachment>,
    pub(super) now: Moment,
    pub(super) form: Form,
    pub(super) limits: Limits,
}

/// The limits of one request.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Limits {
    pub(super) seconds: u64,
    /// In bytes, all together.
    pub(super) memory: u64,
}

impl Limits {
    pub(super) fn time(self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    Loaded,
    /// The document follows.
    Rendered {
        pages: usize,
        unshown_photos: Vec<usize>,
        warnings: Vec<Finding>,
        missing: Vec<Finding>,
    },
    Template(Vec<Finding>),
    Export(Vec<Finding>),
    Failed(String),
}

pub(super) fn write<'a>(
    out: &mut impl Write,
    head: &impl Serialize,
    files: impl Iterator<Item = &'a [u8]>,
) -> io::Result<()> {
    let head = serde_json::to_vec(head)?;
    out.write_all(&length(head.len())?)?;
    out.write_all(&head)?;
    let files: Vec<&[u8]> = files.collect();
    out.write_all(&length(files.len())?)?;
    for file in files {
        out.write_all(&(file.len() as u64).to_be_bytes())?;
        out.write_all(file)?;
    }
    out.flush()
}

/// The next message, at most `most_bytes` long, or `None` if the other end has closed.
pub(super) fn read<T: DeserializeOwned>(
    input: &mut impl Read,
    most_bytes: u64,
) -> io::Result<Option<(T, Vec<Vec<u8>>)>> {
    let mut input = input.take(most_bytes);
    let mut first = [0; 4];
    match input.read_exact(&mut first) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let head = bytes(&mut input, u32::from_be_bytes(first).into())?;
    let head = serde_json::from_slice(&head)?;
    let mut count = [0; 4];
    input.read_exact(&mut count)?;
    let mut files = Vec::new();
    for _ in 0..u32::from_be_bytes(count) {
        let mut length = [0; 8];
        input.read_exact(&mut length)?;
        files.push(bytes(&mut input, u64::from_be_bytes(length))?);
    }
    Ok(Some((head, files)))
}

/// Reads exactly `length` bytes. Memory beyond the size of a picture is allocated only as bytes arrive, because the
/// other end states the length.
fn bytes(input: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    const AT_ONCE: u64 = 8 << 20;
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(AT_ONCE)).unwrap_or(0));
    let read = input.take(length).read_to_end(&mut bytes)?;
    if read as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn length(length: usize) -> io::Result<[u8; 4]> {
    u32::try_from(length).map(u32::to_be_bytes).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let mut pipe = Vec::new();
        write(&mut pipe, &"head", [&b"one"[..], b""].into_iter()).unwrap();
        let mut input = &pipe[..];
        let read: (String, Vec<Vec<u8>>) = self::read(&mut input, 100).unwrap().unwrap();
        assert_eq!(read, ("head".to_owned(), vec![b"one".to_vec(), Vec::new()]));
        assert!(self::read::<String>(&mut input, 100).unwrap().is_none());
    }

    #[test]
    fn a_message_cut_off_anywhere_is_an_error() {
        let mut pipe = Vec::new();
        write(&mut pipe, &"head", [&b"one"[..]].into_iter()).unwrap();
        for length in 4..pipe.len() {
            assert!(read::<String>(&mut &pipe[..length], 100).is_err(), "{length}");
            assert!(read::<String>(&mut &pipe[..], length as u64).is_err(), "{length}");
        }
    }
}
