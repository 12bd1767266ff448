//! A certificate template: Typst files, pictures and fonts, built in or from a folder.
//!
//! Every template also gets the built-in fonts, after its own, and [`TOOLKIT_FILE`]; so a few small files make a
//! complete template.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, bail, ensure};
use typst::foundations::Bytes;

/// The file that a template starts from.
pub(super) const MAIN_FILE: &str = "main.typ";

/// The functions that the server provides to every template (`#import "/sealwright.typ": *`).
pub(super) const TOOLKIT_FILE: &str = "sealwright.typ";
pub(super) const TOOLKIT: &str = include_str!("../../../templates/toolkit/sealwright.typ");

/// The part of the toolkit that is the same for every certificate.
pub(super) const PATTERNS_FILE: &str = "sealwright-patterns.typ";
pub(super) const PATTERNS: &str = include_str!("../../../templates/toolkit/patterns.typ");

/// The folder of a designer's own sample cases; a certificate does not need them.
pub const SAMPLES_FOLDER: &str = "samples";

/// Names of the server's own files for each certificate. They would hide a template's file of the same name.
const RESERVED: [&str; 6] =
    [TOOLKIT_FILE, PATTERNS_FILE, "certificate.json", "share.svg", "certificate-entry.typ", "seal-manifest.json"];
const RESERVED_FOLDER: &str = "evidence/";

/// Far above what a template needs. Typst keeps every path it ever saw, and can keep 65,535 of them.
pub(super) const MAX_FILES: usize = 500;
const MAX_FILE_SIZE: u64 = 32 << 20;
/// All files together. A template is kept in memory and sent to the rendering process.
pub(super) const MAX_SIZE: u64 = 128 << 20;
const MAX_DEPTH: usize = 16;

/// The files of a template; nothing is compiled yet.
#[derive(Clone)]
pub struct Template {
    /// Path inside the template, with `/` between folders and none in front, and content.
    pub(super) files: Vec<(String, Bytes)>,
    /// The content of each font file of its own. The built-in ones follow them.
    pub(super) fonts: Vec<Bytes>,
}

/// Identifies a state of a template's folder without reading its files: path, size and modification time of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Vec<(PathBuf, u64, Option<SystemTime>)>);

impl Template {
    /// The template that is part of the program.
    pub fn built_in() -> Self {
        Self { files: embedded(BUILT_IN_FILES), fonts: Vec::new() }
    }

    /// Reads a template from `folder`: every file in it and its folders except [`SAMPLES_FOLDER`]; `.ttf`, `.otf` and
    /// `.ttc` files are its fonts. Hidden files are skipped, symbolic links are refused.
    ///
    /// # Errors
    /// Names the file that is too large, one too many, not a regular file or named like one of the server's own.
    pub fn from_dir(folder: &Path) -> anyhow::Result<Self> {
        let mut template = Self { files: Vec::new(), fonts: Vec::new() };
        let read = walk(folder).and_then(|found| {
            for TemplateFile { path, file, .. } in found {
                template.read_file(&file, path)?;
            }
            ensure!(template.files.iter().any(|(path, _)| path == MAIN_FILE), "there is no {MAIN_FILE} in it");
            Ok(())
        });
        read.with_context(|| format!("certificate template {}", folder.display()))?;
        Ok(template)
    }

    /// Reads a template that may be changing: the result is one consistent state of the folder.
    pub fn snapshot(folder: &Path) -> anyhow::Result<(Self, Stamp)> {
        const TRIES: usize = 5;
        for _ in 0..TRIES {
            let before = Stamp::of(folder)?;
            let template = Self::from_dir(folder)?;
            if Stamp::of(folder)? == before {
                return Ok((template, before));
            }
        }
        bail!("certificate template {} changes faster than it can be read", folder.display())
    }

    fn read_file(&mut self, file: &Path, path: String) -> anyhow::Result<()> {
        let content = Bytes::new(fs::read(file).with_context(|| path.clone())?);
        if is_font(&path) {
            self.fonts.push(content);
        } else {
            self.files.push((path, content));
        }
        Ok(())
    }
}

impl Stamp {
    /// The state of `folder` now.
    pub fn of(folder: &Path) -> anyhow::Result<Self> {
        let found = walk(folder).with_context(|| format!("certificate template {}", folder.display()))?;
        Ok(Self(found.into_iter().map(|found| (found.file, found.size, found.changed)).collect()))
    }
}

/// A file of a template's folder.
pub(super) struct TemplateFile {
    /// Inside the template.
    pub(super) path: String,
    pub(super) file: PathBuf,
    size: u64,
    changed: Option<SystemTime>,
}

/// The files of a template's folder, sorted, because the order of the fonts decides which one is tried first.
pub(super) fn walk(folder: &Path) -> anyhow::Result<Vec<TemplateFile>> {
    ensure!(folder.is_dir(), "there is no such folder");
    let mut found = Vec::new();
    walk_folder(folder, "", 0, &mut found)?;
    let size: u64 = found.iter().map(|file| file.size).sum();
    ensure!(size <= MAX_SIZE, "its files have {size} bytes together, more than {MAX_SIZE}");
    Ok(found)
}

fn walk_folder(folder: &Path, prefix: &str, depth: usize, found: &mut Vec<TemplateFile>) -> anyhow::Result<()> {
    ensure!(depth <= MAX_DEPTH, "{prefix} is more than {MAX_DEPTH} folders deep");
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { bail!("{}: its name is not UTF-8", entry.path().display()) };
        let path = format!("{prefix}{name}");
        if name.starts_with('.') || name.ends_with('~') || path == SAMPLES_FOLDER {
            continue;
        }
        // Of the link itself, not of its target.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk_folder(&entry.path(), &format!("{path}/"), depth + 1, found)?;
            continue;
        }
        ensure!(!kind.is_symlink(), "{path} is a symbolic link; put a copy of the file in its place");
        ensure!(kind.is_file(), "{path} is not a regular file");
        ensure!(
            !RESERVED.contains(&path.as_str()) && !path.starts_with(RESERVED_FOLDER),
            "{path}: the server provides a file of this name itself; choose another"
        );
        ensure!(found.len() < MAX_FILES, "more than {MAX_FILES} files");
        let metadata = entry.metadata()?;
        ensure!(metadata.len() <= MAX_FILE_SIZE, "{path} is larger than {MAX_FILE_SIZE} bytes");
        found.push(TemplateFile { path, file: entry.path(), size: metadata.len(), changed: metadata.modified().ok() });
    }
    Ok(())
}

fn is_font(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|extension| ["ttf", "otf", "ttc"].iter().any(|font| extension.eq_ignore_ascii_case(font)))
}

pub(super) type Embedded = &'static [(&'static str, &'static [u8])];

fn embedded(files: Embedded) -> Vec<(String, Bytes)> {
    files.iter().map(|(path, content)| ((*path).to_owned(), Bytes::new(*content))).collect()
}

/// The fonts that are part of the program.
pub(super) fn built_in_fonts() -> impl Iterator<Item = Bytes> {
    BUILT_IN_FONTS.iter().map(|(_, content)| Bytes::new(*content))
}

/// A template that comes with the program, as a starting point for one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// For example `gallery`.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// Path inside the template, and content.
    pub files: Embedded,
}

impl Theme {
    pub const ALL: [Self; 3] = [
        Self {
            name: "default",
            about: "the built-in certificate: calm, for every kind of case",
            files: BUILT_IN_FILES,
        },
        Self {
            name: "notary",
            about: "sober and legal: black on white, numbered, in a book face",
            files: NOTARY_FILES,
        },
        Self {
            name: "gallery",
            about: "modern and led by its photos: large pictures, dark cover",
            files: GALLERY_FILES,
        },
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name == name)
    }

    /// As it would be read from a folder.
    pub fn template(self) -> Template {
        let (fonts, files): (Vec<_>, Vec<_>) = embedded(self.files).into_iter().partition(|(path, _)| is_font(path));
        Template { files, fonts: fonts.into_iter().map(|(_, content)| content).collect() }
    }
}

/// Compiles files of a folder of `templates/` in.
macro_rules! embed {
    ($folder:literal: $($path:literal),+ $(,)?) => {
        &[$(($path, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../templates/", $folder, "/", $path)))),+]
    };
}

const BUILT_IN_FILES: Embedded = embed!["certificate":
    "main.typ", "theme.typ", "words.typ", "page.typ", "cover.typ", "contents.typ", "items.typ", "plan.typ", "captures.typ", "seal.typ",
    "parts.typ"];

const NOTARY_FILES: Embedded = embed!["themes/notary":
    "main.typ", "theme.typ", "words.typ", "page.typ", "cover.typ", "exhibits.typ", "seal.typ",
    "fonts/EBGaramond12-Regular.otf", "fonts/EBGaramond12-Italic.otf", "fonts/LICENSE-OFL-1.1.txt"];

const GALLERY_FILES: Embedded = embed!["themes/gallery":
    "main.typ", "theme.typ", "words.typ", "page.typ", "cover.typ", "pictures.typ", "records.typ", "seal.typ",
    "fonts/Inter-Regular.otf", "fonts/Inter-SemiBold.otf", "fonts/InterDisplay-SemiBold.otf", "fonts/LICENSE-OFL-1.1.txt"];

const BUILT_IN_FONTS: Embedded = embed!["certificate":
    "fonts/NotoSans-Regular.ttf",
    "fonts/NotoSans-Bold.ttf",
    "fonts/NotoSerif-Regular.ttf",
    "fonts/NotoSerif-Bold.ttf",
    "fonts/NotoSansMono-Regular.ttf",
    "fonts/NotoSansArabic-Regular.ttf",
    "fonts/NotoSansArabic-Bold.ttf",
    "fonts/NotoSansHebrew-Regular.ttf",
    "fonts/NotoSansHebrew-Bold.ttf",
    "fonts/NotoSansArmenian-Regular.ttf",
    "fonts/NotoSansDevanagari-Regular.ttf",
    "fonts/NotoSansBengali-Regular.ttf",
    "fonts/NotoSansEthiopic-Regular.ttf",
    "fonts/NotoSansGeorgian-Regular.ttf",
    "fonts/NotoSansGujarati-Regular.ttf",
    "fonts/NotoSansGurmukhi-Regular.ttf",
    "fonts/NotoSansKannada-Regular.ttf",
    "fonts/NotoSansKhmer-Regular.ttf",
    "fonts/NotoSansLao-Regular.ttf",
    "fonts/NotoSansMalayalam-Regular.ttf",
    "fonts/NotoSansMyanmar-Regular.ttf",
    "fonts/NotoSansSinhala-Regular.ttf",
    "fonts/NotoSansTamil-Regular.ttf",
    "fonts/NotoSansTelugu-Regular.ttf",
    "fonts/NotoSansThai-Regular.ttf",
    "fonts/NotoEmoji-Regular.ttf",
    "fonts/NotoSansSymbols-Regular.ttf",
    "fonts/NotoSansSymbols2-Regular.ttf",
    "fonts/NotoSansMath-Regular.ttf",
    "fonts/DroidSansFallbackFull.ttf",
    "fonts/NanumSquareR.ttf",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn templates() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates")
    }

    fn files_below(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
            if path.is_dir() {
                files_below(&path, &format!("{name}/"), found);
            } else {
                found.insert(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_themes_folders_is_built_in() {
        let listed = |files: &[Embedded]| -> BTreeSet<String> {
            files.iter().copied().flatten().map(|(path, _)| (*path).to_owned()).collect()
        };
        for (folder, embedded) in [
            ("certificate", &[BUILT_IN_FILES, BUILT_IN_FONTS][..]),
            ("themes/notary", &[NOTARY_FILES]),
            ("themes/gallery", &[GALLERY_FILES]),
        ] {
            let mut found = BTreeSet::new();
            files_below(&templates().join(folder), "", &mut found);
            // Licences and sources of the built-in fonts are for readers of the repository.
            found.retain(|path| {
                folder != "certificate"
                    || is_font(path)
                    || Path::new(path).extension().is_some_and(|extension| extension == "typ")
            });
            assert_eq!(listed(embedded), found, "{folder}");
        }
    }

    #[test]
    fn a_folder_with_a_main_file_is_a_template() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |folder: &Path| format!("{:#}", Template::from_dir(folder).err().unwrap());
        assert!(refused(folder.path()).contains("no main.typ"));
        fs::write(folder.path().join("main.typ"), "text").unwrap();
        fs::create_dir(folder.path().join("samples")).unwrap();
        fs::write(folder.path().join("samples/own.json"), "{}").unwrap();
        fs::write(folder.path().join(".main.typ.swp"), "half").unwrap();
        let template = Template::from_dir(folder.path()).unwrap();
        assert_eq!(template.files.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["main.typ"]);
    }

    #[test]
    fn links_and_the_servers_own_names_are_refused() {
        for name in ["sealwright.typ", "sealwright-patterns.typ", "certificate.json", "evidence/0.jpg"] {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("evidence")).unwrap();
            fs::write(folder.path().join("main.typ"), "text").unwrap();
            fs::write(folder.path().join(name), "text").unwrap();
            let refused = format!("{:#}", Template::from_dir(folder.path()).err().unwrap());
            assert!(refused.contains(name) && refused.contains("choose another"), "{refused}");
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("main.typ"), "text").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("words.typ")).unwrap();
        let refused = format!("{:#}", Template::from_dir(folder.path()).err().unwrap());
        assert!(refused.contains("words.typ is a symbolic link"), "{refused}");
    }

    #[test]
    fn a_change_of_the_folder_changes_its_stamp() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("main.typ"), "text").unwrap();
        let (_, stamp) = Template::snapshot(folder.path()).unwrap();
        assert_eq!(Stamp::of(folder.path()).unwrap(), stamp);
        fs::write(folder.path().join("main.typ"), "another").unwrap();
        assert_ne!(Stamp::of(folder.path()).unwrap(), stamp);
    }
}
