//! A folder of packages (`packages.json`, described in `docs/judging.md`): the documents and entries of one case, judged by
//! the signal `consistency`.

use std::{fmt::Write as _, fs, path::Path, sync::Arc};

use anyhow::Context as _;
use cross_check::FieldCrossCheck;
use document_types::DocumentTypes;
use sealwright_plugin_sdk::{
    cross_check::StatementReader as _,
    document_type::Detector as _,
    facts::{DocumentOutcome, Evidence, Item},
    findings::State,
    signal::Assessor as _,
};
use serde::Deserialize;
use signals::Signals;

use crate::{
    CONSISTENCY_ALARM,
    paper::{document_of, noon_of},
    rate::Grid,
};

/// The packages of a folder.
#[derive(Debug, Deserialize)]
pub struct Packages {
    #[serde(default)]
    pub maker: String,
    /// The day of the cases, `yyyy-mm-dd`; today if it is missing.
    pub reference_date: Option<String>,
    pub packages: Vec<Package>,
}

/// What is true of a package.
#[derive(Clone, Debug, Deserialize)]
pub struct Package {
    pub id: String,
    pub class: Class,
    /// Which contradiction it has, or what is ordinary about it.
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub entries: Vec<Entered>,
    pub documents: Vec<PackedDocument>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    Coherent,
    Contradictory,
}

/// A value that a person entered.
#[derive(Clone, Debug, Deserialize)]
pub struct Entered {
    /// Of its step.
    pub title: String,
    /// A field code of decisions 13, if documents are compared with it.
    pub field: Option<String>,
    pub value: String,
}

/// A document of a package.
#[derive(Clone, Debug, Deserialize)]
pub struct PackedDocument {
    /// Its path in the folder.
    pub file: String,
    #[serde(rename = "type")]
    pub document_type: Option<String>,
}

/// A package, and what the signal says of it.
pub struct JudgedPackage {
    pub maker: String,
    pub package: Package,
    /// None: there was nothing to compare.
    pub score: Option<u8>,
    /// The doubts: code and text.
    pub doubts: Vec<String>,
    /// The values that each document states; for the list of wrong judgements.
    pub stated: Vec<String>,
}

impl JudgedPackage {
    pub fn alarm(&self) -> bool {
        self.score.is_some_and(|score| score < CONSISTENCY_ALARM)
    }

    pub fn is_right(&self) -> bool {
        self.alarm() == (self.package.class == Class::Contradictory)
    }

    fn kind(&self) -> &str {
        self.package.kind.as_deref().unwrap_or("unknown")
    }
}

impl Packages {
    /// The file that lists the packages of a folder.
    pub const FILE: &str = "packages.json";

    /// Reads the packages in `folder`.
    ///
    /// # Errors
    /// If `packages.json` cannot be read.
    pub fn load(folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join(Self::FILE);
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut packages: Self =
            serde_json::from_slice(&text).with_context(|| format!("{} has no packages", file.display()))?;
        if packages.maker.is_empty() {
            packages.maker = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        Ok(packages)
    }

    /// Judges a package of the folder.
    ///
    /// # Errors
    /// If a file cannot be read, or a plugin fails, which is a bug.
    pub fn judge(&self, folder: &Path, package: &Package, cache: Option<&Path>) -> anyhow::Result<JudgedPackage> {
        let bytes_of = |name: &str| {
            let file = folder.join(name);
            fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
        };
        self.judge_files(bytes_of, package, cache)
    }

    /// Judges a package whose files are `bytes_of` their names.
    fn judge_files(
        &self,
        bytes_of: impl Fn(&str) -> anyhow::Result<Vec<u8>>,
        package: &Package,
        cache: Option<&Path>,
    ) -> anyhow::Result<JudgedPackage> {
        let noon = noon_of(self.reference_date.as_deref())?;
        let received_at = noon.as_millis().max(0).cast_unsigned();
        let mut items = Vec::new();
        let mut stated = Vec::new();
        for (id, document) in (1..).zip(&package.documents) {
            let read = document_of(bytes_of(&document.file)?, cache, noon)?;
            let failed = |error| anyhow::anyhow!("{}: {error:?}", document.file);
            let detected = DocumentTypes::detect(&read, "{}").map_err(failed)?;
            let document_type = detected.first().map_or_else(String::new, |best| best.document_type.clone());
            let values = FieldCrossCheck::state(&read, &document_type, "{}")
                .map_err(|error| anyhow::anyhow!("{}: {error:?}", document.file))?;
            stated.push(format!("{} ({document_type}) as ITM-{id}", document.file));
            let shown = values.iter().filter(|value| value.kind != "words" && !value.kind.starts_with("mentioned"));
            stated.extend(
                shown.map(|value| format!("    {} {:?} {} {:?}", value.kind, value.value, value.score, value.group)),
            );
            let outcome = DocumentOutcome {
                complete: true,
                document_type,
                type_score: 100,
                cross_check_score: None,
                suspicion_score: 0,
                trust_score: 100,
            };
            let action = "DOCUMENT_UPLOAD".to_owned();
            let (document_outcome, stated) = (Some(outcome), Some(values));
            items.push(Item { id, step: id, action, received_at, document_outcome, stated, ..Item::default() });
        }
        let first = items.len() as u64 + 1;
        items.extend((first..).zip(&package.entries).map(|(id, entered)| Item {
            id,
            step: id,
            step_title: entered.title.clone(),
            action: "TEXT_FIELD".to_owned(),
            value: Some(entered.value.clone()),
            received_at,
            field_codes: entered.field.iter().cloned().collect(),
            ..Item::default()
        }));
        let items = items.into_iter().map(Arc::new).collect();
        let evidence = Evidence { opened_at: received_at, closed_at: Some(received_at), items, ..Evidence::default() };
        let signals = Signals::assess(&evidence, "{}").map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let signal = signals.into_iter().find(|signal| signal.kind == "consistency");
        let observed = signal.iter().flat_map(|signal| &signal.observations);
        let doubts = observed.filter(|seen| seen.finding.state == State::Found);
        Ok(JudgedPackage {
            maker: self.maker.clone(),
            package: package.clone(),
            score: signal.as_ref().map(|signal| signal.score),
            doubts: doubts.map(|seen| format!("{}: {}", seen.finding.code, seen.finding.text)).collect(),
            stated,
        })
    }
}

/// Makes and judges the `index`th package of the lab's set that starts with `seed`.
///
/// # Errors
/// If a paper cannot be made, or a plugin fails, which is a bug.
pub fn judge_package(seed: u64, index: u64) -> anyhow::Result<JudgedPackage> {
    let made = sealwright_lab::package(seed, index)?;
    let package = serde_json::from_value(made.label).context("the label of a package of the lab")?;
    let reference_date = Some(sealwright_lab::reference_date());
    let packages = Packages { maker: "lab".to_owned(), reference_date, packages: Vec::new() };
    let bytes_of = |name: &str| {
        let file = made.files.iter().find(|(file, _)| file == name);
        file.map(|(_, bytes)| bytes.clone()).with_context(|| format!("the package has no {name}"))
    };
    packages.judge_files(bytes_of, &package, None)
}

/// The tables of `docs/judging.md` for packages.
pub fn package_tables(packages: &[JudgedPackage]) -> String {
    let (mut makers, mut kinds, mut ordinary) = (Grid::default(), Grid::default(), Grid::default());
    for judged in packages {
        let compared = judged.score.is_some();
        if judged.package.class == Class::Contradictory {
            for row in [judged.maker.as_str(), "**all**"] {
                makers.add(row, "contradictory: found", judged.alarm());
            }
            kinds.add(judged.kind(), "found", judged.alarm());
            kinds.add(judged.kind(), "compared", compared);
        } else {
            for row in [judged.maker.as_str(), "**all**"] {
                makers.add(row, "coherent: false alarm", judged.alarm());
            }
            ordinary.add(judged.kind(), "false alarm", judged.alarm());
            ordinary.add(judged.kind(), "compared", compared);
        }
    }
    let mut text = String::new();
    let both = ["contradictory: found", "coherent: false alarm"];
    let _ = writeln!(text, "### Packages by maker\n\n{}", makers.table("maker", &both));
    let _ = writeln!(text, "### Contradictions\n\n{}", kinds.table("contradiction", &["found", "compared"]));
    let _ = writeln!(text, "### Coherent packages\n\n{}", ordinary.table("package", &["false alarm", "compared"]));
    text
}
