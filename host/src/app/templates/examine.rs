//! Checks a template before it is used: every sample case must become a complete certificate with it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bytes::Bytes;
use sealwright_child_process::this_program;
use serde::Serialize;

use super::Templates;
use crate::{
    certificate::{
        Attachment, CertificateWorker, Finding, RenderError, RenderedCertificate, SAMPLES_FOLDER, Sample, Template,
    },
    clock::Timestamp,
    store::company::Company,
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
pub(in crate::app) const SAMPLE_MOMENT: Timestamp = Timestamp::from_millis(1_795_168_800_000);

/// The certificate of the sample that has a bit of everything, with the template of a name and no other. Takes a second
/// or more; call it on a blocking thread.
pub(in crate::app) fn sample(templates: &Templates, company: Company, mark: Option<Bytes>) -> anyhow::Result<Vec<u8>> {
    let template = match templates.find(&company.certificate_template)? {
        Some(folder) => Template::snapshot(&folder)?.0,
        None => Template::built_in(),
    };
    let complete = Sample::built_in().into_iter().find(|sample| sample.name == Sample::COMPLETE);
    let mut complete = complete.context("the complete sample is built in")?;
    complete.data.language = company.language;
    complete.data.time_zone = company.time_zone;
    if let Some(mark) = mark {
        complete.data.logo = Some(complete.photos.len());
        complete.photos.push(mark);
    }
    Ok(render_sample(&mut CertificateWorker::new(&this_program(), template), &complete)?.pdf)
}

pub(in crate::app) fn render_sample(
    worker: &mut CertificateWorker,
    sample: &Sample,
) -> Result<RenderedCertificate, RenderError> {
    let attachments = [Attachment::seal_manifest(SAMPLE_MANIFEST.to_vec())];
    worker.render(&sample.data, &sample.photos, &attachments, SAMPLE_MOMENT)
}
