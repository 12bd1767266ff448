//! The items of a case: each with its picture, video, document or entry, its position, and what asks for attention.

use maud::{Markup, html};

use super::{pages::grouped, parts, photo};
use crate::{
    app::console::{
        case::{CaseView, Item, ItemFile, ItemView},
        document::findings_of,
        name_of,
    },
    domain::{
        console::{Action, Role},
        file_kind::FileKind,
        id::{CaseId, ItemId},
        item::Position,
        step::StepAction,
    },
    http::{
        console::{layout, visit::Visit, words},
        link::Language,
    },
};

/// How many pictures that look alike are shown next to one.
const MOST_NEAR: usize = 5;

pub(super) fn list(visit: &Visit, view: &CaseView) -> Markup {
    let language = visit.language;
    html! {
        section #items {
            h2 { (language.pick("Items", "Éléments")) " (" (view.items.len()) ")" }
            @if view.items.is_empty() {
                p { (language.pick("Nothing was received yet.", "Rien n’a encore été reçu.")) }
            }
            @for item in &view.items { (card(visit, view, item)) }
        }
    }
}

fn card(visit: &Visit, view: &CaseView, shown: &ItemView) -> Markup {
    let language = visit.language;
    let Item { id, content, created_at, .. } = &shown.item;
    html! {
        article.item id={ "item-" (id) } {
            h3 { (content.step_title) span.small { " · " (language.pick("item ", "élément ")) (id) } }
            @match &content.file {
                Some(file) => (media(view, &shown.item, file, language)),
                None => p.entry { (content.data) },
            }
            dl.facts {
                dt { (language.pick("Received", "Reçu")) } dd { (layout::moment(*created_at)) }
                @if let Some(file) = &content.file {
                    dt { (language.pick("File", "Fichier")) }
                    dd { (content.data) " · " (file.kind.media_type()) " · " (layout::size(file.size)) }
                    dt { "SHA-256" } dd.hash { (file.sha256) }
                }
                @if let Some(position) = &content.position { (place(position, language)) }
                @if let Some(client) = &content.client {
                    dt { (language.pick("Application", "Application")) } dd { (client.application) " " (client.version) }
                }
            }
            @if let Some(read) = &shown.photo { (photo::facts(read, language)) }
            (findings(view, shown, language))
            @if !shown.near.is_empty() { (near(view, shown, language)) }
            (retake(visit, view, shown))
            (erasing(visit, view, shown.item.id))
        }
    }
}

fn media(view: &CaseView, item: &Item, file: &ItemFile, language: Language) -> Markup {
    let address = file_address(view.case.id, item.id);
    if file.deleted_at.is_some() {
        let why = if file.deletes_after_analysis {
            language.pick(
                "The file was deleted after the analysis, as its step asks.",
                "Le fichier a été supprimé après l’analyse, comme son étape le demande.",
            )
        } else {
            language.pick(
                "The file was deleted because its time was over. Its hash stays.",
                "Le fichier a été supprimé car sa durée de conservation est passée. Son empreinte reste.",
            )
        };
        return html! { p.small { (why) } };
    }
    match (item.content.action, file.kind) {
        (StepAction::Video, _) => html! {
            video controls preload="metadata" src=(address) {
                a href=(address) { (item.content.data) }
            }
        },
        (_, FileKind::Pdf) => html! {
            p {
                a href=(page_address(view, item, 1)) { (language.pick("Look at the pages", "Voir les pages")) } " · "
                a href=(address) target="_blank" rel="noopener" { (language.pick("Open the file", "Ouvrir le fichier")) " (PDF)" }
            }
        },
        _ => html! {
            a.picture href=(address) target="_blank" rel="noopener" {
                img src=(preview_of(view.case.id, item.id)) loading="lazy"
                    alt=(format!("{}, {}", item.content.step_title, item.content.data));
                span { (language.pick("Open the full picture", "Ouvrir l’image entière")) }
            }
        },
    }
}

fn place(position: &Position, language: Language) -> Markup {
    html! {
        dt { (language.pick("Position", "Position")) }
        dd {
            (position.latitude) ", " (position.longitude)
            @if let Some(accuracy) = &position.accuracy { " ± " (accuracy) " m" }
        }
    }
}

/// What plugins found on this item, in one list next to the document.
fn findings(view: &CaseView, shown: &ItemView, language: Language) -> Markup {
    let Some(explanation) = &view.explanation else { return html! {} };
    let found = findings_of(explanation, shown.item.id);
    if found.is_empty() {
        return html! {};
    }
    html! {
        ul.found {
            @for (text, pages) in grouped(&found) {
                li {
                    (words::said(text, language))
                    @for page in pages {
                        " · " a href=(page_address(view, &shown.item, page)) { (language.pick("page ", "page ")) (page) }
                    }
                }
            }
        }
    }
}

/// Where a page of an item's file is shown, with what was found on it.
fn page_address(view: &CaseView, item: &Item, page: u32) -> String {
    format!("/console/cases/{}/items/{}/pages/{page}", view.case.id, item.id)
}

/// Pictures of the company that look like this one, next to it.
fn near(view: &CaseView, shown: &ItemView, language: Language) -> Markup {
    html! {
        div.alert {
            p { (language.pick("Pictures that look like this one:", "Images qui ressemblent à celle-ci\u{a0}:")) }
            ul.near {
                li {
                    img src=(preview_of(view.case.id, shown.item.id)) loading="lazy" alt="";
                    span { (language.pick("this one", "celle-ci")) }
                }
                @for near in shown.near.iter().take(MOST_NEAR) {
                    li {
                        img src=(preview_of(near.case, near.item)) loading="lazy" alt="";
                        a href={ "/console/cases/" (near.case) "#item-" (near.item) } {
                            (language.pick("case ", "dossier ")) (near.case)
                            (language.pick(", item ", ", élément ")) (near.item)
                        }
                        @if near.same_file { span { (language.pick("the same file", "le même fichier")) } }
                    }
                }
            }
            @if shown.near.len() > MOST_NEAR {
                p.small { (language.pick("More: ", "Autres\u{a0}: ")) (shown.near.len() - MOST_NEAR) }
            }
        }
    }
}

fn file_address(case: CaseId, item: ItemId) -> String {
    format!("/console/cases/{case}/items/{item}/file")
}

/// The form that erases an item of a sealed case.
fn erasing(visit: &Visit, view: &CaseView, item: ItemId) -> Markup {
    let may = Action::EraseItem.role().is_some_and(|role| visit.user.may(role));
    if !may || !view.case.is_closed() {
        return html! {};
    }
    let language = visit.language;
    let grounds = [
        ("request", language.pick("A person whom it concerns asked for it", "Une personne concernée l’a demandé")),
        ("legalDuty", language.pick("A law or a court requires it", "Une loi ou un tribunal l’exige")),
        ("mistake", language.pick("It should not have been added", "Il n’aurait pas dû être ajouté")),
    ];
    html! {
        details {
            summary { (language.pick("Erase this item", "Effacer cet élément")) }
            form.stack method="post" action={ "/console/cases/" (view.case.id) "/items/" (item) "/erase" } {
                (layout::csrf(&visit.token))
                p {
                    (language.pick(
                        "The item is deleted for ever, with all that was made from it. A new certificate shows the gap and why. The verdict on the case is withdrawn.",
                        "L’élément est supprimé pour toujours, avec tout ce qui en a été tiré. Un nouveau certificat montre la lacune et son motif. Le verdict sur le dossier est retiré.",
                    ))
                }
                label for={ "ground-" (item) } { (language.pick("Why", "Motif")) }
                select id={ "ground-" (item) } name="ground" required {
                    option value="" { (language.pick("Choose", "Choisissez")) }
                    @for (value, text) in grounds { option value=(value) { (text) } }
                }
                label for={ "erase-" (item) } { (language.pick("Enter the number of the item: ", "Saisissez le numéro de l’élément : ")) (item) }
                input id={ "erase-" (item) } name="confirm" required autocomplete="off" inputmode="numeric";
                button.danger { (language.pick("Erase for ever", "Effacer pour toujours")) }
            }
        }
    }
}

fn retake(visit: &Visit, view: &CaseView, shown: &ItemView) -> Markup {
    let (language, id) = (visit.language, shown.item.id);
    let is_asked_by = visit.user.may(Role::Manager) && shown.item.content.file.is_some();
    let can_ask = is_asked_by && !view.case.is_closed();
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
        @if is_asked_by && view.case.is_closed() {
            p.small {
                (language.pick("The case is closed. ", "Le dossier est clos. "))
                a href=(parts::follow_up(view)) { (better(shown.item.content.action, true, language)) }
            }
        }
        @if can_ask && view.case.link.is_none() && !view.is_field_case {
            p.small { (language.pick("The case has no link and no field user, so no one can be asked for another capture.", "Le dossier n’a ni lien ni utilisateur de terrain : une autre prise ne peut être demandée à personne.")) }
        } @else if can_ask {
            details {
                summary { (better(shown.item.content.action, false, language)) }
                form.stack method="post" action={ "/console/cases/" (view.case.id) "/items/" (id) "/retake" } {
                    (layout::csrf(&visit.token))
                    @if let Some(open) = shown.retake.as_ref().filter(|_| !shown.is_replaced) {
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
}

/// What the person is asked for in place of an item, in another case if this one is closed.
const fn better(action: StepAction, elsewhere: bool, language: Language) -> &'static str {
    match (action, elsewhere) {
        (StepAction::Photography, false) => language.pick("Ask for a better photo", "Demander une meilleure photo"),
        (StepAction::Photography, true) => language
            .pick("Ask for a better photo in another case", "Demander une meilleure photo dans un autre dossier"),
        (_, false) => language.pick("Ask for a better one", "En demander un meilleur"),
        (_, true) => {
            language.pick("Ask for a better one in another case", "En demander un meilleur dans un autre dossier")
        }
    }
}

/// The address of an item's small picture.
fn preview_of(case: CaseId, item: ItemId) -> String {
    format!("/console/cases/{case}/items/{item}/preview")
}
