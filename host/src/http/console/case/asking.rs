//! Asking the person in the field for something better: in the case while it is open, and in a new one when it is closed,
//! because a closed case is sealed.

use maud::{Markup, html};

use crate::{
    app::console::{
        case::{CaseView, Item, ItemView, Retake},
        name_of,
    },
    domain::{
        console::{Action, Role},
        step::StepAction,
    },
    http::{
        console::{cases::new, frame_choice, layout, visit::Visit, words::Names},
        link::Language,
    },
};

/// Ways to what the user may do with the case apart from deciding, at the top of the page.
pub(super) fn tasks(visit: &Visit, view: &CaseView) -> Markup {
    let language = visit.language;
    let better = better_capture(view, language);
    let (better, of_managers) = if visit.user.may(Role::Manager) { (better, false) } else { (None, better.is_some()) };
    let may_show = Action::ShowLink.role().is_some_and(|role| visit.user.may(role));
    let link = view.case.link.as_ref().filter(|_| may_show && !view.case.is_closed());
    html! {
        @if better.is_some() || link.is_some() {
            nav.tasks aria-label=(language.pick("What you can do", "Ce que vous pouvez faire")) {
                @if let Some((address, text)) = &better { a.button.quiet href=(address) { (text) } }
                @if let Some(link) = link {
                    a.button.quiet href={ "/console/links/" (link) "?case=" (view.case.id) } {
                        (language.pick("Link for the person", "Lien pour la personne"))
                    }
                }
            }
        }
        // A viewer has nothing to do here, and needs no advice.
        @if of_managers && visit.user.may(Role::Reviewer) {
            p.small { (language.pick("A manager can ask the person for a better photo.", "Un gestionnaire peut demander une meilleure photo à la personne.")) }
        }
    }
}

/// Where the user asks for a better capture, and what the way is called; none if nothing was captured, or no one can be
/// asked.
fn better_capture(view: &CaseView, language: Language) -> Option<(String, &'static str)> {
    let mut files = view.items.iter().filter(|shown| shown.item.content.file.is_some());
    let first = files.next()?;
    if !view.case.is_closed() && view.case.link.is_none() && !view.is_field_case {
        return None;
    }
    if files.next().is_some() {
        let text = language.pick(
            "Ask for a better photo: choose it below",
            "Demander une meilleure photo\u{a0}: choisissez-la plus bas",
        );
        return Some(("#items".to_owned(), text));
    }
    let form = if view.case.is_closed() { "better" } else { "retake" };
    Some((format!("#{form}-{}", first.item.id), better(first.item.content.action, language)))
}

/// What was asked for in place of an item, and the form that asks for it.
pub(super) fn of_item(visit: &Visit, view: &CaseView, shown: &ItemView, names: &Names<'_>) -> Markup {
    let language = visit.language;
    let may_ask = visit.user.may(Role::Manager) && shown.item.content.file.is_some();
    html! {
        (requests(shown, language))
        @if may_ask {
            @if view.case.is_closed() {
                (in_new_case(visit, view, &shown.item, names))
            } @else if view.case.link.is_none() && !view.is_field_case {
                p.small { (language.pick("The case has no link and no field user, so no one can be asked for another capture.", "Le dossier n’a ni lien ni utilisateur de terrain : une autre prise ne peut être demandée à personne.")) }
            } @else {
                (in_this_case(visit, view, shown, names))
            }
        }
    }
}

/// The newest request for an item, and those that it replaced.
fn requests(shown: &ItemView, language: Language) -> Markup {
    html! {
        @if let Some(retake) = &shown.retake {
            p.notice {
                @if shown.is_replaced {
                    (language.pick("Answered. Another capture was requested ", "Répondu. Une autre prise a été demandée "))
                } @else {
                    (language.pick("Open. Another capture was requested ", "En attente. Une autre prise a été demandée "))
                }
                (layout::moment(retake.requested_at)) (language.pick(" by ", " par ")) (name_of(&retake.requested_by)) ": " (retake.reason)
            }
        }
        @if !shown.replaced_retakes.is_empty() {
            details.earlier {
                summary { (language.pick("Earlier requests for this item", "Demandes précédentes pour cet élément")) " (" (shown.replaced_retakes.len()) ")" }
                ol {
                    @for earlier in &shown.replaced_retakes {
                        li {
                            (layout::moment(earlier.requested_at)) (language.pick(" by ", " par ")) (name_of(&earlier.requested_by)) ": "
                            q { (earlier.reason) }
                        }
                    }
                }
                p.small { (language.pick("A newer request took the place of each of them.", "Une demande plus récente a remplacé chacune d’elles.")) }
            }
        }
    }
}

fn in_this_case(visit: &Visit, view: &CaseView, shown: &ItemView, names: &Names<'_>) -> Markup {
    let (language, id) = (visit.language, shown.item.id);
    let open: Option<&Retake> = shown.retake.as_ref().filter(|_| !shown.is_replaced);
    html! {
        details {
            (summary(&shown.item, names))
            form.stack method="post" action={ "/console/cases/" (view.case.id) "/items/" (id) "/retake" } {
                (layout::csrf(&visit.token))
                @if let Some(open) = open {
                    p.alert {
                        (language.pick(
                            "Your request takes the place of the open one, which the person then no longer sees: ",
                            "Votre demande remplace celle en attente, que la personne ne verra plus\u{a0}: ",
                        ))
                        q { (open.reason) }
                    }
                }
                label for={ "retake-" (id) } { (language.pick("Reason, shown to the person", "Raison, montrée à la personne")) }
                textarea id={ "retake-" (id) } name="reason" rows="2" required maxlength="500" {}
                p.small {
                    @match &view.case.link {
                        Some(link) => {
                            (language.pick("No message is sent. Then send the link again: ", "Aucun message n’est envoyé. Renvoyez ensuite le lien\u{a0}: "))
                            a href={ "/console/links/" (link) "?case=" (view.case.id) } { (language.pick("its address and QR code", "son adresse et son code QR")) }
                        }
                        None => { (language.pick("No message is sent: the person sees it in the field app.", "Aucun message n’est envoyé\u{a0}: la personne le voit dans l’application de terrain.")) }
                    }
                }
                button { (language.pick("Ask", "Demander")) }
            }
        }
    }
}

/// The form that opens a new case like the closed one, for the same field user or for a new link.
fn in_new_case(visit: &Visit, view: &CaseView, item: &Item, names: &Names<'_>) -> Markup {
    let (language, case) = (visit.language, &view.case);
    let field = format!("better-{}", item.id);
    html! {
        details {
            (summary(item, names))
            form.stack method="post" action="/console/cases" {
                (layout::csrf(&visit.token))
                input type="hidden" name=(new::BETTER) value="yes";
                @for (name, value) in fields(view) { input type="hidden" name=(name) value=(value); }
                p {
                    (language.pick(
                        "This case is closed and sealed, so nothing in it can change. A new case of the same kind opens (",
                        "Ce dossier est clos et scellé\u{a0}: rien ne peut plus y changer. Un nouveau dossier du même type s’ouvre (",
                    ))
                    (view.frame_name)
                    (language.pick("), and the person sends the better one there.", "), et la personne y envoie ce qui est demandé."))
                }
                label for=(field) { (language.pick("What the person reads: the title of the new case", "Ce que lit la personne\u{a0}: le titre du nouveau dossier")) }
                input id=(field) name="title" required maxlength=(new::LONGEST_TITLE) autocomplete="off"
                    value=(title(item, &case.title, language));
                p.small {
                    @if let Some(mail) = &view.field_mail {
                        (language.pick("No message is sent: the field user finds the new case in the app: ", "Aucun message n’est envoyé\u{a0}: l’utilisateur de terrain trouve le nouveau dossier dans l’application\u{a0}: "))
                        (mail)
                    } @else {
                        (language.pick("No message is sent. The new case has a link of its own: send it to the person afterwards.", "Aucun message n’est envoyé. Le nouveau dossier a son propre lien\u{a0}: envoyez-le ensuite à la personne."))
                    }
                }
                button { (language.pick("Open the new case", "Ouvrir le nouveau dossier")) }
            }
        }
    }
}

fn summary(item: &Item, names: &Names<'_>) -> Markup {
    let language = names.language;
    let text = better(item.content.action, language);
    html! { summary { (text) (language.pick(": ", "\u{a0}: ")) (names.item(item.id)) } }
}

/// The form for another case like this one, for the user to fill in.
pub(super) fn follow_up(view: &CaseView) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(fields(view)).append_pair("title", &view.case.title);
    format!("/console/cases/new?{}", query.finish())
}

/// What the form of a new case has for one like this: all but its title.
fn fields(view: &CaseView) -> Vec<(&'static str, String)> {
    let case = &view.case;
    let mut fields = vec![(frame_choice::FIELD, format!("{}/{}", case.company, case.frame))];
    match &view.field_mail {
        Some(mail) => fields.extend([("by", "user".to_owned()), ("mail", mail.clone())]),
        None => fields.push(("by", "link".to_owned())),
    }
    // A link needs a report: with the reference of this case as its report, each of the two cases leads to the other.
    let report = case.report_token.as_ref().map(ToString::to_string);
    let report = report.or_else(|| view.field_mail.is_none().then(|| case.reference().to_string()));
    fields.extend(report.map(|report| ("report", report)));
    fields.extend(case.language.map(|language| ("language", language.into_str().to_owned())));
    fields
}

/// The title of the new case, on one line and as long as it may be.
fn title(item: &Item, case: &str, language: Language) -> String {
    let asked = match item.content.action {
        StepAction::Photography => language.pick("Better photo of ", "Meilleure photo, "),
        _ => language.pick("To be sent again, ", "À envoyer de nouveau, "),
    };
    let title = format!("{asked}{}{}{case}", item.content.step_title, language.pick(": ", "\u{a0}: "));
    title.chars().filter(|c| !c.is_control()).take(new::LONGEST_TITLE).collect()
}

/// What the person is asked for in place of an item.
const fn better(action: StepAction, language: Language) -> &'static str {
    match action {
        StepAction::Photography => language.pick("Ask for a better photo", "Demander une meilleure photo"),
        _ => language.pick("Ask for a better one", "En demander un meilleur"),
    }
}
