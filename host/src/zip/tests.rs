//! Tests with independent readers: Python's zipfile, Info-ZIP and libarchive, the last one also from a stream, where it
//! cannot read the directory first.

use std::{
    fs::{self, File},
    io::{ErrorKind, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse::<jiff::Timestamp>().unwrap().into()
}

fn file(name: &str, bytes: &[u8]) -> ZipFile {
    ZipFile {
        name: name.to_owned(),
        size: bytes.len() as u64,
        crc32: crc32fast::hash(bytes),
        modified: at("2026-11-20T10:00:02Z"),
    }
}

fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut writer, mut bytes) = (ZipWriter::default(), Vec::new());
    for (name, content) in files {
        bytes.extend(writer.begin(&file(name, content)));
        bytes.extend(content);
    }
    writer.finish().for_each(|piece| bytes.extend(piece));
    bytes
}

/// The output of a program, or none if it is not installed.
fn run(program: &str, arguments: &[&str], input: Option<&Path>) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments);
    if let Some(input) = input {
        command.stdin(File::open(input).unwrap());
    }
    match command.output() {
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{command:?}: {errors}");
            Some(String::from_utf8(output.stdout).unwrap())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("SKIPPED: {program} is not installed (Debian: unzip, libarchive-tools, python3)");
            None
        }
        Err(error) => panic!("{command:?}: {error}"),
    }
}

/// The names listed by each installed reader.
fn names_by_all(archive: &Path) -> Vec<Vec<String>> {
    let path = archive.to_str().unwrap();
    let python = "import sys, zipfile\nprint('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))";
    let output = [
        run("python3", &["-c", python, path], None),
        run("unzip", &["-Z1", path], None),
        run("bsdtar", &["-tf", path], None),
        run("bsdtar", &["-tf", "-"], Some(archive)),
    ];
    output.into_iter().flatten().map(|names| names.lines().map(str::to_owned).collect()).collect()
}

fn written(folder: &tempfile::TempDir, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join("archive.zip");
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn three_readers_extract_every_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<(String, Vec<u8>)> = (0_usize..40)
        .map(|number| {
            // Signatures inside a file must not look like the archive's own.
            let content = b"PK\x03\x04PK\x07\x08PK\x01\x02PK\x05\x06".iter().copied().cycle().take(number * 997);
            (format!("CAS-{number}_CMP-7.pdf"), content.collect())
        })
        .collect();
    let path = written(&folder, &archive(&files));
    let archive = path.to_str().unwrap();
    for (number, reader) in ["python3", "unzip", "bsdtar", "stream"].into_iter().enumerate() {
        let out = folder.path().join(number.to_string());
        fs::create_dir(&out).unwrap();
        let into = out.to_str().unwrap();
        let python = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nz.extractall(sys.argv[2])\n\
                      print(z.infolist()[1].date_time)";
        let output = match reader {
            "python3" => run("python3", &["-c", python, archive, into], None),
            "unzip" => run("unzip", &["-q", archive, "-d", into], None),
            "bsdtar" => run("bsdtar", &["-xf", archive, "-C", into], None),
            _ => run("bsdtar", &["-xf", "-", "-C", into], Some(&path)),
        };
        let Some(output) = output else { continue };
        if reader == "python3" {
            assert_eq!(output.trim(), "(2026, 11, 20, 10, 0, 2)");
        }
        for (name, content) in &files {
            assert_eq!(&fs::read(out.join(name)).unwrap(), content, "{reader}: {name}");
        }
        assert_eq!(fs::read_dir(&out).unwrap().count(), files.len(), "{reader}");
    }
}

#[test]
fn an_archive_without_files_is_valid() {
    let bytes = archive(&[]);
    assert_eq!(bytes, b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder, &bytes);
    let python = "import sys, zipfile\nprint(len(zipfile.ZipFile(sys.argv[1]).namelist()))";
    if let Some(count) = run("python3", &["-c", python, path.to_str().unwrap()], None) {
        assert_eq!(count.trim(), "0");
    }
    run("bsdtar", &["-tf", path.to_str().unwrap()], None);
}

#[test]
fn more_files_than_16_bits_count_are_all_found() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<(String, Vec<u8>)> =
        (0..70_000).map(|number| (format!("CAS-{number}_CMP-7.pdf"), b"x".to_vec())).collect();
    let path = written(&folder, &archive(&files));
    for names in names_by_all(&path) {
        assert_eq!(names.len(), files.len());
        assert!(names.iter().zip(&files).all(|(name, (expected, _))| name == expected));
    }
}

#[test]
fn files_and_offsets_beyond_32_bits_are_read() {
    // Its bytes are a hole in the file and are not read here.
    let large =
        ZipFile { name: "large.pdf".to_owned(), size: LARGE + 1000, crc32: 0, modified: at("2026-11-20T10:00:00Z") };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archive.zip");
    let mut out = File::create(&path).unwrap();
    let mut writer = ZipWriter::default();
    out.write_all(&writer.begin(&large)).unwrap();
    out.seek(SeekFrom::Current(i64::try_from(large.size).unwrap())).unwrap();
    for number in 0..3_u8 {
        out.write_all(&writer.begin(&file(&format!("{number}.pdf"), &[number; 5]))).unwrap();
        out.write_all(&[number; 5]).unwrap();
    }
    writer.finish().for_each(|piece| out.write_all(&piece).unwrap());
    drop(out);
    let archive = path.to_str().unwrap();
    let python = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint([i.file_size for i in z.infolist()], z.read('2.pdf'))";
    if let Some(output) = run("python3", &["-c", python, archive], None) {
        assert_eq!(output.trim(), format!("[{}, 5, 5, 5] {}", LARGE + 1000, r"b'\x02\x02\x02\x02\x02'"));
    }
    for reader in [("unzip", ["-p", archive, "2.pdf"]), ("bsdtar", ["-xOf", archive, "2.pdf"])] {
        if let Some(output) = run(reader.0, &reader.1, None) {
            assert_eq!(output.as_bytes(), [2; 5], "{reader:?}");
        }
    }
}

#[test]
fn times_are_packed_in_the_ms_dos_format() {
    let unpacked = |moment: &str| {
        let (date, time) = dos_time(at(moment));
        let (month, minute) = ((date >> 5) & 0xf, (time >> 5) & 0x3f);
        [1980 + (date >> 9), month, date & 0x1f, time >> 11, minute, (time & 0x1f) * 2]
    };
    assert_eq!(unpacked("1980-01-01T00:00:00Z"), [1980, 1, 1, 0, 0, 0]);
    assert_eq!(unpacked("2026-11-20T23:59:59.999Z"), [2026, 11, 20, 23, 59, 58]);
    // Years outside the format's range are clamped.
    assert_eq!(unpacked("1970-01-01T00:00:00Z")[0], 1980);
    assert_eq!(unpacked("2300-01-01T00:00:00Z")[0], 2107);
}
