//! Sample cases, which together show everything that a certificate may have to show.

use std::{fs, path::Path};

use bytes::Bytes;

use super::{
    data::{CertificateData, ItemContent},
    finding::Finding,
};

/// A case to try a template with.
#[derive(Clone, Debug)]
pub struct Sample {
    /// For example `complete`.
    pub name: String,
    pub data: CertificateData,
    /// In the order that [`ItemContent::Picture`] counts them.
    pub photos: Vec<Bytes>,
}

impl Sample {
    /// The sample that has a bit of everything.
    pub const COMPLETE: &str = "complete";

    /// The samples that come with the program.
    ///
    /// # Panics
    /// If a sample is broken, which a test detects.
    pub fn built_in() -> Vec<Self> {
        BUILT_IN
            .iter()
            .map(|(name, json)| Self::read(name, json).expect("a test reads every sample that is built in"))
            .collect()
    }

    /// A designer's own samples: every `.json` file of `folder`, sorted by name; none if the folder does not exist. A
    /// file that does not follow the data contract becomes a finding.
    pub fn from_dir(folder: &Path) -> (Vec<Self>, Vec<Finding>) {
        let mut files: Vec<_> = fs::read_dir(folder)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        files.retain(|file: &std::path::PathBuf| file.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        let (mut samples, mut findings) = (Vec::new(), Vec::new());
        for file in files {
            let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let read = fs::read_to_string(&file)
                .map_err(|error| error.to_string())
                .and_then(|json| Self::read(&name, &json).map_err(|error| error.to_string()));
            match read {
                Ok(sample) => samples.push(sample),
                Err(problem) => findings.push(
                    Finding::error(format!("samples/{name}.json does not follow the data contract: {problem}"))
                        .with_hint("the fields are listed in docs/template-designer.md"),
                ),
            }
        }
        (samples, findings)
    }

    /// A sample from its JSON, which has the fields of [`CertificateData`]. Its photos are the built-in ones in turn.
    fn read(name: &str, json: &str) -> serde_json::Result<Self> {
        let data: CertificateData = serde_json::from_str(json)?;
        let last = data.steps.iter().flat_map(|step| &step.items).filter_map(|item| match &item.content {
            ItemContent::Picture { photo, .. } => *photo,
            ItemContent::Document { shown: Some(shown), .. } => shown.pages.iter().copied().max(),
            _ => None,
        });
        let last = last.chain(data.logo);
        let count = last.max().map_or(0, |last| last + 1);
        let photos = PHOTOS.iter().cycle().take(count).map(|photo| Bytes::from_static(photo)).collect();
        Ok(Self { name: name.to_owned(), data, photos })
    }
}

/// Compiles a sample of `templates/samples/` in.
macro_rules! samples {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../templates/samples/", $name, ".json")))),+]
    };
}

const BUILT_IN: &[(&str, &str)] = samples![
    "complete",
    "development",
    "documents",
    "french",
    "german",
    "long-texts",
    "many-photos",
    "markup",
    "no-items",
    "scripts",
    "spanish",
    "time-pending",
];

/// A house, an upright picture, a detail, and a signature.
const PHOTOS: [&[u8]; 4] = [
    include_bytes!("../../../templates/samples/photos/0-house.jpg"),
    include_bytes!("../../../templates/samples/photos/1-upright.jpg"),
    include_bytes!("../../../templates/samples/photos/2-detail.jpg"),
    include_bytes!("../../../templates/samples/photos/3-signature.png"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::VariantArray as _;

    use super::*;
    use sealwright_domain::step::StepAction;

    #[test]
    fn every_sample_of_the_folder_is_built_in_and_follows_the_contract() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/samples");
        let (read, findings) = Sample::from_dir(&folder);
        assert_eq!(findings, Vec::new());
        let names = |samples: &[Sample]| samples.iter().map(|sample| sample.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&read), names(&Sample::built_in()));
    }

    #[test]
    fn the_samples_have_only_fields_of_the_contract() {
        for (name, json) in BUILT_IN {
            let written: serde_json::Value = serde_json::from_str(json).unwrap();
            let data: CertificateData = serde_json::from_str(json).unwrap();
            assert_known(&written, &serde_json::to_value(data).unwrap(), name);
        }
    }

    #[track_caller]
    fn assert_known(written: &serde_json::Value, read: &serde_json::Value, path: &str) {
        use serde_json::Value;
        match (written, read) {
            (Value::Object(written), Value::Object(read)) => {
                for (name, value) in written {
                    let path = format!("{path}.{name}");
                    assert_known(
                        value,
                        read.get(name).unwrap_or_else(|| panic!("{path} is not in the contract")),
                        &path,
                    );
                }
            }
            (Value::Array(written), Value::Array(read)) => {
                for (number, (written, read)) in written.iter().zip(read).enumerate() {
                    assert_known(written, read, &format!("{path}[{number}]"));
                }
            }
            _ => {}
        }
    }

    #[test]
    fn together_they_show_every_kind_of_step_and_item() {
        let samples = Sample::built_in();
        let steps = || samples.iter().flat_map(|sample| &sample.data.steps);
        let actions: BTreeSet<&str> = steps().map(|step| step.action.as_str()).collect();
        for action in StepAction::VARIANTS {
            assert!(actions.contains(action.into_str()), "{action:?}");
        }
        let kinds: BTreeSet<String> = steps()
            .flat_map(|step| &step.items)
            .map(|item| serde_json::to_value(&item.content).unwrap()["kind"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["document", "entry", "no_file", "picture", "video"]);
        assert!(steps().any(|step| step.mandatory && step.items.is_empty()), "a mandatory step is missing");
        assert!(samples.iter().any(|sample| sample.data.steps.is_empty()), "no step at all");
    }

    #[test]
    fn a_sample_that_breaks_the_contract_is_reported_with_its_field() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("own.json"), r#"{"reference": 7}"#).unwrap();
        let (_, findings) = Sample::from_dir(folder.path());
        assert!(findings[0].message.contains("own.json") && findings[0].message.contains("string"), "{findings:?}");
    }
}
