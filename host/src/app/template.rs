//! For the designers of templates: checks, previews and creates a template. The templates in use are in
//! [`templates`](super::templates).

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use sealwright_child_process::this_program;
use serde::Serialize;

pub use crate::certificate::{CertificateWorker, Finding, RenderError, Sample, Stamp, Template, Theme, worker};
use crate::{
    certificate::{Attachment, RenderedCertificate, SAMPLES_FOLDER},
    clock::Timestamp,
};

/// The result of checking a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Examination {
    pub template: PathBuf,
    /// Whether certificates can be made with it.
    pub usable: bool,
    /// The sample cases that were compiled.
    pub samples: Vec<ExaminedSample>,
    /// Errors first. The same thing found in several samples is listed once.
    pub findings: Vec<TemplateFinding>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExaminedSample {
    pub name: String,
    /// Absent if no document was produced.
    pub pages: Option<usize>,
}

/// A finding, and the samples that have it (none: before any was compiled).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TemplateFinding {
    pub samples: Vec<String>,
    #[serde(flatten)]
    pub finding: Finding,
}

/// Compiles every sample case with the template in `folder`: those that come with the program, and the designer's own in
/// `samples/`. Takes seconds; call it on a blocking thread.
pub fn examine(folder: &Path) -> anyhow::Result<Examination> {
    let template = match Template::snapshot(folder) {
        Ok((template, _)) => template,
        Err(error) => return Ok(Examination::failed(folder, &error)),
    };
    let mut worker = CertificateWorker::new(&this_program(), template);
    let (own, findings) = Sample::from_dir(&folder.join(SAMPLES_FOLDER));
    let mut examination =
        Examination { template: folder.to_owned(), usable: true, samples: Vec::new(), findings: Vec::new() };
    for finding in findings {
        examination.note(None, finding);
    }
    for sample in Sample::built_in().into_iter().chain(own) {
        let in_limits = examination.examine(&mut worker, &sample)?;
        if !in_limits {
            // The others would take as long, with the same result.
            break;
        }
    }
    examination.findings.sort_by_key(|found| !found.finding.is_error());
    examination.usable = examination.findings.iter().all(|found| !found.finding.is_error());
    Ok(examination)
}

impl Examination {
    fn failed(folder: &Path, error: &anyhow::Error) -> Self {
        // The folder's name is already reported.
        let message = error.chain().last().map(ToString::to_string).unwrap_or_default();
        let found = TemplateFinding { samples: Vec::new(), finding: Finding::error(message) };
        Self { template: folder.to_owned(), usable: false, samples: Vec::new(), findings: vec![found] }
    }

    /// Returns whether the sample stayed within the limits of time and memory.
    fn examine(&mut self, worker: &mut CertificateWorker, sample: &Sample) -> anyhow::Result<bool> {
        let rendered = render_sample(worker, sample);
        let in_limits = !matches!(rendered, Err(RenderError::Limit(_)));
        let pages = rendered.as_ref().ok().map(|rendered| rendered.pages);
        self.samples.push(ExaminedSample { name: sample.name.clone(), pages });
        let findings = match rendered {
            Ok(rendered) => rendered.missing.into_iter().chain(rendered.warnings).collect(),
            Err(RenderError::Template(findings) | RenderError::Export(findings)) => findings,
            Err(error @ RenderError::Limit(_)) => vec![Finding::error(error.to_string())],
            Err(error) => return Err(error.into()),
        };
        for finding in findings {
            self.note(Some(&sample.name), finding);
        }
        Ok(in_limits)
    }

    fn note(&mut self, sample: Option<&str>, finding: Finding) {
        // Messages about missing values name a sample's own values: the first one is enough.
        let same = |known: &Finding| match (&known.place, &finding.place) {
            (None, None) => known.message.split(':').next() == finding.message.split(':').next(),
            _ => known.place == finding.place && known.message == finding.message,
        };
        if let Some(found) = self.findings.iter_mut().find(|found| same(&found.finding)) {
            found.samples.extend(sample.map(str::to_owned));
            return;
        }
        let samples = sample.iter().map(|&name| name.to_owned()).collect();
        self.findings.push(TemplateFinding { samples, finding });
    }
}

/// The content of a sample's seal manifest does not matter here; it only has to be attached.
const SAMPLE_MANIFEST: &[u8] = br#"{"sample":true}"#;
/// The time of samples: 20 November 2026, 10:00 UTC.
const SAMPLE_MOMENT: Timestamp = Timestamp::from_millis(1_795_168_800_000);

fn render_sample(worker: &mut CertificateWorker, sample: &Sample) -> Result<RenderedCertificate, RenderError> {
    let attachments = [Attachment::seal_manifest(SAMPLE_MANIFEST.to_vec())];
    worker.render(&sample.data, &sample.photos, &attachments, SAMPLE_MOMENT)
}

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
        Self { folder: folder.to_owned(), sample, form, worker: None, stamp: None }
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
            PreviewForm::Png => worker.picture(&self.sample.data, &self.sample.photos, SAMPLE_MOMENT),
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
