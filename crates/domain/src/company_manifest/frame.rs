//! The `[[frame]]` tables with their steps and the steps' analysis.

use std::collections::BTreeMap;

use sealwright_base::toml_reader::{Field, Table, nearest};
use strum::VariantArray as _;

use super::{
    Frame, Step, text,
    unique::{Identifiers, Lines},
};
use crate::{
    document,
    id::{FrameId, NUMBER_EXPECTED, StepId},
    step::{CrossCheck, ExtractedField, StepAction, StepAnalysis},
};

/// Whether plugins that are not built in add words, which cannot be checked here.
#[derive(Clone, Copy, Default)]
pub(super) struct PluginWords {
    pub(super) document_types: bool,
    pub(super) field_codes: bool,
}

pub(super) fn read(table: &mut Table<'_>, identifiers: &mut Identifiers, plugin_words: PluginWords) -> Option<Frame> {
    let id = table.required("id", NUMBER_EXPECTED).and_then(|field| {
        let id = field.number(NUMBER_EXPECTED, FrameId::new)?;
        identifiers.frames.claim(id, &field);
        Some(id)
    });
    let name = text::required_name(table, "name");
    let shared_with_children = text::flag(table, "shared_with_children", false);
    let quick_field = table.optional("quick");
    let quick = quick_field.as_ref().is_some_and(|field| field.boolean() == Some(true));
    let mut neighbours = Neighbours { plugin_words, ..Neighbours::default() };
    let steps = table.tables("step", |table| read_step(table, &mut neighbours));
    neighbours.check_references();
    if let Some(field) = quick_field.filter(|_| quick) {
        check_quick(&field, &steps);
    }
    Some(Frame { id: id?, name: name?, shared_with_children, quick, steps, line: table.line() })
}

/// One photo must be enough to close a case on the frame.
fn check_quick(field: &Field<'_>, steps: &[Step]) {
    let mandatory: Vec<&Step> = steps.iter().filter(|step| step.mandatory).collect();
    if !matches!(mandatory[..], [Step { action: StepAction::Photography, .. }]) {
        field.error::<()>(
            "only a frame whose only mandatory step is a PHOTOGRAPHY step can be quick: one photo must be enough to \
             close the case",
        );
    }
}

/// The steps of one frame as cross-checks see them. A step may be named before its definition in the file, so
/// references are checked when all steps are known.
#[derive(Default)]
struct Neighbours<'a> {
    lines: Lines<StepId>,
    /// Every step with an identifier, those with errors elsewhere included.
    actions: BTreeMap<StepId, Option<StepAction>>,
    references: Vec<(StepId, Field<'a>)>,
    plugin_words: PluginWords,
}

impl Neighbours<'_> {
    fn check_references(&self) {
        for (step, field) in &self.references {
            match self.actions.get(step) {
                None => {
                    field.wrong::<()>("the identifier of a step of the same frame");
                }
                Some(Some(action)) if action.carries_file() => {
                    field.error::<()>(format!("step {step} is a {action}, expected a step whose value is entered"));
                }
                Some(_) => {}
            }
        }
    }
}

fn read_step<'a>(table: &mut Table<'a>, neighbours: &mut Neighbours<'a>) -> Option<Step> {
    let id = table.required("id", NUMBER_EXPECTED).and_then(|field| {
        let id = field.number(NUMBER_EXPECTED, StepId::new)?;
        neighbours.lines.claim(id, &field);
        Some(id)
    });
    let title = text::required_name(table, "title");
    let description = table.optional("description").and_then(|field| text::prose(&field)).unwrap_or_default();
    let action = table.required("action", "the type of the step").and_then(|field| {
        field.word("a type of step", StepAction::VARIANTS.iter().map(StepAction::into_str), |word| word.parse().ok())
    });
    if let Some(id) = id {
        neighbours.actions.insert(id, action);
    }
    let mandatory = text::flag(table, "mandatory", false);
    let options = read_options(table, action);
    let analysis = read_step_analysis(table, action, neighbours);
    Some(Step {
        id: id?,
        title: title?,
        description,
        action: action?,
        mandatory,
        options,
        analysis,
        line: table.line(),
    })
}

fn read_options(table: &mut Table<'_>, action: Option<StepAction>) -> Vec<String> {
    const EXPECTED: &str = "an array of at least one text to choose from";
    let Some(field) = table.optional("options") else {
        if action == Some(StepAction::Select) {
            table.missing("options", EXPECTED);
        }
        return Vec::new();
    };
    if let Some(action) = action.filter(|action| *action != StepAction::Select) {
        field.error::<()>(format!("only a SELECT step has options, this one is a {action}"));
        return Vec::new();
    }
    let elements = field.array(EXPECTED).unwrap_or_default();
    let mut options: Vec<String> = Vec::new();
    for element in &elements {
        let Some(option) = text::name(element) else { continue };
        if options.contains(&option) {
            element.wrong::<()>("each option once");
        }
        options.push(option);
    }
    if elements.is_empty() && action == Some(StepAction::Select) {
        field.wrong::<()>(EXPECTED);
    }
    options
}

fn read_step_analysis<'a>(
    table: &mut Table<'a>,
    action: Option<StepAction>,
    neighbours: &mut Neighbours<'a>,
) -> Option<StepAnalysis> {
    let field = table.optional("analysis")?;
    if let Some(action) = action.filter(|action| *action != StepAction::DocumentUpload) {
        return field.error(format!("only a DOCUMENT_UPLOAD step is analysed, this one is a {action}"));
    }
    field.table(|table| {
        let plugin_words = neighbours.plugin_words;
        let types = table.optional("document_types").map(|field| read_types(&field, plugin_words));
        let document_types = types.unwrap_or_default();
        let other_document = text::flag(table, "other_document", false);
        let timestamp_field = table.optional("timestamp_and_signature");
        let timestamp = timestamp_field.as_ref().map_or(Some(true), Field::boolean);
        let delete_after_analysis = text::flag(table, "delete_after_analysis", false);
        if let Some(field) = timestamp_field.filter(|_| delete_after_analysis && timestamp == Some(true)) {
            field.warn("has no effect: `delete_after_analysis` cancels the time stamp and the signature");
        }
        let cross_check = table.tables("cross_check", |table| read_cross_check(table, neighbours));
        let extract = table.tables("extract", |table| read_extracted_field(table, plugin_words));
        if document_types.is_empty() && !other_document {
            table.error(
                "accepts no document: expected `document_types` with at least one type, or `other_document = true`",
            );
        }
        Some(StepAnalysis {
            document_types,
            other_document,
            timestamp_and_signature: timestamp? && !delete_after_analysis,
            delete_after_analysis,
            cross_check,
            extract,
        })
    })
}

fn read_types(field: &Field<'_>, plugin_words: PluginWords) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    for element in field.array("an array of document types, such as [\"PASSPORT\"]").unwrap_or_default() {
        let Some(name) = text::name(&element) else { continue };
        if types.contains(&name) {
            element.wrong::<()>("each document type once");
        }
        if !plugin_words.document_types {
            warn_if_unknown(&element, &name, "document type", &document::TYPES);
        }
        types.push(name);
    }
    types
}

fn read_cross_check<'a>(table: &mut Table<'a>, neighbours: &mut Neighbours<'a>) -> Option<CrossCheck> {
    let field = read_field_code(table, "field", neighbours.plugin_words);
    let label = text::required_name(table, "label");
    let step = table.required("step", NUMBER_EXPECTED).and_then(|field| {
        let step = field.number(NUMBER_EXPECTED, StepId::new)?;
        neighbours.references.push((step, field));
        Some(step)
    });
    Some(CrossCheck { field: field?, label: label?, step: step? })
}

fn read_extracted_field(table: &mut Table<'_>, plugin_words: PluginWords) -> Option<ExtractedField> {
    let key = read_field_code(table, "key", plugin_words);
    let label = text::required_name(table, "label");
    Some(ExtractedField { key: key?, label: label? })
}

fn read_field_code(table: &mut Table<'_>, key: &'static str, plugin_words: PluginWords) -> Option<String> {
    let field = table.required(key, "the code of a field, such as \"lastName\"")?;
    let code = text::name(&field)?;
    if !plugin_words.field_codes {
        warn_if_unknown(&field, &code, "field code", &document::FIELD_CODES);
    }
    Some(code)
}

/// A word that only a plugin can know is not an error, but it may be a typo.
fn warn_if_unknown(field: &Field<'_>, word: &str, what: &str, known: &[&'static str]) {
    if !known.contains(&word) {
        let nearest = nearest(word, known.iter().copied()).unwrap_or_default();
        field.warn(format!(
            "{word:?} is not a built-in {what}: did you mean `{nearest}`? If not, a plugin must know {word:?}"
        ));
    }
}
