//! The company's frames and their steps.

use super::{ApplyError, Run, classify, differing};
use crate::{
    db::Tx,
    domain::{
        apply_report::{ApplyReport, Change, ChangeKind},
        company_manifest::{self, CompanyManifest},
    },
    store::{
        case_word,
        frame::{self, Frame, Step},
    },
};

pub(super) async fn apply(
    run: &mut Run<'_>,
    tx: &mut Tx,
    manifest: &CompanyManifest,
    report: &mut ApplyReport,
) -> Result<(), ApplyError> {
    for (position, frame) in (0..).zip(&manifest.frames) {
        let stored = frame::find(tx, frame.id).await?;
        if let Some(other) = stored.as_ref().filter(|stored| stored.company != manifest.company.id) {
            let whose = format!("frame {} belongs to company {}", frame.id, other.company);
            run.refuse_as_used(manifest, frame.line, "frame.id", &whose, "an identifier not in use");
            continue;
        }
        if let Some(step) = reused_step(run, frame, stored.as_ref()) {
            let message = format!("the number {} was that of a removed step; expected one that was not used", step.id);
            run.refuse(manifest, step.line, "frame.step.id", message);
            continue;
        }
        let wanted = wanted(manifest, frame, position, stored.as_ref());
        if report_frame(report, stored.as_ref(), &wanted) {
            frame::save(tx, &wanted).await?;
            if stored.is_some_and(|stored| stored.name != wanted.name) {
                case_word::note_frame(tx, wanted.id).await?;
            }
        }
    }
    deactivate_absent(tx, manifest, report).await
}

/// A step that a form made with the number of a removed one. Items of open cases would become answers to another step. A
/// file may bring back a step, because people write its numbers.
fn reused_step<'f>(
    run: &Run<'_>,
    frame: &'f company_manifest::Frame,
    stored: Option<&Frame>,
) -> Option<&'f company_manifest::Step> {
    let stored = stored.filter(|_| !run.is_from_file())?;
    let is_removed = |step: &&company_manifest::Step| stored.steps.iter().any(|old| old.id == step.id && !old.active);
    frame.steps.iter().find(is_removed)
}

/// Returns whether the frame or one of its steps has to be written.
fn report_frame(report: &mut ApplyReport, stored: Option<&Frame>, wanted: &Frame) -> bool {
    let change = Change::new(ChangeKind::Frame, &wanted.id, Some(&wanted.name));
    let mut write = classify(report, change, stored, wanted, |stored, wanted| {
        differing!(stored, wanted; "name" => name, "shared_with_children" => shared_with_children, "quick" => quick,
                   "active" => active,
                   "order" => position)
    });
    for (position, step) in wanted.steps.iter().enumerate() {
        let before = stored.and_then(|frame| frame.steps.iter().position(|stored| stored.id == step.id));
        let stored = stored.zip(before).map(|(frame, before)| &frame.steps[before]);
        let change = Change::new(ChangeKind::Step, &step.id, Some(&step.title));
        if !step.active {
            if stored.is_some_and(|stored| stored.active) {
                report.deactivated.push(change);
                write = true;
            }
            continue;
        }
        write |= classify(report, change, stored, step, |stored, step| {
            let mut fields = differing!(stored, step; "title" => title, "description" => description,
                "action" => action, "mandatory" => mandatory, "options" => options, "analysis" => analysis,
                "active" => active);
            if before != Some(position) {
                fields.push("order");
            }
            fields
        });
    }
    write
}

async fn deactivate_absent(
    tx: &mut Tx,
    manifest: &CompanyManifest,
    report: &mut ApplyReport,
) -> Result<(), ApplyError> {
    for stored in frame::of_company(tx, manifest.company.id).await? {
        if stored.active && !manifest.frames.iter().any(|frame| frame.id == stored.id) {
            report.deactivated.push(Change::new(ChangeKind::Frame, &stored.id, Some(&stored.name)));
            frame::save(tx, &Frame { active: false, ..stored }).await?;
        }
    }
    Ok(())
}

/// The frame as in the file, with removed steps at the end, inactive: cases opened before still use them.
fn wanted(manifest: &CompanyManifest, frame: &company_manifest::Frame, position: i64, stored: Option<&Frame>) -> Frame {
    let mut steps: Vec<Step> = frame.steps.iter().map(wanted_step).collect();
    for stored in stored.map(|stored| stored.steps.as_slice()).unwrap_or_default() {
        if !frame.steps.iter().any(|step| step.id == stored.id) {
            steps.push(Step { active: false, ..stored.clone() });
        }
    }
    Frame {
        id: frame.id,
        company: manifest.company.id,
        name: frame.name.clone(),
        shared_with_children: frame.shared_with_children,
        quick: frame.quick,
        active: true,
        position,
        steps,
    }
}

fn wanted_step(step: &company_manifest::Step) -> Step {
    Step {
        id: step.id,
        title: step.title.clone(),
        description: step.description.clone(),
        action: step.action,
        mandatory: step.mandatory,
        options: step.options.clone(),
        analysis: step.analysis.clone(),
        active: true,
    }
}
