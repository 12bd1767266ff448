//! The frames of a company: a form for each, with its steps, which works without scripts. A button that adds, moves or
//! removes a step sends the form, and the page shows it again, changed and not yet saved.

mod draft;

use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use maud::{Markup, html};
use strum::VariantArray as _;

use self::draft::{FrameDraft, StepDraft};
use super::{address, after_change, hidden, parse, revision};
use crate::{
    app::{
        console::{
            company::{self, StoredCompany},
            frame_preview,
        },
        link::{AskedStep, Form as AskedForm, LinkState, LinkView},
    },
    domain::{
        company_manifest::{CompanyManifest, Frame, Keeper},
        id::FrameId,
        step::StepAction,
    },
    error::{Error, Result},
    http::{
        console::{
            form::Form,
            guard::redirect,
            layout::{self, Allowance, Section},
            problem::{PageResult, Wrong, form_problem},
            visit::Visit,
        },
        link,
        shared::Shared,
    },
};

/// Used instead of a number for a frame that does not exist yet.
const NEW: &str = "new";

/// `GET /console/companies/:company/frames/:frame`
pub(in crate::http::console) async fn show(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, frame)): Path<(String, String)>,
) -> PageResult {
    let stored = company::read(&shared.app, &visit.user, parse(&id)?).await?;
    let draft = match frame.as_str() {
        NEW => FrameDraft::default(),
        number => {
            let frame = find(&stored, number)?;
            FrameDraft::of(frame, company::highest_step(&shared.app, frame.id).await?)
        }
    };
    let shown = Editor { frame: &frame, draft: &draft, revision: stored.company.revision };
    Ok(editor(&visit, &stored, &shown, StatusCode::OK, &html! {}))
}

/// `POST /console/companies/:company/frames/:frame`: saves or removes the frame, or changes the form, as the button says.
pub(in crate::http::console) async fn change(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, frame)): Path<(String, String)>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    let Some(mut draft) = FrameDraft::read(&fields) else {
        let incomplete = Err(Error::invalid("the form is incomplete: load the page again"));
        return after_change(&shared, &visit, id, incomplete).await;
    };
    let changed = async {
        let stored = company::read(&shared.app, &visit.user, id).await?;
        let number = match frame.as_str() {
            NEW => company::new_frame_number(&shared.app).await?,
            number => find(&stored, number)?.id,
        };
        let change = |manifest: &mut CompanyManifest| {
            if fields.text("do") == "remove" {
                manifest.frames.retain(|frame| frame.id != number);
                return Ok(());
            }
            save(manifest, number, &draft)
        };
        company::edit(&shared.app, &visit.user, id, revision(&fields)?, change).await
    };
    let (status, above) = match fields.text("do") {
        "save" | "remove" => match form_problem(changed.await, visit.language)? {
            Ok(()) => return Ok(redirect(&address(id))),
            Err(problem) => (StatusCode::BAD_REQUEST, layout::alert(&problem)),
        },
        other => {
            drop(changed);
            if draft.arrange(other) { (StatusCode::OK, html! {}) } else { incomplete() }
        }
    };
    let stored = company::read(&shared.app, &visit.user, id).await?;
    // The form keeps the revision that it was made from: someone else may have changed the company since.
    let shown = Editor { frame: &frame, draft: &draft, revision: revision(&fields)? };
    Ok(editor(&visit, &stored, &shown, status, &above))
}

fn incomplete() -> (StatusCode, Markup) {
    (StatusCode::BAD_REQUEST, layout::alert(&Wrong::english("the form is incomplete: load the page again")))
}

/// `GET /console/companies/:company/frames/:frame/preview`: the page that the holder of a link sees. The page of the frame
/// shows it in a frame.
pub(in crate::http::console) async fn preview(
    State(shared): State<Shared>,
    visit: Visit,
    Path((id, frame)): Path<(String, String)>,
) -> PageResult {
    let stored = company::read(&shared.app, &visit.user, parse(&id)?).await?;
    let frame = find(&stored, &frame)?;
    let steps = frame.steps.iter().cloned().map(|step| AskedStep {
        title: step.title,
        description: step.description,
        action: step.action,
        options: step.options,
        mandatory: step.mandatory,
    });
    let view = LinkView {
        company_name: stored.company.name.clone(),
        state: LinkState::Usable,
        form: AskedForm::Frame { name: frame.name.clone(), steps: steps.collect() },
        expires_at: None,
        uses_left: None,
        open_cases: 0,
    };
    let json = serde_json::to_string(&frame_preview::of_frame(&shared.app, &stored, frame)).map_err(Error::internal)?;
    Ok(link::preview(&view, &json, visit.language))
}

fn find<'s>(stored: &'s StoredCompany, number: &str) -> Result<&'s Frame> {
    let number = FrameId::parse(number);
    let found = stored.manifest.frames.iter().find(|frame| Some(frame.id) == number);
    found.ok_or_else(|| Error::not_found("the company has no frame of this number"))
}

fn save(manifest: &mut CompanyManifest, number: FrameId, draft: &FrameDraft) -> Result<()> {
    let frame = draft.frame(number)?;
    match manifest.frames.iter_mut().find(|stored| stored.id == number) {
        Some(stored) => *stored = frame,
        None => manifest.frames.push(frame),
    }
    Ok(())
}

/// The frames on the page of their company.
pub(super) fn list(visit: &Visit, stored: &StoredCompany, can_change: bool) -> Markup {
    let language = visit.language;
    let base = format!("{}/frames", address(stored.company.id));
    html! {
        section {
            h2 { (language.pick("Frames", "Cadres")) }
            ul.rows {
                @for frame in &stored.manifest.frames {
                    li {
                        div {
                            a href={ (base) "/" (frame.id) } { (frame.name) }
                            p.small {
                                (language.pick("number ", "numéro ")) (frame.id) " · "
                                (language.pick("steps: ", "étapes : ")) (frame.steps.len())
                                @if frame.quick { (language.pick(" · one photo is a case", " · une photo est un dossier")) }
                            }
                        }
                        a href={ (base) "/" (frame.id) "#preview" } { (language.pick("Preview", "Aperçu")) }
                    }
                }
            }
            @if can_change { p { a href={ (base) "/" (NEW) } { (language.pick("Add a frame", "Ajouter un cadre")) } } }
        }
    }
}

/// What the form shows.
struct Editor<'a> {
    /// The number of the frame, or [`NEW`].
    frame: &'a str,
    draft: &'a FrameDraft,
    revision: i64,
}

fn editor(visit: &Visit, stored: &StoredCompany, shown: &Editor<'_>, status: StatusCode, above: &Markup) -> Response {
    let (language, company) = (visit.language, &stored.company);
    let Editor { frame: number, draft, revision } = *shown;
    let can_change = company.keeper == Keeper::Console;
    let title = if number == NEW { language.pick("New frame", "Nouveau cadre") } else { draft.name.as_str() };
    let main = html! {
        p { a href=(address(company.id)) { (company.name) } }
        h1 { (title) }
        (above)
        form.stack.wide method="post" action={ (address(company.id)) "/frames/" (number) } {
            (hidden(visit, revision))
            input type="hidden" name="steps" value=(draft.steps.len());
            input type="hidden" name="highest" value=(draft.highest);
            fieldset disabled[!can_change] {
                // The button that Enter presses: the first one of the form.
                button.hidden name="do" value="save" tabindex="-1" aria-hidden="true" {}
                label for="name" { (language.pick("Name", "Nom")) }
                input #name name="name" maxlength="255" value=(draft.name);
                label.box {
                    input type="checkbox" name="shared" checked[draft.shared];
                    (language.pick("Also for child companies", "Aussi pour les sociétés filles"))
                }
                label.box {
                    input type="checkbox" name="quick" checked[draft.quick];
                    (language.pick("In the field app, one photo is a case of its own", "Dans l’application, une photo est un dossier à elle seule"))
                }
                h2 { (language.pick("Steps", "Étapes")) }
                @for (index, step) in draft.steps.iter().enumerate() { (step_fields(visit, index, step, draft.steps.len(), can_change)) }
                @if can_change { (frame_buttons(visit, number)) }
            }
        }
        @if number != NEW { (preview_of(visit, &format!("{}/frames/{number}/preview", address(company.id)))) }
    };
    let mut response = layout::page_with(status, visit, Section::Companies, title, &main);
    layout::allow(&mut response, &Allowance::OwnFrames);
    response
}

/// The page of a link as its holder sees it, at this address.
fn preview_of(visit: &Visit, address: &str) -> Markup {
    let language = visit.language;
    html! {
        section #preview {
            h2 { (language.pick("Preview", "Aperçu")) }
            p {
                (language.pick(
                    "What the holder of a link sees, as the frame was last saved. ",
                    "Ce que voit la personne qui a un lien, dans le cadre tel qu’il est enregistré. ",
                ))
                a href=(address) target="_blank" rel="noopener" { (language.pick("Open it in a tab", "L’ouvrir dans un onglet")) }
            }
            iframe.preview src=(address) title=(language.pick("Preview of the page of a link", "Aperçu de la page d’un lien")) {}
        }
    }
}

fn frame_buttons(visit: &Visit, number: &str) -> Markup {
    let language = visit.language;
    html! {
        button.quiet name="do" value="add" { (language.pick("Add a step", "Ajouter une étape")) }
        div.actions {
            button name="do" value="save" { (language.pick("Save the frame", "Enregistrer le cadre")) }
            @if number != NEW {
                button.danger name="do" value="remove" data-confirm=(language.pick("Remove this frame? Open cases go on.", "Retirer ce cadre ? Les dossiers ouverts continuent.")) {
                    (language.pick("Remove the frame", "Retirer le cadre"))
                }
            }
        }
    }
}

fn step_fields(visit: &Visit, index: usize, step: &StepDraft, count: usize, can_change: bool) -> Markup {
    let language = visit.language;
    let analysis = &step.analysis;
    let field = |name: &str| StepDraft::field(index, name);
    let text = |name: &str, label: &str, value: &str| {
        html! {
            label for=(field(name)) { (label) }
            input id=(field(name)) name=(field(name)) value=(value);
        }
    };
    let lines = |name: &str, label: &str, value: &str| {
        html! {
            label for=(field(name)) { (label) }
            textarea id=(field(name)) name=(field(name)) rows="3" { (value) }
        }
    };
    let tick = |name: &str, label: &str, is_ticked: bool| {
        html! { label.box { input type="checkbox" name=(field(name)) checked[is_ticked]; (label) } }
    };
    html! {
        fieldset.step {
            legend { (language.pick("Step ", "Étape ")) (index + 1) }
            input type="hidden" name=(field("number")) value=(step.number);
            (text("title", language.pick("Title", "Titre"), &step.title))
            (lines("description", language.pick("What to do", "Ce qu’il faut faire"), &step.description))
            label for=(field("action")) { (language.pick("What it asks for", "Ce qui est demandé")) }
            select id=(field("action")) name=(field("action")) {
                @for action in StepAction::VARIANTS {
                    option value=(action) selected[step.action == action.into_str()] { (language.action(*action)) }
                }
            }
            (tick("mandatory", language.pick("Required", "Obligatoire"), step.mandatory))
            (lines("options", language.pick("Choices, one on each line (for a choice)", "Choix, un par ligne (pour un choix)"), &step.options))
            details open[step.is_analysed] {
                summary { (language.pick("Analysis of a document", "Analyse d’un document")) }
                (tick("analysed", language.pick("Analyse it", "L’analyser"), step.is_analysed))
                (lines("types", language.pick("Accepted types, one on each line, such as INVOICE", "Types acceptés, un par ligne, par exemple INVOICE"), &analysis.types))
                (tick("other", language.pick("Also accept other documents", "Accepter aussi d’autres documents"), analysis.other))
                (tick("unsealed", language.pick("Without time stamp and seal", "Sans horodatage ni sceau"), analysis.unsealed))
                (tick("deleted", language.pick("Delete the file after the analysis", "Supprimer le fichier après l’analyse"), analysis.deleted))
                (lines("checks", language.pick("Compare: field, label and number of the step that is entered, such as: lastName | Last name | 2", "Comparer : champ, libellé et numéro de l’étape saisie, par exemple : lastName | Nom | 2"), &analysis.checks))
                (lines("extracts", language.pick("Read and send: field and label, such as: amount | Amount", "Lire et envoyer : champ et libellé, par exemple : amount | Montant"), &analysis.extracts))
            }
            p.small { (language.pick("Number of the step: ", "Numéro de l’étape : ")) (step.number) }
            @if can_change { (step_buttons(visit, index, count)) }
        }
    }
}

fn step_buttons(visit: &Visit, index: usize, count: usize) -> Markup {
    let language = visit.language;
    html! {
            div.actions {
                @if index > 0 {
                    button.quiet name="do" value={ "up-" (index) } { (language.pick("Up", "Monter")) }
                }
                @if index + 1 < count {
                    button.quiet name="do" value={ "down-" (index) } { (language.pick("Down", "Descendre")) }
                }
                button.quiet name="do" value={ "drop-" (index) } { (language.pick("Remove the step", "Retirer l’étape")) }
            }
    }
}
