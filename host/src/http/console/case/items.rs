//! The items of a case: each with its picture, video, document or entry, its position, and what asks for attention.

use maud::{Markup, html};

use crate::{
    app::console::case::{CaseView, ItemView},
    domain::{
        analysis::judgement::{Finding, FindingState},
        console::Role,
        file_kind::FileKind,
        item::Position,
        step::StepAction,
    },
    http::{
        console::{guard::Visit, layout},
        link::Language,
    },
    store::item::{Item, ItemFile},
};

pub(super) fn list(visit: &Visit, view: &CaseView) -> Markup {
    let language = visit.language;
    html! {
        section {
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
            (findings(view, shown, language))
            @if !shown.near.is_empty() { (near(shown, language)) }
            (retake(visit, view, shown))
        }
    }
}

fn media(view: &CaseView, item: &Item, file: &ItemFile, language: Language) -> Markup {
    let address = format!("/console/cases/{}/items/{}/file", view.case.id, item.id);
    if file.deleted_at.is_some() {
        return html! {
            p.small { (language.pick("The file was deleted after the analysis, as its step asks.", "Le fichier a été supprimé après l’analyse, comme son étape le demande.")) }
        };
    }
    match (item.content.action, file.kind) {
        (StepAction::Video, _) => html! {
            video controls preload="metadata" src=(address) {
                a href=(address) { (item.content.data) }
            }
        },
        (_, FileKind::Pdf) => html! {
            p { a href=(address) target="_blank" rel="noopener" { (language.pick("Open the document", "Ouvrir le document")) " (PDF)" } }
        },
        _ => html! {
            a.picture href=(address) target="_blank" rel="noopener" {
                img src=(address) loading="lazy" alt=(format!("{}, {}", item.content.step_title, item.content.data));
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

/// What plugins found on this item and where, in one list next to the document.
fn findings(view: &CaseView, shown: &ItemView, language: Language) -> Markup {
    let Some(explanation) = &view.explanation else { return html! {} };
    let account = explanation.items.iter().find(|item| item.item_id == shown.item.id);
    let account = account.and_then(|item| item.account.as_ref());
    let of_document = account.into_iter().flat_map(|account| &account.falsification.parts);
    let of_case = explanation.verdict.iter().flat_map(|verdict| &verdict.account.trust.parts);
    let own = of_document.flat_map(|part| part.findings.iter());
    let about_it = of_case.flat_map(|part| part.findings.iter());
    let about_it = about_it.filter(|finding| finding.item == Some(shown.item.id));
    let found: Vec<&Finding> = own.chain(about_it).filter(|finding| finding.state == FindingState::Found).collect();
    if found.is_empty() {
        return html! {};
    }
    html! {
        ul.found {
            @for finding in found {
                li {
                    span lang="en" { (finding.text) }
                    @if let Some(place) = &finding.place {
                        span.small {
                            " · page " (place.page)
                            @if let Some(area) = &place.area {
                                (language.pick(", at ", ", à ")) (area.left) ", " (area.top) ", " (area.width) " × " (area.height)
                            }
                        }
                    }
                }
            }
        }
    }
}

fn near(shown: &ItemView, language: Language) -> Markup {
    html! {
        p.alert {
            (language.pick("Pictures that look like this one: ", "Images qui ressemblent à celle-ci : "))
            @for (position, near) in shown.near.iter().take(10).enumerate() {
                @if position > 0 { ", " }
                a href={ "/console/cases/" (near.case) "#item-" (near.item) } {
                    (language.pick("case ", "dossier ")) (near.case)
                }
                @if near.same_file { " (" (language.pick("the same file", "le même fichier")) ")" }
            }
        }
    }
}

fn retake(visit: &Visit, view: &CaseView, shown: &ItemView) -> Markup {
    let (language, id) = (visit.language, shown.item.id);
    let can_ask = visit.user.may(Role::Manager) && !view.case.is_closed() && shown.item.content.file.is_some();
    html! {
        @if let Some(retake) = &shown.retake {
            p.notice {
                (language.pick("Another capture was requested ", "Une autre prise a été demandée "))
                (layout::moment(retake.requested_at)) ": " (retake.reason)
            }
        }
        @if can_ask {
            details {
                summary { (language.pick("Ask for another capture", "Demander une autre prise")) }
                form.stack method="post" action={ "/console/cases/" (view.case.id) "/items/" (id) "/retake" } {
                    (layout::csrf(&visit.token))
                    label for={ "retake-" (id) } { (language.pick("Reason, shown to the person", "Raison, montrée à la personne")) }
                    input id={ "retake-" (id) } name="reason" required maxlength="500";
                    button { (language.pick("Ask", "Demander")) }
                }
            }
        }
    }
}
