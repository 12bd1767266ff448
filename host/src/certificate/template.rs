//! A certificate template: Typst files, pictures and fonts, built in or from a folder.

use std::{fs, path::Path};

use anyhow::{Context, bail, ensure};
use typst::foundations::Bytes;

/// The file that a template starts from.
pub(super) const MAIN_FILE: &str = "main.typ";

/// Far above what a template needs. Typst keeps every path it ever saw, and can keep 65,535 of them.
const MAX_FILES: usize = 500;
const MAX_FILE_SIZE: u64 = 64 << 20;

/// The files of a template; nothing is compiled yet.
pub struct Template {
    /// Path inside the template, with `/` between folders and none in front, and content.
    pub(super) files: Vec<(String, Bytes)>,
    /// The content of each font file.
    pub(super) fonts: Vec<Bytes>,
}

impl Template {
    /// The template that is part of the program.
    pub fn built_in() -> Self {
        Self {
            files: BUILT_IN_FILES.iter().map(|(path, content)| ((*path).to_owned(), Bytes::new(*content))).collect(),
            fonts: BUILT_IN_FONTS.iter().map(|(_, content)| Bytes::new(*content)).collect(),
        }
    }

    /// Reads a template from `folder`: every file in it and its folders; `.ttf`, `.otf` and `.ttc` files are its fonts.
    /// Hidden files and symbolic links are passed over.
    pub fn from_dir(folder: &Path) -> anyhow::Result<Self> {
        let mut template = Self { files: Vec::new(), fonts: Vec::new() };
        template.read_folder(folder, "").with_context(|| format!("certificate template {}", folder.display()))?;
        ensure!(
            template.files.iter().any(|(path, _)| path == MAIN_FILE),
            "certificate template {} has no {MAIN_FILE}",
            folder.display()
        );
        ensure!(!template.fonts.is_empty(), "certificate template {} has no fonts", folder.display());
        Ok(template)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> anyhow::Result<()> {
        // Sorted, because the order of the fonts decides which one is tried first.
        let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { bail!("{}: its name is not UTF-8", entry.path().display()) };
            let kind = entry.file_type()?;
            let path = format!("{prefix}{name}");
            if name.starts_with('.') || kind.is_symlink() {
                continue;
            }
            if kind.is_dir() {
                self.read_folder(&entry.path(), &format!("{path}/"))?;
            } else {
                self.read_file(&entry.path(), path)?;
            }
        }
        Ok(())
    }

    fn read_file(&mut self, file: &Path, path: String) -> anyhow::Result<()> {
        ensure!(self.files.len() + self.fonts.len() < MAX_FILES, "more than {MAX_FILES} files");
        ensure!(fs::metadata(file)?.len() <= MAX_FILE_SIZE, "{path} is larger than {MAX_FILE_SIZE} bytes");
        let content = Bytes::new(fs::read(file).with_context(|| path.clone())?);
        let is_font = file
            .extension()
            .is_some_and(|extension| ["ttf", "otf", "ttc"].iter().any(|font| extension.eq_ignore_ascii_case(font)));
        if is_font {
            self.fonts.push(content);
        } else {
            self.files.push((path, content));
        }
        Ok(())
    }
}

/// Compiles files of `templates/certificate/` in.
macro_rules! embed {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../templates/certificate/", $path)))),+]
    };
}

const BUILT_IN_FILES: &[(&str, &[u8])] =
    embed!["main.typ", "theme.typ", "page.typ", "text.typ", "cover.typ", "items.typ", "seal.typ"];

const BUILT_IN_FONTS: &[(&str, &[u8])] = embed![
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

    fn folder() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates/certificate")
    }

    #[test]
    fn every_file_of_the_folder_that_a_rendering_needs_is_built_in() {
        let listed: BTreeSet<String> =
            BUILT_IN_FILES.iter().chain(BUILT_IN_FONTS).map(|(path, _)| (*path).to_owned()).collect();
        let mut found = BTreeSet::new();
        for (subfolder, extension) in [("", "typ"), ("fonts/", "ttf")] {
            for entry in fs::read_dir(folder().join(subfolder)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|found| found == extension) {
                    found.insert(format!("{subfolder}{}", path.file_name().unwrap().to_str().unwrap()));
                }
            }
        }
        assert_eq!(listed, found);
    }

    #[test]
    fn a_template_is_read_from_a_folder_with_its_fonts() {
        let template = Template::from_dir(&folder()).unwrap();
        assert_eq!(template.fonts.len(), BUILT_IN_FONTS.len());
        assert!(template.files.iter().any(|(path, _)| path == "main.typ"));
    }

    #[test]
    fn a_folder_without_a_main_file_or_fonts_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Template::from_dir(folder.path()).err().unwrap().to_string().contains("main.typ"));
        fs::write(folder.path().join("main.typ"), "text").unwrap();
        assert!(Template::from_dir(folder.path()).err().unwrap().to_string().contains("fonts"));
    }
}
