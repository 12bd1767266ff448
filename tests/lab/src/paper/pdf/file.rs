//! Objects, streams and cross-references of a PDF file (ISO 32000-1, 7.3 to 7.5), and appended revisions.

use std::fmt::{self, Write as _};

use super::Producer;

/// The number of an indirect object, shown as a reference to it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Reference(pub(crate) usize);

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} 0 R", self.0)
    }
}

#[derive(Default)]
pub(crate) struct Writer {
    /// By number, from 1; `true` for a stream, which cannot be in an object stream.
    objects: Vec<Option<(Vec<u8>, bool)>>,
    version: &'static str,
    object_streams: bool,
}

impl Writer {
    pub(super) fn new(producer: &Producer) -> Self {
        Self { objects: Vec::new(), version: producer.version, object_streams: producer.object_streams }
    }

    pub(crate) fn reserve(&mut self) -> Reference {
        self.objects.push(None);
        Reference(self.objects.len())
    }

    pub(crate) fn put(&mut self, reference: Reference, body: &str) {
        self.objects[reference.0 - 1] = Some((body.as_bytes().to_vec(), false));
    }

    pub(crate) fn add(&mut self, body: &str) -> Reference {
        let reference = self.reserve();
        self.put(reference, body);
        reference
    }

    /// Adds a stream, compressed; `entries` are added to its dictionary.
    pub(crate) fn stream(&mut self, entries: &str, bytes: &[u8]) -> Reference {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6);
        self.raw_stream(&format!("{entries} /Filter /FlateDecode"), &packed)
    }

    /// Adds a stream of these bytes, uncompressed.
    pub(crate) fn raw_stream(&mut self, entries: &str, bytes: &[u8]) -> Reference {
        let reference = self.reserve();
        self.objects[reference.0 - 1] = Some((stream_object(entries, bytes), true));
        reference
    }

    pub(super) fn finish(mut self, root: Reference, information: Reference) -> anyhow::Result<Vec<u8>> {
        let mut file = format!("%PDF-{}\n%\u{e2}\u{e3}\n", self.version).into_bytes();
        if self.object_streams {
            return self.finish_compressed(file, root, information);
        }
        let mut offsets = Vec::new();
        for (index, object) in self.objects.iter_mut().enumerate() {
            let (body, _) = object.take().ok_or_else(|| anyhow::anyhow!("object {} was never written", index + 1))?;
            offsets.push((index + 1, file.len()));
            push_object(&mut file, index + 1, &body);
        }
        let start = file.len();
        file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1).bytes());
        for (_, offset) in &offsets {
            file.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        let identifier = identifier(&file);
        file.extend(
            format!(
                "trailer\n<< /Size {} /Root {root} /Info {information} /ID [<{identifier}> <{identifier}>] >>\nstartxref\n{start}\n%%EOF\n",
                offsets.len() + 1
            )
            .bytes(),
        );
        Ok(file)
    }

    /// Writes everything except streams to one object stream.
    fn finish_compressed(self, mut file: Vec<u8>, root: Reference, information: Reference) -> anyhow::Result<Vec<u8>> {
        let (count, container) = (self.objects.len(), self.objects.len() + 1);
        // Type, offset or container, and index: one row per object, the free one first.
        let mut rows: Vec<[u32; 3]> = vec![[0, 0, 65_535]; count + 3];
        let (mut index, mut packed) = (String::new(), Vec::new());
        let mut inside = 0;
        for (number, object) in self.objects.into_iter().enumerate() {
            let number = number + 1;
            let (body, is_stream) = object.ok_or_else(|| anyhow::anyhow!("object {number} was never written"))?;
            if is_stream {
                rows[number] = [1, u32::try_from(file.len())?, 0];
                push_object(&mut file, number, &body);
            } else {
                rows[number] = [2, u32::try_from(container)?, inside];
                inside += 1;
                let _ = write!(index, "{number} {} ", packed.len());
                packed.extend(body);
                packed.push(b' ');
            }
        }
        rows[container] = [1, u32::try_from(file.len())?, 0];
        let first = index.len();
        let content: Vec<u8> = index.into_bytes().into_iter().chain(packed).collect();
        let entries = format!("/Type /ObjStm /N {inside} /First {first} /Filter /FlateDecode");
        push_object(
            &mut file,
            container,
            &stream_object(&entries, &miniz_oxide::deflate::compress_to_vec_zlib(&content, 6)),
        );
        let start = file.len();
        rows[container + 1] = [1, u32::try_from(start)?, 0];
        let mut table = Vec::new();
        for [kind, place, generation] in &rows {
            table.push(kind.to_be_bytes()[3]);
            table.extend(place.to_be_bytes());
            table.extend(&generation.to_be_bytes()[2..]);
        }
        let identifier = identifier(&file);
        let entries = format!(
            "/Type /XRef /Size {} /W [1 4 2] /Root {root} /Info {information} /ID [<{identifier}> <{identifier}>] /Filter /FlateDecode",
            rows.len()
        );
        push_object(
            &mut file,
            container + 1,
            &stream_object(&entries, &miniz_oxide::deflate::compress_to_vec_zlib(&table, 6)),
        );
        file.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
        Ok(file)
    }
}

/// Appends a revision that writes these objects, by number, to a file with a cross-reference table.
pub(crate) fn append(file: &[u8], objects: &[(usize, Vec<u8>)]) -> anyhow::Result<Vec<u8>> {
    let text = String::from_utf8_lossy(&file[file.len().saturating_sub(1024)..]).into_owned();
    let after = |key: &str| text.rfind(key).map(|at| text[at + key.len()..].trim_start().to_owned());
    let previous: usize = after("startxref")
        .and_then(|rest| rest.lines().next().and_then(|line| line.trim().parse().ok()))
        .ok_or_else(|| anyhow::anyhow!("the file has no startxref"))?;
    let entry = |key: &str| -> anyhow::Result<String> {
        let rest = after(key).ok_or_else(|| anyhow::anyhow!("the trailer has no {key}"))?;
        Ok(rest.split(['/', '>']).next().unwrap_or_default().trim().to_owned())
    };
    let size: usize = entry("/Size")?.parse()?;
    let root = entry("/Root")?;
    let information = entry("/Info")?;
    let mut appended = file.to_vec();
    let mut table = String::from("xref\n");
    for (number, body) in objects {
        let _ = write!(table, "{number} 1\n{:010} 00000 n \n", appended.len());
        push_object(&mut appended, *number, body);
    }
    let start = appended.len();
    let size = objects.iter().map(|(number, _)| number + 1).fold(size, usize::max);
    let identifier = identifier(&appended);
    appended.extend(
        format!(
            "{table}trailer\n<< /Size {size} /Root {root} /Info {information} /Prev {previous} /ID [<{identifier}> \
             <{identifier}>] >>\nstartxref\n{start}\n%%EOF\n"
        )
        .bytes(),
    );
    Ok(appended)
}

/// The next free object number, from the last trailer's `/Size`.
pub(crate) fn next_number(file: &[u8]) -> usize {
    let text = String::from_utf8_lossy(file);
    let Some(at) = text.rfind("/Size ") else { return 1 };
    text[at + 6..].split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

pub(crate) fn stream_object(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {entries} /Length {} >>\nstream\n", bytes.len()).into_bytes();
    object.extend(bytes);
    object.extend(b"\nendstream");
    object
}

fn push_object(file: &mut Vec<u8>, number: usize, body: &[u8]) {
    file.extend(format!("{number} 0 obj\n").bytes());
    file.extend(body);
    file.extend(b"\nendobj\n");
}

/// Sixteen bytes derived from the file.
fn identifier(file: &[u8]) -> String {
    let fold = |seed: u64| file.iter().fold(seed, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{:016x}{:016x}", fold(0xcbf2_9ce4_8422_2325), fold(0x9ae1_6a3b_2f90_404f))
}

/// A text string: UTF-16 with a byte order mark unless it is plain ASCII.
pub(crate) fn text(value: &str) -> String {
    if value.is_ascii() {
        return format!("({})", value.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)"));
    }
    let mut units = String::from("<feff");
    for unit in value.encode_utf16() {
        let _ = write!(units, "{unit:04x}");
    }
    units + ">"
}
