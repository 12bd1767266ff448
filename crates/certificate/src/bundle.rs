//! A template's folder packed into one file, so that it can be stored in one place and unpacked elsewhere.
//!
//! The format: one line of JSON that lists path and length of each file in the folder's order, and then the files. The
//! same files always give the same bytes.

use std::{
    fs::{self, File},
    io::Write,
    path::{Component, Path},
};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::template::{MAX_FILES, MAX_SIZE, Stamp, Template, walk};

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    files: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// Inside the template, with `/` between folders.
    path: String,
    length: u64,
}

/// The bundle of the template in `folder`, without its samples.
///
/// # Errors
/// Like [`Template::from_dir`].
pub fn bundle(folder: &Path) -> Result<Vec<u8>> {
    const TRIES: usize = 5;
    for _ in 0..TRIES {
        let before = Stamp::of(folder)?;
        Template::from_dir(folder)?;
        let bytes = read(folder).with_context(|| format!("certificate template {}", folder.display()))?;
        if Stamp::of(folder)? == before {
            return Ok(bytes);
        }
    }
    bail!("certificate template {} changes faster than it can be read", folder.display())
}

fn read(folder: &Path) -> Result<Vec<u8>> {
    let (mut files, mut contents) = (Vec::new(), Vec::new());
    for found in walk(folder)? {
        let content = fs::read(&found.file).with_context(|| found.path.clone())?;
        files.push(Entry { path: found.path, length: content.len() as u64 });
        contents.push(content);
    }
    let mut bytes = serde_json::to_vec(&Head { files })?;
    bytes.push(b'\n');
    bytes.extend(contents.into_iter().flatten());
    Ok(bytes)
}

/// Unpacks a bundle durably into a `folder` that does not exist yet. Nothing is written outside it.
///
/// # Errors
/// The bytes are not a bundle of a template, or a file cannot be written.
pub fn unbundle(bytes: &[u8], folder: &Path) -> Result<()> {
    let end = bytes.iter().position(|byte| *byte == b'\n').context("it has no list of files")?;
    let (head, mut rest) = (&bytes[..end], &bytes[end + 1..]);
    let Head { files } = serde_json::from_slice(head).context("its list of files cannot be read")?;
    ensure!(files.len() <= MAX_FILES, "it has more than {MAX_FILES} files");
    ensure!(rest.len() as u64 <= MAX_SIZE, "its files have more than {MAX_SIZE} bytes together");
    fs::create_dir(folder).with_context(|| format!("creating {}", folder.display()))?;
    for Entry { path, length } in files {
        ensure!(is_inside(&path), "{path:?} is not a path inside a template");
        let length = usize::try_from(length).ok().filter(|length| *length <= rest.len());
        let (content, others) = rest.split_at(length.with_context(|| format!("{path} is truncated"))?);
        rest = others;
        write(&folder.join(&path), content).with_context(|| format!("writing {path}"))?;
    }
    ensure!(rest.is_empty(), "it has more bytes than its list of files states");
    Template::from_dir(folder)?;
    Ok(())
}

fn is_inside(path: &str) -> bool {
    let path = Path::new(path);
    path.components().count() > 0 && path.components().all(|part| matches!(part, Component::Normal(_)))
}

fn write(file: &Path, content: &[u8]) -> Result<()> {
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut written = File::create_new(file)?;
    written.write_all(content)?;
    Ok(written.sync_all()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(folder: &Path) {
        fs::create_dir_all(folder.join("parts/deep")).unwrap();
        fs::create_dir_all(folder.join("samples")).unwrap();
        fs::write(folder.join("main.typ"), "#include \"parts/deep/page.typ\"").unwrap();
        fs::write(folder.join("parts/deep/page.typ"), "a page\n\nof text").unwrap();
        fs::write(folder.join("parts/empty.typ"), "").unwrap();
        fs::write(folder.join("samples/own.json"), "{}").unwrap();
        fs::write(folder.join(".hidden"), "hidden").unwrap();
    }

    #[test]
    fn a_folder_is_restored_without_what_a_certificate_does_not_need() {
        let place = tempfile::tempdir().unwrap();
        let (folder, again) = (place.path().join("acme"), place.path().join("again"));
        template(&folder);
        let bytes = bundle(&folder).unwrap();
        unbundle(&bytes, &again).unwrap();
        assert_eq!(fs::read_to_string(again.join("parts/deep/page.typ")).unwrap(), "a page\n\nof text");
        assert_eq!(fs::read(again.join("parts/empty.typ")).unwrap(), b"");
        assert!(!again.join("samples").exists() && !again.join(".hidden").exists());
        assert_eq!(bundle(&again).unwrap(), bytes, "the same files give the same bytes");
    }

    #[test]
    fn an_invalid_bundle_is_refused_and_writes_nothing_outside() {
        let place = tempfile::tempdir().unwrap();
        let entry = |path: &str, length: usize| format!("{{\"path\":{path:?},\"length\":{length}}}");
        let head = |entries: &[String]| format!("{{\"files\":[{}]}}\n", entries.join(","));
        let main = entry("main.typ", 1);
        let hostile = [
            String::new(),
            "{}".to_owned(),
            "{}\n".to_owned(),
            head(&[entry("../outside", 1)]) + "x",
            head(&[entry("/outside", 1)]) + "x",
            head(&[entry("a/../../outside", 1)]) + "x",
            head(&[entry("", 1)]) + "x",
            head(&[entry(".", 1)]) + "x",
            head(&[main.clone(), entry("short.typ", 2)]) + "xy",
            head(&[main.clone(), main.clone()]) + "xy",
            head(std::slice::from_ref(&main)) + "x and more",
            head(&[entry("other.typ", 1)]) + "x",
        ];
        for (number, bytes) in hostile.iter().enumerate() {
            let inner = place.path().join(number.to_string());
            fs::create_dir(&inner).unwrap();
            let refused = unbundle(bytes.as_bytes(), &inner.join("folder"));
            assert!(refused.is_err(), "{bytes}");
            assert!(!inner.join("outside").exists() && !place.path().join("outside").exists(), "{bytes}");
        }
        unbundle((head(&[main]) + "x").as_bytes(), &place.path().join("good")).unwrap();
    }
}
