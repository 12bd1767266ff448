use super::*;

/// The files of a package, with the first three at their places.
const FILES: [(&str, &[u8]); 6] = [
    ("mimetype", b"application/vnd.etsi.asic-e+zip"),
    ("META-INF/ASiCManifest.xml", b"<manifest/>"),
    ("META-INF/timestamp.tst", b"token"),
    ("CAS-1_CMP-1.pdf", b"%PDF-1.7"),
    ("originals/ITM-1_CAS-1.jpg", b"a photo"),
    ("tokens/ITM-1_CAS-1.tst", b""),
];

fn number(value: usize, length: usize) -> Vec<u8> {
    value.to_le_bytes()[..length].to_vec()
}

/// What makes the headers of a forged archive differ from those of the server.
#[derive(Clone, Copy, Default)]
struct Forgery<'a> {
    extra: &'a [u8],
    comment: &'a [u8],
    archive_comment: &'a [u8],
    method: u8,
    flags: u8,
    /// In the local headers only.
    local_name: Option<&'a str>,
}

fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
    forged(files, Forgery::default())
}

fn forged(files: &[(&str, &[u8])], forgery: Forgery<'_>) -> Vec<u8> {
    let Forgery { extra, comment, archive_comment, method, flags, local_name } = forgery;
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let common = |name: &str| {
            let crc32 = crc32fast::hash(bytes).to_le_bytes();
            let sizes = [number(bytes.len(), 4), number(bytes.len(), 4), number(name.len(), 2)].concat();
            [&[10, 0, flags, 0, method, 0, 1, 2, 3, 4][..], &crc32, &sizes, &number(extra.len(), 2)].concat()
        };
        let (local_name, position) = (local_name.unwrap_or(name), number(archive.len(), 4));
        directory.extend([&b"PK\x01\x02"[..], &number(0x032d, 2), &common(name), &number(comment.len(), 2)].concat());
        directory.extend([&[0; 4][..], &number(0o100_644 << 16, 4), &position].concat());
        directory.extend([name.as_bytes(), extra, comment].concat());
        archive.extend([&b"PK\x03\x04"[..], &common(local_name), local_name.as_bytes(), extra, bytes].concat());
    }
    let at = number(archive.len(), 4);
    let counts = [number(files.len(), 2), number(files.len(), 2)].concat();
    let length = number(directory.len(), 4);
    archive.extend(directory);
    archive.extend([&b"PK\x05\x06"[..], &[0; 4], &counts, &length, &at].concat());
    archive.extend([&number(archive_comment.len(), 2)[..], archive_comment].concat());
    archive
}

fn read_in_pieces(archive: &[u8], length: usize) -> CasePackage {
    let mut reader = CasePackageReader::new(1000);
    archive.chunks(length).for_each(|piece| reader.update(piece));
    reader.finish()
}

fn problem(archive: &[u8]) -> String {
    let mut reader = CasePackageReader::new(1000);
    reader.update(archive);
    reader.finish().content.unwrap_err()
}

fn with(place: usize, name: &'static str, bytes: &'static [u8]) -> Vec<u8> {
    let mut files = FILES;
    files[place] = (name, bytes);
    packed(&files)
}

#[test]
fn a_package_is_read_in_pieces_of_any_length() {
    let archive = packed(&FILES);
    assert!(is_case_package(&archive[..CASE_PACKAGE_START]));
    for length in [1, 2, 3, 7, 29, 30, 31, 64, archive.len()] {
        let package = read_in_pieces(&archive, length);
        assert_eq!((package.sha256, package.size), (Sha256Digest::of(&archive), archive.len() as u64));
        assert_eq!(package.certificate(), FILES[3].1);
        let content = package.content.unwrap();
        assert_eq!((content.manifest.as_slice(), content.token.as_slice()), (FILES[1].1, FILES[2].1));
        let [original, token] = content.others.as_slice() else { panic!("{content:?}") };
        assert_eq!(
            (original.name.as_str(), original.size, original.sha256),
            (FILES[4].0, 7, Sha256Digest::of(FILES[4].1))
        );
        assert_eq!(original.bytes, b"", "an original is not kept");
        assert_eq!((token.name.as_str(), token.size), (FILES[5].0, 0));
    }
}

#[test]
fn the_place_of_the_certificate_is_known_before_the_rest_is_read() {
    let archive = packed(&FILES);
    let mut reader = CasePackageReader::new(1000);
    let known = archive.iter().position(|byte| {
        reader.update(&[*byte]);
        reader.certificate().is_some()
    });
    let place = reader.certificate().unwrap();
    assert_eq!(u64::try_from(known.unwrap()).unwrap() + 1, place.start);
    let place = usize::try_from(place.start).unwrap()..usize::try_from(place.end).unwrap();
    assert_eq!(&archive[place], FILES[3].1);
}

#[test]
fn every_changed_and_every_missing_byte_of_a_header_is_noticed() {
    let archive = packed(&FILES);
    for length in 0..archive.len() {
        assert!(read_in_pieces(&archive[..length], 50).content.is_err(), "{length}");
    }
    assert!(problem(&archive[..archive.len() - 1]).ends_with("it is cut off"));
    assert!(problem(&[&archive[..], b"x"].concat()).ends_with("something follows its end"));
    assert!(read_in_pieces(&[&b"x"[..], &archive].concat(), 50).content.is_err());
    for position in 0..archive.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut changed = archive.clone();
            changed[position] ^= change;
            assert!(read_in_pieces(&changed, 1000).content.is_err(), "{position}");
        }
    }
}

#[test]
fn two_headers_that_disagree_are_refused() {
    for forgery in [
        Forgery { extra: b"\x01\x00\x00\x00", ..Forgery::default() },
        Forgery { comment: b"x", ..Forgery::default() },
        Forgery { archive_comment: b"x", ..Forgery::default() },
        Forgery { local_name: Some("mimetype"), ..Forgery::default() },
        // Sizes after the bytes, encryption, and another encoding of names.
        Forgery { flags: 8, ..Forgery::default() },
        Forgery { flags: 1, ..Forgery::default() },
    ] {
        let archive = forged(&FILES, forgery);
        assert!(read_in_pieces(&archive, 1000).content.is_err());
    }
    // A directory with another order, with a file less, and with one of another archive.
    let (own, other) = (packed(&FILES), packed(&FILES[..5]));
    let start_of_directory = |archive: &[u8]| archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let mixed = [&own[..start_of_directory(&own)], &other[start_of_directory(&other)..]].concat();
    assert!(problem(&mixed).ends_with("its directory does not agree with its files"), "{}", problem(&mixed));
    let mut overlapping = own.clone();
    // The last file's place in the directory: at the first file.
    let end = own.len() - 22 - FILES[5].0.len() - 4;
    overlapping[end..end + 4].copy_from_slice(&[0; 4]);
    assert!(problem(&overlapping).ends_with("its directory does not agree with its files"));
}

#[test]
fn names_are_used_once_and_do_not_leave_their_folder() {
    for name in
        ["originals/../x", "/originals/x", "originals//x", "originals/x.", "originals/.x", "c:x", "\u{e9}", "x\\y", ""]
    {
        assert!(read_in_pieces(&with(5, name, b"x"), 1000).content.is_err(), "{name}");
    }
    for twice in ["originals/ITM-1_CAS-1.jpg", "ORIGINALS/itm-1_cas-1.JPG"] {
        let problem = problem(&with(5, twice, b"another photo"));
        assert!(problem.contains("two files named"), "{problem}");
    }
    for (place, name) in
        [(0, "mimetype2"), (1, "META-INF/manifest.xml"), (2, "x"), (3, "x.txt"), (3, "originals/x.pdf")]
    {
        let problem = problem(&with(place, name, FILES[place].1));
        assert!(problem.contains("in the place of"), "{problem}");
    }
    assert!(problem(&with(0, "mimetype", b"application/zip")).contains("its `mimetype` is not"));
    assert!(problem(&packed(&FILES[..3])).ends_with("it has no certificate"));
    assert!(problem(&packed(&[])).ends_with("it is cut off"));
}

#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    let zeros = miniz_oxide::deflate::compress_to_vec(&vec![0; 1 << 20], 9);
    let mut files = FILES;
    files[4].1 = &zeros;
    assert!(problem(&forged(&files, Forgery { method: 8, ..Forgery::default() })).contains("compressed"));
    // Sizes that only a header states take no memory.
    let huge = |name: &'static str| {
        let mut archive = packed(&FILES[..4]);
        archive.truncate(archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap());
        let common = [&[45, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0][..], &[0xff; 8], &number(name.len(), 2)].concat();
        let field = [&[1, 0, 16, 0][..], &[0xff; 7], &[0x7f], &[0xff; 7], &[0x7f]].concat();
        archive.extend([&b"PK\x03\x04"[..], &common, &number(field.len(), 2), name.as_bytes(), &field].concat());
        archive
    };
    assert!(problem(&huge("originals/ITM-1_CAS-1.mp4")).ends_with("it is cut off"));
    assert!(problem(&huge("tokens/ITM-1_CAS-1.tst")).contains("expected at most"));
    let large = [7; 1001];
    let mut files = FILES;
    files[3].1 = &large;
    assert!(problem(&packed(&files)).contains("has 1001 bytes, expected at most 1000"));
    let names: Vec<String> = (0..=MAX_FILES).map(|number| format!("originals/{number}")).collect();
    let many: Vec<(&str, &[u8])> =
        FILES[..4].iter().copied().chain(names.iter().map(|name| (name.as_str(), &b""[..]))).collect();
    assert!(problem(&packed(&many)).contains("more than 4096 files"));
}
