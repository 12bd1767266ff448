//! Packages of cases, and the known ways to change one: as files for the command, and for the page in a browser.

use std::ops::Range;

use sealwright_seal::{
    Sha256Digest,
    asic::{self, ManifestEntry},
};
use serde_json::json;

use super::{
    Api,
    company_manifest::{FRAME, PHOTOGRAPHY, TEXT_FIELD},
    evidence::{add_capture, add_entry, close, open_case, photo},
};

/// A file of a package.
type Entry = (String, Vec<u8>);

/// A changed package.
pub(crate) struct ForgedPackage {
    pub(crate) about: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// The places of the files that every package has first.
const MANIFEST: usize = 1;
const TOKEN: usize = 2;
const CERTIFICATE: usize = 3;

/// The package of a closed case with a photo and an entry.
pub(crate) async fn package(api: &Api, seed: u64) -> Vec<u8> {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": "Burst pipe" })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(seed)).await.expect(200);
    add_entry(api, case, TEXT_FIELD, "Martinel").await.expect(201);
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    api.with_token(None).get(&url).await.expect(200);
    api.get(&format!("{url}/package")).await.expect(200).body.to_vec()
}

/// The changed packages. `other` is the package of another case, `stamp` the token of a trusted authority over a manifest.
pub(crate) fn forgeries(own: &[u8], other: &[u8], stamp: &dyn Fn(&[u8]) -> Vec<u8>) -> Vec<ForgedPackage> {
    let (own_files, other_files) = (read(own), read(other));
    let modified = [own[10], own[11], own[12], own[13]];
    let pack = |files: &[Entry]| pack(files, modified);
    assert!(pack(&own_files) == own, "the package is read and packed as it was");
    let mut forged = Vec::new();
    let mut add = |about, bytes| forged.push(ForgedPackage { about, bytes });
    let changed = |change: &dyn Fn(&mut Vec<Entry>)| {
        let mut files = own_files.clone();
        change(&mut files);
        files
    };
    let with_manifest = |files: &[Entry]| {
        let mut files = files.to_vec();
        files[MANIFEST].1 = manifest_of(&files);
        files
    };
    let stamped = |files: &[Entry]| {
        let mut files = with_manifest(files);
        files[TOKEN].1 = stamp(&files[MANIFEST].1);
        files
    };
    let original = own_files.iter().position(|(name, _)| name.starts_with(asic::ORIGINALS)).unwrap();
    let token = own_files.iter().position(|(name, _)| name.starts_with(asic::TOKENS)).unwrap();

    let swapped = changed(&|files| files[original].1 = photo(9).bytes);
    add("an original swapped", pack(&swapped));
    add("an original swapped, with the manifest", pack(&with_manifest(&swapped)));
    add("an original swapped, with the manifest and its time stamp", pack(&stamped(&swapped)));

    let added = changed(&|files| files.push(("originals/ITM-9_CAS-9.jpg".to_owned(), photo(9).bytes)));
    add("a file added", pack(&added));
    add("a file added, with the manifest", pack(&with_manifest(&added)));
    add("a file added, with the manifest and its time stamp", pack(&stamped(&added)));
    let page = changed(&|files| files.push(("index.html".to_owned(), b"<script>alert(1)</script>".to_vec())));
    add("a page added, with the manifest and its time stamp", pack(&stamped(&page)));

    let removed = changed(&|files| drop(files.remove(original)));
    add("an original removed", pack(&removed));
    add("an original removed, with the manifest", pack(&with_manifest(&removed)));
    add("an original removed, with the manifest and its time stamp", pack(&stamped(&removed)));

    let mut other_digest = own_files.clone();
    other_digest[MANIFEST].1 = manifest_of(&swapped);
    add("a digest in the manifest changed", pack(&other_digest));
    other_digest[TOKEN].1 = stamp(&other_digest[MANIFEST].1);
    add("a digest in the manifest changed, with its time stamp", pack(&other_digest));
    add("another time stamp", pack(&changed(&|files| files[TOKEN].1.clone_from(&other_files[TOKEN].1))));
    add("no time stamp", pack(&changed(&|files| files[TOKEN].1.clear())));
    let (_, others) = other_files.iter().find(|(name, _)| name.starts_with(asic::TOKENS)).unwrap();
    let other_token = changed(&|files| files[token].1.clone_from(others));
    add("the token of another original, with the manifest and its time stamp", pack(&stamped(&other_token)));

    let other_case = changed(&|files| files[CERTIFICATE].1.clone_from(&other_files[CERTIFICATE].1));
    add("the certificate of another case", pack(&other_case));
    add("the certificate of another case, with the manifest", pack(&with_manifest(&other_case)));
    add("the certificate of another case, with the manifest and its time stamp", pack(&stamped(&other_case)));
    let renamed = changed(&|files| files[CERTIFICATE] = other_files[CERTIFICATE].clone());
    add("the certificate of another case under its name", pack(&stamped(&renamed)));
    let broken = changed(&|files| files[CERTIFICATE].1[1000] ^= 1);
    add("a changed certificate, with the manifest and its time stamp", pack(&stamped(&broken)));

    let name = own_files[original].0.clone();
    let twice = changed(&|files| files.push((name.clone(), photo(9).bytes)));
    add("two files of one name", pack(&twice));
    add("two files of one name, with the manifest", pack(&with_manifest(&twice)));
    for (about, name) in [("a name that leaves the folder", "originals/../../x"), ("an absolute name", "/etc/x")] {
        add(about, pack(&stamped(&changed(&|files| files.push((name.to_owned(), b"x".to_vec()))))));
    }
    add("the certificate before the manifest", pack(&changed(&|files| files.swap(MANIFEST, CERTIFICATE))));

    archives(own, &own_files, original, &pack, &mut add);
    forged
}

/// Attacks on the archive itself.
fn archives(
    own: &[u8],
    files: &[Entry],
    original: usize,
    pack: &dyn Fn(&[Entry]) -> Vec<u8>,
    add: &mut dyn FnMut(&'static str, Vec<u8>),
) {
    let directory = directory_of(own);
    let name = files[original].0.as_bytes();
    let in_directory = own[directory.clone()].windows(name.len()).position(|bytes| bytes == name).unwrap();
    let in_directory = directory.start + in_directory;
    let with_byte = |place: usize, change: u8| {
        let mut bytes = own.to_vec();
        bytes[place] ^= change;
        bytes
    };
    add("another name in the directory", with_byte(in_directory + name.len() - 1, 1));
    // Of the header before the name: the size, and the place of the file.
    add("another size in the directory", with_byte(in_directory - 46 + 24, 1));
    add("another place in the directory", with_byte(in_directory - 46 + 42, 1));
    let without = pack(&files[..files.len() - 1]);
    let other = &without[directory_of(&without)];
    let end = without.len() - 22;
    add("a directory without the last file", [&own[..directory.start], other, &without[end..]].concat());
    add("cut in the middle", own[..own.len() / 2].to_vec());
    add("cut in the last file", own[..directory.start - 10].to_vec());
    add("cut before the directory", own[..directory.start].to_vec());
    add("cut by one byte", own[..own.len() - 1].to_vec());
    add("something after its end", [own, b"\n"].concat());
    add("twice", [own, own].concat());
    let mut bomb = files.to_vec();
    bomb[original].1 = miniz_oxide::deflate::compress_to_vec(&vec![0; 4 << 20], 9);
    let mut bomb = pack(&bomb);
    for start in positions(&bomb, name) {
        if bomb[start - 30..].starts_with(b"PK\x03\x04") {
            // The method, in the local header and in the directory.
            bomb[start - 30 + 8] = 8;
        } else if bomb[start - 46..].starts_with(b"PK\x01\x02") {
            bomb[start - 46 + 10] = 8;
        }
    }
    add("a bomb", bomb);
}

/// The manifest of these files.
fn manifest_of(files: &[Entry]) -> Vec<u8> {
    let entries = files[CERTIFICATE..].iter().map(|(name, bytes)| ManifestEntry {
        name,
        media_type: "application/octet-stream",
        sha256: Sha256Digest::of(bytes),
    });
    asic::write(entries).into_bytes()
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// The files of a package as the server writes it, in their order.
fn read(package: &[u8]) -> Vec<Entry> {
    let (mut files, mut at) = (Vec::new(), 0);
    while package[at..].starts_with(b"PK\x03\x04") {
        let (size, name_length) = (number(package, at + 22, 4), number(package, at + 26, 2));
        let name = String::from_utf8(package[at + 30..at + 30 + name_length].to_vec()).unwrap();
        let start = at + 30 + name_length;
        files.push((name, package[start..start + size].to_vec()));
        at = start + size;
    }
    files
}

/// Packs files as the server does. `modified` is the time and date of all of them.
fn pack(files: &[Entry], modified: [u8; 4]) -> Vec<u8> {
    let number = |value: usize, length: usize| value.to_le_bytes()[..length].to_vec();
    let (mut package, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let sizes = [number(bytes.len(), 4), number(bytes.len(), 4), number(name.len(), 2), number(0, 2)].concat();
        let crc32 = crc32fast::hash(bytes).to_le_bytes();
        let common = [&[10, 0, 0, 0, 0, 0][..], &modified, &crc32, &sizes].concat();
        let place = number(package.len(), 4);
        directory.extend([&b"PK\x01\x02\x2d\x03"[..], &common, &[0; 6]].concat());
        directory.extend([number(0o100_644 << 16, 4), place, name.as_bytes().to_vec()].concat());
        package.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), bytes].concat());
    }
    let counts = [number(files.len(), 2), number(files.len(), 2)].concat();
    let places = [number(directory.len(), 4), number(package.len(), 4)].concat();
    package.extend(directory);
    package.extend([&b"PK\x05\x06"[..], &[0; 4], &counts, &places, &[0; 2]].concat());
    package
}

/// The directory of a package, without the record at its end.
fn directory_of(package: &[u8]) -> Range<usize> {
    let end = package.len() - 22;
    number(package, end + 16, 4)..end
}

fn positions(bytes: &[u8], name: &[u8]) -> Vec<usize> {
    let found = bytes.windows(name.len()).enumerate().filter(|(_, window)| *window == name);
    found.map(|(position, _)| position).collect()
}
