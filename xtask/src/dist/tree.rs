//! Archives in the format ustar that depend only on what is in them: members are sorted, times and owners are given.

use std::{collections::BTreeMap, io::Write as _};

use anyhow::{Context as _, Result, ensure};
use flate2::{Compression, write::GzEncoder};

/// Files and folders by their paths, without a slash at either end.
#[derive(Debug, Default)]
pub(super) struct Tree(BTreeMap<String, Node>);

#[derive(Debug)]
struct Node {
    mode: u32,
    /// The number of the user and of the group.
    owner: u32,
    /// `None` for a folder.
    content: Option<Vec<u8>>,
}

const ROOT: u32 = 0;

const BLOCK: usize = 512;

impl Tree {
    pub(super) fn add(&mut self, path: &str, content: Vec<u8>) {
        self.insert(path, Node { mode: 0o644, owner: ROOT, content: Some(content) });
    }

    pub(super) fn add_with_mode(&mut self, path: &str, mode: u32, content: Vec<u8>) {
        self.insert(path, Node { mode, owner: ROOT, content: Some(content) });
    }

    /// Only for folders with another owner or mode than root's and 0755: folders above files are added with them.
    pub(super) fn add_folder(&mut self, path: &str, mode: u32, owner: u32) {
        self.insert(path, Node { mode, owner, content: None });
    }

    fn insert(&mut self, path: &str, node: Node) {
        for (slash, _) in path.match_indices('/') {
            let above = || Node { mode: 0o755, owner: ROOT, content: None };
            self.0.entry(path[..slash].to_owned()).or_insert_with(above);
        }
        self.0.insert(path.to_owned(), node);
    }

    /// The size of all files.
    pub(super) fn bytes(&self) -> usize {
        self.0.values().filter_map(|node| node.content.as_ref()).map(Vec::len).sum()
    }

    /// The archive. Each name starts with `prefix`, which is empty or a folder with its slash; `time` is in seconds.
    pub(super) fn archive(&self, prefix: &str, time: u64) -> Result<Vec<u8>> {
        let mut archive = Vec::with_capacity(self.bytes() + (self.0.len() + 1) * 2 * BLOCK);
        if !prefix.is_empty() {
            archive.extend_from_slice(&header(prefix, &Node { mode: 0o755, owner: ROOT, content: None }, time)?);
        }
        for (path, node) in &self.0 {
            let slash = if node.content.is_none() { "/" } else { "" };
            archive.extend_from_slice(&header(&format!("{prefix}{path}{slash}"), node, time)?);
            archive.extend_from_slice(node.content.as_deref().unwrap_or_default());
            archive.resize(archive.len().next_multiple_of(BLOCK), 0);
        }
        archive.resize(archive.len() + 2 * BLOCK, 0);
        Ok(archive)
    }
}

/// The header of one member (POSIX.1-1988, "ustar").
fn header(name: &str, node: &Node, time: u64) -> Result<[u8; BLOCK]> {
    const SUM: usize = 148;
    ensure!(name.len() <= 100, "the name {name:?} is too long for an archive");
    let kind = if node.content.is_none() { "5" } else { "0" };
    let size = node.content.as_ref().map_or(0, Vec::len);
    let owner_name = if node.owner == ROOT { "root" } else { "" };
    let mut block = [0; BLOCK];
    let fields = [
        (0, name.to_owned()),
        (100, format!("{:07o}", node.mode)),
        (108, format!("{:07o}", node.owner)),
        (116, format!("{:07o}", node.owner)),
        (124, format!("{size:011o}")),
        (136, format!("{time:011o}")),
        // While the sum is computed, its own field consists of spaces.
        (SUM, " ".repeat(8)),
        (156, kind.to_owned()),
        (257, "ustar\u{0}00".to_owned()),
        (265, owner_name.to_owned()),
        (297, owner_name.to_owned()),
    ];
    for (at, text) in &fields {
        block[*at..at + text.len()].copy_from_slice(text.as_bytes());
    }
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[SUM..SUM + 8].copy_from_slice(format!("{sum:06o}\u{0} ").as_bytes());
    Ok(block)
}

/// The bytes in the format gzip, without a name and a time. `level` is from 0 (stored) to 9.
pub(super) fn gzip(bytes: &[u8], level: u32) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(bytes).context("compressing")?;
    encoder.finish().context("compressing")
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn tree() -> Tree {
        let mut tree = Tree::default();
        tree.add("usr/share/text", b"text\n".to_vec());
        tree.add_with_mode("usr/bin/program", 0o755, vec![7; 513]);
        tree.add_folder("var/data", 0o700, 65532);
        tree
    }

    #[test]
    fn tar_lists_owners_modes_sizes_and_times() {
        let mut tar = Command::new("tar")
            .args(["--list", "--verbose", "--numeric-owner", "--utc", "--gzip"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let archive = gzip(&tree().archive("./", 86400).unwrap(), 6).unwrap();
        tar.stdin.take().unwrap().write_all(&archive).unwrap();
        let output = tar.wait_with_output().unwrap();
        assert!(output.status.success());
        let listed = String::from_utf8(output.stdout).unwrap();
        let words: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
        let line = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        assert_eq!(
            words,
            [
                line("drwxr-xr-x 0/0 0 1970-01-02 00:00 ./"),
                line("drwxr-xr-x 0/0 0 1970-01-02 00:00 ./usr/"),
                line("drwxr-xr-x 0/0 0 1970-01-02 00:00 ./usr/bin/"),
                line("-rwxr-xr-x 0/0 513 1970-01-02 00:00 ./usr/bin/program"),
                line("drwxr-xr-x 0/0 0 1970-01-02 00:00 ./usr/share/"),
                line("-rw-r--r-- 0/0 5 1970-01-02 00:00 ./usr/share/text"),
                line("drwxr-xr-x 0/0 0 1970-01-02 00:00 ./var/"),
                line("drwx------ 65532/65532 0 1970-01-02 00:00 ./var/data/"),
            ]
        );
    }

    #[test]
    fn a_name_that_does_not_fit_is_refused() {
        let mut tree = Tree::default();
        tree.add(&"a".repeat(101), Vec::new());
        assert!(tree.archive("", 0).is_err());
    }
}
