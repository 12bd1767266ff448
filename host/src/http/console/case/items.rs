//! The items of a case: each with its picture, video, document or entry, its position, and what asks for attention.

use maud::{Markup, html};

use super::{asking, pages::grouped, photo};
use crate::{
    app::console::{
        case::{CaseView, Item, ItemFile, ItemView},
        document::findings_of,
    },
    domain::{
        console::Action,
        file_kind::FileKind,
        id::{CaseId, ItemId},
        item::Position,
        step::StepAction,
    },
    http::{
        console::{
            layout,
            visit::Visit,
            words::{self, Names},
        },
        link::Language,
    },
};

/// How many pictures that look alike are shown next to one.
const MOST_NEAR: usize = 5;

pub(super) fn list(visit: &Visit, view: &CaseView, names: &Names<'_>) -> Markup {
    let language = visit.language;
    let shared = shared(view);
    html! {
        section #items {
            h2 { (language.pick("Items", "Éléments")) " (" (view.items.len()) ")" }
            @if view.items.is_empty() {
                p { (language.pick("Nothing was received yet.", "Rien n’a encore été reçu.")) }
            }
            (on_several(&shared, names))
            @for item in &view.items { (card(visit, view, item, &shared, names)) }
        }
    }
}

/// What was found on several items, without a place on one: its text, and the items.
type Shared<'v> = (&'v str, Vec<ItemId>);

fn shared(view: &CaseView) -> Vec<Shared<'_>> {
    let mut shared: Vec<Shared<'_>> = Vec::new();
    let Some(explanation) = &view.explanation else { return shared };
    for shown in &view.items {
        for (text, pages) in grouped(&findings_of(explanation, shown.item.id)) {
            if !pages.is_empty() {
                continue;
            }
            match shared.iter_mut().find(|(known, _)| *known == text) {
                Some((_, items)) => items.push(shown.item.id),
                None => shared.push((text, vec![shown.item.id])),
            }
        }
    }
    shared.retain(|(_, items)| items.len() > 1);
    shared
}

/// Said once above the items, instead of next to each of them.
fn on_several(shared: &[Shared<'_>], names: &Names<'_>) -> Markup {
    let language = names.language;
    html! {
        @if !shared.is_empty() {
            div #shared.alert {
                p { (language.pick("Found on several items:", "Trouvé sur plusieurs éléments\u{a0}:")) }
                ul.found {
                    @for (text, items) in shared {
                        li {
                            (words::said(text, names))
                            @for item in items { " · " a href={ "#item-" (item) } { (names.item(*item)) } }
                        }
                    }
                }
            }
        }
    }
}

fn card(visit: &Visit, view: &CaseView, shown: &ItemView, shared: &[Shared<'_>], names: &Names<'_>) -> Markup {
    let language = visit.language;
    let Item { id, content, created_at, .. } = &shown.item;
    html! {
        article.item id={ "item-" (id) } {
            h3 { (names.item(*id)) }
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
                dt { (language.pick("Reference", "Référence")) } dd { (shown.item.reference()) }
                @if let Some(position) = &content.position { (place(position, language)) }
                @if let Some(client) = &content.client {
                    dt { (language.pick("Application", "Application")) } dd { (client.application) " " (client.version) }
                }
            }
            @if let Some(read) = &shown.photo { (photo::facts(read, language)) }
            (findings(view, shown, shared, names))
            @if !shown.near.is_empty() { (near(view, shown, names)) }
            (asking::of_item(visit, view, shown, names))
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

/// What plugins found on this item and on no other, in one list next to the document.
fn findings(view: &CaseView, shown: &ItemView, shared: &[Shared<'_>], names: &Names<'_>) -> Markup {
    let language = names.language;
    let Some(explanation) = &view.explanation else { return html! {} };
    let found = grouped(&findings_of(explanation, shown.item.id));
    let is_shared = |text: &str, pages: &[u32]| pages.is_empty() && shared.iter().any(|(known, _)| *known == text);
    let (elsewhere, own): (Vec<_>, Vec<_>) = found.into_iter().partition(|(text, pages)| is_shared(text, pages));
    html! {
        @if !elsewhere.is_empty() {
            p.small {
                a href="#shared" { (language.pick("Found on this item and on others", "Trouvé sur cet élément et sur d’autres")) }
                " (" (elsewhere.len()) ")"
            }
        }
        @if !own.is_empty() {
            ul.found {
                @for (text, pages) in own {
                    li {
                        (words::said(text, names))
                        @for page in pages {
                            " · " a href=(page_address(view, &shown.item, page)) { (language.pick("page ", "page ")) (page) }
                        }
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
fn near(view: &CaseView, shown: &ItemView, names: &Names<'_>) -> Markup {
    let language = names.language;
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
                        a href={ "/console/cases/" (near.case) "#item-" (near.item) } { (names.item_of(near.case, near.item)) }
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

/// The address of an item's small picture.
fn preview_of(case: CaseId, item: ItemId) -> String {
    format!("/console/cases/{case}/items/{item}/preview")
}
