//! The form of a search, and the searches that the user keeps.

use maud::{Markup, html};

use super::view::{ADDRESS, View, query};
use crate::http::console::{layout, words};

pub(super) fn form(view: &View<'_>) -> Markup {
    let language = view.visit.language;
    let asked = view.asked;
    let is_filtered = ["company", "frame", "state", "verdict", "decision", "from", "to"]
        .iter()
        .any(|name| !asked.value(name).is_empty());
    let state = [("open", language.pick("open", "ouvert")), ("closed", language.pick("closed", "clos"))];
    let verdict = [
        ("good", language.pick("good", "bon")),
        ("suspicious", language.pick("suspicious", "suspect")),
        ("critical", language.pick("critical", "critique")),
        ("none", language.pick("none yet", "aucun")),
    ];
    let decision = [
        ("accepted", language.pick("accepted", "accepté")),
        ("rejected", language.pick("rejected", "refusé")),
        ("returned", language.pick("returned", "renvoyé")),
        ("none", words::undecided(language)),
    ];
    html! {
        form.search method="get" action=(ADDRESS) role="search" {
            div.words {
                label for="q" { (language.pick("Search", "Rechercher")) }
                input #q type="search" name="q" value=(asked.value("q")) maxlength="300" autocomplete="off"
                    aria-describedby="q-help";
                button { (language.pick("Search", "Rechercher")) }
            }
            p #q-help.small {
                (language.pick(
                    "Reference, title, name, number of the claim, metadata or an entered text; the beginnings of words are enough.",
                    "Référence, titre, nom, numéro du sinistre, métadonnées ou texte saisi\u{a0}; le début des mots suffit.",
                ))
            }
            details.filters open[is_filtered] {
                summary { (language.pick("Filters", "Filtres")) }
                div.fields {
                    @if view.choices.companies.len() > 1 {
                        (choice(view, "company", language.pick("Company", "Société"), &numbered(&view.choices.companies)))
                    }
                    (choice(view, "frame", language.pick("Kind of case", "Type de dossier"), &numbered(&view.choices.frames)))
                    (choice(view, "state", language.pick("State", "État"), &named(&state)))
                    (choice(view, "verdict", language.pick("Verdict", "Verdict"), &named(&verdict)))
                    (choice(view, "decision", language.pick("Decision", "Décision"), &named(&decision)))
                    (day(view, "from", language.pick("Created from (UTC)", "Créé du (UTC)")))
                    (day(view, "to", language.pick("Created to (UTC)", "Créé jusqu’au (UTC)")))
                }
                div.actions {
                    button { (language.pick("Apply", "Appliquer")) }
                    a href=(ADDRESS) { (language.pick("Show all cases", "Afficher tous les dossiers")) }
                }
            }
        }
    }
}

/// The searches that the user keeps, if there are any, and the form that keeps this one.
pub(super) fn kept(view: &View<'_>) -> Markup {
    let language = view.visit.language;
    let current = view.asked.search.as_ref().ok().filter(|search| !search.is_empty());
    html! {
        @if !view.kept.is_empty() {
            details.kept {
                summary { (language.pick("Kept searches", "Recherches enregistrées")) " (" (view.kept.len()) ")" }
                ul.rows {
                    @for filter in &view.kept {
                        li {
                            div { a href={ (ADDRESS) "?" (filter.query) } { (filter.name) } }
                            form method="post" action={ "/console/filters/" (filter.id) "/delete" } {
                                (layout::csrf(&view.visit.token))
                                button.quiet aria-label={ (language.pick("Delete the search ", "Supprimer la recherche ")) (filter.name) } {
                                    (language.pick("Delete", "Supprimer"))
                                }
                            }
                        }
                    }
                }
            }
        }
        @if let Some(search) = current {
            details.kept {
                summary { (language.pick("Keep this search under a name", "Enregistrer cette recherche sous un nom")) }
                form.stack method="post" action="/console/filters" {
                    (layout::csrf(&view.visit.token))
                    input type="hidden" name="query" value=(query(search, None));
                    label for="filter-name" { (language.pick("Name of this search", "Nom de cette recherche")) }
                    input #filter-name name="name" required maxlength="80" autocomplete="off";
                    button { (language.pick("Keep this search", "Enregistrer cette recherche")) }
                }
            }
        }
    }
}

/// The choices with their values.
type Choices = Vec<(String, String)>;

fn numbered<N: ToString>(named: &[(N, String)]) -> Choices {
    named.iter().map(|(number, name)| (number.to_string(), name.clone())).collect()
}

fn named(choices: &[(&str, &str)]) -> Choices {
    choices.iter().map(|(value, name)| ((*value).to_owned(), (*name).to_owned())).collect()
}

fn choice(view: &View<'_>, name: &str, label: &str, choices: &Choices) -> Markup {
    let chosen = view.asked.value(name);
    let is_other = !chosen.is_empty() && !choices.iter().any(|(value, _)| value == chosen);
    html! {
        div {
            label for=(name) { (label) }
            select #(name) name=(name) {
                option value="" { (view.visit.language.pick("any", "tous")) }
                @if is_other { option value=(chosen) selected { (chosen) } }
                @for (value, text) in choices {
                    option value=(value) selected[value == chosen] { (text) }
                }
            }
        }
    }
}

fn day(view: &View<'_>, name: &str, label: &str) -> Markup {
    html! {
        div {
            label for=(name) { (label) }
            input #(name) type="date" name=(name) value=(view.asked.value(name));
        }
    }
}
