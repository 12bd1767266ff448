//! For the designers of templates: creates a template and shows what it makes of a sample.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use sealwright_child_process::this_program;

pub use crate::certificate::{CertificateWorker, Finding, RenderError, Sample, Theme, worker};
use crate::{
    app::templates::examine::{SAMPLE_MOMENT, render_sample},
    certificate::{RenderedCertificate, SAMPLES_FOLDER, Stamp, Template},
};

/// The format of a preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviewForm {
    /// The certificate before its signature.
    Pdf,
    /// The first pages below each other.
    Png,
}

impl PreviewForm {
    /// Chosen by the extension of the output file.
    pub fn of(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "pdf" => Some(Self::Pdf),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

/// The preview of a template. Its process stays, so the second picture is much faster than the first.
pub struct Preview {
    folder: PathBuf,
    sample: Sample,
    form: PreviewForm,
    /// Of a PNG, the only page to show.
    page: Option<usize>,
    worker: Option<CertificateWorker>,
    stamp: Option<Stamp>,
}

impl Preview {
    /// `sample` names a built-in sample, or one of the folder's own.
    pub fn new(folder: &Path, sample: &str, form: PreviewForm) -> anyhow::Result<Self> {
        let (own, findings) = Sample::from_dir(&folder.join(SAMPLES_FOLDER));
        if let Some(broken) = findings.iter().find(|finding| finding.message.contains(&format!("/{sample}.json"))) {
            anyhow::bail!("{broken}");
        }
        let mut known = Sample::built_in();
        known.extend(own);
        let names: Vec<String> = known.iter().map(|sample| sample.name.clone()).collect();
        // The designer's own samples come last and take precedence.
        let sample = known
            .into_iter()
            .rev()
            .find(|known| known.name == sample)
            .with_context(|| format!("there is no sample {sample:?}; expected one of {}", names.join(", ")))?;
        Ok(Self::of(folder, sample, form))
    }

    /// A preview with a case's own data.
    pub fn of(folder: &Path, sample: Sample, form: PreviewForm) -> Self {
        Self { folder: folder.to_owned(), sample, form, page: None, worker: None, stamp: None }
    }

    /// The same, with one page only, by its number from 1 on. For a PNG.
    #[must_use]
    pub fn with_page(self, page: Option<usize>) -> Self {
        Self { page, ..self }
    }

    /// Whether the folder has changed since the last [`render`](Self::render).
    pub fn has_changed(&self) -> bool {
        // A folder that cannot be read right now is being changed.
        Stamp::of(&self.folder).is_ok_and(|stamp| Some(&stamp) != self.stamp.as_ref())
    }

    /// Renders the current content of the folder.
    pub fn render(&mut self) -> Result<RenderedCertificate, RenderError> {
        self.stamp = Stamp::of(&self.folder).ok();
        let (template, stamp) = Template::snapshot(&self.folder)?;
        self.stamp = Some(stamp);
        let mut worker = match self.worker.take() {
            Some(mut worker) => {
                worker.replace_template(template)?;
                worker
            }
            None => CertificateWorker::new(&this_program(), template),
        };
        let rendered = match self.form {
            PreviewForm::Pdf => render_sample(&mut worker, &self.sample),
            PreviewForm::Png => worker.picture(&self.sample.data, &self.sample.photos, SAMPLE_MOMENT, self.page),
        };
        self.worker = Some(worker);
        rendered
    }
}

/// Writes the files of a theme into a new folder.
///
/// # Errors
/// The folder exists and is not empty, or cannot be written.
pub fn create(folder: &Path, theme: Theme) -> anyhow::Result<()> {
    if let Ok(mut entries) = fs::read_dir(folder) {
        ensure!(entries.next().is_none(), "{} already exists and is not empty", folder.display());
    }
    for (path, content) in theme.files {
        let file = folder.join(path);
        let parent = file.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
        fs::write(&file, content).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_template_is_the_theme_it_is_made_from() {
        let folder = tempfile::tempdir().unwrap();
        for theme in Theme::ALL {
            let folder = folder.path().join(theme.name);
            create(&folder, theme).unwrap();
            for (path, content) in theme.files {
                assert_eq!(fs::read(folder.join(path)).unwrap(), *content);
            }
            let refused = create(&folder, theme).unwrap_err().to_string();
            assert!(refused.contains("already exists"), "{refused}");
        }
    }

    #[test]
    fn a_preview_of_an_unknown_sample_lists_the_known_ones() {
        let refused = Preview::new(Path::new("."), "nope", PreviewForm::Pdf).err().unwrap().to_string();
        assert!(refused.contains("no sample \"nope\"") && refused.contains("complete, "), "{refused}");
    }

    #[test]
    fn the_format_of_a_preview_follows_the_file_extension() {
        assert_eq!(PreviewForm::of(Path::new("a/b.PDF")), Some(PreviewForm::Pdf));
        assert_eq!(PreviewForm::of(Path::new("b.png")), Some(PreviewForm::Png));
        assert_eq!(PreviewForm::of(Path::new("b.jpg")), None);
    }
}
