//! A frame as its form has it: texts, before they are checked.

use crate::{
    domain::{
        company_manifest::{Frame, Step},
        id::{FrameId, StepId},
        step::{CrossCheck, ExtractedField, StepAction, StepAnalysis},
    },
    error::{Error, Result},
    http::console::form::Form,
};

/// A form of more steps is not one of ours.
const MOST_STEPS: usize = 200;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameDraft {
    /// The highest number of a step that the frame ever had: a removed step's is not used again, because items of open
    /// cases have it.
    pub(super) highest: i64,
    pub(super) name: String,
    pub(super) shared: bool,
    pub(super) quick: bool,
    pub(super) steps: Vec<StepDraft>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StepDraft {
    pub(super) number: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) action: String,
    pub(super) mandatory: bool,
    /// One on each line, as are the types, checks and extracts.
    pub(super) options: String,
    pub(super) is_analysed: bool,
    pub(super) analysis: AnalysisDraft,
}

/// The fields of a document's analysis, which count if the document is analysed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AnalysisDraft {
    pub(super) types: String,
    pub(super) other: bool,
    pub(super) unsealed: bool,
    pub(super) deleted: bool,
    /// `field | label | step`
    pub(super) checks: String,
    /// `field | label`
    pub(super) extracts: String,
}

impl FrameDraft {
    pub(super) fn of(frame: &Frame, highest: i64) -> Self {
        Self {
            highest,
            name: frame.name.clone(),
            shared: frame.shared_with_children,
            quick: frame.quick,
            steps: frame.steps.iter().map(StepDraft::of).collect(),
        }
    }

    /// None if the form is not whole: what is missing would be removed.
    pub(super) fn read(fields: &Form) -> Option<Self> {
        let count = fields.text("steps").parse().ok().filter(|count| *count <= MOST_STEPS)?;
        Some(Self {
            highest: fields.text("highest").parse().ok()?,
            name: fields.text("name").trim().to_owned(),
            shared: fields.is_ticked("shared"),
            quick: fields.is_ticked("quick"),
            steps: (0..count).map(|index| StepDraft::read(fields, index)).collect(),
        })
    }

    /// Carries out the command of a button: `add`, `up-2`, `down-2`, `drop-2`. False if the command is unknown.
    pub(super) fn arrange(&mut self, button: &str) -> bool {
        if button == "add" {
            if self.steps.len() < MOST_STEPS {
                let number = self.next_number();
                let action = StepAction::Photography.into_str().to_owned();
                self.steps.push(StepDraft { number, action, ..StepDraft::default() });
            }
            return true;
        }
        let Some((what, index)) = button.split_once('-') else { return false };
        let index = index.parse().ok().filter(|index: &usize| *index < self.steps.len());
        match (what, index) {
            ("up", Some(index)) if index > 0 => self.steps.swap(index, index - 1),
            ("down", Some(index)) if index + 1 < self.steps.len() => self.steps.swap(index, index + 1),
            ("drop", Some(index)) => drop(self.steps.remove(index)),
            _ => return false,
        }
        true
    }

    /// A number that no step of the frame ever had. It counts as used from now on, also if its step is dropped again.
    fn next_number(&mut self) -> String {
        let of_form = self.steps.iter().filter_map(|step| step.number.parse::<i64>().ok());
        self.highest = of_form.max().unwrap_or(0).max(self.highest).saturating_add(1);
        self.highest.to_string()
    }

    pub(super) fn frame(&self, id: FrameId) -> Result<Frame> {
        Ok(Frame {
            id,
            name: self.name.clone(),
            shared_with_children: self.shared,
            quick: self.quick,
            steps: self.steps.iter().enumerate().map(|(index, step)| step.step(index)).collect::<Result<_>>()?,
            line: 0,
        })
    }
}

impl StepDraft {
    /// The name of a step's field in the form.
    pub(super) fn field(index: usize, name: &str) -> String {
        format!("step-{index}-{name}")
    }

    fn of(step: &Step) -> Self {
        Self {
            number: step.id.to_string(),
            title: step.title.clone(),
            description: step.description.clone(),
            action: step.action.into_str().to_owned(),
            mandatory: step.mandatory,
            options: step.options.join("\n"),
            is_analysed: step.analysis.is_some(),
            analysis: step.analysis.as_ref().map(AnalysisDraft::of).unwrap_or_default(),
        }
    }

    fn read(fields: &Form, index: usize) -> Self {
        let text = |name: &str| fields.text(&Self::field(index, name)).trim().replace("\r\n", "\n");
        let tick = |name: &str| fields.is_ticked(&Self::field(index, name));
        Self {
            number: text("number"),
            title: text("title"),
            description: text("description"),
            action: text("action"),
            mandatory: tick("mandatory"),
            options: text("options"),
            is_analysed: tick("analysed"),
            analysis: AnalysisDraft {
                types: text("types"),
                other: tick("other"),
                unsealed: tick("unsealed"),
                deleted: tick("deleted"),
                checks: text("checks"),
                extracts: text("extracts"),
            },
        }
    }

    fn step(&self, index: usize) -> Result<Step> {
        let wrong = |field: &str, expected: &str| Error::invalid(format!("step {}, {field}: {expected}", index + 1));
        let id = StepId::parse(&self.number).ok_or_else(|| wrong("number", "must be a positive whole number"))?;
        let action = self.action.parse().map_err(|_| wrong("what it asks for", "choose one of the list"))?;
        Ok(Step {
            id,
            title: self.title.clone(),
            description: self.description.clone(),
            action,
            mandatory: self.mandatory,
            options: lines_of(&self.options).map(str::to_owned).collect(),
            analysis: self.is_analysed.then(|| self.analysis.checked(&wrong)).transpose()?,
            line: 0,
        })
    }
}

impl AnalysisDraft {
    fn of(analysis: &StepAnalysis) -> Self {
        let check = |check: &CrossCheck| format!("{} | {} | {}", check.field, check.label, check.step);
        let extract = |field: &ExtractedField| format!("{} | {}", field.key, field.label);
        Self {
            types: analysis.document_types.join("\n"),
            other: analysis.other_document,
            unsealed: !analysis.timestamp_and_signature,
            deleted: analysis.delete_after_analysis,
            checks: analysis.cross_check.iter().map(check).collect::<Vec<_>>().join("\n"),
            extracts: analysis.extract.iter().map(extract).collect::<Vec<_>>().join("\n"),
        }
    }

    fn checked(&self, wrong: &impl Fn(&str, &str) -> Error) -> Result<StepAnalysis> {
        let mut cross_check = Vec::new();
        for line in lines_of(&self.checks) {
            // A label may have the separator.
            let parts = line.split_once('|').and_then(|(field, rest)| Some((field, rest.rsplit_once('|')?)));
            let check = parts.and_then(|(field, (label, step))| {
                let (field, label) = (field.trim().to_owned(), label.trim().to_owned());
                Some(CrossCheck { field, label, step: StepId::parse(step.trim())? })
            });
            cross_check
                .push(check.ok_or_else(|| wrong("compare", "expected lines such as: lastName | Last name | 2"))?);
        }
        let mut extract = Vec::new();
        for line in lines_of(&self.extracts) {
            let parts = line.split_once('|');
            let (key, label) =
                parts.ok_or_else(|| wrong("read and send", "expected lines such as: amount | Amount"))?;
            extract.push(ExtractedField { key: key.trim().to_owned(), label: label.trim().to_owned() });
        }
        Ok(StepAnalysis {
            document_types: lines_of(&self.types).map(str::to_owned).collect(),
            other_document: self.other,
            timestamp_and_signature: !self.unsealed && !self.deleted,
            delete_after_analysis: self.deleted,
            cross_check,
            extract,
        })
    }
}

fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::company_manifest::{self, Lookup};

    const FRAME: &str = r#"
[company]
id = 1
name = "A"
[[frame]]
id = 70
name = "Water"
shared_with_children = true
[[frame.step]]
id = 2
title = "Name"
action = "TEXT_FIELD"
[[frame.step]]
id = 9
title = "Invoice"
description = "Both sides.\nFlat."
action = "DOCUMENT_UPLOAD"
mandatory = true
[frame.step.analysis]
document_types = ["INVOICE", "IDENTITY_CARD"]
other_document = true
timestamp_and_signature = false
cross_check = [{ field = "lastName", label = "Last | name", step = 2 }]
extract = [{ key = "amount", label = "Amount" }]
[[frame.step]]
id = 4
title = "Cause"
action = "SELECT"
options = ["Wind", "Hail | snow"]
"#;

    fn frame() -> Frame {
        let lookup = Lookup { env: &|_| None, file: &|_| Err(String::new()) };
        let mut read = company_manifest::parse("a.toml", FRAME, &lookup).unwrap().value;
        read.frames.remove(0)
    }

    /// The draft as a browser sends it.
    fn sent(draft: &FrameDraft) -> Form {
        let mut body = url::form_urlencoded::Serializer::new(String::new());
        body.append_pair("steps", &draft.steps.len().to_string()).append_pair("name", &draft.name);
        body.append_pair("highest", &draft.highest.to_string());
        let ticks = [("shared", draft.shared), ("quick", draft.quick)];
        body.extend_pairs(ticks.into_iter().filter(|(_, on)| *on).map(|(name, _)| (name, "on")));
        for (index, step) in draft.steps.iter().enumerate() {
            let texts = [
                ("number", &step.number),
                ("title", &step.title),
                ("description", &step.description),
                ("action", &step.action),
                ("options", &step.options),
                ("types", &step.analysis.types),
                ("checks", &step.analysis.checks),
                ("extracts", &step.analysis.extracts),
            ];
            for (name, text) in texts {
                body.append_pair(&StepDraft::field(index, name), &text.replace('\n', "\r\n"));
            }
            let ticks = [
                ("mandatory", step.mandatory),
                ("analysed", step.is_analysed),
                ("other", step.analysis.other),
                ("unsealed", step.analysis.unsealed),
                ("deleted", step.analysis.deleted),
            ];
            for (name, _) in ticks.into_iter().filter(|(_, on)| *on) {
                body.append_pair(&StepDraft::field(index, name), "on");
            }
        }
        Form::parse(body.finish().as_bytes())
    }

    #[test]
    fn a_form_that_is_sent_as_it_is_changes_nothing() {
        let frame = frame();
        let read = FrameDraft::read(&sent(&FrameDraft::of(&frame, 9))).unwrap().frame(frame.id).unwrap();
        let without_lines = |mut frame: Frame| {
            frame.line = 0;
            frame.steps.iter_mut().for_each(|step| step.line = 0);
            frame
        };
        assert_eq!(without_lines(read), without_lines(frame));
    }

    #[test]
    fn a_form_that_is_not_whole_is_not_read() {
        for body in ["", "steps=201&highest=1", "steps=-1&highest=1", "steps=1", "steps=1&highest=x"] {
            assert_eq!(FrameDraft::read(&Form::parse(body.as_bytes())), None, "{body}");
        }
    }

    #[test]
    fn steps_are_added_moved_and_removed() {
        let mut draft = FrameDraft::of(&frame(), 12);
        let titles = |draft: &FrameDraft| draft.steps.iter().map(|step| step.title.clone()).collect::<Vec<_>>();
        assert!(draft.arrange("up-2"));
        assert_eq!(titles(&draft), ["Name", "Cause", "Invoice"]);
        assert!(draft.arrange("down-0"));
        assert_eq!(titles(&draft), ["Cause", "Name", "Invoice"]);
        assert!(draft.arrange("add"));
        assert_eq!(draft.steps[3].number, "13", "12 was that of a removed step");
        assert!(draft.arrange("drop-1"));
        assert_eq!(titles(&draft), ["Cause", "Invoice", ""]);
        for wrong in ["up-0", "down-2", "drop-3", "drop-x", "sideways-1", ""] {
            assert!(!draft.arrange(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_a_form_may_not_have_is_named_with_its_step() {
        let problem = |change: fn(&mut FrameDraft)| {
            let mut draft = FrameDraft::of(&frame(), 12);
            change(&mut draft);
            draft.frame(frame().id).unwrap_err().to_string()
        };
        assert!(problem(|draft| draft.steps[2].number = "x".to_owned()).starts_with("step 3, number: "));
        assert!(
            problem(|draft| draft.steps[1].analysis.checks = "lastName".to_owned()).starts_with("step 2, compare: ")
        );
        assert!(
            problem(|draft| draft.steps[1].analysis.extracts = "amount".to_owned())
                .starts_with("step 2, read and send: ")
        );
        assert!(problem(|draft| draft.steps[0].action = "DANCE".to_owned()).starts_with("step 1, what it asks for: "));
    }
}
